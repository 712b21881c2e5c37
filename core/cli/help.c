// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --help. */
#include "core/cli/help.h"

#include <ctype.h>
#include <string.h>

#include "core/cli/commands.h"
#include "core/cli/options.h"

#define WIDTH 79
#define NAME_COLUMN 17		/* where the summary of an applet begins */
#define HELP_COLUMN 29		/* where the help of an option begins */

void help_version(FILE *to)
{
	fputs("fstrace " FSTRACE_VERSION "\n", to);
}

void help_wrap(FILE *to, const char *text, int column, int indent)
{
	bool first = true;

	while (*text) {
		int len = strcspn(text, " ");

		if (!first && column + 1 + len > WIDTH) {
			fprintf(to, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', to);
			column++;
		}
		fprintf(to, "%.*s", len, text);
		column += len;
		first = false;
		text += len + (text[len] == ' ');
	}
	fputc('\n', to);
}

/* Writes help at `indent` behind `column` columns of text, on the next line if necessary. */
static void put_help(FILE *to, int column, int indent, const char *help)
{
	if (column + 2 > indent) {
		fputc('\n', to);
		column = 0;
	}
	fprintf(to, "%*s", indent - column, "");
	help_wrap(to, help, indent, indent);
}

static void put_option(FILE *to, const struct option_row *row)
{
	int column;

	if (row->letter)
		column = fprintf(to, "  -%c, --%s", row->letter, row->name);
	else
		column = fprintf(to, "      --%s", row->name);
	if (row->arg)
		column += fprintf(to, "=%s", row->arg);
	put_help(to, column, HELP_COLUMN, row->help);
}

void help_applets(FILE *to)
{
	FOR_EACH_APPLET(applet)
		put_help(to, fprintf(to, "  %s", applet->name), NAME_COLUMN, applet->summary);
}

static void put_purpose(FILE *to)
{
	fputs("Usage: fstrace APPLET [OPTION...]\n"
	      "Shows what the file systems of a running Linux machine do.\n\n", to);
}

void help_brief(FILE *to)
{
	int column = 0;

	put_purpose(to);
	FOR_EACH_APPLET(applet) {
		int len = strlen(applet->name);

		if (column + 2 + len > WIDTH) {
			fputc('\n', to);
			column = 0;
		}
		column += fprintf(to, "  %s", applet->name);
	}
	fputs("\n\n"
	      "  fstrace --help         what each applet shows, and the other commands\n"
	      "  fstrace help APPLET    its options, with examples\n", to);
}

void help_command(FILE *to, const struct command *command)
{
	fprintf(to, "Usage: fstrace %s %s\n%c%s.\n\n", command->name, command->arg,
		toupper((unsigned char)*command->help), command->help + 1);
	help_wrap(to, command->more, 0, 0);
}

void help_fstrace(FILE *to)
{
	put_purpose(to);
	fputs("Applets:\n", to);
	help_applets(to);
	fputs("\nCommands:\n", to);
	for (const struct command *command = commands; command->name; command++)
		put_help(to, fprintf(to, "  %s %s", command->name, command->arg), HELP_COLUMN,
			 command->help);
	fputs("\nOptions:\n", to);
	for (const struct option_row *row = fstrace_rows; row->name; row++)
		put_option(to, row);
	fputc('\n', to);
	help_wrap(to, "fstrace APPLET --help shows an applet's options. A link or a copy of this "
		      "file with the name of an applet is that applet.", 0, 0);
}

/* [INTERVAL [COUNT]] */
static void put_operands(FILE *to, const struct applet *applet)
{
	const struct option_row *row = applet->operands;
	int open = 0;

	for (; row && row->name; row++, open++)
		fprintf(to, " [%s", row->name);
	while (open--)
		fputc(']', to);
	fprintf(to, " [-- %s]", command_row.name);
}

void help_usage(FILE *to, const struct applet *applet)
{
	fprintf(to, "Usage: fstrace %s [OPTION...]", applet->name);
	put_operands(to, applet);
	fputc('\n', to);
}

static void put_examples(FILE *to, const struct applet *applet)
{
	const struct example *example = applet->examples;
	int indent = 0;

	if (!example || !example->help)
		return;
	fprintf(to, "\nExample%s:\n", example[1].help ? "s" : "");
	/* All columns begin where the longest command ends that leaves room for its help. */
	for (; example->help; example++) {
		int len = strlen("  fstrace ") + strlen(applet->name) + 1 + strlen(example->args);

		if (len + 3 > indent && len + 3 + (int)strlen(example->help) <= WIDTH)
			indent = len + 3;
	}
	for (example = applet->examples; example->help; example++) {
		int len = fprintf(to, "  fstrace %s%s%s", applet->name, *example->args ? " " : "",
				  example->args);

		put_help(to, len, indent, example->help);
	}
}

void help_applet(FILE *to, const struct applet *applet)
{
	help_usage(to, applet);
	help_wrap(to, applet->help, 0, 0);
	for (const struct option_row *row = applet->operands; row && row->name; row++) {
		if (row == applet->operands)
			fputc('\n', to);
		put_help(to, fprintf(to, "  %s", row->name), HELP_COLUMN, row->help);
	}
	fputs(applet->operands ? "" : "\n", to);
	put_help(to, fprintf(to, "  -- %s", command_row.name), HELP_COLUMN, command_row.help);
	for (const struct option_row *const *group = applet->options; *group; group++) {
		fputc('\n', to);
		for (const struct option_row *row = *group; row->name; row++)
			if (!row->hidden)
				put_option(to, row);
	}
	fputc('\n', to);
	for (const struct option_row *row = common_rows; row->name; row++)
		if (!row->hidden)
			put_option(to, row);
	if (applet->notes) {
		fputc('\n', to);
		help_wrap(to, applet->notes, 0, 0);
	}
	put_examples(to, applet);
}

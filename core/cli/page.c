// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Manual pages (mdoc) and docs/options.md from rows. */
#include "core/cli/page.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/cli/commands.h"
#include "core/cli/options.h"
#include "core/show/record.h"

/* One character of text, escaped so that roff does not interpret it. */
static void put_char(FILE *to, char c)
{
	if (c == '\\')
		fputs("\\e", to);
	else if (c == '-')
		fputs("\\-", to);
	else
		fputc(c, to);
}

/* Unchanged text, on a line that is not a macro. */
static void put_text(FILE *to, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", to);
	for (; *text; text++)
		put_char(to, *text);
}

/* Sentences, each on a separate line. */
static void put_sentences(FILE *to, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", to);
	for (; *text; text++) {
		put_char(to, *text);
		if (*text == '.' && text[1] == ' ' && text[2] != ' ') {
			fputc('\n', to);
			text++;
		}
	}
	fputc('\n', to);
}

/* Half a sentence becomes one, ended by `end`. */
static void put_sentence(FILE *to, const char *text, const char *end)
{
	char first[2] = { toupper((unsigned char)*text) };

	put_text(to, first);
	for (text++; *text; text++)
		put_char(to, *text);
	fprintf(to, "%s\n", end);
}

static void put_help(FILE *to, const struct option_row *row)
{
	put_sentence(to, row->help, ".");
	if (row->more)
		put_sentences(to, row->more);
}

static void put_option(FILE *to, const struct option_row *row)
{
	fputs(".It ", to);
	if (row->letter)
		fprintf(to, "Fl %c , ", row->letter);
	fprintf(to, "Fl \\-%s", row->name);
	if (row->arg)
		fprintf(to, " Ns = Ns Ar %s", row->arg);
	fputc('\n', to);
	put_help(to, row);
}

static void put_options(FILE *to, const struct option_row *rows)
{
	fputs(".Bl -tag -width \"-p, --pid=PID\"\n", to);
	for (; rows->name; rows++)
		if (!rows->hidden)
			put_option(to, rows);
	fputs(".El\n", to);
}

static void put_all_options(FILE *to, const struct applet *applet)
{
	const struct option_row *row = applet->operands;

	fputs(".Bl -tag -width \"-p, --pid=PID\"\n", to);
	for (; row && row->name; row++) {
		fprintf(to, ".It Ar %s\n", row->name);
		put_help(to, row);
	}
	fputs(".It \\-\\- Ar COMMAND Op Ar ARG ...\n", to);
	put_help(to, &command_row);
	fputs(".El\n", to);
	for (const struct option_row *const *group = applet->options; *group; group++)
		put_options(to, *group);
	fputs(".Pp\nOptions of all applets:\n", to);
	put_options(to, common_rows);
}

/* Help and version are not part of it. */
static bool in_synopsis(const struct option_row *row)
{
	return !row->hidden && row->kind != OPTION_HELP && row->kind != OPTION_VERSION;
}

static void put_synopsis(FILE *to, const struct applet *applet)
{
	const struct option_row *row;
	int operands = 0;
	bool any = false;

	fprintf(to, ".Nm fstrace Cm %s\n", applet->name);
	for (int i = 0; (row = options_at(applet, i)); i++)
		if (in_synopsis(row) && row->letter && !row->arg) {
			fprintf(to, "%s%c", any ? "" : ".Op Fl ", row->letter);
			any = true;
		}
	fputs(any ? "\n" : "", to);
	for (int i = 0; (row = options_at(applet, i)); i++)
		if (in_synopsis(row) && row->letter && row->arg)
			fprintf(to, ".Op Fl %c Ar %s\n", row->letter, row->arg);
	for (int i = 0; (row = options_at(applet, i)); i++)
		if (in_synopsis(row) && !row->letter)
			fprintf(to, ".Op Fl \\-%s%s%s\n", row->name, row->arg ? " Ns = Ns Ar " : "",
				row->arg ?: "");
	for (row = applet->operands; row && row->name; row++, operands++)
		fprintf(to, "%s Ar %s", operands ? " Op" : ".Op", row->name);
	fputs(operands ? "\n" : "", to);
	fputs(".Op \\-\\- Ar COMMAND Op Ar ARG ...\n", to);
}

/* What each value of a field means. */
static void put_meanings(FILE *to, const struct field *field)
{
	fputs(".Bl -tag -width \"M\" -compact\n", to);
	for (int i = 0; field->names[i]; i++) {
		fprintf(to, ".It %s\n", field->names[i]);
		put_sentence(to, field->meanings[i], ".");
	}
	fputs(".El\n", to);
}

static void put_columns(FILE *to, const struct applet *applet)
{
	fputs(".Bl -tag -width \"TIME(s)\"\n", to);
	for (const struct record *record = applet->records; record->name; record++)
		FOR_EACH_FIELD(field, record) {
			if (!field->heading)
				continue;
			fprintf(to, ".It %s\n", field->heading);
			put_sentence(to, field->help, field->meanings ? ":" : ".");
			if (field->meanings)
				put_meanings(to, field);
		}
	fputs(".El\n", to);
}

static const char *json_type(const struct field *field)
{
	switch (field->kind) {
	case FIELD_PID:
	case FIELD_TID:
	case FIELD_LATENCY:
	case FIELD_PERCENT:
	case FIELD_OFFSET:
		return "number or null";
	case FIELD_TIME:
	case FIELD_CLOCK:
	case FIELD_INT:
	case FIELD_DURATION:
	case FIELD_INITIAL_PID:
	case FIELD_INITIAL_TID:
	case FIELD_UINT:
	case FIELD_ID:
		return "number";
	case FIELD_TRUE:
		return "true";
	case FIELD_PERCENTILES:
		return "object";
	case FIELD_BUCKETS:
		return "array";
	default:
		return "string";
	}
}

static void put_json(FILE *to, const struct applet *applet)
{
	for (const struct record *record = applet->records; record->name; record++) {
		fprintf(to, "The members of a JSON object, %s:\n", record->help);
		fputs(".Bl -tag -width \"comm_hex\"\n", to);
		FOR_EACH_FIELD(field, record) {
			fprintf(to, ".It %s\n%s", field->key, json_type(field));
			if (field->unit)
				fprintf(to, " (%s)", field->unit);
			fputs(", ", to);
			put_text(to, field->help);
			for (int i = 0; field->names && field->names[i]; i++)
				fprintf(to, "%s%s", !i ? ": " : field->names[i + 1] ? ", " : " or ",
					field->names[i]);
			fputs(field->optional ? "; may be absent\n" : "\n", to);
			if (field_is_foreign(field))
				fprintf(to, ".It %s_hex\nstring, the bytes of %s in hexadecimal, if "
					"they are not UTF\\-8\n", field->key, field->key);
			if (field->may_be_cut)
				fprintf(to, ".It %s_cut\ntrue, if %s is longer: its %s\n",
					field->key, field->key, field->kind == FIELD_PATH ?
					"beginning is missing" : "first 255 bytes are here");
		}
		fputs(".El\n", to);
	}
}

static void put_examples(FILE *to, const struct applet *applet)
{
	for (const struct example *example = applet->examples; example->help; example++) {
		put_sentence(to, example->help, ":");
		fprintf(to, ".Pp\n.Dl \"# fstrace %s%s", applet->name, *example->args ? " " : "");
		for (const char *c = example->args; *c; c++)
			if (*c == '"')
				fputs("\\(dq", to);
			else
				put_char(to, *c);
		fprintf(to, "\"\n%s", example[1].help ? ".Pp\n" : "");
	}
}

static void put_applets(FILE *to)
{
	fputs(".Bl -tag -width \"overlaydist(8)\"\n", to);
	FOR_EACH_APPLET(applet) {
		fprintf(to, ".It Xr %s 8\n", applet->name);
		put_text(to, applet->summary);
		fputc('\n', to);
	}
	fputs(".El\n", to);
}

static void put_commands(FILE *to)
{
	fputs(".Bl -tag -width \"completion SHELL\"\n", to);
	for (const struct command *command = commands; command->name; command++) {
		const char *arg = command->arg;
		int len = strcspn(arg, "]") - (*arg == '[');

		fprintf(to, ".It Cm %s %sAr %.*s\n", command->name, *arg == '[' ? "Op " : "", len,
			arg + (*arg == '['));
		put_sentence(to, command->help, ".");
	}
	fputs(".El\n", to);
}

/* Writes what the word stands for. False: no such word, or it needs an applet that is NULL. */
static bool put_part(FILE *to, const char *word, const struct applet *applet)
{
	static const struct {
		const char *word;
		void (*put)(FILE *to, const struct applet *applet);
	} parts[] = {
		{ "@SYNOPSIS@", put_synopsis }, { "@OPTIONS@", put_all_options },
		{ "@COLUMNS@", put_columns }, { "@JSON@", put_json },
		{ "@EXAMPLES@", put_examples },
	};

	for (size_t i = 0; applet && i < sizeof(parts) / sizeof(*parts); i++)
		if (!strcmp(word, parts[i].word)) {
			parts[i].put(to, applet);
			return true;
		}
	if (!strcmp(word, "@APPLETS@"))
		put_applets(to);
	else if (!strcmp(word, "@COMMANDS@"))
		put_commands(to);
	else if (!strcmp(word, "@FSTRACE@"))
		put_options(to, fstrace_rows);
	else if (!strcmp(word, "@COMMON@"))
		put_options(to, common_rows);
	else
		return false;
	return true;
}

/* A line, with the words inside it replaced. */
static void put_line(FILE *to, const char *line, const struct applet *applet)
{
	while (*line) {
		if (applet && !strncmp(line, "@NAME@", 6)) {
			fputs(applet->name, to);
			line += 6;
		} else if (applet && !strncmp(line, "@TITLE@", 7)) {
			for (const char *c = applet->name; *c; c++)
				fputc(toupper((unsigned char)*c), to);
			line += 7;
		} else if (applet && !strncmp(line, "@SUMMARY@", 9)) {
			fputs(applet->summary, to);
			line += 9;
		} else {
			fputc(*line++, to);
		}
	}
	fputc('\n', to);
}

/* "@only NAME,NAME@ TEXT": TEXT, or NULL if it is not for this applet. Any other line: itself. */
static const char *if_for(const char *line, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(line, "@only ", 6))
		return line;
	for (line += 6; *line && *line != '@'; line += *line == ',') {
		size_t word = strcspn(line, ",@");

		if (word == len && !strncmp(line, name, len)) {
			line += strcspn(line, "@");
			return *line ? line + 1 + (line[1] == ' ') : NULL;
		}
		line += word;
	}
	return NULL;
}

int page_write(FILE *to, const char *name, const char *folder)
{
	const struct applet *applet = find_applet(name);
	char path[4096], *line = NULL;
	size_t size = 0;
	ssize_t len;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.8.in", folder,
		 applet && applet->page ? applet->page : name);
	file = fopen(path, "re");
	if (!file) {
		log_error("cannot read '%s': %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	while ((len = getline(&line, &size, file)) > 0) {
		const char *text;

		line[len - (line[len - 1] == '\n')] = '\0';
		text = if_for(line, name);
		if (text && !put_part(to, text, applet))
			put_line(to, text, applet);
	}
	free(line);
	fclose(file);
	return EXIT_DONE;
}

static bool has_row(const struct applet *applet, const char *name)
{
	const struct option_row *row = applet->operands;

	for (; row && row->name; row++)
		if (!strcmp(row->name, name))
			return true;
	for (int i = 0; (row = options_at(applet, i)); i++)
		if (!strcmp(row->name, name))
			return true;
	return false;
}

/* A row of the table; an operand has no dashes. */
static void put_markdown(FILE *to, const struct option_row *row, bool common, const char *dashes)
{
	const char *comma = "";

	if (row->hidden)
		return;
	fputs("| `", to);
	if (row->letter)
		fprintf(to, "-%c%s%s`, `", row->letter, row->arg ? " " : "", row->arg ?: "");
	fprintf(to, "%s%s%s%s` | %s | ", dashes, row->name, row->arg ? "=" : "", row->arg ?: "",
		row->help);
	if (common)
		fputs("all", to);
	FOR_EACH_APPLET(applet)
		if (!common && has_row(applet, row->name)) {
			fprintf(to, "%s%s", comma, applet->name);
			comma = ", ";
		}
	fputs(" |\n", to);
}

/* The rows that no earlier applet has. */
static void put_new_rows(FILE *to, const struct applet *of, const struct option_row *row,
			 const char *dashes)
{
	for (; row && row->name; row++) {
		bool seen = false, before = true;

		FOR_EACH_APPLET(applet) {
			before &= applet != of;
			seen |= before && has_row(applet, row->name);
		}
		if (!seen)
			put_markdown(to, row, false, dashes);
	}
}

void page_options(FILE *to)
{
	fputs("| option | meaning | applets |\n|---|---|---|\n", to);
	for (const struct option_row *row = common_rows; row->name; row++)
		put_markdown(to, row, true, "--");
	FOR_EACH_APPLET(applet) {
		for (const struct option_row *const *group = applet->options; *group; group++)
			put_new_rows(to, applet, *group, "--");
		put_new_rows(to, applet, applet->operands, "");
	}
	put_markdown(to, &command_row, true, "-- ");
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Completion. Each shell gets one file for fstrace and for its links. bash gets words, for an
 * applet and for an option's value, and matches them itself; zsh and fish get descriptions, too.
 */
#include "core/cli/completion.h"

#include <string.h>

#include "core/cli/commands.h"
#include "core/cli/options.h"

const char *const completion_shells[] = { "bash", "zsh", "fish", NULL };

static void put_choices(FILE *to, const char *const *choices, const char *between)
{
	for (int i = 0; choices[i]; i++)
		fprintf(to, "%s%s", i ? between : "", choices[i]);
}

static void put_applets(FILE *to, const char *between)
{
	const char *before = "";

	FOR_EACH_APPLET(applet) {
		fprintf(to, "%s%s", before, applet->name);
		before = between;
	}
}

static void put_commands(FILE *to, const char *between)
{
	for (const struct command *command = commands; command->name; command++)
		fprintf(to, "%s%s", between, command->name);
}

static void put_options(FILE *to, const struct option_row *rows, const char *before)
{
	for (const struct option_row *row = rows; row->name; row++)
		if (!row->hidden)
			fprintf(to, "%s--%s", before, row->name);
}

/* bash: what may follow `pattern`, as a case of the function. */
static void bash_values(FILE *to, const char *applet, const struct option_row *row)
{
	if (row->hidden || !row->arg)
		return;
	fprintf(to, "\t%s:--%s", applet, row->name);
	if (row->letter)
		fprintf(to, " | %s:-%c", applet, row->letter);
	switch (row->kind) {
	case OPTION_FILE:
		fputs(") compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n", to);
		break;
	case OPTION_CHOICE:
	case OPTION_CHOICES:
		fputs(") _fstrace_words \"", to);
		put_choices(to, row->choices, " ");
		fputs(row->kind == OPTION_CHOICES ? " all\" list ;;\n" : "\" ;;\n", to);
		break;
	default:
		fputs(") ;;\n", to);
	}
}

static void write_bash(FILE *to)
{
	fputs("# bash completion of fstrace and its applets: fstrace completion bash\n"
	      "_fstrace_words() { # WORDS [list]: those that begin like $cur, or like its last part\n"
	      "\tlocal before=\n"
	      "\t[ \"${2-}\" != list ] || [[ $cur != *,* ]] || before=${cur%,*},\n"
	      "\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${cur#\"$before\"}\")\n"
	      "\t[ \"${2-}\" != list ] || compopt -o nospace\n"
	      "}\n"
	      "_fstrace() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tlocal applet=${COMP_WORDS[0]##*/} at=1\n"
	      "\tCOMPREPLY=()\n"
	      "\t# --option=value comes as three words.\n"
	      "\tif [ \"$cur\" = = ]; then cur=; elif [ \"$prev\" = = ]; then "
	      "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	      "\tif [ \"$applet\" = fstrace ]; then\n"
	      "\t\tapplet=${COMP_WORDS[1]} at=2\n"
	      "\t\tif [ \"$COMP_CWORD\" = 1 ]; then\n"
	      "\t\t\t_fstrace_words \"", to);
	put_applets(to, " ");
	put_commands(to, " ");
	put_options(to, fstrace_rows, " ");
	fputs("\"\n\t\t\treturn\n\t\tfi\n\tfi\n"
	      "\tfor ((; at < COMP_CWORD; at++)); do	# COMMAND is completed as if it stood alone\n"
	      "\t\t[ \"${COMP_WORDS[at]}\" = -- ] || continue\n"
	      "\t\tif declare -F _command_offset >/dev/null; then\n"
	      "\t\t\t_command_offset $((at + 1))\n"
	      "\t\telse\n"
	      "\t\t\tcompopt -o default\n"
	      "\t\t\t[ $((at + 1)) != \"$COMP_CWORD\" ] ||\n"
	      "\t\t\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
	      "\t\tfi\n"
	      "\t\treturn\n"
	      "\tdone\n"
	      "\tcase $applet:$prev in\n", to);
	for (const struct command *command = commands; command->name; command++) {
		fprintf(to, "\t%s:%s) _fstrace_words \"", command->name, command->name);
		if (command->choices)
			put_choices(to, command->choices, " ");
		else
			put_applets(to, " ");
		fputs("\"; return ;;\n", to);
	}
	fputs("\t--install:*) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); return ;;\n",
	      to);
	FOR_EACH_APPLET(applet) {
		const struct option_row *row;

		for (int i = 0; (row = options_at(applet, i)); i++)
			bash_values(to, applet->name, row);
	}
	fputs("\t*)\n\t\t[[ $cur == -* ]] || return 0\n\t\tcase $applet in\n",
	      to);
	FOR_EACH_APPLET(applet) {
		fprintf(to, "\t\t%s) _fstrace_words \"", applet->name);
		for (const struct option_row *const *group = applet->options; *group; group++)
			put_options(to, *group, " ");
		put_options(to, common_rows, " ");
		fputs("\" ;;\n", to);
	}
	fputs("\t\tesac\n\tesac\n}\ncomplete -F _fstrace fstrace ", to);
	put_applets(to, " ");
	fputc('\n', to);
}

/* In single quotes; `special` characters get a backslash. */
static void put_quoted(FILE *to, const char *text, const char *special)
{
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", to);
		else
			fprintf(to, "%s%c", strchr(special, *text) ? "\\" : "", *text);
}

/* zsh: one argument of _arguments. */
static void zsh_option(FILE *to, const struct option_row *row)
{
	const char *equals = row->arg ? "=" : "";

	if (row->hidden)
		return;
	fputs(" \\\n\t\t", to);
	if (row->letter && row->kind == OPTION_COUNT)
		fprintf(to, "'*'{-%c,--%s}'", row->letter, row->name);
	else if (row->letter)
		fprintf(to, "'(-%c --%s)'{-%c%s,--%s%s}'", row->letter, row->name, row->letter,
			row->arg ? "+" : "", row->name, equals);
	else
		fprintf(to, "'--%s%s", row->name, equals);
	fputc('[', to);
	put_quoted(to, row->help, "[]:\\");
	fputc(']', to);
	if (row->arg)
		fprintf(to, ":%s:", row->arg);
	if (row->kind == OPTION_FILE) {
		fputs("_files", to);
	} else if (row->kind == OPTION_CHOICE) {
		fputc('(', to);
		put_choices(to, row->choices, " ");
		fputc(')', to);
	} else if (row->kind == OPTION_CHOICES) {
		fprintf(to, "_values -s , %s ", row->arg);
		put_choices(to, row->choices, " ");
		fputs(" all", to);
	}
	fputc('\'', to);
}

static void write_zsh(FILE *to)
{
	fputs("#compdef fstrace ", to);
	put_applets(to, " ");
	fputs("\n# zsh completion of fstrace and its applets: fstrace completion zsh\n"
	      "_fstrace() {\n"
	      "\tlocal applet=${words[1]:t}\n"
	      "\tif [[ $applet == fstrace ]]; then\n"
	      "\t\tif (( CURRENT == 2 )); then\n"
	      "\t\t\tlocal -a words_=(", to);
	FOR_EACH_APPLET(applet) {
		fprintf(to, "\n\t\t\t\t'%s:", applet->name);
		put_quoted(to, applet->summary, ":\\");
		fputc('\'', to);
	}
	for (const struct command *command = commands; command->name; command++) {
		fprintf(to, "\n\t\t\t\t'%s:", command->name);
		put_quoted(to, command->help, ":\\");
		fputc('\'', to);
	}
	for (const struct option_row *row = fstrace_rows; row->name; row++) {
		fprintf(to, "\n\t\t\t\t'--%s:", row->name);
		put_quoted(to, row->help, ":\\");
		fputc('\'', to);
	}
	fputs(")\n\t\t\t_describe 'applet' words_\n"
	      "\t\t\treturn\n"
	      "\t\tfi\n"
	      "\t\tapplet=$words[2]\n"
	      "\t\tshift words\n"
	      "\t\t(( CURRENT-- ))\n"
	      "\tfi\n"
	      "\tcase $applet in\n", to);
	for (const struct command *command = commands; command->name; command++) {
		fprintf(to, "\t%s) _values '%s' ", command->name, command->arg);
		if (command->choices)
			put_choices(to, command->choices, " ");
		else
			put_applets(to, " ");
		fputs(" ;;\n", to);
	}
	fputs("\t--install) _directories ;;\n", to);
	FOR_EACH_APPLET(applet) {
		const struct option_row *row;

		fprintf(to, "\t%s) _arguments -s -S", applet->name);
		for (int i = 0; (row = options_at(applet, i)); i++)
			zsh_option(to, row);
		for (row = applet->operands; row && row->name; row++)
			fprintf(to, " \\\n\t\t':%s:'", row->name);
		fputs(" ;;\n", to);
	}
	fputs("\tesac\n}\n_fstrace \"$@\"\n", to);
}

/* fish: one option, after the part of `complete` with the condition. */
static void fish_option(FILE *to, const char *when, const struct option_row *row)
{
	if (row->hidden)
		return;
	fputs(when, to);
	if (row->letter)
		fprintf(to, " -s %c", row->letter);
	fprintf(to, " -l %s", row->name);
	if (row->kind == OPTION_FILE) {
		fputs(" -r -F", to);
	} else if (row->kind == OPTION_CHOICE) {
		fputs(" -x -a '", to);
		put_choices(to, row->choices, " ");
		fputc('\'', to);
	} else if (row->kind == OPTION_CHOICES) {
		fputs(" -x -a '(__fish_append , ", to);
		put_choices(to, row->choices, " ");
		fputs(" all)'", to);
	} else if (row->arg) {
		fputs(" -x", to);
	}
	fputs(" -d '", to);
	put_quoted(to, row->help, "\\");
	fputs("'\n", to);
}

static void write_fish(FILE *to)
{
	static const char first[] = "complete -c fstrace -n '__fish_is_nth_token 1'";
	char when[160];

	fputs("# fish completion of fstrace and its applets: fstrace completion fish\n"
	      "complete -c fstrace -f\n", to);
	FOR_EACH_APPLET(applet) {
		fprintf(to, "%s -a %s -d '", first, applet->name);
		put_quoted(to, applet->summary, "\\");
		fputs("'\n", to);
	}
	for (const struct command *command = commands; command->name; command++) {
		fprintf(to, "%s -a %s -d '", first, command->name);
		put_quoted(to, command->help, "\\");
		fprintf(to, "'\ncomplete -c fstrace -n '__fish_seen_subcommand_from %s' -a '",
			command->name);
		if (command->choices)
			put_choices(to, command->choices, " ");
		else
			put_applets(to, " ");
		fputs("'\n", to);
	}
	for (const struct option_row *row = fstrace_rows; row->name; row++)
		fish_option(to, first, row);
	FOR_EACH_APPLET(applet) {
		const struct option_row *row;

		fprintf(to, "complete -c %s -f\n", applet->name);
		for (int i = 0; (row = options_at(applet, i)); i++) {
			snprintf(when, sizeof(when),
				 "complete -c fstrace -n '__fish_seen_subcommand_from %s'",
				 applet->name);
			fish_option(to, when, row);
			snprintf(when, sizeof(when), "complete -c %s", applet->name);
			fish_option(to, when, row);
		}
	}
}

bool completion_write(FILE *to, const char *shell)
{
	static void (*const writers[])(FILE *to) = { write_bash, write_zsh, write_fish };

	for (int i = 0; completion_shells[i]; i++)
		if (!strcmp(shell, completion_shells[i])) {
			writers[i](to);
			return true;
		}
	return false;
}

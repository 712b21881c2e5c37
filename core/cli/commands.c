// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* fstrace without an applet. */
#include "core/cli/commands.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/cli/completion.h"
#include "core/cli/doctor.h"
#include "core/cli/help.h"
#include "core/cli/page.h"
#include "core/cli/schema.h"
#include "core/cli/suggest.h"

const struct applet *applet_next(const struct applet *applet)
{
	const struct applet *next = NULL;

	for (const struct applet *const *file = applet_table; *file; file++)
		for (const struct applet *other = *file; other->name; other++)
			if ((!applet || strcmp(other->name, applet->name) > 0) &&
			    (!next || strcmp(other->name, next->name) < 0))
				next = other;
	return next;
}

const struct applet *find_applet(const char *name)
{
	FOR_EACH_APPLET(applet)
		if (!strcmp(applet->name, name))
			return applet;
	return NULL;
}

static int wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_error_as("fstrace", format, args);
	va_end(args);
	log_hint("try 'fstrace --help'");
	return EXIT_USAGE;
}

int no_such_applet(const char *word)
{
	struct suggestion suggestion = { .word = word, .len = strlen(word) };

	log_error("no such applet: '%s'; there are:", word);
	help_applets(stderr);
	FOR_EACH_APPLET(applet)
		suggest(&suggestion, applet->name);
	for (const struct command *command = commands; command->name; command++)
		suggest(&suggestion, command->name);
	if (suggestion.nearest)
		log_hint("did you mean '%s'?", suggestion.nearest);
	else
		log_hint("try 'fstrace --help'");
	return EXIT_USAGE;
}

static const struct command *find_command(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/* fstrace help --man PAGE FOLDER and help --options are for the build, and not documented. */
static int run_help(int argc, char **argv)
{
	const struct applet *applet;

	if (argc == 4 && !strcmp(argv[1], "--man"))
		return page_write(stdout, argv[2], argv[3]);
	if (argc == 2 && !strcmp(argv[1], "--options")) {
		page_options(stdout);
		return EXIT_DONE;
	}
	if (argc > 2)
		return wrong("unexpected argument '%s'", argv[2]);
	if (argc == 1) {
		help_fstrace(stdout);
		return EXIT_DONE;
	}
	applet = find_applet(argv[1]);
	if (applet)
		help_applet(stdout, applet);
	else if (find_command(argv[1]))
		help_command(stdout, find_command(argv[1]));
	else
		return no_such_applet(argv[1]);
	return EXIT_DONE;
}

static int run_schema(int argc, char **argv)
{
	const struct applet *applet;

	if (argc != 2)
		return argc < 2 ? wrong("schema takes the name of an applet") :
				  wrong("unexpected argument '%s'", argv[2]);
	applet = find_applet(argv[1]);
	if (!applet)
		return no_such_applet(argv[1]);
	schema_write(stdout, applet);
	return EXIT_DONE;
}

static int run_completion(int argc, char **argv)
{
	if (argc != 2)
		return argc < 2 ? wrong("completion takes the name of a shell") :
				  wrong("unexpected argument '%s'", argv[2]);
	if (!completion_write(stdout, argv[1]))
		return wrong("no completion for '%s': bash, zsh or fish", argv[1]);
	return EXIT_DONE;
}

const struct command commands[] = {
	{ "doctor", "[APPLET...]", NULL, "find out what works here, and prove it",
	  "Runs these applets, or all whose file system is mounted, each beside 101 operations that it "
	  "must count; says what is attached and how, what cannot be seen that way, and what is missing. "
	  "With --json as the first argument it prints an object for each applet. The exit status is 0 "
	  "if all work.", doctor_run },
	{ "help", "[APPLET]", NULL, "print this, or the options of an applet",
	  "Takes the name of a command, too.", run_help },
	{ "schema", "APPLET", NULL, "print the JSON Schema of one line of --json",
	  "Every line that the applet prints with --json is valid by it.", run_schema },
	{ "completion", "SHELL", completion_shells, "print completion for bash, zsh or fish",
	  "For bash: source <(fstrace completion bash).", run_completion },
	{ 0 }
};

const struct option_row fstrace_rows[] = {
	{ .name = "list", .kind = OPTION_FLAG,
	  .help = "print the names of the applets", .more = "One a line." },
	{ .name = "install", .arg = "DIR", .kind = OPTION_FILE,
	  .help = "make a symbolic link in DIR for each applet",
	  .more = "One to this very file stays. Any other file of that name is an error, and is "
		  "not touched." },
	{ .letter = 'h', .name = "help", .kind = OPTION_HELP,
	  .help = "print this" },
	{ .letter = 'V', .name = "version", .kind = OPTION_VERSION,
	  .help = "print the version" },
	{ 0 }
};

static int list(void)
{
	FOR_EACH_APPLET(applet)
		printf("%s\n", applet->name);
	return EXIT_DONE;
}

static int install(const char *folder)
{
	char self[PATH_MAX], path[PATH_MAX], target[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len < 0) {
		log_error("cannot find my own file: %s", strerror(errno));
		return EXIT_FAILED;
	}
	self[len] = '\0';
	FOR_EACH_APPLET(applet) {
		if (snprintf(path, sizeof(path), "%s/%s", folder, applet->name) >=
		    (int)sizeof(path)) {
			log_error("cannot make a link in '%s': %s", folder,
				  strerror(ENAMETOOLONG));
			return EXIT_FAILED;
		}
		if (symlink(self, path) && errno != EEXIST) {
			log_error("cannot make '%s': %s", path, strerror(errno));
			return EXIT_FAILED;
		}
		/* An existing entry is accepted only if it is our link. */
		if (readlink(path, target, sizeof(target)) != len ||
		    memcmp(target, self, len)) {
			log_error("'%s/%s' is there and is not a link to '%s'", folder,
				  applet->name, self);
			return EXIT_FAILED;
		}
	}
	return EXIT_DONE;
}

static int unknown_option(const char *word)
{
	struct suggestion suggestion = { .word = word + 2, .len = strlen(word) - 2 };

	if (!strncmp(word, "--", 2))
		for (const struct option_row *row = fstrace_rows; row->name; row++)
			suggest(&suggestion, row->name);
	if (!suggestion.nearest)
		return wrong("no such option: '%s'", word);
	log_error("no such option: '%s'", word);
	log_hint("did you mean '--%s'?", suggestion.nearest);
	return EXIT_USAGE;
}

static bool is_option(const char *word, const char *name, char letter)
{
	return (!strncmp(word, "--", 2) && !strcmp(word + 2, name)) ||
	       (letter && word[0] == '-' && word[1] == letter && !word[2]);
}

static bool is_help(const char *word)
{
	return is_option(word, "help", 'h') || is_option(word, "help", '?');
}

/* --install DIR or --install=DIR; NULL: neither. */
static const char *install_folder(char **argv)
{
	if (is_option(argv[1], "install", 0))
		return argv[2] ?: "";
	return strncmp(argv[1], "--install=", 10) ? NULL : argv[1] + 10;
}

static int run_option(int argc, char **argv)
{
	const char *word = argv[1], *folder = install_folder(argv);

	if (folder) {
		int words = folder == argv[2] ? 3 : 2;

		if (!*folder)
			return wrong("--install takes the name of a folder");
		if (argc > words)
			return wrong("unexpected argument '%s' of --install", argv[words]);
		return install(folder);
	}
	if (is_option(word, "list", 0)) {
		if (argc > 2)
			return wrong("unexpected argument '%s'", argv[2]);
		return list();
	}
	/* Help takes precedence over everything else. */
	if (is_help(word))
		help_fstrace(stdout);
	else if (is_option(word, "version", 'V'))
		help_version(stdout);
	else
		return unknown_option(word);
	return EXIT_DONE;
}

int commands_run(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2 || !*argv[1]) {
		log_error("which applet?");
		help_brief(stderr);
		return EXIT_USAGE;
	}
	if (*argv[1] == '-')
		return run_option(argc, argv);
	command = find_command(argv[1]);
	if (!command)
		return no_such_applet(argv[1]);
	if (argc == 2 || !is_help(argv[2]))
		return command->run(argc - 1, argv + 1);
	help_command(stdout, command);
	return EXIT_DONE;
}

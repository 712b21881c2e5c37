// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* fstrace itself: finds the applet by the name it was called by, or by its first argument. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/cli/applet.h"
#include "core/cli/help.h"
#include "core/cli/options.h"

static const struct applet *find_applet(const char *name)
{
	FOR_EACH_APPLET(applet)
		if (!strcmp(applet->name, name))
			return applet;
	return NULL;
}

static void list_applets(FILE *to, int with_summary)
{
	FOR_EACH_APPLET(applet)
		if (with_summary)
			fprintf(to, "  %-12s %s\n", applet->name, applet->summary);
		else
			fprintf(to, "%s\n", applet->name);
}

static void help(FILE *to)
{
	fputs("Usage: fstrace APPLET [OPTION...]\n"
	      "Shows what the file systems of a running Linux machine do.\n\n"
	      "Applets:\n", to);
	list_applets(to, 1);
	fputs("\n"
	      "      --list             print the names of the applets\n"
	      "      --install DIR      make a symbolic link in DIR for each applet\n"
	      "      --help             print this\n"
	      "      --version          print the version\n\n"
	      "fstrace APPLET --help tells an applet's options. A link or a copy of this file with\n"
	      "the name of an applet is that applet.\n", to);
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
		snprintf(path, sizeof(path), "%s/%s", folder, applet->name);
		if (symlink(self, path) && errno != EEXIST) {
			log_error("cannot make '%s': %s", path, strerror(errno));
			return EXIT_FAILED;
		}
		/* One that is there already is ours, or stays. */
		if (readlink(path, target, sizeof(target)) != len ||
		    memcmp(target, self, len)) {
			log_error("'%s/%s' is there and is not a link to '%s'", folder, applet->name,
			      self);
			return EXIT_FAILED;
		}
	}
	return EXIT_DONE;
}

/* At exit, argp's included: output that went through stdio has really been written. */
static void check_stdout(void)
{
	if (fflush(stdout) && errno != EPIPE) {
		log_error("cannot write: %s", strerror(errno));
		_exit(EXIT_FAILED);
	}
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

static int own_options(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "-?")) {
		help(stdout);
	} else if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		help_version(stdout);
	} else if (!strcmp(word, "--list")) {
		list_applets(stdout, 0);
	} else if (!strcmp(word, "--install")) {
		if (argc == 3 && *argv[2])
			return install(argv[2]);
		return wrong("--install takes the name of a folder");
	} else if (!*word) {
		log_error("which applet?");
		help(stderr);
		return EXIT_USAGE;
	} else if (*word == '-') {
		return wrong("no such option: '%s'", word);
	} else {
		log_error("no such applet: '%s'; there are:", word);
		list_applets(stderr, 1);
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/*
 * A closed descriptor of the first three would be given to a file that we open, and results
 * written into that. Read-only, so that writing fails.
 */
static void occupy_closed(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			return;
}

static int run_applet(const struct applet *applet, int argc, char **argv)
{
	void *options = calloc(1, applet->options_size);
	int status;

	if (!options) {
		log_error("cannot read the command line: %s", strerror(errno));
		return EXIT_FAILED;
	}
	if (applet->defaults)
		memcpy(options, applet->defaults, applet->options_size);
	if (options_parse(applet, argc, argv, options, &status))
		status = applet->run(applet, options);
	free(options);
	return status;
}

int main(int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "", *slash = strrchr(name, '/');
	const struct applet *applet = find_applet(slash ? slash + 1 : name);

	occupy_closed();
	signal(SIGXFSZ, SIG_IGN);	/* "File too large" is an error like others */
	atexit(check_stdout);
	log_take_libbpf();
	if (!applet && argc > 1) {
		applet = find_applet(argv[1]);
		if (applet) {
			argc--;
			argv++;
		}
	}
	return applet ? run_applet(applet, argc, argv) : own_options(argc, argv);
}

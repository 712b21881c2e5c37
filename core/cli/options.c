// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Command lines: argp reads an applet's rows; values are strict; an error is one line. */
#include "core/cli/options.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/number.h"
#include "core/cli/help.h"
#include "core/cli/suggest.h"
#include "core/trace/comm_glob.h"

static const char *const attach_modes[] = { "auto", "fentry", "kprobe", NULL };

const struct option_row common_rows[] = {
	{ .letter = 'p', .name = "pid", .arg = "PID[,PID]", .kind = OPTION_PARSED,
	  OPTION_AT(struct common_options, trace.filter.pids), .parse = pid_list_parse,
	  .release = pid_list_release, .value = "PID",
	  .expects = "a PID, or several with commas: 181,200",
	  .help = "only these processes, with all their threads",
	  .more = "PID is the number that /proc shows; in a container, that of the container. It may "
		  "be of a process in a further container inside. Given twice, the processes of both "
		  "are traced. When all have ended, so does the run. A process that /proc hides from "
		  "the user (hidepid) is traced, too." },
	{ .name = "tid", .arg = "TID[,TID]", .kind = OPTION_PARSED,
	  OPTION_AT(struct common_options, trace.filter.tids), .parse = pid_list_parse,
	  .release = pid_list_release, .value = "TID",
	  .expects = "a TID, or several with commas: 181,200",
	  .help = "only these threads",
	  .more = "Their numbers are those in /proc/PID/task. When all have ended, so does the run, "
		  "within a second." },
	{ .letter = 'u', .name = "user", .arg = "USER", .kind = OPTION_PARSED,
	  OPTION_AT(struct common_options, trace.filter.user), .parse = user_id_parse,
	  .value = "user", .expects = "a user of /etc/passwd, or a UID",
	  .help = "only processes of this user",
	  .more = "That is their real user ID. USER is a name in /etc/passwd or a number." },
	{ .letter = 'c', .name = "comm", .arg = "NAME", .kind = OPTION_PARSED,
	  OPTION_AT(struct common_options, trace.filter.comm), .parse = comm_glob_parse,
	  .value = "name",
	  .expects = "15 characters at most, as the kernel keeps no more; * ? [a-z] are patterns",
	  .help = "only threads of this name, or pattern: 'nginx*'",
	  .more = "Each thread has a name, the COMM of rows; at first it is that of its program. The "
		  "kernel keeps 15 characters. In a pattern, * is any characters, ? is one, "
		  "[a-z] one of these, [!a-z] none of these, \\ takes the meaning from the next." },
	{ .name = "cgroup", .arg = "PATH", .kind = OPTION_FILE,
	  OPTION_AT(struct common_options, trace.filter.cgroup),
	  .help = "only processes in this control group, or below it",
	  .more = "PATH is its folder, or what /proc/PID/cgroup shows (version 2). In a container, "
		  "paths are those that the container sees." },
	{ .name = "container", .arg = "ID", .kind = OPTION_STRING,
	  OPTION_AT(struct common_options, trace.filter.container),
	  .help = "only processes in this container",
	  .more = "ID is the beginning of its identifier (docker, podman, containerd, CRI-O) or of "
		  "its name (LXC, systemd-nspawn), by the names of control groups (version 2)." },
	{ .letter = 'd', .name = "duration", .arg = "S", .kind = OPTION_SECONDS,
	  OPTION_AT(struct common_options, duration_ns), .value = "duration",
	  .help = "end after so many seconds", .more = "Decimals are allowed." },
	{ .name = "json", .kind = OPTION_FLAG, OPTION_AT(struct common_options, json),
	  .help = "print JSON, one object a line" },
	{ .letter = 'v', .name = "verbose", .kind = OPTION_COUNT,
	  OPTION_AT(struct common_options, verbosity),
	  .help = "say what is attached; -vv: what libbpf does, too" },
	{ .name = "overhead", .kind = OPTION_FLAG, OPTION_AT(struct common_options, trace.overhead),
	  .help = "say at the end what tracing cost",
	  .more = "That is how often each BPF program ran and for how long, and the shares of one "
		  "CPU that the probes and the applet itself used." },
	{ .name = "attach", .arg = "HOW", .kind = OPTION_CHOICE,
	  OPTION_AT(struct common_options, trace.attach), .choices = attach_modes,
	  .help = "how to attach: auto (default), fentry or kprobe",
	  .more = "fentry: BPF trampolines, the cheapest. kprobe: kprobe sessions where the kernel "
		  "has them and they miss nothing, else kprobes and kretprobes. auto: fentry if "
		  "this kernel does it and misses nothing, else kprobe. -v says which it was." },
	{ .name = "btf", .arg = "FILE", .kind = OPTION_FILE,
	  OPTION_AT(struct common_options, trace.btf_path),
	  .help = "types of this kernel, if it has none itself",
	  .more = "FILE is a BTF file of just this kernel. Kprobes are used then." },
	{ .name = "probe", .arg = "NAME=FUNCTION", .kind = OPTION_STRING,
	  OPTION_AT(struct common_options, trace.forced_probe), .hidden = true },
	{ .letter = 'h', .name = "help", .kind = OPTION_HELP,
	  .help = "print the options and some examples" },
	{ .letter = 'V', .name = "version", .kind = OPTION_VERSION,
	  .help = "print the version" },
	{ .name = "usage", .kind = OPTION_USAGE, .hidden = true },
	{ 0 }
};

const struct option_row failed_rows[] = {
	{ .letter = 'x', .name = "failed", .kind = OPTION_FLAG,
	  OPTION_AT(struct common_options, failed), .help = "only operations that failed" },
	{ 0 }
};

const struct option_row place_rows[] = {
	{ .name = "mount", .arg = "PATH", .kind = OPTION_FILE,
	  OPTION_AT(struct common_options, trace.filter.mount),
	  .help = "only files in the file system that PATH is in",
	  .more = "Wherever it is mounted, and whichever of its subvolumes they are in; for overlayfs, "
		  "as the overlay has them and not the layers." },
	{ .name = "dev", .arg = "MAJ:MIN", .kind = OPTION_PARSED,
	  OPTION_AT(struct common_options, trace.filter.device), .parse = device_parse,
	  .value = "device", .expects = "two numbers: 8:1",
	  .help = "the same, by its device",
	  .more = "As in the third column of /proc/self/mountinfo, or of findmnt -o MAJ:MIN. It may be "
		  "mounted where only others see it." },
	{ 0 }
};

const struct option_row command_row = {
	.name = "COMMAND [ARG...]",
	.help = "run it, trace it with all its descendants, end with it",
	.more = "From its first instruction on; nothing else is traced. "
		"It is not run before everything is attached. Through sudo it is run as the user who "
		"called sudo. The exit status is that of COMMAND. It shares standard input, output "
		"and error with fstrace. Signals that would end fstrace are passed on to it, and the "
		"run ends with it, or before that by -d or the like: then fstrace prints its last "
		"results and waits for COMMAND. What COMMAND has left in the background is no longer "
		"traced then."
};

const struct option_row *options_at(const struct applet *applet, int index)
{
	const struct option_row *row;

	for (const struct option_row *const *group = applet->options; *group; group++)
		for (row = *group; row->name; row++)
			if (!index--)
				return row;
	for (row = common_rows; row->name; row++)
		if (!index--)
			return row;
	return NULL;
}

/* "auto, fentry or kprobe" */
static void join(const char *const *words, char *to, size_t size)
{
	*to = '\0';
	for (int i = 0; words[i]; i++) {
		size_t len = strlen(to);

		snprintf(to + len, size - len, "%s%s",
			 !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
	}
}

void options_expected(const struct option_row *row, char *to, size_t size)
{
	char words[512];

	*to = '\0';
	switch (row->kind) {
	case OPTION_UINT:
		snprintf(to, size, "a whole number from %" PRIu64 " to %" PRIu64, row->min,
			 row->max);
		break;
	case OPTION_SECONDS:
		snprintf(to, size, "seconds, more than 0: 10 or 0.5");
		break;
	case OPTION_CHOICE:
	case OPTION_CHOICES:
		join(row->choices, words, sizeof(words));
		snprintf(to, size, row->kind == OPTION_CHOICE ? "%s" : "all, or a list of %s",
			 words);
		break;
	case OPTION_PARSED:
		snprintf(to, size, "%s", row->expects ?: "");
		break;
	default:
		break;
	}
}

/* What argp hands to parse() as its input. */
struct command_line {
	const struct applet *applet;
	const char *title;		/* of messages */
	void *options;
	bool done;			/* nothing is left to do, after --help and the like */
	const char *refused;		/* the word at which argp stopped */
};

/* Reports an invalid word, and in a hint what would be valid. Returns EINVAL. */
static error_t refuse(const struct command_line *line, const char *hint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static error_t refuse(const struct command_line *line, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_error_as(line->title, format, args);
	va_end(args);
	if (*hint)
		log_hint("%s", hint);
	else
		log_hint("try '%s --help'", line->title);
	return EINVAL;
}

static int choice(const struct option_row *row, const char *word, size_t len)
{
	for (int i = 0; row->choices[i]; i++)
		if (!strncmp(row->choices[i], word, len) && !row->choices[i][len])
			return i;
	return -EINVAL;
}

/* A list with commas, or "all". */
static int parse_choices(const struct option_row *row, const char *word, uint64_t *bits)
{
	*bits = 0;
	if (!strcmp(word, "all")) {
		for (int i = 0; row->choices[i]; i++)
			*bits |= UINT64_C(1) << i;
		return 0;
	}
	for (;; word++) {
		size_t len = strcspn(word, ",");
		int index = choice(row, word, len);

		if (index < 0)
			return index;
		*bits |= UINT64_C(1) << index;
		word += len;
		if (!*word)
			return 0;
	}
}

/* Reads `word` into the member of the row. Returns 0 or -errno. */
static int store(const struct option_row *row, const char *word, void *member)
{
	uint64_t value = 0;
	int err = 0;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)member = true;
		return 0;
	case OPTION_COUNT:
		++*(int *)member;
		return 0;
	case OPTION_STRING:
	case OPTION_FILE:
		*(const char **)member = word;
		return 0;
	case OPTION_PARSED:
		return row->parse(word, member);
	case OPTION_UINT:
		err = parse_uint(word, row->min, row->max, &value);
		break;
	case OPTION_SECONDS:
		err = parse_seconds(word, &value);
		break;
	case OPTION_CHOICE:
		err = choice(row, word, strlen(word));
		value = err;
		break;
	case OPTION_CHOICES:
		err = parse_choices(row, word, &value);
		break;
	case OPTION_HELP:
	case OPTION_USAGE:
	case OPTION_VERSION:
		break;
	}
	if (err >= 0)
		memcpy(member, &value, row->size);
	return err < 0 ? err : 0;
}

static error_t take(struct command_line *line, const struct option_row *row, const char *word)
{
	char expected[600];

	switch (row->kind) {
	case OPTION_HELP:
		help_applet(stdout, line->applet);
		break;
	case OPTION_USAGE:
		help_usage(stdout, line->applet);
		break;
	case OPTION_VERSION:
		help_version(stdout);
		break;
	default:
		if (!store(row, word, (char *)line->options + row->offset))
			return 0;
		options_expected(row, expected, sizeof(expected));
		if (row->kind == OPTION_CHOICE)
			return refuse(line, "", "--%s is %s, not '%s'", row->name, expected, word);
		return refuse(line, expected, "invalid %s '%s'", row->value, word);
	}
	line->done = true;
	return ECANCELED;	/* ends argp_parse() */
}

/* argp's keys of options without a letter begin here. */
#define FIRST_KEY 256

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command_line *line = state->input;
	const struct option_row *row = line->applet->operands;

	if (key == ARGP_KEY_INIT) {
		/* argp would add two lines to each error. */
		state->err_stream = NULL;
		return 0;
	}
	if (key == ARGP_KEY_ERROR && state->next > 0)
		line->refused = state->argv[state->next - 1];
	if (key == ARGP_KEY_ARG) {
		for (unsigned int i = 0; row && row->name && i < state->arg_num; i++)
			row++;
		if (!row || !row->name)
			return refuse(line, "", "unexpected argument '%s'", arg);
		return take(line, row, arg);
	}
	if (key == '?')
		key = 'h';
	for (int i = 0; (row = options_at(line->applet, i)); i++)
		if (row->letter ? row->letter == key : key == FIRST_KEY + i)
			return take(line, row, arg);
	return ARGP_ERR_UNKNOWN;
}

/* For free(); NULL with errno. */
static struct argp_option *argp_options(const struct applet *applet)
{
	const struct option_row *row;
	struct argp_option *options;
	int rows = 0;

	while (options_at(applet, rows))
		rows++;
	options = calloc(rows + 2, sizeof(*options));
	if (!options)
		return NULL;
	for (int i = 0; (row = options_at(applet, i)); i++)
		options[i] = (struct argp_option){
			.name = row->name,
			.key = row->letter ?: FIRST_KEY + i,
			.arg = row->arg,
			.doc = "",
		};
	options[rows] = (struct argp_option){ .key = '?', .doc = "" };
	return options;
}

/* "did you mean '--json'?" if the word that getopt refused is no option but nearly one. */
static void suggest_option(const struct command_line *line, char *to, size_t size)
{
	const struct option_row *row;
	struct suggestion suggestion;

	*to = '\0';
	if (!line->refused || strncmp(line->refused, "--", 2))
		return;
	suggestion = (struct suggestion){ .word = line->refused + 2,
					  .len = strcspn(line->refused + 2, "=") };
	for (int i = 0; (row = options_at(line->applet, i)); i++) {
		/* The option exists; something else is wrong. */
		if (!strncmp(row->name, suggestion.word, suggestion.len))
			return;
		if (!row->hidden)
			suggest(&suggestion, row->name);
	}
	if (suggestion.nearest)
		snprintf(to, size, "did you mean '--%s'?", suggestion.nearest);
}

/*
 * getopt and argp write to stderr directly, with the user's words unescaped. So stderr is a buffer
 * during the call, and its text is then reported like any other message.
 */
static error_t parse_quietly(const struct argp *argp, int argc, char **argv,
			     struct command_line *line)
{
	char *said = NULL;
	size_t len = 0;
	FILE *real = stderr, *buffer = open_memstream(&said, &len);
	char hint[80];
	error_t err;

	if (!buffer)
		return errno;
	stderr = buffer;
	err = argp_parse(argp, argc, argv, ARGP_NO_HELP | ARGP_NO_EXIT, NULL, line);
	stderr = real;
	if (fclose(buffer)) {
		err = ENOMEM;
	} else if (len) {
		/* It begins with argv[0], our title, and ends with a newline. */
		size_t skip = strlen(line->title) + strlen(": ");

		said[len - 1] = '\0';
		suggest_option(line, hint, sizeof(hint));
		refuse(line, hint, "%s", len > skip ? said + skip : said);
	}
	free(said);
	return err;
}

bool options_parse(const struct applet *applet, int argc, char **argv, void *options, int *status)
{
	static char title[64];	/* argp's messages begin with it, argv is kept */
	struct command_line line = { .applet = applet, .title = title, .options = options };
	struct argp_option *rows = argp_options(applet);
	const struct argp argp = { .options = rows, .parser = parse };
	error_t err = ENOMEM;

	snprintf(title, sizeof(title), "fstrace %s", applet->name);
	argv[0] = title;
	if (rows)
		err = parse_quietly(&argp, argc, argv, &line);
	free(rows);
	if (err == ENOMEM)
		log_error("cannot read the command line: %s", strerror(err));
	*status = line.done || !err ? EXIT_DONE : err == ENOMEM ? EXIT_FAILED : EXIT_USAGE;
	log_set_verbosity(((const struct common_options *)options)->verbosity);
	return !err;
}

void options_release(const struct applet *applet, void *options)
{
	const struct option_row *row;

	for (int i = 0; (row = options_at(applet, i)); i++)
		if (row->release)
			row->release((char *)options + row->offset);
}

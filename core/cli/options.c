// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Command lines: argp with strict values and one line for each error. */
#include "core/cli/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/number.h"

enum {
	OPTION_JSON = 256,
	OPTION_ATTACH,
	OPTION_BTF,
	OPTION_OVERHEAD,
	OPTION_PROBE,
};

static const struct argp_option common_entries[] = {
	{ "pid", 'p', "PID", 0, "only this process, with all its threads", 0 },
	{ "duration", 'd', "S", 0, "end after so many seconds", 0 },
	{ "json", OPTION_JSON, NULL, 0, "print JSON, one object a line", 0 },
	{ "verbose", 'v', NULL, 0, "say what is attached; -vv: what libbpf does, too", 0 },
	{ "overhead", OPTION_OVERHEAD, NULL, 0, "say at the end what tracing cost", 0 },
	{ "attach", OPTION_ATTACH, "HOW", 0, "auto (default), fentry or kprobe", 0 },
	{ "btf", OPTION_BTF, "FILE", 0, "types of this kernel, if it has none itself", 0 },
	{ "probe", OPTION_PROBE, "NAME=FUNCTION", OPTION_HIDDEN, NULL, 0 },
	{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, -1 },
	{ 0 }
};

error_t usage_error(const struct argp_state *state, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_error_as(state->name, format, args);
	va_end(args);
	return EINVAL;
}

static error_t parse_attach(const struct argp_state *state, const char *word,
			    enum attach_mode *attach)
{
	static const char *const words[] = { "auto", "fentry", "kprobe" };

	for (int i = 0; i < 3; i++)
		if (!strcmp(word, words[i])) {
			*attach = i;
			return 0;
		}
	return usage_error(state, "--attach is auto, fentry or kprobe, not '%s'", word);
}

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	struct common_options *options = state->input;
	uint64_t value;

	switch (key) {
	case ARGP_KEY_INIT:
		/* argp would add two lines to each error. */
		state->err_stream = NULL;
		return 0;
	case 'p':
		if (parse_uint(arg, 1, INT32_MAX, &value))
			return usage_error(state, "invalid PID '%s'", arg);
		options->filter.pid = value;
		return 0;
	case 'd':
		if (parse_seconds(arg, &options->duration_ns))
			return usage_error(state, "invalid duration '%s'", arg);
		return 0;
	case 'v':
		log_set_verbosity(++options->verbosity);
		return 0;
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case OPTION_JSON:
		options->json = true;
		return 0;
	case OPTION_OVERHEAD:
		options->overhead = true;
		return 0;
	case OPTION_ATTACH:
		return parse_attach(state, arg, &options->attach);
	case OPTION_BTF:
		options->btf_path = arg;
		return 0;
	case OPTION_PROBE:
		options->forced_probe = arg;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp common_argp = { common_entries, parse_common, NULL, NULL, NULL, NULL, NULL };

bool options_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input,
		   int *status)
{
	static char title[64];	/* argp's messages begin with it, argv is kept */

	snprintf(title, sizeof(title), "fstrace %s", name);
	argv[0] = title;
	argp_err_exit_status = EXIT_USAGE;
	*status = argp_parse(argp, argc, argv, 0, NULL, input) ? EXIT_USAGE : EXIT_DONE;
	return *status == EXIT_DONE;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options that all applets share. docs/options.md says what each letter means everywhere. */
#ifndef FSTRACE_CORE_CLI_OPTIONS_H
#define FSTRACE_CORE_CLI_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/trace/filter.h"
#include "core/trace/probe.h"

struct common_options {
	struct filter filter;
	uint64_t duration_ns;		/* 0: until a signal */
	bool json, overhead;
	int verbosity;
	enum attach_mode attach;
	const char *btf_path;
	const char *forced_probe;
};

/* For an applet's argp_child; its input is a struct common_options, all zero at first. */
extern const struct argp common_argp;

/*
 * Parses an applet's command line. `name` is for messages and help. Returns true to go on; false
 * after --help or an error (which has been told, in one line), with the exit status in *status.
 */
bool options_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input,
		   int *status);

/* Tells what is wrong with the command line; for parsers to return. */
error_t usage_error(const struct argp_state *state, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

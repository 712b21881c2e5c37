/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Command lines, read by the rows of an applet (core/cli/applet.h); and the options that all
 * applets share. docs/options.md lists what each letter means everywhere.
 */
#ifndef FSTRACE_CORE_CLI_OPTIONS_H
#define FSTRACE_CORE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cli/applet.h"
#include "core/trace/tracer.h"

/* The first member of each applet's options struct. */
struct common_options {
	struct trace_options trace;
	uint64_t duration_ns;		/* 0: until a signal */
	bool failed;			/* of failed_rows */
	bool json;
	int verbosity;
};

/* Their rows, which follow every applet's own. */
extern const struct option_row common_rows[];

/* A group for applets that know results: .options = { own_rows, failed_rows }. */
extern const struct option_row failed_rows[];

/* Another one, for applets about operations on files: see types_at_place(). */
extern const struct option_row place_rows[];

/* COMMAND, for descriptions alone: it is what follows "--", and main() takes it. */
extern const struct option_row command_row;

/* The row of that index, over the applet's own groups and then common_rows; NULL behind the last. */
const struct option_row *options_at(const struct applet *applet, int index);

/* Describes a valid value of the row, for a hint: "a whole number from 1 to 9". Empty: anything. */
void options_expected(const struct option_row *row, char *to, size_t size);

/*
 * Parses an applet's command line into `options`, an options struct that is all zero or has the
 * defaults. Returns true to go on; false after --help or an error (which has been reported, in
 * one line and a hint), with the exit status in *status.
 */
bool options_parse(const struct applet *applet, int argc, char **argv, void *options, int *status);

/* Frees what parsing has stored in the options struct, whatever it returned; not the struct. */
void options_release(const struct applet *applet, void *options);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The run of an applet that prints a row for each event. */
#ifndef FSTRACE_CORE_TRACE_ROWS_H
#define FSTRACE_CORE_TRACE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_header;
struct output;
struct record;
struct stop;
struct tracer;

struct rows {
	struct tracer *tracer;		/* from tracer_start(); NULL: the run has failed */
	struct stop *stop;
	struct output *out;
	const struct record *records;	/* the first describes the events of the map "events" */
	size_t event_size;		/* of the smallest event; a name at its end may make it larger */
	uint64_t duration_ns;		/* 0: until a signal */
	/* Whether an event is printed; NULL: all are. An event that is not is not a row. */
	bool (*is_wanted)(const void *context, const struct event_header *event);
	const void *context;
};

/*
 * Prints events until the stop; not those of fstrace itself. Finishes tracer and output. Returns
 * the exit status.
 */
int rows_print(const struct rows *rows);

/*
 * The same until tracer_stop(): tracer and output are there, and left to the caller to finish.
 * Returns 0 or -errno; *printed: how many events.
 */
int rows_run(const struct rows *rows, uint64_t *printed);

#endif

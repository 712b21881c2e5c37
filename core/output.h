/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Results on stdout, as text or as JSON. An applet describes its records once and never asks
 * which form is wanted. Everything is collected in a buffer and written by output_flush().
 */
#ifndef FSTRACE_CORE_OUTPUT_H
#define FSTRACE_CORE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/event.h"

struct hist;
struct output;

enum field_kind {
	FIELD_TIME,		/* __u64, CLOCK_MONOTONIC ns; shown as seconds since the start */
	FIELD_U32,
	FIELD_CHARS,		/* char[size], ended by a zero if shorter; escaped */
	FIELD_NAME,		/* bytes up to the record's end, their number in a __u8; escaped */
	FIELD_ENUM,		/* __u8, an index into names[] */
};

/* How one member of a record is shown. */
struct field {
	const char *heading;	/* of the text column; NULL: not in text */
	const char *key;	/* of the JSON member */
	enum field_kind kind;
	uint16_t offset, size;
	uint16_t len_offset;	/* FIELD_NAME: where the number of its bytes is */
	uint16_t width;		/* of the text column, filled on the right; 0: as long as it is */
	const char *const *names;
};

/* The columns that every event begins with. */
#define EVENT_FIELDS                                                                               \
	{ "TIME(s)", "time", FIELD_TIME, .offset = offsetof(struct event_header, time_ns),         \
	  .width = 11 },                                                                           \
	{ "PID", "pid", FIELD_U32, .offset = offsetof(struct event_header, pid), .width = 7 },     \
	{ NULL, "tid", FIELD_U32, .offset = offsetof(struct event_header, tid) },                  \
	{ "COMM", "comm", FIELD_CHARS, .offset = offsetof(struct event_header, comm),              \
	  .size = COMM_SIZE, .width = 16 }

/* Writes to `fd`; NULL with errno. */
struct output *output_open(int fd, bool json);

/*
 * Writes what is left and frees. `err` is 0 or -errno of the run until now. Returns EXIT_DONE or
 * EXIT_FAILED; tells what could not be written, but not of a reader that has gone (EPIPE).
 */
int output_finish(struct output *out, int err);

/* Returns 0 or -errno; after an error nothing more is written. */
int output_flush(struct output *out);

/* A line for people ("Tracing ..."), absent from JSON. */
void output_banner(struct output *out, const char *line);

/*
 * Events. `fields` ends with a row without a key. TIME counts from start_ns. The text form has a
 * header line.
 */
void output_events_begin(struct output *out, const struct field *fields, uint64_t start_ns);
void output_event(struct output *out, const struct field *fields, const void *record);

/*
 * Histograms, in blocks. Text leads a block by an empty line and, if with_time, the local time;
 * it leaves out operations without events.
 */
void output_block_begin(struct output *out, bool with_time);
void output_hist(struct output *out, const char *op, const char *unit, const struct hist *hist);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Results on stdout, as text, JSON or (events) CSV. An applet describes its records once and need
 * not know which form is wanted. Everything is collected in a buffer and written by output_flush().
 */
#ifndef FSTRACE_CORE_SHOW_OUTPUT_H
#define FSTRACE_CORE_SHOW_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/event.h"
#include "core/show/record.h"

struct stop;
struct interval;
struct output;

/* The first two are what a bool "json" says. */
enum output_kind { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV };

/*
 * Writes to `fd`, for as long as the run lasts and a little longer: see write_all(). `stop` may be
 * NULL, for no end. Returns NULL after a message.
 */
struct output *output_open(int fd, enum output_kind kind, struct stop *stop);

/*
 * Writes what is left and frees. `err` is 0 or -errno of the run until now. Returns EXIT_DONE or
 * EXIT_FAILED; reports how many lines could not be written, and why, except if the reader has gone
 * (EPIPE).
 */
int output_finish(struct output *out, int err);

/* Returns 0 or -errno; after an error nothing more is written. */
int output_flush(struct output *out);

/* A line for people ("Tracing ..."), in text alone. */
void output_banner(struct output *out, const char *line);

/*
 * Events: times count from start_ns. Text and CSV have a header line.
 */
void output_events_begin(struct output *out, const struct record *record, uint64_t start_ns);
/*
 * `numbers`: process and thread as the user knows them, if that differs from the kernel's; else
 * NULL. A number of 0 means none.
 */
void output_event(struct output *out, const struct record *record,
		  const struct event_header *event, const __u64 *numbers);

/*
 * Histograms, in blocks, one for each interval_next(). Text leads a block by an empty line and, if
 * with_time, the local time; it leaves out operations without events. `record` begins with
 * hist_fields.
 */
void output_block_begin(struct output *out, bool with_time, const struct interval *interval);
void output_hist(struct output *out, const struct record *record, struct hist_row *row);

/*
 * Rows of counts, one for each interval_next(): `record` begins with interval_fields. The text form
 * has a header line, and columns of numbers are aligned to the right.
 */
void output_rows_begin(struct output *out, const struct record *record);
void output_row(struct output *out, const struct record *record, const struct interval *interval,
		struct interval_row *row);

#endif

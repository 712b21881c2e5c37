// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fields that all events, all histograms, and all rows of counts have. */
#include "core/show/record.h"

#include "bpf/event.h"
#include "core/show/hist.h"

const struct field event_fields[] = {
	{ .heading = "TIME(s)", .key = "time", .width = 11, .unit = "s", .kind = FIELD_TIME,
	  FIELD_AT(struct event_header, time_ns),
	  .help = "when it happened, since the start of the command" },
	{ .heading = "PID", .key = "pid", .width = 7, .kind = FIELD_PID,
	  FIELD_AT(struct event_header, pid_tgid),
	  .help = "the process, as /proc numbers it; - (JSON: null) if it has no number there" },
	{ .key = "tid", .kind = FIELD_TID,
	  FIELD_AT(struct event_header, pid_tgid), .help = "the thread, likewise" },
	{ .key = "initial_pid", .kind = FIELD_INITIAL_PID, .optional = true,
	  FIELD_AT(struct event_header, pid_tgid),
	  .help = "the process in the initial PID namespace; only if /proc is of another" },
	{ .key = "initial_tid", .kind = FIELD_INITIAL_TID, .optional = true,
	  FIELD_AT(struct event_header, pid_tgid), .help = "the thread, likewise" },
	{ .heading = "COMM", .key = "comm", .width = COMM_SIZE, .kind = FIELD_COMM,
	  FIELD_AT(struct event_header, comm), .help = "the name of the thread" },
	{ 0 }
};

const struct field hist_fields[] = {
	{ .key = "time", .kind = FIELD_DATE, FIELD_AT(struct hist_row, time),
	  .help = "when the block was made, as in RFC 3339" },
	{ .key = "start", .kind = FIELD_DATE, FIELD_AT(struct hist_row, start),
	  .help = "when the block begins, as in RFC 3339, to the microsecond" },
	{ .key = "end", .kind = FIELD_DATE, FIELD_AT(struct hist_row, end),
	  .help = "when it ends, likewise" },
	{ .key = "fs", .kind = FIELD_STRING, FIELD_AT(struct hist_row, fs), .optional = true,
	  .help = "the type of the file system" },
	{ .key = "mount", .kind = FIELD_FOREIGN, FIELD_AT(struct hist_row, mount), .optional = true,
	  .help = "where it is mounted, if that is one place" },
	{ .key = "op", .kind = FIELD_STRING, FIELD_AT(struct hist_row, op),
	  .help = "the operation" },
	{ .key = "unit", .kind = FIELD_STRING, FIELD_AT(struct hist_row, unit), .names = hist_unit_names,
	  .help = "what the limits of buckets count" },
	{ .key = "count", .kind = FIELD_UINT, FIELD_AT(struct hist_row, count),
	  .help = "operations in the buckets" },
	{ .key = "sum_ns", .unit = "ns", .kind = FIELD_UINT, FIELD_AT(struct hist_row, sum_ns),
	  .help = "the time that they took together" },
	{ .key = "min_ns", .unit = "ns", .kind = FIELD_LATENCY, FIELD_AT(struct hist_row, min_ns),
	  .help = "the shortest; null if there was none" },
	{ .key = "max_ns", .unit = "ns", .kind = FIELD_LATENCY, FIELD_AT(struct hist_row, max_ns),
	  .help = "the longest; null if there was none" },
	{ .key = "percentiles_ns", .unit = "ns", .kind = FIELD_PERCENTILES,
	  FIELD_AT(struct hist_row, percentiles),
	  .help = "by percentage: what so many did not exceed, to within 1/16; null if there was none" },
	{ .key = "queued", .kind = FIELD_UINT, FIELD_AT(struct hist_row, queued),
	  .help = "asynchronous ones that have not completed; not in count" },
	{ .key = "again", .kind = FIELD_UINT, FIELD_AT(struct hist_row, again),
	  .help = "tries that must not block and would have to; not in count" },
	{ .key = "buckets", .kind = FIELD_BUCKETS, FIELD_AT(struct hist_row, hist),
	  .help = "arrays of low, high and count, from 0 to the highest that is not empty" },
	{ 0 }
};

const struct field interval_fields[] = {
	{ .heading = "TIME", .key = "time", .width = 10, .kind = FIELD_DATE,
	  FIELD_AT(struct interval_row, time),
	  .help = "when the interval ended: the local time; in JSON as in RFC 3339" },
	{ .key = "start", .kind = FIELD_DATE, FIELD_AT(struct interval_row, start),
	  .help = "when the interval begins, as in RFC 3339, to the microsecond" },
	{ .key = "end", .kind = FIELD_DATE, FIELD_AT(struct interval_row, end),
	  .help = "when it ends, likewise" },
	{ 0 }
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records: what one row of text or one JSON object holds, as data. The forms of output, the JSON
 * Schema and the OUTPUT section of a manual page are made from these rows, and from nothing else.
 */
#ifndef FSTRACE_CORE_SHOW_RECORD_H
#define FSTRACE_CORE_SHOW_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_kind {
	FIELD_TIME,		/* uint64_t, a moment; shown as seconds since the start of the run */
	FIELD_CLOCK,		/* the same; in text the local time: HH:MM:SS */
	FIELD_PID,		/* uint64_t with the process in its upper half */
	FIELD_TID,		/* ... and the thread in its lower half */
	/* The same by the kernel's numbers; left out where the user's numbers are those. */
	FIELD_INITIAL_PID,
	FIELD_INITIAL_TID,
	FIELD_DATE,		/* const char *, a date and time as in RFC 3339 */
	FIELD_UINT,		/* uint8_t to uint64_t, by .size */
	FIELD_DEVICE,		/* uint32_t, major << 20 | minor; shown as "8:1" */
	FIELD_PERCENT,		/* uint32_t, hundredths of a percent; PERCENT_NONE: of nothing */
	FIELD_INT,		/* int64_t */
	/* Of histograms and rows of counts, left out if it says nothing. */
	FIELD_ID,		/* int64_t; below 0: nothing */
	FIELD_TRUE,		/* bool; false: nothing */
	FIELD_OFFSET,		/* int64_t; below 0: none. Text: 0 then, and in KiB */
	FIELD_DURATION,		/* uint64_t, ns; text: ms with two decimals, to the right */
	FIELD_ENUM,		/* uint8_t, an index into .names; text: a letter of it */
	FIELD_STRING,		/* const char *, ours; NULL: the member is left out */
	FIELD_FOREIGN,		/* const char *, up to 255 foreign bytes, escaped; likewise */
	FIELD_NAME,		/* foreign bytes, their number in a uint8_t; escaped */
	FIELD_PATH,		/* struct path_text; escaped */
	FIELD_COMM,		/* char[.size], ended by a zero if shorter; foreign, escaped */
	/* Of a struct hist_row alone; null if its count is 0. */
	FIELD_LATENCY,		/* uint64_t, ns */
	FIELD_PERCENTILES,	/* const struct percentile *: an object, with ns by name */
	FIELD_BUCKETS,		/* const struct hist * */
};

#define PERCENT_NONE UINT32_MAX

/* A member of a record. Rows end with one without a key. */
struct field {
	const char *heading;		/* of the text column; NULL: in JSON alone */
	const char *csv;		/* of the CSV column; NULL: none */
	const char *key;		/* of the JSON member */
	uint8_t width;			/* of the text column; 0: as wide as it must be */
	const char *unit;		/* "s"; NULL: none */
	const char *help;		/* what it is: half a sentence, lower case */
	enum field_kind kind;
	uint16_t offset, size;
	uint16_t len_offset;		/* FIELD_NAME: where the number of its bytes is */
	bool may_be_cut;		/* FIELD_NAME: 0 bytes stand for more than 255; 255 are there */
	bool optional;			/* may be absent from JSON */
	const char *const *names;	/* FIELD_ENUM, FIELD_STRING: all values; ends with NULL */
	const char *letters;		/* FIELD_ENUM: of each of them; NULL: the first of its name */
	const char *const *meanings;	/* of each of the names; NULL: self-explanatory */
};

struct hist;
struct percentile;

/* What a line of text says instead of a histogram, beside the longest. */
struct hist_brief {
	double per_s, share;		/* share: of the block's time, in percent */
	uint64_t median_ns, p99_ns;
};

/* One histogram. An applet that shows more begins a struct of its own with it. */
struct hist_row {
	const char *fs;			/* the type of file system; NULL: not shown */
	const char *mount;		/* where; NULL: not shown */
	const char *op, *unit;
	const struct hist *hist;
	const struct percentile *percentiles;
	bool summary;			/* text: a line with the average and so on, too */
	/* Whose operations these are, in harmless text; NULL: everybody's. One string for each. */
	const char *key;
	const struct hist_brief *brief;	/* text: a line instead; NULL: no */
	/* Filled in by output_hist(). */
	const char *time, *start, *end;
	uint64_t count, sum_ns, min_ns, max_ns, queued, again;
};

/* A row of counts, one for each block. An applet's own begins with it. */
struct interval_row {
	/* Filled in by output_row(). */
	const char *time, *start, *end;
};

/* The place of a member in its record: FIELD_AT(struct dcsnoop_event, type). */
#define FIELD_AT(type, member)                                                                     \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/*
 * One kind of output. Its fields are in up to two parts: those of core (event_fields,
 * hist_fields, interval_fields) and the applet's own. Or all are the applet's, with its own columns; a record of
 * events begins with a struct event_header anyway. Rows of records end with one without a name.
 */
struct record {
	const char *name;		/* "lookup" */
	const char *help;		/* when there is one: half a sentence, lower case */
	const struct field *fields[3];	/* ends with NULL */
};

/* The members of struct event_header, of struct hist_row, and of struct interval_row. */
extern const struct field event_fields[], hist_fields[], interval_fields[];

/* Whether foreign bytes are shown: then a second member may have them in hexadecimal. */
static inline bool field_is_foreign(const struct field *field)
{
	return field->kind == FIELD_NAME || field->kind == FIELD_PATH ||
	       field->kind == FIELD_COMM || field->kind == FIELD_FOREIGN;
}

#define FOR_EACH_FIELD(field, record)                                                              \
	for (const struct field *const *part_ = (record)->fields; *part_; part_++)                 \
		for (const struct field *field = *part_; field->key; field++)

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Between output.c and the forms it can write: output_text.c, output_json.c and output_csv.c. */
#ifndef FSTRACE_CORE_SHOW_OUTPUT_FORM_H
#define FSTRACE_CORE_SHOW_OUTPUT_FORM_H

#include <string.h>
#include <time.h>

#include "bpf/path.h"
#include "core/show/output.h"

#define DATE_SIZE 64		/* of a date and time as in RFC 3339 */

/* ,"KEY": of a field. */
struct output_key {
	const struct field *field;	/* NULL: no more */
	bool needs_numbers;		/* left out where the user's numbers are the kernel's */
	size_t len;
	char text[48];
};

struct output {
	const struct output_form *form;
	struct stop *stop;
	int fd, err;
	unsigned long long unwritten;	/* lines */
	uint64_t start_ns;
	const __u64 *numbers;		/* of the event: see output_event() */
	char block_time[DATE_SIZE], block_start[DATE_SIZE], block_end[DATE_SIZE];
	/* JSON */
	struct output_key *keys;
	int64_t clock_ns;		/* text: FIELD_CLOCK, local time less the kernel's clock */
	/* Text: the file system and the key of the histograms that follow. */
	const char *section, *key;
	bool has_heading;		/* of hist_row.brief */
	/* Text: the process of the last row, and its columns. */
	struct event_header process;
	uint64_t process_numbers;
	size_t process_len;
	char process_text[128];
	size_t used, size;
	char *buffer;
};

struct output_form {
	void (*banner)(struct output *out, const char *line);
	void (*events_begin)(struct output *out, const struct record *record);
	void (*event)(struct output *out, const struct record *record,
		      const struct event_header *event);
	void (*block_begin)(struct output *out, bool with_time, const struct interval *interval);
	void (*hist)(struct output *out, const struct record *record,
		     const struct hist_row *row);
	void (*rows_begin)(struct output *out, const struct record *record);
	void (*row)(struct output *out, const struct record *record, const struct interval_row *row);
};

extern const struct output_form output_text, output_json, output_csv;

/* More than any one event takes in any form: a path, all of it escaped and once more in hexadecimal. */
#define EVENT_SIZE_MAX (24 * 1024)

/* Room for EVENT_SIZE_MAX bytes; output_used() sets where the next ones go. */
static inline char *output_room(struct output *out)
{
	if (out->size - out->used < EVENT_SIZE_MAX)
		output_flush(out);
	return out->buffer + out->used;
}

static inline void output_used(struct output *out, const char *end)
{
	out->used = end - out->buffer;
}

void output_printf(struct output *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

extern const char digit_pairs[];

/* Numbers by hand, as rows are many. Exactly `digits` digits, a constant; returns their end. */
static inline __attribute__((always_inline)) char *put_digits(char *to, uint32_t value, int digits)
{
	char *at = to + digits;

	for (int left = digits; left > 1; left -= 2, value /= 100)
		memcpy(at -= 2, digit_pairs + value % 100 * 2, 2);
	if (digits % 2)
		*to = '0' + value % 10;
	return to + digits;
}

/* As many digits as it has; returns their end. */
char *put_uint(char *to, uint64_t value);
char *put_int(char *to, int64_t value);

/*
 * The path in its order, not ended; `to` has room for sizeof(path->bytes). Returns how long it is. It
 * begins with a slash if it is whole.
 */
size_t path_join(char *to, const struct path_text *path);

static inline char *put_bytes(char *to, const char *bytes, size_t len)
{
	memcpy(to, bytes, len);
	return to + len;
}

static inline char *put_string(char *to, const char *string)
{
	return put_bytes(to, string, strlen(string));
}

static inline uint64_t event_time(const struct output *out, const struct event_header *event)
{
	return event->time_ns > out->start_ns ? event->time_ns - out->start_ns : 0;
}

/* The process in the upper half, the thread in the lower, as the user knows them. */
static inline uint64_t event_numbers(const struct output *out, const struct event_header *event)
{
	return out->numbers ? *out->numbers : event->pid_tgid;
}

/* `none` where the user's numbers are not the kernel's and there is none. */
static inline char *put_number(char *to, const struct output *out, uint32_t number, const char *none)
{
	return out->numbers && !number ? put_string(to, none) : put_uint(to, number);
}

/* Hundredths of a percent, as "95.29". */
static inline char *put_percent(char *to, uint32_t percent, const char *none)
{
	if (percent == PERCENT_NONE)
		return put_string(to, none);
	to = put_uint(to, percent / 100);
	*to++ = '.';
	return put_digits(to, percent % 100, 2);
}

/* "8:1" */
static inline char *put_device(char *to, uint32_t device)
{
	to = put_uint(to, device >> 20);
	*to++ = ':';
	return put_uint(to, device & 0xfffff);
}

/* Members of a record, by their rows. */
static inline uint64_t field_uint(const struct field *field, const void *record)
{
	const char *at = (const char *)record + field->offset;

	switch (field->size) {
	case 1:
		return *(const uint8_t *)at;
	case 2:
		return *(const uint16_t *)at;
	case 4:
		return *(const uint32_t *)at;
	}
	return *(const uint64_t *)at;
}

static inline int64_t field_int(const struct field *field, const void *record)
{
	return *(const int64_t *)((const char *)record + field->offset);
}

static inline char field_letter(const struct field *field, const void *record)
{
	uint8_t index = ((const uint8_t *)record)[field->offset];

	return field->letters ? field->letters[index] : *field->names[index];
}

static inline const char *field_enum(const struct field *field, const void *record)
{
	return field->names[((const uint8_t *)record)[field->offset]];
}

static inline const char *field_string(const struct field *field, const void *record)
{
	return *(const char *const *)((const char *)record + field->offset);
}

/* *len bytes; *cut: there were more. */
static inline const char *field_name(const struct field *field, const void *record, size_t *len,
				     bool *cut)
{
	*len = ((const uint8_t *)record)[field->len_offset];
	*cut = field->may_be_cut && !*len;
	if (*cut)
		*len = UINT8_MAX;
	return (const char *)record + field->offset;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Between output.c and the forms it can write, output_text.c and output_json.c. */
#ifndef FSTRACE_CORE_OUTPUT_FORM_H
#define FSTRACE_CORE_OUTPUT_FORM_H

#include <string.h>
#include <time.h>

#include "core/output.h"

struct output {
	const struct output_form *form;
	int fd, err;
	uint64_t start_ns;
	char block_time[40];		/* JSON */
	size_t used, size;
	char *buffer;
};

struct output_form {
	void (*banner)(struct output *out, const char *line);
	void (*events_begin)(struct output *out, const struct field *fields);
	void (*event)(struct output *out, const struct field *fields, const char *record);
	void (*block_begin)(struct output *out, bool with_time, const struct tm *now);
	void (*hist)(struct output *out, const char *op, const char *unit,
		     const struct hist *hist);
};

extern const struct output_form output_text, output_json;

/* More than any one event takes in any form: headings, keys and a name of 255 bytes, twice. */
#define EVENT_SIZE_MAX 4096

/* Room for `size` bytes, at most EVENT_SIZE_MAX; output_used() says where the next come. */
char *output_room(struct output *out, size_t size);

static inline void output_used(struct output *out, const char *end)
{
	out->used = end - out->buffer;
}

void output_printf(struct output *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The digits of a number; returns their end. */
char *put_uint(char *to, uint64_t value);

/* The same with exactly that many digits. */
static inline char *put_digits(char *to, uint64_t value, int digits)
{
	for (int i = digits; i--; value /= 10)
		to[i] = '0' + value % 10;
	return to + digits;
}

static inline char *put_string(char *to, const char *string)
{
	size_t len = strlen(string);

	memcpy(to, string, len);
	return to + len;
}

/* The bytes of a FIELD_CHARS or FIELD_NAME. */
static inline const char *field_bytes(const struct field *field, const char *record, size_t *len)
{
	const char *bytes = record + field->offset;

	*len = field->kind == FIELD_NAME ? (uint8_t)record[field->len_offset] :
					   strnlen(bytes, field->size);
	return bytes;
}

static inline uint64_t field_time(const struct output *out, const struct field *field,
				  const char *record)
{
	uint64_t time_ns;

	memcpy(&time_ns, record + field->offset, sizeof(time_ns));
	return time_ns > out->start_ns ? time_ns - out->start_ns : 0;
}

static inline uint32_t field_u32(const struct field *field, const char *record)
{
	uint32_t value;

	memcpy(&value, record + field->offset, sizeof(value));
	return value;
}

#endif

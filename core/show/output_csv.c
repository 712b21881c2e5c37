// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Events as CSV: a line of headings, and a line each, without any unit. Foreign bytes are as they
 * are; a value that has a comma, a quote or a line end is put in quotes (RFC 4180).
 */
#include "core/show/output_form.h"

static void banner(struct output *out __attribute__((unused)),
		   const char *line __attribute__((unused)))
{
}

static void events_begin(struct output *out, const struct record *record)
{
	const char *comma = "";

	FOR_EACH_FIELD(field, record)
		if (field->csv) {
			output_printf(out, "%s%s", comma, field->csv);
			comma = ",";
		}
	output_printf(out, "\n");
}

static bool needs_quotes(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (strchr(",\"\r\n", bytes[i]))
			return true;
	return false;
}

static char *put_foreign(char *to, const char *bytes, size_t len)
{
	if (!needs_quotes(bytes, len))
		return put_bytes(to, bytes, len);
	*to++ = '"';
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '"')
			*to++ = '"';
		*to++ = bytes[i];
	}
	*to++ = '"';
	return to;
}

static char *put_path(char *to, const struct path_text *path)
{
	char joined[sizeof(path->bytes)];

	return put_foreign(to, joined, path_join(joined, path));
}

static char *put_value(char *to, const struct output *out, const struct field *field,
		       const struct event_header *event)
{
	const char *bytes = (const char *)event + field->offset;
	size_t len;
	bool cut;

	switch (field->kind) {
	case FIELD_TIME:
	case FIELD_CLOCK:
		return put_uint(to, event->time_ns / 1000);
	case FIELD_DURATION:
		return put_uint(to, field_uint(field, event) / 1000);
	case FIELD_PID:
		return put_number(to, out, event_numbers(out, event) >> 32, "");
	case FIELD_ENUM:
		if (!field->letters)
			return put_string(to, field_enum(field, event));
		*to++ = field_letter(field, event);
		return to;
	case FIELD_INT:
		return put_int(to, field_int(field, event));
	case FIELD_OFFSET:
		return put_uint(to, field_int(field, event) < 0 ? 0 : field_int(field, event));
	case FIELD_COMM:
		return put_foreign(to, bytes, strnlen(bytes, field->size));
	case FIELD_NAME:
		bytes = field_name(field, event, &len, &cut);
		return put_foreign(to, bytes, len);
	case FIELD_PATH:
		return put_path(to, (const void *)bytes);
	default:
		return put_uint(to, field_uint(field, event));
	}
}

static void event(struct output *out, const struct record *record,
		  const struct event_header *event)
{
	char *to = output_room(out);

	FOR_EACH_FIELD(field, record)
		if (field->csv) {
			to = put_value(to, out, field, event);
			*to++ = ',';
		}
	to[-1] = '\n';
	output_used(out, to);
}

/* Only events have this form. */
const struct output_form output_csv = { .banner = banner, .events_begin = events_begin, .event = event };

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results as JSON, one object a line (docs/output.md is the contract). */
#include <inttypes.h>
#include <stdio.h>

#include "core/base/clock.h"
#include "core/base/escape.h"
#include "core/show/hist.h"
#include "core/show/interval.h"
#include "core/show/output_form.h"

static void banner(struct output *out __attribute__((unused)),
		   const char *line __attribute__((unused)))
{
}

static void events_begin(struct output *out __attribute__((unused)),
			 const struct record *record __attribute__((unused)))
{
}

/* ,"KEY": */
static char *put_key(char *to, const char *key)
{
	*to++ = ',';
	*to++ = '"';
	to = put_string(to, key);
	*to++ = '"';
	*to++ = ':';
	return to;
}

/* ,"KEY":"...", and if those are not the very bytes, ,"KEY_hex":"..." that are. */
static char *put_name(char *to, const char *key, const char *bytes, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	bool exact;

	to = put_key(to, key);
	*to++ = '"';
	to = escape_json(to, bytes, len, &exact);
	*to++ = '"';
	if (exact)
		return to;
	to = put_string(to, ",\"");
	to = put_string(to, key);
	to = put_string(to, "_hex\":\"");
	for (size_t i = 0; i < len; i++) {
		*to++ = hex[(uint8_t)bytes[i] >> 4];
		*to++ = hex[bytes[i] & 15];
	}
	*to++ = '"';
	return to;
}

static char *put_seconds(char *to, uint64_t time_ns)
{
	to = put_uint(to, time_ns / NS_PER_SECOND);
	*to++ = '.';
	return put_digits(to, time_ns % NS_PER_SECOND, 9);
}

static char *put_string_value(char *to, const char *key, const char *value)
{
	return put_name(to, key, value, strlen(value));
}

/* ,"KEY":VALUE of all but buckets. */
static char *put_field(char *to, const struct output *out, const struct field *field,
		       const void *record)
{
	const char *bytes = (const char *)record + field->offset;
	uint64_t number;
	size_t len;

	switch (field->kind) {
	case FIELD_TIME:
		return put_seconds(put_key(to, field->key), event_time(out, record));
	case FIELD_PID:
		return put_number(put_key(to, field->key), out, event_numbers(out, record) >> 32,
				  "null");
	case FIELD_TID:
		return put_number(put_key(to, field->key), out, event_numbers(out, record), "null");
	case FIELD_INITIAL_PID:
	case FIELD_INITIAL_TID:
		if (!out->numbers)
			return to;
		number = ((const struct event_header *)record)->pid_tgid;
		return put_uint(put_key(to, field->key),
				field->kind == FIELD_INITIAL_PID ? number >> 32 : (uint32_t)number);
	case FIELD_UINT:
		return put_uint(put_key(to, field->key), field_uint(field, record));
	case FIELD_ENUM:
		return put_string_value(to, field->key, field_enum(field, record));
	case FIELD_NAME:
		bytes = field_name(field, record, &len);
		return put_name(to, field->key, bytes, len);
	case FIELD_COMM:
		return put_name(to, field->key, bytes, strnlen(bytes, field->size));
	case FIELD_DATE:
	case FIELD_STRING:
		bytes = field_string(field, record);
		return bytes ? put_string_value(to, field->key, bytes) : to;
	case FIELD_BUCKETS:
		break;
	}
	return to;
}

static void event(struct output *out, const struct record *record,
		  const struct event_header *event)
{
	char *start = output_room(out), *to = start;

	FOR_EACH_FIELD(field, record)
		to = put_field(to, out, field, event);
	*start = '{';	/* for the first comma */
	output_used(out, put_string(to, "}\n"));
}

/* A time as in RFC 3339; `digits` of its second's fraction. */
static void put_date(char to[DATE_SIZE], const struct timespec *time, int digits)
{
	struct tm local;
	char date[40], fraction[16], zone[8];

	localtime_r(&time->tv_sec, &local);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &local);
	strftime(zone, sizeof(zone), "%z", &local);
	snprintf(fraction, sizeof(fraction), ".%09ld", time->tv_nsec);
	/* +hhmm to +hh:mm */
	snprintf(to, DATE_SIZE, "%s%.*s%.3s:%.2s", date, digits ? digits + 1 : 0, fraction, zone,
		 zone + 3);
}

static void block_begin(struct output *out, bool with_time __attribute__((unused)),
			const struct interval *interval)
{
	put_date(out->block_time, &interval->end, 0);
	put_date(out->block_start, &interval->start, 6);
	put_date(out->block_end, &interval->end, 6);
}

static void put_buckets(struct output *out, const char *key, const struct hist *hist)
{
	int used = hist_used(hist);

	output_printf(out, ",\"%s\":[", key);
	for (int slot = 0; slot < used; slot++)
		output_printf(out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", slot ? "," : "",
			      (uint64_t)hist_low(slot), (uint64_t)hist_high(slot),
			      (uint64_t)hist->slots[slot]);
	output_printf(out, "]");
}

static void hist(struct output *out, const struct record *record, const struct hist_row *row)
{
	bool first = true;

	FOR_EACH_FIELD(field, record) {
		char *start = output_room(out);

		if (field->kind == FIELD_BUCKETS)
			put_buckets(out, field->key, row->hist);
		else
			output_used(out, put_field(start, out, field, row));
		/* The room was there, so nothing was written out from before it. */
		if (first)
			*start = '{';
		first = false;
	}
	output_printf(out, "}\n");
}

const struct output_form output_json = { banner, events_begin, event, block_begin, hist };

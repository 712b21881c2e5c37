// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results as JSON, one object a line (docs/output.md is the contract). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/escape.h"
#include "core/show/hist.h"
#include "core/show/interval.h"
#include "core/show/output_form.h"

static void banner(struct output *out __attribute__((unused)),
		   const char *line __attribute__((unused)))
{
}

/* ,"KEY": of each field of the record is made once, as rows are many. */
static void events_begin(struct output *out, const struct record *record)
{
	size_t fields = 0;

	FOR_EACH_FIELD(field, record)
		fields++;
	free(out->keys);
	out->keys = calloc(fields + 1, sizeof(*out->keys));
	if (!out->keys) {
		out->err = -ENOMEM;
		return;
	}
	fields = 0;
	FOR_EACH_FIELD(field, record) {
		struct output_key *key = &out->keys[fields++];

		key->field = field;
		key->needs_numbers = field->kind == FIELD_INITIAL_PID ||
				     field->kind == FIELD_INITIAL_TID;
		key->len = snprintf(key->text, sizeof(key->text), ",\"%s\":", field->key);
	}
}

/* "...", and if that is not exact, ,"KEY_hex":"..." with the exact bytes. */
static char *put_name(char *to, const char *key, const char *bytes, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	bool exact;

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

/* ,"KEY_cut":true */
static char *put_cut(char *to, const char *key)
{
	to = put_string(to, ",\"");
	to = put_string(to, key);
	return put_string(to, "_cut\":true");
}

/* A string of ours: nothing to escape. */
static char *put_word(char *to, const char *word)
{
	*to++ = '"';
	to = put_string(to, word);
	*to++ = '"';
	return to;
}

static char *put_path(char *to, const char *key, const struct path_text *path)
{
	char joined[sizeof(path->bytes)];

	to = put_name(to, key, joined, path_join(joined, path));
	return path->end == PATH_CUT ? put_cut(to, key) : to;
}

static char *put_seconds(char *to, uint64_t time_ns)
{
	to = put_uint(to, time_ns / NS_PER_SECOND);
	*to++ = '.';
	return put_digits(to, time_ns % NS_PER_SECOND, 9);
}

static char *put_latency(char *to, const struct hist_row *row, uint64_t ns)
{
	return row->count ? put_uint(to, ns) : put_string(to, "null");
}

/* The value of any field but percentiles and buckets. */
static inline char *put_value(char *to, const struct output *out, const struct field *field,
			      const void *record)
{
	const char *bytes = (const char *)record + field->offset;
	size_t len;
	bool cut;

	switch (field->kind) {
	case FIELD_TIME:
	case FIELD_CLOCK:
		return put_seconds(to, event_time(out, record));
	case FIELD_PID:
		return put_number(to, out, event_numbers(out, record) >> 32, "null");
	case FIELD_TID:
		return put_number(to, out, event_numbers(out, record), "null");
	case FIELD_INITIAL_PID:
		return put_uint(to, field_uint(field, record) >> 32);
	case FIELD_INITIAL_TID:
		return put_uint(to, (uint32_t)field_uint(field, record));
	case FIELD_UINT:
	case FIELD_DURATION:
		return put_uint(to, field_uint(field, record));
	case FIELD_DEVICE:
		*to++ = '"';
		to = put_device(to, field_uint(field, record));
		*to++ = '"';
		return to;
	case FIELD_PERCENT:
		return put_percent(to, field_uint(field, record), "null");
	case FIELD_TRUE:
		return put_string(to, "true");
	case FIELD_ID:
	case FIELD_INT:
		return put_int(to, field_int(field, record));
	case FIELD_OFFSET:
		return field_int(field, record) < 0 ? put_string(to, "null") :
						      put_int(to, field_int(field, record));
	case FIELD_PATH:
		return put_path(to, field->key, (const void *)bytes);
	case FIELD_ENUM:
		return put_word(to, field_enum(field, record));
	case FIELD_NAME:
		bytes = field_name(field, record, &len, &cut);
		to = put_name(to, field->key, bytes, len);
		return cut ? put_cut(to, field->key) : to;
	case FIELD_COMM:
		return put_name(to, field->key, bytes, strnlen(bytes, field->size));
	case FIELD_FOREIGN:
		bytes = field_string(field, record);
		return put_name(to, field->key, bytes, strlen(bytes));
	case FIELD_DATE:
	case FIELD_STRING:
		return put_word(to, field_string(field, record));
	case FIELD_LATENCY:
		return put_latency(to, record, field_uint(field, record));
	case FIELD_PERCENTILES:
	case FIELD_BUCKETS:
		break;
	}
	return to;
}

static void event(struct output *out, const struct record *record,
		  const struct event_header *event)
{
	char *start = output_room(out), *to = start;

	if (!out->keys)
		events_begin(out, record);
	for (const struct output_key *key = out->keys; key && key->field; key++)
		if (out->numbers || !key->needs_numbers)
			to = put_value(put_bytes(to, key->text, key->len), out, key->field, event);
	*start = '{';	/* for the first comma */
	output_used(out, put_string(to, "}\n"));
}

/* Its times are in the objects. */
static void block_begin(struct output *out __attribute__((unused)),
			bool with_time __attribute__((unused)),
			const struct interval *interval __attribute__((unused)))
{
}

static void put_buckets(struct output *out, const struct hist *hist)
{
	int used = hist_used(hist);

	output_printf(out, "[");
	for (int slot = 0; slot < used; slot++)
		output_printf(out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", slot ? "," : "",
			      (uint64_t)hist_low(slot), (uint64_t)hist_high(slot),
			      (uint64_t)hist->slots[slot]);
	output_printf(out, "]");
}

static void put_percentiles(struct output *out, const struct hist_row *row)
{
	const char *comma = "{";

	for (const struct percentile *at = row->percentiles; at && at->name[0]; at++) {
		char *to = output_room(out);

		to = put_word(put_string(to, comma), at->name);
		*to++ = ':';
		output_used(out, put_latency(to, row, at->ns));
		comma = ",";
	}
	output_printf(out, *comma == '{' ? "{}" : "}");
}

static bool says_nothing(const struct field *field, const void *row)
{
	switch (field->kind) {
	case FIELD_STRING:
	case FIELD_FOREIGN:
		return !field_string(field, row);
	case FIELD_ID:
		return field_int(field, row) < 0;
	case FIELD_TRUE:
		return !field_uint(field, row);
	default:
		return false;
	}
}

static void hist(struct output *out, const struct record *record, const struct hist_row *row)
{
	const char *comma = "{";

	FOR_EACH_FIELD(field, record) {
		if (says_nothing(field, row))
			continue;
		output_printf(out, "%s\"%s\":", comma, field->key);
		comma = ",";
		if (field->kind == FIELD_BUCKETS)
			put_buckets(out, row->hist);
		else if (field->kind == FIELD_PERCENTILES)
			put_percentiles(out, row);
		else
			output_used(out, put_value(output_room(out), out, field, row));
	}
	output_printf(out, "}\n");
}

static void rows_begin(struct output *out __attribute__((unused)),
		       const struct record *record __attribute__((unused)))
{
}

static void row(struct output *out, const struct record *record, const struct interval_row *row)
{
	char *start = output_room(out), *to = start;

	FOR_EACH_FIELD(field, record) {
		if (says_nothing(field, row))
			continue;
		*to++ = ',';
		to = put_word(to, field->key);
		*to++ = ':';
		to = put_value(to, out, field, row);
	}
	*start = '{';	/* for the first comma */
	output_used(out, put_string(to, "}\n"));
}

const struct output_form output_json = {
	banner, events_begin, event, block_begin, hist, rows_begin, row
};

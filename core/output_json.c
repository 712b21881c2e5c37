// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results as JSON, one object a line (docs/output.md is the contract). */
#include <inttypes.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/escape.h"
#include "core/hist.h"
#include "core/output_form.h"

static void banner(struct output *out __attribute__((unused)),
		   const char *line __attribute__((unused)))
{
}

static void events_begin(struct output *out __attribute__((unused)),
			 const struct field *fields __attribute__((unused)))
{
}

static char *put_key(char *to, const char *key)
{
	*to++ = '"';
	to = put_string(to, key);
	*to++ = '"';
	*to++ = ':';
	return to;
}

/* "KEY":"...", and if those are not the very bytes, "KEY_hex":"..." that are. */
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

static char *put_field(const struct output *out, const struct field *field, const char *record,
		       char *to)
{
	const char *bytes;
	uint64_t ns;
	size_t len;

	to = put_key(to, field->key);
	switch (field->kind) {
	case FIELD_TIME:
		ns = field_time(out, field, record);
		to = put_uint(to, ns / NS_PER_SECOND);
		*to++ = '.';
		return put_digits(to, ns % NS_PER_SECOND, 9);
	case FIELD_U32:
		return put_uint(to, field_u32(field, record));
	case FIELD_CHARS:
	case FIELD_NAME:
		bytes = field_bytes(field, record, &len);
		return put_name(to, field->key, bytes, len);
	case FIELD_ENUM:
		*to++ = '"';
		to = put_string(to, field->names[(uint8_t)record[field->offset]]);
		*to++ = '"';
		return to;
	}
	return to;
}

static void event(struct output *out, const struct field *fields, const char *record)
{
	char *to = output_room(out, EVENT_SIZE_MAX);

	for (const struct field *field = fields; field->key; field++) {
		*to++ = field == fields ? '{' : ',';
		to = put_field(out, field, record, to);
	}
	*to++ = '}';
	*to++ = '\n';
	output_used(out, to);
}

static void block_begin(struct output *out, bool with_time __attribute__((unused)),
			const struct tm *now)
{
	size_t len = strftime(out->block_time, sizeof(out->block_time), "%Y-%m-%dT%H:%M:%S%z", now);

	/* +hhmm to +hh:mm, as RFC 3339 has it. */
	if (len > 2 && len + 1 < sizeof(out->block_time)) {
		memmove(out->block_time + len - 1, out->block_time + len - 2, 3);
		out->block_time[len - 2] = ':';
	}
}

static void hist(struct output *out, const char *op, const char *unit, const struct hist *hist)
{
	int used = hist_used(hist);

	output_printf(out, "{\"time\":\"%s\",\"op\":\"%s\",\"unit\":\"%s\",\"count\":%" PRIu64 ","
		      "\"queued\":%" PRIu64 ",\"again\":%" PRIu64 ",\"buckets\":[",
		      out->block_time, op, unit, (uint64_t)hist_count(hist),
		      (uint64_t)hist->queued, (uint64_t)hist->again);
	for (int slot = 0; slot < used; slot++)
		output_printf(out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", slot ? "," : "",
			      (uint64_t)hist_low(slot), (uint64_t)hist_high(slot),
			      (uint64_t)hist->slots[slot]);
	output_printf(out, "]}\n");
}

const struct output_form output_json = { banner, events_begin, event, block_begin, hist };

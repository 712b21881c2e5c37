// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results as JSON, one object a line (docs/output.md is the contract). */
#include <inttypes.h>
#include <stdio.h>

#include "core/base/clock.h"
#include "core/base/escape.h"
#include "core/show/hist.h"
#include "core/show/output_form.h"

static void banner(struct output *out __attribute__((unused)),
		   const char *line __attribute__((unused)))
{
}

static void events_begin(struct output *out __attribute__((unused)),
			 const struct field *fields __attribute__((unused)))
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

static void event(struct output *out, const struct field *fields, const struct event_header *event)
{
	uint64_t time_ns = event_time(out, event);
	char *to = put_string(output_room(out), "{\"time\":");

	to = put_uint(to, time_ns / NS_PER_SECOND);
	*to++ = '.';
	to = put_digits(to, time_ns % NS_PER_SECOND, 9);
	to = put_uint(put_key(to, "pid"), event_pid(event));
	to = put_uint(put_key(to, "tid"), event_tid(event));
	to = put_name(to, "comm", event->comm, strnlen(event->comm, COMM_SIZE));
	for (const struct field *field = fields; field->key; field++) {
		const char *name;
		size_t len;

		switch (field->kind) {
		case FIELD_ENUM:
			name = field_enum(field, event);
			to = put_name(to, field->key, name, strlen(name));
			break;
		case FIELD_NAME:
			name = field_name(field, event, &len);
			to = put_name(to, field->key, name, len);
			break;
		}
	}
	to = put_string(to, "}\n");
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

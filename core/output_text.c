// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results as text: columns and histograms, in the format of the first tools of these names. */
#include <inttypes.h>
#include <stdio.h>

#include "core/escape.h"
#include "core/hist.h"
#include "core/output_form.h"

#define STARS 40
#define STARS_WIDE 20
#define WIDE_SLOT 32		/* values of this slot need the wider columns */

static void banner(struct output *out, const char *line)
{
	output_printf(out, "%s\n", line);
}

static void events_begin(struct output *out, const struct field *fields)
{
	const char *separator = "";

	for (const struct field *field = fields; field->key; field++) {
		if (!field->heading)
			continue;
		output_printf(out, "%s%-*s", separator, field->width, field->heading);
		separator = " ";
	}
	output_printf(out, "\n");
}

static char *put_field(const struct output *out, const struct field *field, const char *record,
		       char *to)
{
	const char *bytes;
	uint64_t us;
	size_t len;

	switch (field->kind) {
	case FIELD_TIME:
		us = (field_time(out, field, record) + 500) / 1000;
		to = put_uint(to, us / 1000000);
		*to++ = '.';
		return put_digits(to, us % 1000000, 6);
	case FIELD_U32:
		return put_uint(to, field_u32(field, record));
	case FIELD_CHARS:
	case FIELD_NAME:
		bytes = field_bytes(field, record, &len);
		return escape_text(to, bytes, len);
	case FIELD_ENUM:
		return put_string(to, field->names[(uint8_t)record[field->offset]]);
	}
	return to;
}

static void event(struct output *out, const struct field *fields, const char *record)
{
	char *to = output_room(out, EVENT_SIZE_MAX), *column = to;

	for (const struct field *field = fields; field->key; field++) {
		if (!field->heading)
			continue;
		if (field != fields)
			*to++ = ' ';
		column = to;
		to = put_field(out, field, record, to);
		while (to < column + field->width)
			*to++ = ' ';
	}
	*to++ = '\n';
	output_used(out, to);
}

static void block_begin(struct output *out, bool with_time, const struct tm *now)
{
	output_printf(out, "\n");
	if (with_time)
		output_printf(out, "%02d:%02d:%02d:\n", now->tm_hour, now->tm_min, now->tm_sec);
}

/* One star for each whole 40th (20th) of the largest count. */
static void hist_row(struct output *out, bool wide, int slot, __u64 count, __u64 largest)
{
	static const char stars[STARS + 1] = "****************************************";
	int width = wide ? STARS_WIDE : STARS;
	int full = (unsigned __int128)count * width / largest;

	output_printf(out, wide ? "%20" PRIu64 " -> %-20" PRIu64 " : %-8" PRIu64 " |%-*.*s|\n" :
				  "%10" PRIu64 " -> %-10" PRIu64 " : %-8" PRIu64 " |%-*.*s|\n",
		      (uint64_t)hist_low(slot), (uint64_t)hist_high(slot), (uint64_t)count,
		      width, full, stars);
}

static void hist(struct output *out, const char *op, const char *unit, const struct hist *hist)
{
	int used = hist_used(hist);
	bool wide = used > WIDE_SLOT;
	__u64 largest = 0;

	if (!used)
		return;
	for (int slot = 0; slot < used; slot++)
		if (hist->slots[slot] > largest)
			largest = hist->slots[slot];
	output_printf(out, "\noperation = '%s'\n", op);
	output_printf(out, "%*s%-*s : count     distribution\n", wide ? 15 : 5, "",
		      wide ? 29 : 19, unit);
	for (int slot = 0; slot < used; slot++)
		hist_row(out, wide, slot, hist->slots[slot], largest);
}

const struct output_form output_text = { banner, events_begin, event, block_begin, hist };

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results as text: columns and histograms, in the format of the first tools of these names. */
#include <inttypes.h>
#include <stdio.h>

#include "core/base/escape.h"
#include "core/show/hist.h"
#include "core/show/interval.h"
#include "core/show/output_form.h"

#define TIME_WIDTH 11		/* as in event_fields */
#define PID_WIDTH 7
#define PROCESS_COPIED 32	/* most have 25 bytes */
#define STARS 40
#define STARS_WIDE 20
#define WIDE_SLOT 32		/* values of this slot need the wider columns */

static void banner(struct output *out, const char *line)
{
	output_printf(out, "%s\n", line);
}

static void events_begin(struct output *out, const struct record *record)
{
	const char *space = "";

	FOR_EACH_FIELD(field, record)
		if (field->heading) {
			output_printf(out, "%s%-*s", space, field->width, field->heading);
			space = " ";
		}
	output_printf(out, "\n");
}

/*
 * `column` ends where it is wide enough and has a space behind it; `to` is the end of its text.
 * `width` is a constant: blanks are written as a block, and any excess is overwritten.
 */
static inline __attribute__((always_inline)) char *end_column(char *column, char *to, int width)
{
	memset(to, ' ', width + 1);
	return to < column + width ? column + width + 1 : to + 1;
}

static char *put_time(char *to, uint64_t time_ns)
{
	uint64_t us = (time_ns + 500) / 1000;
	char *column = to;

	to = put_uint(to, us / 1000000);
	*to++ = '.';
	to = put_digits(to, us % 1000000, 6);
	return end_column(column, to, TIME_WIDTH);
}

static char *put_process(char *to, const struct output *out, const struct event_header *event)
{
	char *column = to;

	to = end_column(column, put_number(to, out, event_numbers(out, event) >> 32, "-"), PID_WIDTH);
	column = to;
	to = escape_text(to, event->comm, strnlen(event->comm, COMM_SIZE));
	return end_column(column, to, COMM_SIZE);
}

static bool is_process_of_last_row(const struct output *out, const struct event_header *event)
{
	return out->process_len && event_numbers(out, event) == out->process_numbers &&
	       !memcmp(event->comm, out->process.comm, COMM_SIZE);
}

/* The columns of event_fields by hand, for speed; those of the applet by its fields. */
static void event(struct output *out, const struct record *record,
		  const struct event_header *event)
{
	char *to = put_time(output_room(out), event_time(out, event));

	/* Rows are many and come in runs of one process. */
	if (!is_process_of_last_row(out, event)) {
		out->process = *event;
		out->process_numbers = event_numbers(out, event);
		out->process_len = put_process(out->process_text, out, event) - out->process_text;
	}
	/* Any excess is overwritten; there is room. */
	memcpy(to, out->process_text, PROCESS_COPIED);
	if (out->process_len > PROCESS_COPIED)
		memcpy(to, out->process_text, out->process_len);
	to += out->process_len;
	for (const struct field *field = record->fields[1]; field->key; field++) {
		const char *name;
		size_t len;
		bool cut;

		switch (field->kind) {
		case FIELD_ENUM:
			*to++ = *field_enum(field, event);
			break;
		case FIELD_NAME:
			name = field_name(field, event, &len, &cut);
			to = escape_text(to, name, len);
			if (cut)	/* no name has a backslash that is not doubled */
				to = put_string(to, "\\...");
			break;
		default:
			to = put_uint(to, field_uint(field, event));
			break;
		}
		*to++ = ' ';
	}
	to[-1] = '\n';
	output_used(out, to);
}

static void block_begin(struct output *out, bool with_time, const struct interval *interval)
{
	struct tm local;

	output_printf(out, "\n");
	out->section = NULL;
	if (!with_time)
		return;
	localtime_r(&interval->end.tv_sec, &local);
	output_printf(out, "%02d:%02d:%02d:\n", local.tm_hour, local.tm_min, local.tm_sec);
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

/* A time in the row's unit: three digits, or as many as stand before the point. */
static void latency(struct output *out, const char *name, const char *unit, double ns)
{
	double units = *unit == 'n' ? ns : *unit == 'm' ? ns / 1e6 : ns / 1e3;
	int decimals = units >= 99.95 || *unit == 'n' ? 0 : units >= 9.995 ? 1 : 2;

	output_printf(out, ", %s %.*f", name, decimals, units);
}

static void summary(struct output *out, const struct hist_row *row)
{
	char name[sizeof(row->percentiles->name) + 1] = "p";

	output_printf(out, "     count %" PRIu64, row->count);
	latency(out, "avg", row->unit, (double)row->sum_ns / row->count);
	for (const struct percentile *at = row->percentiles; at && at->name[0]; at++) {
		strcpy(name + 1, at->name);
		latency(out, name, row->unit, at->ns);
	}
	latency(out, "max", row->unit, row->max_ns);
	output_printf(out, "\n");
}

static void hist(struct output *out, const struct record *record __attribute__((unused)),
		 const struct hist_row *row)
{
	const struct hist *hist = row->hist;
	int used = hist_used(hist);
	bool wide = used > WIDE_SLOT;
	__u64 largest = 0;

	if (!used)
		return;
	for (int slot = 0; slot < used; slot++)
		if (hist->slots[slot] > largest)
			largest = hist->slots[slot];
	if (row->fs && (!out->section || strcmp(row->fs, out->section))) {
		out->section = row->fs;
		output_printf(out, "\nfile system = '%s'\n", row->fs);
	}
	output_printf(out, "\noperation = '%s'\n", row->op);
	output_printf(out, "%*s%-*s : count     distribution\n", wide ? 15 : 5, "",
		      wide ? 29 : 19, row->unit);
	for (int slot = 0; slot < used; slot++)
		hist_row(out, wide, slot, hist->slots[slot], largest);
	if (row->summary)
		summary(out, row);
}

/* Numbers below the end of their headings. */
static void rows_begin(struct output *out, const struct record *record)
{
	const char *space = "";

	FOR_EACH_FIELD(field, record)
		if (field->heading) {
			output_printf(out, field->kind == FIELD_DATE ? "%s%-*s" : "%s%*s", space,
				      field->width, field->heading);
			space = " ";
		}
	output_printf(out, "\n");
}

static void row(struct output *out, const struct record *record, const struct interval_row *row)
{
	const char *space = "";

	FOR_EACH_FIELD(field, record) {
		char text[32];

		if (!field->heading)
			continue;
		switch (field->kind) {
		case FIELD_DATE:	/* HH:MM:SS of RFC 3339 */
			snprintf(text, sizeof(text), "%.8s:", field_string(field, row) + 11);
			break;
		case FIELD_PERCENT:
			*put_percent(text, field_uint(field, row), "-") = '\0';
			break;
		default:
			*put_uint(text, field_uint(field, row)) = '\0';
			break;
		}
		output_printf(out, field->kind == FIELD_DATE ? "%s%-*s" : "%s%*s", space,
			      field->width, text);
		space = " ";
	}
	output_printf(out, "\n");
}

const struct output_form output_text = {
	banner, events_begin, event, block_begin, hist, rows_begin, row
};

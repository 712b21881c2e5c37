// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results as text: columns and histograms, in the format of the first tools of these names. */
#include <inttypes.h>
#include <stdio.h>

#include "core/base/clock.h"
#include "core/base/escape.h"
#include "core/kernel/kernel_clock.h"
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

/* The clock on the wall less that of BPF programs. */
static int64_t clock_less_kernels(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * (int64_t)NS_PER_SECOND + now.tv_nsec - kernel_clock_ns(now_ns());
}

static void events_begin(struct output *out, const struct record *record)
{
	const char *space = "";

	FOR_EACH_FIELD(field, record)
		if (field->kind == FIELD_CLOCK)
			out->clock_ns = clock_less_kernels();
	FOR_EACH_FIELD(field, record)
		if (field->heading) {
			output_printf(out, field->kind == FIELD_DURATION ? "%s%*s" : "%s%-*s", space,
				      field->width, field->heading);
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

static char *put_seconds(char *to, uint64_t time_ns)
{
	uint64_t us = (time_ns + 500) / 1000;

	to = put_uint(to, us / 1000000);
	*to++ = '.';
	return put_digits(to, us % 1000000, 6);
}

static char *put_time(char *to, uint64_t time_ns)
{
	return end_column(to, put_seconds(to, time_ns), TIME_WIDTH);
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

/* The local time of day. */
static char *put_clock(char *to, const struct output *out, uint64_t time_ns)
{
	time_t seconds = ((int64_t)time_ns + out->clock_ns) / (int64_t)NS_PER_SECOND;
	struct tm local;

	localtime_r(&seconds, &local);
	to = put_digits(to, local.tm_hour, 2);
	*to++ = ':';
	to = put_digits(to, local.tm_min, 2);
	*to++ = ':';
	return put_digits(to, local.tm_sec, 2);
}

/* To the right of its column. */
static char *put_duration(char *to, const struct field *field, uint64_t ns)
{
	uint64_t hundredths = (ns + 5000) / 10000;
	char digits[24], *end = put_uint(digits, hundredths / 100);
	int blanks = field->width - (end - digits) - 3;

	for (; blanks > 0; blanks--)
		*to++ = ' ';
	to = put_bytes(to, digits, end - digits);
	*to++ = '.';
	return put_digits(to, hundredths % 100, 2);
}

static char *put_path(char *to, const struct path_text *path)
{
	char joined[sizeof(path->bytes)];

	if (path->end == PATH_CUT)	/* no name has a backslash that is not doubled */
		to = put_string(to, "\\.../");
	return escape_text(to, joined, path_join(joined, path));
}

static char *put_column(char *to, const struct output *out, const struct field *field,
			const struct event_header *event)
{
	const char *name;
	size_t len;
	bool cut;

	switch (field->kind) {
	case FIELD_TIME:
		return put_seconds(to, event_time(out, event));
	case FIELD_CLOCK:
		return put_clock(to, out, event->time_ns);
	case FIELD_PID:
		return put_number(to, out, event_numbers(out, event) >> 32, "-");
	case FIELD_TID:
		return put_number(to, out, event_numbers(out, event), "-");
	case FIELD_COMM:
		name = (const char *)event + field->offset;
		return escape_text(to, name, strnlen(name, field->size));
	case FIELD_DEVICE:
		return put_device(to, field_uint(field, event));
	case FIELD_ENUM:
		if (field->letters)
			*to++ = field_letter(field, event);
		else
			to = put_string(to, field_enum(field, event));
		return to;
	case FIELD_INT:
		return put_int(to, field_int(field, event));
	case FIELD_OFFSET:
		return put_uint(to, field_int(field, event) < 0 ? 0 : field_int(field, event) / 1024);
	case FIELD_DURATION:
		return put_duration(to, field, field_uint(field, event));
	case FIELD_NAME:
		name = field_name(field, event, &len, &cut);
		to = escape_text(to, name, len);
		return cut ? put_string(to, "\\...") : to;
	case FIELD_PATH:
		return put_path(to, (const void *)((const char *)event + field->offset));
	default:
		return put_uint(to, field_uint(field, event));
	}
}

/* An event with the applet's own columns. */
static void event_of_fields(struct output *out, const struct record *record,
			    const struct event_header *event)
{
	char *to = output_room(out);

	FOR_EACH_FIELD(field, record) {
		char *column = to;

		if (!field->heading)
			continue;
		to = put_column(to, out, field, event);
		while (to < column + field->width)
			*to++ = ' ';
		*to++ = ' ';
	}
	to[-1] = '\n';
	output_used(out, to);
}

/* The columns of event_fields by hand, for speed; those of the applet by its fields. */
static void event(struct output *out, const struct record *record,
		  const struct event_header *event)
{
	char *to;

	if (*record->fields != event_fields) {
		event_of_fields(out, record, event);
		return;
	}
	to = put_time(output_room(out), event_time(out, event));
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
		if (field->kind == FIELD_ENUM)
			*to++ = field_letter(field, event);
		else
			to = put_column(to, out, field, event);
		*to++ = ' ';
	}
	to[-1] = '\n';
	output_used(out, to);
}

static void block_begin(struct output *out, bool with_time, const struct interval *interval)
{
	struct tm local;

	output_printf(out, "\n");
	out->section = out->key = NULL;
	out->has_heading = false;
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

/* One histogram in a line. */
static void brief(struct output *out, const struct hist_row *row)
{
	static const char *const headings[] = { "OPS/s", "P50", "P99", "MAX", "TIME%" };
	double ns_of_unit = *row->unit == 'n' ? 1 : *row->unit == 'm' ? 1e6 : 1e3;

	if (!out->has_heading) {
		output_printf(out, "\n%-10s %-8s", "OP", "FS");
		for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
			output_printf(out, " %9s", headings[i]);
		output_printf(out, " %s\n", "KEY");
		out->has_heading = true;
	}
	output_printf(out, "%-10s %-8s %9.1f %9.1f %9.1f %9.1f %9.2f %s\n", row->op, row->fs ?: "-",
		      row->brief->per_s, row->brief->median_ns / ns_of_unit,
		      row->brief->p99_ns / ns_of_unit, row->max_ns / ns_of_unit, row->brief->share,
		      row->key ?: "-");
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
	if (row->brief) {
		brief(out, row);
		return;
	}
	for (int slot = 0; slot < used; slot++)
		if (hist->slots[slot] > largest)
			largest = hist->slots[slot];
	if (row->key && row->key != out->key) {
		out->key = row->key;
		out->section = NULL;
		output_printf(out, "\n%s\n", row->key);
	}
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

/* A string is the last: it is not padded. */
static void row(struct output *out, const struct record *record, const struct interval_row *row)
{
	const char *space = "";

	FOR_EACH_FIELD(field, record) {
		char text[32];

		if (!field->heading)
			continue;
		if (field->kind == FIELD_STRING) {
			output_printf(out, "%s%s", space, field_string(field, row) ?: "-");
			continue;
		}
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

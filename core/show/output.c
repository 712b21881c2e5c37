// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The buffer behind all output, and the choice of its form. */
#include "core/show/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/log.h"
#include "core/base/write.h"
#include "core/show/hist.h"
#include "core/show/interval.h"
#include "core/show/output_form.h"

#define BUFFER_SIZE (64 * 1024 + EVENT_SIZE_MAX)

struct output *output_open(int fd, enum output_kind kind, struct stop *stop)
{
	static const struct output_form *const forms[] = {
		[OUTPUT_TEXT] = &output_text, [OUTPUT_JSON] = &output_json, [OUTPUT_CSV] = &output_csv,
	};
	struct output *out = calloc(1, sizeof(*out));

	if (out)
		out->buffer = malloc(BUFFER_SIZE);
	if (!out || !out->buffer) {
		log_error("cannot prepare the output: %s", strerror(ENOMEM));
		free(out);
		return NULL;
	}
	out->fd = fd;
	out->form = forms[kind];
	out->stop = stop;
	out->size = BUFFER_SIZE;
	return out;
}

static unsigned long long count_lines(const char *text, size_t len)
{
	unsigned long long lines = 0;

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	return lines;
}

int output_flush(struct output *out)
{
	size_t done = 0;

	if (!out->err && out->used) {
		done = write_all(out->fd, out->buffer, out->used, out->stop);
		if (done < out->used)
			out->err = -errno;
	}
	out->unwritten += count_lines(out->buffer + done, out->used - done);
	out->used = 0;
	return out->err;
}

int output_finish(struct output *out, int err)
{
	if (!out)
		return EXIT_FAILED;
	output_flush(out);
	if (out->err && out->err != -EPIPE)
		log_error("cannot write: %s; lines not written: %llu",
			  out->err == -ETIMEDOUT ? "nobody reads the output" : strerror(-out->err),
			  out->unwritten);
	if (err == out->err && err == -EPIPE)
		err = 0;
	else if (!err && out->err != -EPIPE)
		err = out->err;
	free(out->keys);
	free(out->buffer);
	free(out);
	return err ? EXIT_FAILED : EXIT_DONE;
}

void output_printf(struct output *out, const char *format, ...)
{
	char *room = output_room(out);
	va_list args;

	va_start(args, format);
	output_used(out, room + vsnprintf(room, EVENT_SIZE_MAX, format, args));
	va_end(args);
}

const char digit_pairs[] =
	"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243"
	"4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687"
	"888990919293949596979899";

char *put_uint(char *to, uint64_t value)
{
	const uint32_t billion = 1000000000;

	if (value < 10) {
		*to = '0' + value;
		return to + 1;
	}
	if (value < 100)
		return put_digits(to, value, 2);
	if (value >= billion) {
		to = put_uint(to, value / billion);
		return put_digits(to, value % billion, 9);
	}
	to = put_uint(to, value / 100);
	return put_digits(to, value % 100, 2);
}

char *put_int(char *to, int64_t value)
{
	if (value < 0)
		*to++ = '-';
	return put_uint(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

size_t path_join(char *to, const struct path_text *path)
{
	size_t len = path->len < sizeof(path->bytes) ? path->len : sizeof(path->bytes), used = 0;

	if (path->end == PATH_WHOLE && !len)
		to[used++] = '/';
	while (len) {
		size_t end = --len, begin;	/* a component ends in 0 */

		while (len && path->bytes[len - 1])
			len--;
		begin = len;
		if (used || path->end == PATH_WHOLE)
			to[used++] = '/';
		memcpy(to + used, path->bytes + begin, end - begin);
		used += end - begin;
	}
	return used;
}

void output_banner(struct output *out, const char *line)
{
	out->form->banner(out, line);
}

void output_events_begin(struct output *out, const struct record *record, uint64_t start_ns)
{
	out->start_ns = start_ns;
	out->form->events_begin(out, record);
}

void output_event(struct output *out, const struct record *record,
		  const struct event_header *event, const __u64 *numbers)
{
	out->numbers = numbers;
	out->form->event(out, record, event);
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

static void note_times(struct output *out, const struct interval *interval)
{
	put_date(out->block_time, &interval->end, 0);
	put_date(out->block_start, &interval->start, 6);
	put_date(out->block_end, &interval->end, 6);
}

void output_block_begin(struct output *out, bool with_time, const struct interval *interval)
{
	note_times(out, interval);
	out->form->block_begin(out, with_time, interval);
}

void output_hist(struct output *out, const struct record *record, struct hist_row *row)
{
	row->time = out->block_time;
	row->start = out->block_start;
	row->end = out->block_end;
	row->count = row->hist->count;
	row->sum_ns = row->hist->sum_ns;
	row->min_ns = row->hist->min_ns;
	row->max_ns = row->hist->max_ns;
	row->queued = row->hist->queued;
	row->again = row->hist->again;
	out->form->hist(out, record, row);
}

void output_rows_begin(struct output *out, const struct record *record)
{
	out->form->rows_begin(out, record);
}

void output_row(struct output *out, const struct record *record, const struct interval *interval,
		struct interval_row *row)
{
	note_times(out, interval);
	row->time = out->block_time;
	row->start = out->block_start;
	row->end = out->block_end;
	out->form->row(out, record, row);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The buffer behind all output, and the choice of its form. */
#include "core/show/output.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/show/hist.h"
#include "core/show/output_form.h"

#define BUFFER_SIZE (64 * 1024)

struct output *output_open(int fd, bool json, const struct stop *stop)
{
	struct output *out = calloc(1, sizeof(*out));
	struct stat st;

	if (!out)
		return NULL;
	out->fd = fd;
	out->form = json ? &output_json : &output_text;
	out->stop = stop;
	out->size = BUFFER_SIZE;
	/* A pipe that is writable takes that much at least; a file takes all. */
	out->write_max = fstat(fd, &st) || S_ISREG(st.st_mode) ? BUFFER_SIZE : PIPE_BUF;
	out->buffer = malloc(out->size);
	if (!out->buffer) {
		free(out);
		return NULL;
	}
	return out;
}

int output_flush(struct output *out)
{
	size_t done = 0;

	while (done < out->used && !out->err) {
		size_t size = out->used - done;
		ssize_t written;

		if (out->stop && !stop_writable(out->stop, out->fd)) {
			out->err = -ETIMEDOUT;
			break;
		}
		written = write(out->fd, out->buffer + done,
				size < out->write_max ? size : out->write_max);
		if (written >= 0)
			done += written;
		else if (errno != EINTR && errno != EAGAIN)
			out->err = -errno;
	}
	out->used = 0;
	return out->err;
}

int output_finish(struct output *out, int err)
{
	if (!out)
		return EXIT_FAILED;
	output_flush(out);
	if (out->err && out->err != -EPIPE)
		log_error("cannot write: %s", out->err == -ETIMEDOUT ? "nobody reads the output" :
							      strerror(-out->err));
	if (err == out->err && err == -EPIPE)
		err = 0;
	else if (!err && out->err != -EPIPE)
		err = out->err;
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
		  const struct event_header *event)
{
	out->form->event(out, record, event);
}

void output_block_begin(struct output *out, bool with_time)
{
	time_t now = time(NULL);
	struct tm local;

	localtime_r(&now, &local);
	out->form->block_begin(out, with_time, &local);
}

void output_hist(struct output *out, const struct record *record, struct hist_row *row)
{
	row->time = out->block_time;
	row->count = hist_count(row->hist);
	row->queued = row->hist->queued;
	row->again = row->hist->again;
	out->form->hist(out, record, row);
}

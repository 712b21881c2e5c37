// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From the ring buffer to rows of output. */
#include "core/trace/rows.h"

#include <errno.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "bpf/event.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/kernel/kernel_clock.h"
#include "core/show/output.h"
#include "core/trace/events.h"
#include "core/trace/filter.h"
#include "core/trace/tracer.h"

struct printer {
	const struct rows *rows;
	const struct filter *filter;
	/* Of the event's last name: where it begins, and where its length is; 0: it has none. */
	uint16_t name_offset, len_offset;
	uint64_t printed;
};

static void find_name(struct printer *printer)
{
	FOR_EACH_FIELD(field, printer->rows->records)
		if (field->kind == FIELD_NAME) {
			printer->name_offset = field->offset;
			printer->len_offset = field->len_offset;
		}
}

/* Whether the bytes are all that an event should have. */
static bool is_whole(const struct printer *printer, const void *event, size_t size)
{
	return size >= printer->rows->event_size &&
	       (!printer->len_offset ||
		size >= printer->name_offset +
			(size_t)((const uint8_t *)event)[printer->len_offset]);
}

static void print(void *context, const void *event, size_t size)
{
	struct printer *printer = context;
	const struct event_header *header = event;
	const __u64 *numbers = filter_numbers(printer->filter, event, &size);

	if (!is_whole(printer, event, size) || header->pid_tgid >> 32 == printer->filter->self)
		return;
	if (printer->rows->is_wanted && !printer->rows->is_wanted(printer->rows->context, header))
		return;
	output_event(printer->rows->out, printer->rows->records, header, numbers);
	printer->printed++;
}

static int run(struct printer *printer)
{
	const struct rows *rows = printer->rows;
	const struct bpf_map *map = tracer_map(rows->tracer, "events");
	struct events *events = events_open(bpf_map__fd(map), bpf_map__max_entries(map), print,
					    printer);
	int err;

	if (!events) {
		err = -errno;
		log_error("cannot map the ring buffer: %s", strerror(-err));
		return err;
	}
	stop_after(rows->stop, rows->duration_ns);
	output_events_begin(rows->out, rows->records,
			    kernel_clock_ns(tracer_start_ns(rows->tracer)));
	output_flush(rows->out);
	err = events_poll(events, rows->stop, rows->out, rows->tracer);
	tracer_stop(rows->tracer);
	events_drain(events);
	events_close(events);
	return err;
}

int rows_run(const struct rows *rows, uint64_t *printed)
{
	struct printer printer = { .rows = rows };
	int err;

	find_name(&printer);
	printer.filter = tracer_filter(rows->tracer);
	err = run(&printer);
	*printed = printer.printed;
	return err;
}

int rows_print(const struct rows *rows)
{
	uint64_t printed = 0;
	int err = -EIO;

	if (rows->tracer && rows->out)
		err = rows_run(rows, &printed);
	return tracer_finish(rows->tracer, rows->out, err, printed);
}

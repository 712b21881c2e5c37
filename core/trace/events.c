// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The loop of every applet that prints events, and the reader's half of the BPF ring buffer
 * (kernel/bpf/ringbuf.c, since 5.8). Not libbpf's reader: that maps the data twice, so that
 * records never wrap, and all of it counts as our memory; and it does not come back while events
 * keep coming.
 */
#include "core/trace/events.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/show/output.h"
#include "core/trace/tracer.h"

#define LOOK_EVERY_NS (NS_PER_SECOND / 10)
#define READ_NS (NS_PER_SECOND / 10)	/* then return to the event loop */
#define FINISH_NS (NS_PER_SECOND / 4)	/* for what is in the ring when the run ends */
#define DRAIN_NS (NS_PER_SECOND / 10)	/* for what was still being written then */

struct events {
	int map_fd;
	size_t size, page;
	event_reader reader;
	void *context;
	unsigned long *consumer;		/* where we have read to */
	const unsigned long *producer;		/* where the kernel has written to */
	unsigned long end;			/* where the kernel had written to at the stop */
	const char *data;
	char *wrapped;				/* a copy of the record that wraps */
	size_t wrapped_size;
	unsigned long long unread;		/* records that could not be copied */
};

struct events *events_open(int map_fd, size_t size, event_reader reader, void *context)
{
	struct events *events = calloc(1, sizeof(*events));
	void *memory;

	if (!events)
		return NULL;
	events->map_fd = map_fd;
	events->size = size;
	events->end = ULONG_MAX;
	events->page = sysconf(_SC_PAGESIZE);
	events->reader = reader;
	events->context = context;
	memory = mmap(NULL, events->page, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	if (memory == MAP_FAILED)
		goto failed;
	events->consumer = memory;
	memory = mmap(NULL, events->page + size, PROT_READ, MAP_SHARED, map_fd, events->page);
	if (memory == MAP_FAILED)
		goto failed;
	events->producer = memory;
	events->data = (const char *)memory + events->page;
	return events;
failed:
	events_close(events);
	return NULL;
}

void events_close(struct events *events)
{
	int saved = errno;

	if (!events)
		return;
	if (events->producer)
		munmap((void *)events->producer, events->page + events->size);
	if (events->consumer)
		munmap(events->consumer, events->page);
	free(events->wrapped);
	free(events);
	errno = saved;
}

/* A record's bytes in one piece; NULL if there is no memory for it. */
static const void *record_at(struct events *events, size_t start, size_t len)
{
	size_t first = events->size - start;

	if (first >= len)
		return events->data + start;
	if (events->wrapped_size < len) {
		char *wrapped = realloc(events->wrapped, len);

		if (!wrapped)
			return NULL;
		events->wrapped = wrapped;
		events->wrapped_size = len;
	}
	memcpy(events->wrapped, events->data + start, first);
	memcpy(events->wrapped + first, events->data, len - first);
	return events->wrapped;
}

static __u32 record_header(const struct events *events, unsigned long at)
{
	const void *header = events->data + (at & (events->size - 1));

	return __atomic_load_n((const __u32 *)header, __ATOMIC_ACQUIRE);
}

static size_t record_len(__u32 header)
{
	return header & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
}

/* What it takes up in the ring. */
static unsigned long record_size(__u32 header)
{
	return (record_len(header) + BPF_RINGBUF_HDR_SZ + 7) & ~7UL;
}

/* How far there is something to read. */
static unsigned long written_to(const struct events *events)
{
	unsigned long end = __atomic_load_n(events->producer, __ATOMIC_ACQUIRE);

	return end < events->end ? end : events->end;
}

static void read_record(struct events *events, unsigned long at, size_t len)
{
	size_t start = (at + BPF_RINGBUF_HDR_SZ) & (events->size - 1);
	const void *record = record_at(events, start, len);

	if (record)
		events->reader(events->context, record, len);
	else
		events->unread++;
}

/* Reads what is in the ring now, until `until_ns` at most. Returns true if time was short. */
static bool read_some(struct events *events, uint64_t until_ns)
{
	unsigned long at = *events->consumer, end = written_to(events);
	unsigned int count = 0;
	bool in_time = true;

	while (at < end && in_time) {
		__u32 header = record_header(events, at);

		if (header & BPF_RINGBUF_BUSY_BIT)
			break;		/* still being written */
		if (!(header & BPF_RINGBUF_DISCARD_BIT))
			read_record(events, at, record_len(header));
		at += record_size(header);
		if (++count % 64)
			continue;
		/* Every so often, so that a full ring empties while we go. */
		__atomic_store_n(events->consumer, at, __ATOMIC_RELEASE);
		in_time = now_ns() < until_ns;
	}
	__atomic_store_n(events->consumer, at, __ATOMIC_RELEASE);
	return !in_time;
}

void events_drain(struct events *events)
{
	unsigned long at, end = written_to(events);

	read_some(events, now_ns() + DRAIN_NS);
	for (at = *events->consumer; at < end; at += record_size(record_header(events, at)))
		if (!(record_header(events, at) & BPF_RINGBUF_DISCARD_BIT))
			events->unread++;
	if (events->unread)
		log_warning("%llu events were not read in time", events->unread);
	events->unread = 0;
}

/* The run is over: what is in the ring by now belongs to it, and nothing that arrives later. */
static int finish(struct events *events, struct output *out, struct tracer *tracer)
{
	events->end = written_to(events);
	tracer_freeze(tracer);
	read_some(events, now_ns() + FINISH_NS);
	return output_flush(out);
}

int events_poll(struct events *events, struct stop *stop, struct output *out,
		struct tracer *tracer)
{
	/* poll() on the map itself reports any unread byte as readable; edges only when woken. */
	struct epoll_event interest = { .events = EPOLLIN | EPOLLET };
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC), err = 0;
	uint64_t tell_ns = now_ns() + NS_PER_SECOND;
	bool more = false;

	if (epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, events->map_fd, &interest))
		err = -errno;
	while (!err) {
		enum wait_end wait_end =
			stop_wait(stop, epoll_fd, more ? 0 : now_ns() + LOOK_EVERY_NS);
		uint64_t until_ns = now_ns() + READ_NS;

		if (wait_end == WAIT_STOP) {
			err = finish(events, out, tracer);
			break;
		}
		if (wait_end == WAIT_EVENT)
			epoll_wait(epoll_fd, &interest, 1, 0);
		more = read_some(events,
				 until_ns < stop->deadline_ns ? until_ns : stop->deadline_ns);
		if (!more || now_ns() >= tell_ns)
			err = output_flush(out);
		if (!err && now_ns() >= tell_ns) {
			tracer_tell_lost(tracer);
			tell_ns = now_ns() + NS_PER_SECOND;
		}
	}
	if (epoll_fd >= 0)
		close(epoll_fd);
	return err;
}

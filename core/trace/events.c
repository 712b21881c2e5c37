// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The loop of every applet that prints events, and the reader's half of the BPF ring buffer
 * (kernel/bpf/ringbuf.c, since 5.8). Not libbpf's reader: that maps the data twice, so that
 * records never wrap, and all of it counts as our memory; and it does not come back while events
 * keep coming.
 */
#include "core/trace/events.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "core/trace/account.h"
#include "core/base/clock.h"
#include "core/show/output.h"

#define LOOK_EVERY_NS (NS_PER_SECOND / 10)
#define RECORD_MAX 4096		/* what may wrap must fit here */
#define READ_AT_ONCE 10000	/* then look after the rest of the world */

struct events {
	int map_fd;
	size_t size, page;
	event_reader reader;
	void *context;
	unsigned long *consumer;		/* where we have read to */
	const unsigned long *producer;		/* where the kernel has written to */
	const char *data;
	char wrapped[RECORD_MAX];
};

struct events *events_open(int map_fd, size_t size, event_reader reader, void *context)
{
	struct events *events = calloc(1, sizeof(*events));
	void *memory;

	if (!events)
		return NULL;
	events->map_fd = map_fd;
	events->size = size;
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
	free(events);
	errno = saved;
}

/* A record's bytes in one piece. */
static const void *record_at(struct events *events, size_t start, size_t len)
{
	size_t first = events->size - start;

	if (first >= len)
		return events->data + start;
	memcpy(events->wrapped, events->data + start, first);
	memcpy(events->wrapped + first, events->data, len - first);
	return events->wrapped;
}

/* Reads up to `max` records; true: there may be more. */
static bool read_some(struct events *events, size_t max)
{
	const size_t mask = events->size - 1;
	unsigned long at = *events->consumer;
	unsigned long end = __atomic_load_n(events->producer, __ATOMIC_ACQUIRE);

	for (; at < end && max; max--) {
		const __u32 *header = (const __u32 *)(events->data + (at & mask));
		__u32 bits = __atomic_load_n(header, __ATOMIC_ACQUIRE);
		size_t len = bits & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (bits & BPF_RINGBUF_BUSY_BIT)
			break;		/* still being written */
		if (!(bits & BPF_RINGBUF_DISCARD_BIT) && len <= RECORD_MAX)
			events->reader(events->context,
				       record_at(events, (at + BPF_RINGBUF_HDR_SZ) & mask, len),
				       len);
		at += (len + BPF_RINGBUF_HDR_SZ + 7) & ~7UL;
		/* Every so often, so that a full ring empties while we go. */
		if (!(max % 64))
			__atomic_store_n(events->consumer, at, __ATOMIC_RELEASE);
	}
	__atomic_store_n(events->consumer, at, __ATOMIC_RELEASE);
	return !max;
}

void events_drain(struct events *events)
{
	while (read_some(events, READ_AT_ONCE))
		;
}

int events_poll(struct events *events, const struct stop *stop, struct output *out,
		struct accounts *accounts)
{
	/* poll() on the map itself says "readable" for any unread byte; edges only when wait_end. */
	struct epoll_event interest = { .events = EPOLLIN | EPOLLET };
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC), err = 0;
	uint64_t tell_ns = now_ns() + NS_PER_SECOND;
	bool more = false;

	if (epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, events->map_fd, &interest)) {
		err = -errno;
		goto out;
	}
	for (;;) {
		uint64_t until_ns = more ? 0 : now_ns() + LOOK_EVERY_NS;
		enum wait_end wait_end = stop_wait(stop, epoll_fd, until_ns);

		if (wait_end == WAIT_EVENT)
			epoll_wait(epoll_fd, &interest, 1, 0);
		more = read_some(events, READ_AT_ONCE);
		if (!more || wait_end == WAIT_STOP)
			err = output_flush(out);
		if (err || wait_end == WAIT_STOP)
			break;
		if (now_ns() >= tell_ns) {
			err = output_flush(out);
			accounts_tell_lost(accounts);
			tell_ns = now_ns() + NS_PER_SECOND;
		}
	}
out:
	if (epoll_fd >= 0)
		close(epoll_fd);
	return err;
}

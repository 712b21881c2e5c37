/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading events from a BPF ring buffer until the run ends. */
#ifndef FSTRACE_CORE_TRACE_EVENTS_H
#define FSTRACE_CORE_TRACE_EVENTS_H

#include <stddef.h>

struct stop;
struct tracer;
struct events;
struct output;

/* Called with each event of `size` bytes, in the order of the ring buffer. */
typedef void (*event_reader)(void *context, const void *event, size_t size);

/*
 * Opens the ring buffer map `map_fd` of `size` bytes. The BPF program decides when we are woken
 * for events; unasked, the ring is looked at ten times a second. NULL with errno.
 */
struct events *events_open(int map_fd, size_t size, event_reader reader, void *context);
void events_close(struct events *events);

/*
 * Reads until the stop, and then, for a quarter of a second at most, what was in the ring at that
 * moment; later events are no part of the run. After each look it flushes the output, and once a
 * second it reports what was lost. Returns 0 or -errno.
 */
int events_poll(struct events *events, struct stop *stop, struct output *out,
		struct tracer *tracer);

/*
 * Once nothing writes any more: reads what was still being written at the stop. Reports the number
 * of events that could not be read in the time there was.
 */
void events_drain(struct events *events);

#endif

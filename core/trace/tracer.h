/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A tracer: one BPF object, loaded and attached, with all that belongs to its life. An applet's
 * run() starts one, reads its maps until the stop, and finishes it:
 *
 *	tracer = tracer_start(&config);
 *	if (!tracer) return EXIT_FAILED;
 *	while (...) read tracer_map(tracer, "hists"), print
 *	tracer_stop(tracer);
 *	return tracer_finish(tracer, out, err, events);
 */
#ifndef FSTRACE_TRACE_TRACER_H
#define FSTRACE_TRACE_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/trace/filter.h"
#include "core/trace/probe.h"
#include "core/trace/setting.h"

struct bpf_map;
struct output;
struct stop;
struct tracer;

/* The user's options for tracing, common to all applets. */
struct trace_options {
	struct filter_options filter;
	enum attach_mode attach;
	const char *btf_path;		/* types of this kernel, if it has none itself; or NULL */
	const char *forced_probe;	/* "PROBE=FUNCTION": that candidate only; or NULL */
	bool overhead;			/* report at the end what it cost */
};

/* How many entries a map is to have. */
struct map_size {
	const char *name;
	uint32_t entries;
};

/* All of it must outlive the tracer. */
struct tracer_config {
	const char *name;		/* for messages */
	const void *object;		/* the BPF object, by gzip: NAME_object() of bpf_embed() */
	size_t object_size;
	const struct probe *probes;	/* ends with a row without a name */
	const struct setting *settings;	/* likewise; or NULL */
	const struct map_size *sizes;	/* likewise; or NULL */
	const struct trace_options *options;
	struct stop *stop;		/* also ended when all processes asked for have ended */
	bool shows_processes;		/* so the user's numbers of them are needed */
};

/*
 * Checks that this machine lets us trace; loads and attaches, in every way that the kernel and the
 * user allow until one works. NULL after a message that says why none does.
 */
struct tracer *tracer_start(const struct tracer_config *config);

/* A map of the object; there is one, or the applet is wrong (it aborts). */
const struct bpf_map *tracer_map(const struct tracer *tracer, const char *name);

/* When it started, by now_ns(). */
uint64_t tracer_start_ns(const struct tracer *tracer);

/* Which processes are traced. */
const struct filter *tracer_filter(const struct tracer *tracer);

/* Whether anything is attached for the probe of that name. */
bool tracer_has(const struct tracer *tracer, const char *probe);

/* Reports events lost since the last time. To be called once a second at most. */
void tracer_tell_lost(struct tracer *tracer);

/*
 * What the kernel side counts from here on does not belong to the run. events_poll() calls it at
 * the stop, as does tracer_stop(). Takes NULL.
 */
void tracer_freeze(struct tracer *tracer);

/*
 * Detaches; if that takes longer than the end of a run may, the rest is left to a process in the
 * background (core/trace/detach.h). Takes NULL; a second time, nothing happens.
 */
void tracer_stop(struct tracer *tracer);

/*
 * Stops if that has not been done, reports losses, and the cost of tracing if the user asked;
 * finishes the output and frees the tracer. Both may be NULL; without a tracer the run has failed.
 * `err` is 0 or -errno of the run, `events` how many there were. Returns the exit status.
 */
int tracer_finish(struct tracer *tracer, struct output *out, int err, uint64_t events);

#endif

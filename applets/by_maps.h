/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --by: the rows that the kernel side keeps, one for each key (bpf/by.bpf.h), mapped. */
#ifndef FSTRACE_APPLETS_BY_MAPS_H
#define FSTRACE_APPLETS_BY_MAPS_H

#include <stddef.h>

#include "bpf/by.h"
#include "core/kernel/percpu.h"
#include "core/trace/tracer.h"

#define BY_ROWS 1024

/* For tracer_config.sizes. */
static const struct map_size by_sizes[] = {
	{ "by_found", BY_ROWS },
	{ "by_taken", BY_ROWS },
	{ "by_places", BY_ROWS },
	{ "by_counts", BY_ROWS },
	{ 0 }
};

struct by_maps {
	struct percpu places, counts;
};

/* Returns 0 or -errno; by_maps_close() in either case. */
static inline int by_maps_open(struct by_maps *maps, const struct tracer *tracer)
{
	return percpu_open(&maps->places, tracer_map(tracer, "by_places")) ?:
	       percpu_open(&maps->counts, tracer_map(tracer, "by_counts"));
}

static inline void by_maps_close(struct by_maps *maps)
{
	percpu_close(&maps->places);
	percpu_close(&maps->counts);
}

/* Whose a row is; NULL: nobody's yet. */
static inline const struct by_place *by_place(const struct by_maps *maps, size_t row)
{
	const struct by_place *place =
		(const void *)((const char *)maps->places.values + row * maps->places.size);

	return __atomic_load_n(&place->is_used, __ATOMIC_ACQUIRE) ? place : NULL;
}

/* What a row has counted; for all CPUs together. */
static inline struct percpu by_counts_of(const struct by_maps *maps, size_t row)
{
	return (struct percpu){ (const char *)maps->counts.values + row * maps->counts.size,
				maps->counts.size, 1 };
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* dcstat --by: the counts of an interval by key, those with most misses first. */
#ifndef FSTRACE_APPLETS_DCSTAT_KEYS_H
#define FSTRACE_APPLETS_DCSTAT_KEYS_H

#include <stdlib.h>

#include "applets/by_maps.h"
#include "bpf/dcache.h"

/* What one key had in an interval. */
struct dcstat_key {
	const struct by_place *place;
	struct dcache_counts counts;
};

struct dcstat_keys {
	struct by_maps maps;
	struct dcache_counts before[BY_ROWS];
	struct dcstat_key of[BY_ROWS];	/* those of the interval that had any */
	size_t n;
};

static inline void dcstat_add(struct dcache_counts *sum, const struct dcache_counts *more)
{
	for (int type = LOOKUP_MISS; type <= LOOKUP_NEGATIVE; type++) {
		sum->fast[type] += more->fast[type];
		sum->slow[type] += more->slow[type];
	}
}

static inline void dcstat_subtract(struct dcache_counts *from, const struct dcache_counts *less)
{
	for (int type = LOOKUP_MISS; type <= LOOKUP_NEGATIVE; type++) {
		from->fast[type] -= less->fast[type];
		from->slow[type] -= less->slow[type];
	}
}

static inline uint64_t dcstat_misses(const struct dcache_counts *counts)
{
	return counts->fast[LOOKUP_MISS] + counts->slow[LOOKUP_MISS];
}

static inline uint64_t dcstat_refs(const struct dcache_counts *counts)
{
	uint64_t refs = 0;

	for (int type = LOOKUP_MISS; type <= LOOKUP_NEGATIVE; type++)
		refs += counts->fast[type] + counts->slow[type];
	return refs;
}

/* Those with most misses first, then those with most look-ups. */
static inline int dcstat_compare(const void *one, const void *other)
{
	const struct dcstat_key *a = one, *b = other;
	uint64_t misses = dcstat_misses(&a->counts), others = dcstat_misses(&b->counts);

	if (misses == others) {
		misses = dcstat_refs(&a->counts);
		others = dcstat_refs(&b->counts);
	}
	return misses != others ? (misses < others) - (misses > others) :
				  (a->place > b->place) - (a->place < b->place);
}

/* What was counted since the last time. */
static inline void dcstat_keys_read(struct dcstat_keys *keys)
{
	keys->n = 0;
	for (size_t row = 0; row < BY_ROWS; row++) {
		const struct by_place *place = by_place(&keys->maps, row);
		struct percpu of = by_counts_of(&keys->maps, row);
		struct dcstat_key *key = &keys->of[keys->n];
		struct dcache_counts now = { 0 };

		if (!place)
			continue;
		percpu_sum(&of, 0, (__u64 *)&now, sizeof(now) / sizeof(__u64));
		key->place = place;
		key->counts = now;
		dcstat_subtract(&key->counts, &keys->before[row]);
		keys->before[row] = now;
		keys->n += dcstat_refs(&key->counts) > 0;
	}
	qsort(keys->of, keys->n, sizeof(*keys->of), dcstat_compare);
}

#endif

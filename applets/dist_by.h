/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * --by: the histograms of a block by who the operations are of, the busiest first. A part of dist.c,
 * which defines struct dist and struct group.
 */
#ifndef FSTRACE_APPLETS_DIST_BY_H
#define FSTRACE_APPLETS_DIST_BY_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "applets/by_maps.h"
#include "applets/by_who.h"
#include "bpf/by.h"
#include "core/show/hist.h"
#include "core/show/record.h"

struct group;

/* Bits of enum by, in its order. */
static const char *const by_names[] = { "pid", "tid", "comm", "uid", "cgroup", "file",
				       "dir", "device", NULL };

/* The rows of a group, each of a key and an operation, and what they were at the last block. */
struct by_counts {
	struct by_maps maps;
	struct hist_counts *before[BY_ROWS];	/* NULL: nothing yet */
};

/* What one key had of one operation in a block. */
struct by_part {
	const struct by_place *place;
	const struct group *group;
	size_t operation;
	struct hist_counts counts;
};

/* All parts of one key, which stand side by side. */
struct by_total {
	struct by_part *first;
	size_t count;
	uint64_t sum_ns;
};

/* The parts of a block. */
struct by_block {
	struct by_part *parts;
	struct by_total *totals;
	size_t nparts, ntotals;
};

/* What JSON says of a key. */
struct by_row {
	struct hist_row hist;
	struct by_who who;
};

static const struct field by_fields[] = {
	BY_WHO_FIELDS(struct by_row), BY_FILE_FIELDS(struct by_row), { 0 }
};

static void by_close(struct by_counts *by)
{
	by_maps_close(&by->maps);
	for (size_t i = 0; i < BY_ROWS; i++)
		free(by->before[i]);
}

/* What a row counted since the last block. False: nothing. `before` has room. */
static bool by_read(const struct by_counts *by, size_t row, struct hist_counts *block)
{
	struct percpu of = by_counts_of(&by->maps, row);
	struct hist_counts now;
	uint64_t count = 0;

	hist_read(&of, &now);
	*block = now;
	hist_subtract(block, by->before[row]);
	block->queued = now.queued;	/* a level, not a difference */
	*by->before[row] = now;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		count += block->buckets[i];
	return count || block->queued || block->again;
}

/* Adds the parts of a group. Returns 0 or -ENOMEM. */
static int by_collect(struct by_block *block, const struct group *group, struct by_counts *by,
		      size_t cpus)
{
	struct by_part *more = realloc(block->parts, (block->nparts + BY_ROWS) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	block->parts = more;
	for (size_t row = 0; row < BY_ROWS; row++) {
		const struct by_place *place = by_place(&by->maps, row);
		struct by_part *part = &block->parts[block->nparts];

		if (!place)
			continue;
		if (!by->before[row])
			by->before[row] = calloc(1, sizeof(*by->before[row]));
		if (!by->before[row])
			return -ENOMEM;
		if (!by_read(by, row, &part->counts))
			continue;
		part->place = place;
		part->group = group;
		part->operation = place->key.operation / cpus;
		block->nparts++;
	}
	return 0;
}

/* Adds all that the keys had of an operation until the last block. */
static void by_add(const struct by_counts *by, size_t operation, size_t cpus, struct hist_counts *sum)
{
	for (size_t row = 0; row < BY_ROWS; row++)
		if (by->before[row] && by_place(&by->maps, row)->key.operation / cpus == operation)
			hist_add(sum, by->before[row]);
}

#define KEY_BYTES offsetof(struct by_key, operation)

static int by_compare_parts(const void *one, const void *other)
{
	const struct by_part *a = one, *b = other;

	return memcmp(&a->place->key, &b->place->key, KEY_BYTES) ?:
	       (a->operation > b->operation) - (a->operation < b->operation);
}

static int by_compare_totals(const void *one, const void *other)
{
	const struct by_total *a = one, *b = other;

	if (a->sum_ns != b->sum_ns)
		return a->sum_ns < b->sum_ns ? 1 : -1;
	return memcmp(&a->first->place->key, &b->first->place->key, KEY_BYTES);
}

/* Brings the parts of a key together, and the keys into their order. Returns 0 or -ENOMEM. */
static int by_order(struct by_block *block)
{
	struct by_total *total;

	block->totals = calloc(block->nparts + 1, sizeof(*block->totals));
	if (!block->totals)
		return -ENOMEM;
	qsort(block->parts, block->nparts, sizeof(*block->parts), by_compare_parts);
	total = block->totals;
	for (size_t i = 0; i < block->nparts; i++) {
		struct by_part *part = &block->parts[i];

		if (i && memcmp(&part->place->key, &total->first->place->key, KEY_BYTES))
			total++;
		if (!total->count++)
			total->first = part;
		total->sum_ns += part->counts.sum_ns;
	}
	block->ntotals = block->nparts ? total - block->totals + 1 : 0;
	qsort(block->totals, block->ntotals, sizeof(*block->totals), by_compare_totals);
	return 0;
}

static void by_free(struct by_block *block)
{
	free(block->parts);
	free(block->totals);
}

#endif

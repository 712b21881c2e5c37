/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A row of dcstat: what the counts of an interval come to. */
#ifndef FSTRACE_APPLETS_DCSTAT_ROW_H
#define FSTRACE_APPLETS_DCSTAT_ROW_H

#include "applets/by_who.h"
#include "bpf/dcache.h"
#include "core/base/clock.h"
#include "core/show/record.h"

struct dcstat_row {
	struct interval_row interval;
	/* refs is the sum of found, negative and misses; slow is a part of it. */
	uint64_t refs, slow, misses, found, negative;
	uint64_t refs_per_s, slow_per_s, misses_per_s, negative_per_s;
	uint32_t hit_percent;
	/* With --by. */
	struct by_who who;
	const char *key;		/* of text; NULL: none */
};

#define DCSTAT_COUNT(member) .kind = FIELD_UINT, FIELD_AT(struct dcstat_row, member)

static const struct field dcstat_fields[] = {
	{ .heading = "REFS/s", .key = "refs_per_s", .width = 8, DCSTAT_COUNT(refs_per_s),
	  .help = "look-ups a second" },
	{ .heading = "SLOW/s", .key = "slow_per_s", .width = 8, DCSTAT_COUNT(slow_per_s),
	  .help = "those that the fast path did not answer" },
	{ .heading = "MISS/s", .key = "misses_per_s", .width = 8, DCSTAT_COUNT(misses_per_s),
	  .help = "those for which the file system was asked" },
	{ .heading = "HIT%", .key = "hit_percent", .width = 8, .kind = FIELD_PERCENT,
	  FIELD_AT(struct dcstat_row, hit_percent),
	  .help = "the share that the cache answered, rounded down; - (JSON: null) if there were none" },
	{ .heading = "NEG/s", .key = "negative_per_s", .width = 8, DCSTAT_COUNT(negative_per_s),
	  .help = "those answered by a negative entry: the name is known not to exist" },
	{ .key = "refs", DCSTAT_COUNT(refs), .help = "look-ups: found + negative + misses" },
	{ .key = "slow", DCSTAT_COUNT(slow), .help = "those that the fast path did not answer" },
	{ .key = "misses", DCSTAT_COUNT(misses), .help = "those for which the file system was asked" },
	{ .key = "found", DCSTAT_COUNT(found), .help = "those that found the name in the cache" },
	{ .key = "negative", DCSTAT_COUNT(negative), .help = "those answered by a negative entry" },
	{ 0 }
};

static const struct field dcstat_by_fields[] = {
	{ .heading = "KEY", .key = "key", .kind = FIELD_STRING, FIELD_AT(struct dcstat_row, key),
	  .optional = true, .help = "with --by: what the row is of; only in text" },
	BY_WHO_FIELDS(struct dcstat_row),
	{ .key = "fs", .kind = FIELD_FOREIGN, FIELD_AT(struct dcstat_row, who.fs), .optional = true,
	  .help = "the type of the directory's file system (with --by fs)" },
	{ 0 }
};

/* To the nearest; halves up. */
static inline uint64_t dcstat_rate(uint64_t count, uint64_t ns)
{
	return ns ? ((unsigned __int128)count * NS_PER_SECOND + ns / 2) / ns : 0;
}

/*
 * What was counted from `before` to `now`, in so many ns. The references are added up and not
 * counted, so they are right whatever other CPUs count meanwhile. The hit ratio is rounded down:
 * 100.00 means that nothing was missed.
 */
static inline void dcstat_row_make(struct dcstat_row *row, const struct dcache_counts *before,
				   const struct dcache_counts *now, uint64_t ns)
{
	uint64_t of_type[LOOKUP_NEGATIVE + 1];

	*row = (struct dcstat_row){ .hit_percent = PERCENT_NONE, .who = BY_EVERYBODY };
	for (int type = LOOKUP_MISS; type <= LOOKUP_NEGATIVE; type++) {
		uint64_t slow = now->slow[type] - before->slow[type];

		of_type[type] = slow + now->fast[type] - before->fast[type];
		row->slow += slow;
		row->refs += of_type[type];
	}
	row->misses = of_type[LOOKUP_MISS];
	row->found = of_type[LOOKUP_FOUND];
	row->negative = of_type[LOOKUP_NEGATIVE];
	row->refs_per_s = dcstat_rate(row->refs, ns);
	row->slow_per_s = dcstat_rate(row->slow, ns);
	row->misses_per_s = dcstat_rate(row->misses, ns);
	row->negative_per_s = dcstat_rate(row->negative, ns);
	if (row->refs)
		row->hit_percent = (unsigned __int128)(row->refs - row->misses) * 10000 / row->refs;
}

#endif

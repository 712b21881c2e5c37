/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Histograms in user space. The kernel side only counts up; a block that is shown is the
 * difference of two readings, so no count is lost between them.
 */
#ifndef FSTRACE_CORE_SHOW_HIST_H
#define FSTRACE_CORE_SHOW_HIST_H

#include <stdint.h>

#include "bpf/hist.h"

struct percpu;

/*
 * Reads the counts of each CPU, summed over the CPUs. The shortest and the longest are those since
 * the previous reading; this one resets them.
 */
void hist_read(const struct percpu *counts, struct hist_counts *total);

/* What was counted between two readings. */
void hist_subtract(struct hist_counts *now, const struct hist_counts *before);

/* Adds what others have counted in the same time. */
void hist_add(struct hist_counts *sum, const struct hist_counts *more);

/* The values that a bucket of the kernel side holds: low to high, in ns, both included. */
uint64_t hist_bucket_low(enum hist_unit unit, int bucket);
uint64_t hist_bucket_high(enum hist_unit unit, int bucket);

#define HIST_SLOTS 64

/*
 * What is shown. Slot 0 counts operations of less than 2 units, slot n from 2^n to 2^(n+1) - 1:
 * sums of buckets, exact.
 */
struct hist {
	uint64_t slots[HIST_SLOTS];
	uint64_t queued, again;		/* as in struct hist_counts */
	uint64_t count, sum_ns;		/* of what is in the slots */
	uint64_t min_ns, max_ns;	/* 0 if there is nothing */
};

extern const char *const hist_unit_names[];	/* "usecs"; by enum hist_unit, ends with NULL */

void hist_fold(const struct hist_counts *counts, enum hist_unit unit, struct hist *hist);

/* The slots up to the highest that is not empty: how many; 0 if all are. */
int hist_used(const struct hist *hist);

/* The values that a slot holds, in units: low to high, both included. */
uint64_t hist_low(int slot);
uint64_t hist_high(int slot);

/* One of the percentiles that are shown. Arrays end with one without a name. */
struct percentile {
	char name[12];			/* as the user wrote it: "99.9" */
	uint32_t per_100000;
	uint64_t ns;			/* the latency that this share does not exceed */
};

#define PERCENTILES_MAX 16

/* Reads a list: "50,99.9". Returns 0 or -EINVAL. `percentiles` has room for PERCENTILES_MAX + 1. */
int percentiles_parse(const char *list, struct percentile *percentiles);

/*
 * Fills in .ns: the middle of the bucket that it is in, no more than 1/16 from the latency itself;
 * 0 if nothing was counted. `hist` is of the same counts.
 */
void percentiles_find(struct percentile *percentiles, const struct hist_counts *counts,
		      enum hist_unit unit, const struct hist *hist);

#endif

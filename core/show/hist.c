// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads histograms, and computes percentiles. */
#include "core/show/hist.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/kernel/percpu.h"

/* Every member of struct hist_counts is a __u64, so they are summed and subtracted as an array. */
#define MEMBERS (sizeof(struct hist_counts) / sizeof(__u64))

static const uint64_t unit_ns[HIST_UNITS] = {
	[HIST_US] = 1000, [HIST_MS] = 1000000, [HIST_NS] = 1,
};

const char *const hist_unit_names[] = {
	[HIST_US] = "usecs", [HIST_MS] = "msecs", [HIST_NS] = "nsecs", [HIST_UNITS] = NULL,
};

static void take_larger(uint64_t *largest, __u64 *counter)
{
	uint64_t value = __atomic_exchange_n(counter, 0, __ATOMIC_SEQ_CST);

	if (value > *largest)
		*largest = value;
}

/*
 * The kernel side counts in a bucket first and then compares. So the extremes that are read here
 * are in the buckets that are read afterwards.
 */
void hist_read(const struct percpu *counts, struct hist_counts *total)
{
	uint64_t max_ns = 0, not_min_ns = 0;

	for (size_t cpu = 0; cpu < counts->cpus; cpu++) {
		struct hist_counts *of = (void *)((char *)counts->values + cpu * counts->size);

		take_larger(&max_ns, &of->max_ns);
		take_larger(&not_min_ns, &of->not_min_ns);
	}
	percpu_sum(counts, 0, (__u64 *)total, MEMBERS);
	total->max_ns = max_ns;
	total->not_min_ns = not_min_ns;
}

void hist_subtract(struct hist_counts *now, const struct hist_counts *before)
{
	uint64_t max_ns = now->max_ns, not_min_ns = now->not_min_ns;

	for (size_t i = 0; i < MEMBERS; i++)
		((__u64 *)now)[i] -= ((const __u64 *)before)[i];
	now->max_ns = max_ns;
	now->not_min_ns = not_min_ns;
}

void hist_add(struct hist_counts *sum, const struct hist_counts *more)
{
	uint64_t max_ns = sum->max_ns > more->max_ns ? sum->max_ns : more->max_ns;
	uint64_t not_min_ns = sum->not_min_ns > more->not_min_ns ? sum->not_min_ns : more->not_min_ns;

	for (size_t i = 0; i < MEMBERS; i++)
		((__u64 *)sum)[i] += ((const __u64 *)more)[i];
	sum->max_ns = max_ns;
	sum->not_min_ns = not_min_ns;
}

/* The scale that a bucket is on: see bpf/hist.h. */
struct scale {
	uint64_t base;
	int shift, first;
};

static struct scale scale_of(enum hist_unit unit, int bucket)
{
	if (unit == HIST_NS)
		return (struct scale){ HIST_BASE_NS, HIST_SHIFT_NS, HIST_STEPS };
	if (unit == HIST_MS && bucket >= HIST_FIRST_MS)
		return (struct scale){ HIST_BASE_MS, HIST_SHIFT_MS, HIST_FIRST_MS };
	return (struct scale){ HIST_BASE_US, HIST_SHIFT_US, HIST_STEPS };
}

uint64_t hist_bucket_low(enum hist_unit unit, int bucket)
{
	struct scale scale = scale_of(unit, bucket);
	int doubling = 0, step = bucket - scale.first;
	__int128 low;

	if (bucket >= HIST_COARSE) {
		doubling = (HIST_COARSE - scale.first) / HIST_STEPS + bucket - HIST_COARSE;
		step = 0;
	} else if (step >= 0) {
		doubling = step / HIST_STEPS;
		step %= HIST_STEPS;
	}
	low = ((__int128)scale.base + step * (1 << scale.shift)) * ((__int128)1 << doubling);
	return low < 0 ? 0 : low > UINT64_MAX ? UINT64_MAX : (uint64_t)low;
}

uint64_t hist_bucket_high(enum hist_unit unit, int bucket)
{
	uint64_t next = hist_bucket_low(unit, bucket + 1);

	/* The doubling that the other scale cuts short. */
	if (unit == HIST_MS && bucket < HIST_FIRST_MS && next > HIST_BASE_MS)
		next = HIST_BASE_MS;
	return next == UINT64_MAX ? next : next - 1;
}

static int slot_of(uint64_t units)
{
	return units < 2 ? 0 : 63 - __builtin_clzll(units);
}

/* A task that was preempted may have hidden an extreme; the bucket that it is in is known. */
static uint64_t clamp(uint64_t ns, enum hist_unit unit, int bucket)
{
	uint64_t low = hist_bucket_low(unit, bucket), high = hist_bucket_high(unit, bucket);

	return ns < low ? low : ns > high ? high : ns;
}

void hist_fold(const struct hist_counts *counts, enum hist_unit unit, struct hist *hist)
{
	int lowest = -1, highest = -1;

	*hist = (struct hist){ .queued = (int64_t)counts->queued < 0 ? 0 : counts->queued,
			       .again = counts->again, .sum_ns = counts->sum_ns };
	for (int bucket = 0; bucket < HIST_BUCKETS; bucket++) {
		if (!counts->buckets[bucket])
			continue;
		hist->slots[slot_of(hist_bucket_low(unit, bucket) / unit_ns[unit])] +=
			counts->buckets[bucket];
		hist->count += counts->buckets[bucket];
		if (lowest < 0)
			lowest = bucket;
		highest = bucket;
	}
	if (lowest < 0)
		return;
	hist->min_ns = clamp(~counts->not_min_ns, unit, lowest);
	hist->max_ns = clamp(counts->max_ns, unit, highest);
}

int hist_used(const struct hist *hist)
{
	int used = HIST_SLOTS;

	while (used && !hist->slots[used - 1])
		used--;
	return used;
}

uint64_t hist_low(int slot)
{
	return slot ? 1ULL << slot : 0;
}

uint64_t hist_high(int slot)
{
	return (1ULL << slot << 1) - 1;
}

/* A number above 0, to 100, with up to three decimals, in thousandths; 0: not such a number. */
static uint32_t parse_percent(const char *word, size_t len)
{
	uint32_t value = 0, decimals = 0;
	bool point = false;

	for (size_t i = 0; i < len; i++) {
		if (word[i] == '.' && !point && i && i + 1 < len) {
			point = true;
			continue;
		}
		if (word[i] < '0' || word[i] > '9' || value > 100000 || decimals == 3)
			return 0;
		value = 10 * value + word[i] - '0';
		decimals += point;
	}
	for (; decimals < 3; decimals++) {
		if (value > 100000)
			return 0;
		value *= 10;
	}
	return value > 100000 ? 0 : value;
}

int percentiles_parse(const char *list, struct percentile *percentiles)
{
	for (size_t n = 0; n < PERCENTILES_MAX; n++) {
		size_t len = strcspn(list, ",");
		struct percentile *percentile = &percentiles[n];

		*percentile = (struct percentile){ .per_100000 = parse_percent(list, len) };
		if (!percentile->per_100000 || len >= sizeof(percentile->name))
			return -EINVAL;
		memcpy(percentile->name, list, len);
		list += len;
		if (!*list) {
			percentiles[n + 1] = (struct percentile){ 0 };
			return 0;
		}
		list++;
	}
	return -EINVAL;
}

static uint64_t percentile_ns(uint32_t per_100000, const struct hist_counts *counts,
			      enum hist_unit unit, const struct hist *hist)
{
	uint64_t rank = ((unsigned __int128)hist->count * per_100000 + 99999) / 100000, seen = 0;

	for (int bucket = 0; bucket < HIST_BUCKETS; bucket++) {
		uint64_t low, high;

		seen += counts->buckets[bucket];
		if (seen < rank)
			continue;
		low = hist_bucket_low(unit, bucket);
		high = hist_bucket_high(unit, bucket);
		/* No value is outside of these. */
		if (low < hist->min_ns)
			low = hist->min_ns;
		if (high > hist->max_ns)
			high = hist->max_ns;
		return low + (high - low) / 2;
	}
	return 0;
}

void percentiles_find(struct percentile *percentiles, const struct hist_counts *counts,
		      enum hist_unit unit, const struct hist *hist)
{
	for (; percentiles->name[0]; percentiles++)
		percentiles->ns = !hist->count ? 0 :
				  percentiles->per_100000 == 100000 ? hist->max_ns :
				  percentile_ns(percentiles->per_100000, counts, unit, hist);
}

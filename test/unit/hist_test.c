// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bpf/hist.h and core/show/hist.c: which bucket counts a value, that buckets fold into powers of two
 * of the unit as if each value had been divided, and what percentiles are worth.
 */
#include "test.h"

#include <inttypes.h>

#include "core/show/hist.h"
#include "core/kernel/percpu.h"

static const uint64_t units[] = { [HIST_US] = 1000, [HIST_MS] = 1000000, [HIST_NS] = 1 };

/* As the tools of this name have always counted: whole units, and their logarithm. */
static int slot_by_division(uint64_t ns, enum hist_unit unit)
{
	int slot = 0;

	for (uint64_t whole = ns / units[unit]; whole > 1; whole >>= 1)
		slot++;
	return slot;
}

/* The kernel side's counts of these values. */
static void count_values(struct hist_counts *counts, enum hist_unit unit, const uint64_t *values,
			 size_t n)
{
	*counts = (struct hist_counts){ 0 };
	for (size_t i = 0; i < n; i++) {
		counts->buckets[hist_bucket(unit, values[i])]++;
		counts->sum_ns += values[i];
		if (values[i] > counts->max_ns)
			counts->max_ns = values[i];
		if (~values[i] > counts->not_min_ns)
			counts->not_min_ns = ~values[i];
	}
}

static void check_value(uint64_t ns, enum hist_unit unit)
{
	uint64_t bucket = hist_bucket(unit, ns), low, high, least;
	struct hist_counts counts;
	struct hist hist;

	assert_true(bucket < HIST_BUCKETS);
	low = hist_bucket_low(unit, bucket);
	high = hist_bucket_high(unit, bucket);
	if (ns < low || ns > high)
		fail_msg("unit %d: %" PRIu64 " is in bucket %" PRIu64 ", %" PRIu64 " to %" PRIu64,
			 unit, ns, bucket, low, high);
	/* So is the middle no more than 1/31 from all of it. */
	least = low + (high - low) / 2;
	if (bucket < HIST_COARSE && ns >= 125 && (ns > least ? ns - least : least - ns) > ns / 30)
		fail_msg("unit %d: %" PRIu64 " and the middle of its bucket, %" PRIu64, unit, ns,
			 least);
	count_values(&counts, unit, &ns, 1);
	hist_fold(&counts, unit, &hist);
	if (hist.slots[slot_by_division(ns, unit)] != 1)
		fail_msg("unit %d: %" PRIu64 " is not in slot %d", unit, ns,
			 slot_by_division(ns, unit));
	assert_int_equal(hist.count, 1);
	assert_int_equal(hist.min_ns, ns);
	assert_int_equal(hist.max_ns, ns);
}

static void every_power_of_two_of_the_unit_is_a_border(void **state)
{
	(void)state;
	for (enum hist_unit unit = 0; unit < HIST_UNITS; unit++) {
		for (int slot = 0; slot < 64; slot++) {
			unsigned __int128 border = (unsigned __int128)units[unit] << slot;

			for (int off = -2; off <= 2; off++)
				if (border + off <= UINT64_MAX)
					check_value(border + off, unit);
		}
		check_value(UINT64_MAX, unit);
		check_value(1ULL << 63, unit);
	}
}

static void buckets_are_without_gaps_and_narrow(void **state)
{
	(void)state;
	for (enum hist_unit unit = 0; unit < HIST_UNITS; unit++) {
		uint64_t next = 0;

		for (int bucket = 0; bucket < HIST_BUCKETS && next != UINT64_MAX; bucket++) {
			uint64_t low = hist_bucket_low(unit, bucket);
			uint64_t high = hist_bucket_high(unit, bucket);

			if (unit == HIST_MS && bucket == HIST_FIRST_MS - 1)
				continue;	/* what it would hold is on the other scale */
			assert_int_equal(low, next);
			assert_true(high >= low);
			assert_int_equal(hist_bucket(unit, low), bucket);
			assert_int_equal(hist_bucket(unit, high), bucket);
			if (low >= 125 && bucket < HIST_COARSE)
				assert_true((high - low) * 15 <= low);
			next = high == UINT64_MAX ? high : high + 1;
		}
		assert_int_equal(next, UINT64_MAX);
	}
}

static void any_value_is_where_division_puts_it(void **state)
{
	uint32_t seed = 9;

	(void)state;
	for (int i = 0; i < 300000; i++) {
		uint64_t ns = (uint64_t)random_next(&seed) << 32 | random_next(&seed);

		check_value(ns >> random_next(&seed) % 64, i % HIST_UNITS);
	}
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void percentiles_are_within_a_sixteenth(void **state)
{
	static uint64_t values[20011];
	struct percentile at[PERCENTILES_MAX + 1];
	struct hist_counts counts;
	struct hist hist;
	uint32_t seed = 77;

	(void)state;
	assert_int_equal(percentiles_parse("0.001,1,50,90,99,99.9,99.99,100", at), 0);
	for (enum hist_unit unit = 0; unit < HIST_UNITS; unit++)
		for (int spread = 1; spread < 28; spread += 3) {
			size_t n = spread == 7 ? 1 : spread == 10 ? 99 : COUNT_OF(values);

			for (size_t i = 0; i < n; i++)
				values[i] = 700 + ((uint64_t)random_next(&seed) << 7 >>
						   random_next(&seed) % spread);
			count_values(&counts, unit, values, n);
			hist_fold(&counts, unit, &hist);
			percentiles_find(at, &counts, unit, &hist);
			qsort(values, n, sizeof(*values), by_value);
			assert_int_equal(hist.count, n);
			assert_int_equal(hist.min_ns, values[0]);
			assert_int_equal(hist.max_ns, values[n - 1]);
			for (size_t i = 0; i < 8; i++) {
				size_t rank = (n * at[i].per_100000 + 99999) / 100000;
				uint64_t true_ns = values[rank - 1], ns = at[i].ns;

				if ((ns > true_ns ? ns - true_ns : true_ns - ns) > true_ns / 16)
					fail_msg("p%s is %" PRIu64 ", told as %" PRIu64, at[i].name,
						 true_ns, ns);
			}
			assert_int_equal(at[7].ns, values[n - 1]);
		}
}

static void one_value_is_all_percentiles(void **state)
{
	static const uint64_t values[] = { 0, 1, 124, 125, 12345, 1ULL << 63, UINT64_MAX };
	struct percentile at[PERCENTILES_MAX + 1];
	struct hist_counts counts;
	struct hist hist;

	(void)state;
	assert_int_equal(percentiles_parse("50,100", at), 0);
	for (enum hist_unit unit = 0; unit < HIST_UNITS; unit++)
		for (size_t i = 0; i < COUNT_OF(values); i++) {
			count_values(&counts, unit, &values[i], 1);
			hist_fold(&counts, unit, &hist);
			percentiles_find(at, &counts, unit, &hist);
			assert_int_equal(at[0].ns, values[i]);
			assert_int_equal(at[1].ns, values[i]);
		}
}

static void nothing_counted_is_all_zero(void **state)
{
	const struct hist_counts none = { .queued = 5, .again = 6 };
	struct percentile at[PERCENTILES_MAX + 1];
	struct hist hist;

	(void)state;
	assert_int_equal(percentiles_parse("50,99.9,100", at), 0);
	hist_fold(&none, HIST_US, &hist);
	percentiles_find(at, &none, HIST_US, &hist);
	assert_int_equal(hist_used(&hist), 0);
	assert_int_equal(hist.count, 0);
	assert_int_equal(hist.min_ns, 0);
	assert_int_equal(hist.max_ns, 0);
	assert_int_equal(hist.queued, 5);
	assert_int_equal(hist.again, 6);
	for (int i = 0; i < 3; i++)
		assert_int_equal(at[i].ns, 0);
}

/* On its own CPU each, one may complete before it has returned. */
static void completions_before_their_returns_are_not_billions(void **state)
{
	const struct hist_counts early = { .queued = -2 };
	struct hist hist;

	(void)state;
	hist_fold(&early, HIST_US, &hist);
	assert_int_equal(hist.queued, 0);
}

static void an_extreme_that_was_lost_is_within_its_bucket(void **state)
{
	const uint64_t values[] = { 5000, 70000 };
	struct hist_counts counts;
	struct hist hist;

	(void)state;
	count_values(&counts, HIST_US, values, 2);
	counts.max_ns = 6000;
	counts.not_min_ns = 0;
	hist_fold(&counts, HIST_US, &hist);
	assert_in_range(hist.min_ns, 5000, 5000 + 5000 / 15);
	assert_in_range(hist.max_ns, 70000 - 70000 / 15, 70000);
}

static void percentages_are_as_the_user_wrote_them(void **state)
{
	static const char *const wrong[] = { "", ",", "50,", ",50", "0", "0.0", "100.001", "101", "-1",
		"5o", "50.", ".5", "1.2345", "1.2.3", "99999999999999999999", "+5", " 50",
		"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17" };
	struct percentile at[PERCENTILES_MAX + 1];

	(void)state;
	assert_int_equal(percentiles_parse("50,99.9,100,0.001,099.50", at), 0);
	assert_string_equal(at[0].name, "50");
	assert_int_equal(at[0].per_100000, 50000);
	assert_string_equal(at[1].name, "99.9");
	assert_int_equal(at[1].per_100000, 99900);
	assert_int_equal(at[2].per_100000, 100000);
	assert_int_equal(at[3].per_100000, 1);
	assert_int_equal(at[4].per_100000, 99500);
	assert_int_equal(at[5].name[0], 0);
	assert_int_equal(percentiles_parse("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", at), 0);
	assert_int_equal(at[16].name[0], 0);
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_int_equal(percentiles_parse(wrong[i], at), -EINVAL);
}

static void slots_are_powers_of_two_without_gaps(void **state)
{
	(void)state;
	assert_int_equal(hist_low(0), 0);
	assert_int_equal(hist_high(0), 1);
	assert_int_equal(hist_high(31), UINT32_MAX);
	assert_int_equal(hist_high(63), UINT64_MAX);
	for (int slot = 1; slot < HIST_SLOTS; slot++) {
		assert_int_equal(hist_low(slot), hist_high(slot - 1) + 1);
		assert_int_equal(hist_low(slot), 1ULL << slot);
	}
}

static void used_ends_with_the_highest_filled_slot(void **state)
{
	struct hist hist = { .queued = 5, .again = 5 };

	(void)state;
	assert_int_equal(hist_used(&hist), 0);
	for (int slot = 0; slot < HIST_SLOTS; slot++) {
		hist.slots[slot] = 1;
		assert_int_equal(hist_used(&hist), slot + 1);
	}
	memset(hist.slots, 0, (HIST_SLOTS - 1) * sizeof(*hist.slots));
	assert_int_equal(hist_used(&hist), HIST_SLOTS);
}

#define CPUS 3

/* A block is the difference of two readings, each the sum over the CPUs; extremes begin anew. */
static void blocks_are_differences_summed_over_all_cpus(void **state)
{
	static struct hist_counts of[CPUS], before, now, block;
	const struct percpu counters = { of, sizeof(*of), CPUS };
	uint32_t seed = 20;

	(void)state;
	for (int round = 1; round < 50; round++) {
		uint64_t added[HIST_BUCKETS] = { 0 };

		for (int cpu = 0; cpu < CPUS; cpu++) {
			for (int bucket = 0; bucket < HIST_BUCKETS; bucket++) {
				uint64_t more = (uint64_t)random_next(&seed) << round % 30;

				of[cpu].buckets[bucket] += more;
				added[bucket] += more;
			}
			of[cpu].sum_ns += round;
			of[cpu].queued += cpu == 0 ? round : 0;
			of[cpu].again += cpu == 2 ? 1ULL << 33 : 0;
			of[cpu].max_ns = 1000 * round + cpu;
			of[cpu].not_min_ns = ~(uint64_t)(100 - round + cpu);
		}
		hist_read(&counters, &now);
		block = now;
		hist_subtract(&block, &before);
		before = now;
		assert_memory_equal(block.buckets, added, sizeof(added));
		assert_int_equal(block.sum_ns, CPUS * round);
		assert_int_equal(block.queued, round);
		assert_int_equal(block.again, 1ULL << 33);
		assert_int_equal(block.max_ns, 1000 * round + CPUS - 1);
		assert_int_equal(~block.not_min_ns, 100 - round);
		for (int cpu = 0; cpu < CPUS; cpu++)
			assert_false(of[cpu].max_ns || of[cpu].not_min_ns);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_power_of_two_of_the_unit_is_a_border),
		cmocka_unit_test(buckets_are_without_gaps_and_narrow),
		cmocka_unit_test(any_value_is_where_division_puts_it),
		cmocka_unit_test(percentiles_are_within_a_sixteenth),
		cmocka_unit_test(one_value_is_all_percentiles),
		cmocka_unit_test(nothing_counted_is_all_zero),
		cmocka_unit_test(completions_before_their_returns_are_not_billions),
		cmocka_unit_test(an_extreme_that_was_lost_is_within_its_bucket),
		cmocka_unit_test(percentages_are_as_the_user_wrote_them),
		cmocka_unit_test(slots_are_powers_of_two_without_gaps),
		cmocka_unit_test(used_ends_with_the_highest_filled_slot),
		cmocka_unit_test(blocks_are_differences_summed_over_all_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

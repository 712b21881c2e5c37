// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/show/hist.c: which values a slot holds, and sums and differences of counts. */
#include "test.h"

#include "core/show/hist.h"
#include "core/kernel/percpu.h"

/* The counters of three CPUs, two histograms each. */
#define CPUS 3
#define KEYS 2

static struct hist values[CPUS][KEYS];
static const struct percpu counters = { values, sizeof(values[0]), CPUS };

static void slots_are_powers_of_two_without_gaps(void **state)
{
	(void)state;
	assert_int_equal(hist_low(0), 0);
	assert_int_equal(hist_high(0), 1);
	assert_int_equal(hist_low(1), 2);
	assert_int_equal(hist_high(1), 3);
	assert_int_equal(hist_low(2), 4);
	assert_int_equal(hist_high(2), 7);
	assert_int_equal(hist_low(32), 1ULL << 32);
	assert_int_equal(hist_high(31), UINT32_MAX);
	assert_int_equal(hist_low(63), 1ULL << 63);
	assert_int_equal(hist_high(63), UINT64_MAX);
	for (int slot = 1; slot < HIST_SLOTS; slot++) {
		assert_int_equal(hist_low(slot), hist_high(slot - 1) + 1);
		assert_int_equal(hist_low(slot), 1ULL << slot);
	}
}

static void used_ends_with_the_highest_filled_slot(void **state)
{
	struct hist hist = { 0 };

	(void)state;
	assert_int_equal(hist_used(&hist), 0);
	/* What is no latency fills no slot. */
	hist.queued = hist.again = 5;
	assert_int_equal(hist_used(&hist), 0);
	assert_int_equal(hist_count(&hist), 0);
	for (int slot = 0; slot < HIST_SLOTS; slot++) {
		hist.slots[slot] = 1;
		assert_int_equal(hist_used(&hist), slot + 1);
		assert_int_equal(hist_count(&hist), slot + 1);
	}
	for (int slot = 0; slot < HIST_SLOTS - 1; slot++)
		hist.slots[slot] = 0;
	assert_int_equal(hist_used(&hist), HIST_SLOTS);
}

static void counts_do_not_overflow_32_bits(void **state)
{
	struct hist hist = { .slots = { [3] = 1ULL << 31, [7] = 1ULL << 33, [63] = 1ULL << 40 } };

	(void)state;
	assert_int_equal(hist_count(&hist), (1ULL << 31) + (1ULL << 33) + (1ULL << 40));
}

static void a_block_is_the_difference_of_two_readings(void **state)
{
	struct hist before = { 0 }, now, block;
	uint32_t seed = 20;

	(void)state;
	for (int round = 0; round < 100; round++) {
		now = before;
		for (int slot = 0; slot < HIST_SLOTS; slot++)
			now.slots[slot] += (uint64_t)random_next(&seed) << slot % 30;
		now.queued += round;
		now.again += 2 * round;
		block = now;
		hist_subtract(&block, &before);
		assert_int_equal(block.queued, round);
		assert_int_equal(block.again, 2 * round);
		for (int slot = 0; slot < HIST_SLOTS; slot++)
			assert_int_equal(before.slots[slot] + block.slots[slot], now.slots[slot]);
		before = now;
	}
	hist_subtract(&now, &before);
	assert_int_equal(hist_used(&now), 0);
}

static void reading_sums_over_all_cpus(void **state)
{
	struct hist total;

	(void)state;
	memset(&total, 0xee, sizeof(total));
	for (int cpu = 0; cpu < CPUS; cpu++)
		for (int slot = 0; slot < HIST_SLOTS; slot++)
			values[cpu][1].slots[slot] = (1ULL << 33) * (cpu + 1) + slot;
	values[0][1].queued = 1;
	values[1][1].queued = 10;
	values[2][1].again = 100;
	hist_read(&counters, sizeof(struct hist), &total);
	for (int slot = 0; slot < HIST_SLOTS; slot++)
		assert_int_equal(total.slots[slot], (1ULL << 33) * 6 + 3 * slot);
	assert_int_equal(total.queued, 11);
	assert_int_equal(total.again, 100);
	hist_read(&counters, 0, &total);
	assert_int_equal(hist_used(&total), 0);
	assert_int_equal(total.queued, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_are_powers_of_two_without_gaps),
		cmocka_unit_test(used_ends_with_the_highest_filled_slot),
		cmocka_unit_test(counts_do_not_overflow_32_bits),
		cmocka_unit_test(a_block_is_the_difference_of_two_readings),
		cmocka_unit_test(reading_sums_over_all_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* applets/dcstat_*.h: what a row of dcstat says of the counts of its interval, and in which order. */
#include "test.h"

#include "applets/dcstat_keys.h"
#include "applets/dcstat_row.h"

static struct dcstat_row row_of(struct dcache_counts before, struct dcache_counts now, uint64_t ns)
{
	struct dcstat_row row;

	memset(&row, 0xee, sizeof(row));
	dcstat_row_make(&row, &before, &now, ns);
	return row;
}

/* By type: missed, found, negative. */
#define FAST(...) .fast = { __VA_ARGS__ }
#define SLOW(...) .slow = { __VA_ARGS__ }
#define COUNTS(...) (struct dcache_counts){ __VA_ARGS__ }

static void a_row_is_the_difference_of_two_readings(void **state)
{
	struct dcstat_row row = row_of(COUNTS(FAST(0, 1000, 100), SLOW(50, 10, 1)),
				       COUNTS(FAST(0, 1700, 103), SLOW(257, 21, 3)), NS_PER_SECOND);

	(void)state;
	assert_int_equal(row.misses, 207);
	assert_int_equal(row.found, 711);
	assert_int_equal(row.negative, 5);
	assert_int_equal(row.refs, 923);
	assert_int_equal(row.slow, 220);
	assert_int_equal(row.hit_percent, 7757);	/* 716 of 923 are 77.57 % and a little */
}

static void an_interval_without_look_ups_has_no_hit_ratio(void **state)
{
	struct dcache_counts counts = COUNTS(FAST(0, 7, 7), SLOW(7, 7, 7));
	struct dcstat_row row = row_of(counts, counts, NS_PER_SECOND);

	(void)state;
	assert_int_equal(row.refs, 0);
	assert_int_equal(row.hit_percent, PERCENT_NONE);
}

static void one_miss_in_a_million_is_no_100_percent(void **state)
{
	(void)state;
	assert_int_equal(row_of(COUNTS(), COUNTS(FAST(0, 999999), SLOW(1)), 1).hit_percent, 9999);
	assert_int_equal(row_of(COUNTS(), COUNTS(FAST(0, 1)), 1).hit_percent, 10000);
	assert_int_equal(row_of(COUNTS(), COUNTS(FAST(0, 0, 1)), 1).hit_percent, 10000);
	assert_int_equal(row_of(COUNTS(), COUNTS(SLOW(1)), 1).hit_percent, 0);
	assert_int_equal(row_of(COUNTS(), COUNTS(FAST(0, UINT64_MAX / 2), SLOW(1)), 1).hit_percent, 9999);
}

static void rates_are_of_the_time_that_has_passed(void **state)
{
	struct dcache_counts counts = COUNTS(FAST(0, 1000, 70), SLOW(30));
	struct dcstat_row row = row_of(COUNTS(), counts, 3 * NS_PER_SECOND);

	(void)state;
	assert_int_equal(row.refs_per_s, 367);		/* 366.67 */
	assert_int_equal(row.slow_per_s, 10);
	assert_int_equal(row.misses_per_s, 10);
	assert_int_equal(row.negative_per_s, 23);	/* 23.33 */
	assert_int_equal(row_of(COUNTS(), counts, NS_PER_SECOND / 2).refs_per_s, 2200);
	assert_int_equal(dcstat_rate(UINT64_MAX / 2, NS_PER_SECOND), UINT64_MAX / 2);
	assert_int_equal(dcstat_rate(5, 0), 0);
}

static void whatever_is_counted_meanwhile_the_parts_make_up_the_whole(void **state)
{
	struct dcache_counts before = COUNTS(), now;
	uint32_t seed = 11;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		struct dcstat_row row;

		now = before;
		for (int type = LOOKUP_MISS; type <= LOOKUP_NEGATIVE; type++) {
			now.fast[type] += type != LOOKUP_MISS ? random_next(&seed) % 1000 : 0;
			now.slow[type] += random_next(&seed) % 3;
		}
		row = row_of(before, now, 1 + random_next(&seed));
		assert_int_equal(row.refs, row.found + row.negative + row.misses);
		assert_true(row.misses <= row.slow && row.slow <= row.refs);
		assert_true(row.refs ? row.hit_percent <= 10000 : row.hit_percent == PERCENT_NONE);
		before = now;
	}
}

static void keys_with_most_misses_come_first_then_the_busiest(void **state)
{
	static const struct by_place places[4];
	struct dcstat_key keys[] = {
		{ &places[0], COUNTS(FAST(0, 1000000)) },
		{ &places[1], COUNTS(SLOW(7)) },
		{ &places[2], COUNTS(FAST(0, 0, 3), SLOW(7)) },
		{ &places[3], COUNTS(SLOW(UINT32_MAX + 1ULL)) },
	};
	static const size_t order[] = { 3, 2, 1, 0 };

	(void)state;
	qsort(keys, 4, sizeof(*keys), dcstat_compare);
	for (size_t i = 0; i < 4; i++)
		assert_ptr_equal(keys[i].place, &places[order[i]]);
}

static void what_is_added_can_be_subtracted(void **state)
{
	struct dcache_counts sum = COUNTS(FAST(0, 5, 7), SLOW(11, 13, 17));
	const struct dcache_counts more = COUNTS(FAST(0, 19, 23), SLOW(29, 31, 37)), before = sum;

	(void)state;
	dcstat_add(&sum, &more);
	assert_int_equal(dcstat_refs(&sum), 5 + 7 + 11 + 13 + 17 + 19 + 23 + 29 + 31 + 37);
	assert_int_equal(dcstat_misses(&sum), 11 + 29);
	dcstat_subtract(&sum, &more);
	assert_memory_equal(&sum, &before, sizeof(sum));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_the_difference_of_two_readings),
		cmocka_unit_test(an_interval_without_look_ups_has_no_hit_ratio),
		cmocka_unit_test(one_miss_in_a_million_is_no_100_percent),
		cmocka_unit_test(rates_are_of_the_time_that_has_passed),
		cmocka_unit_test(keys_with_most_misses_come_first_then_the_busiest),
		cmocka_unit_test(what_is_added_can_be_subtracted),
		cmocka_unit_test(whatever_is_counted_meanwhile_the_parts_make_up_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

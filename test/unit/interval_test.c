// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/show/interval.c: ticks stay on their grid, and a block says what it covers. */
#include "test.h"

#include <signal.h>

#include "core/base/clock.h"
#include "core/base/stop.h"
#include "core/show/interval.h"

#define MS UINT64_C(1000000)
#define EVERY (50 * MS)

static struct stop stop;

static int open_stop(void **state)
{
	(void)state;
	return stop_open(&stop);
}

static int close_stop(void **state)
{
	(void)state;
	stop_close(&stop);
	return 0;
}

static int64_t between(const struct timespec *from, const struct timespec *to)
{
	return (to->tv_sec - from->tv_sec) * (int64_t)NS_PER_SECOND + to->tv_nsec - from->tv_nsec;
}

static void blocks_follow_each_other_on_the_grid(void **state)
{
	struct interval interval;
	struct timespec end;

	(void)state;
	interval_start(&interval, EVERY, 3);
	for (uint64_t block = 1; block <= 3; block++) {
		end = interval.end;
		assert_true(interval_next(&interval, &stop));
		assert_true(now_ns() >= interval.grid_ns + block * EVERY);
		assert_int_equal(between(&end, &interval.start), 0);
		assert_true(between(&interval.start, &interval.end) > 0);
	}
	assert_false(interval_next(&interval, &stop));
	assert_false(interval_next(&interval, &stop));
}

/* As by SIGSTOP, or an output that blocks. */
static void missed_ticks_are_skipped(void **state)
{
	struct interval interval;
	uint64_t late_ns;

	(void)state;
	interval_start(&interval, EVERY, 2);
	usleep(180000);
	assert_true(interval_next(&interval, &stop));
	late_ns = interval.end_ns;
	assert_true(between(&interval.start, &interval.end) >= (int64_t)(175 * MS));
	assert_true(interval_next(&interval, &stop));
	/* One more tick, of the grid. */
	assert_true(interval.end_ns >= interval.grid_ns + 4 * EVERY);
	assert_true((interval.end_ns - interval.grid_ns) / EVERY > (late_ns - interval.grid_ns) / EVERY);
	assert_false(interval_next(&interval, &stop));
}

static void the_stop_ends_the_last_block(void **state)
{
	struct interval interval;
	uint64_t before_ns = now_ns();

	(void)state;
	stop_after(&stop, 20 * MS);
	interval_start(&interval, 3600 * NS_PER_SECOND, 0);
	assert_true(interval_next(&interval, &stop));
	assert_in_range(now_ns() - before_ns, 20 * MS, 10 * NS_PER_SECOND);
	assert_true(between(&interval.start, &interval.end) >= (int64_t)(15 * MS));
	assert_false(interval_next(&interval, &stop));
}

static void a_tick_at_the_deadline_is_the_last(void **state)
{
	struct interval interval;
	int blocks = 0;

	(void)state;
	stop_after(&stop, 2 * EVERY);
	interval_start(&interval, EVERY, 0);
	while (interval_next(&interval, &stop))
		blocks++;
	/* Of a machine that stands still for so long, one tick is skipped. */
	assert_in_range(blocks, 1, 2);
}

static void without_an_interval_there_is_one_block(void **state)
{
	struct interval interval;

	(void)state;
	raise(SIGTERM);
	interval_start(&interval, 0, 0);
	assert_true(interval_next(&interval, &stop));
	assert_false(interval_next(&interval, &stop));
}

static void the_longest_interval_does_not_overflow(void **state)
{
	struct interval interval;

	(void)state;
	stop_after(&stop, 20 * MS);
	interval_start(&interval, UINT64_MAX, 0);
	assert_true(interval_next(&interval, &stop));
	assert_false(interval_next(&interval, &stop));
}

/* The wall clock as the linker puts it in the place of the C library's: off by that many seconds. */
static time_t wall_clock_off;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
extern int __real_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	int err = __real_clock_gettime(clock, time);

	if (clock == CLOCK_REALTIME)
		time->tv_sec += wall_clock_off;
	return err;
}

static void a_clock_that_is_set_does_not_change_the_length(void **state)
{
	static const time_t steps[] = { -3600, 86400, -500000000, 3600 };
	struct interval interval;

	(void)state;
	wall_clock_off = 0;
	interval_start(&interval, EVERY, 0);
	for (size_t i = 0; i < COUNT_OF(steps); i++) {
		struct timespec now;

		wall_clock_off += steps[i];
		assert_true(interval_next(&interval, &stop));
		clock_gettime(CLOCK_REALTIME, &now);
		assert_in_range(between(&interval.end, &now), 0, 60 * NS_PER_SECOND);
		assert_in_range(between(&interval.start, &interval.end), 1, 60 * NS_PER_SECOND);
		assert_in_range(interval.start.tv_nsec, 0, NS_PER_SECOND - 1);
	}
	wall_clock_off = 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define STOP_TEST(test) cmocka_unit_test_setup_teardown(test, open_stop, close_stop)
		STOP_TEST(blocks_follow_each_other_on_the_grid),
		STOP_TEST(missed_ticks_are_skipped),
		STOP_TEST(the_stop_ends_the_last_block),
		STOP_TEST(a_tick_at_the_deadline_is_the_last),
		STOP_TEST(the_longest_interval_does_not_overflow),
		STOP_TEST(a_clock_that_is_set_does_not_change_the_length),
		/* The last one, as its signal stays. */
		STOP_TEST(without_an_interval_there_is_one_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

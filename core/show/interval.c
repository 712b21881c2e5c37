// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ticks on a grid, and blocks between them. */
#include "core/show/interval.h"

#include "core/base/clock.h"
#include "core/base/stop.h"

#define CLOCK_WAS_SET_NS (NS_PER_SECOND / 100)

static int64_t to_ns(const struct timespec *time)
{
	return time->tv_sec * (int64_t)NS_PER_SECOND + time->tv_nsec;
}

static struct timespec to_timespec(int64_t ns)
{
	int64_t seconds = ns / (int64_t)NS_PER_SECOND, rest = ns % (int64_t)NS_PER_SECOND;

	if (rest < 0)
		return (struct timespec){ seconds - 1, rest + NS_PER_SECOND };
	return (struct timespec){ seconds, rest };
}

/* Reads both clocks at one moment, or nearly: we may be preempted in between. */
static void read_clocks(struct interval *interval)
{
	uint64_t before_ns;

	for (int tries = 0; tries < 100; tries++) {
		before_ns = now_ns();
		clock_gettime(CLOCK_REALTIME, &interval->end);
		interval->end_ns = now_ns();
		if (interval->end_ns - before_ns < CLOCK_WAS_SET_NS / 10)
			return;
	}
}

/* Lets a block end now, and the one before it where this one starts. */
static void end_block(struct interval *interval)
{
	uint64_t before_ns = interval->end_ns;
	int64_t start_ns, moved_ns;

	interval->start = interval->end;
	read_clocks(interval);
	start_ns = to_ns(&interval->end) - (int64_t)(interval->end_ns - before_ns);
	moved_ns = start_ns - to_ns(&interval->start);
	if (moved_ns > (int64_t)CLOCK_WAS_SET_NS || moved_ns < -(int64_t)CLOCK_WAS_SET_NS)
		interval->start = to_timespec(start_ns);
}

static uint64_t next_tick(const struct interval *interval)
{
	uint64_t ticks;

	if (!interval->every_ns)
		return NEVER;
	ticks = (interval->end_ns - interval->grid_ns) / interval->every_ns;
	return add_ns(interval->grid_ns + ticks * interval->every_ns, interval->every_ns);
}

void interval_start(struct interval *interval, uint64_t every_ns, uint64_t count)
{
	*interval = (struct interval){ .every_ns = every_ns,
				       .blocks_left = count ? count : UINT64_MAX,
				       .watch_fd = -1 };
	read_clocks(interval);
	interval->grid_ns = interval->end_ns;
}

void interval_watch(struct interval *interval, int fd, void (*watch)(void *context), void *context)
{
	interval->watch_fd = fd;
	interval->watch = watch;
	interval->watch_context = context;
}

bool interval_next(struct interval *interval, struct stop *stop)
{
	enum wait_end end;

	if (!interval->blocks_left)
		return false;
	interval->blocks_left--;
	while ((end = stop_wait(stop, interval->watch_fd, next_tick(interval))) == WAIT_EVENT)
		interval->watch(interval->watch_context);
	if (end == WAIT_STOP)
		interval->blocks_left = 0;
	end_block(interval);
	return true;
}

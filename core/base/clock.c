// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The clock by which we wait and measure. */
#include "core/base/clock.h"

#include <time.h>

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* When the blocks of a run are due, and what time each covers. */
#ifndef FSTRACE_CORE_SHOW_INTERVAL_H
#define FSTRACE_CORE_SHOW_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct stop;

struct interval {
	struct timespec start, end;	/* of the block, by the wall clock */
	/* The rest is interval.c's. */
	uint64_t every_ns;		/* 0: one block, at the stop */
	uint64_t blocks_left;
	uint64_t grid_ns, end_ns;	/* the first block's start and the last one's end */
	int watch_fd;			/* -1: none */
	void (*watch)(void *context);
	void *watch_context;
};

/* The first block starts now. One is due every `every_ns`, `count` times (0: until the stop). */
void interval_start(struct interval *interval, uint64_t every_ns, uint64_t count);

/* Lets `watch` be called whenever `fd` can be read while interval_next() sleeps; it must read it. */
void interval_watch(struct interval *interval, int fd, void (*watch)(void *context), void *context);

/*
 * Sleeps until a block is due: at the next tick or, the last one, at the stop. Returns false when
 * there is none any more. Ticks stay on the grid of every_ns; those during which we could not
 * run or write are skipped, so the block is longer. Its end is where the next one starts, unless
 * the wall clock was set in the meantime: then `start` is moved so that the length is right.
 */
bool interval_next(struct interval *interval, struct stop *stop);

#endif

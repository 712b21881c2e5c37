/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Waiting: for an event, a moment, or the end of the run, whichever comes first. */
#ifndef FSTRACE_CORE_BASE_CLOCK_H
#define FSTRACE_CORE_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_SECOND 1000000000ULL
#define NEVER UINT64_MAX

/* CLOCK_MONOTONIC, the clock of BPF programs too. */
uint64_t now_ns(void);

/* What ends a run: SIGINT, SIGTERM, SIGHUP; a deadline; a closed stdout; and stop_when(). */
struct stop {
	int signal_fd;
	uint64_t deadline_ns;	/* NEVER: none */
	int when_fd;		/* -1: none */
	bool (*when_over)(void *context);
	void *when_context;
};

/*
 * From here on the signals wait to be asked for, so that none interrupts the start half-way and
 * SIGPIPE does not kill. Returns 0 or -errno.
 */
int stop_open(struct stop *stop);

/* The run ends so long from now; 0: not by time. */
void stop_after(struct stop *stop, uint64_t duration_ns);

/*
 * The run also ends when `fd` is readable and then over(context) says so; if it says no, it has
 * read what there was. After a yes `fd` stays readable. `fd` -1: never.
 */
void stop_when(struct stop *stop, int fd, bool (*over)(void *context), void *context);

enum wait_end {
	WAIT_TIME,		/* until_ns has come */
	WAIT_EVENT,		/* fd is readable */
	WAIT_STOP,
};

/* Sleeps until `until_ns`, until `fd` (-1: none) is readable, or until the end. */
enum wait_end stop_wait(const struct stop *stop, int fd, uint64_t until_ns);

/*
 * Waits until `fd` can be written to, so that a reader that has stopped reading cannot keep us
 * from stop. After the end it has one more second. False: it did not come to that.
 */
bool stop_writable(const struct stop *stop, int fd);

#endif

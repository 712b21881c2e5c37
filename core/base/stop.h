/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What ends a run: SIGINT, SIGTERM, SIGHUP; a deadline; a closed stdout; and stop_when(). All
 * waiting is done here, so nothing can delay the stop.
 */
#ifndef FSTRACE_CORE_BASE_STOP_H
#define FSTRACE_CORE_BASE_STOP_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct stop {
	int signal_fd;
	uint64_t deadline_ns;	/* NEVER: none */
	uint64_t patience_ns;	/* how long writes may still wait after the stop, in all */
	timer_t alarm;		/* interrupts a write that blocks */
	uint64_t stopped_ns;	/* when the stop was noticed; 0: not yet */
	int when_fd;		/* -1: none */
	bool (*when_over)(void *context);
	void *when_context;
	void (*pass_on)(void *context, int signal_fd);	/* NULL: signals end the run */
	void *pass_context;
};

/*
 * From here on the three signals are blocked and read from a descriptor, so none interrupts the
 * start half-way, and SIGPIPE does not kill. A signal that was ignored when we were started (nohup,
 * a background job) stays ignored. Messages (log.h) wait by this `stop` too, so it must live until
 * stop_close() or as long as the process. Returns 0 or, after a message, -errno.
 */
int stop_open(struct stop *stop);
void stop_close(struct stop *stop);

/* The run ends `duration_ns` from now; 0: not by time. */
void stop_after(struct stop *stop, uint64_t duration_ns);

/*
 * The run also ends when `fd` is readable and over(context) then returns true; if it returns false,
 * it has read all input. `fd` -1: never.
 */
void stop_when(struct stop *stop, int fd, bool (*over)(void *context), void *context);

/* From here on signals do not end the run: pass_on(context, signal_fd) reads all of them. */
void stop_pass_signals(struct stop *stop, void (*pass_on)(void *context, int signal_fd),
		       void *context);

enum wait_end {
	WAIT_TIME,		/* until_ns has passed */
	WAIT_EVENT,		/* fd is readable */
	WAIT_STOP,
};

/*
 * Sleeps until `until_ns`, until `fd` (-1: none) is readable, or until the stop. The stop takes
 * precedence over the others, and from then on every call returns WAIT_STOP.
 */
enum wait_end stop_wait(struct stop *stop, int fd, uint64_t until_ns);

/*
 * How much longer the end of the run may take, so that it is over within a second of the stop.
 * Before the stop, or with NULL: as long as after it.
 */
uint64_t stop_left_ns(const struct stop *stop);

/*
 * Waits until `fd` can be written to. Returns false if it did not become writable before the stop
 * and within what was left of patience_ns. Used by write_all(), which also deducts from it.
 */
bool stop_writable(struct stop *stop, int fd);

/* After the stop, deducts the time since *since_ns from the patience; sets *since_ns to now. */
void stop_charge(struct stop *stop, uint64_t *since_ns);

/* From here on a signal without effect interrupts system calls that block, until switched off. */
void stop_interrupt(const struct stop *stop, bool on);

#endif

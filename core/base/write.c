// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * write() that never blocks for long, whatever the other end does. poll() is not enough: it reports
 * a stopped terminal (Ctrl-S) as writable, and a pipe as having room that another writer may fill
 * first. O_NONBLOCK would affect all processes that share the terminal. So a timer interrupts the
 * write.
 */
#include "core/base/write.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/stop.h"

/* A piece that a writable pipe accepts at once and undivided: whole lines if it contains any. */
static size_t next_piece(const char *bytes, size_t left)
{
	const char *end;

	if (left <= PIPE_BUF)
		return left;
	end = memrchr(bytes, '\n', PIPE_BUF);
	return end ? (size_t)(end + 1 - bytes) : PIPE_BUF;
}

/* Whether to go on after write() failed. */
static bool may_retry(void)
{
	/* poll() may report a terminal as writable that has no room for a whole character. */
	if (errno == EAGAIN)
		nanosleep(&(struct timespec){ .tv_nsec = NS_PER_SECOND / 100 }, NULL);
	return errno == EINTR || errno == EAGAIN;
}

size_t write_all(int fd, const char *bytes, size_t size, struct stop *stop)
{
	struct stat st;
	bool is_file = fstat(fd, &st) || S_ISREG(st.st_mode);
	uint64_t since_ns = now_ns();
	size_t done = 0;
	int err = 0;

	if (stop && !is_file)
		stop_interrupt(stop, true);
	while (done < size && !err) {
		size_t piece = is_file ? size - done : next_piece(bytes + done, size - done);
		ssize_t written;

		if (stop && !stop_writable(stop, fd)) {
			err = ETIMEDOUT;
			break;
		}
		written = write(fd, bytes + done, piece);
		if (written >= 0)
			done += written;
		else if (!may_retry())
			err = errno;
		if (!stop)
			continue;
		stop_charge(stop, &since_ns);
		if (!err && stop->stopped_ns && !stop->patience_ns && done < size)
			err = ETIMEDOUT;
	}
	if (stop && !is_file)
		stop_interrupt(stop, false);
	if (stop)
		stop_charge(stop, &since_ns);
	errno = err;
	return done;
}

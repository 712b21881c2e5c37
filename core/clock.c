// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Waiting with ppoll(): signals come through a descriptor, so there is no race to lose. */
#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

int ending_open(struct ending *ending)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	ending->deadline_ns = NEVER;
	ending->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	return ending->signal_fd < 0 ? -errno : 0;
}

void ending_after(struct ending *ending, uint64_t duration_ns)
{
	ending->deadline_ns = duration_ns ? now_ns() + duration_ns : NEVER;
}

enum woken ending_wait(const struct ending *ending, int fd, uint64_t until_ns)
{
	struct pollfd fds[] = {
		{ .fd = ending->signal_fd, .events = POLLIN },
		{ .fd = STDOUT_FILENO },	/* POLLERR: who read it has gone */
		{ .fd = fd, .events = POLLIN },
	};
	uint64_t wake_ns = until_ns < ending->deadline_ns ? until_ns : ending->deadline_ns;

	for (;;) {
		uint64_t now = now_ns(), left = wake_ns > now ? wake_ns - now : 0;
		struct timespec timeout = { left / NS_PER_SECOND, left % NS_PER_SECOND };
		int ready = ppoll(fds, 3, wake_ns == NEVER ? NULL : &timeout, NULL);

		if (ready < 0 && errno != EINTR)
			return WOKEN_TO_END;
		if (ready > 0 && (fds[0].revents || fds[1].revents))
			return WOKEN_TO_END;
		if (ready > 0)
			return WOKEN_BY_EVENT;
		if (!ready && now_ns() >= wake_ns)
			return wake_ns == until_ns ? WOKEN_BY_TIME : WOKEN_TO_END;
	}
}

bool ending_writable(const struct ending *ending, int fd)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLOUT },
		{ .fd = ending->signal_fd, .events = POLLIN },
	};
	uint64_t now = now_ns(), left = ending->deadline_ns > now ? ending->deadline_ns - now : 0;
	struct timespec timeout = { left / NS_PER_SECOND, left % NS_PER_SECOND };

	ppoll(fds, 2, ending->deadline_ns == NEVER ? NULL : &timeout, NULL);
	return fds[0].revents || poll(fds, 1, 1000) > 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Waiting with ppoll(): signals come through a descriptor, so there is no race to lose. */
#include "core/base/clock.h"

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

int stop_open(struct stop *stop)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	stop->deadline_ns = NEVER;
	stop->when_fd = -1;
	stop->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	return stop->signal_fd < 0 ? -errno : 0;
}

void stop_after(struct stop *stop, uint64_t duration_ns)
{
	stop->deadline_ns = duration_ns ? now_ns() + duration_ns : NEVER;
}

void stop_when(struct stop *stop, int fd, bool (*over)(void *context), void *context)
{
	stop->when_fd = fd;
	stop->when_over = over;
	stop->when_context = context;
}

enum wait_end stop_wait(const struct stop *stop, int fd, uint64_t until_ns)
{
	struct pollfd fds[] = {
		{ .fd = stop->signal_fd, .events = POLLIN },
		{ .fd = STDOUT_FILENO },	/* POLLERR: who read it has gone */
		{ .fd = stop->when_fd, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};
	uint64_t wake_ns = until_ns < stop->deadline_ns ? until_ns : stop->deadline_ns;

	for (;;) {
		uint64_t now = now_ns(), left = wake_ns > now ? wake_ns - now : 0;
		struct timespec timeout = { left / NS_PER_SECOND, left % NS_PER_SECOND };
		int ready = ppoll(fds, 4, wake_ns == NEVER ? NULL : &timeout, NULL);

		if (ready < 0 && errno != EINTR)
			return WAIT_STOP;
		if (ready > 0 && (fds[0].revents || fds[1].revents))
			return WAIT_STOP;
		if (ready > 0 && fds[2].revents && stop->when_over(stop->when_context))
			return WAIT_STOP;
		if (ready > 0 && fds[3].revents)
			return WAIT_EVENT;
		if (now_ns() >= wake_ns)
			return wake_ns == until_ns ? WAIT_TIME : WAIT_STOP;
	}
}

bool stop_writable(const struct stop *stop, int fd)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLOUT },
		{ .fd = stop->signal_fd, .events = POLLIN },
	};
	uint64_t now = now_ns(), left = stop->deadline_ns > now ? stop->deadline_ns - now : 0;
	struct timespec timeout = { left / NS_PER_SECOND, left % NS_PER_SECOND };

	ppoll(fds, 2, stop->deadline_ns == NEVER ? NULL : &timeout, NULL);
	return fds[0].revents || poll(fds, 1, 1000) > 0;
}

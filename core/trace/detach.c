// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A child shares our descriptors, so closing ours detaches nothing; the child closes its own once
 * we have closed ours, and it is the child that the kernel keeps waiting.
 */
#include "core/trace/detach.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/kernel/environment.h"

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
}

/* In the child, whose end of the socket is `ours`: no one may wait for its stdout to be closed. */
static void __attribute__((noreturn)) close_in_child(const int *links, size_t count, int ours)
{
	char byte;

	setsid();
	setpriority(PRIO_PROCESS, 0, 0);	/* the end of a run is urgent, this is not */
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		close(fd);
	while (read(ours, &byte, 1) > 0)
		;
	close_all(links, count);
	_exit(0);
}

static bool wait_for_child(int theirs, uint64_t max_ns)
{
	struct timespec timeout = { max_ns / NS_PER_SECOND, max_ns % NS_PER_SECOND };
	struct pollfd fd = { .fd = theirs, .events = POLLIN };

	/* Our signals have been blocked since stop_open(), so none interrupts this. */
	return ppoll(&fd, 1, &timeout, NULL) > 0;
}

bool detach(const int *links, size_t count, uint64_t max_ns)
{
	bool detached = true;
	int sockets[2];
	pid_t child;

	if (!count)
		return true;
	/*
	 * A task in synchronize_rcu_tasks() whose PID namespace ends, while the first process of that
	 * waits for it in zap_pid_ns_processes(), locks up kernels before 6.9 (seen on 6.1.192): so
	 * nothing stays behind in a namespace that can end.
	 */
	if (!environment_is_initial_pid_namespace() ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) {
		close_all(links, count);
		return true;
	}
	child = fork();
	if (!child) {
		close(sockets[0]);
		close_in_child(links, count, sockets[1]);
	}
	close(sockets[1]);
	close_all(links, count);
	shutdown(sockets[0], SHUT_WR);
	if (child > 0)
		detached = wait_for_child(sockets[0], max_ns);
	close(sockets[0]);
	return detached;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/trace/detach.c: all is closed, in time or in the background. Pipes stand for links. */
#include "test.h"

#include <poll.h>
#include <signal.h>

#include "core/base/clock.h"
#include "core/trace/detach.h"

#define MS UINT64_C(1000000)

/* close() as the linker puts it in the place of the C library's: slow in the child. */
static pid_t parent;
static useconds_t close_takes_us;

/* Whether the namespace of this test is the initial one. */
static bool is_initial = true;

bool __wrap_environment_is_initial_pid_namespace(void);
bool __wrap_environment_is_initial_pid_namespace(void)
{
	return is_initial;
}

int __wrap_close(int fd);
extern int __real_close(int fd);

int __wrap_close(int fd)
{
	if (getpid() != parent && fd > STDERR_FILENO)
		usleep(close_takes_us);
	return __real_close(fd);
}

/* Whether the other end of the pipe is closed everywhere within `ms`. */
static bool is_gone(int fd, int ms)
{
	struct pollfd poll_fd = { .fd = fd };

	return poll(&poll_fd, 1, ms) > 0 && poll_fd.revents & POLLHUP;
}

static void open_links(int links[3], int others[3])
{
	for (int i = 0; i < 3; i++) {
		int fds[2];

		assert_int_equal(pipe(fds), 0);
		others[i] = fds[0];
		links[i] = fds[1];
	}
}

static void what_is_quick_is_waited_for(void **state)
{
	int links[3], others[3];

	(void)state;
	parent = getpid();
	open_links(links, others);
	assert_true(detach(links, 3, 20000 * MS));
	for (int i = 0; i < 3; i++) {
		assert_true(is_gone(others[i], 0));
		close(others[i]);
	}
	assert_true(detach(NULL, 0, 0));
	assert_true(waitpid(-1, NULL, 0) > 0);
}

static void what_is_slow_goes_on_in_the_background(void **state)
{
	int links[3], others[3], out[2], saved = dup(STDOUT_FILENO);
	uint64_t begin_ns = now_ns(), taken_ns;
	bool detached, out_is_gone;

	(void)state;
	parent = getpid();
	open_links(links, others);
	assert_int_equal(pipe(out), 0);
	fflush(stdout);
	dup2(out[1], STDOUT_FILENO);
	close(out[1]);
	close_takes_us = 500000;
	detached = detach(links, 3, 50 * MS);
	taken_ns = now_ns() - begin_ns;
	dup2(saved, STDOUT_FILENO);
	/* Who reads our stdout does not wait for the child. */
	out_is_gone = is_gone(out[0], 20000) && !is_gone(others[2], 0);
	close_takes_us = 0;
	close(saved);
	close(out[0]);
	assert_false(detached);
	assert_in_range(taken_ns, 50 * MS, 1400 * MS);
	assert_true(out_is_gone);
	for (int i = 0; i < 3; i++) {
		assert_true(is_gone(others[i], 20000));
		close(others[i]);
	}
	assert_true(waitpid(-1, NULL, 0) > 0);
}

static void nothing_stays_behind_in_a_namespace_that_can_end(void **state)
{
	int links[3], others[3];

	(void)state;
	parent = 0;	/* this process's close() is slow, too */
	open_links(links, others);
	is_initial = false;
	close_takes_us = 50000;
	assert_true(detach(links, 3, 1 * MS));
	close_takes_us = 0;
	is_initial = true;
	for (int i = 0; i < 3; i++) {
		assert_true(is_gone(others[i], 0));
		close(others[i]);
	}
	assert_int_equal(waitpid(-1, NULL, 0), -1);	/* there is no child */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_quick_is_waited_for),
		cmocka_unit_test(what_is_slow_goes_on_in_the_background),
		cmocka_unit_test(nothing_stays_behind_in_a_namespace_that_can_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

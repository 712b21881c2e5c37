// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/base/clock.c: what wakes a waiting run, and what ends it. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>

#include "core/base/clock.h"

#define MS 1000000ULL
#define SOON (now_ns() + 20 * MS)
#define LATER (now_ns() + 20000 * MS)

static int open_ending(void **state)
{
	static struct stop stop;

	*state = &stop;
	return stop_open(&stop);
}

static int close_ending(void **state)
{
	close(((struct stop *)*state)->signal_fd);
	return 0;
}

static void the_clock_does_not_run_backwards(void **state)
{
	uint64_t before = now_ns(), after = now_ns();
	struct timespec now;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert_true(before > 0 && before <= after);
	assert_in_range(now.tv_sec * NS_PER_SECOND + now.tv_nsec, after, after + 1000 * MS);
}

static void a_moment_wakes_when_it_has_come(void **state)
{
	uint64_t until = SOON;

	assert_int_equal(stop_wait(*state, -1, until), WAIT_TIME);
	assert_true(now_ns() >= until);
	assert_int_equal(stop_wait(*state, -1, until), WAIT_TIME);
	assert_int_equal(stop_wait(*state, -1, 0), WAIT_TIME);
}

static void a_duration_ends_the_run(void **state)
{
	struct stop *stop = *state;
	uint64_t before = now_ns();

	assert_int_equal(stop->deadline_ns, NEVER);
	stop_after(stop, 20 * MS);
	assert_int_equal(stop_wait(stop, -1, LATER), WAIT_STOP);
	assert_true(now_ns() >= before + 20 * MS);
	assert_int_equal(stop_wait(stop, -1, NEVER), WAIT_STOP);
}

static void no_duration_is_no_end(void **state)
{
	struct stop *stop = *state;

	stop_after(stop, 20 * MS);
	stop_after(stop, 0);
	assert_int_equal(stop->deadline_ns, NEVER);
	assert_int_equal(stop_wait(stop, -1, SOON), WAIT_TIME);
}

/* An interval that ends with the duration is still an interval: its block is printed as such. */
static void a_moment_at_the_deadline_is_the_moment(void **state)
{
	struct stop *stop = *state;

	stop_after(stop, 20 * MS);
	assert_int_equal(stop_wait(stop, -1, stop->deadline_ns), WAIT_TIME);
}

static void what_can_be_read_wakes(void **state)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(stop_wait(*state, fds[0], SOON), WAIT_TIME);
	assert_int_equal(write(fds[1], "x", 1), 1);
	assert_int_equal(stop_wait(*state, fds[0], LATER), WAIT_EVENT);
	close(fds[0]);
	close(fds[1]);
}

static void each_of_three_signals_ends_the_run(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	char info[128];

	for (size_t i = 0; i < COUNT_OF(signals); i++) {
		struct stop *stop = *state;

		raise(signals[i]);
		assert_int_equal(stop_wait(stop, -1, LATER), WAIT_STOP);
		/* It stays so: the end is not missed by who looks twice. */
		assert_int_equal(stop_wait(stop, -1, LATER), WAIT_STOP);
		assert_int_equal(read(stop->signal_fd, info, sizeof(info)), sizeof(info));
	}
}

static void a_signal_goes_before_events(void **state)
{
	struct stop *stop = *state;
	int fds[2];
	char info[128];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	raise(SIGTERM);
	assert_int_equal(stop_wait(stop, fds[0], LATER), WAIT_STOP);
	assert_int_equal(read(stop->signal_fd, info, sizeof(info)), sizeof(info));
	close(fds[0]);
	close(fds[1]);
}

static void ignore(int signal)
{
	(void)signal;
}

static void other_signals_interrupt_nothing(void **state)
{
	/* Nothing makes poll() go on; the others of this test do. */
	struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };
	uint64_t until = now_ns() + 100 * MS;
	int status;
	pid_t pid;

	sigaction(SIGUSR1, &action, NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		for (int i = 0; i < 8; i++) {
			usleep(5000);
			kill(getppid(), SIGUSR1);
		}
		_exit(0);
	}
	assert_int_equal(stop_wait(*state, -1, until), WAIT_TIME);
	assert_true(now_ns() >= until);
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void a_reader_of_stdout_that_goes_ends_the_run(void **state)
{
	int fds[2], saved = dup(STDOUT_FILENO);
	enum wait_end before, after;

	assert_int_equal(pipe(fds), 0);
	fflush(stdout);
	dup2(fds[1], STDOUT_FILENO);
	close(fds[1]);
	before = stop_wait(*state, -1, SOON);
	close(fds[0]);
	after = stop_wait(*state, -1, LATER);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	assert_int_equal(before, WAIT_TIME);
	assert_int_equal(after, WAIT_STOP);
}

/* Reads a byte: "-" is none that ends the run. "+" stays. */
static bool is_plus(void *context)
{
	char byte = 0;

	if (recv(*(int *)context, &byte, 1, MSG_PEEK) == 1 && byte == '+')
		return true;
	assert_int_equal(recv(*(int *)context, &byte, 1, 0), 1);
	return false;
}

static void what_else_may_end_the_run_is_asked(void **state)
{
	struct stop *stop = *state;
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	stop_when(stop, fds[0], is_plus, &fds[0]);
	assert_int_equal(stop_wait(stop, -1, SOON), WAIT_TIME);
	assert_int_equal(write(fds[1], "-", 1), 1);
	assert_int_equal(stop_wait(stop, -1, SOON), WAIT_TIME);
	assert_int_equal(write(fds[1], "--+", 3), 3);
	assert_int_equal(stop_wait(stop, -1, LATER), WAIT_STOP);
	assert_int_equal(stop_wait(stop, -1, LATER), WAIT_STOP);
	close(fds[0]);
	close(fds[1]);
}

static void a_closed_pipe_does_not_kill(void **state)
{
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	assert_int_equal(write(fds[1], "x", 1), -1);
	assert_int_equal(errno, EPIPE);
	close(fds[1]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define ENDING_TEST(test) cmocka_unit_test_setup_teardown(test, open_ending, close_ending)
		cmocka_unit_test(the_clock_does_not_run_backwards),
		ENDING_TEST(a_moment_wakes_when_it_has_come),
		ENDING_TEST(a_duration_ends_the_run),
		ENDING_TEST(no_duration_is_no_end),
		ENDING_TEST(a_moment_at_the_deadline_is_the_moment),
		ENDING_TEST(what_can_be_read_wakes),
		ENDING_TEST(each_of_three_signals_ends_the_run),
		ENDING_TEST(a_signal_goes_before_events),
		ENDING_TEST(other_signals_interrupt_nothing),
		ENDING_TEST(a_reader_of_stdout_that_goes_ends_the_run),
		ENDING_TEST(what_else_may_end_the_run_is_asked),
		ENDING_TEST(a_closed_pipe_does_not_kill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

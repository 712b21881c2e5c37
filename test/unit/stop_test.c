// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/base/stop.c and clock.c: what wakes a waiting run, and what ends it. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/stop.h"

#define MS 1000000ULL
#define SOON (now_ns() + 20 * MS)
#define LATER (now_ns() + 20000 * MS)

static int open_stop(void **state)
{
	static struct stop stop;

	*state = &stop;
	return stop_open(&stop);
}

static int close_stop(void **state)
{
	stop_close(*state);
	return 0;
}

static void the_clock_does_not_run_backwards(void **state)
{
	uint64_t before = now_ns(), after = now_ns();
	struct timespec now;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert_true(before > 0 && before <= after);
	assert_in_range(now.tv_sec * NS_PER_SECOND + now.tv_nsec, after, after + 10000 * MS);
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

/* Whatever else there is to do: moments that have passed, and descriptors that stay readable. */
static void the_deadline_wins(void **state)
{
	struct stop *stop = *state;
	uint64_t deadline_ns;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	stop_after(stop, 20 * MS);
	deadline_ns = stop->deadline_ns;
	for (;;) {
		enum wait_end wait_end = stop_wait(stop, fds[0], 0);

		if (wait_end == WAIT_STOP)
			break;
		assert_int_equal(wait_end, WAIT_EVENT);
		assert_in_range(now_ns(), 0, deadline_ns + 10000 * MS);
	}
	assert_true(now_ns() >= deadline_ns);
	assert_int_equal(stop_wait(stop, -1, deadline_ns), WAIT_STOP);
	assert_int_equal(stop_wait(stop, -1, 0), WAIT_STOP);
	close(fds[0]);
	close(fds[1]);
}

static void a_duration_beyond_counting_is_no_end(void **state)
{
	struct stop *stop = *state;

	stop_after(stop, UINT64_MAX - 1);
	assert_int_equal(stop->deadline_ns, NEVER);
	assert_int_equal(stop_wait(stop, -1, SOON), WAIT_TIME);
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

/* Takes the signal that ended the run, and begins another. */
static void begin_again(struct stop *stop)
{
	char info[128];

	assert_int_equal(read(stop->signal_fd, info, sizeof(info)), sizeof(info));
	stop_close(stop);
	assert_int_equal(stop_open(stop), 0);
}

static void each_of_three_signals_ends_the_run(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < COUNT_OF(signals); i++) {
		struct stop *stop = *state;

		raise(signals[i]);
		assert_int_equal(stop_wait(stop, -1, LATER), WAIT_STOP);
		/* It stays so: the end is not missed by who looks twice. */
		assert_int_equal(stop_wait(stop, -1, LATER), WAIT_STOP);
		begin_again(stop);
	}
}

/* As nohup and shells without job control start us. */
static void an_ignored_signal_stays_ignored(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct stop *stop = *state;

	for (size_t i = 0; i < COUNT_OF(signals); i++) {
		sigset_t pending, set;

		stop_close(stop);
		sigemptyset(&set);
		sigaddset(&set, signals[i]);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		signal(signals[i], SIG_IGN);
		assert_int_equal(stop_open(stop), 0);
		raise(signals[i]);
		assert_int_equal(stop_wait(stop, -1, SOON), WAIT_TIME);
		assert_int_equal(sigpending(&pending), 0);
		assert_false(sigismember(&pending, signals[i]));
		/* The others still end it. */
		raise(signals[(i + 1) % COUNT_OF(signals)]);
		assert_int_equal(stop_wait(stop, -1, LATER), WAIT_STOP);
		signal(signals[i], SIG_DFL);
		begin_again(stop);
	}
}

static void a_stop_needs_descriptors(void **state)
{
	struct rlimit all, few = { 0 };
	struct capture capture;
	struct stop stop;
	char *message;
	int err;

	(void)state;
	capture = capture_begin(STDERR_FILENO);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
	few.rlim_max = all.rlim_max;
	setrlimit(RLIMIT_NOFILE, &few);
	err = stop_open(&stop);
	setrlimit(RLIMIT_NOFILE, &all);
	message = capture_end(&capture);
	assert_int_equal(err, -EMFILE);
	assert_string_equal(message, "fstrace: cannot wait for signals: Too many open files\n");
	free(message);
}

static void a_signal_goes_before_events(void **state)
{
	struct stop *stop = *state;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	raise(SIGTERM);
	assert_int_equal(stop_wait(stop, fds[0], LATER), WAIT_STOP);
	begin_again(stop);
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
	pid = child_fork();
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
#define STOP_TEST(test) cmocka_unit_test_setup_teardown(test, open_stop, close_stop)
		cmocka_unit_test(the_clock_does_not_run_backwards),
		STOP_TEST(a_moment_wakes_when_it_has_come),
		STOP_TEST(a_duration_ends_the_run),
		STOP_TEST(no_duration_is_no_end),
		STOP_TEST(the_deadline_wins),
		STOP_TEST(a_duration_beyond_counting_is_no_end),
		STOP_TEST(what_can_be_read_wakes),
		STOP_TEST(each_of_three_signals_ends_the_run),
		STOP_TEST(an_ignored_signal_stays_ignored),
		cmocka_unit_test(a_stop_needs_descriptors),
		STOP_TEST(a_signal_goes_before_events),
		STOP_TEST(other_signals_interrupt_nothing),
		STOP_TEST(a_reader_of_stdout_that_goes_ends_the_run),
		STOP_TEST(what_else_may_end_the_run_is_asked),
		STOP_TEST(a_closed_pipe_does_not_kill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

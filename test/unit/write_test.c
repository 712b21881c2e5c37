// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/base/write.c, and messages through it: readers that do not read hold up no end. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <termios.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/base/write.h"

#define MS UINT64_C(1000000)
#define PATIENCE (500 * MS)
#define SLACK (9500 * MS)	/* of a machine that is busy */
#define EARLY (20 * MS)		/* we may be late when we look at the clock */

static struct stop stop;
static char lines[1 << 20];

static int open_stop(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines); i++)
		lines[i] = i % 100 == 99 ? '\n' : 'a' + i % 26;
	return stop_open(&stop);
}

static int close_stop(void **state)
{
	(void)state;
	stop_close(&stop);
	return 0;
}

/* Writes more than fits; it must end by the stop, and in time. Returns what was written. */
static size_t write_too_much(int fd, uint64_t stop_ns)
{
	uint64_t begin_ns = now_ns();
	size_t done = write_all(fd, lines, sizeof(lines), &stop);
	int err = errno;

	assert_in_range(now_ns() - begin_ns + EARLY, stop_ns, stop_ns + PATIENCE + SLACK);
	assert_int_equal(err, ETIMEDOUT);
	assert_in_range(done, 0, sizeof(lines) - 1);
	return done;
}

static void a_pipe_without_a_reader_does_not_hold_up_the_deadline(void **state)
{
	int fds[2];
	size_t done;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	stop_after(&stop, 100 * MS);
	done = write_too_much(fds[1], 100 * MS + PATIENCE);
	assert_true(done > 4096);
	assert_int_equal(lines[done - 1], '\n');
	/* The patience is used up: what does not fit is given up at once. */
	write_too_much(fds[1], 0);
	close(fds[0]);
	close(fds[1]);
}

static void nor_does_it_hold_up_a_signal(void **state)
{
	int fds[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid = child_fork();
	if (!pid) {
		usleep(100000);
		kill(getppid(), SIGTERM);
		_exit(0);
	}
	write_too_much(fds[1], 100 * MS + PATIENCE);
	waitpid(pid, NULL, 0);
	close(fds[0]);
	close(fds[1]);
}

/* poll() reports room, and then another writer is faster. */
static void another_writer_of_the_pipe_does_not_either(void **state)
{
	pid_t writer, reader;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	writer = child_fork();
	if (!writer) {
		for (;;)
			if (write(fds[1], lines, 4096) < 0)
				_exit(0);
	}
	stop_after(&stop, 200 * MS);
	/* The reader takes 100 pages, for which both writers compete: less than ours alone has. */
	reader = child_fork();
	if (!reader) {
		for (int i = 0; i < 100; i++) {
			usleep(1000);
			if (read(fds[0], lines, 4096) < 0)
				break;
		}
		for (;;)
			pause();
	}
	write_too_much(fds[1], 200 * MS);
	kill(writer, SIGKILL);
	kill(reader, SIGKILL);
	assert_int_equal(waitpid(writer, NULL, 0), writer);
	assert_int_equal(waitpid(reader, NULL, 0), reader);
	close(fds[0]);
	close(fds[1]);
}

/* Opens a terminal; *master is its other end. */
static int open_terminal(int *master)
{
	int slave;

	*master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(*master >= 0 && !grantpt(*master) && !unlockpt(*master));
	slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	return slave;
}

static void a_terminal_that_nobody_reads_does_not_hold_up_the_end(void **state)
{
	int master, slave = open_terminal(&master);

	(void)state;
	stop_after(&stop, 100 * MS);
	assert_true(write_too_much(slave, 100 * MS) > 0);
	close(slave);
	close(master);
}

static void a_stopped_terminal_does_not_hold_up_the_end(void **state)
{
	int master, slave = open_terminal(&master);

	(void)state;
	assert_int_equal(tcflow(slave, TCOOFF), 0);
	stop_after(&stop, 100 * MS);
	assert_int_equal(write_too_much(slave, 100 * MS), 0);
	assert_int_equal(fcntl(slave, F_GETFL) & O_NONBLOCK, 0);
	close(slave);
	close(master);
}

static void what_blocks_for_a_while_is_written_whole(void **state)
{
	int master, slave = open_terminal(&master), status;
	struct termios raw;
	size_t done;
	pid_t pid;

	(void)state;
	assert_int_equal(tcgetattr(slave, &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(slave, TCSANOW, &raw), 0);
	pid = child_fork();
	if (!pid) {
		static char seen[sizeof(lines)];
		size_t got = 0;

		usleep(300000);
		while (got < sizeof(seen)) {
			ssize_t len = read(master, seen + got, sizeof(seen) - got);

			if (len <= 0)
				_exit(1);
			got += len;
		}
		_exit(memcmp(seen, lines, sizeof(seen)) != 0);
	}
	done = write_all(slave, lines, sizeof(lines), &stop);
	assert_int_equal(done, sizeof(lines));
	assert_int_equal(errno, 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(slave);
	close(master);
}

static void a_full_descriptor_that_does_not_block_is_waited_for(void **state)
{
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
	stop_after(&stop, 100 * MS);
	write_too_much(fds[1], 100 * MS);
	close(fds[0]);
	close(fds[1]);
}

static void an_error_is_returned_as_it_is(void **state)
{
	int fd = open("/dev/full", O_WRONLY), fds[2];

	(void)state;
	assert_int_equal(write_all(fd, "x", 1, &stop), 0);
	assert_int_equal(errno, ENOSPC);
	close(fd);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	assert_int_equal(write_all(fds[1], "x", 1, NULL), 0);
	assert_int_equal(errno, EPIPE);
	close(fds[1]);
}

/* stderr is a full pipe until it is read; then a message reports what was not written. */
static void messages_hold_up_nothing_and_are_counted(void **state)
{
	int fds[2], saved = dup(STDERR_FILENO);
	uint64_t begin_ns, taken_ns;
	bool ready_before, ready_full;
	ssize_t len;

	(void)state;
	assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
	dup2(fds[1], STDERR_FILENO);
	ready_before = log_ready();
	while (write(fds[1], lines, 4096) == 4096)
		;
	ready_full = log_ready();
	stop_after(&stop, 1);
	begin_ns = now_ns();
	for (int i = 0; i < 20; i++)
		log_error("message %d", i);
	taken_ns = now_ns() - begin_ns;
	while (read(fds[0], lines, sizeof(lines)) > 0)
		;
	log_error("the last one");
	dup2(saved, STDERR_FILENO);
	close(saved);
	len = read(fds[0], lines, sizeof(lines) - 1);
	assert_true(ready_before);
	assert_false(ready_full);
	assert_in_range(taken_ns, 0, PATIENCE + SLACK);
	assert_true(len > 0);
	lines[len] = '\0';
	assert_string_equal(lines, "fstrace: warning: messages not written: 20\n"
				   "fstrace: the last one\n");
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define STOP_TEST(test) cmocka_unit_test_setup_teardown(test, open_stop, close_stop)
		STOP_TEST(a_pipe_without_a_reader_does_not_hold_up_the_deadline),
		STOP_TEST(another_writer_of_the_pipe_does_not_either),
		STOP_TEST(a_terminal_that_nobody_reads_does_not_hold_up_the_end),
		STOP_TEST(a_stopped_terminal_does_not_hold_up_the_end),
		STOP_TEST(what_blocks_for_a_while_is_written_whole),
		STOP_TEST(a_full_descriptor_that_does_not_block_is_waited_for),
		STOP_TEST(an_error_is_returned_as_it_is),
		STOP_TEST(messages_hold_up_nothing_and_are_counted),
		/* The last one, as its signal stays. */
		STOP_TEST(nor_does_it_hold_up_a_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

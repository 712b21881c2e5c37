// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/show/output.c: when what is written where, what becomes of errors, and numbers by hand. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>

#include "core/base/clock.h"
#include "core/base/stop.h"
#include "core/base/log.h"
#include "core/show/output_form.h"
#include "rows.h"

static void nothing_is_written_before_a_flush(void **state)
{
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	(void)state;
	output_banner(out, "first");
	assert_int_equal(lseek(file, 0, SEEK_END), 0);
	assert_int_equal(output_flush(out), 0);
	assert_int_equal(lseek(file, 0, SEEK_END), 6);
	assert_int_equal(output_flush(out), 0);
	assert_int_equal(lseek(file, 0, SEEK_END), 6);
	output_banner(out, "second");
	text = written(out, file);
	assert_string_equal(text, "first\nsecond\n");
	free(text);
}

static void a_full_buffer_empties_itself_in_order(void **state)
{
	int file;
	struct output *out = output_to_memory(false, &file);
	char name[16], *text, *at;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		struct row row = { 0, i, i, "load", LOOKUP_MISS, name, 0 };

		snprintf(name, sizeof(name), "name.%d", i);
		put_row(out, &row);
	}
	text = at = written(out, file);
	for (int i = 0; i < 10000; i++) {
		char expected[80];

		snprintf(expected, sizeof(expected), "%-11s %-7d %-16s M name.%d\n", "5.000000", i,
			 "load", i);
		assert_memory_equal(at, expected, strlen(expected));
		at += strlen(expected);
	}
	assert_string_equal(at, "");
	free(text);
}

/* write() as the linker puts it in the place of the C library's: in small pieces, if wanted. */
static bool writes_are_short;

ssize_t __wrap_write(int fd, const void *bytes, size_t len);
extern ssize_t __real_write(int fd, const void *bytes, size_t len);

ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	static int calls;

	if (writes_are_short && ++calls % 3 == 0) {
		errno = EINTR;
		return -1;
	}
	return __real_write(fd, bytes, writes_are_short && len > 777 ? 777 : len);
}

static void a_write_that_falls_short_goes_on(void **state)
{
	int file;
	struct output *out = output_to_memory(false, &file);
	char line[4000], *text;

	(void)state;
	memset(line, 'y', sizeof(line));
	line[sizeof(line) - 1] = '\0';
	writes_are_short = true;
	for (int i = 0; i < 200; i++)
		output_banner(out, line);
	assert_int_equal(output_flush(out), 0);
	writes_are_short = false;
	text = written(out, file);
	assert_int_equal(strlen(text), 200 * sizeof(line));
	for (int i = 0; i < 200; i++)
		assert_int_equal(strspn(text + i * sizeof(line), "y"), sizeof(line) - 1);
	free(text);
}

static char page[4096];

/* output_finish() with its message; status of the run before it. */
static int finish(struct output *out, int err, char **message)
{
	struct capture capture = capture_begin(STDERR_FILENO);
	int status = output_finish(out, err);

	*message = capture_end(&capture);
	return status;
}

static void a_full_disk_is_told_and_fails(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	struct output *out;
	char *message;

	(void)state;
	assert_true(fd >= 0);
	out = output_open(fd, true, NULL);
	put_row(out, &(struct row){ 0, 1, 1, "load", LOOKUP_MISS, "x", 0 });
	assert_int_equal(output_flush(out), -ENOSPC);
	/* A caller that continues nevertheless fills no more than the buffer. */
	for (int i = 0; i < 10000; i++)
		put_row(out, &(struct row){ 0, 1, 1, "load", LOOKUP_MISS, "x", 0 });
	assert_int_equal(finish(out, -ENOSPC, &message), EXIT_FAILED);
	assert_string_equal(message, "fstrace: cannot write: No space left on device; "
			    "lines not written: 10001\n");
	free(message);
	/* And when only the last flush finds out. */
	out = output_open(fd, true, NULL);
	put_row(out, &(struct row){ 0, 1, 1, "load", LOOKUP_MISS, "x", 0 });
	assert_int_equal(finish(out, 0, &message), EXIT_FAILED);
	assert_string_equal(message, "fstrace: cannot write: No space left on device; "
			    "lines not written: 1\n");
	free(message);
	close(fd);
}

static void a_reader_that_has_gone_is_no_failure(void **state)
{
	struct output *out;
	char *message;
	int fds[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	out = output_open(fds[1], false, NULL);
	output_banner(out, "to nobody");
	assert_int_equal(output_flush(out), -EPIPE);
	assert_int_equal(finish(out, -EPIPE, &message), EXIT_DONE);
	assert_string_equal(message, "");
	free(message);
	out = output_open(fds[1], false, NULL);
	output_banner(out, "to nobody");
	assert_int_equal(finish(out, 0, &message), EXIT_DONE);
	assert_string_equal(message, "");
	free(message);
	/* But another failure stays one. */
	out = output_open(fds[1], false, NULL);
	output_banner(out, "to nobody");
	assert_int_equal(finish(out, -EIO, &message), EXIT_FAILED);
	assert_string_equal(message, "");
	free(message);
	close(fds[1]);
}

/* A pipe with room for `room` pages and no reader. */
static void open_stuck_pipe(int fds[2], int room)
{
	int pages;

	assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
	for (pages = 0; write(fds[1], page, sizeof(page)) == sizeof(page); pages++)
		;
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(fcntl(fds[1], F_SETFL, 0), 0);
	assert_true(room < pages);
	while (room--)
		assert_int_equal(read(fds[0], page, sizeof(page)), sizeof(page));
}

static void a_reader_that_does_not_read_cannot_keep_us_from_ending(void **state)
{
	struct stop stop;
	struct output *out;
	char *message;
	int fds[2];

	(void)state;
	open_stuck_pipe(fds, 0);
	assert_int_equal(stop_open(&stop), 0);
	stop_after(&stop, 1);
	out = output_open(fds[1], false, &stop);
	output_banner(out, "stuck");
	assert_int_equal(output_flush(out), -ETIMEDOUT);
	output_banner(out, "two\nmore");
	assert_int_equal(finish(out, -ETIMEDOUT, &message), EXIT_FAILED);
	assert_string_equal(message, "fstrace: cannot write: nobody reads the output; "
			    "lines not written: 3\n");
	free(message);
	stop_close(&stop);
	close(fds[0]);
	close(fds[1]);
}

/* Rows that fit are written, in whole lines; the rest is counted, even if the caller continues. */
static void what_was_not_written_is_counted(void **state)
{
	static char text[1 << 20];
	const int rows = 5000;
	struct stop stop;
	struct output *out;
	char *message, expected[128];
	int fds[2], written = 0;
	uint64_t before_ns = now_ns();
	ssize_t len;

	(void)state;
	open_stuck_pipe(fds, 5);
	assert_int_equal(stop_open(&stop), 0);
	stop_after(&stop, 1);
	out = output_open(fds[1], true, &stop);
	output_events_begin(out, &row_record, START_NS);
	for (int i = 0; i < rows; i++)
		put_row(out, &(struct row){ 0, i, i, "load", LOOKUP_MISS, "name", 0 });
	assert_int_equal(finish(out, 0, &message), EXIT_FAILED);
	assert_in_range(now_ns() - before_ns, 0, 10 * NS_PER_SECOND);
	close(fds[1]);
	while ((len = read(fds[0], text, sizeof(page))) == sizeof(page) && !text[0])
		;
	for (ssize_t more = len; more > 0; len += more > 0 ? more : 0)
		more = read(fds[0], text + len, sizeof(text) - len);
	assert_in_range(len, 4 * 4000, 5 * 4096);
	assert_int_equal(text[len - 1], '\n');
	for (ssize_t i = 0; i < len; i++)
		written += text[i] == '\n';
	snprintf(expected, sizeof(expected), "fstrace: cannot write: nobody reads the output; "
		 "lines not written: %d\n", rows - written);
	assert_string_equal(message, expected);
	free(message);
	stop_close(&stop);
	close(fds[0]);
}

static void a_failed_run_fails_whatever_was_written(void **state)
{
	int file;
	struct output *out = output_to_memory(false, &file);
	char *message, *text;

	(void)state;
	output_banner(out, "written all the same");
	assert_int_equal(finish(out, -1, &message), EXIT_FAILED);
	assert_string_equal(message, "");
	free(message);
	text = read_all_of(file, NULL);
	assert_string_equal(text, "written all the same\n");
	free(text);
	assert_int_equal(output_finish(NULL, 0), EXIT_FAILED);
}

static void check_uint(uint64_t value)
{
	char text[32], expected[32];

	snprintf(expected, sizeof(expected), "%" PRIu64, value);
	memset(text, 'x', sizeof(text));
	*put_uint(text, value) = '\0';
	assert_string_equal(text, expected);
}

static void numbers_are_written_as_printf_does(void **state)
{
	uint32_t seed = 10;
	char text[16], expected[16];

	(void)state;
	check_uint(0);
	check_uint(UINT64_MAX);
	for (uint64_t power = 1; power < UINT64_MAX / 10; power *= 10)
		for (int off = -1; off <= 1; off++)
			check_uint(power + off);
	for (int i = 0; i < 100000; i++) {
		uint64_t value = (uint64_t)random_next(&seed) << 32 | random_next(&seed);

		check_uint(value >> random_next(&seed) % 64);
		if (i < 11000)
			check_uint(i);
	}
	for (uint32_t value = 0; value < 1000000; value += 1 + value / 300) {
		*put_digits(text, value, 6) = '\0';
		snprintf(expected, sizeof(expected), "%06u", value);
		assert_string_equal(text, expected);
		*put_digits(text, value * 1000 + 7, 9) = '\0';
		snprintf(expected, sizeof(expected), "%09u", value * 1000 + 7);
		assert_string_equal(text, expected);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_written_before_a_flush),
		cmocka_unit_test(a_full_buffer_empties_itself_in_order),
		cmocka_unit_test(a_write_that_falls_short_goes_on),
		cmocka_unit_test(a_full_disk_is_told_and_fails),
		cmocka_unit_test(a_reader_that_has_gone_is_no_failure),
		cmocka_unit_test(a_reader_that_does_not_read_cannot_keep_us_from_ending),
		cmocka_unit_test(what_was_not_written_is_counted),
		cmocka_unit_test(a_failed_run_fails_whatever_was_written),
		cmocka_unit_test(numbers_are_written_as_printf_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

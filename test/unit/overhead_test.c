// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/trace/overhead.c: a row for each loaded program, on stderr, and only when wanted. */
#include "test.h"

#include <bpf/bpf.h>

#include "core/base/clock.h"
#include "core/trace/overhead.h"

/* Programs of the kernel's place. */
static const struct overhead_program programs[] = {
	{ "read_iter fentry", 100 },
	{ "a_function_of_a_long_name kretprobe", 101 },
	{ "never__run", 102 },
};

/* Their runs, and the time of these. */
static const struct { __u64 runs, time_ns; } measured[] = {
	{ 1000, 250000 }, { 3, 5000000000 }, { 0, 0 },
};

static int stats_fd;

int __wrap_bpf_enable_stats(int type);
int __wrap_bpf_obj_get_info_by_fd(int fd, struct bpf_prog_info *info, __u32 *size);

int __wrap_bpf_enable_stats(int type)
{
	assert_int_equal(type, BPF_STATS_RUN_TIME);
	if (stats_fd < 0)
		errno = -stats_fd;
	return stats_fd < 0 ? -1 : dup(stats_fd);
}

int __wrap_bpf_obj_get_info_by_fd(int fd, struct bpf_prog_info *info, __u32 *size)
{
	assert_int_equal(*size, sizeof(*info));
	for (size_t i = 0; i < COUNT_OF(programs); i++)
		if (programs[i].fd == fd) {
			info->run_cnt = measured[i].runs;
			info->run_time_ns = measured[i].time_ns;
			return 0;
		}
	fail_msg("descriptor %d was asked for", fd);
	return -1;
}

static char *told(const struct overhead *overhead, uint64_t events)
{
	struct capture capture = capture_begin(STDERR_FILENO);

	overhead_tell(overhead, programs, COUNT_OF(programs), events);
	return capture_end(&capture);
}

static void each_loaded_program_has_a_row(void **state)
{
	static const char rows[] =
		"\n"
		"PROGRAM                                  RUNS   ns/RUN\n"
		"read_iter fentry                         1000      250\n"
		"a_function_of_a_long_name kretprobe            3 1666666667\n"
		"never__run                                  0        0\n"
		"100.0 s: 12345 events (123/s), probes 5.00 % of one CPU, fstrace itself ";
	struct overhead overhead = { .stats_fd = -1 };
	char *text;

	(void)state;
	stats_fd = STDIN_FILENO;
	assert_int_equal(overhead_begin(&overhead), 0);
	assert_true(overhead.stats_fd >= 0);
	assert_in_range(now_ns() - overhead.start_ns, 0, NS_PER_SECOND);
	overhead.start_ns = now_ns() - 100 * NS_PER_SECOND;
	text = told(&overhead, 12345);
	overhead_end(&overhead);
	text[strlen(rows) < strlen(text) ? strlen(rows) : strlen(text)] = '\0';
	assert_string_equal(text, rows);
	free(text);
	assert_int_equal(overhead.stats_fd, -1);
}

static void unasked_nothing_is_told(void **state)
{
	struct overhead overhead = { .stats_fd = -1 };
	char *text = told(&overhead, 1);

	(void)state;
	assert_string_equal(text, "");
	free(text);
	overhead_end(&overhead);
}

static void statistics_that_are_refused_are_explained(void **state)
{
	static const struct {
		int err;
		const char *message;
	} cases[] = {
		{ -EPERM, "fstrace: cannot measure the overhead: Operation not permitted\n"
			  "fstrace: hint: BPF statistics need CAP_SYS_ADMIN\n" },
		{ -EINVAL, "fstrace: cannot measure the overhead: Invalid argument\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct overhead overhead = { .stats_fd = -1 };
		struct capture capture = capture_begin(STDERR_FILENO);
		char *text;
		int err;

		stats_fd = cases[i].err;
		err = overhead_begin(&overhead);
		text = capture_end(&capture);
		assert_int_equal(err, cases[i].err);
		assert_string_equal(text, cases[i].message);
		free(text);
		overhead_end(&overhead);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_loaded_program_has_a_row),
		cmocka_unit_test(unasked_nothing_is_told),
		cmocka_unit_test(statistics_that_are_refused_are_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

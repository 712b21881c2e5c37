// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/kernel_clock.c: times by the clock of a kernel that this test plays. */
#include "test.h"

#include <fcntl.h>

#include <bpf/bpf.h>

#include "core/base/clock.h"
#include "core/kernel/kernel_clock.h"

#define DAY (86400 * NS_PER_SECOND)

static int64_t shift_ns;		/* of the kernel's clock */
static uint64_t kernel_ns;		/* or, if not 0, what it is; 1 more for each reading */
static int load_err, run_err;

int __wrap_bpf_prog_load(enum bpf_prog_type type, const char *name, const char *license,
			 const struct bpf_insn *insns, size_t count, struct bpf_prog_load_opts *opts);
int __wrap_bpf_prog_test_run_opts(int fd, struct bpf_test_run_opts *opts);

int __wrap_bpf_prog_load(enum bpf_prog_type type, const char *name, const char *license,
			 const struct bpf_insn *insns, size_t count, struct bpf_prog_load_opts *opts)
{
	(void)name;
	(void)opts;
	assert_int_equal(type, BPF_PROG_TYPE_RAW_TRACEPOINT);
	assert_string_equal(license, "Dual BSD/GPL");
	assert_int_equal(insns[count - 1].code, BPF_JMP | BPF_EXIT);
	return load_err ?: open("/dev/null", O_RDONLY | O_CLOEXEC);
}

int __wrap_bpf_prog_test_run_opts(int fd, struct bpf_test_run_opts *opts)
{
	uint64_t shift, now = kernel_ns ? kernel_ns++ : now_ns() + shift_ns;

	assert_true(fd >= 0);
	assert_int_equal(opts->ctx_size_in, sizeof(shift));
	memcpy(&shift, opts->ctx_in, sizeof(shift));
	opts->retval = now >> shift;
	return run_err;
}

static void in_the_first_namespace_nothing_is_changed(void **state)
{
	(void)state;
	shift_ns = 0;
	assert_int_equal(kernel_clock_ns(12345), 12345);
	assert_int_equal(kernel_clock_ns(0), 0);
}

static void a_shifted_clock_is_shifted_back(void **state)
{
	static const int64_t shifts[] = { 100000 * NS_PER_SECOND, -(int64_t)DAY / 1000, 7 * DAY, -5 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(shifts); i++) {
		uint64_t user_ns = now_ns();

		shift_ns = shifts[i];
		assert_in_range(kernel_clock_ns(user_ns), user_ns + shift_ns - 20000000,
				user_ns + shift_ns + 20000000);
	}
	shift_ns = 0;
}

/* The lower half overflows between two readings. */
static void the_halves_belong_together(void **state)
{
	(void)state;
	for (uint64_t before = 0; before < 4; before++) {
		uint64_t user_ns, begin_ns;

		kernel_ns = (UINT64_C(500000) << 32) - before;
		begin_ns = now_ns();
		user_ns = kernel_clock_ns(begin_ns);
		assert_in_range(user_ns, (UINT64_C(500000) << 32) - NS_PER_SECOND,
				(UINT64_C(500000) << 32) + NS_PER_SECOND);
	}
	kernel_ns = 0;
}

static void a_kernel_that_does_not_tell_is_warned_of(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct capture capture = capture_begin(STDERR_FILENO);
		uint64_t ns;
		char *message;

		load_err = i ? 0 : -EPERM;
		run_err = i ? -EOPNOTSUPP : 0;
		ns = kernel_clock_ns(777);
		message = capture_end(&capture);
		assert_int_equal(ns, 777);
		assert_memory_equal(message, "fstrace: warning: cannot read the kernel's clock", 48);
		free(message);
	}
	load_err = run_err = 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_the_first_namespace_nothing_is_changed),
		cmocka_unit_test(a_shifted_clock_is_shifted_back),
		cmocka_unit_test(the_halves_belong_together),
		cmocka_unit_test(a_kernel_that_does_not_tell_is_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

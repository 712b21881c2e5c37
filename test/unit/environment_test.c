// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/environment.c: as far as it goes without a kernel to be locked down. */
#include "test.h"

#include <sched.h>
#include <sys/resource.h>

#include "core/kernel/cause.h"
#include "core/kernel/environment.h"

static void without_capabilities_the_check_says_what_to_do(void **state)
{
	struct capture capture = capture_begin(STDERR_FILENO);
	char *message;
	int status;
	pid_t pid = child_fork();

	(void)state;
	if (!pid) {
		if (!getuid() && (setgid(65534) || setuid(65534)))
			_exit(99);
		_exit(-environment_check());
	}
	waitpid(pid, &status, 0);
	message = capture_end(&capture);
	assert_int_equal(WEXITSTATUS(status), EPERM);
	assert_memory_equal(message, "fstrace: not permitted to trace: needs root, or CAP_BPF and "
			    "CAP_PERFMON\nfstrace: hint: ", 87);
	/* Its own root cannot help in a user namespace. Else: what setcap does, to whom. */
	if (!strstr(message, "user namespace")) {
		assert_non_null(strstr(message, "hint: run it with sudo\n"));
		assert_non_null(strstr(message, "everybody's files: chgrp GROUP /"));
		assert_non_null(strstr(message, " && chmod 0750 /"));
		assert_non_null(strstr(message, " && setcap cap_bpf,cap_perfmon=ep /"));
	}
	free(message);
}

static void a_failure_is_explained_in_a_line_and_a_hint(void **state)
{
	static const int errors[] = { -EPERM, -EACCES, -ENOMEM, -EINVAL, -ENOENT, -EMFILE, -524 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		struct capture capture = capture_begin(STDERR_FILENO);
		struct circumstances circumstances;
		struct cause cause;
		char *message, expected[512];

		environment_explain("cannot attach to", "d_lookup", errors[i]);
		message = capture_end(&capture);
		circumstances_read(&circumstances);
		cause_find(errors[i], &circumstances, &cause);
		snprintf(expected, sizeof(expected), "fstrace: cannot attach to 'd_lookup': %s\n"
			 "fstrace: hint: %s\n", cause.reason, cause.hint);
		/* A locked-down host is the reason whatever failed. */
		if (!strstr(message, "locked down"))
			assert_string_equal(message, expected);
		free(message);
	}
}

static void the_hint_is_of_the_cause(void **state)
{
	static const struct {
		int err;
		struct circumstances circumstances;
		const char *reason, *hint;	/* parts of them */
	} cases[] = {
		{ -EPERM, { .user_namespace = true, .sys_admin = true, .counts_memory = true },
		  "user namespace", "on the host" },
		{ -EPERM, { .sys_admin = true, .seccomp = true, .no_bpf = true },
		  "seccomp filter forbids bpf()", "--privileged" },
		{ -ENOSYS, { .sys_admin = true, .seccomp = true, .no_bpf = true },
		  "seccomp filter forbids bpf()", "SystemCallFilter" },
		{ -ENOSYS, { .sys_admin = true, .no_bpf = true },
		  "no such system call", "CONFIG_BPF_SYSCALL" },
		{ -EPERM, { .sys_admin = true, .seccomp = true }, "Operation not permitted",
		  "seccomp filter is set" },
		{ -EPERM, { .sys_admin = false, .counts_memory = true, .memory_is_limited = true },
		  "locked memory", "ulimit -l unlimited" },
		{ -EPERM, { .counts_memory = false, .memory_is_limited = true },
		  "Operation not permitted", "CAP_SYS_ADMIN" },
		{ -EPERM, { .sys_admin = true }, "Operation not permitted", "security module" },
		/* Locked memory is no cause where BPF does not count as that, or has no limit. */
		{ -ENOMEM, { .counts_memory = true, .memory_is_limited = true },
		  "Cannot allocate memory", "ulimit -l" },
		{ -ENOMEM, { .memory_is_limited = true }, "Cannot allocate memory", "memory.max" },
		{ -ENOMEM, { .counts_memory = true }, "Cannot allocate memory", "memory.max" },
		{ -EMFILE, { .files_max = 20 }, "Too many open files",
		  "20 files may be open here; allow more: ulimit -n" },
		{ -ENFILE, { 0 }, "Too many open files in system", "fs.file-max" },
		{ -EACCES, { .paranoid = 3 }, "Permission denied", "perf_event_paranoid is 3" },
		{ -EACCES, { .paranoid = 2 }, "Permission denied", "modules take CAP_SYS_ADMIN" },
		{ -EACCES, { .sys_admin = true, .paranoid = 3 }, "Permission denied", "verifier" },
		{ -ENOENT, { .no_sys = true }, "/sys is not mounted", "mount -t sysfs" },
		{ -ENXIO, { .no_kprobes = true }, "this kernel has no kprobes", "CONFIG_KPROBE" },
		{ -ENOENT, { 0 }, "No such file or directory", "-vv" },
		{ -524, { .arm64 = true }, "does not support it", "6.4" },
		{ -524, { 0 }, "does not support it", "--attach=kprobe" },
		{ -E2BIG, { 0 }, "Argument list too long", "-vv" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct cause cause;

		cause_find(cases[i].err, &cases[i].circumstances, &cause);
		if (!strstr(cause.reason, cases[i].reason) || !strstr(cause.hint, cases[i].hint))
			fail_msg("%zu: '%s' and '%s'", i, cause.reason, cause.hint);
		/* Not cut. */
		assert_in_range(strlen(cause.hint), 10, sizeof(cause.hint) - 2);
	}
}

static void the_circumstances_are_those_of_this_process(void **state)
{
	struct circumstances circumstances;
	struct rlimit files, memory;
	int status;

	(void)state;
	if (!child_fork()) {
		assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
		files.rlim_cur = 21;
		memory.rlim_cur = memory.rlim_max = 4096;
		if (setrlimit(RLIMIT_NOFILE, &files) || setrlimit(RLIMIT_MEMLOCK, &memory))
			_exit(1);
		circumstances_read(&circumstances);
		if (circumstances.files_max != 21 || !circumstances.memory_is_limited ||
		    circumstances.user_namespace)
			_exit(2);
		if (unshare(CLONE_NEWUSER))
			_exit(0);	/* not here */
		circumstances_read(&circumstances);
		_exit(circumstances.user_namespace ? 0 : 3);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
}

static void a_module_that_is_not_there_is_not_there(void **state)
{
	(void)state;
	assert_false(environment_has_module("no_such_module_of_any_kernel"));
	if (!access("/sys/module/printk", F_OK))
		assert_true(environment_has_module("printk"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_capabilities_the_check_says_what_to_do),
		cmocka_unit_test(a_failure_is_explained_in_a_line_and_a_hint),
		cmocka_unit_test(the_hint_is_of_the_cause),
		cmocka_unit_test(the_circumstances_are_those_of_this_process),
		cmocka_unit_test(a_module_that_is_not_there_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

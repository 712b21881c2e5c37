// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/environment.c: as far as it goes without a kernel to be locked down. */
#include "test.h"

#include "core/kernel/environment.h"

static void without_capabilities_the_check_says_what_to_do(void **state)
{
	struct capture capture = capture_begin(STDERR_FILENO);
	char *message;
	int status;
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		if (!getuid() && (setgid(65534) || setuid(65534)))
			_exit(99);
		_exit(-environment_check());
	}
	waitpid(pid, &status, 0);
	message = capture_end(&capture);
	assert_int_equal(WEXITSTATUS(status), EPERM);
	assert_string_equal(message, "fstrace: not permitted to trace: needs root, or CAP_BPF and "
				     "CAP_PERFMON\nfstrace: hint: run it with sudo\n");
	free(message);
}

static void a_failure_is_explained_in_a_line_and_a_hint(void **state)
{
	static const int errors[] = { -EPERM, -EACCES, -ENOMEM, -EINVAL, -ENOENT };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		struct capture capture = capture_begin(STDERR_FILENO);
		char *message;

		environment_explain("cannot attach to", "d_lookup", errors[i]);
		message = capture_end(&capture);
		assert_int_equal(count_lines(message), 2);
		assert_memory_equal(message, "fstrace: ", 9);
		assert_non_null(strstr(message, "\nfstrace: hint: "));
		/* A locked-down host is the reason whatever failed. */
		if (!strstr(message, "locked down")) {
			assert_non_null(strstr(message, "cannot attach to 'd_lookup'"));
			assert_non_null(strstr(message, strerror(-errors[i])));
		}
		free(message);
	}
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
		cmocka_unit_test(a_module_that_is_not_there_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

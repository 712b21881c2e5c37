// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/environment.c: as far as it goes without a kernel to be locked down. */
#include "test.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "core/kernel/environment.h"

/* environment_check_pid() with what it says. */
static int check_pid(uint32_t pid, char **message)
{
	struct capture capture = capture_begin(STDERR_FILENO);
	int err = environment_check_pid(pid);

	*message = capture_end(&capture);
	return err;
}

static void a_process_or_none_can_be_traced(void **state)
{
	char *message;

	(void)state;
	assert_int_equal(check_pid(0, &message), 0);
	assert_string_equal(message, "");
	free(message);
	assert_int_equal(check_pid(getpid(), &message), 0);
	assert_string_equal(message, "");
	free(message);
}

static void a_pid_of_nobody_is_told(void **state)
{
	char *message;
	int status;
	pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(check_pid(2147483647, &message), -ESRCH);
	assert_string_equal(message, "fstrace: no process has the PID '2147483647'\n");
	free(message);
	assert_int_equal(check_pid(pid, &message), -ESRCH);
	free(message);
}

struct thread {
	pthread_barrier_t barrier;
	pid_t tid;
};

static void *be_a_thread(void *context)
{
	struct thread *thread = context;

	thread->tid = syscall(SYS_gettid);
	pthread_barrier_wait(&thread->barrier);		/* the number is there */
	pthread_barrier_wait(&thread->barrier);		/* and was looked at */
	return NULL;
}

static void a_thread_is_told_with_its_process(void **state)
{
	char *message, expected[160];
	struct thread thread;
	pthread_t handle;
	int err;

	(void)state;
	pthread_barrier_init(&thread.barrier, NULL, 2);
	assert_int_equal(pthread_create(&handle, NULL, be_a_thread, &thread), 0);
	pthread_barrier_wait(&thread.barrier);
	err = check_pid(thread.tid, &message);
	pthread_barrier_wait(&thread.barrier);
	pthread_join(handle, NULL);
	pthread_barrier_destroy(&thread.barrier);
	assert_int_equal(err, -ESRCH);
	snprintf(expected, sizeof(expected), "fstrace: '%d' is a thread, not a process\n"
		 "fstrace: hint: trace its process: -p %d\n", thread.tid, getpid());
	assert_string_equal(message, expected);
	free(message);
}

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

static void the_pid_namespace_is_our_own(void **state)
{
	uint64_t dev = 1, ino = 1;
	struct stat st;

	(void)state;
	assert_int_equal(stat("/proc/self/ns/pid", &st), 0);
	if (environment_pid_namespace(&dev, &ino)) {
		assert_int_equal(dev, st.st_dev);
		assert_int_equal(ino, st.st_ino);
		assert_int_not_equal(ino, 0xEFFFFFFC);
	} else {
		assert_int_equal(st.st_ino, 0xEFFFFFFC);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_or_none_can_be_traced),
		cmocka_unit_test(a_pid_of_nobody_is_told),
		cmocka_unit_test(a_thread_is_told_with_its_process),
		cmocka_unit_test(without_capabilities_the_check_says_what_to_do),
		cmocka_unit_test(a_failure_is_explained_in_a_line_and_a_hint),
		cmocka_unit_test(a_module_that_is_not_there_is_not_there),
		cmocka_unit_test(the_pid_namespace_is_our_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

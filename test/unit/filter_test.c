// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/trace/filter.c: which processes are traced, how the kernel side is configured, and when they
 * have all ended. The kernel's answers (BPF maps, core/trace/identity.c) are made up; processes are
 * real.
 */
#include "test.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <bpf/libbpf.h>

#include "core/kernel/environment.h"
#include "core/trace/filter.h"
#include "core/trace/identity.h"
#include "bpf/filter.h"

/* What is in the list of processes of the kernel side. */
static uint32_t listed[16];
static int nlisted;

/* The kernel's number of a process, for who asks: far from ours. */
#define ELSEWHERE 1000000

int __wrap_bpf_map_create(int type, const char *name, uint32_t key, uint32_t value,
			  uint32_t max_entries, const void *opts);
int __wrap_bpf_map_create(int type, const char *name, uint32_t key, uint32_t value,
			  uint32_t max_entries, const void *opts)
{
	(void)type, (void)name, (void)opts;
	assert_int_equal(key, 4);
	assert_int_equal(value, 1);
	assert_true(max_entries <= COUNT_OF(listed));
	nlisted = 0;
	return memfd_create("list", MFD_CLOEXEC);
}

int __wrap_bpf_map_update_elem(int fd, const void *key, const void *value, uint64_t flags);
int __wrap_bpf_map_update_elem(int fd, const void *key, const void *value, uint64_t flags)
{
	(void)fd, (void)value, (void)flags;
	listed[nlisted++] = *(const uint32_t *)key;
	return 0;
}

int __wrap_bpf_map_delete_elem(int fd, const void *key);
int __wrap_bpf_map_delete_elem(int fd, const void *key)
{
	(void)fd;
	for (int i = 0; i < nlisted; i++)
		if (listed[i] == *(const uint32_t *)key) {
			listed[i] = listed[--nlisted];
			return 0;
		}
	return -ENOENT;
}

struct identity_bpf *__wrap_identity_open(const char *btf_path);
struct identity_bpf *__wrap_identity_open(const char *btf_path)
{
	(void)btf_path;
	return (struct identity_bpf *)&listed;
}

void __wrap_identity_close(struct identity_bpf *program);
void __wrap_identity_close(struct identity_bpf *program)
{
	(void)program;
}

/* The number that /proc/self/fdinfo shows of a pidfd, or 0. */
static uint32_t pid_of_pidfd(int fd)
{
	char path[64], line[128];
	unsigned int pid = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	while (file && !pid && fgets(line, sizeof(line), file))
		sscanf(line, "Pid:%u", &pid);
	if (file)
		fclose(file);
	return pid;
}

/* The number in the name of a folder of /proc. */
static uint32_t pid_of_folder(int fd)
{
	char path[64], folder[64] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_true(readlink(path, folder, sizeof(folder) - 1) > 0);
	return atoi(strrchr(folder, '/') + 1);
}

int __wrap_identity_ask(struct identity_bpf *program, enum identity_question question, int fd,
			struct identity *answer);
int __wrap_identity_ask(struct identity_bpf *program, enum identity_question question, int fd,
			struct identity *answer)
{
	assert_ptr_equal(program, &listed);
	*answer = (struct identity){ .level = 2, .inum = 4026539999 };
	if (question == IDENTITY_PROC)
		answer->pid = ELSEWHERE + getpid();
	else if (question == IDENTITY_PIDFD)
		answer->pid = ELSEWHERE + pid_of_pidfd(fd);
	else
		answer->pid = ELSEWHERE + pid_of_folder(fd);
	return 0;
}

static bool is_initial(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == 0xEFFFFFFC;
}

/* The kernel's number of one of our processes, as the code under test has found it. */
static uint32_t kernel_pid(pid_t pid)
{
	return is_initial() ? pid : ELSEWHERE + pid;
}

static pid_t child(void)
{
	pid_t pid = child_fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	return pid;
}

static void end(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static struct pid_list list_of(const char *word)
{
	struct pid_list list = { 0 };

	assert_int_equal(pid_list_parse(word, &list), 0);
	return list;
}

/* filter_open() of one word, with its messages. */
static int open_filter(struct filter *filter, const char *word, char **message)
{
	static struct filter_options options;	/* the filter goes on to use it */
	struct capture capture;
	int err;

	options = (struct filter_options){ 0 };
	if (word)
		options.pids = list_of(word);
	capture = capture_begin(STDERR_FILENO);
	err = filter_open(filter, &options, false, NULL);
	*message = capture_end(&capture);
	free(options.pids.pids);
	return err;
}

static void lists_are_read_strictly(void **state)
{
	static const char *const wrong[] = {
		"", ",", "1,", ",1", "1,,2", "1, 2", "0", "1,0", "x", "1,x", "-1", "1.5",
		"2147483648", "99999999999999999999",
	};
	struct pid_list list = list_of("181");

	(void)state;
	assert_int_equal(list.count, 1);
	assert_int_equal(list.pids[0], 181);
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		assert_int_not_equal(pid_list_parse(wrong[i], &list), 0);
		assert_int_equal(list.count, 1);
	}
	assert_int_equal(pid_list_parse("2147483647,1", &list), 0);
	assert_int_equal(pid_list_parse("5", &list), 0);
	assert_int_equal(list.count, 4);
	assert_int_equal(list.pids[0], 181);
	assert_int_equal(list.pids[1], INT32_MAX);
	assert_int_equal(list.pids[2], 1);
	assert_int_equal(list.pids[3], 5);
	free(list.pids);
}

static void without_a_list_all_are_traced_and_nothing_ends(void **state)
{
	struct filter filter;
	char *message;

	(void)state;
	assert_int_equal(open_filter(&filter, NULL, &message), 0);
	assert_string_equal(message, "");
	assert_int_equal(filter.count, 0);
	assert_int_equal(filter.ends_fd, -1);
	free(message);
	filter_close(&filter);
}

static void refuses(const char *word, int err, const char *expected)
{
	struct filter filter;
	char *message;
	int got = open_filter(&filter, word, &message);

	filter_close(&filter);
	assert_string_equal(message, expected);
	assert_int_equal(got, err);
	free(message);
}

/* Asking for `tids` of our own process. */
static int open_tids(struct filter *filter, struct filter_options *options, const char *tids,
		     char **message)
{
	struct capture capture;
	int err;

	*options = (struct filter_options){ .tids = list_of(tids) };
	capture = capture_begin(STDERR_FILENO);
	err = filter_open(filter, options, false, NULL);
	*message = capture_end(&capture);
	return err;
}

static void options_that_contradict_each_other_are_told(void **state)
{
	struct filter_options options = { .pids = list_of("1"), .tids = list_of("1") };
	struct capture capture = capture_begin(STDERR_FILENO);
	struct filter filter;
	char *message;
	int err[2];

	(void)state;
	err[0] = filter_open(&filter, &options, false, NULL);
	filter_close(&filter);
	pid_list_release(&options.pids);
	pid_list_release(&options.tids);
	options = (struct filter_options){ .cgroup = "a", .container = "b" };
	err[1] = filter_open(&filter, &options, false, NULL);
	filter_close(&filter);
	message = capture_end(&capture);
	assert_string_equal(message, "fstrace: -p and --tid exclude each other\n"
				     "fstrace: --cgroup and --container exclude each other\n");
	assert_int_equal(err[0], -EINVAL);
	assert_int_equal(err[1], -EINVAL);
	free(message);
}

static void a_pid_of_nobody_is_told(void **state)
{
	char word[32], expected[64];
	pid_t pid = child();

	(void)state;
	end(pid);
	refuses("2147483647", -ESRCH, "fstrace: no process has the PID '2147483647'\n");
	snprintf(word, sizeof(word), "%d,%d", getpid(), pid);
	snprintf(expected, sizeof(expected), "fstrace: no process has the PID '%d'\n", pid);
	refuses(word, -ESRCH, expected);
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
	char *message, word[16], expected[160];
	struct filter filter;
	struct thread thread;
	pthread_t handle;
	int err;

	(void)state;
	pthread_barrier_init(&thread.barrier, NULL, 2);
	assert_int_equal(pthread_create(&handle, NULL, be_a_thread, &thread), 0);
	pthread_barrier_wait(&thread.barrier);
	snprintf(word, sizeof(word), "%d", thread.tid);
	err = open_filter(&filter, word, &message);
	filter_close(&filter);
	pthread_barrier_wait(&thread.barrier);
	pthread_join(handle, NULL);
	pthread_barrier_destroy(&thread.barrier);
	assert_int_equal(err, -ESRCH);
	snprintf(expected, sizeof(expected), "fstrace: '%d' is a thread, not a process\n"
		 "fstrace: hint: trace its process: -p %d, or it alone: --tid %d\n", thread.tid,
		 getpid(), thread.tid);
	assert_string_equal(message, expected);
	free(message);
}

/* A thread that is not its process's first: it is watched by its folder. */
static void the_end_of_a_thread_is_the_end(void **state)
{
	struct pollfd ends = { .events = POLLIN };
	struct filter_options options;
	struct thread thread;
	struct filter filter;
	char *message, word[16];
	pthread_t handle;

	(void)state;
	pthread_barrier_init(&thread.barrier, NULL, 2);
	assert_int_equal(pthread_create(&handle, NULL, be_a_thread, &thread), 0);
	pthread_barrier_wait(&thread.barrier);
	snprintf(word, sizeof(word), "%d", thread.tid);
	assert_int_equal(open_tids(&filter, &options, word, &message), 0);
	assert_string_equal(message, "");
	free(message);
	assert_true(filter_is_set(&filter));
	ends.fd = filter.ends_fd;
	assert_int_equal(poll(&ends, 1, 5000), 1);	/* it is looked for */
	assert_false(filter_ended(&filter));
	pthread_barrier_wait(&thread.barrier);
	pthread_join(handle, NULL);
	pthread_barrier_destroy(&thread.barrier);
	assert_int_equal(poll(&ends, 1, 5000), 1);
	assert_true(filter_ended(&filter));
	filter_close(&filter);
	pid_list_release(&options.tids);
	assert_int_equal(open_tids(&filter, &options, word, &message), -ESRCH);
	assert_non_null(strstr(message, "fstrace: no thread has the TID '"));
	free(message);
	pid_list_release(&options.tids);
	filter_close(&filter);
}

static void of_one_process_the_kernel_side_has_the_kernels_number(void **state)
{
	struct bpf_object *object = bpf_object__open_file(FSTRACE_TEST_OBJECTS "/dist.bpf.o",
							  NULL);
	struct filter filter;
	char *message, word[16];
	const char *rodata;
	size_t size, found = 0;
	uint32_t expected[2] = { FILTER_ONE };
	pid_t pid = child();

	(void)state;
	assert_non_null(object);
	snprintf(word, sizeof(word), "%d", pid);
	assert_int_equal(open_filter(&filter, word, &message), 0);
	assert_string_equal(message, "");
	free(message);
	assert_int_equal(filter.self, kernel_pid(getpid()));
	assert_int_equal(filter.numbers, !is_initial());
	assert_int_equal(filter_apply(&filter, object), 0);
	rodata = bpf_map__initial_value(bpf_object__find_map_by_name(object, ".rodata"), &size);
	expected[0] |= filter.numbers ? FILTER_NUMBERS : 0;
	expected[1] = kernel_pid(pid);
	for (size_t at = 0; at + 4 <= size; at += 4)
		for (int i = 0; i < 2; i++)
			found += !memcmp(rodata + at, &expected[i], 4);
	assert_true(found >= 2);
	/* Nothing reads the list. */
	assert_false(bpf_map__autocreate(bpf_object__find_map_by_name(object, "filter_ids")));
	filter_close(&filter);
	bpf_object__close(object);
	end(pid);
}

static int readable(const struct filter *filter)
{
	struct pollfd fd = { .fd = filter->ends_fd, .events = POLLIN };

	return poll(&fd, 1, 100);
}

/* filter_ended(), with its messages. */
static bool ended(struct filter *filter, const char *expected)
{
	struct capture capture = capture_begin(STDERR_FILENO);
	bool ended = filter_ended(filter);
	char *message = capture_end(&capture);

	assert_string_equal(message, expected);
	free(message);
	return ended;
}

static void the_end_of_the_process_is_the_end(void **state)
{
	struct filter filter;
	char *message, word[16], expected[64];
	pid_t pid = child();

	(void)state;
	snprintf(word, sizeof(word), "%d", pid);
	assert_int_equal(open_filter(&filter, word, &message), 0);
	free(message);
	assert_int_equal(readable(&filter), 0);
	assert_false(ended(&filter, ""));
	/* A zombie has ended, too, even if its parent has not waited for it. */
	kill(pid, SIGKILL);
	assert_int_equal(readable(&filter), 1);
	snprintf(expected, sizeof(expected), "fstrace: process %d has ended\n", pid);
	assert_true(ended(&filter, expected));
	/* It stays so, and is reported once. */
	assert_int_equal(readable(&filter), 1);
	assert_true(ended(&filter, ""));
	end(pid);
	filter_close(&filter);
}

static void of_several_each_end_is_seen_and_the_last_is_the_end(void **state)
{
	struct filter filter;
	char *message, word[64];
	pid_t pid[3] = { child(), child(), child() };

	(void)state;
	/* One of them twice. */
	snprintf(word, sizeof(word), "%d,%d,%d,%d", pid[0], pid[1], pid[0], pid[2]);
	assert_int_equal(open_filter(&filter, word, &message), 0);
	assert_string_equal(message, "");
	free(message);
	assert_int_equal(filter.count, 3);
	assert_int_equal(nlisted, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(listed[i], kernel_pid(pid[i]));
	end(pid[1]);
	assert_int_equal(readable(&filter), 1);
	assert_false(ended(&filter, ""));
	/* Its number may be given to another process now: that is none of ours. */
	assert_int_equal(nlisted, 2);
	assert_int_not_equal(listed[0], kernel_pid(pid[1]));
	assert_int_not_equal(listed[1], kernel_pid(pid[1]));
	assert_int_equal(readable(&filter), 0);
	end(pid[0]);
	end(pid[2]);
	assert_int_equal(readable(&filter), 1);
	assert_true(ended(&filter, "fstrace: all 3 processes have ended\n"));
	assert_int_equal(nlisted, 0);
	assert_int_equal(readable(&filter), 1);
	filter_close(&filter);
}

/* The following tests need root, and a kernel that allows tracing. */
static void in_new_mounts(int (*test)(void))
{
	int status;
	pid_t pid = child_fork();

	if (!pid) {
		if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("proc", "/proc", "proc", 0, "hidepid=2"))
			_exit(77);
		_exit(test());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* As the user nobody, from whom hidepid hides the processes of root. */
static int traces_what_is_hidden(void)
{
	struct filter_options options = { .pids = list_of("1") };
	struct filter filter;
	int thread;

	if (setgid(65534) || setuid(65534) || !access("/proc/1", F_OK))
		return 77;
	if (filter_open(&filter, &options, false, NULL))
		return 1;
	if (filter.count != 1 || filter.ends_fd < 0 || filter_ended(&filter))
		return 2;
	filter_close(&filter);
	options.pids.pids[0] = INT32_MAX;
	thread = filter_open(&filter, &options, false, NULL);
	filter_close(&filter);
	return thread == -ESRCH ? 0 : 3;
}

static void a_process_that_proc_hides_is_traced(void **state)
{
	(void)state;
	in_new_mounts(traces_what_is_hidden);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read_strictly),
		cmocka_unit_test(without_a_list_all_are_traced_and_nothing_ends),
		cmocka_unit_test(a_pid_of_nobody_is_told),
		cmocka_unit_test(a_thread_is_told_with_its_process),
		cmocka_unit_test(options_that_contradict_each_other_are_told),
		cmocka_unit_test(the_end_of_a_thread_is_the_end),
		cmocka_unit_test(of_one_process_the_kernel_side_has_the_kernels_number),
		cmocka_unit_test(the_end_of_the_process_is_the_end),
		cmocka_unit_test(of_several_each_end_is_seen_and_the_last_is_the_end),
		cmocka_unit_test(a_process_that_proc_hides_is_traced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

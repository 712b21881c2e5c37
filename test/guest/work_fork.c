// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Processes of known work, for filter.test. Each piece of it is a look-up of a name that is missing
 * and not cached, NAME.I.none, and a read of the file NAME in the current folder.
 *
 *   work forks N STATUS    opens the file, makes N children, one after the other, each of which
 *                          does one piece; every third by a grandchild, whose parent does not
 *                          wait for it, and every fifth in a second thread. Exits with STATUS.
 *                          The file is called forks.
 *   work noise NAME N M    is called NAME; prints "noise PROCESS THREAD", waits for a SIGUSR1, and
 *                          does N pieces; its second thread, NAME-t, does M more
 */
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

struct pieces {
	const char *name;
	int fd;
	long from, count;
	int tid;
	sigset_t go;
	pthread_barrier_t ready;
};

static void work_on(const struct pieces *pieces)
{
	struct stat st;
	char name[64];

	for (long i = pieces->from; i < pieces->from + pieces->count; i++) {
		snprintf(name, sizeof(name), "%s.%ld.none", pieces->name, i);
		must(stat(name, &st) && errno == ENOENT);
		must(pread(pieces->fd, page, PAGE, 0) == PAGE);
	}
}

static void *in_thread(void *argument)
{
	work_on(argument);
	return NULL;
}

static void one_child(struct pieces *pieces)
{
	pthread_t thread;

	if (pieces->from % 3 == 0) {
		pid_t pid = fork();

		must(pid >= 0);
		if (pid)
			_exit(0);
	}
	if (pieces->from % 5 == 0) {
		must(!pthread_create(&thread, NULL, in_thread, pieces));
		must(!pthread_join(thread, NULL));
	} else {
		work_on(pieces);
	}
	_exit(0);
}

static int open_file(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	must(fd >= 0);
	return fd;
}

int forks_main(int argc, char **argv)
{
	struct pieces pieces = { .name = "forks", .count = 1 };
	long count = argc > 2 ? atol(argv[1]) : 0;

	/* Orphans are ours to wait for. */
	must(count && !prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
	pieces.fd = open_file(pieces.name);
	for (; pieces.from < count; pieces.from++) {
		pid_t pid = fork();

		must(pid >= 0);
		if (!pid)
			one_child(&pieces);
		while (wait(NULL) >= 0)
			;
	}
	return atoi(argv[2]);
}

static void *in_noisy_thread(void *argument)
{
	struct pieces *pieces = argument;
	char name[16];
	int signal;

	snprintf(name, sizeof(name), "%.13s-t", pieces->name);
	prctl(PR_SET_NAME, name);
	pieces->tid = syscall(SYS_gettid);
	pthread_barrier_wait(&pieces->ready);
	must(!sigwait(&pieces->go, &signal));
	work_on(pieces);
	return NULL;
}

int noise_main(int argc, char **argv)
{
	struct pieces first = { .name = argc > 3 ? argv[1] : "", .count = argc > 3 ? atol(argv[2]) : 0 };
	struct pieces second = { .name = first.name, .from = first.count };
	pthread_t thread;
	int signal;

	must(first.count);
	second.count = atol(argv[3]);
	first.fd = second.fd = open_file(first.name);
	prctl(PR_SET_NAME, first.name);
	sigemptyset(&second.go);
	sigaddset(&second.go, SIGUSR2);
	first.go = second.go;
	sigaddset(&first.go, SIGUSR1);
	sigprocmask(SIG_BLOCK, &first.go, NULL);
	sigdelset(&first.go, SIGUSR2);
	must(!pthread_barrier_init(&second.ready, NULL, 2));
	must(!pthread_create(&thread, NULL, in_noisy_thread, &second));
	pthread_barrier_wait(&second.ready);
	printf("noise %d %d\n", getpid(), second.tid);
	fflush(stdout);
	must(!sigwait(&first.go, &signal));
	work_on(&first);
	pthread_kill(thread, SIGUSR2);
	must(!pthread_join(thread, NULL));
	return 0;
}

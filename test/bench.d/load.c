/*
 * load: the operations that test/bench counts the cost of.
 *
 *   load DIR FILE      works in DIR (a relative path of one component), FILE is on another fs
 *
 * It stays one process for all tracers (so that -p can name it) and takes commands, a line each:
 *
 *   OP COUNT ROUNDS THREADS SEED   does OP COUNT times in each round and thread; answers with a
 *                                  line: for each round the CPU time of one OP in ns
 *   beat fsync|unlink SEED         does one a millisecond until the next line comes, then answers
 *                                  with the times (CLOCK_MONOTONIC, ns) they were begun at
 *
 *   null    getppid, the floor              open    open + close of a present file
 *   shm     pread of 4 KiB of FILE          fsync   of a clean file
 *   pread   4 KiB from the page cache       stat    a present name
 *   pwrite  4 KiB, the same block           neg     a missing name that was asked for before
 *   wfsync  pwrite + fsync                  new     missing names never asked for before
 *   byte    pread of 1 byte                 tight   a missing name of one component
 *
 * SEED makes the names of `new` and `beat unlink` new again. All names of one op are equally long.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 64
#define ROUNDS_MAX 64
#define BEATS_MAX 600000

static const char *dir, *other;
static char page[4096];

static struct job {
	char op[16];
	long count, rounds, threads, seed;
	pthread_barrier_t barrier;
	double ns[THREADS_MAX][ROUNDS_MAX];
} job;

static struct beat {
	char op[16];
	long seed, count;
	int stop;
	long long times[BEATS_MAX];
} beat;

static void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static long long now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int open_file(const char *name, int flags)
{
	int fd = open(name, flags, 0644);

	if (fd < 0)
		die(name);
	return fd;
}

static void do_ops(const char *op, int fd, int other_fd, const char *name, long thread, long round)
{
	char buf[4096], missing[64];
	struct stat st;
	long i, n = job.count;

	if (!strcmp(op, "null")) {
		for (i = 0; i < n; i++)
			syscall(SYS_getppid);
	} else if (!strcmp(op, "pread") || !strcmp(op, "shm")) {
		if (*op == 's')
			fd = other_fd;
		for (i = 0; i < n; i++)
			if (pread(fd, buf, sizeof(buf), 0) != sizeof(buf))
				die("pread");
	} else if (!strcmp(op, "byte")) {
		for (i = 0; i < n; i++)
			if (pread(fd, buf, 1, 0) != 1)
				die("byte");
	} else if (!strcmp(op, "pwrite")) {
		for (i = 0; i < n; i++)
			if (pwrite(fd, page, sizeof(page), 0) != sizeof(page))
				die("pwrite");
	} else if (!strcmp(op, "wfsync")) {
		for (i = 0; i < n; i++)
			if (pwrite(fd, page, sizeof(page), 0) != sizeof(page) || fsync(fd))
				die("wfsync");
	} else if (!strcmp(op, "open")) {
		for (i = 0; i < n; i++)
			if (close(open(name, O_RDONLY)))
				die("open");
	} else if (!strcmp(op, "fsync")) {
		for (i = 0; i < n; i++)
			if (fsync(fd))
				die("fsync");
	} else if (!strcmp(op, "stat")) {
		for (i = 0; i < n; i++)
			if (stat(name, &st))
				die("stat");
	} else if (!strcmp(op, "neg")) {
		snprintf(missing, sizeof(missing), "%s/gone.%02ld", dir, thread);
		for (i = 0; i < n; i++)
			if (!stat(missing, &st))
				die("neg");
	} else if (!strcmp(op, "tight")) {
		for (i = 0; i < n; i++)
			if (!stat("tight", &st))
				die("tight");
	} else if (!strcmp(op, "new")) {
		for (i = 0; i < n; i++) {
			snprintf(missing, sizeof(missing), "%s/new.%06ld.%02ld.%02ld.%06ld", dir,
				 job.seed, thread, round, i);
			if (!stat(missing, &st))
				die("new");
		}
	} else {
		fprintf(stderr, "load: unknown operation '%s'\n", op);
		exit(2);
	}
}

static void *work(void *arg)
{
	long thread = (long)arg, round, cpu = thread % sysconf(_SC_NPROCESSORS_ONLN);
	int fd, other_fd = open_file(other, O_RDONLY);
	char name[64];
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
	snprintf(name, sizeof(name), "%s/file.%02ld", dir, thread);
	fd = open_file(name, O_RDWR | O_CREAT);
	if (pwrite(fd, page, sizeof(page), 0) != sizeof(page) || fsync(fd))
		die(name);
	for (round = 0; round < job.rounds; round++) {
		long long t;

		pthread_barrier_wait(&job.barrier);
		/* each thread reads its own clock: another's may be stale while it runs */
		t = now_ns(CLOCK_THREAD_CPUTIME_ID);
		do_ops(job.op, fd, other_fd, name, thread, round);
		job.ns[thread][round] = (double)(now_ns(CLOCK_THREAD_CPUTIME_ID) - t) / job.count;
	}
	close(other_fd);
	close(fd);
	return NULL;
}

static void run_job(void)
{
	pthread_t threads[THREADS_MAX];
	long i, round;

	if (job.threads < 1 || job.threads > THREADS_MAX || job.rounds < 1 || job.rounds > ROUNDS_MAX ||
	    job.count < 1)
		die("bad command");
	pthread_barrier_init(&job.barrier, NULL, job.threads);
	for (i = 0; i < job.threads; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			die("pthread_create");
	for (i = 0; i < job.threads; i++)
		pthread_join(threads[i], NULL);
	for (round = 0; round < job.rounds; round++) {
		double sum = 0;

		for (i = 0; i < job.threads; i++)
			sum += job.ns[i][round];
		printf("%.1f ", sum / job.threads);
	}
	printf("\n");
}

static void *beat_work(void *arg)
{
	struct timespec next;
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "%s/file.00", dir);
	fd = open_file(name, O_RDWR | O_CREAT);
	clock_gettime(CLOCK_MONOTONIC, &next);
	while (!__atomic_load_n(&beat.stop, __ATOMIC_RELAXED) && beat.count < BEATS_MAX) {
		beat.times[beat.count] = now_ns(CLOCK_MONOTONIC);
		snprintf(name, sizeof(name), "%s/beat.%06ld.%06ld", dir, beat.seed, beat.count++);
		if (!strcmp(beat.op, "fsync") ? fsync(fd) : !unlink(name))
			die("beat");
		next.tv_nsec += 1000000;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	close(fd);
	return arg;
}

static void run_beat(void)
{
	pthread_t thread;
	char line[128];
	long i;

	beat.stop = 0;
	beat.count = 0;
	if (pthread_create(&thread, NULL, beat_work, NULL))
		die("pthread_create");
	if (!fgets(line, sizeof(line), stdin))
		die("no line ends the beat");
	__atomic_store_n(&beat.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	for (i = 0; i < beat.count; i++)
		printf("%lld ", beat.times[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	char line[128];

	if (argc != 3) {
		fprintf(stderr, "usage: load DIR FILE\n");
		return 2;
	}
	dir = argv[1];
	other = argv[2];
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "beat %15s %ld", beat.op, &beat.seed) == 2)
			run_beat();
		else if (sscanf(line, "%15s %ld %ld %ld %ld", job.op, &job.count, &job.rounds,
				&job.threads, &job.seed) == 5)
			run_job();
		else
			die(line);
		fflush(stdout);
	}
	return 0;
}

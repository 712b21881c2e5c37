// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Scenarios for ext4dist: each does its operation exactly count times on a separate file and
 * declares the expected counts. What is not named by expect() must not be counted at all.
 */
#include "work.h"

#include <pthread.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

static void run_pread(struct job *j)
{
	char buf[PAGE] __attribute__((aligned(PAGE)));

	for (long i = 0; i < j->count; i++)
		must(pread(j->fd, buf, PAGE, page_offset(i)) == PAGE);
	expect(READ, EXACT, j->count);
}

static void run_read_eof(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(pread(j->fd, page, PAGE, FILE_PAGES * PAGE) == 0);
	expect(READ, EXACT, j->count);
}

static void run_pwrite(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(pwrite(j->fd, page, PAGE, page_offset(i)) == PAGE);
	expect(WRITE, EXACT, j->count);
}

static void run_append(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(write(j->fd, page, 100) == 100);
	expect(WRITE, EXACT, j->count);
}

/* A synchronous write is a write, and the sync inside it an fsync. */
static void run_synchronous(struct job *j)
{
	run_pwrite(j);
	expect(FSYNC, EXACT, j->count);
}

static void run_rwf_dsync(struct job *j)
{
	struct iovec iov = { page, PAGE };

	for (long i = 0; i < j->count; i++)
		must(pwritev2(j->fd, &iov, 1, page_offset(i), RWF_DSYNC) == PAGE);
	expect(WRITE, EXACT, j->count);
	expect(FSYNC, EXACT, j->count);
}

static void run_vector(struct job *j)
{
	char a[1000], b[3000];
	struct iovec iov[2] = { { a, sizeof(a) }, { b, sizeof(b) } };

	for (long i = 0; i < j->count; i++) {
		must(preadv(j->fd, iov, 2, page_offset(i)) == 4000);
		must(pwritev(j->fd, iov, 2, page_offset(i)) == 4000);
	}
	expect(READ, EXACT, j->count);
	expect(WRITE, EXACT, j->count);
}

/* RWF_NOWAIT on pages that are not there: refused, unless read-ahead was done on the spot. */
static void prepare_cold(struct job *j)
{
	file_drop_cache(j->fd);
}

static void run_nowait(struct job *j)
{
	struct iovec iov = { page, PAGE };

	for (long i = 0; i < j->count; i++)
		must(preadv2(j->fd, &iov, 1, page_offset(i), RWF_NOWAIT) == PAGE ||
		     errno == EAGAIN);
	expect(READ, REFUSED, j->count);
}

static void run_open(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		int fd = open("open.dat", i & 1 ? O_RDWR : O_RDONLY);

		must(fd >= 0);
		close(fd);
	}
	expect(OPEN, EXACT, j->count);
}

static void try_open(const char *name, int flags, int error)
{
	int fd = open(name, flags, 0644);

	must(error ? fd < 0 && errno == error : fd >= 0);
	if (fd >= 0)
		close(fd);
}

/* New, truncated and nameless files are opens; directories, O_PATH and what fails are none. */
static void run_open_kinds(struct job *j)
{
	char name[64];

	for (long i = 0; i < j->count; i++) {
		snprintf(name, sizeof(name), "open_kinds.%ld.%d", i, getpid());
		try_open(name, O_RDWR | O_CREAT | O_EXCL, 0);
		try_open(name, O_WRONLY | O_TRUNC, 0);
		try_open(".", O_RDWR | O_TMPFILE, 0);
		try_open(name, O_PATH, 0);
		try_open(".", O_RDONLY | O_DIRECTORY, 0);
		try_open("open_kinds.none", O_RDONLY, ENOENT);
		try_open(name, O_RDWR | O_CREAT | O_EXCL, EEXIST);
		try_open(name, O_RDONLY | O_DIRECTORY, ENOTDIR);
		must(!unlink(name));
	}
	expect(OPEN, EXACT, 3 * j->count);
}

/* The kernel reads the head of the program and its table of segments; the rest are page faults. */
static void prepare_exec(struct job *j)
{
	char buf[65536];
	int in = open("/proc/self/exe", O_RDONLY);
	int out = open("work.exe", O_WRONLY | O_CREAT | O_TRUNC, 0755);
	ssize_t n;

	must(j->count > 0 && in >= 0 && out >= 0);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		must(write(out, buf, n) == n);
	must(!n && !fsync(out));
	close(in);
	close(out);
}

static void run_exec(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		int status;
		pid_t pid = fork();

		if (!pid) {
			execl("work.exe", "work", "true", NULL);
			_exit(99);
		}
		must(pid > 0 && waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 0);
	}
	expect(OPEN, EXACT, j->count);
	expect(READ, EXACT, 2 * j->count);
}

/*
 * More processes than a tracer has room to remember at a time. Each writes when it has all but
 * exited: the kernel does that, its record of accounting. In a PID namespace of its own (-n), or
 * others would be in the accounts.
 */
static void prepare_accounting(struct job *j)
{
	(void)j;
	must(!acct("accounting.dat"));
}

static void run_accounting(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		pid_t pid = vfork();

		if (!pid)
			_exit(0);
		must(pid > 0 && waitpid(pid, NULL, 0) == pid);
	}
	must(!acct(NULL));
	/* and one as it is switched off */
	expect(WRITE, EXACT, j->count + 1);
}

static void run_fsync(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!fsync(j->fd));
	expect(FSYNC, EXACT, j->count);
}

static void run_fdatasync(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!fdatasync(j->fd));
	expect(FSYNC, EXACT, j->count);
}

static void prepare_dir(struct job *j)
{
	j->fd = open(".", O_RDONLY | O_DIRECTORY);
	must(j->fd >= 0);
}

static void prepare_map(struct job *j)
{
	j->map = mmap(NULL, FILE_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, j->fd, 0);
	must(j->map != MAP_FAILED);
}

static void run_msync(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		j->map[page_offset(i)]++;
		must(!msync(j->map + page_offset(i), PAGE, MS_SYNC));
	}
	expect(FSYNC, EXACT, j->count);
}

/* None of these calls ext4's fsync: not counted, as documented in the manual. */
static void run_other_syncs(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		must(!sync_file_range(j->fd, page_offset(i), PAGE, SYNC_FILE_RANGE_WAIT_BEFORE |
				      SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER));
		must(!syncfs(j->fd));
	}
}

/* Page faults read and write without a call of read or write: not seen, and documented. */
static void run_faults(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		volatile char *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, j->fd,
					  page_offset(i));

		must(map != MAP_FAILED);
		(void)*map;
		*map = 1;
		munmap((void *)map, PAGE);
	}
}

static void prepare_pipe(struct job *j)
{
	int fds[2];

	must(!pipe(fds));
	j->map = (char *)(((long)fds[1] << 32) | fds[0]);
}

static int pipe_in(struct job *j) { return (long)j->map >> 32; }
static int pipe_out(struct job *j) { return (int)(long)j->map; }

static void run_splice_read(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		off_t at = page_offset(i);

		must(splice(j->fd, &at, pipe_in(j), NULL, PAGE, 0) == PAGE);
		must(read(pipe_out(j), page, PAGE) == PAGE);
	}
	expect(READ, EXACT, j->count);
}

static void run_splice_write(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		off_t at = page_offset(i);

		must(write(pipe_in(j), page, PAGE) == PAGE);
		must(splice(pipe_out(j), NULL, j->fd, &at, PAGE, 0) == PAGE);
	}
	expect(WRITE, EXACT, j->count);
}

static void run_sendfile(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		off_t at = page_offset(i);

		must(sendfile(pipe_in(j), j->fd, &at, PAGE) == PAGE);
		must(read(pipe_out(j), page, PAGE) == PAGE);
	}
	expect(READ, EXACT, j->count);
}

static void prepare_copy(struct job *j)
{
	j->fd2 = file_make("copy.to", O_RDWR);
}

static void run_copy(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		off_t from = page_offset(i), to = page_offset(i);

		must(copy_file_range(j->fd, &from, j->fd2, &to, PAGE, 0) == PAGE);
	}
	expect(READ, EXACT, j->count);
	expect(WRITE, EXACT, j->count);
}

/* What reaches ext4 and fails there is an operation; what fails before is none. */
static void run_failing(struct job *j)
{
	void *volatile nowhere = (void *)1;
	int path = open(".", O_PATH);

	for (long i = 0; i < j->count; i++) {
		must(pread(j->fd, nowhere, PAGE, 0) < 0 && errno == EFAULT);
		must(pwrite(j->fd, nowhere, PAGE, 0) < 0 && errno == EFAULT);
		must(pread(path, page, PAGE, 0) < 0 && errno == EBADF);
		must(pwrite(path, page, PAGE, 0) < 0 && errno == EBADF);
		must(fsync(path) < 0 && errno == EBADF);
		must(pread(j->fd, page, PAGE, -1) < 0 && errno == EINVAL);
	}
	close(path);
	expect(READ, EXACT, j->count);
	expect(WRITE, EXACT, j->count);
}

/*
 * Reads that take at least 50 ms each, however slow the machine: they are copied to a page that
 * userfaultfd provides only after that time.
 */
static void *slow_thread(void *arg)
{
	int fd = *(int *)arg;
	struct uffd_msg fault;

	while (read(fd, &fault, sizeof(fault)) == sizeof(fault)) {
		struct uffdio_zeropage zero = {
			.range = { fault.arg.pagefault.address & ~(PAGE - 1ULL), PAGE },
		};

		usleep(50000);
		must(!ioctl(fd, UFFDIO_ZEROPAGE, &zero));
	}
	return NULL;
}

static void prepare_slow(struct job *j)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	static pthread_t thread;

	j->fd2 = syscall(SYS_userfaultfd, O_CLOEXEC);
	j->map = mmap(NULL, j->count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	range.range.start = (unsigned long)j->map;
	range.range.len = j->count * PAGE;
	must(j->fd2 >= 0 && j->map != MAP_FAILED);
	must(!ioctl(j->fd2, UFFDIO_API, &api) && !ioctl(j->fd2, UFFDIO_REGISTER, &range));
	must(!pthread_create(&thread, NULL, slow_thread, &j->fd2));
}

static void run_slow(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(pread(j->fd, j->map + i * PAGE, PAGE, page_offset(i)) == PAGE);
	expect(READ, EXACT, j->count);
}

/* A bit of everything, by whoever calls. */
struct mix { long preads, pwrites, opens, fsyncs, osyncs; };

static void mix_do(const struct mix *m, int fd, int sync_fd, const char *name)
{
	char buf[PAGE];
	long i;

	for (i = 0; i < m->preads; i++)
		must(pread(fd, buf, PAGE, page_offset(i)) == PAGE);
	for (i = 0; i < m->pwrites; i++)
		must(pwrite(fd, buf, PAGE, page_offset(i)) == PAGE);
	for (i = 0; i < m->opens; i++) {
		int opened = open(name, O_RDONLY);

		must(opened >= 0);
		close(opened);
	}
	for (i = 0; i < m->fsyncs; i++)
		must(!fsync(fd));
	for (i = 0; i < m->osyncs; i++)
		must(pwrite(sync_fd, buf, PAGE, page_offset(i)) == PAGE);
}

static void mix_expect(const struct mix *m, long times)
{
	expect(READ, EXACT, times * m->preads);
	expect(WRITE, EXACT, times * (m->pwrites + m->osyncs));
	expect(OPEN, EXACT, times * m->opens);
	expect(FSYNC, EXACT, times * (m->fsyncs + m->osyncs));
}

static const struct mix mixed = { 1009, 503, 211, 101, 97 };
static const struct mix small_mix = { 127, 61, 31, 7, 5 };
static const struct mix tiny_mix = { 31, 17, 13, 3, 2 };

static void prepare_mixed(struct job *j)
{
	j->fd2 = file_make("mixed.sync", O_RDWR | O_SYNC);
}

static void run_mixed(struct job *j)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.dat", j->scenario->name);
	mix_do(&mixed, j->fd, j->fd2, name);
	mix_expect(&mixed, 1);
}

static void run_some(struct job *j)
{
	mix_do(&small_mix, j->fd, j->fd2, "some.dat");
	mix_expect(&small_mix, 1);
}

/* The twin does the same at the same time; a tracer with -p must not see it. */
static void run_twin(struct job *j)
{
	int status;
	pid_t pid = fork();

	must(pid >= 0);
	if (!pid) {
		mix_do(&small_mix, j->fd, j->fd2, "twin.dat");
		_exit(0);
	}
	mix_do(&small_mix, j->fd, j->fd2, "twin.dat");
	must(waitpid(pid, &status, 0) == pid && !status);
	mix_expect(&small_mix, 1);
}

struct worker { struct job *job; long number, rounds; int fd, sync_fd; pthread_t thread; };
static struct worker workers[64];

static void workers_make(struct job *j, long n)
{
	char name[64];

	must(n <= 64);
	for (long i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s.%ld", j->scenario->name, i);
		workers[i].fd = file_make(name, O_RDWR);
		workers[i].sync_fd = open(name, O_RDWR | O_SYNC);
		must(workers[i].sync_fd >= 0);
	}
}

static void workers_run(struct job *j, long n, void *(*body)(void *))
{
	many_at_once();
	for (long i = 0; i < n; i++) {
		workers[i].number = i;
		workers[i].job = j;
		must(!pthread_create(&workers[i].thread, NULL, body, &workers[i]));
	}
	for (long i = 0; i < n; i++)
		must(!pthread_join(workers[i].thread, NULL));
}

static void *mix_thread(void *arg)
{
	struct worker *w = arg;
	char name[64];

	snprintf(name, sizeof(name), "%s.%ld", w->job->scenario->name, w->number);
	mix_do(&tiny_mix, w->fd, w->sync_fd, name);
	return NULL;
}

/* count threads, each with a file of its own */
static void prepare_threads(struct job *j)
{
	workers_make(j, j->count);
}

static void run_threads(struct job *j)
{
	workers_run(j, j->count, mix_thread);
	mix_expect(&tiny_mix, j->count);
}

/*
 * count threads that have each read once and live on, all at the same time: what a tracer remembers
 * of a thread must not outlive its call. None returns: they end with the process.
 */
#define STACK 16384

static struct { pthread_mutex_t lock; pthread_cond_t changed; long done; } living = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0,
};

static void *living_thread(void *arg)
{
	struct job *j = arg;
	static __thread char byte;

	must(pread(j->fd, &byte, 1, 0) == 1);
	must(!pthread_mutex_lock(&living.lock));
	living.done++;
	must(!pthread_cond_signal(&living.changed));
	must(!pthread_mutex_unlock(&living.lock));
	for (;;)
		pause();
}

static void run_living(struct job *j)
{
	char *stacks = mmap(NULL, j->count * STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_attr_t attr;
	pthread_t thread;

	many_at_once();		/* those that have just begun */
	must(stacks != MAP_FAILED && !pthread_attr_init(&attr));
	for (long i = 0; i < j->count; i++) {
		must(!pthread_attr_setstack(&attr, stacks + i * STACK, STACK));
		must(!(errno = pthread_create(&thread, &attr, living_thread, j)));
	}
	must(!pthread_mutex_lock(&living.lock));
	while (living.done < j->count)
		must(!pthread_cond_wait(&living.changed, &living.lock));
	must(!pthread_mutex_unlock(&living.lock));
	expect(READ, EXACT, j->count);
}

/* 64 threads that all wait for the journal: more than a kretprobe has instances. */
static void *crowd_thread(void *arg)
{
	struct worker *w = arg;

	for (long i = 0; i < w->job->count; i++) {
		must(pwrite(w->fd, page, PAGE, page_offset(i)) == PAGE);
		must(!fsync(w->fd));
	}
	return NULL;
}

static void prepare_crowd(struct job *j)
{
	workers_make(j, 64);
}

static void run_crowd(struct job *j)
{
	workers_run(j, 64, crowd_thread);
	expect(WRITE, EXACT, 64 * j->count);
	expect(FSYNC, EXACT, 64 * j->count);
}

const struct scenario file_scenarios[] = {
	{ "pread",           1009, O_RDWR,                     NULL,             run_pread },
	{ "pread_eof",       61,   O_RDWR,                     NULL,             run_read_eof },
	{ "pwrite",          503,  O_RDWR,                     NULL,             run_pwrite },
	{ "append",          211,  O_RDWR | O_APPEND,          NULL,             run_append },
	{ "open",            211,  O_RDWR,                     NULL,             run_open },
	{ "open_kinds",      31,   O_RDWR,                     NULL,             run_open_kinds },
	{ "exec",            7,    0,                          prepare_exec,     run_exec },
	{ "accounting",      17011, O_RDWR,                    prepare_accounting, run_accounting },
	{ "fsync",           101,  O_RDWR,                     NULL,             run_fsync },
	{ "fsync_directory", 23,   0,                          prepare_dir,      run_fsync },
	{ "fdatasync",       53,   O_RDWR,                     NULL,             run_fdatasync },
	{ "osync",           97,   O_RDWR | O_SYNC,            NULL,             run_synchronous },
	{ "odsync",          59,   O_RDWR | O_DSYNC,           NULL,             run_synchronous },
	{ "rwf_dsync",       43,   O_RDWR,                     NULL,             run_rwf_dsync },
	{ "direct_read",     307,  O_RDWR | O_DIRECT,          NULL,             run_pread },
	{ "direct_write",    151,  O_RDWR | O_DIRECT,          NULL,             run_pwrite },
	{ "direct_osync",    47,   O_RDWR | O_DIRECT | O_SYNC, NULL,             run_synchronous },
	{ "vector",          127,  O_RDWR,                     NULL,             run_vector },
	{ "nowait_cached",   83,   O_RDWR,                     NULL,             run_nowait },
	{ "nowait_cold",     13,   O_RDWR,                     prepare_cold,     run_nowait },
	{ "splice_read",     131,  O_RDWR,                     prepare_pipe,     run_splice_read },
	{ "splice_direct",   37,   O_RDWR | O_DIRECT,          prepare_pipe,     run_splice_read },
	{ "splice_write",    113,  O_RDWR,                     prepare_pipe,     run_splice_write },
	{ "sendfile",        109,  O_RDWR,                     prepare_pipe,     run_sendfile },
	{ "copy",            103,  O_RDWR,                     prepare_copy,     run_copy },
	{ "msync",           41,   O_RDWR,                     prepare_map,      run_msync },
	{ "other_syncs",     29,   O_RDWR,                     NULL,             run_other_syncs },
	{ "faults",          67,   O_RDWR,                     NULL,             run_faults },
	{ "failing",         73,   O_RDWR,                     NULL,             run_failing },
	{ "slow",            7,    O_RDWR,                     prepare_slow,     run_slow },
	{ "mixed",           1,    O_RDWR,                     prepare_mixed,    run_mixed },
	{ "some",            1,    O_RDWR,                     prepare_mixed,    run_some },
	{ "twin",            1,    O_RDWR,                     prepare_mixed,    run_twin },
	{ "threads",         8,    0,                          prepare_threads,  run_threads },
	{ "threads32",       32,   0,                          prepare_threads,  run_threads },
	{ "crowd",           5,    0,                          prepare_crowd,    run_crowd },
	{ "living",          40009, O_RDWR,                    NULL,             run_living },
	{ "stuck",           5003, O_RDWR,                     NULL,             run_stuck },
	{ 0 }
};

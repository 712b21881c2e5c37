// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * work: file-system work of known size, and the numbers a tracer must find.
 *
 *   work [-w] [-n] [-k FUNC]... [-o FILE] [[-C DIR] WINDOW [COUNT]] ...
 *   work list                            names the scenarios
 *   work rows [-m] OUTPUT ROWS           compares an output of work with dcsnoop --json
 *   work argv0 [NAME] -- PATH ARG...     runs PATH as NAME; without a NAME argc is 0
 *
 * Everything is prepared first: files made, caches filled or dropped. Then come the windows, each
 * [LABEL:]SCENARIO[+SCENARIO]...: they run back to back, do exactly what they say, and print
 *
 *   expect OP SPLIT N      what ext4dist must count (SPLIT: see enum split)
 *   rows NAME M R N CALLS  what dcsnoop -a must show of names that begin with NAME and a dot;
 *                          CALLS: of the first -k FUNC meanwhile
 *   calls FUNC N           calls of the kernel function FUNC by this process, from a kprobe of ours
 *   done WINDOW
 *
 * With -w it prints "pid N" when all is prepared and waits for a SIGUSR1: time to start a tracer
 * with -p N. With -n it is in a pid namespace of its own; N is the outer pid.
 * With -o FILE, where an `ext4dist --json 1` writes, it waits after each window for the counts to
 * come, two blocks at most, and says "check WINDOW-OP EXPECTED COUNTED" instead of "expect".
 */
#include "work.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

char page[PAGE] __attribute__((aligned(PAGE)));

static const char *const op_names[OPS] = { "read", "write", "open", "fsync" };
static const char *const split_names[] = { "exact", "queued", "refused", "retried", "direct" };
static struct { enum split split; long n; } expected[OPS];

static struct { const char *function; int fd; } counter[8];
int counters;

void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fputs("work: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	_exit(1);
}

/*
 * A kprobe of our own on FUNC, counted for this process alone: the perf way, which needs no
 * tracefs and does not touch what a tracer sets up there.
 */
static void counter_open(const char *function)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.inherit = 1,
		.kprobe_func = (unsigned long)function,
	};
	FILE *type = fopen("/sys/bus/event_source/devices/kprobe/type", "re");
	int i = counters++;

	must(type && fscanf(type, "%u", &attr.type) == 1);
	fclose(type);
	must(i < 8);
	counter[i].function = function;
	counter[i].fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (counter[i].fd < 0)
		die("cannot count calls of %s: %s", function, strerror(errno));
}

long counter_read(int i)
{
	long calls;

	must(read(counter[i].fd, &calls, sizeof(calls)) == sizeof(calls));
	return calls;
}

void expect(enum op op, enum split split, long n)
{
	if (expected[op].n && expected[op].split != split)
		die("%s is split in two ways in one window", op_names[op]);
	expected[op].split = split;
	expected[op].n += n;
}

int file_make(const char *name, int flags)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	must(fd >= 0);
	for (int i = 0; i < FILE_PAGES; i++)
		must(write(fd, page, PAGE) == PAGE);
	must(!fsync(fd));
	close(fd);
	fd = open(name, flags | O_CLOEXEC);
	must(fd >= 0);
	return fd;
}

void file_drop_cache(int fd)
{
	must(!fsync(fd));
	must(!posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
}

/*
 * What ext4dist --json has written so far, summed up: [0] count, [1] queued, [2] again.
 * A line that is not complete is left for the next time.
 */
static struct { const char *name; FILE *file; long sum[OPS][3], blocks; } observed;

static long member(const char *line, const char *name)
{
	const char *p = strstr(line, name);

	if (!p)
		die("no %s in '%s' of %s", name, line, observed.name);
	return atol(p + strlen(name));
}

static void observed_read(void)
{
	char line[8192], op[16];

	for (;;) {
		long at = ftell(observed.file);
		int i;

		if (!fgets(line, sizeof(line), observed.file) || !strchr(line, '\n')) {
			must(!fseek(observed.file, at, SEEK_SET));
			return;
		}
		for (i = 0; i < OPS; i++) {
			snprintf(op, sizeof(op), "\"op\":\"%.5s\"", op_names[i]);
			if (strstr(line, op))
				break;
		}
		if (i == OPS)
			die("a line that is no operation in %s: %s", observed.name, line);
		observed.sum[i][0] += member(line, "\"count\":");
		observed.sum[i][1] += member(line, "\"queued\":");
		observed.sum[i][2] += member(line, "\"again\":");
		observed.blocks += i == OPS - 1;
	}
}

/* What was counted of an operation since before, as its split allows: a number, or more. */
static const char *counted(int i, long before[OPS][3])
{
	static char text[80];
	long n[3], total;
	enum split split = expected[i].split;

	for (int part = 0; part < 3; part++)
		n[part] = observed.sum[i][part] - before[i][part];
	total = n[0];
	if (split == QUEUED || split == DIRECT)
		total += n[1];
	if (split == REFUSED)
		total += n[2];
	snprintf(text, sizeof(text), "%ld", total);
	if (n[1] && (split == EXACT || split == REFUSED))
		snprintf(text + strlen(text), 24, "+%ldqueued", n[1]);
	if (n[2] && (split == EXACT || split == QUEUED))
		snprintf(text + strlen(text), 24, "+%ldagain", n[2]);
	return text;
}

static int all_counted(long before[OPS][3])
{
	char wanted[24];

	for (int i = 0; i < OPS; i++) {
		snprintf(wanted, sizeof(wanted), "%ld", expected[i].n);
		if (strcmp(wanted, counted(i, before)))
			return 0;
	}
	return 1;
}

/*
 * Waits for the counts, at most until a block has come that began after the window. If nothing is
 * expected it waits for that all the same, to see that nothing comes.
 */
static void observe(const char *window, long before[OPS][3])
{
	long blocks, nothing = 0;

	for (int i = 0; i < OPS; i++)
		nothing += expected[i].n;
	observed_read();
	blocks = observed.blocks;	/* one may be on its way that does not hold all */
	for (int tries = 0; tries < 2000; tries++, usleep(10000)) {
		observed_read();
		if (nothing && all_counted(before))
			break;
		if (observed.blocks >= blocks + 2)
			break;
	}
	for (int i = 0; i < OPS; i++)
		printf("check %s-%s %ld %s\n", window, op_names[i], expected[i].n,
		       counted(i, before));
}

/* Three times: a dentry used since it was last looked at is spared once. */
static void drop_caches(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);

	must(fd >= 0);
	sync();
	for (int i = 0; i < 3; i++)
		must(pwrite(fd, "2", 1, 0) == 1);
	close(fd);
}

static const struct scenario *const tables[] = {
	file_scenarios, async_scenarios, name_scenarios, path_scenarios,
};
#define TABLES (sizeof(tables) / sizeof(*tables))

static const struct scenario *scenario_find(const char *name)
{
	for (size_t t = 0; t < TABLES; t++)
		for (const struct scenario *s = tables[t]; s->name; s++)
			if (!strcmp(s->name, name))
				return s;
	die("no scenario '%s'", name);
}

static int list(void)
{
	for (size_t t = 0; t < TABLES; t++)
		for (const struct scenario *s = tables[t]; s->name; s++)
			printf("%s\n", s->name);
	return 0;
}

/* /proc/self is the pid in the namespace /proc was mounted in: the one a tracer outside uses. */
static void wait_ready(void)
{
	char pid[16] = "";

	must(readlink("/proc/self", pid, sizeof(pid) - 1) > 0);
	printf("pid %s\n", pid);
	fflush(stdout);
}

static void wait_go(void)
{
	sigset_t usr1;
	int sig;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	must(!sigwait(&usr1, &sig));
}

static void run_window(const char *name, struct job *job, int jobs)
{
	long before[8], seen[OPS][3];
	int i;

	memset(expected, 0, sizeof(expected));
	memcpy(seen, observed.sum, sizeof(seen));
	for (i = 0; i < counters; i++)
		before[i] = counter_read(i);
	for (i = 0; i < jobs; i++) {
		must(!fchdir(job[i].directory));	/* no lookup */
		job[i].scenario->run(&job[i]);
	}
	for (i = 0; i < counters; i++)
		printf("calls %s %ld\n", counter[i].function, counter_read(i) - before[i]);
	if (observed.file)
		observe(name, seen);
	else
		for (i = 0; i < OPS; i++)
			printf("expect %s %s %ld\n", op_names[i], split_names[expected[i].split],
			       expected[i].n);
	printf("done %s\n", name);
	fflush(stdout);
}

static int argv0(char **argv)
{
	char *none = NULL, *path;

	if (argv[0] && strcmp(argv[0], "--") && argv[1]) {	/* NAME -- PATH ARG... */
		path = argv[2];
		argv[2] = argv[0];
		execv(path, argv + 2);
	} else {						/* -- PATH */
		path = argv[1];
		execv(path, &none);
	}
	die("%s: %s", path, strerror(errno));
}

/* The rest runs in the child; this process only hands on its exit status. */
static void enter_pid_namespace(void)
{
	int status;
	pid_t pid;

	must(!unshare(CLONE_NEWPID));
	pid = fork();
	must(pid >= 0);
	if (!pid)
		return;
	must(waitpid(pid, &status, 0) == pid);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static int directory_open(const char *name)
{
	int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		die("%s: %s", name, strerror(errno));
	return fd;
}

int main(int argc, char **argv)
{
	static struct job job[128];
	char *windows[128], *colon;
	int jobs = 0, window = 0, opt, waits = 0, warm = 0, first, i;
	int directory = directory_open(".");
	sigset_t usr1;

	if (argc > 1 && !strcmp(argv[1], "true"))
		return 0;
	if (argc > 1 && !strcmp(argv[1], "list"))
		return list();
	if (argc == 4 && !strcmp(argv[1], "rows"))
		return check_rows(argv[2], argv[3], 0);
	if (argc == 5 && !strcmp(argv[1], "rows") && !strcmp(argv[2], "-m"))
		return check_rows(argv[3], argv[4], 1);
	if (argc > 1 && !strcmp(argv[1], "argv0"))
		return argv0(argv + 2);

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	must(!sigprocmask(SIG_BLOCK, &usr1, NULL));
	while ((opt = getopt(argc, argv, "+wnk:o:C:")) != -1)
		switch (opt) {
		case 'w': waits = 1; break;
		case 'n': enter_pid_namespace(); break;
		case 'k': counter_open(optarg); break;
		case 'o':
			observed.name = optarg;
			must((observed.file = fopen(optarg, "re")));
			break;
		case 'C': directory = directory_open(optarg); break;
		default: return 2;
		}

	for (; optind < argc; optind++) {
		long count = 0;

		if (!strcmp(argv[optind], "-C") && optind + 1 < argc) {
			directory = directory_open(argv[++optind]);
			continue;
		}
		if (window == 128)
			die("more than 128 windows");
		windows[window] = strdup(argv[optind]);
		if (optind + 1 < argc && atol(argv[optind + 1]) > 0)
			count = atol(argv[optind + 1]);
		colon = strchr(argv[optind], ':');
		if (colon)
			windows[window][colon - argv[optind]] = '\0';
		for (char *name = strtok(colon ? colon + 1 : argv[optind], "+"); name;
		     name = strtok(NULL, "+")) {
			const struct scenario *s = scenario_find(name);

			if (jobs == 128)
				die("more than 128 scenarios");
			job[jobs++] = (struct job){
				.scenario = s, .count = count ? count : s->count,
				.fd = -1, .fd2 = -1, .window = window, .directory = directory,
			};
		}
		optind += count > 0;
		window++;
	}
	if (!jobs)
		die("no scenario named: see work list");

	for (i = 0; i < jobs; i++) {
		const struct scenario *s = job[i].scenario;
		char name[64];

		must(!fchdir(job[i].directory));
		snprintf(name, sizeof(name), "%s.dat", s->name);
		if (s->flags)
			job[i].fd = file_make(name, s->flags);
		if (s->prepare)
			s->prepare(&job[i]);
		warm |= s->warm != NULL;
	}
	if (warm)
		drop_caches();
	for (i = 0; i < jobs; i++)
		if (job[i].scenario->warm) {
			must(!fchdir(job[i].directory));
			job[i].scenario->warm(&job[i]);
		}
	if (waits) {
		wait_ready();
		wait_go();
	}
	for (first = 0; first < jobs; first = i) {
		for (i = first; i < jobs && job[i].window == job[first].window; i++)
			;
		run_window(windows[job[first].window], &job[first], i - first);
	}
	return 0;
}

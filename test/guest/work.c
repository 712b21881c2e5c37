// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * work: file-system work of known size, and the numbers a tracer must report.
 *
 *   work [-w] [-n] [-k FUNC]... [-o FILE]... [-f OP,...] [[-C DIR[:FS]] [-P N] WINDOW [COUNT]] ...
 *   work list                            names the scenarios
 *   work mount TYPE SOURCE DIR OPTIONS   mount(2), and no helper of it
 *   work delay DEVICE MS                 a slower device: see work_delay.c
 *   work fuse DIR, work rpc              servers: see work_fuse.c, work_rpc.c
 *   work forks N STATUS, work noise NAME N M    processes: see work_fork.c
 *   work argv0 [NAME] -- PATH ARG...     runs PATH as NAME; without a NAME argc is 0
 *
 * Everything is prepared first: files made, caches filled or dropped. The windows follow, each
 * [LABEL:]SCENARIO[+SCENARIO]...: they run back to back, do exactly what they announce, and print
 *
 *   expect OP SPLIT N [FS] what ext4dist must count (SPLIT: see enum split), or fsdist of a file
 *                          system; of the operations of -f alone, if that is given
 *   took OP FS NS...       how long the load saw each of these operations take
 *   rows NAME M R N CALLS NUMBERS
 *                  what dcsnoop -a must show of names that begin with NAME and a dot: see work_name.c
 *   calls FUNC N           calls of the kernel function FUNC by this process, from a kprobe of ours
 *   many           several threads were inside the same kernel function at once
 *   done WINDOW [FROM TO]...
 *
 * -P N: for each scenario's number of operations the Nth prime above it, in the windows that follow.
 * DIR:FS is an overlay whose files are on a file system of that type.
 * With -w it prints "pid N" when everything is prepared and waits for a SIGUSR1: time to start a
 * tracer with -p N. With -n it is in a separate pid namespace; N is the outer pid.
 * With -o FILE, where an `ext4dist --json 1` writes, it waits after each window for the counts to
 * arrive: they are in the lines of FILE from number FROM up to, not including, TO. There may be
 * several.
 * host/ compares all this with what the tools reported.
 */
#include "work.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define COUNTERS 64

char page[PAGE] __attribute__((aligned(PAGE)));

static const char *const op_names[OPS] = { "read", "write", "open", "fsync" };
static const char *const split_names[] = { "exact", "queued", "refused", "retried", "direct", "tried" };
static struct { enum split split; long n; } expected[OPS];
static struct { const char *fs, *op; enum split split; long n; } expected_on[512];
static int expectations;
static const char *announced;		/* ",OP,OP,": of expect_on(); NULL: all */

static struct { const char *function; int fd; } counter[COUNTERS];
int counters;
static int many;

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
	must(i < COUNTERS);
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

void many_at_once(void)
{
	many = 1;
}

void expect_on(const char *fs, const char *op, enum split split, long n)
{
	char word[40];
	int i;

	snprintf(word, sizeof(word), ",%s,", op);
	if (announced && !strstr(announced, word))
		return;
	for (i = 0; i < expectations; i++)
		if (!strcmp(expected_on[i].fs, fs) && !strcmp(expected_on[i].op, op))
			break;
	must(i < 512);
	if (i == expectations)
		expectations++;
	else if (expected_on[i].split != split)
		die("%s of %s is split in two ways in one window", op, fs);
	expected_on[i].fs = fs;
	expected_on[i].op = op;
	expected_on[i].split = split;
	expected_on[i].n += n;
}

static struct { const char *fs, *op; long ns[512]; int n; } took;

void took_on(const char *fs, const char *op, long ns)
{
	must(took.n < 512);
	if (took.n && (strcmp(took.fs, fs) || strcmp(took.op, op)))
		die("two kinds of operations are timed in one window");
	took.fs = fs;
	took.op = op;
	took.ns[took.n++] = ns;
}

static void took_print(void)
{
	if (!took.n)
		return;
	printf("took %s %s", took.op, took.fs);
	for (int i = 0; i < took.n; i++)
		printf(" %ld", took.ns[i]);
	printf("\n");
	took.n = 0;
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
 * What a tool that was given --json and an interval has written so far: lines, and blocks, each of
 * which begins with an object of the same operation (and file system, if it names one).
 * A line that is not complete is left for the next time.
 */
static struct observed {
	FILE *file;
	char op[40], fs[40];
	long lines, blocks, from, begun;
} observed[8];
static int outputs;

/* The member NAME (written "NAME":") of a line with its whole string; "" if it has none. */
static void member(char *out, size_t size, const char *line, const char *name)
{
	const char *p = strstr(line, name);
	int len = p ? strlen(name) + strcspn(p + strlen(name), "\"") + 1 : 0;

	snprintf(out, size, "%.*s", len, p ? p : "");
}

static void observed_read(struct observed *o)
{
	static char *line;
	static size_t size;

	for (;;) {
		long at = ftell(o->file);
		ssize_t len = getline(&line, &size, o->file);

		if (len <= 0 || line[len - 1] != '\n') {
			must(!fseek(o->file, at, SEEK_SET));
			return;
		}
		if (!o->lines++) {
			member(o->op, sizeof(o->op), line, "\"op\":\"");
			member(o->fs, sizeof(o->fs), line, "\"fs\":\"");
		}
		if (strstr(line, o->op) && strstr(line, o->fs))
			o->blocks++;
	}
}

/*
 * Waits until a block has ended that began after the window: the one that is now begun or on its
 * way may have begun before, then comes one that did not, and the third says that it has ended.
 */
static void observe(void)
{
	struct observed *o, *end = observed + outputs;

	for (o = observed; o < end; o++) {
		observed_read(o);
		o->begun = o->blocks;
	}
	for (o = observed; o < end; o++)
		for (int tries = 0; o->blocks < o->begun + 3 && tries < 3000; tries++) {
			usleep(10000);
			observed_read(o);
		}
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
	file_scenarios, async_scenarios, family_scenarios, name_scenarios, path_scenarios,
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
	long before[COUNTERS];
	int i;

	memset(expected, 0, sizeof(expected));
	memset(expected_on, 0, sizeof(expected_on));
	expectations = 0;
	many = 0;
	for (i = 0; i < counters; i++)
		before[i] = counter_read(i);
	for (i = 0; i < jobs; i++) {
		must(!fchdir(job[i].directory));	/* no lookup */
		job[i].scenario->run(&job[i]);
	}
	for (i = 0; i < counters; i++)
		printf("calls %s %ld\n", counter[i].function, counter_read(i) - before[i]);
	for (i = 0; i < expectations; i++)
		printf("expect %s %s %ld %s\n", expected_on[i].op, split_names[expected_on[i].split],
		       expected_on[i].n, expected_on[i].fs);
	for (i = 0; !expectations && i < OPS; i++)
		printf("expect %s %s %ld\n", op_names[i], split_names[expected[i].split],
		       expected[i].n);
	took_print();
	if (many)
		printf("many\n");
	observe();
	printf("done %s", name);
	for (i = 0; i < outputs; i++) {
		printf(" %ld %ld", observed[i].from, observed[i].lines);
		observed[i].from = observed[i].lines;
	}
	printf("\n");
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

static int is_prime(long n)
{
	for (long i = 2; i * i <= n; i++)
		if (n % i == 0)
			return 0;
	return n > 1;
}

static long prime_above(long n, long steps)
{
	for (; steps; steps -= is_prime(n))
		n++;
	return n;
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

static int directory_open(char *name, const char **below)
{
	char *colon = strchr(name, ':');
	int fd;

	*below = colon ? colon + 1 : NULL;
	if (colon)
		*colon = '\0';
	fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		die("%s: %s", name, strerror(errno));
	return fd;
}

int main(int argc, char **argv)
{
	static struct job job[192];
	char *windows[128], *colon;
	int jobs = 0, window = 0, opt, waits = 0, warm = 0, steps = 0, first, i;
	const char *below = NULL;
	int directory = directory_open((char[]){ "." }, &below);
	unsigned int magic;
	sigset_t usr1;

	if (argc > 1 && !strcmp(argv[1], "true"))
		return 0;
	if (argc > 1 && !strcmp(argv[1], "list"))
		return list();
	if (argc > 1 && !strcmp(argv[1], "argv0"))
		return argv0(argv + 2);
	if (argc > 1 && !strcmp(argv[1], "delay"))
		return delay_main(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "fuse"))
		return fuse_main(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "rpc"))
		return rpc_main(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "forks"))
		return forks_main(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "noise"))
		return noise_main(argc - 1, argv + 1);
	if (argc == 6 && !strcmp(argv[1], "mount")) {
		if (mount(argv[3], argv[4], argv[2], 0, argv[5]))
			die("mount %s: %s", argv[4], strerror(errno));
		return 0;
	}

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	must(!sigprocmask(SIG_BLOCK, &usr1, NULL));
	while ((opt = getopt(argc, argv, "+wnk:o:C:f:P:")) != -1)
		switch (opt) {
		case 'w': waits = 1; break;
		case 'n': enter_pid_namespace(); break;
		case 'k': counter_open(optarg); break;
		case 'o':
			must(outputs < 8 && (observed[outputs++].file = fopen(optarg, "re")));
			break;
		case 'C': directory = directory_open(optarg, &below); break;
		case 'P': steps = atoi(optarg); break;
		case 'f': must(asprintf((char **)&announced, ",%s,", optarg) > 0); break;
		default: return 2;
		}

	for (; optind < argc; optind++) {
		long count = 0;

		if (!strcmp(argv[optind], "-C") && optind + 1 < argc) {
			directory = directory_open(argv[++optind], &below);
			continue;
		}
		if (!strcmp(argv[optind], "-P") && optind + 1 < argc) {
			steps = atoi(argv[++optind]);
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
		magic = fs_magic(directory);
		for (char *name = strtok(colon ? colon + 1 : argv[optind], "+"); name;
		     name = strtok(NULL, "+")) {
			const struct scenario *s = scenario_find(name);

			if (jobs == 192)
				die("more than 192 scenarios");
			job[jobs++] = (struct job){
				.scenario = s,
				.count = count ? count : prime_above(s->count, steps),
				.fd = -1, .fd2 = -1, .window = window, .directory = directory,
				.magic = magic, .below = below,
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

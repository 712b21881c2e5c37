// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * More scenarios for dcsnoop, in the manner of work_name.c: names that are more than one component,
 * odd names, many tasks after the same name, and procfs.
 */
#include "work.h"
#include "work_name.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Paths and links */

static char path_buffer[1200];

#define path(...) (snprintf(path_buffer, sizeof(path_buffer), __VA_ARGS__), path_buffer)

/* A system call on a name made by a format, and what it must return. */
#define try(call, want, ...) check_call(call(path(__VA_ARGS__)), want, path_buffer)

static void prepare_paths(struct job *j)
{
	learn_file_system(j);
	for (int i = 0; i < 2; i++) {
		const char *name = i ? "deep-last" : "deep-hit";

		make_directory(path("%s.a", name));
		make_directory(path("%s.a/%s.b", name, name));
		make_file(path("%s.a/%s.b/%s.f", name, name, name));
	}
	make_directory("deep-mid.a");
	make_directory("slash-dir.d");
	make_directory("dots.d");
	make_file("slash-file.f");
	make_file("dots.f");
	make_file("follow-hit.f");
	make_file("follow-twice.f");
	make_file("open-link.f");
	must(!symlink("follow-hit.f", "follow-hit.l"));
	must(!symlink("follow-twice.f", "follow-twice.l"));
	must(!symlink("follow-twice.l", "follow-twice.m"));
	must(!symlink("open-link.f", "open-link.l"));
	for (long i = 0; i < j->count; i++) {
		char target[64];

		make_directory(path("deep-cold.%ld", i));
		make_directory(path("deep-cold.%ld/deep-cold.b", i));
		make_file(path("deep-cold.%ld/deep-cold.b/deep-cold.f", i));
		snprintf(target, sizeof(target), "follow-none.%ld", i);
		must(!symlink(target, path("follow-none.l%ld", i)));
		snprintf(target, sizeof(target), "follow-cold.%ld", i);
		make_file(target);
		must(!symlink(target, path("follow-cold.l%ld", i)));
		snprintf(target, sizeof(target), "creat-link.%ld", i);
		must(!symlink(target, path("creat-link.l%ld", i)));
		make_file(path("over.a%ld", i));
		make_file(path("over.b%ld", i));
		make_file(path("exchange.a%ld", i));
		make_file(path("exchange.b%ld", i));
		make_file(path("noreplace.a%ld", i));
		make_file(path("noreplace.b%ld", i));
		make_file(path("gone.%ld", i));
		make_file(path("moved.%ld", i));
	}
}

static void warm_paths(struct job *j)
{
	warm("deep-hit.a/deep-hit.b/deep-hit.f");
	warm("deep-last.a/deep-last.b/deep-last.f");
	warm("deep-mid.a");
	warm("slash-dir.d");
	warm("slash-file.f");
	warm("dots.f");
	warm("dots.d");
	warm("follow-hit.l");
	warm("follow-hit.f");
	warm("follow-twice.l");
	warm("follow-twice.m");
	warm("follow-twice.f");
	warm("open-link.l");
	warm("open-link.f");
	for (long i = 0; i < j->count; i++) {
		static const char *const twins[] = { "over", "exchange", "noreplace" };

		warm(path("follow-none.l%ld", i));
		warm(path("creat-link.l%ld", i));
		for (int t = 0; t < 3; t++) {
			warm(path("%s.a%ld", twins[t], i));
			warm(path("%s.b%ld", twins[t], i));
		}
		must(!unlink(path("gone.%ld", i)));
		must(!rename(path("moved.%ld", i), "moved.to"));
	}
}

static int call_renameat2(const char *from, const char *to, int flags)
{
	return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags) ? errno : 0;
}

/* One block is a case: what is done count times, then what that must show. */
#define CASE(name, statement, ...) \
	do { \
		static const struct { enum state state; int times; } shows[] = { __VA_ARGS__ }; \
		rows_begin(j); \
		for (long i = 0; i < j->count; i++) { \
			statement; \
		} \
		for (size_t r = 0; r < sizeof(shows) / sizeof(*shows); r++) \
			rows(shows[r].state, shows[r].times * j->count); \
		rows_end(name); \
	} while (0)

static void run_paths(struct job *j)
{
	char from[64];

	CASE("deep-hit", try(call_stat, 0, "deep-hit.a/deep-hit.b/deep-hit.f"), { HIT, 3 });
	CASE("deep-cold", try(call_stat, 0, "deep-cold.%ld/deep-cold.b/deep-cold.f", i),
	     { COLD, 3 });
	/* what follows a missing component is never looked up */
	CASE("deep-mid", try(call_stat, ENOENT, "deep-mid.a/deep-mid.%ld/deep-mid.x", i),
	     { HIT, 1 }, { NEW, 1 });
	CASE("deep-last", try(call_stat, ENOENT, "deep-last.a/deep-last.b/deep-last.%ld", i),
	     { HIT, 2 }, { NEW, 1 });
	CASE("slash-dir", try(call_stat, 0, "slash-dir.d/"), { HIT, 1 });
	CASE("slash-file", try(call_stat, ENOTDIR, "slash-file.f/"), { HIT, 1 });
	CASE("slash-none", try(call_stat, ENOENT, "slash-none.%ld/", i), { NEW, 1 });
	CASE("slash-mkdir", try(call_mkdir, 0, "slash-mkdir.%ld/", i), { NEW, 1 });
	/* . and .. are not looked up */
	CASE("dots", try(call_stat, 0, "."); try(call_stat, 0, "..");
	     try(call_stat, 0, "./././dots.f"); try(call_stat, 0, "dots.d/../dots.f"), { HIT, 3 });
	CASE("follow-hit", try(call_stat, 0, "follow-hit.l"), { HIT, 2 });
	CASE("follow-twice", try(call_stat, 0, "follow-twice.m"), { HIT, 3 });
	CASE("follow-cold", try(call_stat, 0, "follow-cold.l%ld", i), { COLD, 2 });
	CASE("follow-none", try(call_stat, ENOENT, "follow-none.l%ld", i), { HIT, 1 }, { NEW, 1 });
	CASE("open-link", try(call_open, 0, "open-link.l"), { HIT, 2 });
	CASE("creat-link", try(call_creat, 0, "creat-link.l%ld", i), { HIT, 1 }, { NEW, 1 });
	CASE("over", snprintf(from, sizeof(from), "over.a%ld", i);
	     check_call(call_renameat2(from, path("over.b%ld", i), 0), 0, from), { HIT, 2 });
	CASE("exchange", snprintf(from, sizeof(from), "exchange.a%ld", i);
	     check_call(call_renameat2(from, path("exchange.b%ld", i), 2), 0, from), { HIT, 2 });
	CASE("noreplace", snprintf(from, sizeof(from), "noreplace.a%ld", i);
	     check_call(call_renameat2(from, path("noreplace.b%ld", i), 1), EEXIST, from),
	     { HIT, 2 });
	/* an unlinked name is known to be missing; one that was moved away is forgotten */
	CASE("gone", try(call_stat, ENOENT, "gone.%ld", i), { NEG, 1 });
	CASE("moved", try(call_stat, ENOENT, "moved.%ld", i), { NEW, 1 });
}

/*
 * Names of 255 bytes, distinct in the last ones, and names a terminal or a parser would choke on.
 * "name CASE HOW TEXT" says what the tracer must show: percent-encoded, or hex if not UTF-8.
 */
static void prepare_nothing(struct job *j)
{
	must(j->count > 0);
	learn_file_system(j);
}

static void run_long(struct job *j)
{
	char name[256];

	rows_begin(j);
	for (long i = 0; i < j->count; i++) {
		memset(name, 'l', 255);
		memcpy(name, "long.", 5);
		snprintf(name + 250, 6, "%05ld", i % 100000);
		check_call(call_stat(name), ENOENT, name);
	}
	rows(NEW, j->count);
	rows_end("long");
	printf("name long uri %s\n", name);
}

static const struct { const char *name; int utf8; } hostile[] = {
	{ "hostile.new\nline", 1 },
	{ "hostile.\x1b[2Jescape\x07", 1 },
	{ "hostile.tab\tcr\rend", 1 },
	{ "hostile.\"quote'\"", 1 },
	{ "hostile.back\\slash\\n\\u0041", 1 },
	{ "hostile.del\x7f", 1 },
	{ "hostile.c1\xc2\x9b" "31m", 1 },
	{ "hostile.  spaces  ", 1 },
	{ "hostile.\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80", 1 },
	{ "hostile.%s%n\\x41", 1 },
	{ "hostile.bidi\xe2\x80\xae" "txt", 1 },
	{ "hostile.bare\xff\xfe", 0 },
	{ "hostile.cut\xe4\xb8", 0 },
	{ "hostile.overlong\xc0\xaf", 0 },
	{ "hostile.surrogate\xed\xa0\x80", 0 },
	{ "hostile.beyond\xf4\x90\x80\x80", 0 },
	{ "hostile.rawc1\x9b", 0 },
};
#define HOSTILE (sizeof(hostile) / sizeof(*hostile))

static void run_hostile(struct job *j)
{
	rows_begin(j);
	for (size_t i = 0; i < HOSTILE; i++)
		check_call(call_stat(hostile[i].name), ENOENT, hostile[i].name);
	rows(NEW, HOSTILE);
	rows_end(j->scenario->name);
	for (size_t i = 0; i < HOSTILE; i++) {
		printf("name hostile %s ", hostile[i].utf8 ? "uri" : "hex");
		for (const unsigned char *p = (void *)hostile[i].name; *p; p++)
			if (!hostile[i].utf8)
				printf("%02x", *p);
			else if (is_plain(*p))
				putchar(*p);
			else
				printf("%%%02X", *p);
		putchar('\n');
	}
}

/* A command name that would move the cursor and is not UTF-8. */
static void run_comm(struct job *j)
{
	rows_begin(j);
	must(!prctl(PR_SET_NAME, "\x1b[2J\n\"\\\xff"));
	for (long i = 0; i < j->count; i++)
		try(call_stat, ENOENT, "comm.%ld", i);
	must(!prctl(PR_SET_NAME, j->fs));
	printf("comm %ld 1b5b324a0a225cff\n", j->count);
}

/* Names never seen, each looked up twice: missed, then known to be missing. */
static void run_twice(struct job *j)
{
	rows_begin(j);
	for (enum state state = NEW; state <= NEG; state++)
		for (long i = 0; i < j->count; i++) {
			try(call_stat, ENOENT, "twice.%ld", i);
			rows(state, 1);
		}
	rows_end("twice");
}

/* Four threads after the same missing names: one of them misses, the others wait or come later. */
static pthread_barrier_t race_start;

static void *race_thread(void *arg)
{
	struct job *j = arg;
	char name[32];
	struct stat st;

	pthread_barrier_wait(&race_start);
	for (long i = 0; i < j->count; i++) {
		snprintf(name, sizeof(name), "race.%ld", i);
		must(stat(name, &st) && errno == ENOENT);
	}
	return NULL;
}

static void run_race(struct job *j)
{
	pthread_t thread[4];

	many_at_once();
	rows_begin(j);
	must(!pthread_barrier_init(&race_start, NULL, 4));
	for (int t = 0; t < 4; t++)
		must(!pthread_create(&thread[t], NULL, race_thread, j));
	for (int t = 0; t < 4; t++)
		must(!pthread_join(thread[t], NULL));
	rows(NEW, j->count);
	rows(NEG, 3 * j->count);
	rows_end("race");
}

static void prepare_loop(struct job *j)
{
	prepare_nothing(j);
	make_file("loop.hit");
}

static void warm_loop(struct job *j)
{
	must(j->count > 0);
	warm("loop.hit");
}

static void run_loop(struct job *j)
{
	rows_begin(j);
	for (long i = 0; i < j->count; i++)
		must(!call_stat("loop.hit"));
	rows(HIT, j->count);
	rows_end("loop");
}

/*
 * A child swaps the name with another one all the while. A walk that it disturbs begins anew, so
 * there may be more lookups than calls: at least count rows, at most the calls of lookup_fast
 * (with -k lookup_fast; the child, which only renames, calls it never).
 */
static void run_storm(struct job *j)
{
	long before;
	pid_t pid;

	must(counters);
	pid = fork();
	must(pid >= 0);
	if (!pid)
		for (;;)
			must(!call_renameat2("storm.a", "storm.b", 2));
	before = counter_read(0);
	for (long i = 0; i < j->count; i++)
		must(!call_stat("storm.a"));
	printf("between storm %ld %ld\n", j->count, counter_read(0) - before);
	kill(pid, SIGKILL);
	must(waitpid(pid, NULL, 0) == pid);
}

static void prepare_storm(struct job *j)
{
	prepare_nothing(j);
	make_file("storm.a");
	make_file("storm.b");
}

static void warm_storm(struct job *j)
{
	must(j->count > 0);
	warm("storm.a");
	warm("storm.b");
}

/* procfs (-C /proc) keeps no negative entries, and nothing can be made there. */
static void run_proc(struct job *j)
{
	static int (*const changing[])(const char *) = {
		call_creat, call_excl, call_mkdir, call_rmdir,
		call_unlink, call_rename, call_symlink, call_mknod,
	};

	CASE("missing", try(call_stat, ENOENT, "missing.%ld", i), { NEW, 1 });
	CASE("missing", try(call_stat, ENOENT, "missing.%ld", i), { NEG, 1 });
	CASE("missing", try(call_open, ENOENT, "missing.%ld", i), { NEG, 1 });
	for (size_t c = 0; c < sizeof(changing) / sizeof(*changing); c++)
		CASE("make", must(changing[c](path("make.%ld", i))), { NEW, 1 });
	CASE("version", try(call_stat, 0, "version"); try(call_access, 0, "version");
	     try(call_open, 0, "version"), { HIT, 3 });
	/* /proc/sys compares names in its own way */
	CASE("sysctl", try(call_access, ENOENT, "sys/vm/sysctl.%ld", i), { NEW, 1 });
	CASE("swappiness", try(call_stat, 0, "sys/vm/swappiness"), { HIT, 1 });
	/* on the way to these two */
	CASE("sys", (void)i, { HIT, 2 });
	CASE("vm", (void)i, { HIT, 2 });
}

static void warm_proc(struct job *j)
{
	must(j->count > 0);
	warm("version");
	warm("sys/vm/swappiness");
}

const struct scenario path_scenarios[] = {
	{ "paths",   11,     0, prepare_paths,   run_paths,   warm_paths },
	{ "long",    17,     0, prepare_nothing, run_long },
	{ "hostile", 1,      0, prepare_nothing, run_hostile },
	{ "comm",    5,      0, prepare_nothing, run_comm },
	{ "twice",   1009,   0, prepare_nothing, run_twice },
	{ "race",    2003,   0, prepare_nothing, run_race },
	{ "loop",    20011,  0, prepare_loop,    run_loop,    warm_loop },
	{ "storm",   100003, 0, prepare_storm,   run_storm,   warm_storm },
	{ "proc",    7,      0, prepare_nothing, run_proc,    warm_proc },
	{ 0 }
};

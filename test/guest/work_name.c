// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Scenarios for dcsnoop: system calls that look names up, each name in a known state.
 *
 * Every case has names of its own, CASE.NUMBER, and is reported by one line
 *	rows FS-CASE M R N CALLS NUMBERS
 * the rows dcsnoop -a must show of these names, the calls of the first -k function meanwhile (for
 * __d_alloc: what a miss must do, so it must equal M), and how many numbers there are, if names
 * have numbers. Meanwhile the command name is that of
 * the file system: names are the same on all. They are relative and have one component, unless
 * the case is about paths: so each system call is one lookup.
 *
 * A name is looked up in one of four states: "new", never seen; "neg", known not to exist; "hit",
 * in the cache; "cold", on disk only. File systems without a device under them keep no negative
 * entries (neg is like new) and cannot forget (cold is like hit).
 */
#include "work.h"
#include "work_name.h"

#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/statfs.h>

static const char *const state_names[STATES] = { "new", "neg", "hit", "cold" };

static const struct file_system {
	long magic;
	const char *name;
	const char *row_of;	/* what a lookup of a name in each state is */
} file_systems[] = {
	{ EXT4_SUPER_MAGIC,	 "ext4",  "MNRM" },
	{ XFS_SUPER_MAGIC,	 "xfs",	  "MNRM" },
	{ BTRFS_SUPER_MAGIC,	 "btrfs", "MNRM" },
	{ OVERLAYFS_SUPER_MAGIC, "ovl",	  "MNRM" },
	{ TMPFS_MAGIC,		 "tmpfs", "MMRR" },
	{ PROC_SUPER_MAGIC,	 "proc",  "MMRR" },
};

static const struct job *running;
static long rows_seen[128];	/* by type, of the running case */
static long calls_before;

void learn_file_system(struct job *j)
{
	struct statfs fs;

	must(!statfs(".", &fs));
	for (size_t i = 0; i < sizeof(file_systems) / sizeof(*file_systems); i++)
		if (fs.f_type == file_systems[i].magic) {
			j->fs = file_systems[i].name;
			j->row_of = file_systems[i].row_of;
			return;
		}
	die("unknown file system, magic %lx", (long)fs.f_type);
}

void rows_begin(const struct job *j)
{
	running = j;
	must(!prctl(PR_SET_NAME, j->fs));
	memset(rows_seen, 0, sizeof(rows_seen));
	calls_before = counters ? counter_read(0) : 0;
}

void rows(enum state state, long n)
{
	rows_seen[(int)running->row_of[state]] += n;
}

/* On overlayfs, n calls that each show these rows. */
static void rows_overlay(const char *types, long n)
{
	for (; *types; types++)
		rows_seen[(int)*types] += n;
}

void rows_end(const char *name)
{
	long calls = counters ? counter_read(0) - calls_before : 0;

	printf("rows %s-%s %ld %ld %ld %ld %ld\n", running->fs, name, rows_seen['M'],
	       rows_seen['R'], rows_seen['N'], calls, running->count);
}

void check_call(int got, int want, const char *name)
{
	if (got != want)
		die("%s: %s, not %s", name, strerror(got), strerror(want));
}

/* Making what the cases find */

void make_file(const char *name)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);

	must(fd >= 0);
	close(fd);
}

void make_directory(const char *name) { must(!mkdir(name, 0755)); }
static void make_symlink(const char *name) { must(!symlink("source", name)); }

/* The system calls; each returns 0 or an errno. "source" is a file that is in the cache. */

static int status(int r) { return r ? errno : 0; }
static int close_status(int fd) { return fd < 0 ? errno : status(close(fd)); }

int call_stat(const char *name) { struct stat st; return status(stat(name, &st)); }
static int call_lstat(const char *name) { struct stat st; return status(lstat(name, &st)); }
int call_access(const char *name) { return status(access(name, R_OK)); }
int call_open(const char *name) { return close_status(open(name, O_RDONLY)); }
static int call_path(const char *name) { return close_status(open(name, O_PATH)); }
int call_creat(const char *name) { return close_status(open(name, O_RDWR | O_CREAT, 0644)); }

int call_excl(const char *name)
{
	return close_status(open(name, O_RDWR | O_CREAT | O_EXCL, 0644));
}

int call_mkdir(const char *name) { return status(mkdir(name, 0755)); }
int call_rmdir(const char *name) { return status(rmdir(name)); }
int call_unlink(const char *name) { return status(unlink(name)); }
int call_symlink(const char *name) { return status(symlink("source", name)); }
static int call_link(const char *name) { return status(link("source", name)); }
int call_mknod(const char *name) { return status(mknod(name, S_IFIFO | 0644, 0)); }
static int call_chmod(const char *name) { return status(chmod(name, 0600)); }
static int call_truncate(const char *name) { return status(truncate(name, 100)); }
static int call_exec(const char *name) { return status(execl(name, name, NULL)); }

static int call_statx(const char *name)
{
	struct statx st;

	return status(statx(AT_FDCWD, name, 0, STATX_ALL, &st));
}

static int call_readlink(const char *name)
{
	char target[PAGE];

	return readlink(name, target, sizeof(target)) < 0 ? errno : 0;
}

int call_rename(const char *name)
{
	char to[300];

	snprintf(to, sizeof(to), "%s.to", name);
	return status(rename(name, to));
}

/*
 * What one call shows on overlayfs, for a name in each state: its lookup in the overlay, and those
 * of overlayfs in its layers. A name is looked for in the upper layer, then in the lower, unless a
 * file was found above. A missing name is not remembered in the upper layer (overlayfs drops it),
 * so what creates it there misses it once more. What removes a file looks whether the lower layer
 * has the name too: if so, a whiteout is needed. Left out (NULL) is the removal of directories:
 * how deep they are looked for differs between kernels.
 */
static const char *const ovl_find[STATES] = { "MMM", "N", "R", "MM" };
static const char *const ovl_make[STATES] = { "MMMM", "NM", "R", "MM" };
static const char *const ovl_unlink[STATES] = { "MMM", "N", "RRM", "MMRM" };
static const char *const ovl_rmdir[STATES] = { "MMM", "N", NULL, NULL };
static const char *const ovl_rename[STATES] = { "MMM", "N", "RRM" "MMMM", "MMRM" "MMMM" };

static const struct call {
	const char *name;
	int (*call)(const char *name);
	void (*make)(const char *name);	/* what is there to be found */
	int absent, present;		/* what the call returns: the name is missing, or not */
	const char *const *overlay;
} calls[] = {
	{ "stat",     call_stat,     make_file,      ENOENT, 0,      ovl_find },
	{ "lstat",    call_lstat,    make_symlink,   ENOENT, 0,      ovl_find },
	{ "statx",    call_statx,    make_file,      ENOENT, 0,      ovl_find },
	{ "access",   call_access,   make_file,      ENOENT, 0,      ovl_find },
	{ "open",     call_open,     make_file,      ENOENT, 0,      ovl_find },
	{ "path",     call_path,     make_file,      ENOENT, 0,      ovl_find },
	{ "creat",    call_creat,    make_file,      0,      0,      ovl_make },
	{ "excl",     call_excl,     make_file,      0,      EEXIST, ovl_make },
	{ "mkdir",    call_mkdir,    make_file,      0,      EEXIST, ovl_make },
	{ "rmdir",    call_rmdir,    make_directory, ENOENT, 0,      ovl_rmdir },
	{ "unlink",   call_unlink,   make_file,      ENOENT, 0,      ovl_unlink },
	{ "rename",   call_rename,   make_file,      ENOENT, 0,      ovl_rename },
	{ "symlink",  call_symlink,  make_file,      0,      EEXIST, ovl_make },
	{ "link",     call_link,     make_file,      0,      EEXIST, ovl_make },
	{ "mknod",    call_mknod,    make_file,      0,      EEXIST, ovl_make },
	{ "chmod",    call_chmod,    make_file,      ENOENT, 0,      ovl_find },
	{ "truncate", call_truncate, make_file,      ENOENT, 0,      ovl_find },
	{ "readlink", call_readlink, make_symlink,   ENOENT, 0,      ovl_find },
	{ "exec",     call_exec,     make_file,      ENOENT, EACCES, ovl_find },
};
#define CALLS (sizeof(calls) / sizeof(*calls))

static const char *case_name(size_t call, enum state state, long i)
{
	static char name[64];

	snprintf(name, sizeof(name), "%s-%s.%ld", calls[call].name, state_names[state], i);
	return name;
}

/* Brings every name that exists into the cache, or finds out that it does not. */
void warm(const char *name)
{
	struct stat st;

	must(!lstat(name, &st) || errno == ENOENT);
}

static void prepare_calls(struct job *j)
{
	size_t c;
	long i;

	learn_file_system(j);
	make_file("source");
	for (c = 0; c < CALLS; c++)
		for (i = 0; i < j->count; i++) {
			calls[c].make(case_name(c, HIT, i));
			calls[c].make(case_name(c, COLD, i));
		}
}

static void warm_calls(struct job *j)
{
	size_t c;
	long i;

	warm("source");
	for (c = 0; c < CALLS; c++)
		for (i = 0; i < j->count; i++) {
			warm(case_name(c, HIT, i));
			warm(case_name(c, NEG, i));
		}
}

static void run_calls(struct job *j)
{
	for (size_t c = 0; c < CALLS; c++)
		for (enum state state = 0; state < STATES; state++) {
			int there = state == HIT || state == COLD, overlay = !strcmp(j->fs, "ovl");
			char name[32];

			if (overlay && !calls[c].overlay[state])
				continue;
			rows_begin(j);
			for (long i = 0; i < j->count; i++) {
				const char *file = case_name(c, state, i);

				check_call(calls[c].call(file),
					   there ? calls[c].present : calls[c].absent, file);
			}
			if (overlay) {
				rows_overlay(calls[c].overlay[state], j->count);
			} else {
				rows(state, j->count);
				/* a rename that finds its source looks for the target too */
				if (there && calls[c].call == call_rename)
					rows(NEW, j->count);
			}
			snprintf(name, sizeof(name), "%s-%s", calls[c].name, state_names[state]);
			rows_end(name);
		}
	/* found by each link(), in whatever state the new name was */
	rows_begin(j);
	rows(HIT, STATES * j->count);
	rows_end("source");
}

/*
 * Eight calls on names of their own, in two rounds. In the first, no name has ever been seen. In the
 * second, creat and mkdir find what they have made, and the others that there is nothing.
 */
static void run_every(struct job *j)
{
	static const struct { const char *name; int (*call)(const char *name); int first, second; }
	each[] = {
		{ "stat",   call_stat,   ENOENT, ENOENT },
		{ "access", call_access, ENOENT, ENOENT },
		{ "open",   call_open,   ENOENT, ENOENT },
		{ "creat",  call_creat,  0,      0 },
		{ "mkdir",  call_mkdir,  0,      EEXIST },
		{ "unlink", call_unlink, ENOENT, ENOENT },
		{ "rename", call_rename, ENOENT, ENOENT },
		{ "exec",   call_exec,   ENOENT, ENOENT },
	};
	char name[64];

	rows_begin(j);
	for (int second = 0; second < 2; second++)
		for (size_t c = 0; c < sizeof(each) / sizeof(*each); c++)
			for (long i = 0; i < j->count; i++) {
				snprintf(name, sizeof(name), "every.%s.%ld", each[c].name, i);
				check_call(each[c].call(name),
					   second ? each[c].second : each[c].first, name);
			}
	rows(NEW, 8 * j->count);
	rows(NEG, 6 * j->count);
	rows(HIT, 2 * j->count);
	rows_end("every");
}

static void prepare_every(struct job *j)
{
	learn_file_system(j);
}

const struct scenario name_scenarios[] = {
	{ "calls", 13, 0, prepare_calls, run_calls, warm_calls },
	{ "every", 1009, 0, prepare_every, run_every },
	{ 0 }
};

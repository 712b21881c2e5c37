/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the parts of work share: see work.c. */
#ifndef WORK_H
#define WORK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define PAGE 4096
#define FILE_PAGES 16	/* what file_make() writes */

enum op { READ, WRITE, OPEN, FSYNC, OPS };

/* How the returns of an operation may be split; EXACT: all are completions. */
enum split {
	EXACT,		/* count == N, nothing queued, nothing refused */
	QUEUED,		/* count + queued == N, nothing refused */
	REFUSED,	/* count + again == N, nothing queued */
	RETRIED,	/* count == N, whatever was refused or queued on the way */
	DIRECT,		/* count + queued == N, whatever was refused on the way */
	TRIED,		/* count == N, nothing queued, whatever was refused on the way */
};

struct job {
	const struct scenario *scenario;
	long count;
	int fd, fd2;
	char *map;
	int window;		/* jobs of one window run back to back */
	int directory;		/* where it works */
	unsigned int magic;	/* of the file system there */
	const char *below;	/* the file system below, if it is an overlay: -C DIR:FS */
	int pipe[2];
	const char *fs;		/* the file system there, see work_name.c */
	const char *row_of;
};

struct scenario {
	const char *name;
	long count;			/* a prime */
	int flags;			/* its file is opened with these; 0: it gets no file */
	void (*prepare)(struct job *);	/* makes its files; may be NULL */
	void (*run)(struct job *);	/* does count operations and says so by expect() */
	void (*warm)(struct job *);	/* fills the caches, after they were dropped; or NULL */
};

extern const struct scenario file_scenarios[], async_scenarios[];	/* for ext4dist */
extern const struct scenario family_scenarios[];	/* for what traces any file system */
extern const struct scenario name_scenarios[], path_scenarios[];	/* for dcsnoop */

/* The operations that the running job has just done: N more of op. */
void expect(enum op op, enum split split, long n);

/* The same of a file system by name, any operation. If -f has named operations, only those count. */
void expect_on(const char *fs, const char *op, enum split split, long n);

/* How long the running job saw its next operation take. */
void took_on(const char *fs, const char *op, long ns);

/* The magic number of a directory's file system. */
unsigned int fs_magic(int directory);

/* What the tables call the file system at a job's directory. */
const char *fs_name(const struct job *j);

/* In this window several threads are in the same kernel function at once: some ways to trace miss. */
void many_at_once(void);

/* The test's own kprobes (-k FUNC): calls by this process and its children so far. */
extern int counters;
long counter_read(int i);

/* Other programs in this one: what a guest needs to mount something. They return their status. */
int delay_main(int argc, char **argv);
int fuse_main(int argc, char **argv);
int rpc_main(int argc, char **argv);
int forks_main(int argc, char **argv);
int noise_main(int argc, char **argv);

void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
#define must(condition) \
	do { \
		if (!(condition)) \
			die("%s:%d: %s: %s", __FILE__, __LINE__, #condition, strerror(errno)); \
	} while (0)

/* Aligned for O_DIRECT, and in memory: no page fault of ours reads a file. */
extern char page[PAGE];

/* Makes NAME with FILE_PAGES pages on disk and in the cache; returns it opened with flags. */
int file_make(const char *name, int flags);
static inline off_t page_offset(long i) { return i % FILE_PAGES * PAGE; }
void file_drop_cache(int fd);

/* Of file_scenarios: see work_threads.c. */
void run_stuck(struct job *j);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the scenarios for dcsnoop share: see work_name.c. */
#ifndef WORK_NAME_H
#define WORK_NAME_H

#include <ctype.h>
#include <string.h>

struct job;

enum state { NEW, NEG, HIT, COLD, STATES };

/* Finds out where the job works; before any rows. */
void learn_file_system(struct job *j);

/* A case: rows_begin(), its system calls, rows() for each state they find names in, rows_end(). */
void rows_begin(const struct job *j);
void rows(enum state state, long n);
void rows_end(const char *name);

void make_file(const char *name);
void make_directory(const char *name);

/* Brings a name that exists into the cache, or finds out that it does not. */
void warm(const char *name);

/* System calls on a name: 0 or an errno. */
int call_stat(const char *name);
int call_access(const char *name);
int call_open(const char *name);
int call_creat(const char *name);
int call_excl(const char *name);
int call_mkdir(const char *name);
int call_rmdir(const char *name);
int call_unlink(const char *name);
int call_symlink(const char *name);
int call_mknod(const char *name);
int call_rename(const char *name);

/* A byte that stands for itself when a name is percent-encoded. */
static inline int is_plain(unsigned char c)
{
	return isalnum(c) || (c && strchr("-_.~", c));
}

void check_call(int got, int want, const char *name);

#endif

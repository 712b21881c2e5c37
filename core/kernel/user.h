/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Users and their groups, by /etc/passwd and /etc/group alone: a static program cannot load the C
 * library's modules for other sources.
 */
#ifndef FSTRACE_CORE_KERNEL_USER_H
#define FSTRACE_CORE_KERNEL_USER_H

#include <stdint.h>
#include <sys/types.h>

struct user {
	uid_t uid;
	gid_t gid;
	char name[64], home[256], shell[256];	/* "": not known */
};

/* 0; -ENOENT: there is none. */
int user_by_name(const char *name, struct user *user);
int user_by_uid(uid_t uid, struct user *user);

/* Makes `groups` the user's, with its own first: as many as fit. Returns how many there are. */
size_t user_groups(const struct user *user, gid_t *groups, size_t max);

/* A user's name or a UID, into a struct user_id; the arguments of an option_row's parse(). */
struct user_id {
	uint32_t uid;
	uint32_t is_set;
};

int user_id_parse(const char *word, void *user_id);

#endif

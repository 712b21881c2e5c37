// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks users up, line by line. */
#include "core/kernel/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"

/* By name or, if that is NULL, by number. */
static int find(const char *name, uid_t uid, struct user *user)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *line;

	while (file && (line = fgetpwent(file))) {
		if (name ? strcmp(line->pw_name, name) : line->pw_uid != uid)
			continue;
		*user = (struct user){ .uid = line->pw_uid, .gid = line->pw_gid };
		snprintf(user->name, sizeof(user->name), "%s", line->pw_name);
		snprintf(user->home, sizeof(user->home), "%s", line->pw_dir);
		snprintf(user->shell, sizeof(user->shell), "%s", line->pw_shell);
		fclose(file);
		return 0;
	}
	if (file)
		fclose(file);
	return -ENOENT;
}

int user_by_name(const char *name, struct user *user)
{
	return find(name, 0, user);
}

int user_by_uid(uid_t uid, struct user *user)
{
	return find(NULL, uid, user);
}

static bool has_member(char *const *members, const char *name)
{
	for (; *members; members++)
		if (!strcmp(*members, name))
			return true;
	return false;
}

size_t user_groups(const struct user *user, gid_t *groups, size_t max)
{
	FILE *file = fopen("/etc/group", "re");
	struct group *line;
	size_t count = 1;

	if (max)
		groups[0] = user->gid;
	while (file && (line = fgetgrent(file))) {
		if (line->gr_gid == user->gid || !has_member(line->gr_mem, user->name))
			continue;
		if (count < max)
			groups[count] = line->gr_gid;
		count++;
	}
	if (file)
		fclose(file);
	return count;
}

int user_id_parse(const char *word, void *user_id)
{
	struct user user;
	uint64_t uid;
	int err = parse_uint(word, 0, UINT32_MAX - 1, &uid);

	if (err == -EINVAL) {
		err = user_by_name(word, &user);
		uid = user.uid;
	}
	if (!err)
		*(struct user_id *)user_id = (struct user_id){ uid, true };
	return err;
}

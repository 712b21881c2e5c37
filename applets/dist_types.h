/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which types of file systems there are to trace. A part of dist.c. */
#ifndef FSTRACE_APPLETS_DIST_TYPES_H
#define FSTRACE_APPLETS_DIST_TYPES_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "applets/dist_plan.h"
#include "core/kernel/environment.h"
#include "core/kernel/mounts.h"

/* Whether the type is present: then its functions exist, too. */
static bool is_present(const struct target *target)
{
	return !target->fs->module || target->mounted || environment_has_module(target->fs->module);
}

/* The types to trace: all that the user named, or that are mounted. */
struct types {
	const char *list;		/* of the user; NULL: all that are mounted */
	struct target *all;
	size_t count;
	int err;
};

static void add_type(struct types *types, const struct filesystem *fs, const char *name,
		     const char *path)
{
	struct target *target, *more;
	struct statfs statfs_;

	for (size_t i = 0; i < types->count; i++)
		if (!strcmp(types->all[i].name, name)) {
			types->all[i].mounted |= path != NULL;
			return;
		}
	more = realloc(types->all, (types->count + 1) * sizeof(*more));
	if (!more) {
		types->err = -ENOMEM;
		return;
	}
	types->all = more;
	target = &more[types->count];
	*target = (struct target){ .fs = fs, .magic = fs->magic, .mounted = path };
	snprintf(target->name, sizeof(target->name), "%s", name);
	/* If no table describes a file system, its magic number is known once it is mounted. */
	if (!target->magic && (!path || statfs(path, &statfs_)))
		return;
	if (!target->magic)
		target->magic = statfs_.f_type;
	types->count++;
}

static bool is_listed(const char *list, const char *type, const char *name)
{
	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL) {
		size_t len = strcspn(list, ",");

		if ((strlen(type) == len && !strncmp(list, type, len)) ||
		    (strlen(name) == len && !strncmp(list, name, len)))
			return true;
	}
	return false;
}

static bool add_mounted(void *context, const char *type, const char *path)
{
	struct types *types = context;
	const struct filesystem *fs = filesystem_find(type);
	const char *name = fs ? fs->name : type, *list = types->list;

	if (list ? is_listed(list, type, name) : fs || mounts_needs_device(type) > 0)
		add_type(types, fs ? fs : filesystem_find("other"), name, path);
	return true;
}

/* Words of -t that name a description; any other must be mounted, or known to the kernel. */
static void add_listed(struct types *types)
{
	char *list = strdup(types->list), *state = NULL, *word;

	types->err = list ? types->err : -ENOMEM;
	for (word = list ? strtok_r(list, ",", &state) : NULL; word;
	     word = strtok_r(NULL, ",", &state)) {
		const struct filesystem *fs = filesystem_find(word);

		if (fs) {
			add_type(types, fs, fs->name, NULL);
		} else if (mounts_needs_device(word) < 0) {
			log_error("no file system is called '%s'", word);
			log_hint("/proc/filesystems lists those that the kernel knows now");
			types->err = -EINVAL;
			break;
		}
	}
	free(list);
}

/* The types to trace now; the caller frees types->all. Returns 0 or, after a message, -errno. */
static int find_types(const char *list, struct types *types)
{
	FILE *mounts = mounts_open();

	*types = (struct types){ .list = list };
	if (!mounts) {
		log_error("cannot read '/proc/self/mountinfo': %s", strerror(errno));
		return -errno;
	}
	mounts_each(mounts, add_mounted, types);
	fclose(mounts);
	if (list)
		add_listed(types);
	if (types->err == -ENOMEM)
		log_error("cannot list the file systems: %s", strerror(ENOMEM));
	return types->err;
}

/* `groups`: the first of their list. */
static bool add_place(void *groups, const char *type, const char *path)
{
	const struct filesystem *fs = filesystem_find(type);

	for (struct group *group = groups; group; group = group->next) {
		for (size_t i = 0; i < group->ntargets; i++) {
			struct target *target = &group->targets[i];

			if (strcmp(target->name, fs ? fs->name : type))
				continue;
			/* What is too long to be shown counts as several. */
			target->mounts += 1 + (strlen(path) >= sizeof(target->mount));
			snprintf(target->mount, sizeof(target->mount), "%s", path);
		}
	}
	return true;
}

/* Finds out where the types of all groups are mounted. */
static void find_places(struct group *groups)
{
	FILE *mounts = mounts_open();

	for (struct group *group = groups; group; group = group->next)
		for (size_t i = 0; i < group->ntargets; i++)
			group->targets[i].mounts = 0;
	if (!mounts)
		return;
	mounts_each(mounts, add_place, groups);
	fclose(mounts);
}

static bool add_if_ours(void *context, const char *type, const char *path)
{
	struct target *target = context;

	(void)path;
	target->mounted |= filesystem_find(type) == target->fs;
	return !target->mounted;
}

/* Whether a file system is present: its module is loaded, or one is mounted. */
static bool is_there(const struct filesystem *fs)
{
	struct target target = { .fs = fs };
	FILE *mounts = mounts_open();

	if (mounts) {
		mounts_each(mounts, add_if_ours, &target);
		fclose(mounts);
	}
	return is_present(&target);
}

#endif

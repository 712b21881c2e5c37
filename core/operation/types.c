// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The types of file systems that are mounted, or named. */
#include "core/operation/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/kernel/environment.h"
#include "core/kernel/mounts.h"
#include "core/trace/filter.h"

bool type_is_present(const struct target *target)
{
	return !target->fs->module || target->mounted || environment_has_module(target->fs->module);
}

struct target type_of(const struct filesystem *fs)
{
	struct target target = { .fs = fs, .magic = fs->magic };

	snprintf(target.name, sizeof(target.name), "%s", fs->name);
	return target;
}

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

int types_find(const char *list, struct types *types)
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

int types_at_place(const struct filter_options *filter, const struct filesystem *fs, const char **list,
		   char type[TARGET_NAME_SIZE])
{
	const struct filesystem *found;
	struct place place;
	int err = filter_place(filter, &place);

	if (err || !place.type[0])
		return err;
	found = filesystem_find(place.type);
	snprintf(type, TARGET_NAME_SIZE, "%.*s", TARGET_NAME_SIZE - 1, found ? found->name : place.type);
	if (fs ? found != fs : *list && !is_listed(*list, place.type, type)) {
		log_error("this file system is %s, which is not traced", type);
		log_hint(fs ? "fsdist and fsslower trace all types" : "-t names the types to trace");
		return -EINVAL;
	}
	*list = type;
	return 0;
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
	return type_is_present(&target);
}

static bool is_any_there(const char *list)
{
	struct types types;
	bool any = types_find(list, &types) != 0;	/* an error: to be reported by the start */

	for (size_t i = 0; i < types.count; i++)
		any |= type_is_present(&types.all[i]);
	free(types.all);
	return any;
}

bool types_wait(const struct filesystem *fs, const char *list, struct stop *stop, int watch)
{
	bool told = false;

	while (!(fs ? is_there(fs) : is_any_there(list))) {
		if (!told)
			log_hint("waiting until there is such a file system");
		told = true;
		/* Loading a module notifies nobody. */
		if (stop_wait(stop, watch, now_ns() + NS_PER_SECOND) == WAIT_STOP)
			return false;
		mounts_changed(watch);
	}
	return true;
}

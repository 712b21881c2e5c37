// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Walks the tree of control groups. */
#include "core/kernel/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/kernel/mounts.h"

static bool keep_path(void *to, const char *type, const char *path)
{
	if (strcmp(type, "cgroup2"))
		return true;
	snprintf(to, PATH_MAX, "%s", path);
	return false;
}

/* Where the control groups are mounted; empty: nowhere. */
static void mount_path(char path[PATH_MAX])
{
	FILE *mounts = mounts_open();

	*path = '\0';
	if (!mounts)
		return;
	mounts_each(mounts, keep_path, path);
	fclose(mounts);
}

/* Returns 0, or -errno after a message. */
static int find_mount(char path[PATH_MAX])
{
	mount_path(path);
	if (*path)
		return 0;
	log_error("no control groups (of version 2) are mounted here");
	return -ENOENT;
}

static int open_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static bool is_cgroup(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
}

int cgroup_open(const char *path)
{
	char mount[PATH_MAX], below[2 * PATH_MAX];
	int fd = *path == '/' ? open_folder(path) : -ENOENT, err;

	if (fd >= 0 && is_cgroup(fd))
		return fd;
	if (fd >= 0)
		close(fd);
	err = find_mount(mount);
	if (err)
		return err;
	snprintf(below, sizeof(below), "%s/%s", mount, path);
	fd = open_folder(below);
	if (fd < 0) {
		log_error("no control group '%s': %s", path, strerror(-fd));
		log_hint("they are the folders below %s", mount);
	}
	return fd;
}

static bool is_identifier(const char *name)
{
	return strlen(name) == 64 && strspn(name, "0123456789abcdef") == 64;
}

const char *cgroup_container(const char *parent, const char *name)
{
	static const char *const prefixes[] = { "docker-", "libpod-", "cri-containerd-", "crio-",
						"lxc.payload.", "machine-", "systemd-nspawn@",
						NULL };

	for (const char *const *prefix = prefixes; *prefix; prefix++)
		if (!strncmp(name, *prefix, strlen(*prefix)))
			return name + strlen(*prefix);
	return is_identifier(name) || !strcmp(parent, "lxc") ? name : NULL;
}

struct search {
	const char *word;
	int matches;
	bool is_exact;
	char name[NAME_MAX + 1], other[NAME_MAX + 1];
	int fd;				/* of the only match, or the exact one */
};

/* Without what systemd adds: the length of "abc.scope" is 3. */
static size_t container_length(const char *name)
{
	static const char *const suffixes[] = { ".scope", ".service", NULL };
	size_t len = strlen(name);

	for (const char *const *suffix = suffixes; *suffix; suffix++) {
		size_t end = strlen(*suffix);

		if (len > end && !strcmp(name + len - end, *suffix))
			return len - end;
	}
	return len;
}

/* Takes the folder's descriptor if it is what is searched for. */
static bool take(struct search *search, const char *parent, const char *name, int fd)
{
	const char *container = cgroup_container(parent, name);
	size_t len = strlen(search->word);
	bool is_exact;

	if (!container || strncmp(container, search->word, len))
		return false;
	is_exact = container_length(container) == len;
	if (search->is_exact && !is_exact)
		return false;
	if (is_exact && !search->is_exact)
		search->matches = 0;
	search->is_exact = is_exact;
	if (search->matches++) {
		snprintf(search->other, sizeof(search->other), "%s", name);
		return false;
	}
	snprintf(search->name, sizeof(search->name), "%s", name);
	if (search->fd >= 0)
		close(search->fd);
	search->fd = fd;
	return true;
}

/* All folders below one, whose descriptor it takes; not those below a match. */
static void walk(struct search *search, int fd, const char *name)
{
	DIR *folder = fdopendir(fd);
	struct dirent *entry;

	if (!folder) {
		close(fd);
		return;
	}
	while ((entry = readdir(folder))) {
		int below;

		if (entry->d_type != DT_DIR || *entry->d_name == '.')
			continue;
		below = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (below >= 0 && !take(search, name, entry->d_name, below))
			walk(search, below, entry->d_name);
	}
	closedir(folder);
}

int cgroup_open_container(const char *word)
{
	struct search search = { .word = word, .fd = -1 };
	char mount[PATH_MAX];
	int err = find_mount(mount), fd;

	if (err)
		return err;
	fd = open_folder(mount);
	if (fd >= 0)
		walk(&search, fd, "");
	if (search.matches == 1)
		return search.fd;
	if (search.fd >= 0)
		close(search.fd);
	if (!search.matches) {
		log_error("no control group is that of a container '%s'", word);
		log_hint("it may have another name there: --cgroup takes any folder below %s", mount);
		return -ENOENT;
	}
	log_error("'%s' may be %d containers, among them '%s' and '%s'", word, search.matches,
		  search.name, search.other);
	return -EEXIST;
}

/* A handle of kernfs: the number alone (FILEID_KERNFS, include/linux/exportfs.h). */
#define HANDLE_KERNFS 0xfe

int cgroup_path(uint64_t id, char *to, size_t size)
{
	struct {
		struct file_handle head;
		uint64_t id;
	} handle = { .head = { .handle_bytes = sizeof(id), .handle_type = HANDLE_KERNFS },
		     .id = id };
	char mount[PATH_MAX], link[40], path[PATH_MAX];
	int mount_fd, fd, err;
	ssize_t len;

	mount_path(mount);
	mount_fd = *mount ? open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (mount_fd < 0)
		return *mount ? -errno : -ENOENT;
	fd = open_by_handle_at(mount_fd, &handle.head, O_PATH | O_CLOEXEC);
	err = fd < 0 ? -errno : 0;
	close(mount_fd);
	if (err)
		return err;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	err = len < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	path[len] = '\0';
	if (!strncmp(path, mount, strlen(mount)))
		snprintf(to, size, "%s", path[strlen(mount)] ? path + strlen(mount) : "/");
	else
		snprintf(to, size, "%s", path);
	return 0;
}

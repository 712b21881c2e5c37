// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads /proc/self/mountinfo, and watches it for changes. */
#include "core/kernel/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

FILE *mounts_open(void)
{
	return fopen("/proc/self/mountinfo", "re");
}

/* Blanks and the like are written as \040. */
static void unescape(char *path)
{
	char *to = path;

	for (; *path; path++) {
		if (*path == '\\' && strspn(path + 1, "01234567") >= 3) {
			*to++ = (path[1] - '0') << 6 | (path[2] - '0') << 3 | (path[3] - '0');
			path += 3;
		} else {
			*to++ = *path;
		}
	}
	*to = '\0';
}

/* "36 35 98:0 /root /path rw,noatime master:1 - ext4 /dev/root rw" */
static bool parse(char *line, char **type, char **path)
{
	char *rest = strstr(line, " - "), *state;

	if (!rest)
		return false;
	*rest = '\0';
	*type = strtok_r(rest + 3, " \n", &rest);
	*path = strtok_r(line, " ", &state);
	for (int field = 1; field < 5 && *path; field++)
		*path = strtok_r(NULL, " ", &state);
	if (*path)
		unescape(*path);
	return *type && *path;
}

void mounts_each(FILE *mountinfo, bool (*each)(void *context, const char *type, const char *path),
		 void *context)
{
	char *line = NULL, *type, *path;
	size_t size = 0;

	while (getline(&line, &size, mountinfo) >= 0)
		if (parse(line, &type, &path) && !each(context, type, path))
			break;
	free(line);
}

int mounts_needs_device(const char *type)
{
	FILE *types = fopen("/proc/filesystems", "re");
	char *line = NULL, *tab;
	size_t size = 0;
	int answer = -ENOENT;

	/* "nodev\tproc", "\text4" */
	while (types && answer < 0 && getline(&line, &size, types) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		tab = strchr(line, '\t');
		if (tab && !strcmp(tab + 1, type))
			answer = tab == line;
	}
	free(line);
	if (types)
		fclose(types);
	return answer;
}

int mounts_watch(void)
{
	int mountinfo = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC), watch, err = 0;
	struct epoll_event event = { .events = EPOLLPRI | EPOLLET };

	if (mountinfo < 0)
		return -errno;
	watch = epoll_create1(EPOLL_CLOEXEC);
	event.data.fd = mountinfo;	/* open for as long as the process runs */
	if (watch < 0 || epoll_ctl(watch, EPOLL_CTL_ADD, mountinfo, &event)) {
		err = -errno;
		close(mountinfo);
		if (watch >= 0)
			close(watch);
		return err;
	}
	mounts_changed(watch);
	return watch;
}

void mounts_changed(int watch)
{
	struct epoll_event event;

	while (epoll_wait(watch, &event, 1, 0) > 0)
		;
}

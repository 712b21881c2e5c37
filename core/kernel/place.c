// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks file systems up in /proc/self/mountinfo. */
#include "core/kernel/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/number.h"
#include "core/kernel/mounts.h"

#define MINOR_BITS 20		/* include/linux/kdev_t.h */

int device_parse(const char *word, void *device)
{
	const char *colon = strchr(word, ':');
	uint64_t major, minor;
	char first[16];
	int err;

	if (!colon || (size_t)(colon - word) >= sizeof(first))
		return -EINVAL;
	snprintf(first, sizeof(first), "%.*s", (int)(colon - word), word);
	err = parse_uint(first, 0, (1 << (32 - MINOR_BITS)) - 1, &major) ?:
	      parse_uint(colon + 1, 0, (1 << MINOR_BITS) - 1, &minor);
	if (err)
		return err;
	*(struct device *)device = (struct device){ major << MINOR_BITS | minor, true };
	return 0;
}

/* "36 35 98:0 /root /path rw,noatime master:1 - ext4 /dev/root rw" */
int place_find(FILE *mountinfo, long id, struct place *place)
{
	char *line = NULL, *type;
	unsigned int major, minor;
	size_t size = 0;
	int err = -ENOENT;
	long number;

	while (err && getline(&line, &size, mountinfo) >= 0) {
		struct device device;

		if (sscanf(line, "%ld %*d %u:%u", &number, &major, &minor) != 3)
			continue;
		device = (struct device){ major << MINOR_BITS | minor, true };
		type = strstr(line, " - ");
		if (!type || (id < 0 ? device.number != place->device.number : number != id))
			continue;
		place->device = device;
		snprintf(place->type, sizeof(place->type), "%.*s", (int)strcspn(type + 3, " \n"),
			 type + 3);
		err = 0;
	}
	free(line);
	return err;
}

/* The number of the mount that a descriptor was opened by; negative: not known. */
static long mount_of(int fd)
{
	char path[40], line[128];
	long id = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	while (file && id < 0 && fgets(line, sizeof(line), file))
		sscanf(line, "mnt_id: %ld", &id);
	if (file)
		fclose(file);
	return id;
}

int place_of_path(const char *path, struct place *place)
{
	int fd = open(path, O_PATH | O_CLOEXEC), err = -ENOENT;
	FILE *mounts;
	long id;

	*place = (struct place){ 0 };
	if (fd < 0) {
		err = -errno;
		log_error("cannot find '%s': %s", path, strerror(errno));
		return err;
	}
	id = mount_of(fd);
	mounts = id < 0 ? NULL : mounts_open();
	if (mounts) {
		err = place_find(mounts, id, place);
		fclose(mounts);
	}
	close(fd);
	if (err)
		log_error("cannot tell which file system '%s' is in: not in /proc/self/mountinfo", path);
	return err;
}

int place_of_device(struct device device, struct place *place)
{
	FILE *mounts = mounts_open();

	*place = (struct place){ .device = device };
	if (mounts && place_find(mounts, -1, place)) {
		log_warning("nothing is mounted here of the device %u:%u",
			    device.number >> MINOR_BITS, device.number & ((1 << MINOR_BITS) - 1));
		log_hint("the third column of /proc/self/mountinfo has those that are");
	}
	if (mounts)
		fclose(mounts);
	return 0;
}

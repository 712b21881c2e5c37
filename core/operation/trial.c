// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads that an applet must count. */
#include "core/operation/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

int trial_read(const char *folder, unsigned int id, unsigned int n)
{
	char path[PATH_MAX], byte = 0;
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/.fstrace.%u", folder, id);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || unlink(path) || pwrite(fd, &byte, 1, 0) != 1)
		err = -errno;
	for (unsigned int i = 0; i < n && !err; i++)
		if (pread(fd, &byte, 1, 0) != 1)
			err = errno ? -errno : -EIO;
	if (fd >= 0)
		close(fd);
	return err;
}

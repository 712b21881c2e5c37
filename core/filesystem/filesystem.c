// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the descriptions of file systems share. Not one itself: cmake/Filesystems.cmake skips it. */
#include "core/filesystem/filesystem.h"

#include <string.h>

const char *const fs_op_names[FS_OPS + 1] = {
	[FS_READ] = "read",
	[FS_WRITE] = "write",
	[FS_OPEN] = "open",
	[FS_FSYNC] = "fsync",
	[FS_GETATTR] = "getattr",
	[FS_SETATTR] = "setattr",
	[FS_LOOKUP] = "lookup",
	[FS_CREATE] = "create",
	[FS_UNLINK] = "unlink",
	[FS_RENAME] = "rename",
	[FS_MKDIR] = "mkdir",
	[FS_RMDIR] = "rmdir",
	[FS_LINK] = "link",
	[FS_SYMLINK] = "symlink",
	[FS_READLINK] = "readlink",
	[FS_READDIR] = "readdir",
	[FS_FALLOCATE] = "fallocate",
	[FS_TRUNCATE] = "truncate",
	[FS_FLUSH] = "flush",
	[FS_RELEASE] = "release",
	[FS_MMAP_FAULT] = "mmap-fault",
	[FS_SPLICE] = "splice",
	[FS_STATFS] = "statfs",
	[FS_XATTR] = "xattr",
};

/*
 * Two numbers: 5.12 gave these methods an idmap (then a user namespace) as their first argument.
 * create lost "excl" after 6.18.
 */
const uint8_t fs_op_args[FS_OPS][2] = {
	[FS_READ] = { 2, 2 },
	[FS_WRITE] = { 2, 2 },
	[FS_OPEN] = { 2, 2 },
	[FS_FSYNC] = { 4, 4 },
	[FS_GETATTR] = { 4, 5 },
	[FS_SETATTR] = { 2, 3 },
	[FS_LOOKUP] = { 3, 3 },
	[FS_CREATE] = { 4, 5 },
	[FS_UNLINK] = { 2, 2 },
	[FS_RENAME] = { 5, 6 },
	[FS_MKDIR] = { 3, 4 },
	[FS_RMDIR] = { 2, 2 },
	[FS_LINK] = { 3, 3 },
	[FS_SYMLINK] = { 3, 4 },
	[FS_READLINK] = { 3, 3 },
	[FS_READDIR] = { 2, 2 },
	[FS_FALLOCATE] = { 4, 4 },
	[FS_TRUNCATE] = { 2, 3 },
	[FS_FLUSH] = { 2, 2 },
	[FS_RELEASE] = { 2, 2 },
	[FS_MMAP_FAULT] = { 1, 1 },
	[FS_SPLICE] = { 5, 5 },
	[FS_STATFS] = { 2, 2 },
	[FS_XATTR] = { 2, 6 },
};

const struct filesystem *filesystem_find(const char *name)
{
	for (const struct filesystem *const *fs = filesystem_table; *fs; fs++) {
		if (!strcmp((*fs)->name, name))
			return *fs;
		for (int i = 0; (*fs)->types[i]; i++)
			if (!strcmp((*fs)->types[i], name))
				return *fs;
	}
	return NULL;
}

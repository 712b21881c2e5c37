// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* squashfs: read only. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	FS_READ_BY_PAGE_CACHE,
	{ .op = FS_OPEN, .function = "do_dentry_open", .shape = FS_OPEN_OF_SB, .args = { 2, 3 } },
	{ .op = FS_GETATTR, .function = "vfs_getattr_nosec", .shape = FS_PATH_OF_SB,
	  .args = { 4 } },
	{ .op = FS_LOOKUP, .function = "squashfs_lookup" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "squashfs_readdir" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_STATFS, .function = "squashfs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem squashfs_filesystem = {
	.name = "squashfs",
	.title = "squashfs",
	.module = "squashfs",
	.types = { "squashfs" },
	.magic = 0x73717368,
	.functions = functions,
};

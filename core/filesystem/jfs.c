// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* jfs: among the tested kernels, only the generic ones have it. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	FS_READ_BY_PAGE_CACHE,
	{ .op = FS_WRITE, .function = "generic_file_write_iter", .shape = FS_IOCB_OF_SB },
	{ .op = FS_OPEN, .function = "jfs_open", .shape = FS_FILE_OPEN },
	{ .op = FS_FSYNC, .function = "jfs_fsync" },
	{ .op = FS_GETATTR, .function = "vfs_getattr_nosec", .shape = FS_PATH_OF_SB,
	  .args = { 4 } },
	{ .op = FS_SETATTR, .function = "jfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "jfs_lookup" },
	{ .op = FS_CREATE, .function = "jfs_create" },
	{ .op = FS_UNLINK, .function = "jfs_unlink" },
	{ .op = FS_RENAME, .function = "jfs_rename" },
	{ .op = FS_MKDIR, .function = "jfs_mkdir" },
	{ .op = FS_RMDIR, .function = "jfs_rmdir" },
	{ .op = FS_LINK, .function = "jfs_link" },
	{ .op = FS_SYMLINK, .function = "jfs_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "jfs_readdir" },
	{ .op = FS_TRUNCATE, .function = "jfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_RELEASE, .function = "jfs_release" },
	FS_FAULT_BY_PAGE_CACHE,
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "jfs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem jfs_filesystem = {
	.name = "jfs",
	.title = "JFS",
	.module = "jfs",
	.types = { "jfs" },
	.magic = 0x3153464a,
	.functions = functions,
};

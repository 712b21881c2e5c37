// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* xfs. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "xfs_file_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "xfs_file_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_WRITE, .function = "xfs_file_write_iter", .shape = FS_IOCB },
	/* Called by xfs_dir_open, too, until 6.1 or later: hence not PLAIN. */
	{ .op = FS_OPEN, .function = "xfs_file_open", .shape = FS_FILE_OPEN },
	{ .op = FS_FSYNC, .function = "xfs_file_fsync" },
	{ .op = FS_FSYNC, .function = "xfs_dir_fsync" },
	{ .op = FS_GETATTR, .function = "xfs_vn_getattr" },
	{ .op = FS_SETATTR, .function = "xfs_vn_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "xfs_vn_lookup" },
	/* Of a file system made with -n version=ci. */
	{ .op = FS_LOOKUP, .function = "xfs_vn_ci_lookup" },
	{ .op = FS_CREATE, .function = "xfs_vn_create" },
	{ .op = FS_UNLINK, .function = "xfs_vn_unlink", .shape = FS_UNLINK_OR_RMDIR },
	{ .op = FS_RENAME, .function = "xfs_vn_rename" },
	{ .op = FS_MKDIR, .function = "xfs_vn_mkdir" },
	{ .op = FS_RMDIR, .function = "xfs_vn_unlink", .shape = FS_UNLINK_OR_RMDIR },
	{ .op = FS_LINK, .function = "xfs_vn_link" },
	{ .op = FS_SYMLINK, .function = "xfs_vn_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "xfs_file_readdir" },
	{ .op = FS_FALLOCATE, .function = "xfs_file_fallocate" },
	{ .op = FS_TRUNCATE, .function = "xfs_vn_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_RELEASE, .function = "xfs_file_release" },
	{ .op = FS_MMAP_FAULT, .function = "xfs_filemap_fault" },
	{ .op = FS_MMAP_FAULT, .function = "xfs_filemap_page_mkwrite" },
	{ .op = FS_SPLICE, .function = "xfs_file_splice_read" },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "xfs_fs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem xfs_filesystem = {
	.name = "xfs",
	.title = "XFS",
	.module = "xfs",
	.types = { "xfs" },
	.magic = 0x58465342,
	.functions = functions,
};

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* btrfs. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "btrfs_file_read_iter", .shape = FS_IOCB },
	/* Its own since 7.0 or so. Before 6.5 a splice reads through read_iter. */
	{ .op = FS_READ, .function = "btrfs_file_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_READ, .function = "filemap_splice_read", .shape = FS_OUTER_OF_SB, .args = { 5 },
	  .fallback = true },
	{ .op = FS_WRITE, .function = "btrfs_file_write_iter", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "btrfs_file_open" },
	{ .op = FS_FSYNC, .function = "btrfs_sync_file" },
	{ .op = FS_GETATTR, .function = "btrfs_getattr" },
	{ .op = FS_SETATTR, .function = "btrfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "btrfs_lookup" },
	{ .op = FS_CREATE, .function = "btrfs_create" },
	{ .op = FS_UNLINK, .function = "btrfs_unlink" },
	{ .op = FS_RENAME, .function = "btrfs_rename2" },
	{ .op = FS_MKDIR, .function = "btrfs_mkdir" },
	{ .op = FS_RMDIR, .function = "btrfs_rmdir" },
	{ .op = FS_LINK, .function = "btrfs_link" },
	{ .op = FS_SYMLINK, .function = "btrfs_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "btrfs_real_readdir" },
	{ .op = FS_FALLOCATE, .function = "btrfs_fallocate" },
	{ .op = FS_TRUNCATE, .function = "btrfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_RELEASE, .function = "btrfs_release_file" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "btrfs_page_mkwrite" },
	{ .op = FS_SPLICE, .function = "btrfs_file_splice_read" },
	{ .op = FS_SPLICE, .function = "filemap_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "btrfs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem btrfs_filesystem = {
	.name = "btrfs",
	.title = "btrfs",
	.module = "btrfs",
	.types = { "btrfs" },
	.magic = 0x9123683E,
	.functions = functions,
};

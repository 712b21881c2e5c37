// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every type that no other file describes, through what the VFS calls for any of them: which the
 * others pay for, while such a type is traced. A read or a write by io_uring or libaio counts if
 * the file system uses the page cache's functions.
 */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "generic_file_read_iter", .shape = FS_IOCB_OF_SB },
	{ .op = FS_READ, .function = "vfs_read", .shape = FS_OUTER_OF_SB, .args = { 4 } },
	{ .op = FS_READ, .function = "vfs_readv", .shape = FS_OUTER_OF_SB, .args = { 5 } },
	{ .op = FS_READ, .function = "filemap_splice_read", .shape = FS_OUTER_OF_SB,
	  .args = { 5 } },
	{ .op = FS_READ, .function = "copy_splice_read", .shape = FS_OUTER_OF_SB, .args = { 5 } },
	{ .op = FS_WRITE, .function = "generic_file_write_iter", .shape = FS_IOCB_OF_SB },
	{ .op = FS_WRITE, .function = "vfs_write", .shape = FS_OUTER_OF_SB, .args = { 4 } },
	{ .op = FS_WRITE, .function = "vfs_writev", .shape = FS_OUTER_OF_SB, .args = { 5 } },
	{ .op = FS_OPEN, .function = "do_dentry_open", .shape = FS_OPEN_OF_SB, .args = { 2, 3 } },
	/* vfs_fsync_range is not always called for fsync(2), so only what all use. */
	{ .op = FS_FSYNC, .function = "noop_fsync", .shape = FS_FILE_OF_SB },
	{ .op = FS_FSYNC, .function = "generic_file_fsync", .shape = FS_FILE_OF_SB },
	{ .op = FS_FSYNC, .function = "simple_fsync", .shape = FS_FILE_OF_SB },
	{ .op = FS_GETATTR, .function = "vfs_getattr_nosec", .shape = FS_PATH_OF_SB,
	  .args = { 4 } },
	{ .op = FS_LOOKUP, .function = "simple_lookup", .shape = FS_INODE_OF_SB },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "iterate_dir", .shape = FS_FILE_OF_SB },
	FS_FAULT_BY_PAGE_CACHE,
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "simple_statfs", .shape = FS_DENTRY_OF_SB },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem other_filesystem = {
	.name = "other",
	.title = "other",
	.types = { 0 },
	.magic = 0,
	.functions = functions,
};

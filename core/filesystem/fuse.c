// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * fuse, also when it mounts a block device (fuseblk) or virtiofs. An open that creates goes through
 * fuse_atomic_open alone; so does the look-up before an open with O_CREAT.
 */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "fuse_file_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "fuse_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_WRITE, .function = "fuse_file_write_iter", .shape = FS_IOCB },
	/* Writes by fuse_file_write_iter, unless the file is passed through. */
	{ .op = FS_WRITE, .function = "fuse_splice_write", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_OPEN, .function = "fuse_open" },
	{ .op = FS_FSYNC, .function = "fuse_fsync" },
	{ .op = FS_FSYNC, .function = "fuse_dir_fsync" },
	{ .op = FS_GETATTR, .function = "fuse_getattr" },
	{ .op = FS_SETATTR, .function = "fuse_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "fuse_lookup" },
	{ .op = FS_CREATE, .function = "fuse_create" },
	{ .op = FS_CREATE, .function = "fuse_atomic_open", .shape = FS_ATOMIC_OPEN, .args = { 5 } },
	{ .op = FS_UNLINK, .function = "fuse_unlink" },
	{ .op = FS_RENAME, .function = "fuse_rename2" },
	{ .op = FS_MKDIR, .function = "fuse_mkdir" },
	{ .op = FS_RMDIR, .function = "fuse_rmdir" },
	{ .op = FS_LINK, .function = "fuse_link" },
	{ .op = FS_SYMLINK, .function = "fuse_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "fuse_readdir" },
	{ .op = FS_FALLOCATE, .function = "fuse_file_fallocate" },
	{ .op = FS_TRUNCATE, .function = "fuse_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_FLUSH, .function = "fuse_flush" },
	{ .op = FS_RELEASE, .function = "fuse_release" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "fuse_page_mkwrite" },
	{ .op = FS_MMAP_FAULT, .function = "fuse_dax_fault" },
	{ .op = FS_MMAP_FAULT, .function = "fuse_dax_page_mkwrite" },
	{ .op = FS_SPLICE, .function = "fuse_splice_read" },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "fuse_splice_write" },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_STATFS, .function = "fuse_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem fuse_filesystem = {
	.name = "fuse",
	.title = "FUSE",
	.module = "fuse",
	.types = { "fuse", "fuseblk", "virtiofs" },
	.magic = 0x65735546,
	.functions = functions,
};

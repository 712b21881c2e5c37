// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * tmpfs, and whatever else keeps its files in shared memory: devtmpfs, memfd, shm. What it has no
 * function for is the VFS's. A rename over a name that exists unlinks that, which counts.
 */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "shmem_file_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "shmem_file_splice_read", .shape = FS_OUTER, .args = { 5 } },
	/* Its own since 6.6. */
	{ .op = FS_WRITE, .function = "shmem_file_write_iter", .shape = FS_IOCB,
	  .with = "shmem_file_open" },
	{ .op = FS_WRITE, .function = "generic_file_write_iter", .shape = FS_IOCB_OF_SB,
	  .fallback = true },
	/* Its own since 6.6; do_dentry_open() has lost its inode after 6.6. */
	{ .op = FS_OPEN, .function = "shmem_file_open", .with = "shmem_file_write_iter" },
	{ .op = FS_OPEN, .function = "do_dentry_open", .shape = FS_OPEN_OF_SB, .args = { 2, 3 },
	  .fallback = true },
	{ .op = FS_FSYNC, .function = "noop_fsync", .shape = FS_FILE_OF_SB },
	{ .op = FS_GETATTR, .function = "shmem_getattr" },
	{ .op = FS_SETATTR, .function = "shmem_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "simple_lookup", .shape = FS_INODE_OF_SB },
	{ .op = FS_CREATE, .function = "shmem_create" },
	/* shmem_rmdir calls it. */
	{ .op = FS_UNLINK, .function = "shmem_unlink", .shape = FS_UNLINK_OR_RMDIR },
	{ .op = FS_RENAME, .function = "shmem_rename2" },
	{ .op = FS_MKDIR, .function = "shmem_mkdir" },
	{ .op = FS_RMDIR, .function = "shmem_rmdir" },
	{ .op = FS_LINK, .function = "shmem_link" },
	{ .op = FS_SYMLINK, .function = "shmem_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "offset_readdir", .shape = FS_FILE_OF_SB },
	{ .op = FS_READDIR, .function = "dcache_readdir", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_FALLOCATE, .function = "shmem_fallocate" },
	{ .op = FS_TRUNCATE, .function = "shmem_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_MMAP_FAULT, .function = "shmem_fault" },
	{ .op = FS_SPLICE, .function = "shmem_file_splice_read" },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "shmem_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem tmpfs_filesystem = {
	.name = "tmpfs",
	.title = "tmpfs",
	.types = { "tmpfs" },
	.magic = 0x01021994,
	.functions = functions,
};

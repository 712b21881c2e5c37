// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ceph. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "ceph_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "ceph_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_WRITE, .function = "ceph_write_iter", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "ceph_open", .shape = FS_FILE_OPEN },
	{ .op = FS_OPEN, .function = "ceph_atomic_open", .shape = FS_ATOMIC_OPEN, .args = { 5 } },
	{ .op = FS_FSYNC, .function = "ceph_fsync" },
	{ .op = FS_GETATTR, .function = "ceph_getattr" },
	{ .op = FS_SETATTR, .function = "ceph_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "ceph_lookup" },
	{ .op = FS_CREATE, .function = "ceph_create" },
	{ .op = FS_CREATE, .function = "ceph_atomic_open", .shape = FS_ATOMIC_OPEN, .args = { 5 } },
	{ .op = FS_UNLINK, .function = "ceph_unlink", .shape = FS_UNLINK_OR_RMDIR },
	{ .op = FS_RENAME, .function = "ceph_rename" },
	{ .op = FS_MKDIR, .function = "ceph_mkdir" },
	{ .op = FS_RMDIR, .function = "ceph_unlink", .shape = FS_UNLINK_OR_RMDIR },
	{ .op = FS_LINK, .function = "ceph_link" },
	{ .op = FS_SYMLINK, .function = "ceph_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "ceph_readdir" },
	{ .op = FS_FALLOCATE, .function = "ceph_fallocate" },
	{ .op = FS_TRUNCATE, .function = "ceph_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_RELEASE, .function = "ceph_release" },
	{ .op = FS_MMAP_FAULT, .function = "ceph_filemap_fault" },
	{ .op = FS_MMAP_FAULT, .function = "ceph_page_mkwrite" },
	{ .op = FS_SPLICE, .function = "ceph_splice_read" },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "ceph_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem ceph_filesystem = {
	.name = "ceph",
	.title = "Ceph",
	.module = "ceph",
	.types = { "ceph" },
	.magic = 0x00c36400,
	.functions = functions,
};

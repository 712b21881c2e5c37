// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * NFS, versions 3 and 4. In version 4 an open of a name that the dentry cache does not hold is
 * nfs_atomic_open alone, not nfs4_file_open; with O_CREAT it is a create. Version 3 creates by
 * nfs_create, since 6.12 or before by nfs_atomic_open_v23. What nfsd does is not here.
 */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "nfs_file_read", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "nfs_file_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_WRITE, .function = "nfs_file_write", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "nfs_file_open" },
	{ .op = FS_OPEN, .function = "nfs4_file_open", .module = "nfsv4" },
	{ .op = FS_OPEN, .function = "nfs_atomic_open", .shape = FS_ATOMIC_OPEN, .args = { 5 } },
	{ .op = FS_FSYNC, .function = "nfs_file_fsync" },
	{ .op = FS_FSYNC, .function = "nfs_fsync_dir" },
	{ .op = FS_GETATTR, .function = "nfs_getattr" },
	{ .op = FS_SETATTR, .function = "nfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "nfs_lookup" },
	{ .op = FS_CREATE, .function = "nfs_create" },
	{ .op = FS_CREATE, .function = "nfs_atomic_open", .shape = FS_ATOMIC_OPEN, .args = { 5 } },
	{ .op = FS_CREATE, .function = "nfs_atomic_open_v23", .shape = FS_ATOMIC_OPEN,
	  .args = { 5 } },
	{ .op = FS_UNLINK, .function = "nfs_unlink" },
	{ .op = FS_RENAME, .function = "nfs_rename" },
	{ .op = FS_MKDIR, .function = "nfs_mkdir" },
	{ .op = FS_RMDIR, .function = "nfs_rmdir" },
	{ .op = FS_LINK, .function = "nfs_link" },
	{ .op = FS_SYMLINK, .function = "nfs_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "nfs_readdir" },
	{ .op = FS_FALLOCATE, .function = "nfs42_fallocate", .module = "nfsv4" },
	{ .op = FS_TRUNCATE, .function = "nfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_FLUSH, .function = "nfs_file_flush" },
	{ .op = FS_FLUSH, .function = "nfs4_file_flush", .module = "nfsv4" },
	{ .op = FS_RELEASE, .function = "nfs_file_release" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "nfs_vm_page_mkwrite" },
	{ .op = FS_SPLICE, .function = "nfs_file_splice_read" },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "nfs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem nfs_filesystem = {
	.name = "nfs",
	.title = "NFS",
	.module = "nfs",
	.types = { "nfs", "nfs4" },
	.magic = 0x6969,
	.functions = functions,
};

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* 9p: among the tested kernels, only the generic ones have it. Cached modes use the VFS's reads. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "v9fs_file_read_iter", .shape = FS_OUTER },
	{ .op = FS_READ, .function = "generic_file_read_iter", .shape = FS_IOCB_OF_SB },
	{ .op = FS_WRITE, .function = "v9fs_file_write_iter", .shape = FS_OUTER },
	{ .op = FS_WRITE, .function = "generic_file_write_iter", .shape = FS_IOCB_OF_SB },
	{ .op = FS_OPEN, .function = "v9fs_file_open", .shape = FS_FILE_OPEN },
	{ .op = FS_FSYNC, .function = "v9fs_file_fsync" },
	{ .op = FS_FSYNC, .function = "v9fs_file_fsync_dotl" },
	/* Each with _dotl: the protocol 9P2000.L. */
	{ .op = FS_GETATTR, .function = "v9fs_vfs_getattr" },
	{ .op = FS_GETATTR, .function = "v9fs_vfs_getattr_dotl" },
	{ .op = FS_SETATTR, .function = "v9fs_vfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_SETATTR, .function = "v9fs_vfs_setattr_dotl", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "v9fs_vfs_lookup" },
	{ .op = FS_CREATE, .function = "v9fs_vfs_create" },
	{ .op = FS_CREATE, .function = "v9fs_vfs_create_dotl" },
	{ .op = FS_CREATE, .function = "v9fs_vfs_atomic_open", .shape = FS_ATOMIC_OPEN,
	  .args = { 5 } },
	{ .op = FS_CREATE, .function = "v9fs_vfs_atomic_open_dotl", .shape = FS_ATOMIC_OPEN,
	  .args = { 5 } },
	{ .op = FS_UNLINK, .function = "v9fs_vfs_unlink" },
	{ .op = FS_RENAME, .function = "v9fs_vfs_rename" },
	{ .op = FS_MKDIR, .function = "v9fs_vfs_mkdir" },
	{ .op = FS_MKDIR, .function = "v9fs_vfs_mkdir_dotl" },
	{ .op = FS_RMDIR, .function = "v9fs_vfs_rmdir" },
	{ .op = FS_LINK, .function = "v9fs_vfs_link" },
	{ .op = FS_LINK, .function = "v9fs_vfs_link_dotl" },
	{ .op = FS_SYMLINK, .function = "v9fs_vfs_symlink" },
	{ .op = FS_SYMLINK, .function = "v9fs_vfs_symlink_dotl" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "v9fs_dir_readdir" },
	{ .op = FS_READDIR, .function = "v9fs_dir_readdir_dotl" },
	{ .op = FS_TRUNCATE, .function = "v9fs_vfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_TRUNCATE, .function = "v9fs_vfs_setattr_dotl", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_RELEASE, .function = "v9fs_dir_release" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "v9fs_vm_page_mkwrite" },
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "v9fs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem v9fs_filesystem = {
	.name = "9p",
	.title = "9p",
	.module = "9p",
	.types = { "9p" },
	.magic = 0x01021997,
	.functions = functions,
};

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ntfs: the driver that came with 7.1 or so. Its functions have the names that ntfs3's have. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "ntfs_file_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "ntfs_file_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_WRITE, .function = "ntfs_file_write_iter", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "ntfs_file_open", .shape = FS_FILE_OPEN },
	{ .op = FS_FSYNC, .function = "ntfs_file_fsync" },
	{ .op = FS_FSYNC, .function = "ntfs_dir_fsync" },
	{ .op = FS_GETATTR, .function = "ntfs_getattr" },
	{ .op = FS_SETATTR, .function = "ntfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "ntfs_lookup" },
	{ .op = FS_CREATE, .function = "ntfs_create" },
	{ .op = FS_UNLINK, .function = "ntfs_unlink" },
	{ .op = FS_RENAME, .function = "ntfs_rename" },
	{ .op = FS_MKDIR, .function = "ntfs_mkdir" },
	{ .op = FS_RMDIR, .function = "ntfs_rmdir" },
	{ .op = FS_LINK, .function = "ntfs_link" },
	{ .op = FS_SYMLINK, .function = "ntfs_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "ntfs_readdir" },
	{ .op = FS_FALLOCATE, .function = "ntfs_fallocate" },
	{ .op = FS_TRUNCATE, .function = "ntfs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_RELEASE, .function = "ntfs_file_release" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "ntfs_filemap_page_mkwrite" },
	{ .op = FS_SPLICE, .function = "ntfs_file_splice_read" },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "ntfs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem ntfs_filesystem = {
	.name = "ntfs",
	.title = "NTFS",
	.module = "ntfs",
	.types = { "ntfs" },
	.magic = 0x5346544e,
	.functions = functions,
};

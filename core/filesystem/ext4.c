// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ext4, which also serves ext2 and ext3: there are no drivers of their own in Debian's kernels. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "ext4_file_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "generic_file_read_iter", .shape = FS_IOCB_OF_SB,
	  .fallback = true },
	/* Before 6.5 a splice reads through read_iter; with O_DIRECT it still does. */
	{ .op = FS_READ, .function = "ext4_file_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_WRITE, .function = "ext4_file_write_iter", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "ext4_file_open" },	/* directories: ext4_dir_open */
	{ .op = FS_FSYNC, .function = "ext4_sync_file" },
	/* ext4_file_getattr and ext4_encrypted_symlink_getattr call it. */
	{ .op = FS_GETATTR, .function = "ext4_getattr" },
	{ .op = FS_SETATTR, .function = "ext4_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "ext4_lookup" },
	{ .op = FS_CREATE, .function = "ext4_create" },
	{ .op = FS_UNLINK, .function = "ext4_unlink" },
	{ .op = FS_RENAME, .function = "ext4_rename2" },
	{ .op = FS_MKDIR, .function = "ext4_mkdir" },
	{ .op = FS_RMDIR, .function = "ext4_rmdir" },
	{ .op = FS_LINK, .function = "ext4_link" },
	{ .op = FS_SYMLINK, .function = "ext4_symlink" },
	/* A short target lies in the inode, and is read without asking ext4. */
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "ext4_readdir" },
	{ .op = FS_FALLOCATE, .function = "ext4_fallocate" },
	{ .op = FS_TRUNCATE, .function = "ext4_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_RELEASE, .function = "ext4_release_file" },
	/* A function of its own until 5.17 or so. */
	{ .op = FS_MMAP_FAULT, .function = "ext4_filemap_fault" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB,
	  .fallback = true },
	{ .op = FS_MMAP_FAULT, .function = "ext4_page_mkwrite" },
	{ .op = FS_MMAP_FAULT, .function = "ext4_dax_fault" },
	{ .op = FS_SPLICE, .function = "ext4_file_splice_read" },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "ext4_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem ext4_filesystem = {
	.name = "ext4",
	.title = "ext4",
	.module = "ext4",
	.types = { "ext4", "ext3", "ext2" },
	.magic = 0xEF53,
	.functions = functions,
};

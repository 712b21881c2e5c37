// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcachefs: in 6.7 to 6.17. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "bch2_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "filemap_splice_read", .shape = FS_OUTER_OF_SB,
	  .args = { 5 } },
	{ .op = FS_WRITE, .function = "bch2_write_iter", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "bch2_open", .shape = FS_FILE_OPEN },
	{ .op = FS_FSYNC, .function = "bch2_fsync" },
	{ .op = FS_GETATTR, .function = "bch2_getattr" },
	{ .op = FS_SETATTR, .function = "bch2_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "bch2_lookup" },
	{ .op = FS_CREATE, .function = "bch2_create" },
	{ .op = FS_UNLINK, .function = "bch2_unlink", .shape = FS_UNLINK_OR_RMDIR },
	{ .op = FS_RENAME, .function = "bch2_rename2" },
	{ .op = FS_MKDIR, .function = "bch2_mkdir" },
	{ .op = FS_RMDIR, .function = "bch2_unlink", .shape = FS_UNLINK_OR_RMDIR },
	{ .op = FS_LINK, .function = "bch2_link" },
	{ .op = FS_SYMLINK, .function = "bch2_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "bch2_vfs_readdir" },
	{ .op = FS_FALLOCATE, .function = "bch2_fallocate_dispatch" },
	{ .op = FS_TRUNCATE, .function = "bch2_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_MMAP_FAULT, .function = "bch2_page_fault" },
	{ .op = FS_MMAP_FAULT, .function = "bch2_page_mkwrite" },
	{ .op = FS_SPLICE, .function = "filemap_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "bch2_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem bcachefs_filesystem = {
	.name = "bcachefs",
	.title = "bcachefs",
	.module = "bcachefs",
	.types = { "bcachefs" },
	.magic = 0xca451a4e,
	.functions = functions,
};

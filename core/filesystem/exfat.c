// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* exfat. Reads and writes are its own since 6.8 or so, opens since 7.0 or so. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "exfat_file_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "generic_file_read_iter", .shape = FS_IOCB_OF_SB,
	  .fallback = true },
	{ .op = FS_READ, .function = "exfat_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_WRITE, .function = "exfat_file_write_iter", .shape = FS_IOCB },
	{ .op = FS_WRITE, .function = "generic_file_write_iter", .shape = FS_IOCB_OF_SB,
	  .fallback = true },
	{ .op = FS_OPEN, .function = "exfat_file_open" },
	{ .op = FS_OPEN, .function = "do_dentry_open", .shape = FS_OPEN_OF_SB, .args = { 2, 3 },
	  .fallback = true },
	{ .op = FS_FSYNC, .function = "exfat_file_fsync" },
	{ .op = FS_GETATTR, .function = "exfat_getattr" },
	{ .op = FS_SETATTR, .function = "exfat_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "exfat_lookup" },
	{ .op = FS_CREATE, .function = "exfat_create" },
	{ .op = FS_UNLINK, .function = "exfat_unlink" },
	{ .op = FS_RENAME, .function = "exfat_rename" },
	{ .op = FS_MKDIR, .function = "exfat_mkdir" },
	{ .op = FS_RMDIR, .function = "exfat_rmdir" },
	/* 6.12 and others put shared_exfat_iterate before it. */
	{ .op = FS_READDIR, .function = "exfat_iterate" },
	{ .op = FS_FALLOCATE, .function = "exfat_fallocate" },
	{ .op = FS_TRUNCATE, .function = "exfat_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "exfat_page_mkwrite" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_page_mkwrite", .shape = FS_FAULT_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "exfat_splice_read" },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "exfat_statfs" },
	{ 0 }
};

const struct filesystem exfat_filesystem = {
	.name = "exfat",
	.title = "exFAT",
	.module = "exfat",
	.types = { "exfat" },
	.magic = 0x2011BAB0,
	.functions = functions,
};

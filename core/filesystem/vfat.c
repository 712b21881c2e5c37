// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * vfat and msdos. Reads, writes and opens are the VFS's: others that use them (ext4's cached reads)
 * pay for the question whose they are, while vfat is traced.
 */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	FS_READ_BY_PAGE_CACHE,
	{ .op = FS_WRITE, .function = "generic_file_write_iter", .shape = FS_IOCB_OF_SB },
	{ .op = FS_OPEN, .function = "do_dentry_open", .shape = FS_OPEN_OF_SB, .args = { 2, 3 } },
	{ .op = FS_FSYNC, .function = "fat_file_fsync", .module = "fat" },
	{ .op = FS_GETATTR, .function = "fat_getattr", .module = "fat" },
	{ .op = FS_SETATTR, .function = "fat_setattr", .shape = FS_SETATTR_OR_TRUNCATE,
	  .module = "fat" },
	{ .op = FS_LOOKUP, .function = "vfat_lookup" },
	{ .op = FS_LOOKUP, .function = "msdos_lookup", .module = "msdos" },
	{ .op = FS_CREATE, .function = "vfat_create" },
	{ .op = FS_CREATE, .function = "msdos_create", .module = "msdos" },
	{ .op = FS_UNLINK, .function = "vfat_unlink" },
	{ .op = FS_UNLINK, .function = "msdos_unlink", .module = "msdos" },
	/* Before it was vfat_rename, which is something else now. */
	{ .op = FS_RENAME, .function = "vfat_rename2" },
	{ .op = FS_RENAME, .function = "vfat_rename", .args = { 5 }, .fallback = true },
	{ .op = FS_RENAME, .function = "msdos_rename", .module = "msdos" },
	{ .op = FS_MKDIR, .function = "vfat_mkdir" },
	{ .op = FS_MKDIR, .function = "msdos_mkdir", .module = "msdos" },
	{ .op = FS_RMDIR, .function = "vfat_rmdir" },
	{ .op = FS_RMDIR, .function = "msdos_rmdir", .module = "msdos" },
	{ .op = FS_READDIR, .function = "fat_readdir", .module = "fat" },
	{ .op = FS_FALLOCATE, .function = "fat_fallocate", .module = "fat" },
	{ .op = FS_TRUNCATE, .function = "fat_setattr", .shape = FS_SETATTR_OR_TRUNCATE,
	  .module = "fat" },
	{ .op = FS_RELEASE, .function = "fat_file_release", .module = "fat" },
	FS_FAULT_BY_PAGE_CACHE,
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "fat_statfs", .module = "fat" },
	{ 0 }
};

const struct filesystem vfat_filesystem = {
	.name = "vfat",
	.title = "vfat",
	.module = "vfat",
	.types = { "vfat", "msdos" },
	.magic = 0x4d44,
	.functions = functions,
};

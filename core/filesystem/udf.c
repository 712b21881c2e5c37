// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* udf. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	FS_READ_BY_PAGE_CACHE,
	{ .op = FS_WRITE, .function = "udf_file_write_iter", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "do_dentry_open", .shape = FS_OPEN_OF_SB, .args = { 2, 3 } },
	/* Neither it nor its name's like is left in 7.3. */
	{ .op = FS_FSYNC, .function = "generic_file_fsync", .shape = FS_FILE_OF_SB },
	{ .op = FS_FSYNC, .function = "simple_fsync", .shape = FS_FILE_OF_SB, .fallback = true },
	{ .op = FS_GETATTR, .function = "vfs_getattr_nosec", .shape = FS_PATH_OF_SB,
	  .args = { 4 } },
	{ .op = FS_SETATTR, .function = "udf_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "udf_lookup" },
	{ .op = FS_CREATE, .function = "udf_create" },
	{ .op = FS_UNLINK, .function = "udf_unlink" },
	{ .op = FS_RENAME, .function = "udf_rename" },
	{ .op = FS_MKDIR, .function = "udf_mkdir" },
	{ .op = FS_RMDIR, .function = "udf_rmdir" },
	{ .op = FS_LINK, .function = "udf_link" },
	{ .op = FS_SYMLINK, .function = "udf_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "udf_readdir" },
	{ .op = FS_TRUNCATE, .function = "udf_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_RELEASE, .function = "udf_release_file" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "udf_page_mkwrite" },
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "udf_statfs" },
	{ 0 }
};

const struct filesystem udf_filesystem = {
	.name = "udf",
	.title = "UDF",
	.module = "udf",
	.types = { "udf" },
	.magic = 0x15013346,
	.functions = functions,
};

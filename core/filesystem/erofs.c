// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* erofs: read only. Reads are its own since 5.15 or so; ishare: pages shared between images. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "erofs_file_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "generic_file_read_iter", .shape = FS_IOCB_OF_SB,
	  .fallback = true },
	{ .op = FS_READ, .function = "erofs_ishare_file_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "filemap_splice_read", .shape = FS_OUTER_OF_SB,
	  .args = { 5 } },
	{ .op = FS_READ, .function = "erofs_ishare_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_OPEN, .function = "do_dentry_open", .shape = FS_OPEN_OF_SB, .args = { 2, 3 } },
	{ .op = FS_GETATTR, .function = "erofs_getattr" },
	{ .op = FS_LOOKUP, .function = "erofs_lookup" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "erofs_readdir" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "erofs_dax_fault" },
	{ .op = FS_SPLICE, .function = "erofs_ishare_splice_read" },
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_STATFS, .function = "erofs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem erofs_filesystem = {
	.name = "erofs",
	.title = "erofs",
	.module = "erofs",
	.types = { "erofs" },
	.magic = 0xE0F5E1E2,
	.functions = functions,
};

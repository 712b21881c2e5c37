// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* f2fs: among the tested kernels, only the generic ones have it. */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "f2fs_file_read_iter", .shape = FS_IOCB },
	/* Inside f2fs_file_splice_read, since 6.5. */
	{ .op = FS_READ, .function = "filemap_splice_read", .shape = FS_OUTER_OF_SB,
	  .args = { 5 } },
	{ .op = FS_WRITE, .function = "f2fs_file_write_iter", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "f2fs_file_open", .shape = FS_FILE_OPEN },
	{ .op = FS_FSYNC, .function = "f2fs_sync_file" },
	/* f2fs_encrypted_symlink_getattr calls it. */
	{ .op = FS_GETATTR, .function = "f2fs_getattr" },
	{ .op = FS_SETATTR, .function = "f2fs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "f2fs_lookup" },
	{ .op = FS_CREATE, .function = "f2fs_create" },
	/* f2fs_rmdir calls it. */
	{ .op = FS_UNLINK, .function = "f2fs_unlink", .shape = FS_UNLINK_OR_RMDIR },
	{ .op = FS_RENAME, .function = "f2fs_rename2" },
	{ .op = FS_MKDIR, .function = "f2fs_mkdir" },
	{ .op = FS_RMDIR, .function = "f2fs_rmdir" },
	{ .op = FS_LINK, .function = "f2fs_link" },
	{ .op = FS_SYMLINK, .function = "f2fs_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "f2fs_readdir" },
	{ .op = FS_FALLOCATE, .function = "f2fs_fallocate" },
	{ .op = FS_TRUNCATE, .function = "f2fs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_FLUSH, .function = "f2fs_file_flush" },
	{ .op = FS_RELEASE, .function = "f2fs_release_file" },
	{ .op = FS_MMAP_FAULT, .function = "f2fs_filemap_fault" },
	{ .op = FS_MMAP_FAULT, .function = "f2fs_vm_page_mkwrite" },
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "f2fs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem f2fs_filesystem = {
	.name = "f2fs",
	.title = "f2fs",
	.module = "f2fs",
	.types = { "f2fs" },
	.magic = 0xF2F52010,
	.functions = functions,
};

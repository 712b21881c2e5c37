// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * overlayfs. The layers' own file systems are called inside, and count there. A mapping is one of
 * the real file: its faults are those of the layer.
 */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	{ .op = FS_READ, .function = "ovl_read_iter", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "ovl_splice_read", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_WRITE, .function = "ovl_write_iter", .shape = FS_IOCB },
	/* Goes straight to the layer's file. */
	{ .op = FS_WRITE, .function = "ovl_splice_write", .shape = FS_OUTER, .args = { 5 } },
	{ .op = FS_OPEN, .function = "ovl_open" },
	{ .op = FS_FSYNC, .function = "ovl_fsync" },
	{ .op = FS_FSYNC, .function = "ovl_dir_fsync" },
	{ .op = FS_GETATTR, .function = "ovl_getattr" },
	{ .op = FS_SETATTR, .function = "ovl_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "ovl_lookup" },
	{ .op = FS_CREATE, .function = "ovl_create" },
	{ .op = FS_UNLINK, .function = "ovl_unlink" },
	{ .op = FS_RENAME, .function = "ovl_rename" },
	{ .op = FS_MKDIR, .function = "ovl_mkdir" },
	{ .op = FS_RMDIR, .function = "ovl_rmdir" },
	{ .op = FS_LINK, .function = "ovl_link" },
	{ .op = FS_SYMLINK, .function = "ovl_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	/* 6.12 and others put shared_ovl_iterate before it. */
	{ .op = FS_READDIR, .function = "ovl_iterate" },
	{ .op = FS_FALLOCATE, .function = "ovl_fallocate" },
	{ .op = FS_TRUNCATE, .function = "ovl_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_FLUSH, .function = "ovl_flush" },
	{ .op = FS_RELEASE, .function = "ovl_release" },
	{ .op = FS_SPLICE, .function = "ovl_splice_read" },
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,
	  .fallback = true },
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB },
	{ .op = FS_SPLICE, .function = "ovl_splice_write" },
	{ .op = FS_STATFS, .function = "ovl_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem overlay_filesystem = {
	.name = "overlay",
	.title = "overlay",
	.module = "overlay",
	.types = { "overlay" },
	.magic = 0x794c7630,
	.functions = functions,
};

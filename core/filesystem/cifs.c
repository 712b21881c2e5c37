// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * cifs and smb3. The super block has this magic number for every dialect, though statfs() says
 * 0xFE534D42 for SMB 2 and later.
 */
#include "core/filesystem/filesystem.h"

static const struct fs_function functions[] = {
	/* Which of them depends on the cache mode. Since 6.10 they use netfs. */
	{ .op = FS_READ, .function = "cifs_loose_read_iter", .shape = FS_OUTER },
	{ .op = FS_READ, .function = "cifs_strict_readv", .shape = FS_OUTER },
	{ .op = FS_READ, .function = "cifs_direct_readv", .shape = FS_IOCB },
	{ .op = FS_READ, .function = "netfs_unbuffered_read_iter", .shape = FS_IOCB_OF_SB,
	  .module = "netfs", .fallback = true },
	{ .op = FS_WRITE, .function = "cifs_file_write_iter", .shape = FS_OUTER },
	{ .op = FS_WRITE, .function = "cifs_strict_writev", .shape = FS_OUTER },
	{ .op = FS_WRITE, .function = "cifs_direct_writev", .shape = FS_IOCB },
	{ .op = FS_OPEN, .function = "cifs_open" },
	{ .op = FS_OPEN, .function = "cifs_atomic_open", .shape = FS_ATOMIC_OPEN, .args = { 5 } },
	{ .op = FS_FSYNC, .function = "cifs_fsync" },
	{ .op = FS_FSYNC, .function = "cifs_strict_fsync" },
	{ .op = FS_FSYNC, .function = "cifs_dir_fsync" },
	{ .op = FS_GETATTR, .function = "cifs_getattr" },
	{ .op = FS_SETATTR, .function = "cifs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_LOOKUP, .function = "cifs_lookup" },
	{ .op = FS_CREATE, .function = "cifs_create" },
	{ .op = FS_CREATE, .function = "cifs_atomic_open", .shape = FS_ATOMIC_OPEN, .args = { 5 } },
	{ .op = FS_UNLINK, .function = "cifs_unlink" },
	{ .op = FS_RENAME, .function = "cifs_rename2" },
	{ .op = FS_MKDIR, .function = "cifs_mkdir" },
	{ .op = FS_RMDIR, .function = "cifs_rmdir" },
	{ .op = FS_LINK, .function = "cifs_hardlink" },
	{ .op = FS_SYMLINK, .function = "cifs_symlink" },
	{ .op = FS_READLINK, .function = "vfs_readlink", .shape = FS_DENTRY_OF_SB },
	{ .op = FS_READDIR, .function = "cifs_readdir" },
	{ .op = FS_FALLOCATE, .function = "cifs_fallocate" },
	{ .op = FS_TRUNCATE, .function = "cifs_setattr", .shape = FS_SETATTR_OR_TRUNCATE },
	{ .op = FS_FLUSH, .function = "cifs_flush" },
	{ .op = FS_RELEASE, .function = "cifs_close" },
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },
	{ .op = FS_MMAP_FAULT, .function = "cifs_page_mkwrite" },
	FS_SPLICE_READ_BY_PAGE_CACHE,
	{ .op = FS_SPLICE, .function = "iter_file_splice_write", .shape = FS_OUT_FILE_OF_SB },
	{ .op = FS_STATFS, .function = "cifs_statfs" },
	FS_XATTR_BY_VFS,
	{ 0 }
};

const struct filesystem cifs_filesystem = {
	.name = "cifs",
	.title = "SMB",
	.module = "cifs",
	.types = { "cifs", "smb3" },
	.magic = 0xFF534D42,
	.functions = functions,
};

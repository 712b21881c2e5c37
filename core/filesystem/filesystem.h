/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * File systems as data: which kernel functions carry out which operation. One file describes one
 * file system, cmake/Filesystems.cmake finds it; nothing else is edited to add one. test/btf/check
 * compares every row with the BTF of every kernel of test/guest/kernels.txt.
 */
#ifndef FSTRACE_CORE_FILESYSTEM_FILESYSTEM_H
#define FSTRACE_CORE_FILESYSTEM_FILESYSTEM_H

#include <stdbool.h>
#include <stdint.h>

enum fs_op {
	FS_READ,	/* splice and sendfile, too */
	FS_WRITE,
	FS_OPEN,	/* of files, not of directories */
	FS_FSYNC,	/* also those inside a write to a file opened with O_SYNC */
	FS_GETATTR,
	FS_SETATTR,	/* but not of the size */
	FS_LOOKUP,	/* of a name that the dentry cache does not hold */
	FS_CREATE,
	FS_UNLINK,
	FS_RENAME,
	FS_MKDIR,
	FS_RMDIR,
	FS_LINK,
	FS_SYMLINK,
	FS_READLINK,
	FS_READDIR,
	FS_FALLOCATE,
	FS_TRUNCATE,	/* setattr of the size */
	FS_FLUSH,	/* close(2), where the file system does something then */
	FS_RELEASE,	/* the last close */
	FS_MMAP_FAULT,	/* a page is brought in; apart from that: a page is made writable */
	FS_SPLICE,	/* splice and sendfile, from a file and to one */
	FS_STATFS,
	FS_XATTR,	/* get, set, list, remove */
	FS_OPS
};

/*
 * The arguments of a function, and so which calls of it count (bpf/dist.bpf.c). Where the kernel
 * passes an idmap (a user namespace in 5.12 to 6.2) first, the others follow.
 *
 * OF_SB: the function serves several file systems. Only calls count whose super block has the file
 * system's magic number.
 */
enum fs_shape {
	FS_PLAIN,		/* every call counts */
	FS_IOCB,		/* (kiocb, ...): may complete later */
	FS_OUTER,		/* counts, unless a call of its operation inside it does: see below */
	FS_FILE_OPEN,		/* (inode, file): not of directories */
	FS_ATOMIC_OPEN,		/* (dir, dentry, file, flags, mode): see below */
	FS_UNLINK_OR_RMDIR,	/* (dir, dentry): see below */
	FS_SETATTR_OR_TRUNCATE,	/* ([idmap,] dentry, iattr, ...): see below */
	FS_IOCB_OF_SB,		/* (kiocb, ...): may complete later */
	FS_OUTER_OF_SB,		/* (file, ...): as FS_OUTER */
	FS_FILE_OF_SB,		/* (file, ...) */
	FS_OUT_FILE_OF_SB,	/* (pipe, file, ...) */
	FS_INODE_OF_SB,		/* (inode, ...) */
	FS_DENTRY_OF_SB,	/* (dentry, ...) */
	FS_IDMAP_DENTRY_OF_SB,	/* ([idmap,] dentry, ...) */
	FS_PATH_OF_SB,		/* (path, ...) */
	FS_FAULT_OF_SB,		/* (vm_fault): the super block of vma->vm_file */
	FS_OPEN_OF_SB,		/* (file, ...), f_inode not set yet: f_path. Regular files, no O_PATH */
	FS_SHAPES
};

/*
 * FS_OUTER is for a function that does the work itself or through another one of the table: a
 * splice from a file opened with O_DIRECT reads by read_iter, and is one read. If a call inside it
 * has been counted in the same operation of the same file system, it is not counted itself.
 *
 * A function that serves two operations has a row for each, and the row's operation decides which
 * calls count:
 *
 *   UNLINK_OR_RMDIR      FS_RMDIR: the dentry's inode is a directory; FS_UNLINK: it is not
 *   SETATTR_OR_TRUNCATE  FS_TRUNCATE: iattr->ia_valid has ATTR_SIZE; FS_SETATTR: it has not
 *   ATOMIC_OPEN          FS_CREATE: flags have O_CREAT; FS_OPEN: neither that nor O_DIRECTORY
 */

struct fs_function {
	enum fs_op op;
	const char *function;
	enum fs_shape shape;
	uint8_t args[2];	/* at least and at most; { 0 }: fs_op_args[op]. { 2 }: just two */
	const char *module;	/* which has it; NULL: the file system's, or the kernel */
	const char *with;	/* a function that came with it, if that is known: see candidate.with */
	bool fallback;		/* used only if the row before it does not exist */
};

/* These rows for a file system that has extended attributes: its own functions are one for each
 * prefix of their names, and some of them only dispatch. */
#define FS_XATTR_BY_VFS                                                                            \
	{ .op = FS_XATTR, .function = "vfs_getxattr", .shape = FS_IDMAP_DENTRY_OF_SB },            \
	{ .op = FS_XATTR, .function = "vfs_setxattr", .shape = FS_IDMAP_DENTRY_OF_SB },            \
	{ .op = FS_XATTR, .function = "vfs_removexattr", .shape = FS_IDMAP_DENTRY_OF_SB },         \
	{ .op = FS_XATTR, .function = "vfs_listxattr", .shape = FS_DENTRY_OF_SB }

/* These for one that reads through the page cache by the functions that all share. */
#define FS_READ_BY_PAGE_CACHE                                                                      \
	{ .op = FS_READ, .function = "generic_file_read_iter", .shape = FS_IOCB_OF_SB },           \
	{ .op = FS_READ, .function = "filemap_splice_read", .shape = FS_OUTER_OF_SB,               \
	  .args = { 5 } }
#define FS_FAULT_BY_PAGE_CACHE                                                                     \
	{ .op = FS_MMAP_FAULT, .function = "filemap_fault", .shape = FS_FAULT_OF_SB },             \
	{ .op = FS_MMAP_FAULT, .function = "filemap_page_mkwrite", .shape = FS_FAULT_OF_SB }
#define FS_SPLICE_READ_BY_PAGE_CACHE                                                               \
	{ .op = FS_SPLICE, .function = "filemap_splice_read", .shape = FS_FILE_OF_SB },            \
	{ .op = FS_SPLICE, .function = "generic_file_splice_read", .shape = FS_FILE_OF_SB,         \
	  .fallback = true },                                                                      \
	{ .op = FS_SPLICE, .function = "copy_splice_read", .shape = FS_FILE_OF_SB }

#define FS_TYPES_MAX 4

/* All rows that the running kernel has are used; a fallback only instead of the row before. */
struct filesystem {
	const char *name;	/* of its applet, without "dist" */
	const char *title;	/* "Tracing TITLE operation latency" */
	const char *module;
	const char *types[FS_TYPES_MAX + 1];	/* as in /proc/filesystems; ends with NULL */
	uint32_t magic;		/* super_block.s_magic; 0: that of each mounted one */
	const struct fs_function *functions;	/* ends with a row without a function */
};

/* By name, ends with NULL: made by cmake/Filesystems.cmake. */
extern const struct filesystem *const filesystem_table[];

/* The one that has this name or serves this type, or NULL. */
const struct filesystem *filesystem_find(const char *name);

/* "read", "mmap-fault" ...: the names in --ops and in the output. */
extern const char *const fs_op_names[FS_OPS + 1];	/* ends with NULL */

/* How many arguments an operation's method has, at least and at most. */
extern const uint8_t fs_op_args[FS_OPS][2];

/* Whether the function serves other file systems, too. */
static inline bool fs_shape_is_shared(enum fs_shape shape)
{
	return shape >= FS_IOCB_OF_SB;
}

#endif

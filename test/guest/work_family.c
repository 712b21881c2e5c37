// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Scenarios for the tools that trace any file system: fs_OP does OP exactly count times in the
 * directory it is given, whatever is mounted there, and announces that, with whatever else the
 * system calls need on this file system. What is not announced must not be counted.
 */
#include "work.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>

enum {
	/* What a file system has a function of its own, or a shared one, for. */
	FLUSH = 1, RELEASE = 2, FAULT = 4, WRITABLE = 8 /* the first write to a mapped page */,
	FALLOCATE = 16, LINK = 32, XATTR = 64,
	DISK = RELEASE | FAULT | WRITABLE | FALLOCATE | LINK | XATTR,
	/* An open that creates a file calls these, too; not where one function does it all. */
	NO_LOOKUP = 128, NO_OPEN = 256,
};

/* What statfs(2) returns there is the number of the host's file system. */
#define MAGIC_9P 0x01021997

static const struct kind {
	unsigned int magic;
	const char *name;
	int has;
	const char *function;	/* with which a kernel also has: */
	int also;
	const char *type;	/* in /proc/self/mountinfo; NULL: any of this magic number */
} kinds[] = {
	{ .magic = 0xEF53, .name = "ext4", .has = DISK },
	{ .magic = 0x58465342, .name = "xfs", .has = DISK },
	{ .magic = 0x9123683E, .name = "btrfs", .has = DISK },
	{ .magic = 0x01021994, .name = "tmpfs", .has = FAULT | FALLOCATE | LINK | XATTR },
	{ .magic = 0x6969, .name = "nfs", .has = DISK | FLUSH | NO_LOOKUP | NO_OPEN, .type = "nfs4" },
	{ .magic = 0x6969, .name = "nfs", .has = (DISK | FLUSH) & ~FALLOCATE,
	  .function = "nfs_atomic_open_v23", .also = NO_LOOKUP },	/* since 6.10 */
	{ .magic = 0x65735546, .name = "fuse", .has = DISK | FLUSH | NO_OPEN },
	{ .magic = 0xF2F52010, .name = "f2fs", .has = DISK | FLUSH },
	{ .magic = 0x794c7630, .name = "overlay", .has = RELEASE | FALLOCATE | LINK | XATTR,
	  .function = "ovl_flush", .also = FLUSH },			/* since 6.0 */
	{ .magic = 0x4d44, .name = "vfat", .has = RELEASE | FAULT | WRITABLE | FALLOCATE },
	{ .magic = 0x2011BAB0, .name = "exfat", .has = FAULT | WRITABLE,
	  .function = "exfat_fallocate", .also = FALLOCATE },		/* since 7.0 */
	{ .magic = 0x15013346, .name = "udf", .has = RELEASE | FAULT | LINK },
	{ .magic = MAGIC_9P, .name = "9p", .has = RELEASE | FAULT | WRITABLE | LINK | XATTR | NO_OPEN },
	{ .magic = 0x9660, .name = "iso9660", .has = FAULT },
	{ .magic = 0x73717368, .name = "squashfs", .has = FAULT | XATTR },
	{ .magic = 0xE0F5E1E2, .name = "erofs", .has = FAULT | XATTR },
	{ 0 }
};

/* Operations that the layer below an overlay does once for each of the overlay. */
static const char *const passed_on[] = { "read", "write", "open", "fsync", "getattr", NULL };

/* Whether a line of a file in /proc begins with `begin`, if any, and contains `word`. */
static int has_line(const char *path, const char *begin, const char *word)
{
	FILE *file = fopen(path, "re");
	char line[1024];
	int found = 0;

	must(file);
	while (!found && fgets(line, sizeof(line), file))
		found = !strncmp(line, begin, strlen(begin)) && strstr(line, word);
	fclose(file);
	return found;
}

/* Whether a directory is on a file system of that type; calls nothing of it. */
static int is_type(int directory, const char *type)
{
	char path[64], line[64], word[40];
	int mount = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", directory);
	file = fopen(path, "re");
	must(file);
	while (fgets(line, sizeof(line), file) && sscanf(line, "mnt_id: %d", &mount) != 1)
		;
	fclose(file);
	must(mount);
	snprintf(line, sizeof(line), "%d ", mount);
	snprintf(word, sizeof(word), " - %s ", type);
	return has_line("/proc/self/mountinfo", line, word);
}

unsigned int fs_magic(int directory)
{
	struct statfs fs;

	must(!fstatfs(directory, &fs));
	return is_type(directory, "9p") ? MAGIC_9P : fs.f_type;
}

static const struct kind *kind_of(const struct job *j)
{
	for (const struct kind *kind = kinds; kind->magic; kind++)
		if (kind->magic == j->magic && (!kind->type || is_type(j->directory, kind->type)))
			return kind;
	die("unknown file system, magic %x", j->magic);
}

static int has(const struct job *j, int what)
{
	static signed char there[sizeof(kinds) / sizeof(*kinds)];	/* 0: not looked up */
	const struct kind *kind = kind_of(j);
	signed char *is_there = &there[kind - kinds];
	char word[40];

	if (kind->function && kind->also & what && !*is_there) {
		snprintf(word, sizeof(word), " %s", kind->function);
		*is_there = has_line("/proc/kallsyms", "", word) ? 1 : -1;
	}
	return (kind->has & what) || (kind->also & what && *is_there > 0);
}

const char *fs_name(const struct job *j)
{
	return kind_of(j)->name;
}

/* By the layer below alone, if there is one. */
static void done_below(struct job *j, const char *op, long n)
{
	expect_on(j->below ? j->below : kind_of(j)->name, op, EXACT, n);
}

static void done(struct job *j, const char *op, long n)
{
	expect_on(kind_of(j)->name, op, EXACT, n);
	for (int i = 0; j->below && passed_on[i]; i++)
		if (!strcmp(op, passed_on[i]))
			done_below(j, op, n);
}

/* n files that were opened have been closed. */
static void closed(struct job *j, long n)
{
	if (has(j, FLUSH))
		done(j, "flush", n);
	if (has(j, RELEASE))
		done(j, "release", n);
}

/* The nth name of a job, in its own folder for the many. */
static const char *nth(const struct job *j, const char *what, long n)
{
	static char names[2][80];
	static int turn;

	turn = !turn;
	snprintf(names[turn], sizeof(names[turn]), "%s.%d/%s%ld", j->scenario->name, j->window,
		 what, n);
	return names[turn];
}

static void make_folder(struct job *j)
{
	char name[80];

	snprintf(name, sizeof(name), "%s.%d", j->scenario->name, j->window);
	must(!mkdir(name, 0755) || errno == EEXIST);
}

static void make_files(struct job *j)
{
	make_folder(j);
	for (long i = 0; i < j->count; i++) {
		int fd = open(nth(j, "old", i), O_CREAT | O_RDWR, 0644);

		must(fd >= 0);
		close(fd);
	}
}

/* The data of a file. */

static void run_read(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(pread(j->fd, page, PAGE, page_offset(i)) == PAGE);
	done(j, "read", j->count);
}

static void run_write(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(pwrite(j->fd, page, PAGE, page_offset(i)) == PAGE);
	done(j, "write", j->count);
}

/*
 * A synchronous write is a write, and the fsync inside it; overlayfs leaves that to the layer. (Not
 * for tmpfs, which has left it out since 6.6.)
 */
static void run_sync(struct job *j)
{
	run_write(j);
	done_below(j, "fsync", j->count);
}

static void run_fsync(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!fsync(j->fd));
	done(j, "fsync", j->count);
}

static void run_fallocate(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		if (fallocate(j->fd, FALLOC_FL_KEEP_SIZE, page_offset(i), PAGE))
			must(errno == EOPNOTSUPP || errno == ENOSYS);
	if (has(j, FALLOCATE))
		done(j, "fallocate", j->count);
}

static void run_truncate(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!ftruncate(j->fd, FILE_PAGES * PAGE + (i & 1)));
	done(j, "truncate", j->count);
}

/* A write to a page that is mapped for the first time: brought in, then made writable. */
static void run_mmap_fault(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		volatile char *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, j->fd,
					  page_offset(i));

		must(map != MAP_FAILED);
		*map = 1;
		munmap((void *)map, PAGE);
	}
	if (has(j, FAULT))
		done(j, "mmap-fault", j->count * (1 + has(j, WRITABLE)));
}

/* The source of a write is a mapped page that is not there: a page fault inside the write. */
static void prepare_fault_in_write(struct job *j)
{
	j->fd2 = file_make("fs_fault_in_write.from", O_RDWR);
}

static void run_fault_in_write(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		char *map;

		file_drop_cache(j->fd2);
		map = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, j->fd2, page_offset(i));
		must(map != MAP_FAILED);
		must(pwrite(j->fd, map, PAGE, page_offset(i)) == PAGE);
		munmap(map, PAGE);
	}
	done(j, "write", j->count);
	if (has(j, FAULT))
		done(j, "mmap-fault", j->count);
	done(j, "fsync", j->count);	/* of file_drop_cache() */
}

static void prepare_pipe(struct job *j)
{
	must(!pipe(j->pipe));
}

static void run_splice_read(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		off_t at = page_offset(i);

		must(splice(j->fd, &at, j->pipe[1], NULL, PAGE, 0) == PAGE);
		must(read(j->pipe[0], page, PAGE) == PAGE);
	}
	done(j, "read", j->count);
	done(j, "splice", j->count);
}

static void run_splice_write(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		off_t at = page_offset(i);

		must(write(j->pipe[1], page, PAGE) == PAGE);
		must(splice(j->pipe[0], NULL, j->fd, &at, PAGE, 0) == PAGE);
	}
	done(j, "write", j->count);
	done(j, "splice", j->count);
}

/* A file itself. */

static void run_open(struct job *j)
{
	char name[40];

	snprintf(name, sizeof(name), "%s.dat", j->scenario->name);
	for (long i = 0; i < j->count; i++) {
		int fd = open(name, O_RDONLY);

		must(fd >= 0);
		close(fd);
	}
	done(j, "open", j->count);
	closed(j, j->count);
}

static void run_flush(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		int fd = dup(j->fd);

		must(fd >= 0);
		close(fd);
	}
	if (has(j, FLUSH))
		done(j, "flush", j->count);
}

static void run_getattr(struct job *j)
{
	struct stat st;

	for (long i = 0; i < j->count; i++)
		must(!fstat(j->fd, &st));
	done(j, "getattr", j->count);
}

static void run_setattr(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!fchmod(j->fd, 0600 | (i & 1) << 2));
	done(j, "setattr", j->count);
}

static void run_statfs(struct job *j)
{
	struct statfs fs;

	for (long i = 0; i < j->count; i++)
		must(!fstatfs(j->fd, &fs));
	done(j, "statfs", j->count);
}

/* Whether they succeed is not what this is about: tmpfs has had them since 6.6 only. */
static void run_xattr(struct job *j)
{
	char buf[256];

	for (long i = 0; i < j->count; i++) {
		long results = fsetxattr(j->fd, "user.work", "x", 1, 0);

		results += fgetxattr(j->fd, "user.work", buf, sizeof(buf));
		results += flistxattr(j->fd, buf, sizeof(buf));
		results += fremovexattr(j->fd, "user.work");
		must(results >= -4);
	}
	if (has(j, XATTR))
		done(j, "xattr", 4 * j->count);
}

/* Names. */

static void run_lookup(struct job *j)
{
	struct stat st;

	for (long i = 0; i < j->count; i++)
		must(stat(nth(j, "none", i), &st) && errno == ENOENT);
	done(j, "lookup", j->count);
}

static void run_create(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		int fd = open(nth(j, "new", i), O_CREAT | O_EXCL | O_RDWR, 0644);

		must(fd >= 0);
		close(fd);
	}
	done(j, "create", j->count);
	if (!has(j, NO_LOOKUP))
		done(j, "lookup", j->count);
	if (!has(j, NO_OPEN))
		done(j, "open", j->count);
	closed(j, j->count);
}

static void run_unlink(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!unlink(nth(j, "old", i)));
	done(j, "unlink", j->count);
}

static void run_rename(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!rename(nth(j, "old", i), nth(j, "new", i)));
	done(j, "rename", j->count);
	done(j, "lookup", j->count);
}

static void run_mkdir(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!mkdir(nth(j, "new", i), 0755));
	done(j, "mkdir", j->count);
	done(j, "lookup", j->count);
}

static void prepare_rmdir(struct job *j)
{
	make_folder(j);
	for (long i = 0; i < j->count; i++)
		must(!mkdir(nth(j, "old", i), 0755));
}

static void run_rmdir(struct job *j)
{
	for (long i = 0; i < j->count; i++)
		must(!rmdir(nth(j, "old", i)));
	done(j, "rmdir", j->count);
}

static void run_link(struct job *j)
{
	if (!has(j, LINK))
		return;
	for (long i = 0; i < j->count; i++)
		must(!link(nth(j, "old", i), nth(j, "new", i)));
	done(j, "link", j->count);
	done(j, "lookup", j->count);
}

static void run_symlink(struct job *j)
{
	if (!has(j, LINK))
		return;
	for (long i = 0; i < j->count; i++)
		must(!symlink("nowhere", nth(j, "new", i)));
	done(j, "symlink", j->count);
	done(j, "lookup", j->count);
}

static void prepare_readlink(struct job *j)
{
	make_folder(j);
	if (has(j, LINK))
		must(!symlink("nowhere", nth(j, "old", 0)));
}

static void run_readlink(struct job *j)
{
	char target[80];

	if (!has(j, LINK))
		return;
	for (long i = 0; i < j->count; i++)
		must(readlink(nth(j, "old", 0), target, sizeof(target)) == 7);
	done(j, "readlink", j->count);
}

static void prepare_readdir(struct job *j)
{
	char name[80];

	make_files(j);
	snprintf(name, sizeof(name), "%s.%d", j->scenario->name, j->window);
	j->fd2 = open(name, O_RDONLY | O_DIRECTORY);
	must(j->fd2 >= 0);
}

static void run_readdir(struct job *j)
{
	char buf[32768];

	for (long i = 0; i < j->count; i++) {
		must(!lseek(j->fd2, 0, SEEK_SET));
		must(syscall(SYS_getdents64, j->fd2, buf, sizeof(buf)) > 0);
	}
	done(j, "readdir", j->count);
}

/* What can only be read has one file, which is there, and a link to it (see images). */

static void prepare_only(struct job *j)
{
	char target[80];

	j->fd = open("folder/data", O_RDONLY);
	must(j->fd >= 0);
	for (int i = 0; i < FILE_PAGES; i++)
		must(pread(j->fd, page, PAGE, page_offset(i)) == PAGE);
	must(readlink("folder/link", target, sizeof(target)) == 4);	/* looked up */
}

static void prepare_only_pipe(struct job *j)
{
	prepare_only(j);
	prepare_pipe(j);
}

static void run_only_open(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		int fd = open("folder/data", O_RDONLY);

		must(fd >= 0);
		close(fd);
	}
	done(j, "open", j->count);
	closed(j, j->count);
}

static void run_only_readlink(struct job *j)
{
	char target[80];

	for (long i = 0; i < j->count; i++)
		must(readlink("folder/link", target, sizeof(target)) == 4);
	done(j, "readlink", j->count);
}

static void prepare_only_readdir(struct job *j)
{
	j->fd2 = open("folder", O_RDONLY | O_DIRECTORY);
	must(j->fd2 >= 0);
}

const struct scenario family_scenarios[] = {
	{ "fs_read",           211, O_RDWR,          NULL,                   run_read },
	{ "fs_direct_read",    89,  O_RDWR | O_DIRECT, NULL,                 run_read },
	{ "fs_write",          103, O_RDWR,          NULL,                   run_write },
	{ "fs_open",           53,  O_RDWR,          NULL,                   run_open },
	{ "fs_fsync",          29,  O_RDWR,          NULL,                   run_fsync },
	{ "fs_getattr",        97,  O_RDWR,          NULL,                   run_getattr },
	{ "fs_sync",           7,   O_RDWR | O_SYNC, NULL,                   run_sync },
	{ "fs_setattr",        61,  O_RDWR,          NULL,                   run_setattr },
	{ "fs_lookup",         71,  0,               make_folder,            run_lookup },
	{ "fs_create",         31,  0,               make_folder,            run_create },
	{ "fs_unlink",         37,  0,               make_files,             run_unlink },
	{ "fs_rename",         41,  0,               make_files,             run_rename },
	{ "fs_mkdir",          23,  0,               make_folder,            run_mkdir },
	{ "fs_rmdir",          19,  0,               prepare_rmdir,          run_rmdir },
	{ "fs_link",           17,  0,               make_files,             run_link },
	{ "fs_symlink",        13,  0,               make_folder,            run_symlink },
	{ "fs_readlink",       47,  0,               prepare_readlink,       run_readlink },
	{ "fs_readdir",        59,  0,               prepare_readdir,        run_readdir },
	{ "fs_fallocate",      11,  O_RDWR,          NULL,                   run_fallocate },
	{ "fs_truncate",       43,  O_RDWR,          NULL,                   run_truncate },
	{ "fs_flush",          67,  O_RDWR,          NULL,                   run_flush },
	{ "fs_mmap_fault",     73,  O_RDWR,          NULL,                   run_mmap_fault },
	{ "fs_fault_in_write", 5,   O_RDWR,          prepare_fault_in_write, run_fault_in_write },
	{ "fs_splice_read",    79,  O_RDWR,          prepare_pipe,           run_splice_read },
	{ "fs_splice_write",   83,  O_RDWR,          prepare_pipe,           run_splice_write },
	{ "fs_statfs",         101, O_RDWR,          NULL,                   run_statfs },
	{ "fs_xattr",          3,   O_RDWR,          NULL,                   run_xattr },
	{ "only_read",         211, 0,               prepare_only,           run_read },
	{ "only_open",         53,  0,               prepare_only,           run_only_open },
	{ "only_getattr",      97,  0,               prepare_only,           run_getattr },
	{ "only_splice",       79,  0,               prepare_only_pipe,      run_splice_read },
	{ "only_readlink",     47,  0,               prepare_only,           run_only_readlink },
	{ "only_readdir",      59,  0,               prepare_only_readdir,   run_readdir },
	{ "only_statfs",       101, 0,               prepare_only,           run_statfs },
	{ 0 }
};

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * work fuse DIR: mounts a file system in memory at DIR and serves it until it is unmounted, by the
 * kernel's protocol (linux/fuse.h), without a library. One request at a time; what it does not know
 * it refuses (ENOSYS), which the kernel remembers and does without: the functions that a tracer
 * watches are called all the same.
 */
#include "work.h"

#include <dirent.h>
#include <linux/fuse.h>
#include <sys/mount.h>

#define NODES 4096
#define SIZE_MAX_NODE (1 << 20)
#define FOREVER 100000		/* seconds that the kernel may remember a name or an attribute */

static struct node {
	int used;
	uint64_t parent;
	unsigned int mode, nlink;
	uint64_t size;
	char name[64], *data;
	uint64_t target;	/* another name of that node; 0: a node of its own */
} nodes[NODES];

static int device;

/* A node's number is its index; FUSE_ROOT_ID is 1. */
static struct node *node(uint64_t id)
{
	must(id > 0 && id < NODES && nodes[id].used);
	return &nodes[id];
}

static uint64_t find(uint64_t parent, const char *name)
{
	for (uint64_t id = 2; id < NODES; id++)
		if (nodes[id].used && nodes[id].parent == parent && !strcmp(nodes[id].name, name))
			return id;
	return 0;
}

static uint64_t add(uint64_t parent, const char *name, unsigned int mode)
{
	for (uint64_t id = 2; id < NODES; id++) {
		struct node *n = &nodes[id];

		if (n->used)
			continue;
		*n = (struct node){ .used = 1, .parent = parent, .mode = mode, .nlink = 1 };
		snprintf(n->name, sizeof(n->name), "%s", name);
		return id;
	}
	die("fuse: more than %d files", NODES);
}

static uint64_t real(uint64_t id)
{
	return nodes[id].target ? nodes[id].target : id;
}

static void resize(struct node *n, uint64_t size)
{
	if (!n->data)
		must((n->data = calloc(1, SIZE_MAX_NODE)));
	must(size <= SIZE_MAX_NODE);
	if (size < n->size)
		memset(n->data + size, 0, n->size - size);
	n->size = size;
}

static void reply(const struct fuse_in_header *in, int error, const void *data, size_t size)
{
	static char buf[sizeof(struct fuse_out_header) + 131072];
	struct fuse_out_header out = {
		.len = sizeof(out) + size, .error = -error, .unique = in->unique,
	};

	must(size <= 131072);
	memcpy(buf, &out, sizeof(out));
	if (size)
		memcpy(buf + sizeof(out), data, size);
	/* ENOENT: the request was interrupted */
	must(write(device, buf, out.len) == (ssize_t)out.len || errno == ENOENT);
}

static struct fuse_attr attributes(uint64_t id)
{
	const struct node *n = node(id);

	return (struct fuse_attr){
		.ino = id, .size = n->size, .blocks = (n->size + 511) / 512, .mode = n->mode,
		.nlink = n->nlink, .blksize = PAGE,
	};
}

static struct fuse_entry_out entry(uint64_t id)
{
	return (struct fuse_entry_out){
		.nodeid = id, .entry_valid = FOREVER, .attr_valid = FOREVER,
		.attr = attributes(id),
	};
}

static void reply_entry(const struct fuse_in_header *in, uint64_t id)
{
	struct fuse_entry_out out = entry(real(id));

	reply(in, 0, &out, sizeof(out));
}

static void reply_attributes(const struct fuse_in_header *in)
{
	struct fuse_attr_out out = { .attr_valid = FOREVER, .attr = attributes(in->nodeid) };

	reply(in, 0, &out, sizeof(out));
}

static void do_init(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_init_in *init = argument;
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = init->minor < FUSE_KERNEL_MINOR_VERSION ? init->minor :
								   FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = init->max_readahead, .max_write = 65536,
		.flags = FUSE_BIG_WRITES,
	};

	must(init->major == FUSE_KERNEL_VERSION);
	reply(in, 0, &out, sizeof(out));
}

static void do_setattr(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_setattr_in *set = argument;
	struct node *n = node(in->nodeid);

	if (set->valid & FATTR_MODE)
		n->mode = (n->mode & S_IFMT) | (set->mode & ~S_IFMT);
	if (set->valid & FATTR_SIZE)
		resize(n, set->size);
	reply_attributes(in);
}

static void do_create(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_create_in *create = argument;
	struct {
		struct fuse_entry_out entry;
		struct fuse_open_out open;
	} out = { 0 };
	const char *name = (const char *)(create + 1);
	uint64_t id = find(in->nodeid, name);

	if (!id)
		id = add(in->nodeid, name, create->mode);
	out.entry = entry(real(id));
	out.open.open_flags = FOPEN_KEEP_CACHE;
	reply(in, 0, &out, sizeof(out));
}

static void do_remove(const struct fuse_in_header *in, const void *name)
{
	uint64_t id = find(in->nodeid, name);

	if (id && real(id) != id) {
		node(real(id))->nlink--;
		nodes[id].used = 0;
	} else if (id) {	/* the node stays: the kernel may still have it open */
		nodes[id].parent = 0;
	}
	reply(in, id ? 0 : ENOENT, NULL, 0);
}

static void do_rename(const struct fuse_in_header *in, uint64_t newdir, const char *from)
{
	const char *to = from + strlen(from) + 1;
	uint64_t id = find(in->nodeid, from), old = find(newdir, to);

	if (!id) {
		reply(in, ENOENT, NULL, 0);
		return;
	}
	if (old)
		nodes[old].parent = 0;
	nodes[id].parent = newdir;
	snprintf(nodes[id].name, sizeof(nodes[id].name), "%s", to);
	reply(in, 0, NULL, 0);
}

static void do_link(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_link_in *link = argument;
	uint64_t id = add(in->nodeid, (const char *)(link + 1), node(link->oldnodeid)->mode);

	nodes[id].target = real(link->oldnodeid);
	node(nodes[id].target)->nlink++;
	reply_entry(in, id);
}

static void do_symlink(const struct fuse_in_header *in, const char *name)
{
	const char *target = name + strlen(name) + 1;
	uint64_t id = add(in->nodeid, name, S_IFLNK | 0777);

	resize(&nodes[id], strlen(target));
	memcpy(nodes[id].data, target, strlen(target));
	reply_entry(in, id);
}

static void do_read(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_read_in *want = argument;
	const struct node *n = node(in->nodeid);
	uint64_t size = want->offset < n->size ? n->size - want->offset : 0;

	if (size > want->size)
		size = want->size;
	reply(in, 0, n->data + want->offset, size);
}

static void do_write(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_write_in *what = argument;
	struct fuse_write_out out = { .size = what->size };
	struct node *n = node(in->nodeid);

	if (what->offset + what->size > n->size)
		resize(n, what->offset + what->size);
	memcpy(n->data + what->offset, what + 1, what->size);
	reply(in, 0, &out, sizeof(out));
}

/* The offset of an entry is its node's number, so the next call goes on behind it. */
static void do_readdir(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_read_in *want = argument;
	char buf[65536];
	size_t used = 0;

	for (uint64_t id = want->offset + 1; id < NODES; id++) {
		struct fuse_dirent *d = (struct fuse_dirent *)(buf + used);
		size_t size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + strlen(nodes[id].name));

		if (!nodes[id].used || nodes[id].parent != in->nodeid)
			continue;
		if (used + size > want->size || used + size > sizeof(buf))
			break;
		memset(d, 0, size);
		d->ino = real(id);
		d->off = id;
		d->namelen = strlen(nodes[id].name);
		d->type = nodes[id].mode >> 12;
		memcpy(d->name, nodes[id].name, d->namelen);
		used += size;
	}
	reply(in, 0, buf, used);
}

static void serve(const struct fuse_in_header *in, const void *argument)
{
	const struct fuse_open_out opened = { .open_flags = FOPEN_KEEP_CACHE };
	const struct fuse_statfs_out statfs = {
		.st = { .blocks = 1 << 20, .bfree = 1 << 20, .bavail = 1 << 20, .files = NODES,
			.ffree = NODES, .bsize = PAGE, .namelen = 63, .frsize = PAGE },
	};
	uint64_t id;

	switch (in->opcode) {
	case FUSE_INIT: do_init(in, argument); break;
	case FUSE_FORGET: case FUSE_BATCH_FORGET: case FUSE_INTERRUPT: break;	/* no reply */
	case FUSE_LOOKUP:
		id = find(in->nodeid, argument);
		if (id)
			reply_entry(in, id);
		else
			reply(in, ENOENT, NULL, 0);
		break;
	case FUSE_GETATTR: reply_attributes(in); break;
	case FUSE_SETATTR: do_setattr(in, argument); break;
	case FUSE_READLINK:
		reply(in, 0, node(in->nodeid)->data, node(in->nodeid)->size);
		break;
	case FUSE_SYMLINK: do_symlink(in, argument); break;
	case FUSE_MKNOD:
		reply_entry(in, add(in->nodeid, (char *)argument + sizeof(struct fuse_mknod_in),
				    ((const struct fuse_mknod_in *)argument)->mode));
		break;
	case FUSE_MKDIR:
		reply_entry(in, add(in->nodeid, (char *)argument + sizeof(struct fuse_mkdir_in),
				    S_IFDIR | ((const struct fuse_mkdir_in *)argument)->mode));
		break;
	case FUSE_UNLINK: case FUSE_RMDIR: do_remove(in, argument); break;
	case FUSE_RENAME:
		do_rename(in, ((const struct fuse_rename_in *)argument)->newdir,
			  (char *)argument + sizeof(struct fuse_rename_in));
		break;
	case FUSE_RENAME2:
		do_rename(in, ((const struct fuse_rename2_in *)argument)->newdir,
			  (char *)argument + sizeof(struct fuse_rename2_in));
		break;
	case FUSE_LINK: do_link(in, argument); break;
	case FUSE_OPEN: case FUSE_OPENDIR: reply(in, 0, &opened, sizeof(opened)); break;
	case FUSE_READ: do_read(in, argument); break;
	case FUSE_WRITE: do_write(in, argument); break;
	case FUSE_STATFS: reply(in, 0, &statfs, sizeof(statfs)); break;
	case FUSE_RELEASE: case FUSE_RELEASEDIR: case FUSE_FSYNC: case FUSE_FSYNCDIR:
	case FUSE_FLUSH: case FUSE_ACCESS: case FUSE_DESTROY:
		reply(in, 0, NULL, 0);
		break;
	case FUSE_READDIR: do_readdir(in, argument); break;
	case FUSE_CREATE: do_create(in, argument); break;
	default: reply(in, ENOSYS, NULL, 0);
	}
}

/* Returns when it is mounted; a process of its own serves it. */
int fuse_main(int argc, char **argv)
{
	static char buf[FUSE_MIN_READ_BUFFER + 131072] __attribute__((aligned(8)));
	char options[80];
	pid_t pid;

	must(argc == 2);
	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	must(device >= 0);
	nodes[FUSE_ROOT_ID] = (struct node){ .used = 1, .mode = S_IFDIR | 0755, .nlink = 2 };
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 device);
	must(!mount("work", argv[1], "fuse", MS_NOSUID | MS_NODEV, options));
	pid = fork();
	must(pid >= 0);
	if (pid)
		return 0;
	for (;;) {
		ssize_t size = read(device, buf, sizeof(buf));
		const struct fuse_in_header *in = (struct fuse_in_header *)buf;

		if (size < 0 && errno == ENODEV)
			return 0;	/* unmounted */
		if (size < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT))
			continue;
		must(size >= (ssize_t)sizeof(*in) && size == in->len);
		serve(in, in + 1);
	}
}

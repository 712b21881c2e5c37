/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --by: whose counts a row has (bpf/by.h), as JSON members and as text. */
#ifndef FSTRACE_APPLETS_BY_WHO_H
#define FSTRACE_APPLETS_BY_WHO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bpf/by.h"
#include "core/base/escape.h"
#include "core/kernel/cgroup.h"
#include "core/show/record.h"

/* Members that are not asked for are -1 or NULL. */
struct by_who {
	bool others;			/* of no key */
	int64_t pid, tid, uid;
	int64_t inode, dir_inode;
	const char *comm, *cgroup, *file, *dir, *device, *fs;
	char comm_text[COMM_SIZE + 1], fs_text[sizeof(((struct by_key *)0)->fs) + 1];
	char cgroup_text[BY_NAME_SIZE], device_text[16];
};

#define BY_EVERYBODY { .pid = -1, .tid = -1, .uid = -1, .inode = -1, .dir_inode = -1 }

/* Rows of `row`, which has a member `who`. */
#define BY_WHO_FIELDS(row)									   \
	{ .key = "pid", .kind = FIELD_ID, FIELD_AT(row, who.pid), .optional = true,		   \
	  .help = "the process, as /proc numbers it; 0 if it has no number there (with --by)" },   \
	{ .key = "tid", .kind = FIELD_ID, FIELD_AT(row, who.tid), .optional = true,		   \
	  .help = "the thread, likewise" },							   \
	{ .key = "comm", .kind = FIELD_FOREIGN, FIELD_AT(row, who.comm), .optional = true,	   \
	  .help = "the name of the thread (with --by)" },					   \
	{ .key = "uid", .kind = FIELD_ID, FIELD_AT(row, who.uid), .optional = true,		   \
	  .help = "the real user, as the initial user namespace numbers it (with --by)" },	   \
	{ .key = "cgroup", .kind = FIELD_FOREIGN, FIELD_AT(row, who.cgroup), .optional = true,	   \
	  .help = "the control group: its path, or its number if that is not known (with --by)" }, \
	{ .key = "dir", .kind = FIELD_FOREIGN, FIELD_AT(row, who.dir), .optional = true,	   \
	  .help = "its directory's name when first met; / for a root (with --by dir)" },	   \
	{ .key = "dir_inode", .kind = FIELD_ID, FIELD_AT(row, who.dir_inode),			   \
	  .optional = true, .help = "its inode number (with --by dir)" },			   \
	{ .key = "device", .kind = FIELD_FOREIGN, FIELD_AT(row, who.device), .optional = true,	   \
	  .help = "the file system's device, major:minor (with --by)" },			   \
	{ .key = "others", .kind = FIELD_TRUE, FIELD_AT(row, who.others), .optional = true,	   \
	  .help = "true: of all keys that have no object of their own (with --by)" }

/* More, where a file is told apart. */
#define BY_FILE_FIELDS(row)									   \
	{ .key = "file", .kind = FIELD_FOREIGN, FIELD_AT(row, who.file), .optional = true,	   \
	  .help = "the file's name when it was first met; none for what is no file (with --by)" }, \
	{ .key = "inode", .kind = FIELD_ID, FIELD_AT(row, who.inode), .optional = true,		   \
	  .help = "its inode number; 0: of no file (with --by file)" }

/* The members of JSON; `place`: whose names they point to. */
static inline void by_describe(struct by_who *row, const struct by_place *place, uint64_t by)
{
	const struct by_key *key = &place->key;

	row->pid = by & (BY_PID | BY_TID) ? (int64_t)(key->pid_tgid >> 32) : -1;
	row->tid = by & BY_TID ? (int64_t)(uint32_t)key->pid_tgid : -1;
	row->uid = by & BY_UID ? (int64_t)key->uid : -1;
	if (by & BY_COMM) {
		memcpy(row->comm_text, key->comm, COMM_SIZE);
		row->comm = row->comm_text;
	}
	row->inode = by & BY_FILE ? (int64_t)key->inode : -1;
	row->dir_inode = by & BY_DIR ? (int64_t)key->dir : -1;
	if (by & BY_FILE && key->inode)
		row->file = place->name;
	if (by & BY_DIR)
		row->dir = place->dir_name;
	if (by & BY_FS) {
		memcpy(row->fs_text, key->fs, sizeof(key->fs));
		row->fs = row->fs_text;
	}
	if (by & BY_PLACE) {
		snprintf(row->device_text, sizeof(row->device_text), "%u:%u", key->device >> 20,
			 key->device & ((1 << 20) - 1));
		row->device = row->device_text;
	}
	if (by & BY_CGROUP) {
		if (cgroup_path(key->cgroup, row->cgroup_text, sizeof(row->cgroup_text)))
			snprintf(row->cgroup_text, sizeof(row->cgroup_text), "%llu",
				 (unsigned long long)key->cgroup);
		row->cgroup = row->cgroup_text;
	}
}

static inline void by_put_number(FILE *to, const char *name, int64_t number)
{
	if (number > 0 || (!number && *name == 'u'))
		fprintf(to, "%s%s = %lld", ftell(to) ? ", " : "", name, (long long)number);
	else if (!number)
		fprintf(to, "%s%s = -", ftell(to) ? ", " : "", name);
}

static inline void by_put_name(FILE *to, const char *name, const char *text)
{
	char escaped[BY_NAME_SIZE * ESCAPE_TEXT_MAX];

	if (text)
		fprintf(to, "%s%s = '%.*s'", ftell(to) ? ", " : "", name,
			(int)(escape_text(escaped, text, strlen(text)) - escaped), escaped);
}

/* "pid = 181, comm = 'make'"; the caller frees it. NULL: no memory. */
static inline char *by_text(const struct by_who *row)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	by_put_number(to, "pid", row->pid);
	by_put_number(to, "tid", row->tid);
	by_put_name(to, "comm", row->comm);
	by_put_number(to, "uid", row->uid);
	by_put_name(to, "cgroup", row->cgroup);
	by_put_name(to, "file", row->file);
	by_put_number(to, "inode", row->inode);
	by_put_name(to, "dir", row->dir);
	by_put_number(to, "inode of dir", row->dir_inode);
	by_put_name(to, "device", row->device);
	by_put_name(to, "fs", row->fs);
	fclose(to);
	return text;
}

#endif

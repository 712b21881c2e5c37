/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * --by: the histograms of a block by who the operations are of, the busiest first. A part of dist.c,
 * which defines struct dist and struct group.
 */
#ifndef FSTRACE_APPLETS_DIST_BY_H
#define FSTRACE_APPLETS_DIST_BY_H

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/by.h"
#include "core/base/escape.h"
#include "core/kernel/cgroup.h"
#include "core/kernel/percpu.h"
#include "core/show/hist.h"
#include "core/show/record.h"
#include "core/trace/tracer.h"

struct group;

#define BY_ROWS 1024		/* of a key and an operation */

/* Bits of enum by, in its order. */
static const char *const by_names[] = { "pid", "tid", "comm", "uid", "cgroup", "file",
				       "dir", "device", NULL };

/* The rows of keys of a group, and what they were at the last block. */
struct by_counts {
	struct percpu places, hists;
	struct hist_counts *before[BY_ROWS];	/* NULL: nothing yet */
};

/* What one key had of one operation in a block. */
struct by_part {
	const struct by_place *place;
	const struct group *group;
	size_t operation;
	struct hist_counts counts;
};

/* All parts of one key, which stand side by side. */
struct by_total {
	struct by_part *first;
	size_t count;
	uint64_t sum_ns;
};

/* The parts of a block. */
struct by_block {
	struct by_part *parts;
	struct by_total *totals;
	size_t nparts, ntotals;
};

/* What JSON says of a key. */
struct by_row {
	struct hist_row hist;
	bool others;			/* of no key */
	int64_t pid, tid, uid;
	int64_t inode, dir_inode;
	const char *comm, *cgroup, *file, *dir, *device;
	char comm_text[COMM_SIZE + 1], cgroup_text[BY_NAME_SIZE], device_text[16];
};

static const struct field by_fields[] = {
	{ .key = "pid", .kind = FIELD_ID, FIELD_AT(struct by_row, pid), .optional = true,
	  .help = "the process, as /proc numbers it; 0 if it has no number there (with --by)" },
	{ .key = "tid", .kind = FIELD_ID, FIELD_AT(struct by_row, tid), .optional = true,
	  .help = "the thread, likewise" },
	{ .key = "comm", .kind = FIELD_FOREIGN, FIELD_AT(struct by_row, comm), .optional = true,
	  .help = "the name of the thread (with --by)" },
	{ .key = "uid", .kind = FIELD_ID, FIELD_AT(struct by_row, uid), .optional = true,
	  .help = "the real user, as the initial user namespace numbers it (with --by)" },
	{ .key = "cgroup", .kind = FIELD_FOREIGN, FIELD_AT(struct by_row, cgroup), .optional = true,
	  .help = "the control group: its path, or its number if that is not known (with --by)" },
	{ .key = "file", .kind = FIELD_FOREIGN, FIELD_AT(struct by_row, file), .optional = true,
	  .help = "the file's name when it was first met; none for names of no file (with --by)" },
	{ .key = "inode", .kind = FIELD_ID, FIELD_AT(struct by_row, inode), .optional = true,
	  .help = "its inode number; 0: of no file (with --by file)" },
	{ .key = "dir", .kind = FIELD_FOREIGN, FIELD_AT(struct by_row, dir), .optional = true,
	  .help = "the name of the directory, likewise; / for the root of a file system (with --by)" },
	{ .key = "dir_inode", .kind = FIELD_ID, FIELD_AT(struct by_row, dir_inode),
	  .optional = true, .help = "its inode number (with --by dir)" },
	{ .key = "device", .kind = FIELD_FOREIGN, FIELD_AT(struct by_row, device), .optional = true,
	  .help = "the file system's device, major:minor (with --by file, dir, device)" },
	{ .key = "others", .kind = FIELD_TRUE, FIELD_AT(struct by_row, others), .optional = true,
	  .help = "true: of all keys that have no object of their own (with --by)" },
	{ 0 }
};

static const struct by_place *by_place(const struct by_counts *by, size_t row)
{
	return (const void *)((const char *)by->places.values + row * by->places.size);
}

static int by_open(struct by_counts *by, const struct tracer *tracer)
{
	return percpu_open(&by->places, tracer_map(tracer, "by_places")) ?:
	       percpu_open(&by->hists, tracer_map(tracer, "by_hists"));
}

static void by_close(struct by_counts *by)
{
	percpu_close(&by->places);
	percpu_close(&by->hists);
	for (size_t i = 0; i < BY_ROWS; i++)
		free(by->before[i]);
}

/* What a row counted since the last block. False: nothing. `before` has room. */
static bool by_read(const struct by_counts *by, size_t row, struct hist_counts *block)
{
	struct percpu of = { (const char *)by->hists.values + row * by->hists.size, by->hists.size, 1 };
	struct hist_counts now;
	uint64_t count = 0;

	hist_read(&of, &now);
	*block = now;
	hist_subtract(block, by->before[row]);
	block->queued = now.queued;	/* a level, not a difference */
	*by->before[row] = now;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		count += block->buckets[i];
	return count || block->queued || block->again;
}

/* Adds the parts of a group. Returns 0 or -ENOMEM. */
static int by_collect(struct by_block *block, const struct group *group, struct by_counts *by,
		      size_t cpus)
{
	struct by_part *more = realloc(block->parts, (block->nparts + BY_ROWS) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	block->parts = more;
	for (size_t row = 0; row < BY_ROWS; row++) {
		const struct by_place *place = by_place(by, row);
		struct by_part *part = &block->parts[block->nparts];

		if (!__atomic_load_n(&place->is_used, __ATOMIC_ACQUIRE))
			continue;
		if (!by->before[row])
			by->before[row] = calloc(1, sizeof(*by->before[row]));
		if (!by->before[row])
			return -ENOMEM;
		if (!by_read(by, row, &part->counts))
			continue;
		part->place = place;
		part->group = group;
		part->operation = place->key.operation / cpus;
		block->nparts++;
	}
	return 0;
}

/* Adds all that the keys had of an operation until the last block. */
static void by_add(const struct by_counts *by, size_t operation, size_t cpus, struct hist_counts *sum)
{
	for (size_t row = 0; row < BY_ROWS; row++)
		if (by->before[row] && by_place(by, row)->key.operation / cpus == operation)
			hist_add(sum, by->before[row]);
}

#define KEY_BYTES offsetof(struct by_key, operation)

static int by_compare_parts(const void *one, const void *other)
{
	const struct by_part *a = one, *b = other;

	return memcmp(&a->place->key, &b->place->key, KEY_BYTES) ?:
	       (a->operation > b->operation) - (a->operation < b->operation);
}

static int by_compare_totals(const void *one, const void *other)
{
	const struct by_total *a = one, *b = other;

	if (a->sum_ns != b->sum_ns)
		return a->sum_ns < b->sum_ns ? 1 : -1;
	return memcmp(&a->first->place->key, &b->first->place->key, KEY_BYTES);
}

/* Brings the parts of a key together, and the keys into their order. Returns 0 or -ENOMEM. */
static int by_order(struct by_block *block)
{
	struct by_total *total;

	block->totals = calloc(block->nparts + 1, sizeof(*block->totals));
	if (!block->totals)
		return -ENOMEM;
	qsort(block->parts, block->nparts, sizeof(*block->parts), by_compare_parts);
	total = block->totals;
	for (size_t i = 0; i < block->nparts; i++) {
		struct by_part *part = &block->parts[i];

		if (i && memcmp(&part->place->key, &total->first->place->key, KEY_BYTES))
			total++;
		if (!total->count++)
			total->first = part;
		total->sum_ns += part->counts.sum_ns;
	}
	block->ntotals = block->nparts ? total - block->totals + 1 : 0;
	qsort(block->totals, block->ntotals, sizeof(*block->totals), by_compare_totals);
	return 0;
}

static void by_free(struct by_block *block)
{
	free(block->parts);
	free(block->totals);
}

/* The members of JSON; `place`: whose names they point to. */
static void by_describe(struct by_row *row, const struct by_place *place, uint64_t by)
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

static void by_put_number(FILE *to, const char *name, int64_t number)
{
	if (number > 0 || (!number && *name == 'u'))
		fprintf(to, "%s%s = %lld", ftell(to) ? ", " : "", name, (long long)number);
	else if (!number)
		fprintf(to, "%s%s = -", ftell(to) ? ", " : "", name);
}

static void by_put_name(FILE *to, const char *name, const char *text)
{
	char escaped[BY_NAME_SIZE * ESCAPE_TEXT_MAX];

	if (text)
		fprintf(to, "%s%s = '%.*s'", ftell(to) ? ", " : "", name,
			(int)(escape_text(escaped, text, strlen(text)) - escaped), escaped);
}

/* "pid = 181, comm = 'make'"; the caller frees it. NULL: no memory. */
static char *by_text(const struct by_row *row)
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
	fclose(to);
	return text;
}

#endif

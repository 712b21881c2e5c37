/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows of dcsnoop without a kernel, and what an output makes of them. */
#ifndef FSTRACE_TEST_UNIT_ROWS_H
#define FSTRACE_TEST_UNIT_ROWS_H

#include "test.h"

#include "bpf/dcsnoop.h"
#include "core/show/hist.h"
#include "core/show/output.h"

#define START_NS UINT64_C(5000000000)

static const char *const type_names[] = { "M", "R", "N", NULL };

/* As in applets/dcsnoop.c. */
static const struct field row_fields[] = {
	{ .heading = "T", .key = "type", .kind = FIELD_ENUM,
	  FIELD_AT(struct dcsnoop_event, type), .names = type_names },
	{ .heading = "FILE", .key = "file", .kind = FIELD_NAME,
	  .offset = offsetof(struct dcsnoop_event, name),
	  .len_offset = offsetof(struct dcsnoop_event, name_len), .may_be_cut = true },
	{ 0 }
};

static const struct record row_record = { "lookup", NULL, { event_fields, row_fields } };
static const struct record hist_record = { "histogram", NULL, { hist_fields } };

/* As applets do. */
static inline void put_hist(struct output *out, const char *op, const char *unit,
			    const struct hist *hist)
{
	struct hist counted = *hist;

	for (int slot = 0; slot < HIST_SLOTS; slot++)
		counted.count += hist->slots[slot];
	output_hist(out, &hist_record,
		    &(struct hist_row){ .op = op, .unit = unit, .hist = &counted });
}

struct row {
	uint64_t ns;		/* since the start */
	uint32_t pid, tid;
	const char *comm;
	enum lookup_type type;
	const char *name;
	size_t name_len;	/* 0: up to the zero */
};

/*
 * Hands out a row in memory of its very size; bytes that nobody may look at are 0xee. (Inlined,
 * gcc 12 sees names overflow that do not.) `numbers`: see output_event().
 */
static __attribute__((noinline)) void put_row_as(struct output *out, const struct row *row,
						 const __u64 *numbers)
{
	size_t len = row->name_len ?: strlen(row->name), comm_len = strnlen(row->comm, COMM_SIZE);
	char *record = malloc(DCSNOOP_NAME_OFFSET + len);
	struct dcsnoop_event event;

	assert_non_null(record);
	memset(&event, 0xee, sizeof(event));
	event.header.time_ns = START_NS + row->ns;
	event.header.pid_tgid = (uint64_t)row->pid << 32 | row->tid;
	memcpy(event.header.comm, row->comm, comm_len);
	if (comm_len < COMM_SIZE)
		event.header.comm[comm_len] = '\0';
	event.type = row->type;
	event.name_len = len;
	memcpy(record, &event, DCSNOOP_NAME_OFFSET);
	memcpy(record + DCSNOOP_NAME_OFFSET, row->name, len);
	output_event(out, &row_record, (const struct event_header *)record, numbers);
	free(record);
}

static inline void put_row(struct output *out, const struct row *row)
{
	put_row_as(out, row, NULL);
}

/* An output into memory; the file is to be closed by written(). */
static inline struct output *output_to_memory(bool json, int *file)
{
	struct output *out;

	*file = memfd_create("output", MFD_CLOEXEC);
	assert_true(*file >= 0);
	out = output_open(*file, json, NULL);
	assert_non_null(out);
	return out;
}

/* Ends the output; returns all that it wrote, for the caller to free. */
static inline char *written(struct output *out, int file)
{
	assert_int_equal(output_finish(out, 0), 0);
	return read_all_of(file, NULL);
}

#endif

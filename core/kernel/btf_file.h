/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A BTF file, read in pieces, as the kernel's is large. The format is in
 * Documentation/bpf/btf.rst: a header, then the types (numbered from 1, of varying length, no
 * index), then the strings they name. A module's BTF continues the numbers of the kernel's, both
 * of types and of string offsets: the kernel's file is its base.
 *
 * Functions return 0 or -errno, -EBADMSG if the file contradicts itself and -EOPNOTSUPP if it has
 * a kind of type that is not known here.
 */
#ifndef FSTRACE_CORE_KERNEL_BTF_FILE_H
#define FSTRACE_CORE_KERNEL_BTF_FILE_H

#include <stddef.h>
#include <sys/types.h>
#include <linux/btf.h>

/* A piece of the file in memory. */
struct btf_window {
	off_t start;
	size_t len, size;
	char *data;
};

struct btf_file {
	struct btf_file *base;			/* NULL: none */
	int fd;
	struct btf_window scan, types, strings;	/* the last two are small, for single reads */
	off_t types_start, strings_start;
	__u32 types_len, strings_len;
	__u32 first_id, ids;			/* types first_id .. first_id + ids - 1 */
	__u32 first_string;
	__u32 *index;				/* where every 64th type begins */
};

/*
 * Opens a file; `base` (or NULL) must be open and scanned until this one is closed. -EINVAL: it is
 * not BTF. The file must be closed in any case.
 */
int btf_file_open(struct btf_file *file, const char *path, struct btf_file *base);
void btf_file_close(struct btf_file *file);

/* Calls `visit` for each string of `len` bytes, until it returns a value other than 0. */
int btf_file_strings(struct btf_file *file, void *context,
		     int (*visit)(void *context, const char *string, size_t len, __u32 offset));

/* The same for each type; from then on btf_file_type() finds them. */
int btf_file_types(struct btf_file *file, void *context,
		   int (*visit)(void *context, const struct btf_type *type, __u32 id));

/* A copy of type `id`, of the file or its base, for the caller to free; NULL with errno. */
struct btf_type *btf_file_type(struct btf_file *file, __u32 id);

/* The string at `offset`, cut to the buffer (of a C name, 255 bytes are enough). */
int btf_file_string(struct btf_file *file, __u32 offset, char *buffer, size_t size);

#endif

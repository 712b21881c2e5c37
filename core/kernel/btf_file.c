// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading a BTF file in pieces. */
#include "core/kernel/btf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

#define SCAN_SIZE (64 * 1024)
#define SINGLE_SIZE (4 * 1024)	/* the kernel hands out a page at a time */
#define INDEX_STEP 64

/* Moves the window to `offset`, with at least `len` bytes in it; NULL with errno. */
static const void *move(const struct btf_file *file, struct btf_window *window, off_t offset,
			size_t len)
{
	size_t size = window == &file->scan ? SCAN_SIZE : SINGLE_SIZE;
	ssize_t got;

	if (len > window->size || !window->data) {
		char *data;

		if (size < len)
			size = len;
		data = realloc(window->data, size);
		if (!data)
			return NULL;
		window->data = data;
		window->size = size;
	}
	window->start = offset;
	window->len = 0;
	while (window->len < window->size) {
		got = pread(file->fd, window->data + window->len, window->size - window->len,
			    offset + window->len);
		if (got < 0 && errno != EINTR)
			return NULL;
		if (!got)
			break;
		if (got > 0)
			window->len += got;
	}
	if (window->len < len) {
		errno = EBADMSG;
		return NULL;
	}
	return window->data;
}

/* `len` bytes at `offset` of the file, valid until the next call; NULL with errno. */
static inline const void *peek(const struct btf_file *file, struct btf_window *window, off_t offset,
			       size_t len)
{
	if (offset >= window->start && offset + len <= window->start + window->len)
		return window->data + (offset - window->start);
	return move(file, window, offset, len);
}

/* The file must be as long as its header says; its last byte ends a string. */
static int check_end(struct btf_file *file)
{
	off_t end = file->strings_start + file->strings_len;
	const char *last;

	if (file->types_start + (off_t)file->types_len > end || !file->strings_len)
		return -EBADMSG;
	last = peek(file, &file->strings, end - 1, 1);
	if (!last)
		return -errno;
	return *last ? -EBADMSG : 0;
}

int btf_file_open(struct btf_file *file, const char *path, struct btf_file *base)
{
	const struct btf_header *header;

	*file = (struct btf_file){ .base = base, .first_id = 1 };
	if (base) {
		file->first_id = base->first_id + base->ids;
		file->first_string = base->first_string + base->strings_len;
	}
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0)
		return -errno;
	header = peek(file, &file->scan, 0, sizeof(*header));
	if (!header)
		return errno == EBADMSG ? -EINVAL : -errno;	/* shorter than a header */
	if (header->magic != BTF_MAGIC || header->version != BTF_VERSION)
		return -EINVAL;
	if (header->hdr_len < sizeof(*header) || (header->hdr_len + header->type_off) % 4)
		return -EBADMSG;
	file->types_start = header->hdr_len + (off_t)header->type_off;
	file->types_len = header->type_len;
	file->strings_start = header->hdr_len + (off_t)header->str_off;
	file->strings_len = header->str_len;
	return check_end(file);
}

void btf_file_close(struct btf_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->scan.data);
	free(file->types.data);
	free(file->strings.data);
	free(file->index);
	*file = (struct btf_file){ .fd = -1 };
}

int btf_file_strings(struct btf_file *file, void *context,
		     int (*visit)(void *context, const char *string, size_t len, __u32 offset))
{
	__u32 offset = 0;

	while (offset < file->strings_len) {
		size_t left = file->strings_len - offset;
		size_t len = left < SCAN_SIZE ? left : SCAN_SIZE;
		const char *begin = peek(file, &file->scan, file->strings_start + offset, len);
		const char *end = begin + len, *string, *stop;
		int err;

		if (!begin)
			return -errno;
		for (string = begin; (stop = memchr(string, '\0', end - string)); string = stop + 1) {
			err = visit(context, string, stop - string,
				    file->first_string + offset + (string - begin));
			if (err)
				return err;
		}
		if (string == begin)
			return -EBADMSG;	/* no string is that long */
		offset += string - begin;
	}
	return 0;
}

/* Size of a type in bytes; 0 for an unknown kind. */
static size_t type_size(const struct btf_type *type)
{
	size_t vlen = btf_vlen(type);

	switch (btf_kind(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(*type) + sizeof(__u32);
	case BTF_KIND_ARRAY:
		return sizeof(*type) + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(*type) + vlen * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(*type) + vlen * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sizeof(*type) + vlen * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(*type) + vlen * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return sizeof(*type) + vlen * sizeof(struct btf_var_secinfo);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return sizeof(*type);
	}
	return 0;
}

/* The type at `offset` of the types, whole; NULL with errno. */
static const struct btf_type *type_at(const struct btf_file *file, struct btf_window *window,
				      __u32 offset, size_t *size)
{
	off_t at = file->types_start + offset;
	const struct btf_type *type = peek(file, window, at, sizeof(*type));

	if (!type)
		return NULL;
	*size = type_size(type);
	if (!*size || *size > file->types_len - offset) {
		errno = *size ? EBADMSG : EOPNOTSUPP;
		return NULL;
	}
	return peek(file, window, at, *size);
}

/* Notes that type number `n` of the file begins at `offset`. */
static int add_to_index(struct btf_file *file, __u32 n, __u32 offset)
{
	__u32 i = n / INDEX_STEP;

	if (!(i & (i - 1))) {	/* 0 or a power of two: grow */
		__u32 *index = realloc(file->index, (2 * i + 1) * sizeof(*index));

		if (!index)
			return -ENOMEM;
		file->index = index;
	}
	file->index[i] = offset;
	return 0;
}

int btf_file_types(struct btf_file *file, void *context,
		   int (*visit)(void *context, const struct btf_type *type, __u32 id))
{
	__u32 offset = 0;
	size_t size;
	int err = 0;

	for (file->ids = 0; offset < file->types_len && !err; file->ids++, offset += size) {
		const struct btf_type *type;

		if (file->ids % INDEX_STEP == 0)
			err = add_to_index(file, file->ids, offset);
		if (err)
			break;
		type = type_at(file, &file->scan, offset, &size);
		if (!type)
			return -errno;
		if (type->name_off >= file->first_string + file->strings_len)
			return -EBADMSG;
		err = visit(context, type, file->first_id + file->ids);
	}
	return err;
}

struct btf_type *btf_file_type(struct btf_file *file, __u32 id)
{
	const struct btf_type *type;
	struct btf_type *copy;
	__u32 offset, n;
	size_t size;

	if (id < file->first_id && file->base)
		file = file->base;
	if (id < file->first_id || id - file->first_id >= file->ids) {
		errno = EBADMSG;
		return NULL;
	}
	n = (id - file->first_id) % INDEX_STEP;
	offset = file->index[(id - file->first_id) / INDEX_STEP];
	for (;; offset += size) {
		type = type_at(file, &file->types, offset, &size);
		if (!type)
			return NULL;
		if (!n--)
			break;
	}
	copy = malloc(size);
	if (copy)
		memcpy(copy, type, size);
	return copy;
}

int btf_file_string(struct btf_file *file, __u32 offset, char *buffer, size_t size)
{
	const char *string;
	size_t left;

	if (offset < file->first_string && file->base)
		file = file->base;
	offset -= file->first_string;
	if (offset >= file->strings_len)
		return -EBADMSG;
	left = file->strings_len - offset;
	if (left > size)
		left = size;
	string = peek(file, &file->strings, file->strings_start + offset, left);
	if (!string)
		return -errno;
	memcpy(buffer, string, left);
	buffer[left - 1] = '\0';
	return 0;
}

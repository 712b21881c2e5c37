// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reading the kernel's BTF in pieces. The format: Documentation/bpf/btf.rst; a header, then the
 * types (numbered from 1, of varying length, no index), then the strings they name. A module's
 * BTF goes on counting where that of vmlinux ends, both types and string offsets.
 */
#include "core/kernel/kernel_btf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/btf.h>

#define WINDOW_SIZE (64 * 1024)
#define WANTED_MAX 128
#define COPIES_MAX 2048
#define INDEX_STEP 64		/* every so many types, where it begins is noted */

/* A piece of a file in memory. */
struct window {
	int fd;
	off_t start;
	size_t len, size;
	char *data;
};

struct source {
	struct window types, strings;
	off_t types_start, strings_start;
	__u32 types_len, strings_len;
	__u32 first_id, ids;		/* types first_id .. first_id + ids - 1 */
	__u32 first_string;
	__u32 *index;			/* where type first_id + INDEX_STEP * i begins */
};

/* A name that is looked for: of a function, or of types of the object. */
struct wanted {
	const char *name;
	size_t len;
	__u32 string;			/* its offset among the strings; 0: not there */
	struct btf_function *function;	/* NULL: a type */
};

struct reader {
	struct source kernel, module;
	bool has_module;
	struct wanted wanted[WANTED_MAX];
	size_t nwanted;
	__u64 lengths;			/* bit n: a wanted name has n bytes */
	bool first_bytes[256];
	__u8 string_bits[128];		/* a filter of the wanted offsets */
	struct btf *types;
	int pointer;			/* the one pointer type of *types, to void */
	struct { __u32 from; int to; } copies[COPIES_MAX];
	size_t ncopies;
};

/* Moves the window to `offset`, with at least `len` bytes in it; NULL with errno. */
static const void *move(struct window *window, off_t offset, size_t len)
{
	ssize_t got;

	if (len > window->size || !window->data) {
		size_t size = len > WINDOW_SIZE ? len : WINDOW_SIZE;
		char *data = realloc(window->data, size);

		if (!data)
			return NULL;
		window->data = data;
		window->size = size;
	}
	window->start = offset;
	window->len = 0;
	/* The kernel hands out a page at a time. */
	while (window->len < window->size) {
		got = pread(window->fd, window->data + window->len, window->size - window->len,
			    offset + window->len);
		if (got < 0 && errno != EINTR)
			return NULL;
		if (!got)
			break;
		if (got > 0)
			window->len += got;
	}
	if (window->len < len) {
		errno = EINVAL;
		return NULL;
	}
	return window->data;
}

/* `len` bytes at `offset` of the file, valid until the next call; NULL with errno. */
static inline const void *peek(struct window *window, off_t offset, size_t len)
{
	if (offset >= window->start && offset + len <= window->start + window->len)
		return window->data + (offset - window->start);
	return move(window, offset, len);
}

static void source_close(struct source *source)
{
	if (source->types.fd > 0)
		close(source->types.fd);
	free(source->types.data);
	free(source->strings.data);
	free(source->index);
}

static int source_open(struct source *source, const char *path, __u32 first_id, __u32 first_string)
{
	const struct btf_header *header;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	source->types.fd = source->strings.fd = fd;
	header = peek(&source->types, 0, sizeof(*header));
	if (!header)
		return -errno;
	if (header->magic != BTF_MAGIC || header->hdr_len < sizeof(*header) ||
	    (header->hdr_len + header->type_off) % 4)
		return -EINVAL;
	source->types_start = header->hdr_len + (off_t)header->type_off;
	source->types_len = header->type_len;
	source->strings_start = header->hdr_len + (off_t)header->str_off;
	source->strings_len = header->str_len;
	source->first_id = first_id;
	source->first_string = first_string;
	return 0;
}

/* Bytes that a type takes; 0 for a kind that is not known here. */
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
static const struct btf_type *type_at(struct source *source, __u32 offset, size_t *size)
{
	off_t at = source->types_start + offset;
	const struct btf_type *type = peek(&source->types, at, sizeof(*type));

	if (!type)
		return NULL;
	*size = type_size(type);
	if (!*size) {
		errno = EINVAL;
		return NULL;
	}
	return peek(&source->types, at, *size);
}

/* A copy of type `id` for the caller to free; NULL with errno. */
static struct btf_type *type_by_id(struct reader *reader, __u32 id)
{
	struct source *source = &reader->kernel;
	const struct btf_type *type;
	struct btf_type *copy;
	__u32 offset, at;
	size_t size;

	if (reader->has_module && id >= reader->module.first_id)
		source = &reader->module;
	if (id < source->first_id || id - source->first_id >= source->ids) {
		errno = EINVAL;
		return NULL;
	}
	at = (id - source->first_id) / INDEX_STEP * INDEX_STEP;
	offset = source->index[at / INDEX_STEP];
	for (;; at++) {
		type = type_at(source, offset, &size);
		if (!type)
			return NULL;
		if (at == id - source->first_id)
			break;
		offset += size;
	}
	copy = malloc(size);
	if (copy)
		memcpy(copy, type, size);
	return copy;
}

/* The string at `offset`, cut to the buffer (longer ones are of no type's name). */
static int string_at(struct reader *reader, __u32 offset, char *buffer, size_t size)
{
	struct source *source = &reader->kernel;
	const char *string;
	size_t left;

	if (reader->has_module && offset >= reader->module.first_string)
		source = &reader->module;
	offset -= source->first_string;
	if (offset >= source->strings_len)
		return -EINVAL;
	left = source->strings_len - offset;
	if (left > size)
		left = size;
	string = peek(&source->strings, source->strings_start + offset, left);
	if (!string)
		return -errno;
	memcpy(buffer, string, left);
	buffer[left - 1] = '\0';
	return 0;
}

static int want(struct reader *reader, const char *name, size_t len, struct btf_function *function)
{
	struct wanted *wanted;

	for (size_t i = 0; i < reader->nwanted; i++)
		if (!function && !reader->wanted[i].function && reader->wanted[i].len == len &&
		    !memcmp(reader->wanted[i].name, name, len))
			return 0;
	if (reader->nwanted == WANTED_MAX || len >= 64)
		return -E2BIG;
	wanted = &reader->wanted[reader->nwanted++];
	wanted->name = name;
	wanted->len = len;
	wanted->function = function;
	reader->lengths |= 1ULL << len;
	reader->first_bytes[(unsigned char)name[0]] = true;
	return 0;
}

/* The structs and enums of the object. */
static int want_types(struct reader *reader, const struct btf *local)
{
	for (__u32 id = 1; id < btf__type_cnt(local); id++) {
		const struct btf_type *type = btf__type_by_id(local, id);
		const char *name = btf__name_by_offset(local, type->name_off), *flavour;
		int err;

		if (!*name || (!btf_is_composite(type) && !btf_is_any_enum(type)))
			continue;
		flavour = strstr(name, "___");
		err = want(reader, name, flavour ? (size_t)(flavour - name) : strlen(name), NULL);
		if (err)
			return err;
	}
	return 0;
}

static void found_string(struct reader *reader, const char *string, size_t len, __u32 offset)
{
	if (len >= 64 || !(reader->lengths >> len & 1) ||
	    !reader->first_bytes[(unsigned char)string[0]])
		return;
	for (size_t i = 0; i < reader->nwanted; i++)
		if (reader->wanted[i].len == len && !memcmp(reader->wanted[i].name, string, len)) {
			reader->wanted[i].string = offset;
			reader->string_bits[offset / 8 % sizeof(reader->string_bits)] |=
				1 << offset % 8;
		}
}

/* Looks for the wanted names among a source's strings. */
static int scan_strings(struct reader *reader, struct source *source)
{
	__u32 offset = 0;

	while (offset < source->strings_len) {
		size_t left = source->strings_len - offset;
		size_t len = left < WINDOW_SIZE ? left : WINDOW_SIZE;
		const char *begin = peek(&source->strings, source->strings_start + offset, len);
		const char *end, *string, *stop;

		if (!begin)
			return -errno;
		end = begin + len;
		for (string = begin; (stop = memchr(string, '\0', end - string)); string = stop + 1)
			found_string(reader, string, stop - string,
				     source->first_string + offset + (string - begin));
		if (string == begin)
			return -EINVAL;		/* no string is that long */
		offset += string - begin;
	}
	return 0;
}

static const struct wanted *wanted_by_string(const struct reader *reader, __u32 string,
					     bool function)
{
	if (!string || !(reader->string_bits[string / 8 % sizeof(reader->string_bits)] &
			 1 << string % 8))
		return NULL;
	for (size_t i = 0; i < reader->nwanted; i++)
		if (reader->wanted[i].string == string && !reader->wanted[i].function == !function)
			return &reader->wanted[i];
	return NULL;
}

/* Up to `max` ids of wanted structs and enums; functions are noted where they belong. */
static int scan_types(struct reader *reader, struct source *source, __u32 *ids, size_t max)
{
	size_t found = 0, indexed = 0, size;
	__u32 offset = 0;

	for (source->ids = 0; offset < source->types_len; source->ids++, offset += size) {
		const struct btf_type *type = type_at(source, offset, &size);
		const struct wanted *wanted;

		if (!type)
			return -errno;
		if (source->ids == indexed * INDEX_STEP) {
			if (!(indexed & (indexed - 1))) {	/* 0 or a power of two: grow */
				__u32 *index = realloc(source->index,
						       (2 * indexed + 1) * sizeof(*index));

				if (!index)
					return -ENOMEM;
				source->index = index;
			}
			source->index[indexed++] = offset;
		}
		if (btf_is_func(type)) {
			wanted = wanted_by_string(reader, type->name_off, true);
			if (!wanted)
				continue;
			wanted->function->id = source->first_id + source->ids;
			wanted->function->copies++;
			wanted->function->in_module = source != &reader->kernel;
		} else if ((btf_is_composite(type) || btf_is_any_enum(type)) &&
			   source == &reader->kernel && found < max &&
			   wanted_by_string(reader, type->name_off, false)) {
			ids[found++] = source->first_id + source->ids;
		}
	}
	return found;
}

static int copy_type(struct reader *reader, __u32 id, int depth);

/* Adds the members of a struct; their types have been copied before. */
static int copy_members(struct reader *reader, const struct btf_type *type)
{
	const struct btf_member *member = btf_members(type);
	char name[256];

	for (int i = 0; i < btf_vlen(type); i++, member++) {
		int err = string_at(reader, member->name_off, name, sizeof(name));
		int to = copy_type(reader, member->type, 0);

		if (err || to < 0)
			return err ?: to;
		err = btf__add_field(reader->types, name, to, btf_member_bit_offset(type, i),
				     btf_member_bitfield_size(type, i));
		if (err)
			return err;
	}
	return 0;
}

static int copy_enumerators(struct reader *reader, const struct btf_type *type)
{
	char name[256];

	for (int i = 0; i < btf_vlen(type); i++) {
		int err;

		if (btf_is_enum(type)) {
			const struct btf_enum *value = &btf_enum(type)[i];

			err = string_at(reader, value->name_off, name, sizeof(name)) ?:
			      btf__add_enum_value(reader->types, name, value->val);
		} else {
			const struct btf_enum64 *value = &btf_enum64(type)[i];

			err = string_at(reader, value->name_off, name, sizeof(name)) ?:
			      btf__add_enum64_value(reader->types, name, btf_enum64_value(value));
		}
		if (err)
			return err;
	}
	return 0;
}

/* Copies a type whose parts have been copied; returns its new id or -errno. */
static int copy_one(struct reader *reader, const struct btf_type *type, int depth)
{
	struct btf *types = reader->types;
	char name[256];
	int to, err = string_at(reader, type->name_off, name, sizeof(name));

	if (err)
		return err;
	switch (btf_kind(type)) {
	case BTF_KIND_INT:
		return btf__add_int(types, name, type->size, btf_int_encoding(type));
	case BTF_KIND_FLOAT:
		return btf__add_float(types, name, type->size);
	case BTF_KIND_PTR:
		if (!reader->pointer)
			reader->pointer = btf__add_ptr(types, 0);
		return reader->pointer;
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		/* CO-RE looks through them, so they can go. */
		return copy_type(reader, type->type, depth);
	case BTF_KIND_ARRAY:
		to = copy_type(reader, btf_array(type)->type, depth);
		if (to < 0)
			return to;
		err = copy_type(reader, btf_array(type)->index_type, depth);
		if (err < 0)
			return err;
		return btf__add_array(types, err, to, btf_array(type)->nelems);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (int i = 0; i < btf_vlen(type); i++) {
			to = copy_type(reader, btf_members(type)[i].type, depth);
			if (to < 0)
				return to;
		}
		to = btf_is_struct(type) ? btf__add_struct(types, name, type->size) :
					   btf__add_union(types, name, type->size);
		err = to < 0 ? to : copy_members(reader, type);
		return err ?: to;
	case BTF_KIND_ENUM:
		to = btf__add_enum(types, name, type->size);
		err = to < 0 ? to : copy_enumerators(reader, type);
		return err ?: to;
	case BTF_KIND_ENUM64:
		to = btf__add_enum64(types, name, type->size, btf_kflag(type));
		err = to < 0 ? to : copy_enumerators(reader, type);
		return err ?: to;
	}
	return -EINVAL;
}

/* The id that type `id` has among our types, copied there if need be; or -errno. */
static int copy_type(struct reader *reader, __u32 id, int depth)
{
	struct btf_type *type;
	int to;

	if (!id)
		return 0;	/* void */
	for (size_t i = 0; i < reader->ncopies; i++)
		if (reader->copies[i].from == id)
			return reader->copies[i].to;
	if (depth > 64 || reader->ncopies == COPIES_MAX)
		return -E2BIG;
	type = type_by_id(reader, id);
	if (!type)
		return -errno;
	to = copy_one(reader, type, depth + 1);
	free(type);
	if (to >= 0 && reader->ncopies < COPIES_MAX) {
		reader->copies[reader->ncopies].from = id;
		reader->copies[reader->ncopies++].to = to;
	}
	return to;
}

static int count_args(struct reader *reader, struct btf_function *function)
{
	struct btf_type *type = type_by_id(reader, function->id), *prototype;

	if (!type)
		return -errno;
	prototype = type_by_id(reader, type->type);
	free(type);
	if (!prototype)
		return -errno;
	function->args = btf_vlen(prototype);
	free(prototype);
	return 0;
}

static int read_all(struct reader *reader, const char *module_path, struct btf_function *functions,
		    size_t nfunctions)
{
	struct source *kernel = &reader->kernel, *module = &reader->module;
	__u32 ids[WANTED_MAX], none[1];
	int found, err;

	err = scan_strings(reader, kernel);
	if (err)
		return err;
	found = scan_types(reader, kernel, ids, WANTED_MAX);
	if (found < 0)
		return found;
	for (int i = 0; i < found; i++) {
		err = copy_type(reader, ids[i], 0);
		if (err < 0)
			return err;
	}
	/* A module's BTF that cannot be read (it happens) is as good as none. */
	if (module_path && !source_open(module, module_path, kernel->first_id + kernel->ids,
					kernel->strings_len)) {
		reader->has_module = true;
		if (scan_strings(reader, module) || scan_types(reader, module, none, 0) < 0)
			for (size_t i = 0; i < nfunctions; i++)
				if (functions[i].in_module)
					functions[i].id = 0;
	}
	for (size_t i = 0; i < nfunctions; i++) {
		err = functions[i].id ? count_args(reader, &functions[i]) : 0;
		if (err)
			return err;
		/* Asked for again, it was noted where it was first. */
		for (size_t first = 0; first < i; first++)
			if (!strcmp(functions[first].name, functions[i].name))
				functions[i] = functions[first];
	}
	return 0;
}

int kernel_btf_read(const char *path, const char *module, const char *module_folder,
		    const struct btf *local, struct btf_function *functions, size_t nfunctions,
		    struct btf **types)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	char module_path[PATH_MAX];
	int err = 0;

	if (!reader)
		return -ENOMEM;
	for (size_t i = 0; i < nfunctions && !err; i++) {
		const char *name = functions[i].name;

		functions[i] = (struct btf_function){ .name = name };
		err = want(reader, name, strlen(name), &functions[i]);
	}
	if (!err)
		err = want_types(reader, local);
	if (!err)
		err = source_open(&reader->kernel, path, 1, 0);
	if (err)
		goto out;
	reader->types = btf__new_empty();
	if (!reader->types) {
		err = -ENOMEM;
		goto out;
	}
	if (module)
		snprintf(module_path, sizeof(module_path), "%s/%s", module_folder, module);
	err = read_all(reader, module ? module_path : NULL, functions, nfunctions);
	if (err) {
		btf__free(reader->types);
		goto out;
	}
	*types = reader->types;
out:
	source_close(&reader->kernel);
	source_close(&reader->module);
	free(reader);
	return err;
}

int kernel_btf_module_fd(const char *module)
{
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		char name[64] = "";
		struct bpf_btf_info info = { .name = (__u64)(unsigned long)name,
					     .name_len = sizeof(name) };
		__u32 size = sizeof(info);
		int fd = bpf_btf_get_fd_by_id(id);

		if (fd < 0 && errno == ENOENT)
			continue;	/* went away meanwhile */
		if (fd < 0)
			return -errno;
		if (!bpf_obj_get_info_by_fd(fd, &info, &size) && info.kernel_btf &&
		    !strcmp(name, module))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

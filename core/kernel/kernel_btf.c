// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds many names in a kernel's BTF in one pass: first over its strings, which gives the offset of
 * each wanted name, then over its types, which picks those with such an offset.
 */
#include "core/kernel/kernel_btf.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "core/base/names.h"
#include "core/kernel/btf_file.h"
#include "core/kernel/btf_types.h"

#define NONE ((size_t)-1)
#define OFFSET_BITS 8192

/* What to look for under a name: functions, types of the object, or both. */
struct wanted {
	size_t function;		/* the first of that name, or NONE */
	bool is_type;
};

struct found {
	__u32 string;			/* its offset */
	long name;
};

struct reader {
	struct btf_file kernel;
	struct names names;
	struct wanted *wanted;		/* of each name */
	size_t wanted_room;
	struct btf_function *functions;
	size_t nfunctions;
	size_t *next_function;		/* of the same name, or NONE */
	const char *module;		/* whose BTF is being read; NULL: the kernel's */
	/* Where the wanted names are in the file that is being read and its base, ascending. */
	struct found *found;
	size_t nfound, found_room, kernel_nfound;
	__u8 offsets[OFFSET_BITS / 8];	/* a filter of those */
	__u32 *ids;			/* of wanted structs and enums of the kernel */
	size_t nids, ids_room;
};

/* Makes room for one more; false: no memory. */
static bool grow(void *array, size_t count, size_t *room, size_t size)
{
	void **items = array, *more;

	if (count < *room)
		return true;
	more = realloc(*items, (2 * *room + 64) * size);
	if (!more)
		return false;
	*items = more;
	*room = 2 * *room + 64;
	return true;
}

/* What is wanted of a name; NULL: no memory. */
static struct wanted *want(struct reader *reader, const char *text, size_t len)
{
	size_t known = reader->names.count;
	long name = names_add(&reader->names, text, len);

	if (name < 0 || !grow(&reader->wanted, name, &reader->wanted_room, sizeof(*reader->wanted)))
		return NULL;
	if ((size_t)name == known)
		reader->wanted[name] = (struct wanted){ .function = NONE };
	return &reader->wanted[name];
}

/* The structs and enums of the object. */
static int want_types(struct reader *reader, const struct btf *local)
{
	for (__u32 id = 1; id < btf__type_cnt(local); id++) {
		const struct btf_type *type = btf__type_by_id(local, id);
		const char *name = btf__name_by_offset(local, type->name_off), *flavour;
		struct wanted *wanted;

		if (!*name || (!btf_is_composite(type) && !btf_is_any_enum(type)))
			continue;
		flavour = strstr(name + 1, "___");
		wanted = want(reader, name, flavour ? (size_t)(flavour - name) : strlen(name));
		if (!wanted)
			return -ENOMEM;
		wanted->is_type = true;
	}
	return 0;
}

static int want_functions(struct reader *reader)
{
	for (size_t i = 0; i < reader->nfunctions; i++) {
		struct btf_function *function = &reader->functions[i];
		struct wanted *wanted = want(reader, function->name, strlen(function->name));

		if (!wanted)
			return -ENOMEM;
		*function = (struct btf_function){
			.name = function->name, .module = function->module,
		};
		reader->next_function[i] = wanted->function;
		wanted->function = i;
	}
	return 0;
}

static int visit_string(void *context, const char *string, size_t len, __u32 offset)
{
	struct reader *reader = context;
	long name = names_find(&reader->names, string, len);

	if (name < 0)
		return 0;
	if (!grow(&reader->found, reader->nfound, &reader->found_room, sizeof(*reader->found)))
		return -ENOMEM;
	reader->found[reader->nfound++] = (struct found){ offset, name };
	reader->offsets[offset / 8 % sizeof(reader->offsets)] |= 1 << offset % 8;
	return 0;
}

static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (x->string > y->string) - (x->string < y->string);
}

static const struct wanted *wanted_at(const struct reader *reader, __u32 string)
{
	const struct found key = { .string = string }, *found;

	if (!(reader->offsets[string / 8 % sizeof(reader->offsets)] >> string % 8 & 1))
		return NULL;
	found = bsearch(&key, reader->found, reader->nfound, sizeof(key), compare_found);
	return found ? &reader->wanted[found->name] : NULL;
}

/* Records a function in all requests for it in this file; in `args`, for now, its prototype. */
static void found_function(struct reader *reader, size_t i, const struct btf_type *type, __u32 id)
{
	for (; i != NONE; i = reader->next_function[i]) {
		struct btf_function *function = &reader->functions[i];
		bool in_module = reader->module;

		if (in_module && (!function->module || strcmp(function->module, reader->module)))
			continue;
		if (in_module && !function->in_module)
			function->copies = 0;
		function->in_module = in_module;
		function->copies++;
		function->id = id;
		function->args = type->type;
	}
}

static int visit_type(void *context, const struct btf_type *type, __u32 id)
{
	struct reader *reader = context;
	const struct wanted *wanted;
	bool is_function = btf_is_func(type);

	if (!is_function && !btf_is_composite(type) && !btf_is_any_enum(type))
		return 0;
	wanted = wanted_at(reader, type->name_off);
	if (!wanted)
		return 0;
	if (is_function) {
		found_function(reader, wanted->function, type, id);
	} else if (wanted->is_type && !reader->module) {
		if (!grow(&reader->ids, reader->nids, &reader->ids_room, sizeof(*reader->ids)))
			return -ENOMEM;
		reader->ids[reader->nids++] = id;
	}
	return 0;
}

static int scan(struct reader *reader, struct btf_file *file)
{
	return btf_file_strings(file, reader, visit_string) ?:
	       btf_file_types(file, reader, visit_type);
}

/* Replaces the prototypes of functions of this file by the number of their arguments. */
static int count_args(struct reader *reader, struct btf_file *file)
{
	for (size_t i = 0; i < reader->nfunctions; i++) {
		struct btf_function *function = &reader->functions[i];
		struct btf_type *prototype;

		if (function->id < file->first_id || function->in_module != !!reader->module ||
		    (reader->module && strcmp(function->module, reader->module)))
			continue;
		prototype = btf_file_type(file, function->args);
		if (!prototype)
			return -errno;
		function->args = btf_vlen(prototype);
		free(prototype);
	}
	return 0;
}

/* Discards what was found in the module before its file turned out to be damaged. */
static void read_module(struct reader *reader, const char *folder)
{
	struct btf_function *before = malloc(reader->nfunctions * sizeof(*before));
	struct btf_file file;
	char path[PATH_MAX];
	int err = before ? 0 : -ENOMEM;

	if (!err) {
		memcpy(before, reader->functions, reader->nfunctions * sizeof(*before));
		snprintf(path, sizeof(path), "%s/%s", folder, reader->module);
		err = btf_file_open(&file, path, &reader->kernel) ?: scan(reader, &file) ?:
		      count_args(reader, &file);
		if (err)
			memcpy(reader->functions, before, reader->nfunctions * sizeof(*before));
		btf_file_close(&file);
	}
	free(before);
	for (size_t i = 0; i < reader->nfunctions; i++)
		if (reader->functions[i].module &&
		    !strcmp(reader->functions[i].module, reader->module))
			reader->functions[i].module_error = err;
	reader->nfound = reader->kernel_nfound;
}

/* Each module that a function names, when it is named first. */
static void read_modules(struct reader *reader, const char *folder)
{
	reader->kernel_nfound = reader->nfound;
	for (size_t i = 0; i < reader->nfunctions; i++) {
		size_t first = 0;

		reader->module = reader->functions[i].module;
		if (!reader->module)
			continue;
		while (!reader->functions[first].module ||
		       strcmp(reader->functions[first].module, reader->module))
			first++;
		if (first == i)
			read_module(reader, folder);
	}
}

static int read_all(struct reader *reader, const char *path, const char *module_folder,
		    const struct btf *local, struct btf **types)
{
	int err;

	reader->kernel.fd = -1;
	reader->next_function = calloc(reader->nfunctions + 1, sizeof(*reader->next_function));
	if (!reader->next_function)
		return -ENOMEM;
	err = want_functions(reader) ?: want_types(reader, local) ?:
	      btf_file_open(&reader->kernel, path, NULL) ?: scan(reader, &reader->kernel) ?:
	      count_args(reader, &reader->kernel) ?:
	      btf_types_copy(&reader->kernel, reader->ids, reader->nids, types);
	if (!err)
		read_modules(reader, module_folder);
	return err;
}

int kernel_btf_read(const char *path, const char *module_folder, const struct btf *local,
		    struct btf_function *functions, size_t nfunctions, struct btf **types)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	int err = -ENOMEM;

	if (!reader)
		return err;
	reader->functions = functions;
	reader->nfunctions = nfunctions;
	err = read_all(reader, path, module_folder, local, types);
	btf_file_close(&reader->kernel);
	names_free(&reader->names);
	free(reader->wanted);
	free(reader->next_function);
	free(reader->found);
	free(reader->ids);
	free(reader);
	return err;
}

static bool lacks_sys(const char *path, int err)
{
	return err == -ENOENT && !strcmp(path, KERNEL_BTF_PATH) && access("/sys/kernel", F_OK);
}

const char *kernel_btf_reason(const char *path, int err)
{
	switch (err) {
	case -ENOENT:
		if (lacks_sys(path, err))
			return "/sys is not mounted";
		return !strcmp(path, KERNEL_BTF_PATH) ?
			"it was built without CONFIG_DEBUG_INFO_BTF" : strerror(ENOENT);
	case -EINVAL:
		return "not a BTF file";
	case -EBADMSG:
		return "the file is damaged";
	case -EOPNOTSUPP:
		return "it has a kind of type that this version of fstrace does not know";
	}
	return strerror(-err);
}

const char *kernel_btf_hint(const char *path, int err)
{
	return lacks_sys(path, err) ? "mount it: mount -t sysfs sysfs /sys" :
				      "give it a BTF file of just this kernel: --btf FILE";
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
			continue;	/* unloaded in the meantime */
		if (fd < 0)
			return -errno;
		if (!bpf_obj_get_info_by_fd(fd, &info, &size) && info.kernel_btf &&
		    !strcmp(name, module))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* BTF made here, in files, and its comparison with what libbpf's own full parse finds. */
#ifndef FSTRACE_TEST_UNIT_BTF_CHECK_H
#define FSTRACE_TEST_UNIT_BTF_CHECK_H

#include "test.h"

#include <bpf/btf.h>
#include <linux/btf.h>

#include "core/kernel/kernel_btf.h"

#define FUNCTIONS_MAX 64

/* A file in memory, and the path to it: "/proc/self/fd/NUMBER". */
struct file {
	int fd;
	char path[40];
};

static inline const char *file_name(const struct file *file)
{
	return strrchr(file->path, '/') + 1;
}

static inline struct file file_of(const void *bytes, size_t len)
{
	struct file file = { .fd = memfd_create("btf", MFD_CLOEXEC) };

	assert_true(file.fd >= 0);
	assert_int_equal(write(file.fd, bytes, len), len);
	snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	return file;
}

static inline struct file file_of_btf(const struct btf *btf)
{
	__u32 len;
	const void *bytes = btf__raw_data(btf, &len);

	assert_non_null(bytes);
	return file_of(bytes, len);
}

/* A positive id; what is negative would fail at the next test. */
static inline int id_of(int id)
{
	assert_true(id > 0);
	return id;
}

/* `args` may be 0 to 12. */
static inline int add_function(struct btf *btf, const char *name, int args)
{
	int integer = id_of(btf__find_by_name_kind(btf, "int", BTF_KIND_INT));
	int prototype = id_of(btf__add_func_proto(btf, integer));

	for (int i = 0; i < args; i++)
		assert_int_equal(btf__add_func_param(btf, i % 2 ? "second" : "first", integer), 0);
	return id_of(btf__add_func(btf, name, BTF_FUNC_GLOBAL, prototype));
}

static inline int add_struct(struct btf *btf, const char *name, const char *member, int type,
			     int size)
{
	int id = id_of(btf__add_struct(btf, name, size));

	assert_int_equal(btf__add_field(btf, member, type, 0, 0), 0);
	return id;
}

/* A small kernel, with a type of each kind inside one that is asked for. */
static inline struct btf *make_kernel(void)
{
	struct btf *btf = btf__new_empty();
	int u32, u64, character, real, pointer, hash_len, both, qstr, array, flags, large, modified,
	    dentry;

	assert_non_null(btf);
	id_of(btf__add_int(btf, "int", 4, BTF_INT_SIGNED));
	u32 = id_of(btf__add_int(btf, "unsigned int", 4, 0));
	u64 = id_of(btf__add_int(btf, "long unsigned int", 8, 0));
	character = id_of(btf__add_int(btf, "char", 1, BTF_INT_CHAR));
	real = id_of(btf__add_float(btf, "double", 8));
	add_struct(btf, "unrelated", "member", u64, 8);
	add_function(btf, "no_args", 0);

	hash_len = id_of(btf__add_struct(btf, NULL, 8));
	assert_int_equal(btf__add_field(btf, "hash", u32, 0, 0), 0);
	assert_int_equal(btf__add_field(btf, "len", u32, 32, 0), 0);
	both = id_of(btf__add_union(btf, NULL, 8));
	assert_int_equal(btf__add_field(btf, NULL, hash_len, 0, 0), 0);
	assert_int_equal(btf__add_field(btf, "hash_len", u64, 0, 0), 0);
	pointer = id_of(btf__add_ptr(btf, btf__add_const(btf, character)));
	qstr = id_of(btf__add_struct(btf, "qstr", 16));
	assert_int_equal(btf__add_field(btf, NULL, both, 0, 0), 0);
	assert_int_equal(btf__add_field(btf, "name", pointer, 64, 0), 0);

	array = id_of(btf__add_array(btf, u32, qstr, 3));
	flags = id_of(btf__add_enum(btf, "dentry_flags", 4));
	assert_int_equal(btf__add_enum_value(btf, "DCACHE_FIRST", -1), 0);
	assert_int_equal(btf__add_enum_value(btf, "DCACHE_PAR_LOOKUP", 1 << 24), 0);
	large = id_of(btf__add_enum64(btf, "large_flags", 8, false));
	assert_int_equal(btf__add_enum64_value(btf, "LARGE", 1ULL << 40), 0);
	modified = btf__add_volatile(btf, btf__add_typedef(btf, "u32_t",
		   btf__add_const(btf, btf__add_type_tag(btf, "user", u32))));

	id_of(btf__add_struct(btf, "dentry", 80));
	assert_int_equal(btf__add_field(btf, "d_flags", id_of(modified), 0, 0), 0);
	assert_int_equal(btf__add_field(btf, "d_name", qstr, 64, 0), 0);
	assert_int_equal(btf__add_field(btf, "names", array, 192, 0), 0);
	assert_int_equal(btf__add_field(btf, "d_parent", pointer, 576, 0), 0);
	dentry = btf__find_by_name_kind(btf, "dentry", BTF_KIND_STRUCT);

	id_of(btf__add_struct(btf, "file", 88));
	assert_int_equal(btf__add_field(btf, "own", id_of(dentry), 0, 0), 0);
	assert_int_equal(btf__add_field(btf, "real", real, 640, 0), 0);
	id_of(btf__add_struct(btf, "bits", 16));
	assert_int_equal(btf__add_field(btf, "low", u32, 0, 3), 0);
	assert_int_equal(btf__add_field(btf, "high", u32, 3, 29), 0);
	assert_int_equal(btf__add_field(btf, "flags", flags, 32, 0), 0);
	assert_int_equal(btf__add_field(btf, "large", large, 64, 0), 0);

	add_function(btf, "d_lookup", 2);
	add_function(btf, "twice", 1);
	add_function(btf, "d_lookup_more", 1);
	add_function(btf, "twice", 3);
	add_function(btf, "twelve", 12);
	/* What has a wanted name but is of another kind. */
	id_of(btf__add_typedef(btf, "nameidata", u64));
	id_of(btf__add_var(btf, "d_alloc_parallel", BTF_VAR_STATIC, u32));
	return btf;
}

/* The object's own BTF: structs of these names, and enums. */
static inline struct btf *make_local(const char *const *names)
{
	struct btf *btf = btf__new_empty();
	int integer;

	assert_non_null(btf);
	integer = id_of(btf__add_int(btf, "int", 4, BTF_INT_SIGNED));
	id_of(btf__add_struct(btf, NULL, 4));
	for (; *names; names++) {
		if (!strncmp(*names, "enum ", 5)) {
			id_of(btf__add_enum(btf, *names + 5, 4));
			assert_int_equal(btf__add_enum_value(btf, "ANY", 1), 0);
		} else {
			add_struct(btf, *names, "member", integer, 4);
		}
	}
	return btf;
}

static inline void set_module(struct btf_function *functions, size_t count, const char *module)
{
	for (size_t i = 0; i < count; i++)
		functions[i].module = module;
}

/* What CO-RE looks through. */
static inline const struct btf_type *plain(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	assert_non_null(type);
	while (btf_is_mod(type) || btf_is_typedef(type) || btf_kind(type) == BTF_KIND_TYPE_TAG) {
		type = btf__type_by_id(btf, type->type);
		assert_non_null(type);
	}
	return type;
}

static inline bool same_name(const struct btf *a, __u32 a_off, const struct btf *b, __u32 b_off)
{
	return !strcmp(btf__name_by_offset(a, a_off), btf__name_by_offset(b, b_off));
}

/* Whether the two types look alike to CO-RE, with all that they hold by value. */
static inline bool same_type(const struct btf *a, __u32 a_id, const struct btf *b, __u32 b_id)
{
	const struct btf_type *at = plain(a, a_id), *bt = plain(b, b_id);

	if (btf_kind(at) != btf_kind(bt))
		return false;
	if (btf_is_void(at) || btf_is_ptr(at))
		return true;
	if (btf_is_array(at))
		return btf_array(at)->nelems == btf_array(bt)->nelems &&
		       same_type(a, btf_array(at)->type, b, btf_array(bt)->type) &&
		       same_type(a, btf_array(at)->index_type, b, btf_array(bt)->index_type);
	if (!same_name(a, at->name_off, b, bt->name_off) || at->size != bt->size)
		return false;
	if (btf_is_int(at))
		return btf_int_encoding(at) == btf_int_encoding(bt) &&
		       btf_int_bits(at) == btf_int_bits(bt);
	if (btf_kind(at) == BTF_KIND_FLOAT)
		return true;
	if (btf_vlen(at) != btf_vlen(bt))
		return false;
	for (int i = 0; i < btf_vlen(at); i++) {
		if (btf_is_composite(at)) {
			const struct btf_member *am = btf_members(at) + i;
			const struct btf_member *bm = btf_members(bt) + i;

			if (!same_name(a, am->name_off, b, bm->name_off) ||
			    btf_member_bit_offset(at, i) != btf_member_bit_offset(bt, i) ||
			    btf_member_bitfield_size(at, i) != btf_member_bitfield_size(bt, i) ||
			    !same_type(a, am->type, b, bm->type))
				return false;
		} else if (btf_is_enum(at)) {
			if (!same_name(a, btf_enum(at)[i].name_off, b, btf_enum(bt)[i].name_off) ||
			    btf_enum(at)[i].val != btf_enum(bt)[i].val)
				return false;
		} else if (btf_kind(at) == BTF_KIND_ENUM64) {
			const struct btf_enum64 *av = btf_enum64(at) + i, *bv = btf_enum64(bt) + i;

			if (!same_name(a, av->name_off, b, bv->name_off) ||
			    btf_enum64_value(av) != btf_enum64_value(bv))
				return false;
		} else {
			return false;
		}
	}
	return true;
}

/* Where BTF has the name of a struct, union or enum; 0: it has none of that name. */
static inline __u32 name_offset(const struct btf *btf, const char *name)
{
	static const __u32 kinds[] = {
		BTF_KIND_STRUCT, BTF_KIND_UNION, BTF_KIND_ENUM, BTF_KIND_ENUM64,
	};
	int id = -1;

	for (size_t i = 0; i < COUNT_OF(kinds) && id < 0; i++)
		id = btf__find_by_name_kind(btf, name, kinds[i]);
	return id < 0 ? 0 : btf__type_by_id(btf, id)->name_off;
}

static inline bool has_name(const struct btf_type *type, __u32 offset)
{
	return offset && type->name_off == offset &&
	       (btf_is_composite(type) || btf_is_any_enum(type));
}

/*
 * That `types` has each struct, union and enum of the full parse that is called `name`, just as
 * it is there. Returns how many. (A string is there once, so its offset stands for it.)
 */
static inline int check_name(const struct btf *full, const struct btf *types, const char *name)
{
	__u32 offset = name_offset(full, name), offset_in_types = name_offset(types, name);
	int in_full = 0, in_types = 0;

	for (__u32 id = 1; id < btf__type_cnt(types); id++)
		in_types += has_name(btf__type_by_id(types, id), offset_in_types);
	for (__u32 id = 1; id < btf__type_cnt(full); id++) {
		bool found = false;

		if (!has_name(btf__type_by_id(full, id), offset))
			continue;
		for (__u32 other = 1; other < btf__type_cnt(types) && !found; other++)
			found = same_type(full, id, types, other);
		if (!found)
			fail_msg("'%s', type %u, is missing or different", name, id);
		in_full++;
	}
	assert_int_equal(in_types, in_full);
	return in_full;
}

/* The same of all that `local` asks for. Returns how many names were found. */
static inline int check_types(const struct btf *full, const struct btf *local,
			      const struct btf *types)
{
	int found = 0;

	for (__u32 id = 1; id < btf__type_cnt(local); id++) {
		const struct btf_type *type = btf__type_by_id(local, id);
		char name[64];

		snprintf(name, sizeof(name), "%s", btf__name_by_offset(local, type->name_off));
		if (strstr(name, "___"))
			*strstr(name, "___") = '\0';
		if (*name && (btf_is_composite(type) || btf_is_any_enum(type)))
			found += check_name(full, types, name) > 0;
	}
	return found;
}

/* Where BTF has the name of a function; 0: it has none of that name. */
static inline __u32 function_name_offset(const struct btf *btf, const struct btf_function *function)
{
	const struct btf_type *type = btf__type_by_id(btf, function->id);
	int id;

	/* What was found is a good guess, and libbpf's look-ups take long. */
	if (function->id && type && btf_is_func(type) &&
	    !strcmp(btf__name_by_offset(btf, type->name_off), function->name))
		return type->name_off;
	id = btf__find_by_name_kind(btf, function->name, BTF_KIND_FUNC);
	return id < 0 ? 0 : btf__type_by_id(btf, id)->name_off;
}

/*
 * That ids, arguments and copies are those of the full parse; ids from `first_module` on are of
 * the module, whose functions come before the kernel's of that name. Returns how many functions
 * exist.
 */
static inline int check_functions(const struct btf *full, __u32 first_module,
				  const struct btf_function *functions, size_t count)
{
	__u32 names[FUNCTIONS_MAX], copies[FUNCTIONS_MAX] = { 0 };
	bool in_module[FUNCTIONS_MAX] = { 0 };
	bool id_is_right[FUNCTIONS_MAX] = { 0 };
	int exist = 0;

	assert_in_range(count, 1, FUNCTIONS_MAX);
	for (size_t i = 0; i < count; i++)
		names[i] = function_name_offset(full, &functions[i]);
	for (__u32 id = 1; id < btf__type_cnt(full); id++) {
		const struct btf_type *type = btf__type_by_id(full, id);

		for (size_t i = 0; btf_is_func(type) && i < count; i++) {
			if (type->name_off != names[i])
				continue;
			if (id >= first_module && !in_module[i]) {
				in_module[i] = true;
				copies[i] = 0;
				id_is_right[i] = false;
			}
			copies[i]++;
			id_is_right[i] |= id == functions[i].id;
		}
	}
	for (size_t i = 0; i < count; i++) {
		const struct btf_function *function = &functions[i];
		const struct btf_type *type;

		if (function->copies != copies[i] || (copies[i] && !id_is_right[i]))
			fail_msg("'%s': expected %u copies, got %u, at %u", function->name,
				 copies[i], function->copies, function->id);
		if (!copies[i]) {
			assert_int_equal(function->id, 0);
			assert_int_equal(function->args, 0);
			continue;
		}
		exist++;
		type = btf__type_by_id(full, function->id);
		assert_int_equal(function->args, btf_vlen(btf__type_by_id(full, type->type)));
		assert_int_equal(function->in_module, in_module[i]);
	}
	return exist;
}

/* A module's BTF counts on where the kernel's ends. */
static inline struct btf *make_module(struct btf *kernel)
{
	struct btf *btf = btf__new_empty_split(kernel);

	assert_non_null(btf);
	add_struct(btf, "dentry", "other", id_of(btf__find_by_name(btf, "int")), 4);
	add_function(btf, "ext4_file_open", 2);
	add_function(btf, "ext4_sync_file", 4);
	add_function(btf, "ext4_twice", 1);
	add_function(btf, "ext4_twice", 1);
	add_function(btf, "qstr", 5);		/* its name is among the kernel's strings */
	add_function(btf, "no_args", 1);	/* so is the kernel's function of that name */
	return btf;
}

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Copying types from one BTF to another. */
#include "core/kernel/btf_types.h"

#include <errno.h>
#include <stdlib.h>

#include <bpf/btf.h>

#include "core/kernel/btf_file.h"

#define DEPTH_MAX 64	/* of structs in structs; in a kernel about 10 */

struct copier {
	struct btf_file *file;
	struct btf *types;
	int pointer;		/* the one pointer type of `types`, to void; 0: none yet */
	__u32 end;		/* no type has this id */
	int *copies;		/* the new id of each type of the file; 0: not copied */
};

static int copy_type(struct copier *copier, __u32 id, int depth);

/* Adds the members of a struct; their types have been copied before. */
static int copy_members(struct copier *copier, const struct btf_type *type)
{
	const struct btf_member *member = btf_members(type);
	char name[256];

	for (int i = 0; i < btf_vlen(type); i++, member++) {
		int err = btf_file_string(copier->file, member->name_off, name, sizeof(name));
		int to = copy_type(copier, member->type, 0);

		if (err || to < 0)
			return err ?: to;
		err = btf__add_field(copier->types, name, to, btf_member_bit_offset(type, i),
				     btf_member_bitfield_size(type, i));
		if (err)
			return err;
	}
	return 0;
}

static int copy_enumerators(struct copier *copier, const struct btf_type *type)
{
	char name[256];

	for (int i = 0; i < btf_vlen(type); i++) {
		int err;

		if (btf_is_enum(type)) {
			const struct btf_enum *value = &btf_enum(type)[i];

			err = btf_file_string(copier->file, value->name_off, name, sizeof(name)) ?:
			      btf__add_enum_value(copier->types, name, value->val);
		} else {
			const struct btf_enum64 *value = &btf_enum64(type)[i];

			err = btf_file_string(copier->file, value->name_off, name, sizeof(name)) ?:
			      btf__add_enum64_value(copier->types, name, btf_enum64_value(value));
		}
		if (err)
			return err;
	}
	return 0;
}

/* Copies a type whose parts have been copied; returns its new id or -errno. */
static int copy_one(struct copier *copier, const struct btf_type *type, int depth)
{
	struct btf *types = copier->types;
	char name[256];
	int to, err = btf_file_string(copier->file, type->name_off, name, sizeof(name));

	if (err)
		return err;
	switch (btf_kind(type)) {
	case BTF_KIND_INT:
		return btf__add_int(types, name, type->size, btf_int_encoding(type));
	case BTF_KIND_FLOAT:
		return btf__add_float(types, name, type->size);
	case BTF_KIND_PTR:
		if (copier->pointer <= 0)
			copier->pointer = btf__add_ptr(types, 0);
		return copier->pointer;
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		/* CO-RE ignores them, so they are left out. */
		return copy_type(copier, type->type, depth);
	case BTF_KIND_ARRAY:
		to = copy_type(copier, btf_array(type)->type, depth);
		if (to < 0)
			return to;
		err = copy_type(copier, btf_array(type)->index_type, depth);
		if (err < 0)
			return err;
		return btf__add_array(types, err, to, btf_array(type)->nelems);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (int i = 0; i < btf_vlen(type); i++) {
			to = copy_type(copier, btf_members(type)[i].type, depth);
			if (to < 0)
				return to;
		}
		to = btf_is_struct(type) ? btf__add_struct(types, name, type->size) :
					   btf__add_union(types, name, type->size);
		err = to < 0 ? to : copy_members(copier, type);
		return err ?: to;
	case BTF_KIND_ENUM:
		to = btf__add_enum(types, name, type->size);
		err = to < 0 ? to : copy_enumerators(copier, type);
		return err ?: to;
	case BTF_KIND_ENUM64:
		to = btf__add_enum64(types, name, type->size, btf_kflag(type));
		err = to < 0 ? to : copy_enumerators(copier, type);
		return err ?: to;
	}
	return -EINVAL;
}

/* The id that type `id` has among our types, copied there if necessary; or -errno. */
static int copy_type(struct copier *copier, __u32 id, int depth)
{
	struct btf_type *type;
	int to;

	if (!id)
		return 0;	/* void */
	if (depth > DEPTH_MAX)
		return -EBADMSG;
	if (id < copier->end && copier->copies[id])
		return copier->copies[id];
	type = btf_file_type(copier->file, id);
	if (!type)
		return -errno;
	to = copy_one(copier, type, depth + 1);
	free(type);
	if (to > 0)
		copier->copies[id] = to;
	return to;
}

int btf_types_copy(struct btf_file *file, const __u32 *ids, size_t count, struct btf **types)
{
	struct copier copier = {
		.file = file, .types = btf__new_empty(), .end = file->first_id + file->ids,
	};
	int err = 0;

	copier.copies = calloc(copier.end, sizeof(*copier.copies));
	if (!copier.copies || !copier.types)
		err = -ENOMEM;
	for (size_t i = 0; i < count && err >= 0; i++)
		err = copy_type(&copier, ids[i], 0);
	free(copier.copies);
	if (err >= 0) {
		*types = copier.types;
		return 0;
	}
	btf__free(copier.types);
	/* libbpf refuses what no compiler makes, such as an integer of three bytes. */
	return err == -EINVAL ? -EBADMSG : err;
}

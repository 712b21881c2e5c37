// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read-only data by name. The object's BTF has the offset of each variable in .rodata. */
#include "core/trace/setting.h"

#include <errno.h>
#include <string.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "core/base/log.h"

/* The bytes of a variable, or NULL. */
static void *find(const struct bpf_object *object, const char *name, size_t *size)
{
	const struct btf *btf = bpf_object__btf(object);
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".rodata");
	__s32 id = btf ? btf__find_by_name_kind(btf, ".rodata", BTF_KIND_DATASEC) : -ENOENT;
	const struct btf_type *section = id > 0 ? btf__type_by_id(btf, id) : NULL;
	const struct btf_var_secinfo *variable = section ? btf_var_secinfos(section) : NULL;
	size_t section_size = 0;
	/* The memory that skeletons write to, too; libbpf 1.1 declares it const. */
	char *data = map ? (char *)bpf_map__initial_value(map, &section_size) : NULL;

	for (int i = 0; data && section && i < btf_vlen(section); i++, variable++) {
		const struct btf_type *type = btf__type_by_id(btf, variable->type);

		if (strcmp(btf__name_by_offset(btf, type->name_off), name))
			continue;
		*size = variable->size;
		return variable->offset + variable->size <= section_size ? data + variable->offset :
									   NULL;
	}
	return NULL;
}

int setting_apply(struct bpf_object *object, const struct setting *settings)
{
	for (const struct setting *setting = settings; setting->name; setting++) {
		size_t size = 0;
		void *variable = find(object, setting->name, &size);

		if (!variable) {
			log_error("the BPF program has no setting '%s'", setting->name);
			return -ENOENT;
		}
		if (size != setting->size) {
			log_error("the setting '%s' has %zu bytes, not %zu", setting->name, size,
				  setting->size);
			return -EINVAL;
		}
		memcpy(variable, setting->value, size);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A BTF file in memory, which libbpf opens by its name in /proc. */
#include "core/trace/small_types.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "core/base/log.h"
#include "core/kernel/kernel_btf.h"

int small_types_open(struct small_types *types, const char *btf_path)
{
	int err;

	types->of = btf_path ?: KERNEL_BTF_PATH;
	types->fd = memfd_create("types", MFD_CLOEXEC);
	if (types->fd < 0) {
		err = -errno;
		log_error("cannot keep the kernel's types: %s", strerror(-err));
		return err;
	}
	snprintf(types->path, sizeof(types->path), "/proc/self/fd/%d", types->fd);
	/* Another namespace's /proc lacks our descriptors: then libbpf reads the kernel's BTF. */
	types->is_small = !access(types->path, F_OK);
	types->btf_path = types->is_small ? types->path : btf_path;
	return 0;
}

int small_types_read(const struct small_types *types, const struct bpf_object *object,
		     const char *what)
{
	struct btf *btf = NULL;
	const void *data;
	__u32 size;
	int err;

	if (!types->is_small)
		return 0;
	err = kernel_btf_read(types->of, KERNEL_BTF_FOLDER, bpf_object__btf(object), NULL, 0, &btf);
	if (err) {
		log_error("cannot %s: cannot read the kernel's types: %s", what,
			  kernel_btf_reason(types->of, err));
		log_hint("%s", kernel_btf_hint(types->of, err));
		return err;
	}
	data = btf__raw_data(btf, &size);
	err = data && pwrite(types->fd, data, size, 0) == (ssize_t)size ? 0 : -ENOMEM;
	if (err)
		log_error("cannot keep the kernel's types: %s", strerror(-err));
	btf__free(btf);
	return err;
}

void small_types_close(struct small_types *types)
{
	close(types->fd);
}

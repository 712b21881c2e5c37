// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Running bpf/identity.bpf.c. Needed only where the user's numbers are not the kernel's. */
#include "core/trace/identity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "core/base/log.h"
#include "core/kernel/environment.h"
#include "core/kernel/kernel_btf.h"
#include "identity.skel.h"

/* The few types that the program uses, so libbpf need not read all of them (kernel_btf.h). */
static int read_types(const char *path, const struct btf *local, int types_fd)
{
	struct btf *types = NULL;
	const void *data;
	__u32 size;
	int err = kernel_btf_read(path, KERNEL_BTF_FOLDER, local, NULL, 0, &types);

	if (err) {
		log_error("cannot tell processes of this PID namespace: cannot read the kernel's types: %s",
			  kernel_btf_reason(path, err));
		log_hint("%s", kernel_btf_hint(path, err));
		return err;
	}
	data = btf__raw_data(types, &size);
	err = data && pwrite(types_fd, data, size, 0) == (ssize_t)size ? 0 : -ENOMEM;
	if (err)
		log_error("cannot keep the kernel's types: %s", strerror(-err));
	btf__free(types);
	return err;
}

static struct identity_bpf *load(const char *btf_path, int types_fd)
{
	char types_path[32];
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = types_path);
	struct identity_bpf *program;
	bool small;
	int err;

	snprintf(types_path, sizeof(types_path), "/proc/self/fd/%d", types_fd);
	/* Another namespace's /proc lacks our descriptors: then libbpf reads the kernel's BTF. */
	small = !access(types_path, F_OK);
	if (!small)
		opts.btf_custom_path = btf_path;
	program = identity_bpf__open_opts(&opts);
	if (!program) {
		log_error("cannot open the BPF program: %s", strerror(errno));
		return NULL;
	}
	err = small ? read_types(btf_path ?: KERNEL_BTF_PATH,
				 bpf_object__btf(program->obj), types_fd) : 0;
	if (!err) {
		err = identity_bpf__load(program);
		if (err)
			environment_explain("cannot load", "identity", err);
	}
	if (!err)
		return program;
	identity_bpf__destroy(program);
	return NULL;
}

struct identity_bpf *identity_open(const char *btf_path)
{
	int types_fd = memfd_create("types", MFD_CLOEXEC);
	struct identity_bpf *program;

	if (types_fd < 0) {
		log_error("cannot keep the kernel's types: %s", strerror(errno));
		return NULL;
	}
	program = load(btf_path, types_fd);
	close(types_fd);
	return program;
}

void identity_close(struct identity_bpf *program)
{
	identity_bpf__destroy(program);
}

int identity_ask(struct identity_bpf *program, enum identity_question question, int fd,
		 struct identity *answer)
{
	__u64 args[] = { fd, question };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));
	int err = bpf_prog_test_run_opts(bpf_program__fd(program->progs.identify), &opts);

	if (err)
		log_error("cannot ask the kernel for the number of a process: %s", strerror(-err));
	else
		memcpy(answer, (const void *)&program->bss->identity, sizeof(*answer));
	return err;
}

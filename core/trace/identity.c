// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Running bpf/identity.bpf.c. Needed only where the user's numbers are not the kernel's. */
#include "core/trace/identity.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "core/base/log.h"
#include "core/kernel/environment.h"
#include "identity.skel.h"

struct identity_bpf *identity_open(const char *btf_path)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = btf_path);
	struct identity_bpf *program = identity_bpf__open_opts(&opts);
	int err = program ? identity_bpf__load(program) : -errno;

	if (!err)
		return program;
	identity_bpf__destroy(program);
	if (!btf_path && access("/sys/kernel/btf/vmlinux", R_OK)) {
		log_error("cannot tell processes of this PID namespace: the kernel's types are missing");
		log_hint("give a BTF file of just this kernel: --btf FILE");
	} else {
		environment_explain("cannot load", "identity", err);
	}
	return NULL;
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

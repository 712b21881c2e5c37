// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Running bpf/identity.bpf.c. Needed only where the user's numbers are not the kernel's. */
#include "core/trace/identity.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "core/base/log.h"
#include "core/kernel/environment.h"
#include "core/trace/small_types.h"
#include "identity.skel.h"

struct identity_bpf *identity_open(const char *btf_path)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	struct identity_bpf *program;
	struct small_types types;
	int err;

	if (small_types_open(&types, btf_path))
		return NULL;
	opts.btf_custom_path = types.btf_path;
	program = identity_bpf__open_opts(&opts);
	if (!program)
		log_error("cannot open the BPF program: %s", strerror(errno));
	err = !program ? -EINVAL : small_types_read(&types, program->obj,
						   "tell processes of this PID namespace");
	if (!err) {
		err = identity_bpf__load(program);
		if (err)
			environment_explain("cannot load", "identity", err);
	}
	small_types_close(&types);
	if (!err)
		return program;
	identity_bpf__destroy(program);
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

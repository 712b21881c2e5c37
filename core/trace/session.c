// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loading and attaching kprobe sessions. */
#include "core/trace/session.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#define TRACE_KPROBE_SESSION 56		/* enum bpf_attach_type, include/uapi/linux/bpf.h */

int session_prepare(struct bpf_program *program, __u32 is_return_id)
{
	size_t count = bpf_program__insn_cnt(program);
	struct bpf_insn *insns = malloc(count * sizeof(*insns));
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(program), count * sizeof(*insns));
	for (size_t i = 0; i < count; i++) {
		struct bpf_insn *insn = &insns[i];

		if (insn->code != (BPF_JMP | BPF_CALL) || insn->src_reg ||
		    insn->imm != BPF_FUNC_get_func_ip)
			continue;
		insn->src_reg = BPF_PSEUDO_KFUNC_CALL;
		insn->imm = is_return_id;
	}
	err = bpf_program__set_insns(program, insns, count);
	free(insns);
	bpf_program__set_type(program, BPF_PROG_TYPE_KPROBE);
	bpf_program__set_expected_attach_type(program, TRACE_KPROBE_SESSION);
	return err;
}

int session_attach(int program_fd, const char *function)
{
	union bpf_attr attr = { 0 };
	int fd;

	attr.link_create.prog_fd = program_fd;
	attr.link_create.attach_type = TRACE_KPROBE_SESSION;
	attr.link_create.kprobe_multi.cnt = 1;
	attr.link_create.kprobe_multi.syms = (uintptr_t)&function;
	fd = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	return fd < 0 ? -errno : fd;
}

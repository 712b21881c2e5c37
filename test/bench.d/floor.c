/*
 * floor: what a mechanism costs before a tool does anything.
 *
 *   floor MECHANISM FUNCTION    attaches to entry and return of a function of the kernel (not of a
 *                               module), and waits for a signal
 *
 * MECHANISM: fentry, kprobe or session, with programs that do nothing; with -clock appended (as in
 * fentry-clock), those of the entry and of the return read the clock, as one that measures must.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "core/trace/attach.h"

#define SESSION 56	/* BPF_TRACE_KPROBE_SESSION */

static int done(const char *what, int fd)
{
	if (fd < 0) {
		fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
		exit(1);
	}
	return fd;
}

static int load(enum bpf_prog_type type, int attach_type, int function_id, bool clock)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach_type,
		    .attach_btf_id = function_id);

	return done("load", bpf_prog_load(type, "floor", "GPL", insns + !clock, 3 - !clock, &opts));
}

static int function_id(const char *function)
{
	struct btf *btf = btf__load_vmlinux_btf();

	return done(function, btf ? btf__find_by_name_kind(btf, function, BTF_KIND_FUNC) : -1);
}

int main(int argc, char **argv)
{
	bool clock;

	if (argc != 3) {
		fprintf(stderr, "usage: floor MECHANISM FUNCTION\n");
		return 2;
	}
	clock = strstr(argv[1], "-clock");
	if (!strncmp(argv[1], "fentry", 6)) {
		int id = function_id(argv[2]);

		done("fentry", attach_tracing(load(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, id, clock)));
		done("fexit", attach_tracing(load(BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, id, clock)));
	} else if (!strncmp(argv[1], "session", 7)) {
		done("session", attach_session(load(BPF_PROG_TYPE_KPROBE, SESSION, 0, clock), argv[2], 0));
	} else {
		int fd = load(BPF_PROG_TYPE_KPROBE, 0, 0, clock);

		done("kprobe", attach_kprobe(fd, argv[2], 0, false));
		done("kretprobe", attach_kprobe(fd, argv[2], 0, true));
	}
	pause();
	return 0;
}

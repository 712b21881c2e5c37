// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A time namespace (Linux 5.6) shifts what clock_gettime(CLOCK_MONOTONIC) returns, and no clock of
 * user space is unshifted. /proc/self/timens_offsets has the offsets of the namespace that our
 * children would be in, which differs from ours after `unshare -T` without --fork on older kernels.
 * So a BPF program reads the kernel's clock.
 */
#include "core/kernel/kernel_clock.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include "core/base/clock.h"
#include "core/base/log.h"

/*
 * A raw tracepoint's program that is run by a system call (Linux 5.10) returns 32 bits, so its
 * argument is how far to shift the clock.
 */
static int load(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_6, .src_reg = BPF_REG_1 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_6 },
		{ .code = BPF_ALU64 | BPF_RSH | BPF_X, .dst_reg = BPF_REG_0, .src_reg = BPF_REG_1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "fstrace_clock", "Dual BSD/GPL", program,
			     sizeof(program) / sizeof(*program), NULL);
}

static int read_bits(int program_fd, uint64_t shift, uint32_t *bits)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &shift, .ctx_size_in = sizeof(shift));
	int err = bpf_prog_test_run_opts(program_fd, &opts);

	*bits = opts.retval;
	return err;
}

/* The kernel's clock; the upper half is read twice, in case the lower one overflows in between. */
static int read_clock(int program_fd, uint64_t *ns)
{
	uint32_t high, low, high_after;
	int err;

	do {
		err = read_bits(program_fd, 32, &high);
		if (!err)
			err = read_bits(program_fd, 0, &low);
		if (!err)
			err = read_bits(program_fd, 32, &high_after);
	} while (!err && high != high_after);
	if (!err)
		*ns = (uint64_t)high << 32 | low;
	return err;
}

uint64_t kernel_clock_ns(uint64_t user_ns)
{
	uint64_t before_ns, kernel_ns = 0, after_ns;
	int fd = load(), err = fd;

	before_ns = now_ns();
	if (fd >= 0)
		err = read_clock(fd, &kernel_ns);
	after_ns = now_ns();
	if (fd >= 0)
		close(fd);
	if (err < 0) {
		log_warning("cannot read the kernel's clock, in a time namespace times are wrong: %s",
			    strerror(-err));
		return user_ns;
	}
	if (kernel_ns >= before_ns && kernel_ns <= after_ns)
		return user_ns;		/* the same clock */
	return user_ns + kernel_ns - before_ns - (after_ns - before_ns) / 2;
}

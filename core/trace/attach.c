// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The system calls that attach. */
#include "core/trace/attach.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#define TRACE_KPROBE_SESSION 56		/* enum bpf_attach_type, include/uapi/linux/bpf.h */
#define PMU "/sys/bus/event_source/devices/kprobe/"

int attach_tracing(int program_fd)
{
	return bpf_raw_tracepoint_open(NULL, program_fd);
}

int attach_session(int program_fd, const char *function, uint64_t address)
{
	union bpf_attr attr = { 0 };
	int fd;

	attr.link_create.prog_fd = program_fd;
	attr.link_create.attach_type = TRACE_KPROBE_SESSION;
	attr.link_create.kprobe_multi.cnt = 1;
	if (address)
		attr.link_create.kprobe_multi.addrs = (uintptr_t)&address;
	else
		attr.link_create.kprobe_multi.syms = (uintptr_t)&function;
	fd = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	return fd < 0 ? -errno : fd;
}

/* The number behind `prefix` in the first line of a file; -errno. */
static int read_number(const char *path, const char *prefix)
{
	FILE *file = fopen(path, "re");
	char line[64] = "";
	size_t len = strlen(prefix);

	if (!file)
		return -errno;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	if (strncmp(line, prefix, len) || line[len] < '0' || line[len] > '9')
		return -EINVAL;
	return strtol(line + len, NULL, 10);
}

/*
 * A perf event needs a CPU, but the program runs on all CPUs whichever it is. CPU 0
 * may be off line.
 */
static int any_cpu(void)
{
	int cpu = read_number("/sys/devices/system/cpu/online", "");

	return cpu < 0 ? 0 : cpu;
}

int attach_kprobe(int program_fd, const char *function, uint64_t address, bool is_return)
{
	int type = read_number(PMU "type", ""), bit, fd;
	struct perf_event_attr attr = { .size = sizeof(attr), .type = type };

	if (type < 0)
		return type == -ENOENT ? -ENXIO : type;		/* no kprobes, or no /sys */
	if (is_return) {
		bit = read_number(PMU "format/retprobe", "config:");
		if (bit < 0)
			return bit;
		attr.config = 1ULL << bit;
	}
	if (address)
		attr.kprobe_addr = address;
	else
		attr.kprobe_func = (uintptr_t)function;
	fd = syscall(SYS_perf_event_open, &attr, -1, any_cpu(), -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_fd) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

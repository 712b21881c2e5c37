// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Causes of errors, in the user's terms. */
#include "core/kernel/cause.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/kernel/proc_file.h"

#define PMUS "/sys/bus/event_source/devices"

/* 5.10 has a function that 5.11 removed ("bpf: Eliminate rlimit-based memory accounting"). */
static bool counts_memory(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	char line[512];
	bool found = false;

	while (symbols && !found && fgets(line, sizeof(line), symbols))
		found = strstr(line, " bpf_map_charge_init\n");
	if (symbols)
		fclose(symbols);
	return found;
}

static bool memory_is_limited(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_MEMLOCK, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

static bool is_arm64(void)
{
	struct utsname name;

	return !uname(&name) && !strcmp(name.machine, "aarch64");
}

/* If bpf() is permitted, an unknown command gives EINVAL, not EPERM. */
static bool is_bpf_refused(void)
{
	return syscall(SYS_bpf, -1, NULL, 0) && errno != EINVAL;
}

void circumstances_read(struct circumstances *circumstances)
{
	const ino_t initial = 0xEFFFFFFD;	/* PROC_USER_INIT_INO, include/linux/proc_ns.h */
	struct rlimit files = { 0 };
	struct stat namespace;
	char line[64];

	memset(circumstances, 0, sizeof(*circumstances));
	circumstances->user_namespace = !stat("/proc/self/ns/user", &namespace) &&
					namespace.st_ino != initial;
	circumstances->sys_admin = proc_has_capability(CAP_SYS_ADMIN);
	circumstances->no_bpf = is_bpf_refused();
	circumstances->seccomp = proc_read_line("/proc/self/status", "Seccomp", line,
						sizeof(line)) && atoi(line) == 2;
	circumstances->no_sys = access("/sys/kernel", F_OK);
	circumstances->no_kprobes = !access(PMUS, F_OK) && access(PMUS "/kprobe", F_OK);
	circumstances->arm64 = is_arm64();
	circumstances->counts_memory = counts_memory();
	circumstances->memory_is_limited = memory_is_limited();
	if (proc_read_line("/proc/sys/kernel/perf_event_paranoid", NULL, line, sizeof(line)))
		circumstances->paranoid = atoi(line);
	if (!getrlimit(RLIMIT_NOFILE, &files))
		circumstances->files_max = files.rlim_cur;
}

static void of_permission(const struct circumstances *circumstances, struct cause *cause)
{
	const char *hint = "a security module may forbid it: see the kernel's log (dmesg)";

	if (circumstances->user_namespace) {
		cause->reason = "this is a user namespace, whose root may not trace";
		hint = "run it on the host, or in a container that is privileged and not rootless";
	} else if (circumstances->seccomp && circumstances->no_bpf) {
		cause->reason = "a seccomp filter forbids bpf()";
		hint = "a container: --privileged, or --security-opt seccomp=unconfined; a systemd "
		       "service: SystemCallFilter=";
	} else if (circumstances->counts_memory && circumstances->memory_is_limited) {
		cause->reason = "BPF counts as locked memory here, and that is limited";
		hint = "lift the limit: ulimit -l unlimited";
	} else if (circumstances->seccomp) {
		hint = "a seccomp filter is set, and may forbid it (a container: --privileged)";
	} else if (!circumstances->sys_admin) {
		hint = "CAP_SYS_ADMIN, or root, may be needed for this";
	}
	snprintf(cause->hint, sizeof(cause->hint), "%s", hint);
}

static void of_access(const struct circumstances *circumstances, struct cause *cause)
{
	const char *hint = "-vv shows what the kernel's verifier says";

	if (!circumstances->sys_admin && circumstances->paranoid > 2)
		hint = "where kernel.perf_event_paranoid is 3 or more, kprobes take CAP_SYS_ADMIN";
	else if (!circumstances->sys_admin)
		hint = "functions of modules take CAP_SYS_ADMIN; else -vv shows what the verifier says";
	snprintf(cause->hint, sizeof(cause->hint), "%s", hint);
}

static void of_nothing_there(const struct circumstances *circumstances, struct cause *cause)
{
	const char *hint = "-vv shows what was tried";

	if (circumstances->no_sys) {
		cause->reason = "/sys is not mounted";
		hint = "mount it: mount -t sysfs sysfs /sys";
	} else if (circumstances->no_kprobes) {
		cause->reason = "this kernel has no kprobes";
		hint = "it is built without CONFIG_KPROBE_EVENTS; --attach=fentry needs none";
	}
	snprintf(cause->hint, sizeof(cause->hint), "%s", hint);
}

static void of_no_support(const struct circumstances *circumstances, struct cause *cause)
{
	cause->reason = "this kernel does not support it";
	snprintf(cause->hint, sizeof(cause->hint), "%s",
		 circumstances->arm64 ? "fentry on arm64 takes Linux 6.4: --attach=kprobe does not" :
					"another way to attach may work: --attach=kprobe");
}

static void of_no_call(const struct circumstances *circumstances, struct cause *cause)
{
	if (circumstances->seccomp) {
		of_permission(circumstances, cause);
		return;
	}
	cause->reason = "this kernel has no such system call";
	snprintf(cause->hint, sizeof(cause->hint),
		 "it takes CONFIG_BPF_SYSCALL and CONFIG_BPF_EVENTS");
}

void cause_find(int err, const struct circumstances *circumstances, struct cause *cause)
{
	cause->reason = strerror(-err);
	switch (-err) {
	case EPERM:
		of_permission(circumstances, cause);
		return;
	case EACCES:
		of_access(circumstances, cause);
		return;
	case ENOENT:
	case ENXIO:
	case ENODEV:
		of_nothing_there(circumstances, cause);
		return;
	case ENOSYS:
		of_no_call(circumstances, cause);
		return;
	case ENOTSUPP:
	case EOPNOTSUPP:
		of_no_support(circumstances, cause);
		return;
	case EMFILE:
		snprintf(cause->hint, sizeof(cause->hint),
			 "%llu files may be open here; allow more: ulimit -n 4096",
			 circumstances->files_max);
		return;
	case ENFILE:
		snprintf(cause->hint, sizeof(cause->hint),
			 "the whole system's files are used up: sysctl fs.file-max");
		return;
	case ENOMEM:
		snprintf(cause->hint, sizeof(cause->hint), "%s",
			 circumstances->counts_memory && circumstances->memory_is_limited ?
			 "BPF counts as locked memory here: ulimit -l unlimited" :
			 "the machine, or this cgroup (memory.max), is short of memory");
		return;
	}
	snprintf(cause->hint, sizeof(cause->hint), "-vv shows what the kernel says");
}

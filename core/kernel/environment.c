// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What this system allows. */
#include "core/kernel/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/kernel/cause.h"
#include "core/kernel/proc_file.h"

#define FILES_MIN 16	/* that every applet opens at once, at least */

static bool has_capabilities(void)
{
	return proc_has_capability(CAP_SYS_ADMIN) ||
	       (proc_has_capability(CAP_BPF) && proc_has_capability(CAP_PERFMON));
}

/* Only lockdown=confidentiality stops tracing; integrity does not. */
static bool is_locked_down(void)
{
	char line[128];

	return proc_read_line("/sys/kernel/security/lockdown", NULL, line, sizeof(line)) &&
	       strstr(line, "[confidentiality]");
}

static int say_locked_down(void)
{
	log_error("the kernel is locked down (confidentiality): it lets nobody trace");
	log_hint("boot without lockdown=confidentiality; lockdown=integrity is fine");
	return -EPERM;
}

static int say_not_permitted(void)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct circumstances circumstances;

	log_error("not permitted to trace: needs root, or CAP_BPF and CAP_PERFMON");
	circumstances_read(&circumstances);
	if (circumstances.user_namespace) {
		log_hint("this is a user namespace, whose root may not trace: run it on the host");
		return -EPERM;
	}
	log_hint("run it with sudo");
	self[len < 0 ? 0 : len] = '\0';
	log_hint("or let a group trace, which then sees the names of everybody's files: "
		 "chgrp GROUP %s && chmod 0750 %s && setcap cap_bpf,cap_perfmon=ep %s",
		 self, self, self);
	return -EPERM;
}

int environment_allow_files(void)
{
	struct circumstances circumstances;
	struct cause cause;
	struct rlimit limit;
	int fds[FILES_MIN], count = 0, err = 0;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	while (count < FILES_MIN && !err) {
		fds[count] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
		if (fds[count] < 0)
			err = errno == EBADF ? 0 : -errno;
		count++;
	}
	while (count--)
		if (fds[count] >= 0)
			close(fds[count]);
	if (err) {
		circumstances_read(&circumstances);
		cause_find(err, &circumstances, &cause);
		log_error("cannot open the files that tracing takes: %s", cause.reason);
		log_hint("%s", cause.hint);
	}
	return err;
}

int environment_check(void)
{
	struct statfs proc;	/* (/proc/self may be missing, if /proc is of another namespace) */
	char line[64];

	if (statfs("/proc", &proc) || proc.f_type != PROC_SUPER_MAGIC) {
		log_error("/proc is not mounted");
		log_hint("mount it: mount -t proc proc /proc");
		return -ENOENT;
	}
	if (!has_capabilities())
		return say_not_permitted();
	if (is_locked_down())
		return say_locked_down();
	/*
	 * If it is off, probes attach but never fire; and if it is switched on again after they
	 * are gone, ftrace stays broken until the next boot (seen on 6.12).
	 */
	if (proc_read_line("/proc/sys/kernel/ftrace_enabled", NULL, line, sizeof(line)) &&
	    !strcmp(line, "0")) {
		log_error("ftrace is switched off, so no probe would fire");
		log_hint("switch it on: sysctl kernel.ftrace_enabled=1");
		return -EPERM;
	}
	return 0;
}

void environment_explain(const char *what, const char *subject, int err)
{
	struct circumstances circumstances;
	struct cause cause;
	char line[512];

	if (is_locked_down() || ((err == -EPERM || err == -EINVAL) &&
				 proc_read_line("/proc/cmdline", NULL, line, sizeof(line)) &&
				 strstr(line, "lockdown=confidentiality"))) {
		say_locked_down();
		return;
	}
	circumstances_read(&circumstances);
	cause_find(err, &circumstances, &cause);
	log_error("%s '%s': %s", what, subject, cause.reason);
	log_hint("%s", cause.hint);
}

int environment_preempts(void)
{
	char line[64];

	/* The available models, with that of this boot in brackets: none voluntary (full) lazy */
	if (!proc_read_line("/sys/kernel/debug/sched/preempt", NULL, line, sizeof(line)))
		return -ENOENT;
	return strstr(line, "(full)") || strstr(line, "(lazy)");
}

bool environment_has_module(const char *module)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", module);
	return !access(path, F_OK);
}

bool environment_is_loaded(const char *module)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s/sections", module);
	return !access(path, F_OK);
}

bool environment_is_initial_pid_namespace(void)
{
	const ino_t initial = 0xEFFFFFFC;	/* PROC_PID_INIT_INO, include/linux/proc_ns.h */
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == initial;
}

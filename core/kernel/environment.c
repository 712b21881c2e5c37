// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What this machine allows. */
#include "core/kernel/environment.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/base/log.h"

/* The first line of a small file, or the value of its line "KEY:\t"; false: not there. */
static bool read_line(const char *path, const char *key, char *buffer, size_t size)
{
	FILE *file = fopen(path, "re");
	bool found = false;

	if (!file)
		return false;
	while (!found && fgets(buffer, size, file)) {
		size_t len = key ? strlen(key) : 0;

		if (key && (strncmp(buffer, key, len) || buffer[len] != ':'))
			continue;
		if (key)
			memmove(buffer, buffer + len + 1, strlen(buffer + len + 1) + 1);
		buffer[strcspn(buffer, "\n")] = '\0';
		found = true;
	}
	fclose(file);
	return found;
}

static bool has_capability(int capability)
{
	char line[64];

	if (!read_line("/proc/self/status", "CapEff", line, sizeof(line)))
		return true;	/* let the kernel say */
	return strtoull(line, NULL, 16) >> capability & 1;
}

static bool has_capabilities(void)
{
	return has_capability(CAP_SYS_ADMIN) ||
	       (has_capability(CAP_BPF) && has_capability(CAP_PERFMON));
}

/* Only lockdown=confidentiality stops tracing; integrity does not. */
static bool is_locked_down(void)
{
	char line[128];

	return read_line("/sys/kernel/security/lockdown", NULL, line, sizeof(line)) &&
	       strstr(line, "[confidentiality]");
}

static int say_locked_down(void)
{
	log_error("the kernel is locked down (confidentiality): it lets nobody trace");
	log_hint("boot without lockdown=confidentiality; lockdown=integrity is fine");
	return -EPERM;
}

int environment_check(void)
{
	struct statfs proc;	/* (it need not have a /proc/self, as it may be of others) */
	char line[64];

	if (statfs("/proc", &proc) || proc.f_type != PROC_SUPER_MAGIC) {
		log_error("/proc is not mounted");
		log_hint("mount it: mount -t proc proc /proc");
		return -ENOENT;
	}
	if (!has_capabilities()) {
		log_error("not permitted to trace: needs root, or CAP_BPF and CAP_PERFMON");
		log_hint("run it with sudo");
		return -EPERM;
	}
	if (is_locked_down())
		return say_locked_down();
	/*
	 * Off, probes attach and never fire; and switching it on again after they are gone
	 * leaves ftrace dead until the next boot (seen on 6.12).
	 */
	if (read_line("/proc/sys/kernel/ftrace_enabled", NULL, line, sizeof(line)) &&
	    !strcmp(line, "0")) {
		log_error("ftrace is switched off, so no probe would fire");
		log_hint("switch it on: sysctl kernel.ftrace_enabled=1");
		return -EPERM;
	}
	return 0;
}

void environment_explain(const char *what, const char *subject, int err)
{
	char line[512];

	if (is_locked_down() || ((err == -EPERM || err == -EINVAL) &&
				 read_line("/proc/cmdline", NULL, line, sizeof(line)) &&
				 strstr(line, "lockdown=confidentiality"))) {
		say_locked_down();
		return;
	}
	log_error("%s '%s': %s", what, subject, strerror(-err));
	if (access("/sys/kernel", F_OK))
		log_hint("/sys is not mounted: mount -t sysfs sysfs /sys");
	else if (err == -EPERM)
		log_hint("needs root, or CAP_BPF and CAP_PERFMON; before 5.11 also 'ulimit -l unlimited'");
	else if (err == -EACCES && !has_capability(CAP_SYS_ADMIN))
		log_hint("modules, and kprobes where kernel.perf_event_paranoid is 3, take CAP_SYS_ADMIN");
	else if (err == -ENOMEM)
		log_hint("before 5.11 BPF counts as locked memory: ulimit -l unlimited");
	else
		log_hint("-vv shows what the kernel says");
}

int environment_preempts(void)
{
	char line[64];

	/* The models there are, and in brackets that of this boot: none voluntary (full) lazy */
	if (!read_line("/sys/kernel/debug/sched/preempt", NULL, line, sizeof(line)))
		return -ENOENT;
	return strstr(line, "(full)") || strstr(line, "(lazy)");
}

bool environment_has_module(const char *module)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", module);
	return !access(path, F_OK);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds control groups (of version 2) in their file system, as it is mounted here. */
#ifndef FSTRACE_CORE_KERNEL_CGROUP_H
#define FSTRACE_CORE_KERNEL_CGROUP_H

#include <stddef.h>
#include <stdint.h>

/*
 * `path`: of its folder, or below the mount, as /proc/PID/cgroup has it. Returns a descriptor of the
 * folder; or -errno after a message.
 */
int cgroup_open(const char *path);

/*
 * That of a container, by the beginning of its identifier or name: as docker, podman, containerd,
 * CRI-O, LXC and systemd-nspawn name theirs.
 */
int cgroup_open_container(const char *word);

/*
 * The path of a group, below the mount, by its number as BPF programs have it; it may be gone. Takes
 * CAP_DAC_READ_SEARCH. Returns 0 or -errno, without a message.
 */
int cgroup_path(uint64_t id, char *to, size_t size);

/*
 * The container that a group belongs to, by the names of the group and of its parent: a part of
 * `name`; NULL: it is none.
 */
const char *cgroup_container(const char *parent, const char *name);

#endif

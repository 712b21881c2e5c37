/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Whose operations are traced, and by which numbers the user knows processes.
 *
 * The numbers that count are those in the user's /proc: those of the PID namespace in which /proc
 * was mounted. This is mostly the initial one, whose numbers the kernel uses itself, and nothing
 * needs to be done; in a container, that of the container; and it can be any other one, above,
 * below or beside ours. The user's numbers are translated to the kernel's here, once; the kernel
 * side translates those of each event back.
 */
#ifndef FSTRACE_CORE_TRACE_FILTER_H
#define FSTRACE_CORE_TRACE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/filter.h"
#include "core/kernel/place.h"
#include "core/kernel/user.h"

struct bpf_object;

/* The processes that the user asks for; none: all. Initially zero. */
struct pid_list {
	uint32_t *pids;			/* the user's numbers */
	size_t count;
};

/*
 * Adds the numbers of `word`, "181" or "181,200", to a list. Returns 0, -EINVAL or -ERANGE (an
 * invalid word; nothing is added), or -ENOMEM. Its arguments are those of an option_row's parse().
 */
int pid_list_parse(const char *word, void *list);

/* Empties it. */
void pid_list_release(void *list);

struct command;

/* What the user asks for, common to all applets; initially zero. Only what passes all is traced. */
struct filter_options {
	struct pid_list pids, tids;	/* one of these at most, or a command */
	struct command *command;	/* it and its descendants; or NULL */
	struct user_id user;
	struct filter_comm comm;	/* all zero: any */
	const char *cgroup, *container;	/* at most one; or NULL */
	/* Files there alone, for what traces operations on files; at most one. */
	const char *mount;		/* in the file system that this path is in */
	struct device device;		/* on that device */
};

struct filter_process;

struct filter {
	uint32_t self;			/* our own process, by the kernel's number */
	bool numbers;			/* the user's numbers are not the kernel's */
	uint32_t level, inum;		/* ... but those of this PID namespace */
	const struct filter_options *options;
	struct filter_process *processes;	/* or threads, of tids */
	size_t count, running;		/* how many there are, how many have not ended yet */
	struct device device;		/* what mount or device asks for */
	int list_fd;			/* a BPF map: several processes, by the kernel's numbers */
	int followed_fd;		/* a BPF map of the command's: its descendants */
	int cgroup_fd;			/* a BPF map that has one */
	int timer_fd;			/* for those that have no pidfd */
	int ends_fd;			/* readable when one has ended; -1: all are traced */
	bool told;
};

#define FILTER_CLOSED                                                                              \
	{ .list_fd = -1, .followed_fd = -1, .cgroup_fd = -1, .timer_fd = -1,    \
			.ends_fd = -1 }

/*
 * Finds out which processes those are; `options` must live as long. `shows`: whether processes are shown. `btf_path`: types of
 * the kernel if it has none itself, or NULL; they are only used where the numbers are not the
 * kernel's. Returns 0, or -errno after a message. Call filter_close() in either case.
 */
int filter_open(struct filter *filter, const struct filter_options *options, bool shows,
		const char *btf_path);
void filter_close(struct filter *filter);

/*
 * Finds the file system that `options` ask for; place->device is not set if they ask for none.
 * Returns 0 or, after a message, -errno.
 */
int filter_place(const struct filter_options *options, struct place *place);

/* Whether some processes are not traced. */
bool filter_is_set(const struct filter *filter);

/*
 * Sets what bpf/filter.bpf.h reads, in an object that is open and not yet loaded. Returns 0, or
 * -errno after a message.
 */
int filter_apply(const struct filter *filter, struct bpf_object *object);

/*
 * The user's numbers of an event's process and thread, if they differ from the kernel's: they are
 * at the end of its *size bytes, and are then deducted from that. Else NULL.
 */
static inline const __u64 *filter_numbers(const struct filter *filter, const void *event,
					  size_t *size)
{
	if (!filter->numbers || *size < sizeof(__u64))
		return NULL;
	*size -= sizeof(__u64);
	return (const __u64 *)((const char *)event + *size);
}

/*
 * Whether all processes asked for have ended (which is reported once), or the command has; for
 * stop_when() with ends_fd. A process that has ended is no longer traced, so a new one with the same number is not,
 * either.
 */
bool filter_ended(void *filter);

#endif

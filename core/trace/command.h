/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The COMMAND of "fstrace APPLET ... -- COMMAND [ARG...]". In this order: command_hold() forks a
 * process that waits, before anything of fstrace's own (signals, limits, descriptors) can reach it;
 * the filter puts it and, by command_follow(), all its descendants among the processes that are
 * traced; when the tracer is attached, command_go() lets it execute the command; the run ends with
 * it; command_end() waits for it and returns the exit status to pass on.
 */
#ifndef FSTRACE_TRACE_COMMAND_H
#define FSTRACE_TRACE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

struct command;
struct stop;

/* Exit statuses if there is a command: as those of env(1) and timeout(1). */
enum {
	EXIT_OWN = 125,			/* fstrace itself has failed */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

/*
 * `words` ends with NULL. Run by root through sudo, the command is the invoking user's: as that
 * user, with its groups, and without sudo's variables. NULL after a message.
 */
struct command *command_hold(char *const *words);

/* The number of its process in our own PID namespace. */
uint32_t command_pid(const struct command *command);

/* A pidfd: readable when the command has ended. */
int command_fd(const struct command *command);

/*
 * Loads bpf/follow.bpf.c, if that has not been done. `pid`: the command's process, by the kernel's
 * number. Returns its map's descriptor, which stays the command's; or -errno after a message.
 */
int command_follow(struct command *command, uint32_t pid, const char *btf_path);

/*
 * Lets the command run, if it does not yet. From here on, signals do not end the run but are passed
 * on to the command, which ends it. Returns 0, or -errno after a message.
 */
int command_go(struct command *command, struct stop *stop);

/*
 * Waits for its end; a command that was never let go does not run. `status`: of the applet. Returns
 * the exit status of fstrace: the command's, 128 and its signal's number, or one of the above.
 */
int command_end(struct command *command, int status);

#endif

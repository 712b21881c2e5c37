/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Attaching a loaded program to a function. Each returns a file descriptor, to be closed to
 * detach, or -errno. Closing can take long: the kernel waits until no task is inside.
 */
#ifndef FSTRACE_TRACE_ATTACH_H
#define FSTRACE_TRACE_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

/* fentry and fexit: the program was loaded for its function. */
int attach_tracing(int program_fd);

/*
 * Entry and return in one program (core/trace/program.h makes it one). address: of the function,
 * where it is known and the name may not be enough; 0: by name.
 */
int attach_session(int program_fd, const char *function, uint64_t address);

/*
 * A kprobe, or a kretprobe: through perf_event_open(), which needs neither tracefs nor a name of
 * one's own for the event. address: of the function, where it is known; 0: by name, which old
 * kernels look for in all of kallsyms.
 */
int attach_kprobe(int program_fd, const char *function, uint64_t address, bool is_return);

#endif

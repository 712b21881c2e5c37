/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The few types of the kernel that a small object of core itself uses, so libbpf need not read all
 * of them (core/kernel/kernel_btf.h). In this order: small_types_open(); open the object with
 * .btf_custom_path = types.btf_path; small_types_read(); load it; small_types_close().
 */
#ifndef FSTRACE_TRACE_SMALL_TYPES_H
#define FSTRACE_TRACE_SMALL_TYPES_H

#include <stdbool.h>

struct bpf_object;

struct small_types {
	const char *of;			/* the BTF file that they are from */
	int fd;
	bool is_small;
	char path[32];
	const char *btf_path;		/* for libbpf */
};

/* `btf_path`: types of the kernel if it has none itself, or NULL. 0, or -errno after a message. */
int small_types_open(struct small_types *types, const char *btf_path);

/* `what` cannot be done without them: "tell processes of this PID namespace". */
int small_types_read(const struct small_types *types, const struct bpf_object *object,
		     const char *what);
void small_types_close(struct small_types *types);

#endif

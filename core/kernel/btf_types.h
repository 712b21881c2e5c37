/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Types taken out of a BTF file, with all that they contain by value, for CO-RE. */
#ifndef FSTRACE_CORE_KERNEL_BTF_TYPES_H
#define FSTRACE_CORE_KERNEL_BTF_TYPES_H

#include <stddef.h>
#include <linux/types.h>

struct btf;
struct btf_file;

/*
 * Makes a separate BTF with the types `ids` of the file, which has been scanned: to be freed with
 * btf__free(). Pointers in it point to void. Returns 0, or -errno as in btf_file.h.
 */
int btf_types_copy(struct btf_file *file, const __u32 *ids, size_t count, struct btf **types);

#endif

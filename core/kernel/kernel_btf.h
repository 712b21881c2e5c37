/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The little of a kernel's BTF that one program needs. libbpf would keep all of it in memory,
 * some 10 MB at the peak; here the file is read once in pieces, and what is left is a BTF of a
 * few kilobytes for CO-RE, and the ids of the functions to attach to.
 */
#ifndef FSTRACE_CORE_KERNEL_KERNEL_BTF_H
#define FSTRACE_CORE_KERNEL_KERNEL_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

struct btf;

#define KERNEL_BTF_FOLDER "/sys/kernel/btf"

/* A function to look for; the caller sets name, the rest is found. */
struct btf_function {
	const char *name;
	__u32 id;		/* 0: BTF does not know it */
	__u32 args;		/* how many arguments it has */
	__u32 copies;		/* functions of that name; only 1 can be attached to */
	bool in_module;
};

/*
 * Reads the BTF file `path` and, where it exists, that of the loaded module `module` (NULL: none;
 * its file is in `module_folder`). Fills in `functions`, and makes in *types the types that
 * `local`, an object's own BTF, has structs and enums of the same name for (after removing a
 * CO-RE flavour: what follows "___"), with all that they contain by value; pointers lead to void.
 * Returns 0 and *types, to be freed with btf__free(); or -errno: -ENOENT (no such file), -EINVAL
 * (not BTF), -ENOMEM, or what reading said. Prints nothing.
 */
int kernel_btf_read(const char *path, const char *module, const char *module_folder,
		    const struct btf *local, struct btf_function *functions, size_t nfunctions,
		    struct btf **types);

/*
 * The file descriptor of a loaded module's BTF object, for the caller to close, or -errno. Takes
 * CAP_SYS_ADMIN.
 */
int kernel_btf_module_fd(const char *module);

#endif

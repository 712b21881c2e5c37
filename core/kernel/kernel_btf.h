/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Extracts the part of the kernel's BTF a program needs. libbpf would keep all of it in memory,
 * about 10 MB at the peak. Here each file is read once, in pieces; the result is a BTF of a few
 * kilobytes for CO-RE, and the ids of the functions to attach to.
 */
#ifndef FSTRACE_CORE_KERNEL_KERNEL_BTF_H
#define FSTRACE_CORE_KERNEL_KERNEL_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

struct btf;

#define KERNEL_BTF_FOLDER "/sys/kernel/btf"
#define KERNEL_BTF_PATH KERNEL_BTF_FOLDER "/vmlinux"

/* A function to look for; the caller sets name and module, the rest is found. */
struct btf_function {
	const char *name;
	const char *module;	/* that may have it; NULL: the kernel itself alone */
	__u32 id;		/* 0: not in BTF */
	__u32 args;		/* how many arguments it has */
	__u32 copies;		/* functions of that name there; only 1 can be attached to */
	bool in_module;		/* the id is one of the module's BTF */
	int module_error;	/* why its BTF was not read: -ENOENT, there is none, or another */
};

/*
 * Reads the BTF file `path` and that of each module which a function names, once, if it is loaded
 * (its file is `module_folder`/MODULE; of one that cannot be read, nothing counts). Fills in
 * `functions`, any number, which may repeat; of a name that both the kernel and the function's
 * module have, the module's is meant. Makes in *types the types that `local`, an object's own BTF,
 * has structs and enums of the same name for (after removing a CO-RE flavour: what follows
 * "___"), of the kernel itself, with all that they contain by value; pointers point to void.
 *
 * Returns 0 and *types, to be freed with btf__free(); or -errno, for kernel_btf_reason(). Prints
 * nothing.
 */
int kernel_btf_read(const char *path, const char *module_folder, const struct btf *local,
		    struct btf_function *functions, size_t nfunctions, struct btf **types);

/*
 * What follows "cannot read the kernel's types: " when kernel_btf_read() returned `err` for
 * `path`. Never NULL; valid until the next call.
 */
const char *kernel_btf_reason(const char *path, int err);

/* What to do about it. Never NULL. */
const char *kernel_btf_hint(const char *path, int err);

/*
 * The file descriptor of a loaded module's BTF object, for the caller to close, or -errno. Needs
 * CAP_SYS_ADMIN.
 */
int kernel_btf_module_fd(const char *module);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's symbols. /proc/kallsyms is long (about 200 000 lines, which the kernel generates as
 * they are read), so it is read once for all names, and only if needed: for names in BTF it is not.
 */
#ifndef FSTRACE_CORE_KERNEL_KSYMS_H
#define FSTRACE_CORE_KERNEL_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define KSYM_SIZE 256

/*
 * A function to look for; the caller sets name (without a dot) and module, the rest is filled in.
 * The module is searched first and, if it has none, the kernel itself; copies are counted there.
 *
 * Compilers rename functions; the renamed ones count as clones: NAME.llvm.N,
 * NAME.__uniq.N, NAME.lto_priv.N, NAME.HASH and NAME.cfi are the function as it was written;
 * NAME.constprop.N, NAME.isra.N, NAME.specialized.N, NAME.argprom, NAME.argelim and NAME.retelim
 * may lack arguments or a result. Where NAME.cfi exists, all others are entries of a jump table.
 * Entries of jump tables (NAME.cfi_jt), fragments (NAME.part.N, NAME.cold) and symbols before
 * a function (__pfx_NAME, __cfi_NAME) do not count.
 */
struct ksym {
	const char *name;
	const char *module;	/* that may have it; NULL: the kernel itself alone */
	bool in_module;
	unsigned int copies;	/* functions of exactly that name */
	unsigned int clones;	/* those that a compiler renamed */
	char clone[KSYM_SIZE];	/* the name of one, or ""; longer ones are cut */
	bool is_altered;	/* arguments of that one may be missing */
	/* Functions of that name elsewhere: then the name alone is ambiguous. */
	unsigned int others;
	uint64_t address;	/* of the copy, else of the clone; 0: hidden from us (kptr_restrict) */
};

/*
 * Reads the lines of kallsyms (`ADDRESS TYPE NAME[\t[MODULE]]`) and fills in `symbols`, any number,
 * which may repeat. Returns how many functions it saw in all (0: the file is empty or hidden from
 * us), or -errno.
 */
long ksyms_find(FILE *kallsyms, struct ksym *symbols, size_t nsymbols);

#endif

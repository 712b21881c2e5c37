/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's symbols. /proc/kallsyms is long (some 200 000 lines that the kernel makes up as
 * they are read), so it is read once for a few names, and only by who needs it: names in BTF
 * are known without. Addresses are not looked at: kptr_restrict hides them.
 */
#ifndef FSTRACE_CORE_KERNEL_KSYMS_H
#define FSTRACE_CORE_KERNEL_KSYMS_H

#include <stddef.h>
#include <stdio.h>

#define KSYM_SIZE 128

/* A function to look for; the caller sets name, the rest is found. */
struct ksym {
	const char *name;
	unsigned int copies;	/* symbols of exactly that name */
	char module[KSYM_SIZE];	/* that one is in, "" for the kernel itself */
	/*
	 * The function under the name that a compiler gave its clone (NAME.constprop.N,
	 * NAME.isra.N: arguments may be missing; NAME.llvm.HASH: the same function), or "".
	 * NAME.part.N and NAME.cold are fragments of a function, __pfx_NAME the padding before it:
	 * none of them counts.
	 */
	char clone[KSYM_SIZE];
	unsigned int clones;
};

/*
 * Reads the lines of kallsyms (`ADDRESS TYPE NAME[\t[MODULE]]`) and fills in `symbols`. Returns
 * how many functions it saw in all (0: the file is empty or hidden from us), or -errno.
 */
long ksyms_find(FILE *kallsyms, struct ksym *symbols, size_t nsymbols);

#endif

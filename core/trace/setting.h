/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What user space configures: read-only variables of a BPF object, by name. */
#ifndef FSTRACE_CORE_TRACE_SETTING_H
#define FSTRACE_CORE_TRACE_SETTING_H

#include <stddef.h>

struct bpf_object;

struct setting {
	const char *name;	/* of a `const volatile` variable of the BPF program */
	const void *value;
	size_t size;		/* of the value, which must be that of the variable */
};

#define SETTING(variable, address) { .name = variable, .value = address, .size = sizeof(*(address)) }

/*
 * Sets `settings`, which end with a row without a name, in an object that is open and not yet
 * loaded. Returns 0; or, after a message, -ENOENT (it has no such variable) or -EINVAL (the
 * variable has another size).
 */
int setting_apply(struct bpf_object *object, const struct setting *settings);

#endif

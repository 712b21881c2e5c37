/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whose operations are traced: the settings of bpf/filter.bpf.h. */
#ifndef FSTRACE_CORE_TRACE_FILTER_H
#define FSTRACE_CORE_TRACE_FILTER_H

#include <stdint.h>

struct bpf_object;

struct filter {
	uint32_t pid;			/* 0: all processes */
};

/* Before the object is loaded. Returns 0, or -errno after saying why. */
int filter_apply(const struct filter *filter, struct bpf_object *object);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which types of file systems there are to trace. */
#ifndef FSTRACE_CORE_OPERATION_TYPES_H
#define FSTRACE_CORE_OPERATION_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/operation/plan.h"

struct filter_options;
struct stop;

/* The types to trace: all that the user named, or that are mounted. */
struct types {
	const char *list;		/* of the user; NULL: all that are mounted */
	struct target *all;
	size_t count;
	int err;
};

/* Finds the types to trace now; the caller frees types->all. Returns 0 or, after a message, -errno. */
int types_find(const char *list, struct types *types);

/*
 * If a filter asks for one file system (--mount, --dev), its type is the only one to trace: *list, that
 * of the user, becomes `type`. fs: of the applet for one type; or NULL. Returns 0; or -errno after a
 * message, too, if nothing of it would be traced.
 */
int types_at_place(const struct filter_options *filter, const struct filesystem *fs, const char **list,
		   char type[TARGET_NAME_SIZE]);

/* Whether the type is present: then its functions exist, too. */
bool type_is_present(const struct target *target);

/* The type of an applet that is for one file system. */
struct target type_of(const struct filesystem *fs);

/*
 * Waits until that file system is present (NULL: any type of the list, as in types_find()), and says
 * so once. `watch`: of mounts_watch(). Returns false at the stop.
 */
bool types_wait(const struct filesystem *fs, const char *list, struct stop *stop, int watch);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A few names to recognise among very many strings: most are ruled out by length and first byte. */
#ifndef FSTRACE_CORE_BASE_NAMES_H
#define FSTRACE_CORE_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct name {
	const char *text;
	size_t len;
	long next;		/* with the same hash: its number + 1, or 0 */
};

/* All zeros: empty. */
struct names {
	struct name *names;
	size_t count, room;
	long buckets[1024];	/* the number of the first + 1, or 0 */
	uint64_t lengths[256];	/* by first byte: bit n, a name is n bytes long, modulo 64 */
};

/*
 * Adds `len` bytes, which are not copied. Returns the number of the name, counted from 0 (an
 * existing name keeps its number), or -ENOMEM.
 */
long names_add(struct names *names, const char *text, size_t len);

/* The number of a name, or -1. */
long names_find(const struct names *names, const char *text, size_t len);

void names_free(struct names *names);

#endif

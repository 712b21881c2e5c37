// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From a pattern to the machine of bpf/filter.h. */
#include "core/trace/comm_glob.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

/* One character, which may stand behind a backslash. Returns what follows it. */
static const char *character(const char *at, unsigned char *c)
{
	if (*at == '\\' && at[1])
		at++;
	*c = *at;
	return at + 1;
}

/* What follows a [ up to its ], which is not the first. Returns what follows it; NULL: no ]. */
static const char *set(const char *at, struct filter_comm *comm, __u16 bit)
{
	bool negated = *at == '!' || *at == '^';
	const char *first = at += negated;
	unsigned char from, to;

	while (*at && (*at != ']' || at == first)) {
		at = character(at, &from);
		to = from;
		if (*at == '-' && at[1] && at[1] != ']')
			at = character(at + 1, &to);
		for (int c = from; c <= to; c++)
			comm->accepts[c] |= bit;
	}
	for (int c = 1; negated && c < 256; c++)
		comm->accepts[c] ^= bit;
	return *at ? at + 1 : NULL;
}

int comm_glob_parse(const char *word, void *member)
{
	struct filter_comm comm = { .end = 1 };
	unsigned char c;

	if (!*word)
		return -EINVAL;
	while (word && *word) {
		if (*word == '*') {
			comm.stays |= comm.end;
			word++;
			continue;
		}
		if (comm.end == 1 << FILTER_COMM_MAX)
			return -E2BIG;
		if (*word == '[') {
			word = set(word + 1, &comm, comm.end);
		} else if (*word == '?') {
			for (int any = 1; any < 256; any++)
				comm.accepts[any] |= comm.end;
			word++;
		} else {
			word = character(word, &c);
			comm.accepts[c] |= comm.end;
		}
		comm.end <<= 1;
	}
	if (!word)
		return -EINVAL;
	*(struct filter_comm *)member = comm;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* "did you mean": finds the word of a list that is nearest to an unknown one. */
#ifndef FSTRACE_CORE_CLI_SUGGEST_H
#define FSTRACE_CORE_CLI_SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char *word;	/* what was typed; not our string */
	size_t len;
	const char *nearest;	/* NULL: none is near enough */
	size_t distance;
};

/* Compares one more candidate; of several at the same distance the first is kept. */
void suggest(struct suggestion *suggestion, const char *candidate);

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Edit distance with swaps of neighbours, over short words. */
#include "core/cli/suggest.h"

#include <string.h>

#define WORD_MAX 32

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters to add, drop, change, or swap with the next. Both are at most WORD_MAX long. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t table[WORD_MAX + 1][WORD_MAX + 1];

	for (size_t i = 0; i <= a_len; i++)
		table[i][0] = i;
	for (size_t j = 0; j <= b_len; j++)
		table[0][j] = j;
	for (size_t i = 1; i <= a_len; i++)
		for (size_t j = 1; j <= b_len; j++) {
			size_t changed = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			table[i][j] = least(changed, least(table[i - 1][j], table[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
		}
	return table[a_len][b_len];
}

void suggest(struct suggestion *suggestion, const char *candidate)
{
	size_t len = strlen(candidate), found;

	if (suggestion->len > WORD_MAX || len > WORD_MAX || suggestion->len < 2)
		return;
	found = distance(suggestion->word, suggestion->len, candidate, len);
	/* A prefix of a word counts as one letter away. */
	if (suggestion->len > 2 && !strncmp(suggestion->word, candidate, suggestion->len))
		found = 1;
	if (found > 1 + suggestion->len / 4)
		return;
	if (!suggestion->nearest || found < suggestion->distance) {
		suggestion->nearest = candidate;
		suggestion->distance = found;
	}
}

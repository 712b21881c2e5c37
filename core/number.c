// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Strict number parsing. */
#include "number.h"

#include <errno.h>

#define NS_PER_SECOND 1000000000ULL
#define SECONDS_MAX 100000000ULL

/* Reads digits from *word on and moves it behind them; saturates at UINT64_MAX. */
static uint64_t digits(const char **word)
{
	uint64_t value = 0;

	for (; **word >= '0' && **word <= '9'; (*word)++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, **word - '0', &value))
			value = UINT64_MAX;
	return value;
}

int parse_uint(const char *word, uint64_t min, uint64_t max, uint64_t *value)
{
	const char *end = word;
	uint64_t number = digits(&end);

	if (end == word || *end)
		return -EINVAL;
	if (number < min || number > max)
		return -ERANGE;
	*value = number;
	return 0;
}

int parse_seconds(const char *word, uint64_t *ns)
{
	const char *end = word, *point;
	uint64_t seconds = digits(&end), fraction = 0, total;

	if (end == word)
		return -EINVAL;
	if (*end == '.') {
		point = end++;
		fraction = digits(&end);
		if (end == point + 1 || end > point + 10)
			return -EINVAL;
		for (int digit = end - point - 1; digit < 9; digit++)
			fraction *= 10;
	}
	if (*end)
		return -EINVAL;
	if (seconds > SECONDS_MAX)
		return -ERANGE;
	total = seconds * NS_PER_SECOND + fraction;
	if (!total)
		return -ERANGE;
	*ns = total;
	return 0;
}

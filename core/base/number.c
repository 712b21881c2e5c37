// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Strict number parsing. */
#include "core/base/number.h"

#include <errno.h>

#define NS_PER_SECOND 1000000000ULL
#define SECONDS_MAX 100000000ULL

/* Reads the digits at *word and moves it past them. Returns 0 or -ERANGE. */
static int digits(const char **word, uint64_t *value)
{
	int err = 0;

	for (*value = 0; **word >= '0' && **word <= '9'; (*word)++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, **word - '0', value))
			err = -ERANGE;
	return err;
}

int parse_uint(const char *word, uint64_t min, uint64_t max, uint64_t *value)
{
	const char *end = word;
	uint64_t number;
	int err = digits(&end, &number);

	if (end == word || *end)
		return -EINVAL;
	if (err || number < min || number > max)
		return -ERANGE;
	*value = number;
	return 0;
}

int parse_seconds(const char *word, uint64_t *ns)
{
	const char *end = word, *point;
	uint64_t seconds, fraction = 0, total;
	int err = digits(&end, &seconds), decimals = 0;

	point = end;
	if (*end == '.') {
		end++;
		digits(&end, &fraction);
		decimals = end - point - 1;
	}
	/* Digits on one side of the point suffice: ".5", "1." */
	if (*end || (point == word && !decimals) || decimals > 9)
		return -EINVAL;
	for (; decimals < 9; decimals++)
		fraction *= 10;
	if (err || seconds > SECONDS_MAX)
		return -ERANGE;
	total = seconds * NS_PER_SECOND + fraction;
	if (!total || total > SECONDS_MAX * NS_PER_SECOND)
		return -ERANGE;
	*ns = total;
	return 0;
}

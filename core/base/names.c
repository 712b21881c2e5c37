// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names by their hash. */
#include "core/base/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS (sizeof(((struct names *)0)->buckets) / sizeof(long))

static size_t hash(const char *text, size_t len)
{
	size_t hash = len;

	for (size_t i = 0; i < len; i++)
		hash = hash * 31 + (unsigned char)text[i];
	return (hash ^ hash >> 15) % BUCKETS;
}

/* An empty text has no first byte. */
static unsigned char first_byte(const char *text, size_t len)
{
	return len ? text[0] : 0;
}

long names_find(const struct names *names, const char *text, size_t len)
{
	long i;

	if (!(names->lengths[first_byte(text, len)] >> len % 64 & 1))
		return -1;
	for (i = names->buckets[hash(text, len)]; i; i = names->names[i - 1].next)
		if (names->names[i - 1].len == len &&
		    !memcmp(names->names[i - 1].text, text, len))
			break;
	return i - 1;
}

long names_add(struct names *names, const char *text, size_t len)
{
	long number = names_find(names, text, len), *bucket = &names->buckets[hash(text, len)];

	if (number >= 0)
		return number;
	if (names->count == names->room) {
		size_t room = 2 * names->room + 64;
		struct name *more = realloc(names->names, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		names->names = more;
		names->room = room;
	}
	number = names->count++;
	names->names[number] = (struct name){ .text = text, .len = len, .next = *bucket };
	*bucket = number + 1;
	names->lengths[first_byte(text, len)] |= 1ULL << len % 64;
	return number;
}

void names_free(struct names *names)
{
	free(names->names);
	*names = (struct names){ 0 };
}

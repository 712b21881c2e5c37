/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers that a user typed, read strictly: the whole word, and within a range. */
#ifndef FSTRACE_CORE_BASE_NUMBER_H
#define FSTRACE_CORE_BASE_NUMBER_H

#include <stdint.h>

/*
 * A whole number: decimal digits alone, no sign, no blanks. Returns 0, -EINVAL (not a number) or
 * -ERANGE; *value is set only on success.
 */
int parse_uint(const char *word, uint64_t min, uint64_t max, uint64_t *value);

/*
 * Seconds, above 0, with up to nine decimals ("5", "0.25", ".25"); at most 10^8, about three
 * years. Returns 0, -EINVAL or -ERANGE (0 included); *ns is set only on success.
 */
int parse_seconds(const char *word, uint64_t *ns);

#endif

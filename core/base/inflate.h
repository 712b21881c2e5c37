/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What gzip has compressed. */
#ifndef FSTRACE_CORE_BASE_INFLATE_H
#define FSTRACE_CORE_BASE_INFLATE_H

#include <stddef.h>

/*
 * Returns the bytes for the caller to free and sets *size, or returns NULL with errno: ENOMEM, or
 * EINVAL if `packed` is not the whole of one gzip file.
 */
void *inflate_all(const void *packed, size_t packed_size, size_t *size);

#endif

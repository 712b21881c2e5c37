// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* By zlib, which libelf brings along. */
#include "core/base/inflate.h"

#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#define SHORTEST 18	/* a file's head and tail (RFC 1952) */

void *inflate_all(const void *packed, size_t packed_size, size_t *size)
{
	z_stream stream = { .next_in = (Bytef *)packed, .avail_in = packed_size };
	uint32_t tail;			/* the size, little-endian */
	void *bytes;
	int end;

	if (packed_size < SHORTEST) {
		errno = EINVAL;
		return NULL;
	}
	memcpy(&tail, (const char *)packed + packed_size - sizeof(tail), sizeof(tail));
	*size = le32toh(tail);
	bytes = malloc(*size);
	stream.next_out = bytes;
	stream.avail_out = *size;
	if (!bytes || inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) {
		free(bytes);
		errno = ENOMEM;
		return NULL;
	}
	end = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	if (end == Z_STREAM_END && stream.total_out == *size)
		return bytes;
	free(bytes);
	errno = EINVAL;
	return NULL;
}

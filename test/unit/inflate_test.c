// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/base/inflate.c: a whole file, and damaged ones. */
#include "test.h"

#include "core/base/inflate.h"

/* printf 'inflate inflate inflate' | gzip -9n */
static const unsigned char packed[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
	0xcb, 0xcc, 0x4b, 0xcb, 0x49, 0x2c, 0x49, 0x55, 0xc8, 0x44, 0xa5, 0x01,
	0xa6, 0x2f, 0x28, 0xe5, 0x17, 0x00, 0x00, 0x00,
};
static const char text[] = "inflate inflate inflate";

static void what_gzip_has_written_is_read(void **state)
{
	size_t size;
	char *bytes = inflate_all(packed, sizeof(packed), &size);

	(void)state;
	assert_non_null(bytes);
	assert_int_equal(size, sizeof(text) - 1);
	assert_memory_equal(bytes, text, size);
	free(bytes);
}

static void damage_is_an_error(void **state)
{
	unsigned char damaged[sizeof(packed)];
	size_t size;

	(void)state;
	for (size_t i = 0; i < sizeof(packed); i++) {
		memcpy(damaged, packed, sizeof(packed));
		assert_null(inflate_all(damaged, i, &size));
		damaged[i] ^= 0x80;
		if (i == 9 || (i >= 4 && i < 9))	/* time, flags of speed, system: not looked at */
			continue;
		errno = 0;
		assert_null(inflate_all(damaged, sizeof(damaged), &size));
		assert_true(errno == EINVAL || errno == ENOMEM);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_gzip_has_written_is_read),
		cmocka_unit_test(damage_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

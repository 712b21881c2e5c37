// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/base/names.c: names keep their numbers, and only they are found. */
#include "test.h"

#include "core/base/names.h"

static void a_name_keeps_its_number(void **state)
{
	struct names names = { 0 };

	(void)state;
	assert_int_equal(names_find(&names, "first", 5), -1);
	assert_int_equal(names_add(&names, "first", 5), 0);
	assert_int_equal(names_add(&names, "second", 6), 1);
	assert_int_equal(names_add(&names, "first", 5), 0);
	assert_int_equal(names_find(&names, "first", 5), 0);
	assert_int_equal(names_find(&names, "second", 6), 1);
	assert_int_equal(names.count, 2);
	names_free(&names);
	assert_int_equal(names_find(&names, "first", 5), -1);
}

static void length_and_every_byte_count(void **state)
{
	static const char text[] = "lookup_fast\0rest";
	struct names names = { 0 };

	(void)state;
	assert_int_equal(names_add(&names, text, 6), 0);
	assert_int_equal(names_find(&names, text, 5), -1);
	assert_int_equal(names_find(&names, text, 11), -1);
	assert_int_equal(names_find(&names, "lookuq", 6), -1);
	assert_int_equal(names_find(&names, "Lookup", 6), -1);
	/* As long, modulo 64, and with the same first byte. */
	assert_int_equal(names_find(&names, text, 0), -1);
	assert_int_equal(names_add(&names, text, 16), 1);
	assert_int_equal(names_find(&names, "lookup_fast\0resT", 16), -1);
	assert_int_equal(names_add(&names, "", 0), 2);
	assert_int_equal(names_find(&names, "", 0), 2);
	names_free(&names);
}

static void thousands_of_names_fit(void **state)
{
	static char texts[5000][80];
	struct names names = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		int len = snprintf(texts[i], sizeof(texts[i]), "%0*zu", (int)(1 + i % 79), i);

		assert_int_equal(names_add(&names, texts[i], len), i);
	}
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_int_equal(names_find(&names, texts[i], strlen(texts[i])), i);
	assert_int_equal(names_find(&names, "5001", 4), -1);
	names_free(&names);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_keeps_its_number),
		cmocka_unit_test(length_and_every_byte_count),
		cmocka_unit_test(thousands_of_names_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

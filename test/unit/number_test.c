// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/base/number.c: what a user types is taken whole and within its range, or not at all. */
#include "test.h"

#include "core/base/number.h"

#define UNTOUCHED UINT64_C(0xdeadbeef)
#define NS UINT64_C(1000000000)

struct uint_case {
	const char *word;
	uint64_t min, max;
	int err;
	uint64_t value;
};

static void check_uints(const struct uint_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = UNTOUCHED;
		int err = parse_uint(cases[i].word, cases[i].min, cases[i].max, &value);
		uint64_t expected = cases[i].err ? UNTOUCHED : cases[i].value;

		if (err != cases[i].err || value != expected)
			fail_msg("'%s' in %lu..%lu: expected %d and %lu, got %d and %lu",
				 cases[i].word, cases[i].min, cases[i].max, cases[i].err, expected,
				 err, value);
	}
}

static void whole_numbers_are_read(void **state)
{
	static const struct uint_case cases[] = {
		{ "0", 0, 10, 0, 0 },
		{ "7", 0, 10, 0, 7 },
		{ "10", 0, 10, 0, 10 },
		{ "0010", 0, 10, 0, 10 },
		{ "000000000000000000000000000001", 0, 10, 0, 1 },
		{ "4294967295", 0, UINT32_MAX, 0, UINT32_MAX },
		{ "18446744073709551615", 0, UINT64_MAX, 0, UINT64_MAX },
	};

	(void)state;
	check_uints(cases, COUNT_OF(cases));
}

static void numbers_out_of_range_are_refused(void **state)
{
	static const struct uint_case cases[] = {
		{ "0", 1, 10, -ERANGE, 0 },
		{ "11", 1, 10, -ERANGE, 0 },
		{ "2147483648", 1, INT32_MAX, -ERANGE, 0 },
		{ "4294967296", 0, UINT32_MAX, -ERANGE, 0 },
		{ "4294967297", 1, UINT32_MAX, -ERANGE, 0 },
		{ "18446744073709551615", 0, 10, -ERANGE, 0 },
		/* 2^64, 2^64 + 1 and more must not wrap, whatever the range. */
		{ "18446744073709551616", 0, 10, -ERANGE, 0 },
		{ "18446744073709551617", 0, 10, -ERANGE, 0 },
		{ "18446744073709551616", 0, UINT64_MAX, -ERANGE, 0 },
		{ "18446744073709551620", 0, UINT64_MAX, -ERANGE, 0 },
		{ "99999999999999999999", 0, UINT64_MAX, -ERANGE, 0 },
		{ "100000000000000000000000000000000000000000", 0, UINT64_MAX, -ERANGE, 0 },
		{ "184467440737095516150000000000000000000000", 0, UINT64_MAX, -ERANGE, 0 },
	};

	(void)state;
	check_uints(cases, COUNT_OF(cases));
}

static void what_is_no_whole_number_is_refused(void **state)
{
	static const char *const words[] = {
		"", " ", "abc", "x1", "1x", "12a", "-1", "+1", "-0", " 1", "1 ", "\t1", "1\n",
		"1 2", "1,000", "1_000", "0x10", "1e3", "1.0", "1.", ".1", "--", "\xd9\xa1",
		"\xff", "1\xff", "18446744073709551616x",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		const struct uint_case one = { words[i], 0, UINT64_MAX, -EINVAL, 0 };

		check_uints(&one, 1);
	}
}

struct seconds_case {
	const char *word;
	int err;
	uint64_t ns;
};

static void check_seconds(const struct seconds_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t ns = UNTOUCHED;
		int err = parse_seconds(cases[i].word, &ns);
		uint64_t expected = cases[i].err ? UNTOUCHED : cases[i].ns;

		if (err != cases[i].err || ns != expected)
			fail_msg("'%s': expected %d and %lu ns, got %d and %lu ns", cases[i].word,
				 cases[i].err, expected, err, ns);
	}
}

static void seconds_may_have_nine_decimals(void **state)
{
	static const struct seconds_case cases[] = {
		{ "1", 0, NS },
		{ "5", 0, 5 * NS },
		{ "007", 0, 7 * NS },
		{ "0.25", 0, NS / 4 },
		{ "0.5", 0, NS / 2 },
		{ ".5", 0, NS / 2 },
		{ "1.", 0, NS },
		{ "1.5", 0, NS + NS / 2 },
		{ "2.000", 0, 2 * NS },
		{ "0.000000001", 0, 1 },
		{ "0.999999999", 0, NS - 1 },
		{ "12.000000345", 0, 12 * NS + 345 },
		{ "86400", 0, 86400 * NS },
		{ "100000000", 0, 100000000 * NS },
		{ "99999999.999999999", 0, 100000000 * NS - 1 },
	};

	(void)state;
	check_seconds(cases, COUNT_OF(cases));
}

static void seconds_are_above_0_and_at_most_10_to_the_8(void **state)
{
	static const struct seconds_case cases[] = {
		{ "0", -ERANGE, 0 },
		{ "00", -ERANGE, 0 },
		{ "0.0", -ERANGE, 0 },
		{ "0.000000000", -ERANGE, 0 },
		{ "100000001", -ERANGE, 0 },
		{ "100000000.000000001", -ERANGE, 0 },
		{ "100000000.5", -ERANGE, 0 },
		/* These would wrap, as nanoseconds or as seconds. */
		{ "18446744073", -ERANGE, 0 },
		{ "18446744074", -ERANGE, 0 },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "18446744073709551617", -ERANGE, 0 },
		{ "99999999999999999999999999", -ERANGE, 0 },
	};

	(void)state;
	check_seconds(cases, COUNT_OF(cases));
}

static void what_is_no_number_of_seconds_is_refused(void **state)
{
	static const char *const words[] = {
		"", ".", "..5", ".5.", "abc", "-1", "+1", "-0.5", " 1", "1 ", "1s", "0.5s", "1e3",
		"1,5", "1..5", "1.5.5", "1.-5", "1.+5", "1. 5", "inf", "nan", "0x1", "0x1p3",
		"0.0000000001", "0.0000000000", "1.1234567890", "1.00000000000000000000001",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		const struct seconds_case one = { words[i], -EINVAL, 0 };

		check_seconds(&one, 1);
	}
}

static void printed_numbers_come_back(void **state)
{
	uint32_t seed = 20261130;
	char word[64];

	(void)state;
	for (int i = 0; i < 5000; i++) {
		uint64_t value = (uint64_t)random_next(&seed) << 32 | random_next(&seed), back;

		value >>= random_next(&seed) % 64;
		snprintf(word, sizeof(word), "%lu", value);
		assert_int_equal(parse_uint(word, value, value, &back), 0);
		assert_int_equal(back, value);
		value %= 100000000 * NS;
		value += !value;
		snprintf(word, sizeof(word), "%lu.%09lu", value / NS, value % NS);
		assert_int_equal(parse_seconds(word, &back), 0);
		assert_int_equal(back, value);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_read),
		cmocka_unit_test(numbers_out_of_range_are_refused),
		cmocka_unit_test(what_is_no_whole_number_is_refused),
		cmocka_unit_test(seconds_may_have_nine_decimals),
		cmocka_unit_test(seconds_are_above_0_and_at_most_10_to_the_8),
		cmocka_unit_test(what_is_no_number_of_seconds_is_refused),
		cmocka_unit_test(printed_numbers_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

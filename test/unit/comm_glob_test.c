// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns of names: core/trace/comm_glob.c, and the matching that the kernel side does, too. */
#include "test.h"

#include <fnmatch.h>

#include "core/trace/comm_glob.h"

/* As the kernel has it: 16 bytes, whatever stands behind the end. */
static bool matches(const char *pattern, const char *name)
{
	struct filter_comm comm;
	char bytes[16];

	memset(bytes, 'x', sizeof(bytes));
	assert_true(strlen(name) < sizeof(bytes));
	memcpy(bytes, name, strlen(name) + 1);
	assert_int_equal(comm_glob_parse(pattern, &comm), 0);
	return filter_comm_matches(&comm, bytes, FILTER_COMM_MAX);
}

static void names_are_compared_whole(void **state)
{
	(void)state;
	assert_true(matches("make", "make"));
	assert_false(matches("make", "mak"));
	assert_false(matches("make", "makes"));
	assert_false(matches("make", "cmake"));
	assert_false(matches("make", ""));
	assert_true(matches("abcdefghijklmno", "abcdefghijklmno"));
	assert_false(matches("abcdefghijklmno", "abcdefghijklmn"));
	assert_true(matches("\xc3\xa4*", "\xc3\xa4rger"));
}

static void patterns_match_as_in_a_shell(void **state)
{
	(void)state;
	assert_true(matches("*", ""));
	assert_true(matches("*", "anything"));
	assert_true(matches("nginx*", "nginx"));
	assert_true(matches("nginx*", "nginx: worker"));
	assert_false(matches("nginx*", "ngin"));
	assert_true(matches("*worker", "kworker"));
	assert_true(matches("k*/?:*", "kworker/0:1"));
	assert_false(matches("k*/?:*", "kworker/12:1"));
	assert_true(matches("python[23]*", "python3.11"));
	assert_false(matches("python[!23]*", "python3.11"));
	assert_true(matches("[]a-]x", "-x"));
	assert_true(matches("[]a-]x", "]x"));
	assert_false(matches("[]a-]x", "bx"));
	assert_true(matches("[a-c]", "b"));
	assert_false(matches("[^a-c]", "b"));
	assert_true(matches("\\*", "*"));
	assert_false(matches("\\*", "a"));
	assert_true(matches("[\\]]", "]"));
	assert_true(matches("\\", "\\"));
	assert_true(matches("***a***", "bab"));
}

static void what_can_match_nothing_is_refused(void **state)
{
	struct filter_comm comm;

	(void)state;
	assert_int_equal(comm_glob_parse("", &comm), -EINVAL);
	assert_int_equal(comm_glob_parse("abcdefghijklmnop", &comm), -E2BIG);
	assert_int_equal(comm_glob_parse("????????????????", &comm), -E2BIG);
	assert_int_equal(comm_glob_parse("[ab", &comm), -EINVAL);
	assert_int_equal(comm_glob_parse("[]", &comm), -EINVAL);
	assert_int_equal(comm_glob_parse("*a*b*c*d*e*f*g*h*i*j*k*l*m*n*o*", &comm), 0);
}

/* Random patterns and names of few different characters: the C library says the same. */
static void random_ones_match_as_in_the_c_library(void **state)
{
	static const char *const parts[] = { "a", "b", "*", "?", "[ab]", "[!a]", "\\*", "c" };
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char pattern[64] = "", name[8] = "";

		for (int n = 1 + random_next(&seed) % 6; n; n--)
			strcat(pattern, parts[random_next(&seed) % COUNT_OF(parts)]);
		for (int n = random_next(&seed) % 7, i = 0; i < n; i++)
			name[i] = "abc*"[random_next(&seed) % 4];
		if (matches(pattern, name) == !fnmatch(pattern, name, 0))
			continue;
		fail_msg("'%s' and '%s'", pattern, name);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_compared_whole),
		cmocka_unit_test(patterns_match_as_in_a_shell),
		cmocka_unit_test(what_can_match_nothing_is_refused),
		cmocka_unit_test(random_ones_match_as_in_the_c_library),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

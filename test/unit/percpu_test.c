// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/percpu.c: which maps get a place for each CPU, and what is in them. */
#include "test.h"

#include <bpf/libbpf.h>

#include "core/kernel/percpu.h"

static void only_our_maps_grow(void **state)
{
	struct bpf_object *object = bpf_object__open_file(FSTRACE_TEST_OBJECTS "/dcsnoop.bpf.o", NULL);
	struct bpf_object *other = bpf_object__open_file(FSTRACE_TEST_PERCPU_OBJECT, NULL);
	char possible[4096] = "";
	FILE *file = fopen("/sys/devices/system/cpu/possible", "r");
	unsigned int rings;

	(void)state;
	assert_non_null(object);
	assert_non_null(other);
	assert_non_null(file);
	assert_non_null(fgets(possible, sizeof(possible), file));
	fclose(file);
	rings = bpf_map__max_entries(bpf_object__find_map_by_name(object, "events"));
	assert_int_equal(percpu_prepare(object), 0);
	assert_int_equal(bpf_map__max_entries(bpf_object__find_map_by_name(object, "account")),
			 percpu_numbers(possible));
	assert_in_range(percpu_numbers(possible), libbpf_num_possible_cpus(), 1 << 16);
	assert_int_equal(bpf_map__max_entries(bpf_object__find_map_by_name(object, "events")), rings);
	assert_int_equal(bpf_map__max_entries(bpf_object__find_map_by_name(object, ".rodata")), 1);
	/* Mapped as well, but no counters. */
	assert_int_equal(percpu_prepare(other), 0);
	assert_int_equal(bpf_map__max_entries(bpf_object__find_map_by_name(other, "mapped")), 1);
	assert_int_equal(bpf_map__max_entries(bpf_object__find_map_by_name(other, "counters")),
			 percpu_numbers(possible));
	bpf_object__close(object);
	bpf_object__close(other);
}

static void numbers_of_cpus_may_have_gaps(void **state)
{
	static const struct {
		const char *possible;
		int numbers;
	} cases[] = {
		{ "0\n", 1 }, { "0-1\n", 2 }, { "0-127\n", 128 }, { "0", 1 }, { "0-1,4-5\n", 6 },
		{ "0,2,4\n", 5 }, { "0-3,8\n", 9 }, { "4-7\n", 8 }, { "0-8191\n", 8192 },
		{ "", -EINVAL }, { "\n", -EINVAL }, { "0-\n", -EINVAL }, { "0,\n", -EINVAL },
		{ "x\n", -EINVAL }, { "0-1 \n", -EINVAL }, { "0-99999999999999999999\n", -EINVAL },
		{ "0-4294967295\n", -EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		if (percpu_numbers(cases[i].possible) != cases[i].numbers)
			fail_msg("'%s': %d", cases[i].possible, percpu_numbers(cases[i].possible));
}

static void counters_of_all_cpus_are_added_up(void **state)
{
	static const __u64 values[3][4] = { { 1, 2, 3, 4 }, { 10, 20, 30, 40 }, { 1ULL << 40 } };
	static const struct percpu percpu = { values, sizeof(values[0]), 3 };
	__u64 total[2] = { 77, 77 };

	(void)state;
	percpu_sum(&percpu, 0, total, 2);
	assert_int_equal(total[0], (1ULL << 40) + 11);
	assert_int_equal(total[1], 22);
	percpu_sum(&percpu, 2 * sizeof(__u64), total, 1);
	assert_int_equal(total[0], 33);
	assert_int_equal(total[1], 22);
}

/* As a loaded map is, by its file descriptor. */
static void what_cannot_be_mapped_is_an_error(void **state)
{
	struct bpf_object *object = bpf_object__open_file(FSTRACE_TEST_OBJECTS "/dcsnoop.bpf.o", NULL);
	struct percpu percpu = { 0 };

	(void)state;
	assert_non_null(object);
	assert_true(percpu_open(&percpu, bpf_object__find_map_by_name(object, "account")) < 0);
	assert_null(percpu.values);
	percpu_close(&percpu);
	bpf_object__close(object);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_our_maps_grow),
		cmocka_unit_test(numbers_of_cpus_may_have_gaps),
		cmocka_unit_test(counters_of_all_cpus_are_added_up),
		cmocka_unit_test(what_cannot_be_mapped_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

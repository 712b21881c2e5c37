// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/percpu.c: which maps get a place for each CPU, and what is in them. */
#include "test.h"

#include <bpf/libbpf.h>

#include "core/kernel/percpu.h"

static void only_our_maps_grow(void **state)
{
	struct bpf_object *object = bpf_object__open_file(FSTRACE_TEST_OBJECTS "/dcsnoop.bpf.o", NULL);
	unsigned int rings;

	(void)state;
	assert_non_null(object);
	rings = bpf_map__max_entries(bpf_object__find_map_by_name(object, "events"));
	assert_int_equal(percpu_prepare(object), 0);
	assert_int_equal(bpf_map__max_entries(bpf_object__find_map_by_name(object, "account")),
			 libbpf_num_possible_cpus());
	assert_int_equal(bpf_map__max_entries(bpf_object__find_map_by_name(object, "events")), rings);
	assert_int_equal(bpf_map__max_entries(bpf_object__find_map_by_name(object, ".rodata")), 1);
	bpf_object__close(object);
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
		cmocka_unit_test(counters_of_all_cpus_are_added_up),
		cmocka_unit_test(what_cannot_be_mapped_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/kernel/kernel_btf.c and the files it uses: what they find is what libbpf's own full parse
 * finds. (Files that are broken: kernel_btf_broken_test.c; real kernels: kernel_btf_real_test.c.)
 */
#include "btf_check.h"

static void functions_are_found_as_libbpf_finds_them(void **state)
{
	struct btf_function functions[] = {
		{ .name = "d_lookup" }, { .name = "no_args" }, { .name = "twelve" },
		{ .name = "twice" }, { .name = "absent" }, { .name = "d_look" },
		{ .name = "d_alloc_parallel" }, { .name = "dentry" }, { .name = "int" },
		/* Rubbish of an earlier use. */
		{ .name = "d_lookup_more", .id = 7, .args = 7, .copies = 7, .in_module = true },
	};
	struct btf *full = make_kernel(), *local = make_local((const char *[]){ NULL }), *types;
	struct file file = file_of_btf(full);

	(void)state;
	assert_int_equal(kernel_btf_read(file.path, NULL, local, functions,
					 COUNT_OF(functions), &types), 0);
	assert_int_equal(check_functions(full, -1, functions, COUNT_OF(functions)), 5);
	assert_int_equal(functions[0].args, 2);
	assert_int_equal(functions[1].args, 0);
	assert_int_equal(functions[2].args, 12);
	assert_int_equal(functions[3].copies, 2);
	btf__free(types);
	btf__free(local);
	btf__free(full);
	close(file.fd);
}

static void types_are_copied_with_all_they_hold(void **state)
{
	static const char *const names[] = {
		"dentry", "file", "bits", "absent", "nameidata", "enum dentry_flags___by_enum",
		"enum large_flags", "dentry___older", NULL,
	};
	struct btf *full = make_kernel(), *local = make_local(names), *types;
	struct file file = file_of_btf(full);

	(void)state;
	assert_int_equal(kernel_btf_read(file.path, NULL, local, NULL, 0, &types), 0);
	assert_int_equal(check_types(full, local, types), 6);
	/* Contained by value, so it is copied without being requested; the rest is not. */
	assert_int_equal(check_name(full, types, "qstr"), 1);
	assert_true(btf__find_by_name(types, "unrelated") < 0);
	assert_true(btf__find_by_name(types, "d_lookup") < 0);
	btf__free(types);
	btf__free(local);
	btf__free(full);
	close(file.fd);
}

static void the_types_are_btf_that_libbpf_reads(void **state)
{
	static const char *const names[] = { "file", "bits", NULL };
	struct btf *full = make_kernel(), *local = make_local(names), *types, *again;
	struct file file = file_of_btf(full), written;

	(void)state;
	assert_int_equal(kernel_btf_read(file.path, NULL, local, NULL, 0, &types), 0);
	written = file_of_btf(types);
	again = btf__parse_raw(written.path);
	assert_non_null(again);
	check_types(full, local, again);
	btf__free(again);
	btf__free(types);
	btf__free(local);
	btf__free(full);
	close(file.fd);
	close(written.fd);
}

/* The part after "___" distinguishes the object's own descriptions of one type. */
static void a_flavour_asks_for_the_plain_name(void **state)
{
	static const char *const names[] = {
		"unrelated___older", "enum alone___by_enum", "qstr___first", "qstr___second", NULL,
	};
	struct btf *full = make_kernel(), *local = make_local(names), *types;
	struct file file;

	(void)state;
	id_of(btf__add_enum(full, "alone", 4));
	assert_int_equal(btf__add_enum_value(full, "ALONE", 7), 0);
	file = file_of_btf(full);
	assert_int_equal(kernel_btf_read(file.path, NULL, local, NULL, 0, &types), 0);
	assert_int_equal(check_types(full, local, types), 4);
	assert_int_equal(check_name(full, types, "unrelated"), 1);
	assert_int_equal(check_name(full, types, "alone"), 1);
	btf__free(types);
	btf__free(local);
	btf__free(full);
	close(file.fd);
}

static void a_function_and_a_type_may_share_a_name(void **state)
{
	static const char *const names[] = { "both", "type", NULL };
	struct btf_function functions[] = { { .name = "both" }, { .name = "function" } };
	struct btf *full = make_kernel(), *local = make_local(names), *types;
	struct file file;

	(void)state;
	for (int i = 0; i < 3; i++) {
		const char *name = (const char *[]){ "both", "type", "function" }[i];

		add_struct(full, name, "member", btf__find_by_name(full, "int"), 4);
		add_function(full, name, i);
	}
	file = file_of_btf(full);
	assert_int_equal(kernel_btf_read(file.path, NULL, local, functions, 2, &types), 0);
	assert_int_equal(check_functions(full, -1, functions, 2), 2);
	assert_int_equal(check_types(full, local, types), 2);
	assert_true(btf__find_by_name(types, "function") < 0);
	btf__free(types);
	btf__free(local);
	btf__free(full);
	close(file.fd);
}

/* Two probes may have a candidate in common. */
static void one_function_may_be_asked_for_twice(void **state)
{
	struct btf_function functions[] = {
		{ .name = "d_lookup" }, { .name = "no_args" }, { .name = "d_lookup" },
	};
	struct btf *full = make_kernel(), *local = make_local((const char *[]){ NULL }), *types;
	struct file file = file_of_btf(full);

	(void)state;
	assert_int_equal(kernel_btf_read(file.path, NULL, local, functions, 3, &types), 0);
	check_functions(full, -1, functions, 3);
	btf__free(types);
	btf__free(local);
	btf__free(full);
	close(file.fd);
}

/* More than the reader keeps in memory, of types and of strings. */
static void a_large_file_is_read_piece_by_piece(void **state)
{
	static char names[FUNCTIONS_MAX][64];
	struct btf_function functions[FUNCTIONS_MAX];
	static const char *const wanted[] = { "dentry", "struct_of_200", "struct_of_3999", NULL };
	struct btf *full = make_kernel(), *local = make_local(wanted), *types;
	int integer = btf__find_by_name(full, "int");
	uint32_t seed = 64;
	struct file file;
	char name[64];

	(void)state;
	for (int i = 0; i < 4000; i++) {
		int members = random_next(&seed) % 30;

		snprintf(name, sizeof(name), "function_%d_%x", i, random_next(&seed));
		if (i % 64 == 13)
			strcpy(names[i / 64], name);
		add_function(full, name, i % 11);
		snprintf(name, sizeof(name), "struct_of_%d", i);
		id_of(btf__add_struct(full, name, 4 * members));
		for (int j = 0; j < members; j++) {
			snprintf(name, sizeof(name), "member_%d", j);
			assert_int_equal(btf__add_field(full, name, integer, 32 * j, 0), 0);
		}
	}
	strcpy(names[63], "not_there");
	for (int i = 0; i < FUNCTIONS_MAX; i++)
		functions[i] = (struct btf_function){ .name = names[i] };
	/* 4000 / 64 is not 63: one name was not filled in. */
	functions[62].name = "d_lookup";
	file = file_of_btf(full);
	assert_int_equal(kernel_btf_read(file.path, NULL, local, functions, FUNCTIONS_MAX,
					 &types), 0);
	assert_int_equal(check_functions(full, -1, functions, FUNCTIONS_MAX), FUNCTIONS_MAX - 1);
	assert_int_equal(check_types(full, local, types), 3);
	btf__free(types);
	btf__free(local);
	btf__free(full);
	close(file.fd);
}

static const struct btf_function module_functions[] = {
	{ .name = "ext4_file_open" }, { .name = "ext4_sync_file" }, { .name = "ext4_twice" },
	{ .name = "qstr" }, { .name = "no_args" }, { .name = "d_lookup" }, { .name = "absent" },
};

static void functions_of_a_module_are_found(void **state)
{
	static const char *const names[] = { "dentry", NULL };
	struct btf_function functions[COUNT_OF(module_functions)];
	struct btf *kernel = make_kernel(), *module, *local = make_local(names), *types;
	__u32 first_module = btf__type_cnt(kernel);
	struct file file = file_of_btf(kernel), module_file;

	(void)state;
	module = make_module(kernel);
	module_file = file_of_btf(module);
	memcpy(functions, module_functions, sizeof(functions));
	set_module(functions, COUNT_OF(functions), file_name(&module_file));
	assert_int_equal(kernel_btf_read(file.path, "/proc/self/fd", local, functions,
					 COUNT_OF(functions), &types), 0);
	assert_int_equal(check_functions(module, first_module, functions, COUNT_OF(functions)), 6);
	assert_true(functions[0].in_module);
	assert_false(functions[5].in_module);
	assert_int_equal(functions[2].copies, 2);
	/* The kernel has one, too; if a module is named, the module's counts. */
	assert_true(functions[4].in_module);
	assert_int_equal(functions[4].copies, 1);
	for (size_t i = 0; i < COUNT_OF(functions); i++)
		assert_int_equal(functions[i].module_error, 0);
	/* Types are the kernel's alone. */
	check_types(kernel, local, types);
	btf__free(types);
	btf__free(local);
	btf__free(module);
	btf__free(kernel);
	close(file.fd);
	close(module_file.fd);
}

/* As the kernel numbers them: the BTF of each module begins where that of the kernel ends. */
static void each_function_is_looked_for_in_its_own_module(void **state)
{
	struct btf *kernel = make_kernel(), *first = btf__new_empty_split(kernel),
		   *second = btf__new_empty_split(kernel);
	struct btf *local = make_local((const char *[]){ "dentry", NULL }), *types;
	struct file file = file_of_btf(kernel), first_file, second_file;
	__u32 end = btf__type_cnt(kernel);

	(void)state;
	add_function(first, "read_iter", 2);
	add_function(first, "do_open", 3);
	add_function(first, "d_lookup", 9);
	add_function(second, "padding", 1);
	add_function(second, "do_open", 4);
	add_function(second, "write_iter", 5);
	add_function(second, "write_iter", 6);
	first_file = file_of_btf(first);
	second_file = file_of_btf(second);
	struct btf_function functions[] = {
		{ .name = "do_open", .module = file_name(&first_file) },
		{ .name = "do_open", .module = file_name(&second_file) },
		{ .name = "do_open", .module = "no_such_module" },
		{ .name = "do_open" },
		{ .name = "read_iter", .module = file_name(&first_file) },
		{ .name = "read_iter", .module = file_name(&second_file) },
		{ .name = "write_iter", .module = file_name(&second_file) },
		{ .name = "d_lookup", .module = file_name(&second_file) },
		{ .name = "d_lookup", .module = "no_such_module" },
		{ .name = "d_lookup", .module = file_name(&first_file) },
		{ .name = "do_open", .module = file_name(&first_file) },
	};
	const struct {
		__u32 id, args, copies;
		bool in_module;
		int module_error;
	} expected[] = {
		{ end + 3, 3, 1, true, 0 }, { end + 3, 4, 1, true, 0 }, { 0, 0, 0, false, -ENOENT },
		{ 0, 0, 0, false, 0 }, { end + 1, 2, 1, true, 0 }, { 0, 0, 0, false, 0 },
		{ end + 7, 6, 2, true, 0 },
		{ btf__find_by_name(kernel, "d_lookup"), 2, 1, false, 0 },
		{ btf__find_by_name(kernel, "d_lookup"), 2, 1, false, -ENOENT },
		{ end + 5, 9, 1, true, 0 }, { end + 3, 3, 1, true, 0 },
	};

	assert_int_equal(kernel_btf_read(file.path, "/proc/self/fd", local, functions,
					 COUNT_OF(functions), &types), 0);
	for (size_t i = 0; i < COUNT_OF(functions); i++) {
		const struct btf_function *got = &functions[i];

		if (got->id != expected[i].id || got->args != expected[i].args ||
		    got->copies != expected[i].copies || got->in_module != expected[i].in_module ||
		    got->module_error != expected[i].module_error)
			fail_msg("%zu: %s: id %u (kernel's end: %u), %u args, %u copies, %d, %d", i,
				 got->name, got->id, end, got->args, got->copies, got->in_module,
				 got->module_error);
	}
	btf__free(types);
	btf__free(local);
	btf__free(second);
	btf__free(first);
	btf__free(kernel);
	close(file.fd);
	close(first_file.fd);
	close(second_file.fd);
}

/* Of any length, too; libbpf's own functions do not cut names either. */
static void any_number_of_names_is_looked_for(void **state)
{
	static struct btf_function functions[3000];
	static char names[COUNT_OF(functions)][32];
	struct btf *kernel = make_kernel(), *local = make_local((const char *[]){ NULL }), *types;
	__u32 first_id = btf__type_cnt(kernel);
	char long_name[1000];
	struct file file;

	(void)state;
	memset(long_name, 'x', sizeof(long_name));
	long_name[sizeof(long_name) - 1] = '\0';
	for (size_t i = 0; i < COUNT_OF(functions); i++) {
		snprintf(names[i], sizeof(names[i]), "function_%zu", i % 2000);
		functions[i].name = names[i];
		if (i % 2 && i < 2000)
			add_function(kernel, names[i], i % 11);
	}
	functions[2].name = long_name;
	add_function(kernel, long_name, 3);
	file = file_of_btf(kernel);
	assert_int_equal(kernel_btf_read(file.path, NULL, local, functions, COUNT_OF(functions),
					 &types), 0);
	for (size_t i = 0; i < COUNT_OF(functions); i++) {
		size_t n = i % 2000;

		if (i == 2)
			n = 2001;	/* added last */
		assert_int_equal(functions[i].id, n % 2 ? first_id + 2 * (n / 2) + 1 : 0);
		assert_int_equal(functions[i].args, i == 2 ? 3 : n % 2 ? n % 11 : 0);
		assert_int_equal(functions[i].copies, n % 2);
	}
	btf__free(types);
	btf__free(local);
	btf__free(kernel);
	close(file.fd);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_as_libbpf_finds_them),
		cmocka_unit_test(types_are_copied_with_all_they_hold),
		cmocka_unit_test(the_types_are_btf_that_libbpf_reads),
		cmocka_unit_test(a_flavour_asks_for_the_plain_name),
		cmocka_unit_test(a_function_and_a_type_may_share_a_name),
		cmocka_unit_test(one_function_may_be_asked_for_twice),
		cmocka_unit_test(a_large_file_is_read_piece_by_piece),
		cmocka_unit_test(functions_of_a_module_are_found),
		cmocka_unit_test(each_function_is_looked_for_in_its_own_module),
		cmocka_unit_test(any_number_of_names_is_looked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

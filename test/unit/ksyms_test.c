// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/ksyms.c: which functions a kallsyms file has, and which only look like them. */
#include "test.h"

#include "core/kernel/ksyms.h"

/* Reads a file of data/, or if it is none, the text itself. */
static long find(const char *text, struct ksym *symbols, size_t nsymbols)
{
	char path[512];
	FILE *file;
	long seen;

	snprintf(path, sizeof(path), FSTRACE_TEST_DATA "/%.100s", text);
	file = fopen(path, "r");
	if (!file)
		file = fmemopen((void *)text, strlen(text), "r");
	assert_non_null(file);
	seen = ksyms_find(file, symbols, nsymbols);
	fclose(file);
	return seen;
}

static void check(const struct ksym *symbol, unsigned int copies, const char *module,
		  unsigned int clones, const char *clone)
{
	if (symbol->copies != copies || symbol->clones != clones ||
	    strcmp(symbol->module, module) || strcmp(symbol->clone, clone))
		fail_msg("%s: expected %u in '%s' and %u as '%s', got %u in '%s' and %u as '%s'",
			 symbol->name, copies, module, clones, clone, symbol->copies,
			 symbol->module, symbol->clones, symbol->clone);
}

static void functions_of_kernel_and_modules_are_found(void **state)
{
	struct ksym symbols[] = {
		{ .name = "d_lookup" }, { .name = "ext4_file_read_iter" },
		{ .name = "ext4_sync_file" }, { .name = "bpf_prog_6deef7357e7b4530_sd_fw_ingress" },
		{ .name = "weak_upper" }, { .name = "weak_lower" }, { .name = "d_alloc_parallel" },
	};

	(void)state;
	assert_int_equal(find("kallsyms-modules", symbols, COUNT_OF(symbols)), 20);
	check(&symbols[0], 1, "", 0, "");
	check(&symbols[1], 1, "ext4", 0, "");
	check(&symbols[2], 1, "ext4", 0, "");
	check(&symbols[3], 1, "bpf", 0, "");
	check(&symbols[4], 1, "", 0, "");
	check(&symbols[5], 1, "", 0, "");
	check(&symbols[6], 1, "", 0, "");
}

static void names_that_only_begin_or_end_alike_are_others(void **state)
{
	struct ksym symbols[] = {
		{ .name = "lookup_fast" }, { .name = "ext4_file_open" }, { .name = "lookup" },
		{ .name = "fast" }, { .name = "d_loo" }, { .name = "ext4_file_read_iter2" },
	};

	(void)state;
	find("kallsyms-modules", symbols, COUNT_OF(symbols));
	for (size_t i = 0; i < COUNT_OF(symbols); i++)
		check(&symbols[i], 0, "", 0, "");
}

static void data_symbols_are_no_functions(void **state)
{
	struct ksym symbols[] = {
		{ .name = "ext4_file_operations" }, { .name = "dentry_hashtable" },
		{ .name = "sysctl_vfs_cache_pressure" }, { .name = "fixed_percpu_data" },
		{ .name = "weak_object" }, { .name = "__ksymtab_d_lookup" },
	};

	(void)state;
	find("kallsyms-modules", symbols, COUNT_OF(symbols));
	for (size_t i = 0; i < COUNT_OF(symbols); i++)
		check(&symbols[i], 0, "", 0, "");
}

static void clones_are_told_from_fragments_and_padding(void **state)
{
	struct ksym symbols[] = {
		{ .name = "lookup_fast" }, { .name = "lookup_dcache" }, { .name = "path_openat" },
		{ .name = "d_alloc_parallel" }, { .name = "__lookup_slow" },
		{ .name = "ext4_file_open" }, { .name = "step_into" },
		{ .name = "legitimize_root" }, { .name = "ext4_sync_file" },
	};

	(void)state;
	find("kallsyms-clones", symbols, COUNT_OF(symbols));
	check(&symbols[0], 0, "", 1, "lookup_fast.constprop.0");
	check(&symbols[1], 0, "", 1, "lookup_dcache.isra.12");
	check(&symbols[2], 1, "", 0, "");			/* and .cold, .part, __pfx_ */
	check(&symbols[3], 0, "", 1, "d_alloc_parallel.llvm.11865284730287423516");
	check(&symbols[4], 0, "", 0, "");			/* nothing but fragments */
	check(&symbols[5], 0, "ext4", 1, "ext4_file_open.isra.0");
	check(&symbols[6], 1, "", 1, "step_into.constprop.0");	/* both are live */
	check(&symbols[7], 0, "", 1, "legitimize_root.isra.0.constprop.0");
	check(&symbols[8], 1, "ext4", 0, "");
}

static void every_suffix_counts_as_what_it_is(void **state)
{
	static const struct {
		const char *suffix;
		unsigned int copies, clones;
	} cases[] = {
		{ "", 1, 0 },
		{ ".constprop.0", 0, 1 }, { ".isra.0", 0, 1 }, { ".isra.0.constprop.1", 0, 1 },
		{ ".llvm.123456789", 0, 1 },
		{ ".part.0", 0, 0 }, { ".cold", 0, 0 }, { ".cold.17", 0, 0 },
		{ ".constprop.0.cold", 0, 0 }, { ".isra.0.cold", 0, 0 }, { ".isra.0.part.1", 0, 0 },
		{ ".part.0.isra.1", 0, 0 }, { ".constprop.0.part.1.cold", 0, 0 },
		{ ".llvm.1.cold", 0, 0 }, { ".constprop", 0, 0 }, { ".other.0", 0, 0 },
		{ "constprop.0", 0, 0 }, { "_isra.0", 0, 0 }, { ".", 0, 0 }, { "x", 0, 0 },
		{ ".0", 0, 0 },
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct ksym symbol = { .name = "name" };

		snprintf(line, sizeof(line), "ffffffff81000000 t name%s\n", cases[i].suffix);
		assert_int_equal(find(line, &symbol, 1), 1);
		if (symbol.copies != cases[i].copies || symbol.clones != cases[i].clones)
			fail_msg("'name%s': %u copies, %u clones", cases[i].suffix, symbol.copies,
				 symbol.clones);
	}
}

static void padding_before_a_function_is_no_second_one(void **state)
{
	struct ksym symbol = { .name = "d_lookup" };

	(void)state;
	find("ffffffff81000000 t __pfx_d_lookup\nffffffff81000010 T d_lookup\n", &symbol, 1);
	check(&symbol, 1, "", 0, "");
}

static void functions_of_one_name_are_counted(void **state)
{
	struct ksym symbols[] = {
		{ .name = "lookup_dcache" }, { .name = "name_show" }, { .name = "size_show" },
	};

	(void)state;
	find("kallsyms-duplicates", symbols, COUNT_OF(symbols));
	check(&symbols[0], 2, "", 0, "");
	check(&symbols[1], 3, "xfs", 0, "");		/* the last one's module */
	check(&symbols[2], 0, "", 2, "size_show.constprop.0");
}

static void one_name_may_be_asked_for_twice(void **state)
{
	struct ksym symbols[] = { { .name = "d_lookup" }, { .name = "d_lookup" } };

	(void)state;
	find("ffffffff81000010 T d_lookup\n", symbols, 2);
	check(&symbols[0], 1, "", 0, "");
	check(&symbols[1], 1, "", 0, "");
}

static void hidden_addresses_do_not_matter(void **state)
{
	struct ksym symbols[] = { { .name = "d_lookup" }, { .name = "ext4_file_read_iter" } };

	(void)state;
	assert_int_equal(find("kallsyms-hidden", symbols, COUNT_OF(symbols)), 5);
	check(&symbols[0], 1, "", 0, "");
	check(&symbols[1], 1, "ext4", 0, "");
}

static void broken_lines_are_passed_over(void **state)
{
	static const char *const lines[] = {
		"", " ", "  ", "\t", "f", "ffffffff81000000", "ffffffff81000000 ",
		"ffffffff81000000 t", "ffffffff81000000 t ", "ffffffff81000000 tname",
		"ffffffff81000000 t  name", "ffffffff81000000  t name", "ffffffff81000000\tt\tname",
		"ffffffff81000000 t \tname", "t name", "ffffffff81000000 tt name",
		"ffffffff81000000 ? name", "ffffffff81000000 U name",
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct ksym symbol = { .name = "name" }, good = { .name = "good" };

		snprintf(text, sizeof(text), "%s\nffffffff81000010 T good\n", lines[i]);
		find(text, &good, 1);
		check(&good, 1, "", 0, "");
		find(text, &symbol, 1);
		check(&symbol, 0, "", 0, "");
	}
}

static void a_last_line_without_an_end_counts(void **state)
{
	struct ksym symbols[] = { { .name = "d_lookup" }, { .name = "ext4_file_open" } };

	(void)state;
	assert_int_equal(find("ffffffff81000010 T d_lookup", symbols, 2), 1);
	check(&symbols[0], 1, "", 0, "");
	assert_int_equal(find("ffffffffc0000010 t ext4_file_open\t[ext4]", symbols, 2), 1);
	check(&symbols[1], 1, "ext4", 0, "");
	assert_int_equal(find("ffffffffc0000010 t ext4_file_open\t[ext4", symbols, 2), 1);
	check(&symbols[1], 1, "ext4", 0, "");
	assert_int_equal(find("ffffffffc0000010 t ext4_file_open [ext4]", symbols, 2), 1);
	check(&symbols[1], 1, "ext4", 0, "");
}

static void an_empty_file_shows_no_functions(void **state)
{
	struct ksym symbol = { .name = "d_lookup" };
	FILE *empty = fopen("/dev/null", "r");

	(void)state;
	assert_non_null(empty);
	assert_int_equal(ksyms_find(empty, &symbol, 1), 0);
	fclose(empty);
	check(&symbol, 0, "", 0, "");
}

static void a_file_that_cannot_be_read_is_an_error(void **state)
{
	struct ksym symbol = { .name = "d_lookup" };
	FILE *folder = fopen("/", "r");

	(void)state;
	assert_non_null(folder);
	assert_true(ksyms_find(folder, &symbol, 1) < 0);
	fclose(folder);
}

static void what_was_found_before_is_forgotten(void **state)
{
	struct ksym symbol = { .name = "lookup_fast" };

	(void)state;
	find("kallsyms-clones", &symbol, 1);
	assert_int_equal(symbol.clones, 1);
	find("ffffffff81000010 T other\n", &symbol, 1);
	check(&symbol, 0, "", 0, "");
}

/* KSYM_NAME_LEN is 512 since 6.1, and Rust makes use of it. */
static void very_long_names_do_no_harm(void **state)
{
	char text[5000], name[2048];

	(void)state;
	for (size_t len = 120; len < sizeof(name); len = len < 140 ? len + 1 : len + 61) {
		struct ksym symbols[] = { { .name = "name" }, { .name = "plain" } };

		memset(name, 'x', len);
		name[len] = '\0';
		snprintf(text, sizeof(text),
			 "ffffffff81000000 t name.constprop.0%s\nffffffff81000010 t plain\t[%s]\n",
			 name, name);
		assert_int_equal(find(text, symbols, 2), 2);
		assert_int_equal(symbols[1].copies, 1);
		assert_in_range(strlen(symbols[1].module), 120, KSYM_SIZE - 1);
		assert_in_range(strlen(symbols[0].clone), 0, KSYM_SIZE - 1);
	}
}

static void random_text_does_no_harm(void **state)
{
	static const char bytes[] = "ft Tn.\t[]\nacold\n 0";
	uint32_t seed = 30;
	char text[400];

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct ksym symbol = { .name = "f" };
		size_t len = 1 + random_next(&seed) % (sizeof(text) - 1);
		FILE *file;

		for (size_t j = 0; j < len; j++)
			text[j] = random_next(&seed) % 50 ? bytes[random_next(&seed) % 18] :
							    (char)random_next(&seed);
		file = fmemopen(text, len, "r");
		assert_non_null(file);
		assert_in_range(ksyms_find(file, &symbol, 1), 0, (long)len);
		fclose(file);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_kernel_and_modules_are_found),
		cmocka_unit_test(names_that_only_begin_or_end_alike_are_others),
		cmocka_unit_test(data_symbols_are_no_functions),
		cmocka_unit_test(clones_are_told_from_fragments_and_padding),
		cmocka_unit_test(every_suffix_counts_as_what_it_is),
		cmocka_unit_test(padding_before_a_function_is_no_second_one),
		cmocka_unit_test(functions_of_one_name_are_counted),
		cmocka_unit_test(one_name_may_be_asked_for_twice),
		cmocka_unit_test(hidden_addresses_do_not_matter),
		cmocka_unit_test(broken_lines_are_passed_over),
		cmocka_unit_test(a_last_line_without_an_end_counts),
		cmocka_unit_test(an_empty_file_shows_no_functions),
		cmocka_unit_test(a_file_that_cannot_be_read_is_an_error),
		cmocka_unit_test(what_was_found_before_is_forgotten),
		cmocka_unit_test(very_long_names_do_no_harm),
		cmocka_unit_test(random_text_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

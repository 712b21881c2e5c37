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

static void check(const struct ksym *symbol, unsigned int copies, bool in_module,
		  unsigned int clones, const char *clone)
{
	if (symbol->copies != copies || symbol->clones != clones ||
	    symbol->in_module != in_module || strcmp(symbol->clone, clone))
		fail_msg("%s: expected %u in module %d and %u as '%s', got %u in %d and %u as '%s'",
			 symbol->name, copies, in_module, clones, clone, symbol->copies,
			 symbol->in_module, symbol->clones, symbol->clone);
}

static void functions_of_kernel_and_modules_are_found(void **state)
{
	struct ksym symbols[] = {
		{ .name = "d_lookup", .module = "ext4" },
		{ .name = "ext4_file_read_iter", .module = "ext4" },
		{ .name = "ext4_sync_file", .module = "ext4" },
		{ .name = "bpf_prog_6deef7357e7b4530_sd_fw_ingress", .module = "bpf" },
		{ .name = "weak_upper" }, { .name = "weak_lower" }, { .name = "d_alloc_parallel" },
	};

	(void)state;
	assert_int_equal(find("kallsyms-modules", symbols, COUNT_OF(symbols)), 20);
	check(&symbols[0], 1, false, 0, "");
	check(&symbols[1], 1, true, 0, "");
	check(&symbols[2], 1, true, 0, "");
	check(&symbols[3], 1, true, 0, "");
	check(&symbols[4], 1, false, 0, "");
	check(&symbols[5], 1, false, 0, "");
	check(&symbols[6], 1, false, 0, "");
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
		check(&symbols[i], 0, false, 0, "");
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
		check(&symbols[i], 0, false, 0, "");
}

static void clones_are_told_from_fragments_and_padding(void **state)
{
	struct ksym symbols[] = {
		{ .name = "lookup_fast" }, { .name = "lookup_dcache" }, { .name = "path_openat" },
		{ .name = "d_alloc_parallel" }, { .name = "__lookup_slow" },
		{ .name = "ext4_file_open", .module = "ext4" }, { .name = "step_into" },
		{ .name = "legitimize_root" }, { .name = "ext4_sync_file", .module = "ext4" },
	};

	(void)state;
	find("kallsyms-clones", symbols, COUNT_OF(symbols));
	check(&symbols[0], 0, false, 1, "lookup_fast.constprop.0");
	check(&symbols[1], 0, false, 1, "lookup_dcache.isra.12");
	check(&symbols[2], 1, false, 0, "");			/* and .cold, .part, __pfx_ */
	check(&symbols[3], 0, false, 1, "d_alloc_parallel.llvm.11865284730287423516");
	check(&symbols[4], 0, false, 0, "");			/* nothing but fragments */
	check(&symbols[5], 0, true, 1, "ext4_file_open.isra.0");
	check(&symbols[6], 1, false, 1, "step_into.constprop.0");	/* both are live */
	check(&symbols[7], 0, false, 1, "legitimize_root.isra.0.constprop.0");
	check(&symbols[8], 1, true, 0, "");
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
		{ ".0ac9c1d0d3e2", 0, 1 }, { ".4b1c9b0e", 0, 1 }, { ".1", 0, 1 },
		{ ".__uniq.2512391", 0, 1 }, { ".__uniq.2512391.llvm.77", 0, 1 },
		{ ".lto_priv.0", 0, 1 }, { ".constprop.0.lto_priv.0", 0, 1 },
		{ ".lto_priv.0.constprop.1.isra.2", 0, 1 }, { ".specialized.1", 0, 1 },
		{ ".llvm.123.isra.0", 0, 1 }, { ".argprom", 0, 1 }, { ".argelim.llvm.4", 0, 1 },
		{ ".retelim.argprom", 0, 1 }, { ".cfi", 0, 1 }, { ".0ac9c1d0d3e2.cfi", 0, 1 },
		{ ".cfi_jt", 0, 0 }, { ".llvm.123.cfi_jt", 0, 0 }, { ".0ac9c1d0d3e2.cfi_jt", 0, 0 },
		{ ".__uniq.1.cfi_jt", 0, 0 }, { ".llvm", 0, 0 }, { ".llvm.", 0, 0 },
		{ ".llvm.x", 0, 0 }, { ".llvm.1x", 0, 0 }, { ".lto_priv", 0, 0 }, { ".1.", 0, 0 },
		{ "..1", 0, 0 }, { ".0ac9.cold", 0, 0 }, { ".__uniq.1.part.0", 0, 0 },
		{ ".lto_priv.0.cold", 0, 0 }, { ".localalias", 0, 0 }, { ".__part.1", 0, 0 },
		{ ".part.0", 0, 0 }, { ".cold", 0, 0 }, { ".cold.17", 0, 0 },
		{ ".constprop.0.cold", 0, 0 }, { ".isra.0.cold", 0, 0 }, { ".isra.0.part.1", 0, 0 },
		{ ".part.0.isra.1", 0, 0 }, { ".constprop.0.part.1.cold", 0, 0 },
		{ ".llvm.1.cold", 0, 0 }, { ".constprop", 0, 0 }, { ".other.0", 0, 0 },
		{ "constprop.0", 0, 0 }, { "_isra.0", 0, 0 }, { ".", 0, 0 }, { "x", 0, 0 },
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
	check(&symbol, 1, false, 0, "");
}

static void functions_of_one_name_are_counted(void **state)
{
	struct ksym symbols[] = {
		{ .name = "lookup_dcache" }, { .name = "name_show" }, { .name = "size_show" },
	};

	(void)state;
	find("kallsyms-duplicates", symbols, COUNT_OF(symbols));
	check(&symbols[0], 2, false, 0, "");
	check(&symbols[1], 1, false, 0, "");		/* and in two modules */
	assert_int_equal(symbols[1].others, 2);
	check(&symbols[2], 0, false, 2, "size_show.constprop.0");
}

static void one_name_may_be_asked_for_twice(void **state)
{
	struct ksym symbols[] = { { .name = "d_lookup" }, { .name = "d_lookup" } };

	(void)state;
	find("ffffffff81000010 T d_lookup\n", symbols, 2);
	check(&symbols[0], 1, false, 0, "");
	check(&symbols[1], 1, false, 0, "");
}

static void hidden_addresses_do_not_matter(void **state)
{
	struct ksym symbols[] = {
		{ .name = "d_lookup" }, { .name = "ext4_file_read_iter", .module = "ext4" },
	};

	(void)state;
	assert_int_equal(find("kallsyms-hidden", symbols, COUNT_OF(symbols)), 5);
	check(&symbols[0], 1, false, 0, "");
	check(&symbols[1], 1, true, 0, "");
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
		check(&good, 1, false, 0, "");
		find(text, &symbol, 1);
		check(&symbol, 0, false, 0, "");
	}
}

static void a_last_line_without_an_end_counts(void **state)
{
	struct ksym symbols[] = { { .name = "d_lookup" }, { .name = "ext4_file_open", .module = "ext4" } };

	(void)state;
	assert_int_equal(find("ffffffff81000010 T d_lookup", symbols, 2), 1);
	check(&symbols[0], 1, false, 0, "");
	assert_int_equal(find("ffffffffc0000010 t ext4_file_open\t[ext4]", symbols, 2), 1);
	check(&symbols[1], 1, true, 0, "");
	assert_int_equal(find("ffffffffc0000010 t ext4_file_open\t[ext4", symbols, 2), 1);
	check(&symbols[1], 1, true, 0, "");
	assert_int_equal(find("ffffffffc0000010 t ext4_file_open [ext4]", symbols, 2), 1);
	check(&symbols[1], 1, true, 0, "");
}

static void an_empty_file_shows_no_functions(void **state)
{
	struct ksym symbol = { .name = "d_lookup" };
	FILE *empty = fopen("/dev/null", "r");

	(void)state;
	assert_non_null(empty);
	assert_int_equal(ksyms_find(empty, &symbol, 1), 0);
	fclose(empty);
	check(&symbol, 0, false, 0, "");
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
	check(&symbol, 0, false, 0, "");
}

/* KSYM_NAME_LEN is 512 since 6.1, and Rust makes use of it. */
static void very_long_names_do_no_harm(void **state)
{
	char text[5000], name[2048];

	(void)state;
	for (size_t len = 120; len < sizeof(name); len = len < 280 ? len + 1 : len + 61) {
		struct ksym symbols[] = { { .name = "name" }, { .name = "plain" } };

		memset(name, 'a', len);
		name[len] = '\0';
		snprintf(text, sizeof(text),
			 "ffffffff81000000 t name.%s\nffffffff81000010 t plain\t[%s]\n",
			 name, name);
		assert_int_equal(find(text, symbols, 2), 2);
		assert_int_equal(symbols[1].copies, 0);
		assert_int_equal(symbols[1].others, 1);
		assert_int_equal(symbols[0].clones, 1);
		assert_in_range(strlen(symbols[0].clone), 120, KSYM_SIZE - 1);
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

static void a_clone_is_told_from_an_altered_one(void **state)
{
	static const struct {
		const char *suffix;
		bool is_altered;
	} cases[] = {
		{ ".llvm.1", false }, { ".0ac9c1d0d3e2", false }, { ".__uniq.1.llvm.2", false },
		{ ".lto_priv.0", false }, { ".cfi", false }, { ".constprop.0", true },
		{ ".isra.0", true }, { ".constprop.0.lto_priv.0", true },
		{ ".lto_priv.0.isra.0", true }, { ".argprom", true }, { ".specialized.2", true },
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct ksym symbol = { .name = "name" };

		snprintf(line, sizeof(line), "ffffffff81000040 t name%s\n", cases[i].suffix);
		find(line, &symbol, 1);
		if (symbol.is_altered != cases[i].is_altered)
			fail_msg("'name%s'", cases[i].suffix);
		assert_int_equal(symbol.address, 0xffffffff81000040);
	}
}

/* What clang's CFI leaves in kallsyms; a jump table is never taken for the function. */
static void jump_tables_are_not_taken(void **state)
{
	static const struct {
		const char *text;
		unsigned int copies, clones;
		const char *clone;
	} cases[] = {
		{ "c010 t f\nc040 t f.0ac9c1d0d3e2\nc900 t f.0ac9c1d0d3e2.cfi_jt\n", 1, 1,
		  "f.0ac9c1d0d3e2" },
		{ "c010 t f.0ac9c1d0d3e2\nc900 t f.0ac9c1d0d3e2.cfi_jt\n", 0, 1, "f.0ac9c1d0d3e2" },
		{ "c010 t f.llvm.123\nc900 t f.llvm.123.cfi_jt\n", 0, 1, "f.llvm.123" },
		{ "c010 T f\nc900 t f.cfi_jt\n", 1, 0, "" },
		{ "c900 t f.cfi_jt\nc010 T f\n", 1, 0, "" },
		{ "c000 t __cfi_f\nc000 t __pfx_f\nc010 t f\n", 1, 0, "" },
		/* Before 5.13: the body has the suffix, the plain name is the jump table's. */
		{ "c900 T f\nc010 t f.cfi\n", 0, 1, "f.cfi" },
		{ "c010 t f.cfi\nc900 T f\n", 0, 1, "f.cfi" },
		{ "c900 t f.0ac9\nc010 t f.0ac9.cfi\n", 0, 1, "f.0ac9.cfi" },
		{ "c010 t f.0ac9.cfi\nc900 t f.0ac9\n", 0, 1, "f.0ac9.cfi" },
		{ "c900 T f\nc020 t f.1.cfi\nc010 t f.cfi\n", 0, 2, "f.cfi" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct ksym symbol = { .name = "f" };

		find(cases[i].text, &symbol, 1);
		check(&symbol, cases[i].copies, false, cases[i].clones, cases[i].clone);
		assert_int_equal(symbol.address, 0xc010);
		assert_false(symbol.is_altered);
	}
}

static void two_names_of_one_place_are_one_function(void **state)
{
	struct ksym alias = { .name = "f" }, hidden = { .name = "f" };

	(void)state;
	find("c010 t f\nc010 t f.lto_priv.0\n", &alias, 1);
	check(&alias, 1, false, 0, "");
	find("0 t f\n0 t f.lto_priv.0\n", &hidden, 1);
	check(&hidden, 1, false, 1, "f.lto_priv.0");
	assert_int_equal(hidden.address, 0);
}

static void a_function_is_counted_where_it_is_meant(void **state)
{
	static const char text[] =
		"ffffffff81000040 t do_open\n"
		"ffffffffc0100040 t do_open\t[nfs]\n"
		"ffffffffc0200040 t do_open\t[xfs]\n"
		"ffffffffc0200080 t do_open.isra.0\t[xfs]\n"
		"ffffffffc0300040 t do_open.part.0\t[btrfs]\n"
		"ffffffffc0400040 t nfs_only\t[nfs]\n"
		"ffffffffc0500040 t lookup_dcache\t[kpatch_6_1_50]\n"
		"ffffffff81000080 t lookup_dcache\n";
	static const struct {
		const char *name, *module;
		bool in_module;
		unsigned int copies, clones, others;
		uint64_t address;
	} cases[] = {
		{ "do_open", NULL, false, 1, 0, 3, 0xffffffff81000040 },
		{ "do_open", "nfs", true, 1, 0, 3, 0xffffffffc0100040 },
		{ "do_open", "xfs", true, 1, 1, 2, 0xffffffffc0200040 },
		{ "do_open", "btrfs", false, 1, 0, 3, 0xffffffff81000040 },
		{ "nfs_only", "nfs", true, 1, 0, 0, 0xffffffffc0400040 },
		{ "nfs_only", "nf", false, 0, 0, 1, 0 },
		{ "nfs_only", NULL, false, 0, 0, 1, 0 },
		{ "lookup_dcache", "ext4", false, 1, 0, 1, 0xffffffff81000080 },
		{ "do_open", "nfs", true, 1, 0, 3, 0xffffffffc0100040 },
	};
	struct ksym symbols[COUNT_OF(cases)];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		symbols[i] = (struct ksym){ .name = cases[i].name, .module = cases[i].module };
	assert_int_equal(find(text, symbols, COUNT_OF(cases)), 8);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		check(&symbols[i], cases[i].copies, cases[i].in_module, cases[i].clones,
		      cases[i].clones ? "do_open.isra.0" : "");
		assert_int_equal(symbols[i].others, cases[i].others);
		assert_int_equal(symbols[i].address, cases[i].address);
	}
}

/* More names than have room in any table at first, among ten times as many. */
static void many_names_are_found_in_one_reading(void **state)
{
	static struct ksym symbols[2000];
	static char names[COUNT_OF(symbols)][32];
	size_t size = 1 << 20, used = 0;
	char *text = malloc(size);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < COUNT_OF(symbols); i++) {
		snprintf(names[i], sizeof(names[i]), "function_%zu", i);
		symbols[i] = (struct ksym){ .name = names[i] };
	}
	for (size_t i = 0; i < 10 * COUNT_OF(symbols); i += 2)
		used += snprintf(text + used, size - used, "%zx t function_%zu%s\n", 0x1000 + i, i,
				 i % 3 ? "" : ".isra.0");
	find(text, symbols, COUNT_OF(symbols));
	for (size_t i = 0; i < COUNT_OF(symbols); i++) {
		assert_int_equal(symbols[i].copies, i % 2 == 0 && i % 3);
		assert_int_equal(symbols[i].clones, i % 2 == 0 && i % 3 == 0);
		assert_int_equal(symbols[i].address, i % 2 ? 0 : 0x1000 + i);
	}
	free(text);
}

static void line_ends_of_other_systems_are_no_part_of_a_name(void **state)
{
	struct ksym symbols[] = {
		{ .name = "d_lookup" }, { .name = "ext4_file_open", .module = "ext4" },
	};

	(void)state;
	find("c010 t d_lookup\r\nc020 t ext4_file_open\t[ext4]\r\n", symbols, 2);
	check(&symbols[0], 1, false, 0, "");
	check(&symbols[1], 1, true, 0, "");
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
		cmocka_unit_test(a_clone_is_told_from_an_altered_one),
		cmocka_unit_test(jump_tables_are_not_taken),
		cmocka_unit_test(two_names_of_one_place_are_one_function),
		cmocka_unit_test(a_function_is_counted_where_it_is_meant),
		cmocka_unit_test(many_names_are_found_in_one_reading),
		cmocka_unit_test(line_ends_of_other_systems_are_no_part_of_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

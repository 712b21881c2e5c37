// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/kernel/kernel_btf.c: what it finds in real kernels' BTF is what libbpf's full parse finds.
 * $FSTRACE_TEST_BTF is a folder of KERNEL/btf files, with KERNEL/btf-MODULE for modules; unset, the
 * test is skipped.
 */
#include "btf_check.h"

#include <glob.h>

#define FOLDER "FSTRACE_TEST_BTF"
#define PER_MODULE 30		/* functions */
#define EXIT_SKIPPED 77		/* as CMakeLists.txt says */

/* The functions of the applets, and some of everywhere. */
static size_t choose_functions(const struct btf *full, struct btf_function *functions)
{
	static const char *const names[] = {
		"d_alloc_parallel", "lookup_dcache", "lookup_one_qstr_excl", "__lookup_hash",
		"lookup_fast", "d_lookup", "path_openat", "ext4_file_read_iter",
		"generic_file_read_iter", "ext4_file_write_iter", "ext4_file_open",
		"ext4_sync_file", "ext4_file_splice_read", "no_such_function",
	};
	size_t count = 0;

	for (; count < COUNT_OF(names); count++)
		functions[count] = (struct btf_function){ .name = names[count] };
	for (__u32 id = btf__type_cnt(full) - 1; id && count < FUNCTIONS_MAX; id--) {
		const struct btf_type *type = btf__type_by_id(full, id);
		const char *name = btf__name_by_offset(full, type->name_off);
		bool known = strlen(name) > 60;

		if (!btf_is_func(type) || (count > 20 && id % 401))
			continue;
		for (size_t i = 0; i < count; i++)
			known |= !strcmp(functions[i].name, name);
		if (!known)
			functions[count++].name = name;
	}
	return count;
}

static void check_kernel(const char *path, const char *folder, const char *module)
{
	struct btf *base = btf__parse_raw(path), *full = base, *types;
	struct btf_function functions[FUNCTIONS_MAX];
	char module_path[4096];
	size_t count;
	glob_t objects;

	if (!base)
		fail_msg("'%s': %s", path, strerror(errno));
	if (module) {
		snprintf(module_path, sizeof(module_path), "%s/%s", folder, module);
		full = btf__parse_raw_split(module_path, base);
		if (!full)
			fail_msg("'%s': %s", module_path, strerror(errno));
	}
	count = choose_functions(full, functions);
	assert_int_equal(glob(FSTRACE_TEST_OBJECTS "/*.bpf.o", 0, NULL, &objects), 0);
	for (size_t i = 0; i < objects.gl_pathc; i++) {
		struct btf *local = btf__parse_elf(objects.gl_pathv[i], NULL);

		assert_non_null(local);
		set_module(functions, count, module);
		if (kernel_btf_read(path, folder, local, functions, count, &types))
			fail_msg("'%s' for '%s'", path, objects.gl_pathv[i]);
		assert_true(check_types(base, local, types) >= 2);
		if (!i)
			assert_true(check_functions(full, btf__type_cnt(base), functions, count) >=
				    FUNCTIONS_MAX - 14);
		btf__free(types);
		btf__free(local);
	}
	globfree(&objects);
	if (module)
		btf__free(full);
	btf__free(base);
}

/* Functions of several modules, and some of the kernel, in one call. */
static void check_modules(const char *path, const char *kernel)
{
	static const char *const modules[] = {
		"btf-xfs", "btf-btrfs", "btf-nfs", "btf-overlay", "btf-fuse", "btf-ext4",
	};
	struct btf *base = btf__parse_raw(path), *local = make_local((const char *[]){ NULL });
	struct btf *full[COUNT_OF(modules)] = { 0 }, *types;
	struct btf_function functions[COUNT_OF(modules) * PER_MODULE] = { 0 };
	size_t count = 0, first[COUNT_OF(modules) + 1] = { 0 };
	char module_path[4096];

	assert_non_null(base);
	for (size_t i = 0; i < COUNT_OF(modules); i++) {
		first[i] = count;
		snprintf(module_path, sizeof(module_path), "%s/%s", kernel, modules[i]);
		if (access(module_path, F_OK))
			continue;
		full[i] = btf__parse_raw_split(module_path, base);
		assert_non_null(full[i]);
		for (__u32 id = btf__type_cnt(full[i]) - 1; id > 7 && count < first[i] + PER_MODULE;
		     id -= 7) {
			const struct btf_type *type = btf__type_by_id(full[i], id);

			if (btf_is_func(type))
				functions[count++] = (struct btf_function){
					.name = btf__name_by_offset(full[i], type->name_off),
					.module = modules[i],
				};
		}
	}
	first[COUNT_OF(modules)] = count;
	assert_int_equal(kernel_btf_read(path, kernel, local, functions, count, &types), 0);
	for (size_t i = 0; i < COUNT_OF(modules); i++) {
		if (full[i])
			assert_int_equal(check_functions(full[i], btf__type_cnt(base),
							 &functions[first[i]],
							 first[i + 1] - first[i]), PER_MODULE);
		btf__free(full[i]);
	}
	btf__free(types);
	btf__free(local);
	btf__free(base);
}

static void real_kernels_are_read_as_libbpf_reads_them(void **state)
{
	const char *folder = getenv(FOLDER);
	char pattern[4096];
	glob_t files;

	(void)state;
	snprintf(pattern, sizeof(pattern), "%s/*/btf", folder);
	if (glob(pattern, 0, NULL, &files))
		fail_msg("'%s' has no KERNEL/btf", folder);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		char *path = files.gl_pathv[i], *kernel = strdup(path);

		assert_non_null(kernel);
		*strrchr(kernel, '/') = '\0';
		check_kernel(path, NULL, NULL);
		snprintf(pattern, sizeof(pattern), "%s/btf-ext4", kernel);
		if (!access(pattern, F_OK))
			check_kernel(path, kernel, "btf-ext4");
		check_modules(path, kernel);
		free(kernel);
	}
	globfree(&files);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_kernels_are_read_as_libbpf_reads_them),
	};

	if (!getenv(FOLDER) || !*getenv(FOLDER)) {
		puts("$" FOLDER " is not set: no kernel's BTF is read");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}

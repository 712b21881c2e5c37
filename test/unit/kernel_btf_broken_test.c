// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/kernel_btf.c: whatever the file contains, the worst result is an error. */
#include "btf_check.h"

/* Whatever the module's file is, what the kernel's has is found. */
static void check_without_module(const struct file *kernel_file, const struct btf *kernel,
				 const char *module, const char *folder, int module_error)
{
	static const char *const names[] = { "dentry", NULL };
	struct btf_function functions[] = { { .name = "d_lookup" }, { .name = "ext4_file_open" } };
	struct btf *local = make_local(names), *types;

	set_module(functions, COUNT_OF(functions), module);
	assert_int_equal(kernel_btf_read(kernel_file->path, folder, local, functions,
					 COUNT_OF(functions), &types), 0);
	assert_int_equal(check_functions(kernel, -1, functions, 1), 1);
	assert_int_equal(functions[1].id, 0);
	assert_int_equal(functions[1].module_error, module_error);
	assert_int_equal(check_types(kernel, local, types), 1);
	btf__free(types);
	btf__free(local);
}

static void a_module_that_cannot_be_read_is_as_good_as_none(void **state)
{
	struct btf *kernel = make_kernel(), *module = make_module(kernel);
	struct file file = file_of_btf(kernel), broken;
	const struct btf_header *header;
	struct btf_type *last;
	__u32 len;
	const char *bytes = btf__raw_data(module, &len);
	char *copy;

	(void)state;
	check_without_module(&file, kernel, "no_such_module", "/proc/self/fd", -ENOENT);
	check_without_module(&file, kernel, "ext4", "/no/such/folder", -ENOENT);
	check_without_module(&file, kernel, "", "/", -EISDIR);
	for (__u32 cut = 0; cut < len; cut++) {
		struct file module_file = file_of(bytes, cut);

		check_without_module(&file, kernel, file_name(&module_file), "/proc/self/fd",
				     cut < sizeof(*header) ? -EINVAL : -EBADMSG);
		close(module_file.fd);
	}
	/* Its last type is of an unknown kind: those before it do not count, either. */
	copy = malloc(len);
	assert_non_null(copy);
	memcpy(copy, bytes, len);
	header = (const struct btf_header *)copy;
	last = (struct btf_type *)(copy + header->hdr_len + header->type_off +
				   header->type_len) - 1;
	assert_true(btf_is_func(last));
	last->info = 0x1f << 24;
	broken = file_of(copy, len);
	check_without_module(&file, kernel, file_name(&broken), "/proc/self/fd", -EOPNOTSUPP);
	close(broken.fd);
	free(copy);
	btf__free(module);
	btf__free(kernel);
	close(file.fd);
}

/* Reads a file that may be anything; returns what kernel_btf_read() did. */
static int read_any(const char *path, const char *module)
{
	static const char *const names[] = { "dentry", "file", "bits", "enum large_flags", NULL };
	struct btf_function functions[] = {
		{ .name = "d_lookup" }, { .name = "twice" }, { .name = "twelve" },
		{ .name = "ext4_sync_file" },
	};
	struct btf *local = make_local(names), *types = NULL;
	int err;

	set_module(functions, COUNT_OF(functions), module);
	err = kernel_btf_read(path, "/proc/self/fd", local, functions, COUNT_OF(functions),
			      &types);
	assert_int_equal(err == 0, types != NULL);
	assert_in_range(-err, 0, 200);
	btf__free(types);
	btf__free(local);
	return err;
}

static void what_is_no_btf_is_an_error(void **state)
{
	static const char text[] = "This is a text, and not so short that it has no header.\n";
	struct btf_header header = { .magic = __builtin_bswap16(BTF_MAGIC), .version = 1,
				     .hdr_len = sizeof(header) };
	struct file empty = file_of("", 0), other = file_of(text, sizeof(text)),
		    swapped = file_of(&header, sizeof(header)), zeros;

	(void)state;
	memset(&header, 0, sizeof(header));
	zeros = file_of(&header, sizeof(header));
	assert_int_equal(read_any("/no/such/file", NULL), -ENOENT);
	assert_int_equal(read_any(empty.path, NULL), -EINVAL);
	assert_int_equal(read_any(other.path, NULL), -EINVAL);
	assert_int_equal(read_any(swapped.path, NULL), -EINVAL);
	assert_int_equal(read_any(zeros.path, NULL), -EINVAL);
	assert_true(read_any("/", NULL) < 0);
	assert_true(read_any("/dev/null", NULL) < 0);
	close(empty.fd);
	close(other.fd);
	close(swapped.fd);
	close(zeros.fd);
}

static void a_truncated_file_is_an_error_wherever_it_ends(void **state)
{
	struct btf *kernel = make_kernel();
	__u32 len;
	const char *bytes = btf__raw_data(kernel, &len);

	(void)state;
	for (__u32 cut = 0; cut <= len; cut++) {
		struct file file = file_of(bytes, cut);
		int err = read_any(file.path, NULL);

		if (err != (cut < sizeof(struct btf_header) ? -EINVAL : cut < len ? -EBADMSG : 0))
			fail_msg("%u of %u bytes: %d", cut, len, err);
		close(file.fd);
	}
	btf__free(kernel);
}

static void a_header_may_say_anything(void **state)
{
	static const __u32 values[] = {
		0, 1, 7, 8, 23, 24, 25, 1000, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffff0,
		0xffffffff,
	};
	struct btf *kernel = make_kernel();
	__u32 len;
	const void *bytes = btf__raw_data(kernel, &len);
	char *copy = malloc(len);

	(void)state;
	assert_non_null(copy);
	for (size_t at = 0; at < sizeof(struct btf_header); at += 4) {
		for (size_t i = 0; i < COUNT_OF(values); i++) {
			struct file file;

			memcpy(copy, bytes, len);
			memcpy(copy + at, &values[i], 4);
			file = file_of(copy, len);
			read_any(file.path, NULL);
			close(file.fd);
		}
	}
	free(copy);
	btf__free(kernel);
}

/* Some bytes of the kernel's or the module's file are others; errors are fine, crashes not. */
static void corrupt_files_do_no_harm(void **state)
{
	struct btf *kernel = make_kernel(), *module = make_module(kernel);
	struct file good = file_of_btf(kernel);
	int errors = 0, read = 0;
	uint32_t seed = 36;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		__u32 len;
		const void *bytes = btf__raw_data(round % 3 ? kernel : module, &len);
		char *copy = malloc(len);
		struct file file;

		assert_non_null(copy);
		memcpy(copy, bytes, len);
		for (int changes = 1 + random_next(&seed) % 4; changes; changes--) {
			__u32 at = random_next(&seed) % len;

			if (random_next(&seed) % 3)
				copy[at] = random_next(&seed);
			else
				copy[at] ^= 1 << random_next(&seed) % 8;
		}
		file = file_of(copy, len);
		free(copy);
		if (round % 3 ? read_any(file.path, NULL) : read_any(good.path, file_name(&file)))
			errors++;
		else
			read++;
		close(file.fd);
	}
	/* Both must happen, or the changes are too coarse or too fine. */
	assert_true(errors > 100 && read > 100);
	btf__free(module);
	btf__free(kernel);
	close(good.fd);
}

static void types_that_hold_themselves_are_an_error(void **state)
{
	static const char *const names[] = { "dentry", NULL };
	struct btf *kernel = btf__new_empty(), *local = make_local(names), *types = NULL;
	int integer = id_of(btf__add_int(kernel, "int", 4, BTF_INT_SIGNED)), inner;
	struct file file;

	(void)state;
	inner = add_struct(kernel, "inner", "outer", 3, 4);
	assert_int_equal(add_struct(kernel, "dentry", "inner", inner, 4), 3);
	file = file_of_btf(kernel);
	assert_true(kernel_btf_read(file.path, NULL, local, NULL, 0, &types) < 0);
	assert_null(types);
	close(file.fd);
	btf__free(kernel);

	/* And so deep that no kernel has it. */
	kernel = btf__new_empty();
	inner = integer = id_of(btf__add_int(kernel, "int", 4, BTF_INT_SIGNED));
	for (int depth = 0; depth < 5000; depth++)
		inner = add_struct(kernel, depth == 4999 ? "dentry" : "inner", "inner", inner, 4);
	file = file_of_btf(kernel);
	assert_true(kernel_btf_read(file.path, NULL, local, NULL, 0, &types) < 0);
	assert_null(types);
	close(file.fd);
	btf__free(kernel);
	btf__free(local);
}

/* Damaged in transit: a file of a newer compiler, of another machine, half a file. */
static void each_failure_has_its_own_reason(void **state)
{
	struct btf *kernel = make_kernel();
	struct file newer, file;
	struct btf_type *type;
	struct btf_header *header;
	__u32 len;
	const void *bytes = btf__raw_data(kernel, &len);
	char *copy = malloc(len);

	(void)state;
	assert_non_null(copy);
	memcpy(copy, bytes, len);
	header = (struct btf_header *)copy;
	type = (struct btf_type *)(copy + header->hdr_len + header->type_off);
	type->info = 0x1e << 24;
	newer = file_of(copy, len);
	assert_int_equal(read_any(newer.path, NULL), -EOPNOTSUPP);
	/* A name beyond the strings, and an end of the strings that ends none. */
	memcpy(copy, bytes, len);
	type->name_off = header->str_len;
	file = file_of(copy, len);
	assert_int_equal(read_any(file.path, NULL), -EBADMSG);
	close(file.fd);
	memcpy(copy, bytes, len);
	copy[len - 1] = 'x';
	file = file_of(copy, len);
	assert_int_equal(read_any(file.path, NULL), -EBADMSG);

	assert_string_equal(kernel_btf_reason("a file", -ENOENT), "No such file or directory");
	assert_string_equal(kernel_btf_reason("a file", -EACCES), "Permission denied");
	assert_string_equal(kernel_btf_reason("a file", -EINVAL), "not a BTF file");
	assert_string_equal(kernel_btf_reason("a file", -EBADMSG), "the file is damaged");
	assert_string_equal(kernel_btf_reason(KERNEL_BTF_PATH, -EOPNOTSUPP),
			    "it has a kind of type that this version of fstrace does not know");
	assert_string_equal(kernel_btf_reason(KERNEL_BTF_PATH, -ENOMEM), "Cannot allocate memory");
	assert_string_equal(kernel_btf_reason(KERNEL_BTF_PATH, -ENOENT),
			    access("/sys/kernel", F_OK) ? "/sys is not mounted" :
			    "it was built without CONFIG_DEBUG_INFO_BTF");
	assert_string_equal(kernel_btf_hint(KERNEL_BTF_PATH, -EBADMSG),
			    "give it a BTF file of just this kernel: --btf FILE");
	free(copy);
	btf__free(kernel);
	close(newer.fd);
	close(file.fd);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_that_cannot_be_read_is_as_good_as_none),
		cmocka_unit_test(what_is_no_btf_is_an_error),
		cmocka_unit_test(a_truncated_file_is_an_error_wherever_it_ends),
		cmocka_unit_test(a_header_may_say_anything),
		cmocka_unit_test(corrupt_files_do_no_harm),
		cmocka_unit_test(types_that_hold_themselves_are_an_error),
		cmocka_unit_test(each_failure_has_its_own_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The descriptions of file systems: whole, and without contradiction. test/btf/check holds them
 * against kernels. */
#include "test.h"

#include "core/filesystem/filesystem.h"

static void every_operation_has_a_name_and_a_number_of_arguments(void **state)
{
	(void)state;
	for (int op = 0; op < FS_OPS; op++) {
		assert_non_null(fs_op_names[op]);
		assert_true(fs_op_args[op][0] > 0 && fs_op_args[op][0] <= fs_op_args[op][1]);
		for (int other = 0; other < op; other++)
			assert_string_not_equal(fs_op_names[op], fs_op_names[other]);
	}
}

static void is_found_by_name_and_by_type(void **state)
{
	(void)state;
	assert_ptr_equal(filesystem_find("ext4"), filesystem_find("ext2"));
	assert_string_equal(filesystem_find("ext3")->name, "ext4");
	assert_null(filesystem_find("ext"));
	assert_null(filesystem_find(""));
}

static void no_name_and_no_type_is_described_twice(void **state)
{
	(void)state;
	for (const struct filesystem *const *fs = filesystem_table; *fs; fs++) {
		assert_ptr_equal(filesystem_find((*fs)->name), *fs);
		for (int i = 0; (*fs)->types[i]; i++)
			assert_ptr_equal(filesystem_find((*fs)->types[i]), *fs);
	}
}

/* A shape that asks for an operation has it; a fallback has a row of its operation before it. */
static void check_row(const struct filesystem *fs, const struct fs_function *row)
{
	switch (row->shape) {
	case FS_FILE_OPEN:
	case FS_OPEN_OF_SB:
		assert_int_equal(row->op, FS_OPEN);
		break;
	case FS_ATOMIC_OPEN:
		assert_true(row->op == FS_CREATE || row->op == FS_OPEN);
		break;
	case FS_UNLINK_OR_RMDIR:
		assert_true(row->op == FS_UNLINK || row->op == FS_RMDIR);
		break;
	case FS_SETATTR_OR_TRUNCATE:
		assert_true(row->op == FS_SETATTR || row->op == FS_TRUNCATE);
		break;
	default:
		break;
	}
	assert_true(row->op < FS_OPS && row->shape < FS_SHAPES);
	assert_true(!row->args[1] || row->args[0] < row->args[1]);
	if (row == fs->functions) {
		assert_false(row->fallback);
		return;
	}
	assert_true(row[-1].op <= row->op);
	assert_true(!row->fallback || row[-1].op == row->op);
	for (const struct fs_function *other = fs->functions; other < row; other++)
		assert_true(other->op != row->op || strcmp(other->function, row->function));
}

static void rows_are_well_formed(void **state)
{
	(void)state;
	for (const struct filesystem *const *fs = filesystem_table; *fs; fs++) {
		assert_non_null((*fs)->name);
		assert_non_null((*fs)->title);
		for (const struct fs_function *row = (*fs)->functions; row->function; row++)
			check_row(*fs, row);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_has_a_name_and_a_number_of_arguments),
		cmocka_unit_test(is_found_by_name_and_by_type),
		cmocka_unit_test(no_name_and_no_type_is_described_twice),
		cmocka_unit_test(rows_are_well_formed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

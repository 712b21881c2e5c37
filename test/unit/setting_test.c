// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/trace/setting.c: each variable gets its value and no other is touched. */
#include "test.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "core/trace/setting.h"

static struct bpf_object *open_object(void)
{
	struct bpf_object *object = bpf_object__open_file(FSTRACE_TEST_SETTING_OBJECT, NULL);

	assert_non_null(object);
	return object;
}

/* All of the read-only data. */
static const char *rodata(const struct bpf_object *object, size_t *size)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".rodata");

	assert_non_null(map);
	return bpf_map__initial_value(map, size);
}

/* How often `bytes` are in the section, at multiples of their size. */
static int occurrences(const struct bpf_object *object, const void *bytes, size_t len)
{
	size_t size;
	const char *data = rodata(object, &size);
	int found = 0;

	for (size_t at = 0; at + len <= size; at += len)
		found += !memcmp(data + at, bytes, len);
	return found;
}

static void sets_each_variable_once(void **state)
{
	const uint64_t wide = 0x1122334455667788;
	const uint32_t number = 0xa1b2c3d4, numbers[3] = { 0x01010101, 0x02020202, 0x03030303 };
	struct bpf_object *object = open_object();
	const struct setting settings[] = {
		SETTING("wide", &wide),
		SETTING("number", &number),
		SETTING("numbers", &numbers),
		{ 0 }
	};

	(void)state;
	assert_int_equal(occurrences(object, &(uint32_t){ 7 }, 4), 1);
	assert_int_equal(setting_apply(object, settings), 0);
	assert_int_equal(occurrences(object, &(uint32_t){ 7 }, 4), 0);
	assert_int_equal(occurrences(object, &wide, 8), 1);
	assert_int_equal(occurrences(object, &number, 4), 1);
	for (int i = 0; i < 3; i++)
		assert_int_equal(occurrences(object, &numbers[i], 4), 1);
	bpf_object__close(object);
}

static void leaves_the_others_alone(void **state)
{
	struct bpf_object *object = open_object();
	const bool flag = true;
	char before[256], *after;
	size_t size, changed = 0;

	(void)state;
	after = (char *)rodata(object, &size);
	assert_true(size <= sizeof(before));
	memcpy(before, after, size);
	assert_int_equal(setting_apply(object, (struct setting[]){ SETTING("flag", &flag), { 0 } }), 0);
	for (size_t i = 0; i < size; i++)
		changed += before[i] != after[i];
	assert_int_equal(changed, 1);
	bpf_object__close(object);
}

static void refuses(const char *name, size_t size, int err, const char *told)
{
	struct bpf_object *object = open_object();
	const uint64_t value = UINT64_MAX;
	const struct setting settings[] = { { name, &value, size }, { 0 } };
	struct capture capture;
	char *text;
	int got;

	capture = capture_begin(STDERR_FILENO);
	got = setting_apply(object, settings);
	text = capture_end(&capture);
	assert_int_equal(got, err);
	assert_string_equal(text, told);
	assert_int_equal(occurrences(object, &value, 4), 0);
	free(text);
	bpf_object__close(object);
}

static void an_unknown_name_is_an_error(void **state)
{
	(void)state;
	refuses("nosuch", 4, -ENOENT, "fstrace: the BPF program has no setting 'nosuch'\n");
	refuses("numbe", 4, -ENOENT, "fstrace: the BPF program has no setting 'numbe'\n");
	refuses("counter", 4, -ENOENT, "fstrace: the BPF program has no setting 'counter'\n");
}

static void a_wrong_size_is_an_error(void **state)
{
	(void)state;
	refuses("number", 8, -EINVAL, "fstrace: the setting 'number' has 4 bytes, not 8\n");
	refuses("wide", 4, -EINVAL, "fstrace: the setting 'wide' has 8 bytes, not 4\n");
	refuses("flag", 4, -EINVAL, "fstrace: the setting 'flag' has 1 bytes, not 4\n");
	refuses("numbers", 8, -EINVAL, "fstrace: the setting 'numbers' has 12 bytes, not 8\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_each_variable_once),
		cmocka_unit_test(leaves_the_others_alone),
		cmocka_unit_test(an_unknown_name_is_an_error),
		cmocka_unit_test(a_wrong_size_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

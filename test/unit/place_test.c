// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/place.c: devices, and what is mounted of them. */
#include "test.h"

#include <errno.h>

#include "core/kernel/place.h"

static const char lines[] =
	"23 28 0:21 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n"
	"28 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro\n"
	"40 28 0:35 /sub /mnt/a\\040b rw master:1 shared:2 - btrfs /dev/vdb rw\n"
	"41 28 0:36 / /mnt/-\\040- rw - fuse.sshfs - rw\n";

static int find(long id, struct place *place)
{
	FILE *file = fmemopen((char *)lines, strlen(lines), "r");
	int err;

	assert_non_null(file);
	err = place_find(file, id, place);
	fclose(file);
	return err;
}

static void a_device_is_two_numbers(void **state)
{
	struct device device = { 0 };

	(void)state;
	assert_int_equal(device_parse("254:1", &device), 0);
	assert_int_equal(device.number, 254 << 20 | 1);
	assert_true(device.is_set);
	assert_int_equal(device_parse("0:1048575", &device), 0);
	assert_int_equal(device.number, 1048575);
	for (const char *const *word = (const char *const[]){ "", "8", ":", "8:", ":1", "8:1 ", "8:-1",
				       "4096:0", "8:1048576", "sda", "00000000000000008:1", NULL };
	     *word; word++)
		assert_true(device_parse(*word, &device));
}

static void a_mount_is_found_by_its_number(void **state)
{
	struct place place = { 0 };

	(void)state;
	assert_int_equal(find(40, &place), 0);
	assert_int_equal(place.device.number, 35);
	assert_string_equal(place.type, "btrfs");
	assert_int_equal(find(41, &place), 0);
	assert_string_equal(place.type, "fuse.sshfs");
	assert_int_equal(find(1, &place), -ENOENT);
}

static void a_device_has_the_type_that_is_mounted(void **state)
{
	struct place place = { .device = { 254 << 20 | 1, 1 } };

	(void)state;
	assert_int_equal(find(-1, &place), 0);
	assert_string_equal(place.type, "ext4");
	place = (struct place){ .device = { 254 << 20 | 2, 1 } };
	assert_int_equal(find(-1, &place), -ENOENT);
	assert_string_equal(place.type, "");
}

static void a_path_is_in_a_file_system(void **state)
{
	struct place place;

	(void)state;
	/* Not the root: in a chroot that may be in no mount that is seen there. */
	assert_int_equal(place_of_path("/proc/self", &place), 0);
	assert_true(place.device.is_set);
	assert_string_equal(place.type, "proc");
	assert_int_equal(place_of_path("/no such folder", &place), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_is_two_numbers),
		cmocka_unit_test(a_mount_is_found_by_its_number),
		cmocka_unit_test(a_device_has_the_type_that_is_mounted),
		cmocka_unit_test(a_path_is_in_a_file_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

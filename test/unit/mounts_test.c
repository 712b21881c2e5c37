// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/mounts.c: lines of mountinfo, and types of file systems. */
#include "test.h"

#include "core/kernel/mounts.h"

static char seen[1024];
static int limit;

static bool each(void *context, const char *type, const char *path)
{
	assert_ptr_equal(context, &limit);
	sprintf(seen + strlen(seen), "%s|%s\n", type, path);
	return --limit;
}

static void check(const char *mountinfo, int most, const char *expected)
{
	FILE *file = fmemopen((char *)mountinfo, strlen(mountinfo), "r");

	assert_non_null(file);
	seen[0] = '\0';
	limit = most;
	mounts_each(file, each, &limit);
	fclose(file);
	assert_string_equal(seen, expected);
}

static void each_mount_has_its_type_and_path(void **state)
{
	static const char lines[] =
		"23 28 0:21 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n"
		"28 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro\n"
		"40 28 0:35 /sub /mnt/a\\040b\\134c rw master:1 shared:2 unbindable - nfs4 srv:/x\\040y rw\n"
		"41 28 0:36 / /mnt/-\\040- rw - fuse.sshfs - rw\n";

	(void)state;
	check(lines, 9, "sysfs|/sys\next4|/\nnfs4|/mnt/a b\\c\nfuse.sshfs|/mnt/- -\n");
	check(lines, 2, "sysfs|/sys\next4|/\n");
}

static void what_is_no_mount_is_passed_over(void **state)
{
	(void)state;
	check("\n - \nnonsense\n1 2 3 4 - ext4\n1 2 3 4 /p rw - xfs", 9, "xfs|/p\n");
}

static void the_kernel_says_what_needs_a_device(void **state)
{
	(void)state;
	assert_int_equal(mounts_needs_device("proc"), 0);
	assert_int_equal(mounts_needs_device("tmpfs"), 0);
	assert_int_equal(mounts_needs_device("nosuchfs"), -ENOENT);
	assert_int_equal(mounts_needs_device(""), -ENOENT);
}

static void our_own_mounts_can_be_read(void **state)
{
	FILE *file = mounts_open();
	int watch = mounts_watch();

	(void)state;
	assert_non_null(file);
	seen[0] = '\0';
	limit = 1;
	mounts_each(file, each, &limit);
	fclose(file);
	assert_int_equal(limit, 0);
	assert_true(watch >= 0);
	mounts_changed(watch);
	close(watch);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_mount_has_its_type_and_path),
		cmocka_unit_test(what_is_no_mount_is_passed_over),
		cmocka_unit_test(the_kernel_says_what_needs_a_device),
		cmocka_unit_test(our_own_mounts_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

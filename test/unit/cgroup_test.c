// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/cgroup.c: names of containers, and finding one in a tree of folders. */
#include "test.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "core/kernel/cgroup.h"
#include "core/kernel/mounts.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"

static char tree[] = "/tmp/cgroup_test.XXXXXX";

/* The tree stands in for the mount. */
void __wrap_mounts_each(FILE *mountinfo,
			bool (*each)(void *context, const char *type, const char *path), void *context);
void __wrap_mounts_each(FILE *mountinfo,
			bool (*each)(void *context, const char *type, const char *path), void *context)
{
	(void)mountinfo;
	assert_true(each(context, "cgroup", "/not/this"));
	assert_false(each(context, "cgroup2", tree));
}

static void make(const char *path)
{
	char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "%s/%s", tree, path);
	for (char *slash = whole + strlen(tree); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(whole, 0755);
		*slash = '/';
	}
	assert_true(!mkdir(whole, 0755));
}

static int make_tree(void **state)
{
	static const char *const paths[] = {
		"system.slice/docker-" ID ".scope/init",
		"system.slice/docker-" OTHER ".scope",
		"system.slice/docker.service",
		"machine.slice/libpod-ab" ".scope/container",
		"machine.slice/libpod-conmon-ab.scope",
		"machine.slice/libpod-abc.scope",
		"kubepods/burstable/pod7/fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210",
		"lxc.payload.web",
		"lxc/db",
	};

	(void)state;
	assert_non_null(mkdtemp(tree));
	for (size_t i = 0; i < COUNT_OF(paths); i++)
		make(paths[i]);
	return 0;
}

static int remove_tree(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", tree);
	return system(command);
}

/* The path below the tree of what is found, or the message. */
static char *found(const char *word)
{
	static char path[PATH_MAX];
	struct capture capture = capture_begin(STDERR_FILENO);
	int fd = cgroup_open_container(word);
	char *message = capture_end(&capture), link[64];
	ssize_t len;

	if (fd < 0) {
		snprintf(path, sizeof(path), "%s", message);
	} else {
		assert_string_equal(message, "");
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		len = readlink(link, path, sizeof(path) - 1);
		assert_true(len > (ssize_t)strlen(tree));
		path[len] = '\0';
		memmove(path, path + strlen(tree) + 1, len - strlen(tree));
		close(fd);
	}
	free(message);
	return path;
}

static void a_container_is_found_by_the_beginning_of_its_name(void **state)
{
	(void)state;
	assert_string_equal(found("0123"), "system.slice/docker-" ID ".scope");
	assert_string_equal(found("01f"), "system.slice/docker-" OTHER ".scope");
	assert_string_equal(found("fedc"), "kubepods/burstable/pod7/"
			    "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210");
	assert_string_equal(found("web"), "lxc.payload.web");
	assert_string_equal(found("d"), "lxc/db");
}

/* "ab" is one whole name, and the beginning of another. */
static void a_whole_name_is_that_one(void **state)
{
	(void)state;
	assert_string_equal(found("ab"), "machine.slice/libpod-ab.scope");
	assert_string_equal(found("abc"), "machine.slice/libpod-abc.scope");
}

static void none_and_several_are_told(void **state)
{
	(void)state;
	assert_non_null(strstr(found("none"), "fstrace: no control group is that of a container 'none'\n"));
	assert_non_null(strstr(found("system"), "no control group is that of a container"));
	assert_non_null(strstr(found("01"), "fstrace: '01' may be 2 containers, among them 'docker-"));
}

static void a_group_is_found_by_its_path_below_the_mount(void **state)
{
	struct capture capture;
	char *message;
	int fd = cgroup_open("/lxc/db"), again = cgroup_open("lxc/db"), none;

	(void)state;
	assert_true(fd >= 0 && again >= 0);
	close(fd);
	close(again);
	capture = capture_begin(STDERR_FILENO);
	none = cgroup_open("lxc/none");
	message = capture_end(&capture);
	assert_int_equal(none, -ENOENT);
	assert_non_null(strstr(message, "fstrace: no control group 'lxc/none': No such file"));
	free(message);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_container_is_found_by_the_beginning_of_its_name),
		cmocka_unit_test(a_whole_name_is_that_one),
		cmocka_unit_test(none_and_several_are_told),
		cmocka_unit_test(a_group_is_found_by_its_path_below_the_mount),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}

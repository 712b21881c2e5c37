// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/kernel/user.c, by made-up files in the place of /etc/passwd and /etc/group. */
#include "test.h"


#include "core/kernel/user.h"

static const char passwd[] =
	"root:x:0:0:root:/root:/bin/bash\n"
	"# a comment, and a line that is none:\n"
	"anna:x:1001:1002:Anna,,,:/home/anna:/bin/zsh\n"
	"7up:x:1003:1003::/home/7up:\n"
	"anna2:x:1001:1003::/home/other:/bin/sh\n";
static const char group[] =
	"root:x:0:\n"
	"anna:x:1002:anna\n"
	"audio:x:29:bob,anna\n"
	"video:x:44:anna2,bob\n"
	"disk:x:6:anna\n";

/* Through the C library's own fopen(): only these two files are others. */
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
	if (!strcmp(path, "/etc/passwd"))
		return fmemopen((char *)passwd, strlen(passwd), "r");
	if (!strcmp(path, "/etc/group"))
		return fmemopen((char *)group, strlen(group), "r");
	return __real_fopen(path, mode);
}

static void users_are_found_by_name_and_by_number(void **state)
{
	struct user user;

	(void)state;
	assert_int_equal(user_by_name("anna", &user), 0);
	assert_int_equal(user.uid, 1001);
	assert_int_equal(user.gid, 1002);
	assert_string_equal(user.home, "/home/anna");
	assert_string_equal(user.shell, "/bin/zsh");
	assert_int_equal(user_by_uid(1001, &user), 0);	/* the first one */
	assert_string_equal(user.name, "anna");
	assert_int_equal(user_by_name("ann", &user), -ENOENT);
	assert_int_equal(user_by_name("", &user), -ENOENT);
	assert_int_equal(user_by_uid(1002, &user), -ENOENT);
}

static void groups_are_those_that_name_the_user(void **state)
{
	gid_t groups[3];
	struct user user;

	(void)state;
	assert_int_equal(user_by_name("anna", &user), 0);
	assert_int_equal(user_groups(&user, groups, 3), 3);
	assert_int_equal(groups[0], 1002);
	assert_int_equal(groups[1], 29);
	assert_int_equal(groups[2], 6);
	groups[1] = 0;
	assert_int_equal(user_groups(&user, groups, 1), 3);	/* no room is no matter */
	assert_int_equal(groups[1], 0);
}

static void a_word_is_a_name_or_a_number(void **state)
{
	struct user_id id = { 0 };

	(void)state;
	assert_int_equal(user_id_parse("anna", &id), 0);
	assert_int_equal(id.uid, 1001);
	assert_true(id.is_set);
	assert_int_equal(user_id_parse("7up", &id), 0);
	assert_int_equal(id.uid, 1003);
	assert_int_equal(user_id_parse("0", &id), 0);
	assert_int_equal(id.uid, 0);
	assert_int_equal(user_id_parse("4294967294", &id), 0);	/* a number needs no name */
	assert_int_equal(id.uid, 4294967294);
	assert_int_equal(user_id_parse("nobody-at-all", &id), -ENOENT);
	assert_int_equal(user_id_parse("4294967295", &id), -ERANGE);	/* (uid_t)-1 is none */
	assert_int_equal(id.uid, 4294967294);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(users_are_found_by_name_and_by_number),
		cmocka_unit_test(groups_are_those_that_name_the_user),
		cmocka_unit_test(a_word_is_a_name_or_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

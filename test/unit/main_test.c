// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/cli/main.c and the applets' command lines, seen from outside: runs the built fstrace, and
 * never so that it could trace: without privileges, or with what it refuses.
 */
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define WORDS_MAX 8

static int fstrace;		/* the built file */
static char folder[] = FSTRACE_TEST_OBJECTS "/main_test.XXXXXX";

/* Runs fstrace as nobody. argv ends with the first NULL. */
static struct outcome run(const char *const *argv)
{
	return run_program(fstrace, (char *const *)argv, -1, true);
}

#define RUN(...) run((const char *const[WORDS_MAX + 2]){ __VA_ARGS__ })

/* Runs folder/NAME, under the path of it. */
static struct outcome run_file(const char *name, const char *word)
{
	char path[sizeof(folder) + 300], *argv[] = { path, (char *)word, NULL };
	struct outcome outcome;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_PATH | O_CLOEXEC);
	assert_true(fd >= 0);
	outcome = run_program(fd, argv, -1, true);
	close(fd);
	return outcome;
}

/* What is in folder/NAME, which is made now. */
static char *path_of(const char *name)
{
	static char path[sizeof(folder) + 300];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void check(struct outcome outcome, int status, const char *on_stdout, const char *on_stderr)
{
	if (outcome.status != status || !strstr(outcome.out, on_stdout) ||
	    !strstr(outcome.err, on_stderr) || (!*on_stdout && *outcome.out) ||
	    (!*on_stderr && *outcome.err))
		fail_msg("expected %d, '%s' and '%s'; got %d, '%s' and '%s'", status, on_stdout,
			 on_stderr, outcome.status, outcome.out, outcome.err);
	outcome_free(&outcome);
}

/* A usage error: one line with a word in it, and a hint. */
static void check_one_line(struct outcome outcome, const char *named)
{
	if (outcome.status != 2 || *outcome.out || count_lines(outcome.err) != 2 ||
	    !strstr(outcome.err, named) || !strstr(outcome.err, "\nfstrace: hint: "))
		fail_msg("expected 2, one line with '%s' and a hint; got %d, '%s' and '%s'", named,
			 outcome.status, outcome.out, outcome.err);
	outcome_free(&outcome);
}

static void fstrace_tells_what_it_has(void **state)
{
	static const char *const words[] = { "--help", "-h", "-?" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		struct outcome outcome = RUN("fstrace", words[i]);

		assert_memory_equal(outcome.out, "Usage: fstrace APPLET", 21);
		assert_non_null(strstr(outcome.out, "\n  dcsnoop "));
		check(outcome, 0, "\n  ext4dist ", "");
	}
	check(RUN("fstrace", "--version"), 0, "fstrace " FSTRACE_VERSION "\n", "");
	check(RUN("fstrace", "-V"), 0, "fstrace " FSTRACE_VERSION "\n", "");
	check(RUN("fstrace", "--list"), 0, "btrfsdist\nbtrfsslower\n", "");
}

static void an_unknown_applet_shows_the_list(void **state)
{
	static const char *const names[] = {
		"nosuch", "dcsnoo", "dcsnoopx", "DCSNOOP", "dcsnoop.bak", "mydcsnoop",
		" dcsnoop", "/dcsnoop", "fstrace", "dcsnoop --help", "%s%n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct outcome outcome = RUN("fstrace", names[i]);
		char line[64];

		snprintf(line, sizeof(line), "fstrace: no such applet: '%s'; there are:\n",
			 names[i]);
		assert_true(!strncmp(outcome.err, line, strlen(line)));
		assert_non_null(strstr(outcome.err, "\n  dcsnoop "));
		check(outcome, 2, "", "\n  ext4dist ");
	}
}

static void an_unknown_option_is_named(void **state)
{
	(void)state;
	check_one_line(RUN("fstrace", "--no-such"), "'--no-such'");
	check_one_line(RUN("fstrace", "-x"), "'-x'");
	check_one_line(RUN("fstrace", "-p", "1"), "'-p'");
	check_one_line(RUN("fstrace", "--install"), "--install");
	check_one_line(RUN("fstrace", "--install", "a", "b"), "--install");
}

static void hostile_words_do_not_reach_the_terminal(void **state)
{
	static const char *const words[] = {
		"--\x1b[2J", "--\xc2\x9b" "2J", "--pid=\x1b]0;x\x07", "-\x1b", "-\x9b", "\x1b[2J",
		"--json=\x1b[2J", "--p\x1b=1", "-p\x1b[2J", "--attach=\n\r",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(words); i++)
		for (int with_applet = 0; with_applet < 2; with_applet++) {
			struct outcome outcome = with_applet ? RUN("fstrace", "ext4dist", words[i]) :
							       RUN("fstrace", words[i]);

			assert_int_equal(outcome.status, 2);
			for (const char *c = outcome.err; *c; c++)
				if ((*c & 0x7f) < ' ' && *c != '\n')
					fail_msg("raw %#x in '%s'", *c & 0xff, outcome.err);
			if (with_applet)
				assert_int_equal(count_lines(outcome.err), 2);
			outcome_free(&outcome);
		}
}

static void a_near_miss_is_asked_about(void **state)
{
	static const struct {
		const char *words[3], *meant;
	} cases[] = {
		{ { "dcsnop" }, "'dcsnoop'" },
		{ { "dscnoop" }, "'dcsnoop'" },
		{ { "ext4" }, "'ext4dist'" },
		{ { "hepl" }, "'help'" },
		{ { "--lst" }, "'--list'" },
		{ { "--versoin" }, "'--version'" },
		{ { "dcsnoop", "--jsno" }, "'--json'" },
		{ { "dcsnoop", "--al=1" }, NULL },		/* --all it is, and takes no value */
		{ { "ext4dist", "--milisecond" }, "'--milliseconds'" },
		{ { "ext4dist", "--dura=1", "--atach=kprobe" }, "'--attach'" },
		{ { "ext4dist", "--all" }, NULL },
		{ { "ext4dist", "--probes=x" }, NULL },		/* hidden */
		{ { "schema", "dcsnop" }, "'dcsnoop'" },
		{ { "help", "ext4dits" }, "'ext4dist'" },
		{ { "xyz" }, NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct outcome outcome = RUN("fstrace", cases[i].words[0], cases[i].words[1],
					     cases[i].words[2]);
		const char *hint = strstr(outcome.err, "\nfstrace: hint: ");
		char expected[80] = "\nfstrace: hint: try 'fstrace";

		if (cases[i].meant)
			snprintf(expected, sizeof(expected),
				 "\nfstrace: hint: did you mean %s?\n", cases[i].meant);
		if (outcome.status != 2 || *outcome.out || !hint ||
		    strncmp(hint, expected, strlen(expected)))
			fail_msg("'%s': expected '%s', got %d and '%s'", cases[i].words[0],
				 expected, outcome.status, outcome.err);
		outcome_free(&outcome);
	}
}

static void commands_do_what_help_says(void **state)
{
	(void)state;
	check(RUN("fstrace", "help"), 0, "Usage: fstrace APPLET", "");
	check(RUN("fstrace", "help", "dcsnoop"), 0, "Usage: fstrace dcsnoop ", "");
	check(RUN("fstrace", "schema", "ext4dist"), 0, "\"buckets\"", "");
	check(RUN("fstrace", "completion", "bash"), 0, "complete -F _fstrace fstrace ", "");
	check_one_line(RUN("fstrace", "help", "dcsnoop", "x"), "unexpected argument 'x'");
	check_one_line(RUN("fstrace", "schema"), "schema takes the name of an applet");
	check_one_line(RUN("fstrace", "schema", "dcsnoop", "x"), "unexpected argument 'x'");
	check_one_line(RUN("fstrace", "completion"), "completion takes the name of a shell");
	check_one_line(RUN("fstrace", "completion", "ksh"), "'ksh'");
	check_one_line(RUN("fstrace", "completion", "zsh", "x"), "unexpected argument 'x'");
	check_one_line(RUN("fstrace", "--list", "x"), "unexpected argument 'x'");
	check_one_line(RUN("fstrace", "--install="), "--install takes");
	check_one_line(RUN("fstrace", "--install=a", "b"), "unexpected argument 'b'");
	check(RUN("fstrace", "help", "--man", "dcsnoop", "/nowhere"), 1, "",
	      "cannot read '/nowhere/dcsnoop.8.in': No such file or directory\n");
}

static void no_argument_at_all_is_a_usage_error(void **state)
{
	(void)state;
	check(RUN("fstrace"), 2, "", "fstrace: which applet?\n");
	check(RUN("anything"), 2, "", "fstrace: which applet?\n");
	check(RUN(""), 2, "", "fstrace: which applet?\n");
	check(RUN("/"), 2, "", "fstrace: which applet?\n");
	check(RUN("dcsnoop/"), 2, "", "fstrace: which applet?\n");
	check(RUN(NULL), 2, "", "fstrace: which applet?\n");
	check(RUN("fstrace", ""), 2, "", "fstrace: which applet?\n");
}

static void without_an_argument_ten_lines_say_how_to_go_on(void **state)
{
	struct outcome outcome = RUN("fstrace");

	(void)state;
	if (count_lines(outcome.err) > 10)
		fail_msg("more than ten lines: '%s'", outcome.err);
	for (char *line = outcome.err, *end; *line; line = end + 1) {
		end = strchrnul(line, '\n');
		assert_true(end - line < 80 && *end);
	}
	assert_non_null(strstr(outcome.err, "  fstrace --help "));
	assert_non_null(strstr(outcome.err, "  fstrace help APPLET "));
	check(outcome, 2, "", "  btrfsdist  btrfsslower  ");
}

static void applets_are_listed_by_name(void **state)
{
	struct outcome outcome = RUN("fstrace", "--list");
	char *line = outcome.out, *end;

	(void)state;
	while ((end = strchr(line, '\n')) && end[1]) {
		char *next = end + 1, *next_end = strchr(next, '\n');

		assert_non_null(next_end);
		*end = *next_end = '\0';
		assert_true(strcmp(line, next) < 0);
		*next_end = '\n';
		line = next;
	}
	outcome_free(&outcome);
}

static void the_doctor_says_what_does_not_work(void **state)
{
	struct outcome outcome = RUN("fstrace", "doctor", "dcsnoop", "xfsdist");

	(void)state;
	assert_memory_equal(outcome.out, "dcsnoop      fails\n", 19);
	assert_non_null(strstr(outcome.out, "\n  not permitted to trace: needs root"));
	assert_non_null(strstr(outcome.out, "\n  hint: "));
	assert_non_null(strstr(outcome.out, "\nxfsdist      fails\n"));
	assert_null(strstr(outcome.out, "ext4dist"));
	check(outcome, 1, "fails", "fstrace: not all applets work here\n");

	outcome = RUN("fstrace", "doctor", "--json", "dcsnoop");
	assert_int_equal(count_lines(outcome.out), 1);
	check(outcome, 1, "{\"applet\":\"dcsnoop\",\"verdict\":\"fails\",\"operations\":0,\"counted\":0,"
			  "\"attached\":[],\"messages\":[\"not permitted to trace", "not all applets work");

	/* All of them, or those whose file system is mounted. */
	outcome = RUN("fstrace", "doctor");
	assert_non_null(strstr(outcome.out, "dcsnoop      fails\n"));
	check(outcome, 1, "\next4dist     ", "not all applets work");
	check(RUN("fstrace", "doctor", "--help"), 0, "Usage: fstrace doctor [APPLET...]\nFind out", "");
	check(RUN("fstrace", "help", "schema"), 0, "Usage: fstrace schema APPLET\nPrint", "");
	check(RUN("fstrace", "doctor", "nosuch"), 2, "", "no such applet: 'nosuch'");
	check(RUN("fstrace", "doctor", "--jso"), 2, "", "no such applet: '--jso'");
}

/* Calls the function with each applet's name. */
static void for_each_applet(void (*function)(const char *applet))
{
	struct outcome outcome = RUN("fstrace", "--list");
	int applets = 0;

	assert_int_equal(outcome.status, 0);
	for (char *name = strtok(outcome.out, "\n"); name; name = strtok(NULL, "\n")) {
		function(name);
		applets++;
	}
	assert_true(applets >= 2);
	outcome_free(&outcome);
}

static void check_help(const char *applet)
{
	static const char *const words[] = { "--help", "-?", "-h" };
	static const char *const options[] = {
		"-d, --duration=", "-p, --pid=", "-v, --verbose", "--json", "--attach=", "--btf=",
		"--overhead", "Examples:\n  fstrace ",
	};
	struct outcome outcome;
	char usage[80];

	snprintf(usage, sizeof(usage), "Usage: fstrace %s ", applet);
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		outcome = RUN("fstrace", applet, words[i]);
		assert_true(!strncmp(outcome.out, usage, strlen(usage)));
		for (size_t j = 0; j < COUNT_OF(options); j++)
			assert_non_null(strstr(outcome.out, options[j]));
		for (char *line = outcome.out; *line; line += strcspn(line, "\n") + 1)
			assert_in_range(strcspn(line, "\n"), 0, 80);
		check(outcome, 0, "\n", "");
	}
	/* Also when something else is wrong behind it. */
	check(RUN("fstrace", applet, "--help", "--no-such"), 0, usage, "");
	check(RUN("fstrace", applet, "--usage"), 0, usage, "");
	check(RUN("fstrace", applet, "--version"), 0, "fstrace " FSTRACE_VERSION "\n", "");
	check(RUN("fstrace", applet, "-V", "--no-such"), 0, "fstrace " FSTRACE_VERSION "\n", "");
	check(RUN(applet, "--help"), 0, usage, "");
}

static void every_help_goes_to_stdout(void **state)
{
	(void)state;
	for_each_applet(check_help);
}

static void check_usage_errors(const char *applet)
{
	check_one_line(RUN("fstrace", applet, "-p", "abc"), "'abc'");
	check_one_line(RUN("fstrace", applet, "-p"), "'p'");
	check_one_line(RUN("fstrace", applet, "-p", "0"), "'0'");
	check_one_line(RUN("fstrace", applet, "-d", "0"), "'0'");
	check_one_line(RUN("fstrace", applet, "--duration=1h"), "'1h'");
	check_one_line(RUN("fstrace", applet, "--attach=ftrace"), "'ftrace'");
	check_one_line(RUN("fstrace", applet, "--no-such"), "'--no-such'");
	check_one_line(RUN("fstrace", applet, "-X"), "'X'");
	check_one_line(RUN("fstrace", applet, "no-such"), "'no-such'");
	check_one_line(RUN(applet, "no-such"), "'no-such'");
}

/* The command, which would print something, is not run. */
static void check_command(const char *applet)
{
	check(RUN("fstrace", applet, "--"), 2, "", "fstrace: no command follows '--'\n");
	check(RUN("fstrace", applet, "--wrong", "--", "echo", "ran"), 125, "", "--wrong");
	check(RUN("fstrace", applet, "--", "echo", "ran"), 125, "", "\nfstrace: hint: ");
	check(RUN("fstrace", applet, "--help", "--", "--wrong"), 0, "Usage: ", "");
}

static void failures_with_a_command_are_told_apart(void **state)
{
	(void)state;
	for_each_applet(check_command);
}

static void filters_that_match_nothing_are_told(void **state)
{
	(void)state;
	check_one_line(RUN("fstrace", "dcsnoop", "-u", "nobody-of-that-name"),
		       "invalid user 'nobody-of-that-name'");
	check_one_line(RUN("fstrace", "dcsnoop", "-c", "sixteen-letters-"),
		       "invalid name 'sixteen-letters-'");
	check_one_line(RUN("fstrace", "dcsnoop", "--tid", "0"), "invalid TID '0'");
}

static void usage_errors_come_before_any_privilege_check(void **state)
{
	(void)state;
	for_each_applet(check_usage_errors);
}

static void ext4dist_checks_interval_and_count(void **state)
{
	static const char *const bad[] = { "0", "abc", "1x", "", " 1", "1.0.", "0.0", "100000001" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		char named[32];

		snprintf(named, sizeof(named), "invalid interval '%s'", bad[i]);
		check_one_line(RUN("fstrace", "ext4dist", bad[i]), named);
	}
	check_one_line(RUN("fstrace", "ext4dist", "-m", "0", "5"), "invalid interval '0'");
	check_one_line(RUN("fstrace", "ext4dist", "1", "0"), "invalid count '0'");
	check_one_line(RUN("fstrace", "ext4dist", "1", "1.5"), "invalid count '1.5'");
	check_one_line(RUN("fstrace", "ext4dist", "1", "many"), "invalid count 'many'");
	check_one_line(RUN("fstrace", "ext4dist", "1", "4294967296"), "invalid count '4294967296'");
	check_one_line(RUN("fstrace", "ext4dist", "1", "2", "3"), "unexpected argument '3'");
	check_one_line(RUN("fstrace", "ext4dist", "-1"), "'1'");
}

static void dcsnoop_takes_no_operand(void **state)
{
	(void)state;
	check_one_line(RUN("fstrace", "dcsnoop", "1"), "unexpected argument '1'");
	check_one_line(RUN("fstrace", "dcsnoop", "-T"), "'T'");
	check_one_line(RUN("fstrace", "dcsnoop", "-m"), "'m'");
}

static void dcsnoop_shows_either_all_or_what_is_missing(void **state)
{
	struct outcome outcome = RUN("dcsnoop", "-a", "-x");

	(void)state;
	assert_int_equal(outcome.status, 2);
	assert_non_null(strstr(outcome.err, "-a and -x exclude each other\nfstrace: hint: "));
	outcome_free(&outcome);
}

static void check_privileges(const char *applet)
{
	check(RUN("fstrace", applet), 1, "", "fstrace: not permitted to trace: needs root");
	check(RUN("fstrace", applet, "--json", "-d", "1"), 1, "", "fstrace: not permitted");
}

static void who_may_not_trace_is_told_what_to_do(void **state)
{
	(void)state;
	for_each_applet(check_privileges);
	/* These are right; so it is the privileges that are missing. */
	check(RUN("fstrace", "ext4dist", "-m", "1", "10", "-T"), 1, "", "not permitted");
	check(RUN("fstrace", "ext4dist", "0.5", "4294967295"), 1, "", "not permitted");
	check(RUN("fstrace", "dcsnoop", "-a", "-p", "181", "-v"), 1, "", "not permitted");
	check(RUN("dcsnoop", "-a"), 1, "", "not permitted");
}

static void copy(const char *to)
{
	int in = open(FSTRACE_BINARY, O_RDONLY), out = open(to, O_CREAT | O_WRONLY, 0755);
	ssize_t len;

	assert_true(in >= 0 && out >= 0);
	while ((len = copy_file_range(in, NULL, out, NULL, 1 << 30, 0)) > 0)
		;
	assert_int_equal(len, 0);
	close(in);
	close(out);
}

static void links_and_copies_are_the_applet_of_their_name(void **state)
{
	(void)state;
	assert_int_equal(symlink(FSTRACE_BINARY, path_of("dcsnoop")), 0);
	assert_int_equal(link(FSTRACE_BINARY, path_of("ext4dist")), 0);
	check(run_file("dcsnoop", "--help"), 0, "Usage: fstrace dcsnoop ", "");
	check(run_file("ext4dist", "--help"), 0, "Usage: fstrace ext4dist ", "");
	check_one_line(run_file("dcsnoop", "no-such"),
		       "fstrace dcsnoop: unexpected argument 'no-such'");
	/* Called so, no first argument can choose another. */
	check_one_line(run_file("dcsnoop", "ext4dist"), "unexpected argument 'ext4dist'");
	assert_int_equal(unlink(path_of("dcsnoop")), 0);
	copy(path_of("dcsnoop"));
	check(run_file("dcsnoop", "--help"), 0, "Usage: fstrace dcsnoop ", "");
	check(run_file("dcsnoop", NULL), 1, "", "not permitted");
	assert_int_equal(unlink(path_of("dcsnoop")), 0);
	assert_int_equal(unlink(path_of("ext4dist")), 0);
}

static void the_name_must_be_exact(void **state)
{
	static const char *const names[] = {
		"dcsnoop.bak", "mydcsnoop", "dcsnoop-1", "Dcsnoop", "dcsnoo", "x ext4dist", "trace",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_int_equal(symlink(FSTRACE_BINARY, path_of(names[i])), 0);
		check(run_file(names[i], NULL), 2, "", "fstrace: which applet?\n");
		check(run_file(names[i], "dcsnoop"), 1, "", "not permitted");
		assert_int_equal(unlink(path_of(names[i])), 0);
	}
	/* The folder's name is not the file's. */
	assert_int_equal(mkdir(path_of("dcsnoop"), 0755), 0);
	assert_int_equal(symlink(FSTRACE_BINARY, path_of("dcsnoop/fstrace")), 0);
	check(run_file("dcsnoop/fstrace", NULL), 2, "", "fstrace: which applet?\n");
	assert_int_equal(unlink(path_of("dcsnoop/fstrace")), 0);
	assert_int_equal(rmdir(path_of("dcsnoop")), 0);
}

static struct outcome install(const char *where)
{
	char *argv[] = { "fstrace", "--install", (char *)where, NULL };

	return run_program(fstrace, argv, -1, false);
}

/* Returns how many there were. */
static int unlink_all(const char *where)
{
	DIR *dir = opendir(where);
	struct dirent *entry;
	int files = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		files += entry->d_name[0] != '.' && !unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	return files;
}

static void install_makes_a_link_for_each_applet(void **state)
{
	char target[4096], self[4096], where[sizeof(folder) + 10];
	struct outcome list = RUN("fstrace", "--list");
	const size_t applets = count_lines(list.out);
	ssize_t len;

	(void)state;
	assert_non_null(realpath(FSTRACE_BINARY, self));
	snprintf(where, sizeof(where), "%s/bin", folder);
	assert_int_equal(mkdir(where, 0755), 0);
	check(install(where), 0, "", "");
	len = readlink(path_of("bin/ext4dist"), target, sizeof(target) - 1);
	assert_in_range(len, 1, sizeof(target) - 2);
	target[len] = '\0';
	assert_string_equal(target, self);
	check(run_file("bin/dcsnoop", "--help"), 0, "Usage: fstrace dcsnoop ", "");
	/* Again is no harm; somebody else's file stays as it is. */
	check(install(where), 0, "", "");
	assert_int_equal(unlink(path_of("bin/dcsnoop")), 0);
	assert_int_equal(symlink("elsewhere", path_of("bin/dcsnoop")), 0);
	check(install(where), 1, "", "bin/dcsnoop' is there and is not a link to '");
	assert_int_equal(readlink(path_of("bin/dcsnoop"), target, sizeof(target)), 9);
	assert_int_equal(unlink(path_of("bin/dcsnoop")), 0);
	self[strlen(self) - 1] ^= 1;
	assert_int_equal(symlink(self, path_of("bin/dcsnoop")), 0);
	check(install(where), 1, "", "bin/dcsnoop' is there and is not a link to '");
	assert_int_equal(unlink(path_of("bin/dcsnoop")), 0);
	assert_int_equal(mkdir(path_of("bin/dcsnoop"), 0755), 0);
	check(install(where), 1, "", "bin/dcsnoop' is there and is not a link to '");
	assert_int_equal(rmdir(path_of("bin/dcsnoop")), 0);
	outcome_free(&list);
	assert_int_equal(unlink_all(where), applets - 1);	/* the others */
	assert_int_equal(rmdir(where), 0);
	check(install(where), 1, "", "No such file or directory\n");
	check(install("/dev/null"), 1, "", "Not a directory\n");
}

static void output_that_cannot_be_written_is_a_failure(void **state)
{
	char *argv[] = { "sh", "-c", "exec \"$0\" --list >/dev/full", FSTRACE_BINARY, NULL };

	(void)state;
	check(run_program(-1, argv, -1, false), 1, "",
	      "fstrace: cannot write: No space left on device\n");
}

/* Whatever is scarce or missing: no status but 0 without a line. */
static void no_failure_is_silent(void **state)
{
	static const int values[] = { 3, 9, 18, 25 };
	static const char *const settings[] = {
		"ulimit -n %d; exec \"$0\" ext4dist -d 1",
		"ulimit -v %d00; exec \"$0\" ext4dist -d 1",
		"exec \"$0\" ext4dist -d 1 <&- >&-; # %d",
		"exec \"$0\" --list >&-; # %d",
		"exec \"$0\" help >/dev/full; # %d",
		"exec \"$0\" schema dcsnoop >/dev/full; # %d",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(settings); i++)
		for (size_t j = 0; j < (strchr(settings[i], '#') ? 1 : COUNT_OF(values)); j++) {
			char script[100], *argv[] = { "sh", "-c", script, FSTRACE_BINARY, NULL };
			struct outcome outcome;

			snprintf(script, sizeof(script), settings[i], values[j]);
			outcome = run_program(-1, argv, -1, false);
			/* (Not even started, for want of memory: by the shell's word, or a signal.) */
			if (strstr(outcome.err, "error while loading shared libraries")) {
				outcome_free(&outcome);		/* of a build with sanitizers */
				continue;
			}
			if (outcome.status > 2 ? !strstr(script, "-v") :
						 outcome.status && !*outcome.err)
				fail_msg("%s: status %d, and '%s'", script, outcome.status,
					 outcome.err);
			if (strstr(script, "-n") && values[j] < 19)
				assert_non_null(strstr(outcome.err, " files may be open here; "
						       "allow more: ulimit -n"));
			outcome_free(&outcome);
		}
}

static int open_fstrace(void **state)
{
	(void)state;
	fstrace = open(FSTRACE_BINARY, O_PATH | O_CLOEXEC);
	return fstrace < 0 || !mkdtemp(folder) || chmod(folder, 0755);
}

static int close_fstrace(void **state)
{
	(void)state;
	close(fstrace);
	return rmdir(folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(fstrace_tells_what_it_has),
		cmocka_unit_test(an_unknown_applet_shows_the_list),
		cmocka_unit_test(an_unknown_option_is_named),
		cmocka_unit_test(hostile_words_do_not_reach_the_terminal),
		cmocka_unit_test(a_near_miss_is_asked_about),
		cmocka_unit_test(commands_do_what_help_says),
		cmocka_unit_test(no_argument_at_all_is_a_usage_error),
		cmocka_unit_test(without_an_argument_ten_lines_say_how_to_go_on),
		cmocka_unit_test(applets_are_listed_by_name),
		cmocka_unit_test(the_doctor_says_what_does_not_work),
		cmocka_unit_test(every_help_goes_to_stdout),
		cmocka_unit_test(usage_errors_come_before_any_privilege_check),
		cmocka_unit_test(failures_with_a_command_are_told_apart),
		cmocka_unit_test(filters_that_match_nothing_are_told),
		cmocka_unit_test(ext4dist_checks_interval_and_count),
		cmocka_unit_test(dcsnoop_takes_no_operand),
		cmocka_unit_test(dcsnoop_shows_either_all_or_what_is_missing),
		cmocka_unit_test(who_may_not_trace_is_told_what_to_do),
		cmocka_unit_test(links_and_copies_are_the_applet_of_their_name),
		cmocka_unit_test(the_name_must_be_exact),
		cmocka_unit_test(install_makes_a_link_for_each_applet),
		cmocka_unit_test(no_failure_is_silent),
		cmocka_unit_test(output_that_cannot_be_written_is_a_failure),
	};

	return cmocka_run_group_tests(tests, open_fstrace, close_fstrace);
}

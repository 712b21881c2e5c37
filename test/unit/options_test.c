// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/cli/options.c: what the common options set, and that what is wrong is told in one line and a hint. */
#include "test.h"

#include "core/base/log.h"
#include "core/cli/options.h"

#define WORDS_MAX 8

/* An applet with options and operands of every kind, as applets/ have them. */
struct options {
	struct common_options common;
	bool all;
	const char *word;
	uint64_t count, interval_ns, ops;
	int level;
};

static const char *const levels[] = { "low", "high", NULL };
static const char *const ops[] = { "read", "write", "readlink", NULL };

static int parse_level(const char *word, void *member)
{
	for (int i = 0; levels[i]; i++)
		if (!strcmp(word, levels[i])) {
			*(int *)member = i + 1;
			return 0;
		}
	return -EINVAL;
}

static const struct option_row first_rows[] = {
	{ .letter = 'a', .name = "all", .kind = OPTION_FLAG, OPTION_AT(struct options, all) },
	{ .name = "ops", .arg = "LIST", .kind = OPTION_CHOICES, OPTION_AT(struct options, ops),
	  .choices = ops, .value = "operations" },
	{ 0 }
};

static const struct option_row second_rows[] = {
	{ .letter = 'l', .name = "level", .arg = "LEVEL", .kind = OPTION_PARSED,
	  OPTION_AT(struct options, level), .parse = parse_level, .value = "level",
	  .expects = "low or high" },
	{ 0 }
};

static const struct option_row operand_rows[] = {
	{ .name = "WORD", .kind = OPTION_STRING, OPTION_AT(struct options, word) },
	{ .name = "COUNT", .kind = OPTION_UINT, OPTION_AT(struct options, count), .min = 2,
	  .max = 9, .value = "count" },
	{ 0 }
};

static const struct applet applets[] = { {
	.name = "applet",
	.options = { first_rows, second_rows },
	.operands = operand_rows,
	.options_size = sizeof(struct options),
}, { 0 } };

const struct applet *const applet_table[] = { applets, NULL };

/* What was parsed last: released before the next, and at the end. */
static struct options kept;

/* Parses some words; returns what was said on stderr, for the caller to free. */
static char *parse_words(const char *const *words, struct options *options, bool *go_on,
			 int *status)
{
	char *argv[WORDS_MAX + 2] = { "applet" };
	struct capture capture;
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	options_release(applets, &kept);
	memset(options, 0, sizeof(*options));
	*status = -1;
	capture = capture_begin(STDERR_FILENO);
	*go_on = options_parse(applets, argc, argv, options, status);
	kept = *options;
	return capture_end(&capture);
}

static struct options parsed(const char *const *words)
{
	struct options options;
	bool go_on;
	int status;
	char *message = parse_words(words, &options, &go_on, &status);

	assert_string_equal(message, "");
	assert_true(go_on);
	assert_int_equal(status, EXIT_DONE);
	free(message);
	return options;
}

#define PARSED(...) parsed((const char *const[WORDS_MAX + 1]){ __VA_ARGS__ })

static void without_options_all_is_zero(void **state)
{
	const struct options zero = { 0 };
	struct options options = PARSED(NULL);

	(void)state;
	assert_memory_equal(&options, &zero, sizeof(zero));
	assert_int_equal(options.common.trace.attach, ATTACH_AUTO);
}

static void each_option_sets_its_own_member(void **state)
{
	(void)state;
	assert_int_equal(PARSED("-p", "181").common.trace.filter.pids.pids[0], 181);
	assert_int_equal(PARSED("-p181").common.trace.filter.pids.pids[0], 181);
	assert_int_equal(PARSED("--pid", "1").common.trace.filter.pids.count, 1);
	assert_int_equal(PARSED("--pid=2147483647").common.trace.filter.pids.pids[0], INT32_MAX);
	assert_int_equal(PARSED("-d", "5").common.duration_ns, 5000000000);
	assert_int_equal(PARSED("--duration=0.25").common.duration_ns, 250000000);
	assert_true(PARSED("--json").common.json);
	assert_true(PARSED("--overhead").common.trace.overhead);
	assert_int_equal(PARSED("--attach=auto").common.trace.attach, ATTACH_AUTO);
	assert_int_equal(PARSED("--attach=fentry").common.trace.attach, ATTACH_FENTRY);
	assert_int_equal(PARSED("--attach", "kprobe").common.trace.attach, ATTACH_KPROBE);
	assert_string_equal(PARSED("--btf", "a file").common.trace.btf_path, "a file");
	assert_string_equal(PARSED("--probe=read=f").common.trace.forced_probe, "read=f");
	assert_true(PARSED("-a").all);
	assert_string_equal(PARSED("word").word, "word");
	assert_int_equal(PARSED("word", "9").count, 9);
	assert_int_equal(PARSED("--ops=readlink,read").ops, 5);
	assert_int_equal(PARSED("--ops=write").ops, 2);
	assert_int_equal(PARSED("--ops=all").ops, 7);
	assert_int_equal(PARSED("-l", "high").level, 2);
}

static void options_may_stand_anywhere(void **state)
{
	struct options options = PARSED("-a", "word", "--json", "-p", "7", "-d2");

	(void)state;
	assert_true(options.all);
	assert_true(options.common.json);
	assert_int_equal(options.common.trace.filter.pids.pids[0], 7);
	assert_int_equal(options.common.duration_ns, 2000000000);
	assert_string_equal(options.word, "word");
	options = PARSED("-ap", "7", "--", "-x");
	assert_true(options.all);
	assert_int_equal(options.common.trace.filter.pids.pids[0], 7);
	assert_string_equal(options.word, "-x");
}

static void processes_add_up(void **state)
{
	struct options options = PARSED("-p", "1", "--pid=7,3", "-p2");
	const struct pid_list *pids = &options.common.trace.filter.pids;

	(void)state;
	assert_int_equal(pids->count, 4);
	assert_int_equal(pids->pids[0], 1);
	assert_int_equal(pids->pids[1], 7);
	assert_int_equal(pids->pids[2], 3);
	assert_int_equal(pids->pids[3], 2);
}

static void of_an_option_given_twice_the_last_counts(void **state)
{
	(void)state;
	assert_int_equal(PARSED("--attach=fentry", "--attach=auto").common.trace.attach, ATTACH_AUTO);
}

static void each_v_says_more(void **state)
{
	struct capture capture;
	char *before, *after;

	(void)state;
	capture = capture_begin(STDERR_FILENO);
	log_debug("told");
	before = capture_end(&capture);
	PARSED("-v");
	capture = capture_begin(STDERR_FILENO);
	log_debug("told");
	after = capture_end(&capture);
	log_set_verbosity(0);
	assert_string_equal(before, "");
	assert_string_equal(after, "fstrace: told\n");
	free(before);
	free(after);
}

static void what_is_wrong_is_told_in_one_line(void **state)
{
	static const struct {
		const char *words[WORDS_MAX + 1], *named;
	} cases[] = {
		{ { "-p", "abc" }, "'abc'" },
		{ { "-p", "" }, "''" },
		{ { "-p", "0" }, "'0'" },
		{ { "-p", "-1" }, "'-1'" },
		{ { "-p", "+1" }, "'+1'" },
		{ { "-p", " 1" }, "' 1'" },
		{ { "-p", "1x" }, "'1x'" },
		{ { "-p", "2147483648" }, "'2147483648'" },
		{ { "-p", "4294967297" }, "'4294967297'" },
		{ { "-p", "18446744073709551617" }, "'18446744073709551617'" },
		{ { "--pid=x" }, "'x'" },
		{ { "-p" }, "'p'" },
		{ { "--pid" }, "'--pid'" },
		{ { "-d", "0" }, "'0'" },
		{ { "-d", "-5" }, "'-5'" },
		{ { "-d", "5s" }, "'5s'" },
		{ { "--duration", "soon" }, "'soon'" },
		{ { "--duration=" }, "''" },
		{ { "--duration=1e9" }, "'1e9'" },
		{ { "--duration=100000001" }, "'100000001'" },
		{ { "--duration" }, "'--duration'" },
		{ { "--attach=Kprobe" }, "'Kprobe'" },
		{ { "--attach=" }, "''" },
		{ { "--attach", "fentry,kprobe" }, "'fentry,kprobe'" },
		{ { "--attach" }, "'--attach'" },
		{ { "--btf" }, "'--btf'" },
		{ { "--json=yes" }, "'--json'" },
		{ { "--json", "--no-such" }, "'--no-such'" },
		{ { "--no-such=x" }, "'--no-such=x'" },
		{ { "-x" }, "'x'" },
		{ { "-ax" }, "'x'" },
		{ { "--p=1" }, "'--p=1'" },		/* --pid or --probe? */
		{ { "one", "two" }, "invalid count 'two'" },
		{ { "one", "1" }, "invalid count '1'" },
		{ { "one", "10" }, "invalid count '10'" },
		{ { "one", "2", "three" }, "unexpected argument 'three'" },
		{ { "one", "2", "--", "-x" }, "unexpected argument '-x'" },
		{ { "--ops=" }, "invalid operations ''" },
		{ { "--ops=read,,write" }, "invalid operations 'read,,write'" },
		{ { "--ops=read," }, "invalid operations 'read,'" },
		{ { "--ops=rea" }, "invalid operations 'rea'" },
		{ { "--ops=reads" }, "invalid operations 'reads'" },
		{ { "--level=middle" }, "invalid level 'middle'" },
		/* The first of several. */
		{ { "-p", "first", "-p", "second" }, "'first'" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct options options;
		bool go_on;
		int status;
		char *message = parse_words(cases[i].words, &options, &go_on, &status);

		if (go_on || status != EXIT_USAGE || count_lines(message) != 2 ||
		    !strstr(message, "\nfstrace: hint: ") ||
		    !strstr(message, cases[i].named) ||
		    strncmp(message, "fstrace applet: ", strlen("fstrace applet: ")))
			fail_msg("'%s' '%s': status %d, and said '%s'", cases[i].words[0],
				 cases[i].words[1] ?: "", status, message);
		free(message);
	}
}

static int release_kept(void **state)
{
	(void)state;
	options_release(applets, &kept);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_options_all_is_zero),
		cmocka_unit_test(each_option_sets_its_own_member),
		cmocka_unit_test(options_may_stand_anywhere),
		cmocka_unit_test(processes_add_up),
		cmocka_unit_test(of_an_option_given_twice_the_last_counts),
		cmocka_unit_test(each_v_says_more),
		cmocka_unit_test(what_is_wrong_is_told_in_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, release_kept);
}

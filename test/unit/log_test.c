// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/base/log.c: each message is one line on stderr, and only what was asked for. */
#include "test.h"

#include <bpf/libbpf.h>

#include "core/base/log.h"

static void say_all(void)
{
	log_error("cannot open '%s': %s", "x", "no such file");
	log_warning("lost %d events", 7);
	log_hint("try %s", "again");
	log_debug("attached by %s", "fentry");
}

/* What the function writes to stderr; nothing may go to stdout. */
static char *said(void (*function)(void))
{
	struct capture out = capture_begin(STDOUT_FILENO), err = capture_begin(STDERR_FILENO);
	char *on_stderr, *on_stdout;

	function();
	on_stderr = capture_end(&err);
	on_stdout = capture_end(&out);
	assert_string_equal(on_stdout, "");
	free(on_stdout);
	return on_stderr;
}

static void messages_are_lines_with_a_name(void **state)
{
	char *text = said(say_all);

	(void)state;
	assert_string_equal(text, "fstrace: cannot open 'x': no such file\n"
				  "fstrace: warning: lost 7 events\n"
				  "fstrace: hint: try again\n");
	free(text);
}

static void say_hostile(void)
{
	log_error("no such option: '%s'", "--\x1b[2J\n\t\x9b" "1m\xc2\x9b\xe2\x80\xae\\");
	log_hint("%s", "ends with \xc3");
	log_text("%s", "one\ttwo\x1b[2J\nthree\n");
}

static void what_others_chose_is_escaped(void **state)
{
	char *text = said(say_hostile);

	(void)state;
	assert_string_equal(text, "fstrace: no such option: '--\\x1b[2J\\n\\t\\x9b1m\\xc2\\x9b"
				  "\\xe2\\x80\\xae\\\\'\n"
				  "fstrace: hint: ends with \\xc3\n"
				  "one\ttwo\\x1b[2J\nthree\n");
	free(text);
}

static void verbose_says_more(void **state)
{
	char *text;

	(void)state;
	log_set_verbosity(1);
	text = said(say_all);
	log_set_verbosity(0);
	assert_non_null(strstr(text, "\nfstrace: attached by fentry\n"));
	assert_int_equal(count_lines(text), 4);
	free(text);
}

static char long_word[5000];

static void say_long(void)
{
	log_error("cannot open '%s': no such file", long_word);
}

static void a_long_message_is_cut_and_ends_its_line(void **state)
{
	(void)state;
	for (size_t len = 900; len < sizeof(long_word); len += len < 1100 ? 1 : 500) {
		char *text;

		memset(long_word, 'w', len);
		long_word[len] = '\0';
		text = said(say_long);
		assert_int_equal(count_lines(text), 1);
		assert_int_equal(text[strlen(text) - 1], '\n');
		assert_in_range(strlen(text), 900, 1024);
		free(text);
	}
}

/* libbpf warns of a file that is not there. */
static void make_libbpf_talk(void)
{
	bpf_object__close(bpf_object__open_file("/no/such/object.o", NULL));
}

static void libbpf_talks_when_asked_twice(void **state)
{
	(void)state;
	log_take_libbpf();
	for (int level = 0; level <= 2; level++) {
		char *text;

		log_set_verbosity(level);
		text = said(make_libbpf_talk);
		log_set_verbosity(0);
		if (level < 2)
			assert_string_equal(text, "");
		else
			assert_non_null(strstr(text, "/no/such/object.o"));
		free(text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_are_lines_with_a_name),
		cmocka_unit_test(what_others_chose_is_escaped),
		cmocka_unit_test(verbose_says_more),
		cmocka_unit_test(a_long_message_is_cut_and_ends_its_line),
		cmocka_unit_test(libbpf_talks_when_asked_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

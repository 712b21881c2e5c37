// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/trace/account.c: each kind of loss is reported on a separate line; without loss, nothing. */
#include "test.h"

#include "bpf/event.h"
#include "core/trace/account.h"

#define CPUS 3

/* The counters of three CPUs, and what the kernel knows of missed runs. */
static struct account map[CPUS];
static struct refused_calls refused;

const struct bpf_map *__wrap_bpf_object__find_map_by_name(const void *object, const char *name);
int __wrap_percpu_open(struct percpu *percpu, const struct bpf_map *bpf_map);

const struct bpf_map *__wrap_bpf_object__find_map_by_name(const void *object, const char *name)
{
	assert_string_equal(name, "account");
	return object;
}

int __wrap_percpu_open(struct percpu *percpu, const struct bpf_map *bpf_map)
{
	assert_non_null(bpf_map);
	*percpu = (struct percpu){ map, sizeof(*map), CPUS };
	return 0;
}

static int nothing_lost(void **state)
{
	static struct accounts accounts;

	memset(map, 0, sizeof(map));
	refused = (struct refused_calls){ 0 };
	accounts = (struct accounts){ 0 };
	*state = &accounts;
	return accounts_open(&accounts, (const struct bpf_object *)&accounts);
}

static void check_lost(struct accounts *accounts, const char *expected)
{
	struct capture capture = capture_begin(STDERR_FILENO);
	char *text;

	accounts_tell_lost(accounts);
	text = capture_end(&capture);
	assert_string_equal(text, expected);
	free(text);
}

static void check_all(struct accounts *accounts, const char *expected)
{
	struct capture capture = capture_begin(STDERR_FILENO);
	char *text;

	accounts_tell_all(accounts, &refused);
	text = capture_end(&capture);
	assert_string_equal(text, expected);
	free(text);
}

static void nothing_is_told_when_nothing_was_lost(void **state)
{
	check_lost(*state, "");
	check_all(*state, "");
}

static void lost_events_are_told_once(void **state)
{
	map[0].lost_events = 5;
	map[2].lost_events = 6;
	check_lost(*state, "fstrace: warning: lost 11 events: they came faster than they could be "
			   "written\n");
	check_lost(*state, "");
	map[1].lost_events = 1;
	check_lost(*state, "fstrace: warning: lost 1 events: they came faster than they could be "
			   "written\n");
	check_all(*state, "fstrace: warning: lost 12 events in all\n");
}

static void counts_have_64_bits(void **state)
{
	map[0].lost_events = 1ULL << 40;
	map[1].lost_events = 1ULL << 40;
	check_all(*state, "fstrace: warning: lost 2199023255552 events in all\n");
}

static void each_kind_of_loss_has_its_line(void **state)
{
	map[0].lost_threads = 3;
	refused_calls_add(&refused, 0, 4);
	map[0].entries = 10;
	map[1].entries = 10;
	map[2].returns = 13;
	refused.forced = true;
	check_all(*state,
		"fstrace: warning: lost 3 operations: too many threads at a time\n"
		"fstrace: warning: missed 4 calls that came while a probe was running\n"
		"fstrace: warning: missed the return of 7 of 20 calls (or they have not returned "
		"yet): the kernel ran out of kretprobes\n"
		"fstrace: hint: --attach=auto takes what misses least on this kernel\n");
}

/* Of a call with two programs, each may be refused, or both. */
static void what_is_known_of_refused_calls_is_told(void **state)
{
	refused_calls_add(&refused, 3, 0);
	refused_calls_add(&refused, 0, 0);
	check_all(*state, "fstrace: warning: missed 3 calls that came while a probe was running\n");
	refused_calls_add(&refused, 10, 7);
	refused_calls_add(&refused, 1, 2);
	check_all(*state, "fstrace: warning: missed at least 15 and at most 23 calls that came "
			  "while a probe was running\n");
	/* With -p: any of them may be of others. */
	refused.of_all = true;
	check_all(*state, "fstrace: warning: missed at most 23 calls that came while a probe was "
			  "running (of all processes: it is not known of which)\n");
}

static void forgotten_calls_are_told_once(void **state)
{
	map[0].lost_returns = 2;
	map[2].lost_returns = 7;
	check_all(*state, "fstrace: warning: lost 9 calls: their return was not seen, or they nest "
			  "too deeply\n");
	/* Others are the same calls. */
	refused_calls_add(&refused, 0, 4);
	map[1].entries = 10;
	map[2].returns = 7;
	check_all(*state,
		  "fstrace: warning: missed 4 calls that came while a probe was running\n"
		  "fstrace: warning: missed the return of 3 of 10 calls (or they have not returned "
		  "yet): the kernel ran out of kretprobes\n"
		  "fstrace: warning: lost 2 calls: their return was not seen, or they nest too "
		  "deeply\n");
	map[2].lost_returns = 5;
	map[2].returns = 10;
	refused_calls_add(&refused, 0, 3);
	check_all(*state, "fstrace: warning: missed 7 calls that came while a probe was running\n");
}

static void more_returns_than_entries_are_no_loss(void **state)
{
	/* Calls that were under way when the probes were attached. */
	map[0].entries = 10;
	map[1].returns = 12;
	check_all(*state, "");
}

static void an_object_without_accounts_is_an_error(void **state)
{
	struct capture capture = capture_begin(STDERR_FILENO);
	int err = accounts_open(*state, NULL);
	char *text = capture_end(&capture);

	assert_int_equal(err, -ENOENT);
	assert_string_equal(text, "fstrace: cannot map the accounts: No such file or directory\n");
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define ACCOUNT_TEST(test) cmocka_unit_test_setup(test, nothing_lost)
		ACCOUNT_TEST(nothing_is_told_when_nothing_was_lost),
		ACCOUNT_TEST(lost_events_are_told_once),
		ACCOUNT_TEST(counts_have_64_bits),
		ACCOUNT_TEST(each_kind_of_loss_has_its_line),
		ACCOUNT_TEST(what_is_known_of_refused_calls_is_told),
		ACCOUNT_TEST(forgotten_calls_are_told_once),
		ACCOUNT_TEST(more_returns_than_entries_are_no_loss),
		ACCOUNT_TEST(an_object_without_accounts_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

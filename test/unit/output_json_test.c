// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/show/output_json.c: one object a line, read back by a JSON parser that is not ours (jq), and
 * names of any bytes that come back as they were.
 */
#include "test.h"

#include <inttypes.h>
#include <time.h>

#include "applets/dcstat_row.h"
#include "bpf/hist.h"
#include "core/base/stop.h"
#include "core/show/interval.h"
#include "core/show/output_form.h"
#include "rows.h"

/* Keeps what an applet would have printed, for schema.test. */
static void keep(const char *applet, const char *json)
{
	const char *folder = getenv("FSTRACE_TEST_JSON");
	char path[4096];
	FILE *file;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%s.jsonl", folder, applet);
	file = fopen(path, "a");
	assert_non_null(file);
	assert_true(fputs(json, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* What `jq OPTION PROGRAM` makes of a text, for the caller to free. */
static char *jq(const char *option, const char *program, const char *json)
{
	char *argv[] = { "jq", (char *)option, (char *)program, NULL };
	int in = memfd_create("json", MFD_CLOEXEC);
	struct outcome outcome;

	assert_true(in >= 0);
	assert_int_equal(write(in, json, strlen(json)), strlen(json));
	lseek(in, 0, SEEK_SET);
	outcome = run_program(-1, argv, in, false);
	close(in);
	if (outcome.status)
		fail_msg("%s: exit status %d: %s", outcome.status == 127 ? "jq is not installed" :
			 "jq", outcome.status, outcome.err);
	assert_string_equal(outcome.err, "");
	free(outcome.err);
	return outcome.out;
}

/* Fails unless `condition` is true of every object, `count` of them. */
static void check_all(const char *json, const char *condition, size_t count)
{
	char program[1024], expected[64], *answer;

	snprintf(program, sizeof(program), "map(%s) | [length, all(. == true)]", condition);
	snprintf(expected, sizeof(expected), "[%zu,true]\n", count);
	answer = jq("-sc", program, json);
	if (strcmp(answer, expected))
		fail_msg("'%s' is true of all: expected %s, got %s", condition, expected, answer);
	free(answer);
}

static char *json_of_rows(const struct row *rows, size_t count)
{
	int file;
	struct output *out = output_to_memory(true, &file);
	char *json;

	output_banner(out, "not for JSON");
	output_events_begin(out, &row_record, START_NS);
	for (size_t i = 0; i < count; i++)
		put_row(out, &rows[i]);
	json = written(out, file);
	keep("dcsnoop", json);
	return json;
}

static void rows_are_one_object_a_line(void **state)
{
	static const struct row rows[] = {
		{ 2159071000, 153, 154, "load", LOOKUP_MISS, "load.0", 0 },
		{ 0, 1, 1, "a b", LOOKUP_FOUND, "with space", 0 },
		{ 1, 4294967295, 4294967295, "0123456789abcdef", LOOKUP_NEGATIVE, "x", 0 },
		{ 100000000000000001, 2, 2, "", LOOKUP_MISS, " ", 0 },
		{ -1000000, 2, 2, "early", LOOKUP_MISS, "x", 0 },
	};
	char *json = json_of_rows(rows, COUNT_OF(rows));

	(void)state;
	assert_string_equal(json,
		"{\"time\":2.159071000,\"pid\":153,\"tid\":154,\"comm\":\"load\",\"type\":\"M\","
		"\"file\":\"load.0\"}\n"
		"{\"time\":0.000000000,\"pid\":1,\"tid\":1,\"comm\":\"a b\",\"type\":\"R\","
		"\"file\":\"with space\"}\n"
		"{\"time\":0.000000001,\"pid\":4294967295,\"tid\":4294967295,"
		"\"comm\":\"0123456789abcdef\",\"type\":\"N\",\"file\":\"x\"}\n"
		"{\"time\":100000000.000000001,\"pid\":2,\"tid\":2,\"comm\":\"\",\"type\":\"M\","
		"\"file\":\" \"}\n"
		"{\"time\":0.000000000,\"pid\":2,\"tid\":2,\"comm\":\"early\",\"type\":\"M\","
		"\"file\":\"x\"}\n");
	check_all(json, "(.time|type) == \"number\" and (.pid|type) == \"number\" and "
		  "keys_unsorted == [\"time\",\"pid\",\"tid\",\"comm\",\"type\",\"file\"]",
		  COUNT_OF(rows));
	free(json);
}

static void without_rows_nothing_is_written(void **state)
{
	char *json = json_of_rows(NULL, 0);

	(void)state;
	assert_string_equal(json, "");
	free(json);
}

static void names_that_are_no_utf8_have_a_hex_twin(void **state)
{
	static const struct row rows[] = {
		{ 0, 1, 1, "\xff\x01", LOOKUP_MISS, "a\x80\"", 0 },
		{ 0, 1, 1, "load", LOOKUP_MISS, "\xef\xbf\xbd", 0 },
		{ 0, 1, 1, "na\xc3", LOOKUP_MISS, "na\xc3\xafve\n", 0 },
	};
	char *json = json_of_rows(rows, COUNT_OF(rows));

	(void)state;
	assert_string_equal(json,
		"{\"time\":0.000000000,\"pid\":1,\"tid\":1,\"comm\":\"\xef\xbf\xbd\\u0001\","
		"\"comm_hex\":\"ff01\",\"type\":\"M\",\"file\":\"a\xef\xbf\xbd\\\"\","
		"\"file_hex\":\"618022\"}\n"
		"{\"time\":0.000000000,\"pid\":1,\"tid\":1,\"comm\":\"load\",\"type\":\"M\","
		"\"file\":\"\xef\xbf\xbd\"}\n"
		"{\"time\":0.000000000,\"pid\":1,\"tid\":1,\"comm\":\"na\xef\xbf\xbd\","
		"\"comm_hex\":\"6e61c3\",\"type\":\"M\",\"file\":\"na\xc3\xafve\\u000a\"}\n");
	check_all(json, "has(\"file_hex\") == (.file == \"a\\ufffd\\\"\")", COUNT_OF(rows));
	free(json);
}

/* A word of jq's: hex digits, or @uri's letters and %XX, that stand for the bytes of a name. */
static size_t decode(const char *word, size_t len, bool hex, char *to)
{
	size_t bytes = 0;
	unsigned int byte;

	for (size_t i = 0; i < len; bytes++) {
		if (!hex && word[i] != '%') {
			to[bytes] = word[i++];
			continue;
		}
		i += !hex;
		assert_int_equal(sscanf(word + i, "%2x", &byte), 1);
		to[bytes] = byte;
		i += 2;
	}
	return bytes;
}

/* That a word "hex:..." or "uri:..." at *at stands for these bytes; moves *at behind it. */
static void check_name(char **at, const char *name, size_t name_len)
{
	size_t len = strcspn(*at, "\t\n");
	char *bytes = malloc(len + 1);

	assert_non_null(bytes);
	assert_true(!strncmp(*at, "hex:", 4) || !strncmp(*at, "uri:", 4));
	assert_int_equal(decode(*at + 4, len - 4, **at == 'h', bytes), name_len);
	assert_memory_equal(bytes, name, name_len);
	free(bytes);
	*at += len + 1;
}

static void hostile_names_come_back_from_jq(void **state)
{
	static const char likely[] = "\"\\/\n\t\r\x1b\x7f'{}[],:u0"
				     "\x80\x9f\xa0\xbf\xc2\xc3\xe2\xed\xf0\xff";
	static char names[2000][255], comms[2000][17];
	static struct row rows[2000];
	uint32_t seed = 114;
	char *json, *answer, *at;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		size_t len = 1 + random_next(&seed) % (i % 10 ? 10 : 255);
		size_t comm_len = random_next(&seed) % 17;

		for (size_t j = 0; j < len; j++)
			names[i][j] = random_next(&seed) % 2 ? 1 + (int)(random_next(&seed) % 255) :
				      likely[random_next(&seed) % (sizeof(likely) - 1)];
		for (size_t j = 0; j < comm_len; j++)
			comms[i][j] = 1 + random_next(&seed) % (i % 2 ? 255 : 127);
		rows[i] = (struct row){ i, i, i, comms[i], LOOKUP_MISS, names[i], len };
	}
	json = json_of_rows(rows, COUNT_OF(rows));
	assert_int_equal(count_lines(json), COUNT_OF(rows));
	answer = jq("-r", "def name(text; hex): if hex then \"hex:\" + hex else \"uri:\" +"
		    " (text|@uri) end;"
		    "[name(.file; .file_hex), name(.comm; .comm_hex)] | @tsv", json);
	at = answer;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		check_name(&at, names[i], rows[i].name_len);
		check_name(&at, comms[i], strlen(comms[i]));
	}
	assert_string_equal(at, "");
	free(answer);
	free(json);
}

static void the_longest_rows_are_whole(void **state)
{
	char name[255], *json;
	struct row rows[200];

	(void)state;
	for (int byte = 0; byte < 2; byte++) {
		memset(name, byte ? 0xff : 0x01, sizeof(name));
		for (size_t i = 0; i < COUNT_OF(rows); i++)
			rows[i] = (struct row){ UINT64_C(1) << 62, UINT32_MAX, UINT32_MAX,
						"\xff\xff\xff\xff\xff\xff\xff\xff\1\1\1\1\1\1\1\1",
						LOOKUP_MISS, name, sizeof(name) };
		json = json_of_rows(rows, COUNT_OF(rows));
		check_all(json, byte ? "(.file_hex|length) == 510" : "(.file|length) == 255",
			  COUNT_OF(rows));
		free(json);
	}
}

static void a_name_that_was_cut_says_so(void **state)
{
	char name[256], *json;
	struct row rows[] = {
		{ 1, 1, 1, "load", LOOKUP_MISS, name, 254 },
		{ 1, 1, 1, "load", LOOKUP_MISS, name, 255 },
		{ 1, 1, 1, "load", LOOKUP_MISS, name, 256 },	/* 0 in the record: longer */
	};

	(void)state;
	memset(name, 'n', 255);
	name[255] = 'x';
	json = json_of_rows(rows, COUNT_OF(rows));
	check_all(json, "(.file|test(\"^n+$\")) and has(\"file_cut\") == (.file_cut == true)", 3);
	assert_non_null(strstr(json, "n\",\"file_cut\":true}\n"));
	check_all(strchr(json, '\n') + 1, ".file|length == 255", 2);
	check_all(strstr(strchr(json, '\n') + 1, "\n{"), ".file_cut", 1);
	*strstr(strchr(json, '\n') + 1, "\n{") = '\0';
	check_all(json, ".file_cut == null", 2);
	free(json);
}

static void histograms_are_one_object_an_operation(void **state)
{
	const struct hist hist = { .slots = { 900, 109, 0, 1 }, .queued = 7, .again = 5 };
	const struct hist empty = { .queued = 1ULL << 40 };
	/* 12:00:00 in Newfoundland */
	const struct interval block = { .start = { 1796052598, 999999999 }, .end = { 1796052600, 0 } };
	int file;
	struct output *out = output_to_memory(true, &file);
	char *json;

	(void)state;
	setenv("TZ", "XYZ+03:30", 1);
	tzset();
	output_block_begin(out, false, &block);
	put_hist(out, "read", "usecs", &hist);
	put_hist(out, "write", "msecs", &empty);
	json = written(out, file);
	keep("ext4dist", json);
	assert_string_equal(json,
		"{\"time\":\"2026-11-30T12:00:00-03:30\","
		"\"start\":\"2026-11-30T11:59:58.999999-03:30\","
		"\"end\":\"2026-11-30T12:00:00.000000-03:30\",\"op\":\"read\",\"unit\":\"usecs\","
		"\"count\":1010,\"sum_ns\":0,\"min_ns\":0,\"max_ns\":0,\"percentiles_ns\":{},\"queued\":7,\"again\":5,"
		"\"buckets\":[[0,1,900],[2,3,109],[4,7,0],[8,15,1]]}\n"
		"{\"time\":\"2026-11-30T12:00:00-03:30\","
		"\"start\":\"2026-11-30T11:59:58.999999-03:30\","
		"\"end\":\"2026-11-30T12:00:00.000000-03:30\",\"op\":\"write\",\"unit\":\"msecs\","
		"\"count\":0,\"sum_ns\":0,\"min_ns\":null,\"max_ns\":null,\"percentiles_ns\":{},"
		"\"queued\":1099511627776,\"again\":0,\"buckets\":[]}\n");
	check_all(json, "keys_unsorted == "
		  "[\"time\",\"start\",\"end\",\"op\",\"unit\",\"count\","
		  "\"sum_ns\",\"min_ns\",\"max_ns\",\"percentiles_ns\",\"queued\",\"again\",\"buckets\"] and "
		  ".count == ([.buckets[][2]] | add // 0)", 2);
	free(json);
}

static void latencies_are_exact_or_null(void **state)
{
	const struct interval block = { .end = { 1, 0 } };
	static const struct hist hist = { .slots = { 3 }, .count = 3, .sum_ns = UINT64_MAX,
					  .min_ns = 1, .max_ns = UINT64_MAX - 1 };
	static const struct hist empty;
	static const struct percentile percentiles[] = {
		{ "50", 50000, 700 }, { "99.9", 99900, UINT64_MAX - 2 }, { "", 0, 0 } };
	struct hist_row row = { .fs = "ext4", .op = "read", .unit = "nsecs", .hist = &hist,
				.percentiles = percentiles, .summary = true };
	int file;
	struct output *out = output_to_memory(true, &file);
	char *json;

	(void)state;
	output_block_begin(out, false, &block);
	output_hist(out, &hist_record, &row);
	row.hist = &empty;
	output_hist(out, &hist_record, &row);
	json = written(out, file);
	keep("ext4dist", json);
	assert_non_null(strstr(json, "\"fs\":\"ext4\",\"op\":\"read\",\"unit\":\"nsecs\",\"count\":3,"
		"\"sum_ns\":18446744073709551615,\"min_ns\":1,\"max_ns\":18446744073709551614,"
		"\"percentiles_ns\":{\"50\":700,\"99.9\":18446744073709551613},"));
	assert_non_null(strstr(json, "\"count\":0,\"sum_ns\":0,\"min_ns\":null,\"max_ns\":null,"
		"\"percentiles_ns\":{\"50\":null,\"99.9\":null},"));
	free(json);
}

static void a_mount_is_shown_if_known_and_escaped(void **state)
{
	const struct interval block = { .end = { 1, 0 } };
	static const struct hist hist = { .slots = { 1 }, .count = 1 };
	struct hist_row row = { .fs = "ext4", .op = "read", .unit = "usecs", .hist = &hist };
	char longest[256];
	int file;
	struct output *out = output_to_memory(true, &file);
	char *json;

	(void)state;
	memset(longest, '\1', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	output_block_begin(out, false, &block);
	output_hist(out, &hist_record, &row);
	row.mount = "/mnt/a \"b\"";
	output_hist(out, &hist_record, &row);
	row.mount = "/mnt/\xff";
	output_hist(out, &hist_record, &row);
	row.mount = longest;
	output_hist(out, &hist_record, &row);
	json = written(out, file);
	keep("ext4dist", json);
	assert_non_null(strstr(json, "\"fs\":\"ext4\",\"op\":"));
	assert_non_null(strstr(json, "\"fs\":\"ext4\",\"mount\":\"/mnt/a \\\"b\\\"\",\"op\":"));
	assert_non_null(strstr(json, "\"mount_hex\":\"2f6d6e742fff\",\"op\":"));
	assert_non_null(strstr(json, "\\u0001\\u0001\",\"op\":"));
	free(json);
}

static void a_block_has_the_time_of_now(void **state)
{
	const struct hist hist = { .slots = { 1 } };
	time_t before = time(NULL), after, told;
	struct tm tm = { 0 };
	int file;
	struct output *out = output_to_memory(true, &file);
	struct interval interval;
	struct stop stop;
	char *json, *rest;

	(void)state;
	setenv("TZ", "XYZ-05:30", 1);
	tzset();
	assert_int_equal(stop_open(&stop), 0);
	interval_start(&interval, 1000000, 1);
	assert_true(interval_next(&interval, &stop));
	stop_close(&stop);
	output_block_begin(out, false, &interval);
	put_hist(out, "read", "usecs", &hist);
	after = time(NULL);
	json = written(out, file);
	keep("ext4dist", json);
	assert_memory_equal(json, "{\"time\":\"", 9);
	rest = strptime(json + 9, "%Y-%m-%dT%H:%M:%S", &tm);
	assert_non_null(rest);
	assert_memory_equal(rest, "+05:30\",", 8);
	told = timegm(&tm) - (5 * 3600 + 1800);
	assert_in_range(told, before, after);
	free(json);
}

/* Numbers of 64 bits, which jq 1.6 rounds: so by their digits. */
static void full_slots_keep_all_digits(void **state)
{
	const struct interval block = { .end = { 1, 0 } };
	char *json, *at, expected[128];
	struct hist hist;
	int file;
	struct output *out = output_to_memory(true, &file);

	(void)state;
	for (int slot = 0; slot < HIST_SLOTS; slot++)
		hist.slots[slot] = (1ULL << 57) + slot;
	hist.queued = hist.again = UINT64_MAX;
	output_block_begin(out, false, &block);
	put_hist(out, "fsync", "usecs", &hist);
	json = written(out, file);
	keep("ext4dist", json);
	assert_non_null(strstr(json, "\"queued\":18446744073709551615,"
				     "\"again\":18446744073709551615,"));
	at = strstr(json, "\"buckets\":[") + strlen("\"buckets\":[");
	for (int slot = 0; slot < HIST_SLOTS; slot++) {
		uint64_t low = slot ? 1ULL << slot : 0, high = (low ?: 1) - 1 + (low ?: 1);

		snprintf(expected, sizeof(expected), "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
			 slot ? "," : "", low, high, (UINT64_C(1) << 57) + slot);
		assert_memory_equal(at, expected, strlen(expected));
		at += strlen(expected);
	}
	assert_string_equal(at, "]}\n");
	check_all(json, ".buckets|length == 64", 1);
	free(json);
}

static void numbers_of_another_namespace_stand_beside_the_initial(void **state)
{
	static const struct row row = { 0, 70153, 70154, "load", LOOKUP_MISS, "x", 0 };
	const __u64 number = (__u64)12 << 32 | 13, none = 0;
	int file;
	struct output *out = output_to_memory(true, &file);
	char *json;

	(void)state;
	put_row_as(out, &row, &number);
	put_row_as(out, &row, &none);
	put_row(out, &row);
	json = written(out, file);
	assert_string_equal(json,
		"{\"time\":5.000000000,\"pid\":12,\"tid\":13,\"initial_pid\":70153,"
		"\"initial_tid\":70154,\"comm\":\"load\",\"type\":\"M\",\"file\":\"x\"}\n"
		"{\"time\":5.000000000,\"pid\":null,\"tid\":null,\"initial_pid\":70153,"
		"\"initial_tid\":70154,\"comm\":\"load\",\"type\":\"M\",\"file\":\"x\"}\n"
		"{\"time\":5.000000000,\"pid\":70153,\"tid\":70154,\"comm\":\"load\","
		"\"type\":\"M\",\"file\":\"x\"}\n");
	free(json);
}

static void rows_of_counts_are_one_object_each(void **state)
{
	static const struct record record = { "counts", NULL, { interval_fields, dcstat_fields } };
	const struct interval block = { .start = { 1796052599, 5000 }, .end = { 1796052600, 5000 } };
	const struct dcache_counts none = { 0 };
	const struct dcache_counts some = { .fast = { 0, 600, 90 }, .slow = { 300, 9, 1 } };
	int file;
	struct output *out = output_to_memory(true, &file);
	struct dcstat_row row;
	char *json;

	(void)state;
	setenv("TZ", "XYZ+03:30", 1);
	tzset();
	output_rows_begin(out, &record);
	for (int i = 0; i < 3; i++) {
		dcstat_row_make(&row, &none, i ? &none : &some, NS_PER_SECOND);
		output_row(out, &record, &block, &row.interval);
	}
	json = written(out, file);
	keep("dcstat", json);
	assert_int_equal(strncmp(json,
		"{\"time\":\"2026-11-30T12:00:00-03:30\","
		"\"start\":\"2026-11-30T11:59:59.000005-03:30\","
		"\"end\":\"2026-11-30T12:00:00.000005-03:30\","
		"\"refs_per_s\":1000,\"slow_per_s\":310,\"misses_per_s\":300,"
		"\"hit_percent\":70.00,\"negative_per_s\":91,"
		"\"refs\":1000,\"slow\":310,\"misses\":300,\"found\":609,\"negative\":91}\n",
		strcspn(json, "\n") + 1), 0);
	check_all(json, "(.refs == 0) == (.hit_percent == null)", 3);
	free(json);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_one_object_a_line),
		cmocka_unit_test(without_rows_nothing_is_written),
		cmocka_unit_test(names_that_are_no_utf8_have_a_hex_twin),
		cmocka_unit_test(hostile_names_come_back_from_jq),
		cmocka_unit_test(the_longest_rows_are_whole),
		cmocka_unit_test(a_name_that_was_cut_says_so),
		cmocka_unit_test(histograms_are_one_object_an_operation),
		cmocka_unit_test(latencies_are_exact_or_null),
		cmocka_unit_test(a_mount_is_shown_if_known_and_escaped),
		cmocka_unit_test(a_block_has_the_time_of_now),
		cmocka_unit_test(rows_of_counts_are_one_object_each),
		cmocka_unit_test(full_slots_keep_all_digits),
		cmocka_unit_test(numbers_of_another_namespace_stand_beside_the_initial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

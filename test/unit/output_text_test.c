// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/show/output_text.c, byte for byte: the columns `%-11.6f %-7d %-16s %1s %s`, and histograms as
 * the first tools of these names drew them.
 */
#include "test.h"

#include "applets/dcstat_row.h"
#include "bpf/hist.h"
#include "core/base/escape.h"
#include "core/show/interval.h"
#include "core/show/output_form.h"
#include "rows.h"

static void check_rows(const struct row *rows, size_t count, const char *expected)
{
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	output_events_begin(out, &row_record, START_NS);
	for (size_t i = 0; i < count; i++)
		put_row(out, &rows[i]);
	text = written(out, file);
	assert_string_equal(text, expected);
	free(text);
}

static void the_header_line_stands_alone(void **state)
{
	(void)state;
	check_rows(NULL, 0, "TIME(s)     PID     COMM             T FILE\n");
}

static void rows_stand_below_the_header(void **state)
{
	static const struct row rows[] = {
		{ 2159071000, 153, 153, "load", LOOKUP_MISS, "load.0", 0 },
		{ 2159071499, 153, 154, "load", LOOKUP_FOUND, "a", 0 },
		{ 2159071500, 1, 1, "init", LOOKUP_NEGATIVE, "with space", 0 },
		{ 0, 4194304, 4194304, "fifteen_letters", LOOKUP_MISS, "x", 0 },
		{ 999999500, 99999999, 1, "a", LOOKUP_MISS, "wide pid", 0 },
		{ 1000000000000, 7, 7, "slow", LOOKUP_FOUND, "1000 s", 0 },
		{ 100000123456789, 7, 7, "slower", LOOKUP_FOUND, "wider than 11", 0 },
		{ 1000, 4294967295, 1, "", LOOKUP_FOUND, " ", 0 },
	};

	(void)state;
	check_rows(rows, COUNT_OF(rows),
		   "TIME(s)     PID     COMM             T FILE\n"
		   "2.159071    153     load             M load.0\n"
		   "2.159071    153     load             R a\n"
		   "2.159072    1       init             N with space\n"
		   "0.000000    4194304 fifteen_letters  M x\n"
		   "1.000000    99999999 a                M wide pid\n"
		   "1000.000000 7       slow             R 1000 s\n"
		   "100000.123457 7       slower           R wider than 11\n"
		   "0.000001    4294967295                  R \\x20\n");
}

static void hostile_names_stay_on_their_row(void **state)
{
	static const struct row rows[] = {
		{ 1000, 1, 1, "\x1b[2J\n", LOOKUP_MISS, "\x1b[2J\nfake row", 0 },
		{ 1000, 1, 1, "back\\slash", LOOKUP_MISS, "\xff\xc3\xa9\\", 0 },
		{ 1000, 1, 1, "na\xc3\xafve", LOOKUP_MISS, "\xe2\x80\xaetxt.exe", 0 },
	};

	(void)state;
	check_rows(rows, COUNT_OF(rows),
		   "TIME(s)     PID     COMM             T FILE\n"
		   "0.000001    1       \\x1b[2J\\n        M \\x1b[2J\\nfake row\n"
		   "0.000001    1       back\\\\slash      M \\xff\xc3\xa9\\\\\n"
		   "0.000001    1       na\xc3\xafve           M \\xe2\\x80\\xaetxt.exe\n");
}

static void a_time_before_the_start_is_0(void **state)
{
	static const struct row rows[] = { { -1000000, 1, 1, "early", LOOKUP_MISS, "x", 0 } };

	(void)state;
	check_rows(rows, 1,
		   "TIME(s)     PID     COMM             T FILE\n"
		   "0.000000    1       early            M x\n");
}

static void a_comm_without_an_end_is_16_bytes(void **state)
{
	static const struct row rows[] = {
		{ 0, 1, 1, "0123456789abcdef", LOOKUP_MISS, "x", 0 },
	};

	(void)state;
	check_rows(rows, 1,
		   "TIME(s)     PID     COMM             T FILE\n"
		   "0.000000    1       0123456789abcdef M x\n");
}

static void the_longest_rows_are_whole(void **state)
{
	char name[255], *text, *line;
	struct row row = { 1, UINT32_MAX, UINT32_MAX, "\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1",
			   LOOKUP_MISS, name, sizeof(name) };
	int file, lines = 0;
	struct output *out = output_to_memory(false, &file);

	(void)state;
	memset(name, 0xff, sizeof(name));
	output_events_begin(out, &row_record, START_NS);
	for (int i = 0; i < 300; i++)
		put_row(out, &row);
	text = written(out, file);
	for (line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
		assert_int_equal(strcspn(line, "\n"), 11 + 1 + 10 + 1 + 60 + 1 + 1 + 1 + 4 * 255);
		assert_memory_equal(line + strcspn(line, "\n") - 4, "\\xff", 4);
		lines++;
	}
	assert_int_equal(lines, 300);
	free(text);
}

/* Rows in any order, against printf: nothing of one row may be left over in another. */
static void rows_equal_what_printf_says(void **state)
{
	static const char *const comms[] = {
		"a", "load", "fifteen_letters", "\x1b", "\n\n\n\n", "",
	};
	static const char *const names[] = { "x", "a longer name", "\xff\xff", " x", "tab\there" };
	static const uint32_t pids[] = { 1, 12, 4194304, 4294967295 };
	const size_t size = 1 << 20;
	uint32_t seed = 2016;
	int file;
	struct output *out = output_to_memory(false, &file);
	char *expected = malloc(size), *text;
	size_t used;

	(void)state;
	assert_non_null(expected);
	output_events_begin(out, &row_record, START_NS);
	used = snprintf(expected, size, "%-11s %-7s %-16s %1s %s\n", "TIME(s)", "PID", "COMM", "T",
			"FILE");
	for (int i = 0; i < 5000; i++) {
		struct row row = { (uint64_t)random_next(&seed) << random_next(&seed) % 20,
				   pids[random_next(&seed) % 4], random_next(&seed) % 2 + 1,
				   comms[random_next(&seed) % 6], random_next(&seed) % 3,
				   names[random_next(&seed) % 5], 0 };
		uint64_t us = (row.ns + 500) / 1000;
		char time[32], comm[80], name[80];

		*escape_text(comm, row.comm, strlen(row.comm)) = '\0';
		*escape_text(name, row.name, strlen(row.name)) = '\0';
		snprintf(time, sizeof(time), "%lu.%06lu", us / 1000000, us % 1000000);
		put_row(out, &row);
		used += snprintf(expected + used, size - used, "%-11s %-7u %-16s %1s %s\n", time,
				 row.pid, comm, type_names[row.type], name);
	}
	text = written(out, file);
	assert_string_equal(text, expected);
	free(text);
	free(expected);
}

static void a_name_that_was_cut_has_a_mark(void **state)
{
	char name[257], *text;
	int file;
	struct output *out = output_to_memory(false, &file);

	(void)state;
	memset(name, 'n', sizeof(name));
	for (size_t len = 254; len <= 256; len++)
		put_row(out, &(struct row){ 1, 1, 1, "load", LOOKUP_MISS, name, len });
	text = written(out, file);
	assert_string_equal(text + strlen(text) - 6, "n\\...\n");
	assert_int_equal(strspn(strchr(text, 'M') + 2, "n"), 254);
	assert_int_equal(strspn(strchr(strchr(text, '\n'), 'M') + 2, "n"), 255);
	assert_int_equal(strspn(strrchr(text, 'M') + 2, "n"), 255);
	assert_ptr_equal(strchr(text, '\\'), text + strlen(text) - 5);
	free(text);
}

static void a_banner_is_a_line(void **state)
{
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	(void)state;
	output_banner(out, "Tracing ext4 operation latency... Hit Ctrl-C to end.");
	text = written(out, file);
	assert_string_equal(text, "Tracing ext4 operation latency... Hit Ctrl-C to end.\n");
	free(text);
}

static void check_hist(const struct hist *hist, const char *unit, const char *expected)
{
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	put_hist(out, "read", unit, hist);
	text = written(out, file);
	assert_string_equal(text, expected);
	free(text);
}

static void an_empty_operation_is_left_out(void **state)
{
	const struct hist empty = { 0 }, untimed = { .queued = 7, .again = 5 };

	(void)state;
	check_hist(&empty, "usecs", "");
	check_hist(&untimed, "usecs", "");
}

static void one_star_for_each_whole_40th(void **state)
{
	const struct hist hist = { .slots = { 4, 1, 0 } };
	const struct hist more = { .slots = { 400, 9, 10, 19, 20, 39, 399, 0, 200, 1 } };

	(void)state;
	check_hist(&hist, "usecs",
		"\n"
		"operation = 'read'\n"
		"     usecs               : count     distribution\n"
		"         0 -> 1          : 4        |****************************************|\n"
		"         2 -> 3          : 1        |**********                              |\n");
	check_hist(&more, "msecs",
		"\n"
		"operation = 'read'\n"
		"     msecs               : count     distribution\n"
		"         0 -> 1          : 400      |****************************************|\n"
		"         2 -> 3          : 9        |                                        |\n"
		"         4 -> 7          : 10       |*                                       |\n"
		"         8 -> 15         : 19       |*                                       |\n"
		"        16 -> 31         : 20       |**                                      |\n"
		"        32 -> 63         : 39       |***                                     |\n"
		"        64 -> 127        : 399      |*************************************** |\n"
		"       128 -> 255        : 0        |                                        |\n"
		"       256 -> 511        : 200      |********************                    |\n"
		"       512 -> 1023       : 1        |                                        |\n");
}

static void a_row_for_each_slot_up_to_the_highest(void **state)
{
	const struct hist hist = { .slots = { [5] = 75, [6] = 5 } };

	(void)state;
	check_hist(&hist, "usecs",
		"\n"
		"operation = 'read'\n"
		"     usecs               : count     distribution\n"
		"         0 -> 1          : 0        |                                        |\n"
		"         2 -> 3          : 0        |                                        |\n"
		"         4 -> 7          : 0        |                                        |\n"
		"         8 -> 15         : 0        |                                        |\n"
		"        16 -> 31         : 0        |                                        |\n"
		"        32 -> 63         : 75       |****************************************|\n"
		"        64 -> 127        : 5        |**                                      |\n");
}

static void a_key_leads_its_histograms(void **state)
{
	static const struct hist hist = { .slots = { 3 }, .count = 3, .max_ns = 1500 };
	static const struct hist_brief brief = { .per_s = 1009, .share = 99.5, .median_ns = 1000,
						 .p99_ns = 1500 };
	struct hist_row row = { .op = "read", .unit = "usecs", .hist = &hist, .key = "pid = 181" };
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	(void)state;
	output_hist(out, &hist_record, &row);
	row.op = "write";
	output_hist(out, &hist_record, &row);
	row.key = "others";
	output_hist(out, &hist_record, &row);
	text = written(out, file);
#define ROW "     usecs               : count     distribution\n"                                       \
	"         0 -> 1          : 3        |****************************************|\n"
	assert_string_equal(text, "\npid = 181\n\noperation = 'read'\n" ROW "\noperation = 'write'\n" ROW
				  "\nothers\n\noperation = 'write'\n" ROW);
#undef ROW
	free(text);

	out = output_to_memory(false, &file);
	row = (struct hist_row){ .op = "read", .fs = "ext4", .unit = "usecs", .hist = &hist,
				 .key = "comm = 'make'", .brief = &brief };
	output_hist(out, &hist_record, &row);
	row.unit = "nsecs";
	row.key = NULL;
	row.fs = NULL;
	output_hist(out, &hist_record, &row);
	text = written(out, file);
	assert_string_equal(text,
		"\nOP         FS           OPS/s       P50       P99       MAX     TIME% KEY\n"
		"read       ext4        1009.0       1.0       1.5       1.5     99.50 comm = 'make'\n"
		"read       -           1009.0    1000.0    1500.0    1500.0     99.50 -\n");
	free(text);
}

static void extended_adds_a_line_and_file_systems_a_title(void **state)
{
	static const struct hist hist = { .slots = { [3] = 2, [6] = 1 }, .count = 3,
					  .sum_ns = 99996789, .min_ns = 1, .max_ns = 99950 };
	static const struct percentile percentiles[] = {
		{ "50", 50000, 9994 }, { "99.9", 99900, 99949 }, { "", 0, 0 } };
	struct hist_row row = { .fs = "xfs", .op = "read", .unit = "usecs", .hist = &hist,
				.percentiles = percentiles, .summary = true };
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	(void)state;
	output_hist(out, &hist_record, &row);
	row.op = "open";
	row.unit = "nsecs";
	row.percentiles = NULL;
	output_hist(out, &hist_record, &row);
	row.fs = "ext4";
	row.unit = "msecs";
	output_hist(out, &hist_record, &row);
	text = written(out, file);
#define ROWS                                                                                       \
	"         0 -> 1          : 0        |                                        |\n"            \
	"         2 -> 3          : 0        |                                        |\n"            \
	"         4 -> 7          : 0        |                                        |\n"            \
	"         8 -> 15         : 2        |****************************************|\n"            \
	"        16 -> 31         : 0        |                                        |\n"            \
	"        32 -> 63         : 0        |                                        |\n"            \
	"        64 -> 127        : 1        |********************                    |\n"
	assert_string_equal(text,
		"\nfile system = 'xfs'\n\noperation = 'read'\n"
		"     usecs               : count     distribution\n" ROWS
		"     count 3, avg 33332, p50 9.99, p99.9 99.9, max 100\n"
		"\noperation = 'open'\n"
		"     nsecs               : count     distribution\n" ROWS
		"     count 3, avg 33332263, max 99950\n"
		"\nfile system = 'ext4'\n\noperation = 'open'\n"
		"     msecs               : count     distribution\n" ROWS
		"     count 3, avg 33.3, max 0.10\n");
	free(text);
}

/* The rows of slots from..to, all alike but for their bounds. */
static size_t put_rows(char *to, int from, int last, const char *format, const char *rest)
{
	size_t used = 0;

	for (int slot = from; slot <= last; slot++) {
		uint64_t low = slot ? 1ULL << slot : 0, high = (low ?: 1) - 1 + (low ?: 1);

		used += sprintf(to + used, format, low, high);
		used += sprintf(to + used, "%s", rest);
	}
	return used;
}

#define NARROW "%10lu -> %-10lu"
#define WIDE "%20lu -> %-20lu"
#define NONE_NARROW " : 0        |                                        |\n"
#define NONE_WIDE " : 0        |                    |\n"

static void below_2_to_the_32_columns_are_narrow(void **state)
{
	const struct hist hist = { .slots = { [31] = 1 } };
	char expected[8192];
	size_t used;

	(void)state;
	used = sprintf(expected, "\noperation = 'read'\n"
				 "     usecs               : count     distribution\n");
	used += put_rows(expected + used, 0, 30, NARROW, NONE_NARROW);
	strcpy(expected + used,
	       "2147483648 -> 4294967295 : 1        |****************************************|\n");
	check_hist(&hist, "usecs", expected);
}

static void from_2_to_the_32_on_columns_are_wide(void **state)
{
	const struct hist hist = { .slots = { 20, 1, 19, 2, [32] = 10 } };
	char expected[8192];
	size_t used;

	(void)state;
	used = sprintf(expected,
		"\n"
		"operation = 'read'\n"
		"               usecs                         : count     distribution\n"
		"                   0 -> 1                    : 20       |********************|\n"
		"                   2 -> 3                    : 1        |*                   |\n"
		"                   4 -> 7                    : 19       |******************* |\n"
		"                   8 -> 15                   : 2        |**                  |\n");
	used += put_rows(expected + used, 4, 31, WIDE, NONE_WIDE);
	strcpy(expected + used,
		"          4294967296 -> 8589934591           : 10       |**********          |\n");
	check_hist(&hist, "usecs", expected);
}

static void the_highest_slot_is_shown_with_its_bounds(void **state)
{
	const struct hist hist = { .slots = { [63] = 3 } };
	char expected[8192];
	size_t used;

	(void)state;
	used = sprintf(expected, "\noperation = 'read'\n"
		       "               msecs                         : count     distribution\n");
	used += put_rows(expected + used, 0, 62, WIDE, NONE_WIDE);
	strcpy(expected + used, " 9223372036854775808 -> 18446744073709551615 : 3        "
				"|********************|\n");
	check_hist(&hist, "msecs", expected);
}

static void large_counts_neither_overflow_nor_shift_stars(void **state)
{
	const struct hist hist = { .slots = { 1ULL << 31, 1ULL << 33, 1ULL << 40, 1ULL << 39,
					      107374183, 99999999, 100000000 } };
	const struct hist largest = { .slots = { UINT64_MAX, UINT64_MAX / 2, UINT64_MAX / 40,
						 UINT64_MAX / 40 + 1, 1 } };

	(void)state;
	check_hist(&hist, "usecs",
		"\n"
		"operation = 'read'\n"
		"     usecs               : count     distribution\n"
		"         0 -> 1          : 2147483648 |                                        |\n"
		"         2 -> 3          : 8589934592 |                                        |\n"
		"         4 -> 7          : 1099511627776 |****************************************|\n"
		"         8 -> 15         : 549755813888 |********************                    |\n"
		"        16 -> 31         : 107374183 |                                        |\n"
		"        32 -> 63         : 99999999 |                                        |\n"
		"        64 -> 127        : 100000000 |                                        |\n");
	check_hist(&largest, "usecs",
		"\n"
		"operation = 'read'\n"
		"     usecs               : count     distribution\n"
		"         0 -> 1          : 18446744073709551615 |****************************************|\n"
		"         2 -> 3          : 9223372036854775807 |*******************                     |\n"
		"         4 -> 7          : 461168601842738790 |                                        |\n"
		"         8 -> 15         : 461168601842738791 |*                                       |\n"
		"        16 -> 31         : 1        |                                        |\n");
}

/* For any counts: as many stars as whole 40ths (20ths), found by counting up. */
static void stars_are_right_for_any_counts(void **state)
{
	uint32_t seed = 78;

	(void)state;
	for (int round = 0; round < 300; round++) {
		int file, used = 1 + random_next(&seed) % HIST_SLOTS, width = used > 32 ? 20 : 40;
		struct output *out = output_to_memory(false, &file);
		struct hist hist = { 0 };
		uint64_t largest = 0;
		char *text, *line;

		for (int slot = 0; slot < used; slot++) {
			/* 2^57 at most, for `largest * stars` below to have room. */
			hist.slots[slot] = ((uint64_t)random_next(&seed) << 32 |
					    random_next(&seed)) >> (7 + random_next(&seed) % 57);
			if (slot == used - 1)
				hist.slots[slot]++;
			if (hist.slots[slot] > largest)
				largest = hist.slots[slot];
		}
		put_hist(out, "open", "usecs", &hist);
		text = written(out, file);
		line = strstr(text, "distribution\n") + strlen("distribution\n");
		for (int slot = 0; slot < used; slot++) {
			char *bar = strchr(line, '|') + 1, *end = strchr(line, '\n');
			int stars = 0;

			while (stars < width && hist.slots[slot] * width >= largest * (stars + 1))
				stars++;
			assert_int_equal(strspn(bar, "*"), stars);
			assert_int_equal(strspn(bar + stars, " "), width - stars);
			assert_ptr_equal(bar + width + 1, end);
			line = end + 1;
		}
		assert_string_equal(line, "");
		free(text);
	}
}

static void a_block_is_led_by_an_empty_line_and_the_time(void **state)
{
	const struct hist hist = { .slots = { 2 } }, empty = { 0 };
	const struct interval morning = { .end = { 7 * 3600 + 8 * 60 + 9, 999999999 } };
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	(void)state;
	setenv("TZ", "UTC0", 1);
	tzset();
	output_block_begin(out, true, &morning);
	put_hist(out, "read", "usecs", &hist);
	put_hist(out, "write", "usecs", &empty);
	put_hist(out, "open", "usecs", &hist);
	output_block_begin(out, false, &morning);
	put_hist(out, "fsync", "usecs", &hist);
	output_block_begin(out, true, &morning);
	text = written(out, file);
	assert_string_equal(text,
		"\n"
		"07:08:09:\n"
		"\n"
		"operation = 'read'\n"
		"     usecs               : count     distribution\n"
		"         0 -> 1          : 2        |****************************************|\n"
		"\n"
		"operation = 'open'\n"
		"     usecs               : count     distribution\n"
		"         0 -> 1          : 2        |****************************************|\n"
		"\n"
		"\n"
		"operation = 'fsync'\n"
		"     usecs               : count     distribution\n"
		"         0 -> 1          : 2        |****************************************|\n"
		"\n"
		"07:08:09:\n");
	free(text);
}

static void numbers_of_another_namespace_are_those_shown(void **state)
{
	static const struct row row = { 0, 70153, 70154, "load", LOOKUP_MISS, "x", 0 };
	static const __u64 numbers[] = {
		(__u64)12 << 32 | 13, 0, 0, (__u64)12 << 32 | 13, (__u64)99 << 32 | 13,
	};
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		put_row_as(out, &row, &numbers[i]);
	put_row(out, &row);
	text = written(out, file);
	assert_string_equal(text, "5.000000    12      load             M x\n"
				  "5.000000    -       load             M x\n"
				  "5.000000    -       load             M x\n"
				  "5.000000    12      load             M x\n"
				  "5.000000    99      load             M x\n"
				  "5.000000    70153   load             M x\n");
	free(text);
}

static void rows_of_counts_stand_below_the_ends_of_headings(void **state)
{
	static const struct record record = { "counts", NULL, { interval_fields, dcstat_fields } };
	const struct interval first = { .end = { 1796052600, 999999999 } };
	const struct interval second = { .end = { 1796052601, 0 } };
	struct dcstat_row row = { .refs_per_s = 79974, .slow_per_s = 151, .misses_per_s = 106,
				  .hit_percent = 9986, .negative_per_s = 7 };
	struct dcstat_row wide = { .refs_per_s = UINT64_MAX, .hit_percent = 10000 };
	struct dcstat_row none = { .hit_percent = PERCENT_NONE };
	int file;
	struct output *out = output_to_memory(false, &file);
	char *text;

	(void)state;
	setenv("TZ", "XYZ+03:30", 1);
	tzset();
	output_rows_begin(out, &record);
	output_row(out, &record, &first, &row.interval);
	output_row(out, &record, &second, &none.interval);
	output_row(out, &record, &second, &wide.interval);
	text = written(out, file);
	assert_string_equal(text,
		"TIME         REFS/s   SLOW/s   MISS/s     HIT%    NEG/s\n"
		"12:00:00:     79974      151      106    99.86        7\n"
		"12:00:01:         0        0        0        -        0\n"
		"12:00:01:  18446744073709551615        0        0   100.00        0\n");
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_line_stands_alone),
		cmocka_unit_test(rows_stand_below_the_header),
		cmocka_unit_test(hostile_names_stay_on_their_row),
		cmocka_unit_test(a_time_before_the_start_is_0),
		cmocka_unit_test(a_comm_without_an_end_is_16_bytes),
		cmocka_unit_test(the_longest_rows_are_whole),
		cmocka_unit_test(rows_equal_what_printf_says),
		cmocka_unit_test(a_name_that_was_cut_has_a_mark),
		cmocka_unit_test(a_banner_is_a_line),
		cmocka_unit_test(an_empty_operation_is_left_out),
		cmocka_unit_test(one_star_for_each_whole_40th),
		cmocka_unit_test(a_row_for_each_slot_up_to_the_highest),
		cmocka_unit_test(a_key_leads_its_histograms),
		cmocka_unit_test(extended_adds_a_line_and_file_systems_a_title),
		cmocka_unit_test(below_2_to_the_32_columns_are_narrow),
		cmocka_unit_test(from_2_to_the_32_on_columns_are_wide),
		cmocka_unit_test(the_highest_slot_is_shown_with_its_bounds),
		cmocka_unit_test(large_counts_neither_overflow_nor_shift_stars),
		cmocka_unit_test(stars_are_right_for_any_counts),
		cmocka_unit_test(a_block_is_led_by_an_empty_line_and_the_time),
		cmocka_unit_test(numbers_of_another_namespace_are_those_shown),
		cmocka_unit_test(rows_of_counts_stand_below_the_ends_of_headings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

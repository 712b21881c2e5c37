// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/show: events with the applet's own columns, as the slower applets have them, in every form;
 * and paths, which the kernel side collects from their end.
 */
#include "test.h"

#include "bpf/slower.h"
#include "core/base/clock.h"
#include "core/show/output_form.h"

static const char *const op_names[] = { "read", "fsync", NULL };
static const char *const fs_names[] = { "ext4", NULL };

static const struct field fields[] = {
	{ .heading = "TIME", .csv = "ENDTIME_us", .key = "time", .width = 8, .kind = FIELD_CLOCK,
	  FIELD_AT(struct slower_event, header.time_ns) },
	{ .heading = "COMM", .csv = "TASK", .key = "comm", .width = 14, .kind = FIELD_COMM,
	  FIELD_AT(struct slower_event, header.comm) },
	{ .heading = "PID", .csv = "PID", .key = "pid", .width = 7, .kind = FIELD_PID,
	  FIELD_AT(struct slower_event, header.pid_tgid) },
	{ .key = "fs", .kind = FIELD_ENUM, FIELD_AT(struct slower_event, fs), .names = fs_names },
	{ .heading = "T", .csv = "TYPE", .key = "op", .width = 1, .kind = FIELD_ENUM,
	  FIELD_AT(struct slower_event, op), .names = op_names, .letters = "RS" },
	{ .heading = "OFF_KB", .csv = "OFFSET_b", .key = "offset", .width = 8,
	  .kind = FIELD_OFFSET, FIELD_AT(struct slower_event, offset) },
	{ .heading = "LAT(ms)", .csv = "LATENCY_us", .key = "latency_ns", .width = 7,
	  .kind = FIELD_DURATION, FIELD_AT(struct slower_event, latency_ns) },
	{ .heading = "RET", .key = "result", .width = 7, .kind = FIELD_INT,
	  FIELD_AT(struct slower_event, result) },
	{ .heading = "FILENAME", .csv = "FILE", .key = "file", .kind = FIELD_NAME,
	  .offset = offsetof(struct slower_event, name),
	  .len_offset = offsetof(struct slower_event, name_len), .may_be_cut = true },
	{ .heading = "PATH", .key = "path", .kind = FIELD_PATH,
	  .offset = offsetof(struct slower_event, path), .may_be_cut = true },
	{ 0 }
};

static const struct record record = { "operation", NULL, { fields } };

/* Components from the last to the first, each ended by 0. */
static void set_path(struct slower_event *event, enum path_end end, const char *parts, size_t len)
{
	event->path.end = end;
	event->path.len = len;
	memcpy(event->path.bytes, parts, len);
}

#define PATH(event, end, parts) set_path(event, end, parts, sizeof(parts) - 1)

static struct slower_event make(const char *comm, const char *name)
{
	struct slower_event event = {
		.header = { .time_ns = 5000000000 + 1234567, .pid_tgid = 153ULL << 32 | 154 },
		.latency_ns = 12345678, .offset = 20480, .result = 4096,
		.name_len = strlen(name),
	};

	memcpy(event.header.comm, comm, strlen(comm));
	memcpy(event.name, name, strlen(name));
	PATH(&event, PATH_WHOLE, "file\0dir\0");
	return event;
}

static char *shown(enum output_kind kind, const struct slower_event *event)
{
	int file = memfd_create("output", MFD_CLOEXEC);
	struct output *out = output_open(file, kind, NULL);

	assert_non_null(out);
	output_events_begin(out, &record, 5000000000);
	output_event(out, &record, &event->header, NULL);
	assert_int_equal(output_finish(out, 0), 0);
	return read_all_of(file, NULL);
}

/* The time of day is not known: two digits each. */
static void check_text(const struct slower_event *event, const char *expected)
{
	static const char header[] =
		"TIME     COMM           PID     T OFF_KB   LAT(ms) RET     FILENAME PATH\n";
	char *text = shown(OUTPUT_TEXT, event), *row = text + strlen(header);

	assert_memory_equal(text, header, strlen(header));
	for (int i = 0; i < 8; i++)
		assert_true(i % 3 == 2 ? row[i] == ':' : row[i] >= '0' && row[i] <= '9');
	assert_string_equal(row + 8, expected);
	free(text);
}

static void columns_are_as_wide_as_they_say(void **state)
{
	struct slower_event event = make("load", "data");

	(void)state;
	check_text(&event, " load           153     R 20         12.35 4096    data /dir/file\n");
	event.op = 1;
	event.offset = -1;
	event.latency_ns = 1234567890123;
	event.result = -5;
	memcpy(event.header.comm, "fifteen_letters", 16);
	check_text(&event, " fifteen_letters 153     S 0        1234567.89 -5      data /dir/file\n");
}

static void paths_are_put_in_order(void **state)
{
	struct slower_event event = make("load", "data");

	(void)state;
	PATH(&event, PATH_WHOLE, "");
	check_text(&event, " load           153     R 20         12.35 4096    data /\n");
	PATH(&event, PATH_OF_MOUNT, "c\0b b\0a\0");
	check_text(&event, " load           153     R 20         12.35 4096    data a/b b/c\n");
	PATH(&event, PATH_CUT, "c\0b\n\0");
	check_text(&event, " load           153     R 20         12.35 4096    data \\.../b\\n/c\n");
}

static void json_has_numbers_and_null(void **state)
{
	struct slower_event event = make("load", "data");
	char *text = shown(OUTPUT_JSON, &event);

	(void)state;
	assert_string_equal(text, "{\"time\":0.001234567,\"comm\":\"load\",\"pid\":153,\"fs\":\"ext4\","
				  "\"op\":\"read\",\"offset\":20480,\"latency_ns\":12345678,"
				  "\"result\":4096,\"file\":\"data\",\"path\":\"/dir/file\"}\n");
	free(text);
	event.offset = -1;
	event.result = -28;
	PATH(&event, PATH_CUT, "file\0\xff\0");
	text = shown(OUTPUT_JSON, &event);
	assert_non_null(strstr(text, "\"offset\":null,"));
	assert_non_null(strstr(text, "\"result\":-28,"));
	assert_non_null(strstr(text, "\"path_hex\":\"ff2f66696c65\",\"path_cut\":true}\n"));
	free(text);
}

static void csv_quotes_what_must_be_quoted(void **state)
{
	static const char header[] = "ENDTIME_us,TASK,PID,TYPE,OFFSET_b,LATENCY_us,FILE\n";
	struct slower_event event = make("load", "data");
	char *text = shown(OUTPUT_CSV, &event);

	(void)state;
	assert_memory_equal(text, header, strlen(header));
	assert_string_equal(text + strlen(header), "5001234,load,153,R,20480,12345,data\n");
	free(text);
	event = make("a,b", "say \"x\"\n");
	text = shown(OUTPUT_CSV, &event);
	assert_string_equal(text + strlen(header),
			    "5001234,\"a,b\",153,R,20480,12345,\"say \"\"x\"\"\n\"\n");
	free(text);
}

/* A path as long as any, of bytes that take most. */
static void the_longest_path_fits(void **state)
{
	struct slower_event event = make("load", "data");
	char *text;

	(void)state;
	memset(event.path.bytes, '\xff', sizeof(event.path.bytes));
	event.path.bytes[sizeof(event.path.bytes) - 1] = '\0';
	event.path.len = sizeof(event.path.bytes);
	event.path.end = PATH_CUT;
	for (enum output_kind kind = OUTPUT_TEXT; kind <= OUTPUT_CSV; kind++) {
		text = shown(kind, &event);
		assert_true(strlen(text) < EVENT_SIZE_MAX);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_they_say),
		cmocka_unit_test(paths_are_put_in_order),
		cmocka_unit_test(json_has_numbers_and_null),
		cmocka_unit_test(csv_quotes_what_must_be_quoted),
		cmocka_unit_test(the_longest_path_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

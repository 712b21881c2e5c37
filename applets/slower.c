// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ext4slower, xfsslower and so on, one applet for each file system: which operations are slow, on
 * which files, and whose? A row for each that takes a number of milliseconds or more. All others cost
 * what a histogram's do, less its counting.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/calls.h"
#include "bpf/slower.h"
#include "core/base/log.h"
#include "core/base/number.h"
#include "core/base/stop.h"
#include "core/cli/applet.h"
#include "core/cli/options.h"
#include "core/kernel/mounts.h"
#include "core/kernel/percpu.h"
#include "core/operation/plan.h"
#include "core/operation/trial.h"
#include "core/operation/types.h"
#include "core/show/output.h"
#include "core/trace/rows.h"
#include "core/trace/tracer.h"
#include "slower.object.h"

struct options {
	struct common_options common;
	uint64_t min_us;
	uint64_t ops;			/* a bit for each */
	bool csv, result, path, exclusive, wait;
	const char *types;		/* fsslower: a list; NULL: all that are mounted */
};

#define DEFAULT_MIN_US 10000
#define LARGE_RING_BYTES (4 << 20)	/* where rows are long, or come as fast as operations */

static int parse_ms(const char *word, void *member)
{
	uint64_t ms;
	int err = parse_uint(word, 0, UINT32_MAX, &ms);

	if (!err)
		*(uint64_t *)member = ms * 1000;
	return err;
}

static const struct option_row option_rows[] = {
	{ .letter = 'F', .name = "full-path", .kind = OPTION_FLAG, OPTION_AT(struct options, path),
	  .help = "the whole path instead of the name",
	  .more = "As from the root of the mount namespace, whatever a chroot hides of it. Some "
		  "operations only know the path inside their file system: it does not begin with a "
		  "slash. Of a very long one the beginning is missing." },
	{ .letter = 'j', .name = "csv", .kind = OPTION_FLAG, OPTION_AT(struct options, csv),
	  .help = "print CSV: times in microseconds, offsets in bytes" },
	{ .name = "exclusive", .kind = OPTION_FLAG, OPTION_AT(struct options, exclusive),
	  .help = "not those that are a part of another one",
	  .more = "Such as the fsync in a write to a file opened with O_SYNC, or what an overlay "
		  "asks of the file system below it." },
	{ .name = "min-us", .arg = "US", .kind = OPTION_UINT, OPTION_AT(struct options, min_us),
	  .max = UINT32_MAX, .value = "number of microseconds",
	  .help = "from so many microseconds on, instead of MIN_MS" },
	{ .name = "ops", .arg = "OP,...", .kind = OPTION_CHOICES, OPTION_AT(struct options, ops),
	  .choices = fs_op_names, .value = "operation",
	  .help = "these operations instead, or all",
	  .more = "What a file system does not implement is left out; -v says so." },
	{ .name = "ret", .kind = OPTION_FLAG, OPTION_AT(struct options, result),
	  .help = "a column with what the operation returned" },
	{ .name = "wait", .kind = OPTION_FLAG, OPTION_AT(struct options, wait),
	  .help = "wait until there is such a file system" },
	{ 0 }
};

static const struct option_row type_rows[] = {
	{ .letter = 't', .name = "type", .arg = "TYPE,...", .kind = OPTION_STRING,
	  OPTION_AT(struct options, types),
	  .help = "these types of file systems (default: all that are mounted)",
	  .more = "They are looked for at the start, and not again." },
	{ 0 }
};

static const struct option_row operand_rows[] = {
	{ .name = "MIN_MS", .kind = OPTION_PARSED, OPTION_AT(struct options, min_us),
	  .parse = parse_ms, .value = "number of milliseconds",
	  .expects = "a whole number; 0 shows every operation",
	  .help = "from so many milliseconds on (default 10); 0: all" },
	{ 0 }
};

static const struct example examples[] = {
	{ "", "operations of 10 ms or more, until Ctrl-C" },
	{ "1", "of 1 ms or more" },
	{ "0 -p 181", "all operations of process 181" },
	{ "-F --ops all", "of any kind, with whole paths" },
	{ "-d 60 --json | jq -r .file | sort | uniq -c | sort -n",
	  "the files with most slow operations in a minute" },
	{ 0 }
};

/* One for each of enum fs_op; the first four as ever. */
static const char op_letters[] = "RWOSGALCUNMDKYVIFTHEPXQB";
_Static_assert(sizeof(op_letters) == FS_OPS + 1, "a letter for each operation");

/* All that there may be; choose_fields() takes those that are asked for. */
static const struct field fields[] = {
	{ .heading = "TIME", .csv = "ENDTIME_us", .key = "time", .width = 8, .unit = "s",
	  .kind = FIELD_CLOCK, FIELD_AT(struct slower_event, header.time_ns),
	  .help = "when it ended: the local time; in JSON, since the start of the command" },
	{ .heading = "COMM", .csv = "TASK", .key = "comm", .width = 14, .kind = FIELD_COMM,
	  FIELD_AT(struct slower_event, header.comm),
	  .help = "the name of the thread that began it" },
	{ .heading = "PID", .csv = "PID", .key = "pid", .width = 7, .kind = FIELD_PID,
	  FIELD_AT(struct slower_event, header.pid_tgid),
	  .help = "its process, as /proc numbers it; - (JSON: null) if it has no number there" },
	{ .key = "tid", .kind = FIELD_TID, FIELD_AT(struct slower_event, header.pid_tgid),
	  .help = "the thread, likewise" },
	{ .key = "initial_pid", .kind = FIELD_INITIAL_PID, .optional = true,
	  FIELD_AT(struct slower_event, header.pid_tgid),
	  .help = "the process in the initial PID namespace; only if /proc is of another" },
	{ .key = "initial_tid", .kind = FIELD_INITIAL_TID, .optional = true,
	  FIELD_AT(struct slower_event, header.pid_tgid), .help = "the thread, likewise" },
	{ .heading = "FS", .csv = "FS", .key = "fs", .width = 8, .kind = FIELD_ENUM,
	  FIELD_AT(struct slower_event, fs), .help = "the type of the file system" },
	{ .heading = "T", .csv = "TYPE", .key = "op", .width = 1, .kind = FIELD_ENUM,
	  FIELD_AT(struct slower_event, op), .names = fs_op_names, .letters = op_letters,
	  .help = "the operation" },
	{ .heading = "BYTES", .csv = "BYTES", .key = "bytes", .width = 7, .unit = "bytes",
	  .kind = FIELD_UINT, FIELD_AT(struct slower_event, bytes),
	  .help = "how much was read or written; 0 for other operations" },
	{ .heading = "OFF_KB", .csv = "OFFSET_b", .key = "offset", .width = 8, .unit = "bytes",
	  .kind = FIELD_OFFSET, FIELD_AT(struct slower_event, offset),
	  .help = "where in the file that begins, in KiB; 0 (JSON: null) for other operations" },
	{ .heading = "LAT(ms)", .csv = "LATENCY_us", .key = "latency_ns", .width = 7, .unit = "ns",
	  .kind = FIELD_DURATION, FIELD_AT(struct slower_event, latency_ns),
	  .help = "how long it took" },
	{ .heading = "RET", .csv = "RET", .key = "result", .width = 7, .kind = FIELD_INT,
	  FIELD_AT(struct slower_event, result),
	  .help = "what it returned: a number of bytes, or a negative error number (with --ret)" },
	{ .heading = "FILENAME", .csv = "FILE", .key = "file", .kind = FIELD_NAME,
	  .offset = offsetof(struct slower_event, name),
	  .len_offset = offsetof(struct slower_event, name_len), .may_be_cut = true,
	  .help = "the name of the file, without its directory" },
	{ .heading = "PATH", .csv = "PATH", .key = "path", .kind = FIELD_PATH,
	  .offset = offsetof(struct slower_event, path), .may_be_cut = true, .optional = true,
	  .help = "its path; one without a slash at its beginning is inside the file system "
		  "(with -F)" },
	{ 0 }
};

#define FIELDS (sizeof(fields) / sizeof(*fields))

static const struct record records[] = {
	{ .name = "operation", .help = "one for each", .fields = { fields } },
	{ 0 }
};

/* What is traced, and how it is shown. */
struct slower {
	const struct options *options;
	const char *types;			/* fsslower: a list; NULL: all */
	char type[TARGET_NAME_SIZE];
	struct operations operations;
	const char **type_names;		/* of each target */
	struct field fields[FIELDS];		/* those of the run */
	struct record records[2];
	struct setting settings[5];
	struct map_size sizes[2];
	uint64_t min_ns;
	struct tracer_config config;
};

/* What a function returns, and where its offset is. */
static uint32_t flags_of(const struct fs_function *row)
{
	if (strstr(row->function, "splice_read") || strstr(row->function, "splice_write"))
		return SLOWER_BYTES | SLOWER_POSITION;
	return row->op == FS_READ || row->op == FS_WRITE || row->op == FS_SPLICE ? SLOWER_BYTES :
	       row->op == FS_LOOKUP || row->op == FS_MKDIR ? SLOWER_POINTER : 0;
}

/* Fills in what the kernel side has to know of each function. */
static void describe(struct operations *operations)
{
	for (size_t i = 0; i < operations->nfunctions; i++) {
		struct function *function = &operations->functions[i];
		const struct operation *operation = &operations->all[function->operation];

		function->constants[CALLS_DATA] =
			SLOWER_DATA((uint32_t)(operation->target - operations->targets),
				    operation->op) | flags_of(function->row);
	}
	operations_read_files(operations);
}

static bool is_shown(const struct slower *slower, const struct field *field)
{
	return field->kind != FIELD_PATH || slower->options->path;
}

static bool has_column(const struct slower *slower, bool one, const struct field *field)
{
	switch (field->kind) {
	case FIELD_INT:
		return slower->options->result;
	case FIELD_NAME:
		return !slower->options->path;
	case FIELD_ENUM:
		return field->letters || !one;
	default:
		return true;
	}
}

/* The fields of this run. */
static void choose_fields(struct slower *slower, bool one)
{
	struct field *to = slower->fields;

	for (const struct field *field = fields; field->key; field++) {
		if (!is_shown(slower, field))
			continue;
		*to = *field;
		if (!has_column(slower, one, field)) {
			to->heading = NULL;
			if (field->kind != FIELD_NAME)
				to->csv = NULL;
		}
		if (!to->names && to->kind == FIELD_ENUM)
			to->names = slower->type_names;
		to++;
	}
	slower->records[0] = records[0];
	slower->records[0].fields[0] = slower->fields;
}

/* Plans the operations of these types. Returns 0 or, after a message, -errno. */
static int plan(struct slower *slower, const struct target *targets, size_t n, bool one)
{
	struct operations *operations = &slower->operations;
	int err = operations_plan(operations, targets, n, slower->options->ops, one);

	if (err)
		return err;
	if (!operations->count) {
		operations_tell_none(targets);
		return -ENOENT;
	}
	slower->type_names = calloc(n + 1, sizeof(*slower->type_names));
	if (!slower->type_names)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		slower->type_names[i] = operations->targets[i].name;
	describe(operations);
	choose_fields(slower, one);
	return 0;
}

/* fsslower: all types that are present. */
static int plan_many(struct slower *slower)
{
	struct types types;
	size_t n = 0;
	int err = types_find(slower->types, &types);

	for (size_t i = 0; i < types.count && !err; i++) {
		if (type_is_present(&types.all[i]))
			types.all[n++] = types.all[i];
		else
			log_warning("no %s is mounted: it is not traced", types.all[i].name);
	}
	if (!err && !n) {
		log_error("none of these file systems is there");
		log_hint("--wait waits for one");
		err = -ENOENT;
	}
	err = err ?: plan(slower, types.all, n, false);
	free(types.all);
	return err;
}

static struct tracer *start(struct slower *slower, const struct applet *self, struct stop *stop)
{
	const struct options *options = slower->options;
	struct tracer *tracer;

	slower->min_ns = options->min_us * 1000;
	slower->settings[0] = (struct setting)SETTING("min_ns", &slower->min_ns);
	slower->settings[1] = (struct setting)SETTING("exclusive", &options->exclusive);
	slower->settings[2] = (struct setting)SETTING("with_path", &options->path);
	slower->settings[3] = (struct setting)SETTING("failed_only", &options->common.failed);
	if (options->path || !options->min_us)
		slower->sizes[0] = (struct map_size){ "events", LARGE_RING_BYTES };
	slower->config = (struct tracer_config){
		.name = self->name,
		.probes = slower->operations.probes,
		.settings = slower->settings,
		.sizes = slower->sizes,
		.options = &options->common.trace,
		.stop = stop,
		.shows_processes = true,
	};
	slower->config.object = slower_object(&slower->config.object_size);
	tracer = tracer_start(&slower->config);
	if (!tracer || operations_check(&slower->operations, tracer))
		return tracer;
	operations_tell_none(slower->operations.targets);
	tracer_finish(tracer, NULL, -ENOENT, 0);
	return NULL;
}

/* Reports what has no row. */
static void tell_untimed(const struct tracer *tracer)
{
	struct slower_counts sum = { 0 };
	struct percpu counts = { 0 };

	if (percpu_open(&counts, tracer_map(tracer, "untimed")))
		return;
	percpu_sum(&counts, 0, (__u64 *)&sum, 2);
	percpu_close(&counts);
	if ((int64_t)sum.queued > 0)
		log_error("%llu asynchronous operations have not completed, not shown",
			  (unsigned long long)sum.queued);
	if (sum.again)
		log_error("%llu tries that would have blocked, not shown",
			  (unsigned long long)sum.again);
}

static void put_banner(const struct slower *slower, const char *title, struct output *out)
{
	uint64_t us = slower->options->min_us;
	char line[120];

	if (!us)
		snprintf(line, sizeof(line), "Tracing %s operations", title);
	else if (us % 1000)
		snprintf(line, sizeof(line), "Tracing %s operations slower than %llu us", title,
			 (unsigned long long)us);
	else
		snprintf(line, sizeof(line), "Tracing %s operations slower than %llu ms", title,
			 (unsigned long long)us / 1000);
	output_banner(out, line);
}

static int trace(struct slower *slower, const struct applet *self, struct stop *stop)
{
	const struct options *options = slower->options;
	const struct filesystem *fs = self->member;
	struct target target = { 0 };
	struct rows rows = { .stop = stop, .records = slower->records,
			     .duration_ns = options->common.duration_ns };
	uint64_t printed = 0;
	int err;

	if (fs)
		target = type_of(fs);
	err = fs ? plan(slower, &target, 1, true) : plan_many(slower);
	if (err)
		return EXIT_FAILED;
	rows.event_size = SLOWER_SMALL;
	rows.out = output_open(STDOUT_FILENO, options->csv ? OUTPUT_CSV : options->common.json, stop);
	rows.tracer = rows.out ? start(slower, self, stop) : NULL;
	if (!rows.tracer)
		return tracer_finish(NULL, rows.out, -EIO, 0);
	put_banner(slower, fs ? fs->title : "file system", rows.out);
	err = rows_run(&rows, &printed);
	tell_untimed(rows.tracer);
	return tracer_finish(rows.tracer, rows.out, err, printed);
}

static int run(const struct applet *self, const void *parsed)
{
	static struct stop stop;
	const struct options *options = parsed;
	struct slower slower = { .options = options, .types = options->types };
	int watch, status = EXIT_DONE;

	if (options->csv && options->common.json) {
		log_error("--csv and --json exclude each other");
		return EXIT_USAGE;
	}
	if (stop_open(&stop))
		return EXIT_FAILED;
	watch = options->wait ? mounts_watch() : -1;
	stop_after(&stop, options->common.duration_ns);
	if (types_at_place(&options->common.trace.filter, self->member, &slower.types, slower.type))
		status = EXIT_FAILED;
	else if (!options->wait || types_wait(self->member, slower.types, &stop, watch))
		status = trace(&slower, self, &stop);
	if (watch >= 0)
		close(watch);
	operations_free(&slower.operations);
	free(slower.type_names);
	return status;
}

static const struct options defaults = { .min_us = DEFAULT_MIN_US, .ops = DEFAULT_OPS };

extern const struct filesystem btrfs_filesystem, ext4_filesystem, f2fs_filesystem, fuse_filesystem,
	nfs_filesystem, overlay_filesystem, tmpfs_filesystem, xfs_filesystem;

/* MIN_MS 0: a row for each. */
#define TRIAL(fs) &(const struct trial){ TRIAL_READS(fs), .operand = "0" }

#define FAMILY(name_)                                                                              \
	.name = name_, .operands = operand_rows, .options_size = sizeof(struct options),           \
	.defaults = &defaults, .examples = examples, .records = records, .page = "slower",         \
	.notes = "T is R (read), W (write), O (open) or S (fsync); the manual page has the "       \
		 "letters of the other operations.", .run = run

#define APPLET(name_, fs)                                                                          \
	{ FAMILY(name_),                                                                           \
	  .summary = #fs " operations that take long, a row each",                                 \
	  .help = "Prints " #fs " reads, writes, opens and fsyncs, or other operations, that take " \
		  "MIN_MS milliseconds or more.",                                                  \
	  .options = { option_rows, failed_rows, place_rows },                                     \
	  .trial = TRIAL(#fs),                                                                     \
	  .member = &fs##_filesystem }

const struct applet slower_applets[] = {
	APPLET("btrfsslower", btrfs),
	APPLET("ext4slower", ext4),
	APPLET("f2fsslower", f2fs),
	{ FAMILY("fsslower"),
	  .summary = "operations of any file system that take long, a row each",
	  .help = "Prints reads, writes, opens and fsyncs, or other operations, of any file system "
		  "that take MIN_MS milliseconds or more.",
	  .options = { type_rows, option_rows, failed_rows, place_rows },
	  .trial = TRIAL("tmpfs") },
	APPLET("fuseslower", fuse),
	APPLET("nfsslower", nfs),
	APPLET("overlayslower", overlay),
	APPLET("tmpfsslower", tmpfs),
	APPLET("xfsslower", xfs),
	{ 0 }
};

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dcstat: is the directory-entry cache effective? Look-ups are counted in the kernel, and read once
 * for each row, so the cost is that of counting one look-up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/dcache_probes.h"
#include "applets/dcache_trial.h"
#include "applets/dcstat_keys.h"
#include "applets/dcstat_row.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/cli/options.h"
#include "core/kernel/percpu.h"
#include "core/show/interval.h"
#include "core/show/output.h"
#include "core/trace/tracer.h"
#include "dcstat.object.h"

static const struct probe lookups[] = { DCACHE_MISSES, DCACHE_HITS, { 0 } };

struct options {
	struct common_options common;
	uint64_t interval_ns;
	uint64_t count;			/* rows; 0: no limit */
	uint64_t by;			/* a bit for each of by_names */
	uint64_t top;			/* keys that are shown */
};

/* What is told apart, and how the kernel side calls it. */
static const char *const by_names[] = {
	"pid", "tid", "comm", "uid", "cgroup", "fs", "device", "dir", NULL
};
static const uint32_t by_bits[] = {
	BY_PID, BY_TID, BY_COMM, BY_UID, BY_CGROUP, BY_FS, BY_DEVICE, BY_DIR
};

static const struct option_row option_rows[] = {
	{ .name = "by", .arg = "KEY,...", .kind = OPTION_CHOICES, OPTION_AT(struct options, by),
	  .choices = by_names, .value = "key",
	  .help = "apart by pid, tid, comm, uid, cgroup, fs, device, dir, or several of them",
	  .more = "The keys with most misses come first. Those for which there is no room are counted "
		  "together, as others: it is for 1024 keys in one run." },
	{ .name = "top", .arg = "N", .kind = OPTION_UINT, OPTION_AT(struct options, top), .min = 1,
	  .max = 1000000, .value = "number",
	  .help = "with --by: show so many, and the others together (default 10)" },
	{ 0 }
};

static const struct option_row operand_rows[] = {
	{ .name = "INTERVAL", .kind = OPTION_SECONDS, OPTION_AT(struct options, interval_ns),
	  .value = "interval", .help = "seconds from one row or block to the next",
	  .more = "The default is 1." },
	{ .name = "COUNT", .kind = OPTION_UINT, OPTION_AT(struct options, count), .min = 1,
	  .max = UINT32_MAX, .value = "count", .help = "end after so many rows or blocks" },
	{ 0 }
};

static const struct options defaults = { .interval_ns = NS_PER_SECOND, .top = 10 };

static const struct record records[] = {
	{ .name = "counts", .help = "one for each interval; with --by one for each key and the others",
	  .fields = { interval_fields, dcstat_fields, dcstat_by_fields } },
	{ 0 }
};

/* Without --by. */
static const struct record plain = {
	.name = "counts", .fields = { interval_fields, dcstat_fields }
};

static const struct example examples[] = {
	{ "", "a row a second, until Ctrl-C" },
	{ "5 12", "a minute, in rows of five seconds" },
	{ "-p 181", "look-ups of process 181 alone" },
	{ "--by comm,dir 10", "which programs miss in which directories, every ten seconds" },
	{ "--json -d 10 10 | jq '{refs, misses, negative}'", "the numbers of ten seconds" },
	{ 0 }
};

static const struct trial trial = {
	.what = "look-ups",
	.work = miss_names,
	.line = "\"misses\":",
	.count = "\"misses\":",
};

#define COUNTERS (sizeof(struct dcache_counts) / sizeof(__u64))

/* What a run reads, and shows. */
struct run {
	const struct options *options;
	uint32_t by;				/* of enum by */
	struct percpu common;			/* with --by: of what has no key */
	struct dcstat_keys keys;
	struct dcache_counts before;		/* in common, at the last row */
	struct stop *stop;
	struct output *out;
	uint64_t events;
};

static void print_row(struct run *run, const struct interval *interval, struct dcstat_row *row,
		      const char *key)
{
	if (!run->options->common.json)
		row->key = key;
	run->events += row->refs;
	output_row(run->out, run->by ? records : &plain, interval, &row->interval);
}

/* The keys of an interval, those with most misses first, and all others, which are in `rest`. */
static int print_keys(struct run *run, const struct interval *interval, uint64_t ns,
		      struct dcache_counts *rest)
{
	static const struct dcache_counts none;
	struct dcstat_row row;
	size_t shown;

	dcstat_keys_read(&run->keys);
	shown = run->keys.n < run->options->top ? run->keys.n : run->options->top;
	for (size_t i = 0; i < shown; i++) {
		char *text;

		dcstat_row_make(&row, &none, &run->keys.of[i].counts, ns);
		by_describe(&row.who, run->keys.of[i].place, run->by);
		text = by_text(&row.who);
		if (!text)
			return -ENOMEM;
		print_row(run, interval, &row, text);
		free(text);
	}
	for (size_t i = shown; i < run->keys.n; i++)
		dcstat_add(rest, &run->keys.of[i].counts);
	dcstat_row_make(&row, &none, rest, ns);
	row.who.others = true;
	print_row(run, interval, &row, "others");
	return 0;
}

/* Rows for each interval. Returns 0 or -errno. */
static int print_rows(struct run *run)
{
	uint64_t before_ns, now_at_ns;
	struct dcache_counts now;
	struct interval interval;
	int err;

	interval_start(&interval, run->options->interval_ns, run->options->count);
	before_ns = now_ns();
	/* What was counted while attaching; of a command, which has already begun, all is wanted. */
	if (!run->options->common.trace.filter.command) {
		percpu_sum(&run->common, 0, (__u64 *)&run->before, COUNTERS);
		if (run->by)
			dcstat_keys_read(&run->keys);
	}
	output_rows_begin(run->out, run->by ? records : &plain);
	err = output_flush(run->out);
	while (!err && interval_next(&interval, run->stop)) {
		struct dcache_counts rest = { 0 };
		struct dcstat_row row;

		percpu_sum(&run->common, 0, (__u64 *)&now, COUNTERS);
		now_at_ns = now_ns();
		if (run->by) {
			dcstat_add(&rest, &now);
			dcstat_subtract(&rest, &run->before);
			err = print_keys(run, &interval, now_at_ns - before_ns, &rest);
		} else {
			dcstat_row_make(&row, &run->before, &now, now_at_ns - before_ns);
			print_row(run, &interval, &row, NULL);
		}
		run->before = now;
		before_ns = now_at_ns;
		err = err ?: output_flush(run->out);
	}
	return err;
}

static uint32_t bits_of(uint64_t chosen)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < sizeof(by_bits) / sizeof(*by_bits); i++)
		if (chosen & 1ULL << i)
			bits |= by_bits[i];
	return bits;
}

/* Maps the counters. Returns 0 or, after a message, -errno. */
static int open_counts(struct run *run, const struct tracer *tracer)
{
	int err = percpu_open(&run->common, tracer_map(tracer, "counts"));

	if (!err && run->by)
		err = by_maps_open(&run->keys.maps, tracer);
	if (err)
		log_error("cannot map the counters: %s", strerror(-err));
	return err;
}

static int trace(const struct applet *self, const void *parsed)
{
	static struct stop stop;
	const struct options *options = parsed;
	struct run run = { .options = options, .by = bits_of(options->by), .stop = &stop };
	const bool all = true;
	const uint32_t rows = BY_ROWS;
	struct tracer_config config = {
		.name = self->name,
		.probes = lookups,
		.settings = (const struct setting[]){ SETTING("all", &all), SETTING("by", &run.by),
						      SETTING("by_rows", &rows), { 0 } },
		.sizes = run.by ? by_sizes : NULL,
		.options = &options->common.trace,
		.stop = &stop,
		.shows_processes = run.by & (BY_PID | BY_TID),
	};
	struct tracer *tracer;
	int err = -EIO;

	if (stop_open(&stop))
		return EXIT_FAILED;
	config.object = dcstat_object(&config.object_size);
	run.out = output_open(STDOUT_FILENO, options->common.json, &stop);
	tracer = run.out ? tracer_start(&config) : NULL;
	if (tracer)
		err = open_counts(&run, tracer);
	if (!err) {
		stop_after(&stop, options->common.duration_ns);
		err = print_rows(&run);
	}
	tracer_stop(tracer);
	percpu_close(&run.common);
	by_maps_close(&run.keys.maps);
	return tracer_finish(tracer, run.out, err, run.events);
}

const struct applet dcstat_applets[] = {
	{ .name = "dcstat",
	  .summary = "how much of what is looked up the directory cache answers",
	  .help = "Counts look-ups in the directory-entry cache, and prints a row every INTERVAL "
		  "seconds, COUNT times; with --by a row for each key.",
	  .options = { option_rows },
	  .operands = operand_rows,
	  .options_size = sizeof(struct options),
	  .defaults = &defaults,
	  .examples = examples,
	  .records = records,
	  .trial = &trial,
	  .run = trace },
	{ 0 }
};

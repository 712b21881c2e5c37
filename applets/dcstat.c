// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dcstat: is the directory-entry cache effective? Look-ups are counted in the kernel, and read once
 * for each row, so the cost is that of counting one look-up.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "applets/dcache_probes.h"
#include "applets/dcache_trial.h"
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
};

static const struct option_row operand_rows[] = {
	{ .name = "INTERVAL", .kind = OPTION_SECONDS, OPTION_AT(struct options, interval_ns),
	  .value = "interval", .help = "seconds from one row or block to the next",
	  .more = "The default is 1." },
	{ .name = "COUNT", .kind = OPTION_UINT, OPTION_AT(struct options, count), .min = 1,
	  .max = UINT32_MAX, .value = "count", .help = "end after so many rows or blocks" },
	{ 0 }
};

static const struct options defaults = { .interval_ns = NS_PER_SECOND };

static const struct record records[] = {
	{ .name = "counts", .help = "one for each interval", .fields = { interval_fields, dcstat_fields } },
	{ 0 }
};

static const struct example examples[] = {
	{ "", "a row a second, until Ctrl-C" },
	{ "5 12", "a minute, in rows of five seconds" },
	{ "-p 181", "look-ups of process 181 alone" },
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

/* A row for each interval. Returns 0 or -errno. */
static int print_rows(const struct options *options, const struct percpu *percpu, struct stop *stop,
		      struct output *out, uint64_t *events)
{
	struct dcache_counts before = { 0 }, now;
	uint64_t before_ns, now_at_ns;
	struct interval interval;
	int err;

	interval_start(&interval, options->interval_ns, options->count);
	before_ns = now_ns();
	percpu_sum(percpu, 0, (__u64 *)&before, COUNTERS);
	output_rows_begin(out, records);
	err = output_flush(out);
	while (!err && interval_next(&interval, stop)) {
		struct dcstat_row row;

		percpu_sum(percpu, 0, (__u64 *)&now, COUNTERS);
		now_at_ns = now_ns();
		dcstat_row_make(&row, &before, &now, now_at_ns - before_ns);
		before = now;
		before_ns = now_at_ns;
		*events += row.refs;
		output_row(out, records, &interval, &row.interval);
		err = output_flush(out);
	}
	return err;
}

static int trace(const struct applet *self, const void *parsed)
{
	static struct stop stop;
	const struct options *options = parsed;
	const bool all = true;
	struct tracer_config config = {
		.name = self->name,
		.probes = lookups,
		.settings = (const struct setting[]){ SETTING("all", &all), { 0 } },
		.options = &options->common.trace,
		.stop = &stop,
	};
	struct percpu percpu = { 0 };
	struct tracer *tracer;
	struct output *out;
	uint64_t events = 0;
	int err = -EIO;

	if (stop_open(&stop))
		return EXIT_FAILED;
	config.object = dcstat_object(&config.object_size);
	out = output_open(STDOUT_FILENO, options->common.json, &stop);
	tracer = out ? tracer_start(&config) : NULL;
	if (tracer) {
		err = percpu_open(&percpu, tracer_map(tracer, "counts"));
		if (err)
			log_error("cannot map the counters: %s", strerror(-err));
	}
	if (!err) {
		stop_after(&stop, options->common.duration_ns);
		err = print_rows(options, &percpu, &stop, out, &events);
	}
	tracer_stop(tracer);
	percpu_close(&percpu);
	return tracer_finish(tracer, out, err, events);
}

const struct applet dcstat_applets[] = {
	{ .name = "dcstat",
	  .summary = "how much of what is looked up the directory cache answers",
	  .help = "Counts look-ups in the directory-entry cache, and prints a row every INTERVAL "
		  "seconds, COUNT times.",
	  .operands = operand_rows,
	  .options_size = sizeof(struct options),
	  .defaults = &defaults,
	  .examples = examples,
	  .records = records,
	  .trial = &trial,
	  .run = trace },
	{ 0 }
};

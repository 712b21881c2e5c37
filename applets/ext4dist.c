// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ext4dist: how long do ext4's reads, writes, opens and fsyncs take? Latencies are counted in
 * the kernel and only the histograms are read, so the cost does not depend on how often, but
 * each operation gets dearer by some hundred instructions.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bpf/ext4dist.h"
#include "core/cli/applet.h"
#include "core/base/stop.h"
#include "core/show/hist.h"
#include "core/show/interval.h"
#include "core/base/log.h"
#include "core/base/number.h"
#include "core/cli/options.h"
#include "core/show/output.h"
#include "core/kernel/percpu.h"
#include "core/trace/tracer.h"
#include "ext4dist.skel.h"

#define PROBE(op, function_, stem_)                                                                \
	{ .name = op, .module = "ext4",                                                            \
	  .candidates = { { .function = function_, .stem = stem_ } } }

static const struct probe operations[] = {
	[EXT4_READ] = { .name = "read", .module = "ext4", .candidates = {
		{ .function = "ext4_file_read_iter", .stem = "read" },
		{ .function = "generic_file_read_iter", .stem = "generic_read",
		  .reads_types = true } } },
	[EXT4_WRITE] = PROBE("write", "ext4_file_write_iter", "write"),
	[EXT4_OPEN] = PROBE("open", "ext4_file_open", "open"),
	[EXT4_FSYNC] = PROBE("fsync", "ext4_sync_file", "fsync"),
	/* Before 6.5 or so a splice reads by the read function, and this one does not exist. */
	[EXT4_SPLICE] = { .name = "splice", .module = "ext4", .optional = true, .candidates = {
		{ .function = "ext4_file_splice_read", .stem = "splice" } } },
	{ 0 }
};

struct options {
	struct common_options common;
	bool no_time, milliseconds;
	uint64_t interval_ns;		/* 0: one block, at the end */
	uint64_t count;			/* blocks; 0: no limit */
};

static const struct option_row option_rows[] = {
	{ .letter = 'm', .name = "milliseconds", .kind = OPTION_FLAG,
	  OPTION_AT(struct options, milliseconds),
	  .help = "count in milliseconds, not microseconds" },
	{ .letter = 'T', .name = "notimestamp", .kind = OPTION_FLAG,
	  OPTION_AT(struct options, no_time), .help = "no time line above each block" },
	{ 0 }
};

static const struct option_row operand_rows[] = {
	{ .name = "INTERVAL", .kind = OPTION_SECONDS, OPTION_AT(struct options, interval_ns),
	  .value = "interval", .help = "seconds from one block to the next" },
	{ .name = "COUNT", .kind = OPTION_UINT, OPTION_AT(struct options, count), .min = 1,
	  .max = UINT32_MAX, .value = "count", .help = "end after so many blocks" },
	{ 0 }
};

static const struct example examples[] = {
	{ "", "until Ctrl-C, then the histograms" },
	{ "-p 181", "of process 181 alone" },
	{ "1 10", "ten blocks, one a second" },
	{ "-m 5", "in milliseconds, every five seconds" },
	{ "--json -d 10 | jq '{op, count}'", "the number of each operation in ten seconds" },
	{ 0 }
};

static const struct record records[] = {
	{ .name = "histogram", .help = "one for each operation of a block, also if there was none",
	  .fields = { hist_fields } },
	{ 0 }
};

/* Prints what was counted since the last block. Returns its events. */
static uint64_t print_block(const struct options *options, const struct percpu *hists,
			    const struct interval *interval, struct output *out,
			    struct hist *before)
{
	uint64_t events = 0;

	output_block_begin(out, options->interval_ns && !options->no_time, interval);
	for (int op = 0; op < EXT4_OPS; op++) {
		struct hist now, block;

		hist_read(hists, offsetof(struct ext4dist_hists, op[op]), &now);
		block = now;
		hist_subtract(&block, &before[op]);
		before[op] = now;
		events += hist_count(&block);
		output_hist(out, records, &(struct hist_row){
			.op = operations[op].name,
			.unit = options->milliseconds ? "msecs" : "usecs",
			.hist = &block,
		});
	}
	return events;
}

/* Blocks at each interval, and one at the end. Returns 0 or -errno. */
static int print_blocks(const struct options *options, const struct percpu *hists,
			struct stop *stop, struct output *out, struct hist *before,
			uint64_t *events)
{
	struct interval interval;
	int err = 0;

	interval_start(&interval, options->interval_ns, options->count);
	while (!err && interval_next(&interval, stop)) {
		*events += print_block(options, hists, &interval, out, before);
		err = output_flush(out);
	}
	return err;
}

/* Returns that are no latencies are no part of the histograms' format: they are told apart. */
static void tell_untimed(const struct hist *total)
{
	for (int op = 0; op < EXT4_OPS; op++) {
		if (total[op].queued)
			log_error("%s: %llu asynchronous operations, not timed", operations[op].name,
			      (unsigned long long)total[op].queued);
		if (total[op].again)
			log_error("%s: %llu tries that would have blocked, not timed",
			      operations[op].name, (unsigned long long)total[op].again);
	}
}

static int trace(const struct applet *self, const void *parsed)
{
	static struct stop stop;
	const struct options *options = parsed;
	uint64_t unit_ns = options->milliseconds ? 1000000 : 1000, events = 0;
	uint32_t unit_log2 = options->milliseconds ? 19 : 9;	/* the power of two just below */
	struct tracer_config config = {
		.name = self->name,
		.probes = operations,
		.settings = (const struct setting[]){
			SETTING("unit_ns", &unit_ns), SETTING("unit_log2", &unit_log2), { 0 } },
		.options = &options->common.trace,
		.stop = &stop,
	};
	struct hist total[EXT4_OPS] = { 0 };
	struct percpu hists = { 0 };
	struct tracer *tracer;
	struct output *out;
	int err;

	if (stop_open(&stop))
		return EXIT_FAILED;
	config.object = ext4dist_bpf__elf_bytes(&config.object_size);
	out = output_open(STDOUT_FILENO, options->common.json, &stop);
	tracer = out ? tracer_start(&config) : NULL;
	if (!tracer || percpu_open(&hists, tracer_map(tracer, "hists")))
		return tracer_finish(tracer, out, -EIO, 0);
	stop_after(&stop, options->common.duration_ns);
	output_banner(out, "Tracing ext4 operation latency... Hit Ctrl-C to end.");
	output_flush(out);
	err = print_blocks(options, &hists, &stop, out, total, &events);
	tracer_stop(tracer);
	tell_untimed(total);
	percpu_close(&hists);
	return tracer_finish(tracer, out, err, events);
}

const struct applet ext4dist_applets[] = {
	{ .name = "ext4dist",
	  .summary = "histograms of the latency of ext4 operations",
	  .help = "Prints histograms of the latency of ext4 reads, writes, opens and fsyncs: one "
		  "block at the end, or one every INTERVAL seconds, COUNT times.",
	  .options = { option_rows },
	  .operands = operand_rows,
	  .options_size = sizeof(struct options),
	  .examples = examples,
	  .records = records,
	  .run = trace },
	{ 0 }
};

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ext4dist: how long do ext4's reads, writes, opens and fsyncs take? Latencies are counted in
 * the kernel and only the histograms are read, so the cost does not depend on how often, but
 * each operation gets dearer by some hundred instructions.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "bpf/ext4dist.h"
#include "core/trace/account.h"
#include "core/cli/applet.h"
#include "core/base/stop.h"
#include "core/kernel/environment.h"
#include "core/show/hist.h"
#include "core/show/interval.h"
#include "core/base/log.h"
#include "core/base/number.h"
#include "core/cli/options.h"
#include "core/show/output.h"
#include "core/trace/overhead.h"
#include "core/kernel/percpu.h"
#include "core/trace/probe.h"
#include "ext4dist.skel.h"

static const struct probe operations[] = {
	[EXT4_READ] = { "read", { { "ext4_file_read_iter", "read", false },
				  { "generic_file_read_iter", "generic_read", true } }, false },
	[EXT4_WRITE] = { "write", { { "ext4_file_write_iter", "write", false } }, false },
	[EXT4_OPEN] = { "open", { { "ext4_file_open", "open", false } }, false },
	[EXT4_FSYNC] = { "fsync", { { "ext4_sync_file", "fsync", false } }, false },
	/* Before 6.5 or so a splice reads by the read function, and this one does not exist. */
	[EXT4_SPLICE] = { "splice", { { "ext4_file_splice_read", "splice", false } }, true },
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

/* The kernel side's unit, and the power of two just below it. */
static void set_unit(struct ext4dist_bpf *skel, bool milliseconds)
{
	skel->rodata->unit_ns = milliseconds ? 1000000 : 1000;
	skel->rodata->unit_log2 = milliseconds ? 19 : 9;
}

static struct ext4dist_bpf *start(const struct options *options, struct probes *probes)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = probes_btf_path(probes));
	struct ext4dist_bpf *skel;

	do {
		skel = ext4dist_bpf__open_opts(&opts);
		if (!skel) {
			log_error("cannot open the BPF program: %s", strerror(errno));
			return NULL;
		}
		if (!probes_select(probes, skel->obj) &&
		    !filter_apply(&options->common.filter, skel->obj)) {
			set_unit(skel, options->milliseconds);
			skel->rodata->count_calls = probes_can_miss(probes);
			if (!probes_load(probes) && !probes_attach(probes))
				return skel;
		}
		ext4dist_bpf__destroy(skel);
	} while (probes_retry(probes));
	return NULL;
}

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

static int trace(const struct applet *self __attribute__((unused)), const void *parsed)
{
	const struct options *options = parsed;
	struct overhead overhead = { .stats_fd = -1 };
	struct hist total[EXT4_OPS] = { 0 };
	static struct stop stop;
	struct accounts accounts = { 0 };
	struct percpu hists = { 0 };
	struct probes *probes = NULL;
	struct ext4dist_bpf *skel = NULL;
	struct output *out = NULL;
	int status, err = -1;
	uint64_t events = 0;

	if (environment_check() || environment_check_pid(options->common.filter.pid))
		return EXIT_FAILED;
	if (stop_open(&stop) || (options->common.overhead && overhead_begin(&overhead)))
		return EXIT_FAILED;
	probes = probes_new(&(struct probes_config){
		.set = operations,
		.attach = options->common.attach,
		.module = "ext4",
		.btf_path = options->common.btf_path,
		.forced = options->common.forced_probe,
	});
	out = output_open(STDOUT_FILENO, options->common.json, &stop);
	if (!probes || !out)
		goto out;
	skel = start(options, probes);
	if (!skel || accounts_open(&accounts, skel->obj))
		goto out;
	err = percpu_open(&hists, skel->maps.hists);
	if (err) {
		log_error("cannot map the histograms: %s", strerror(-err));
		goto out;
	}
	stop_after(&stop, options->common.duration_ns);
	output_banner(out, "Tracing ext4 operation latency... Hit Ctrl-C to end.");
	output_flush(out);
	err = print_blocks(options, &hists, &stop, out, total, &events);
	probes_detach(probes);
	tell_untimed(total);
	accounts_tell_all(&accounts, probes);
	overhead_tell(&overhead, skel->obj, events);
out:
	status = output_finish(out, err);
	percpu_close(&hists);
	accounts_close(&accounts);
	probes_free(probes);
	ext4dist_bpf__destroy(skel);
	overhead_end(&overhead);
	return status;
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

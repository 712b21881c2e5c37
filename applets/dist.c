// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ext4dist, xfsdist and so on, one applet for each file system: how long do its operations take?
 * Latencies are counted in the kernel and only the histograms are read, so the applet's cost does
 * not depend on how often they are called. Each operation that is traced costs several hundred more
 * instructions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/dist_by.h"
#include "bpf/calls.h"
#include "bpf/hist.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/cli/applet.h"
#include "core/cli/options.h"
#include "core/kernel/mounts.h"
#include "core/kernel/percpu.h"
#include "core/operation/plan.h"
#include "core/operation/trial.h"
#include "core/operation/types.h"
#include "core/show/hist.h"
#include "core/show/interval.h"
#include "core/show/output.h"
#include "core/trace/tracer.h"
#include "dist.object.h"

struct options {
	struct common_options common;
	bool no_time, milliseconds, nanoseconds, summary;
	uint64_t ops;			/* a bit for each */
	uint64_t by;			/* of enum by */
	uint64_t top;			/* keys that are shown */
	bool brief;
	struct percentile percentiles[PERCENTILES_MAX + 1];
	const char *types;		/* fsdist: a list; NULL: all that are mounted */
	bool wait;
	uint64_t interval_ns;		/* 0: one block, at the end */
	uint64_t count;			/* blocks; 0: no limit */
};

#define DEFAULT_TOP 10
#define DEFAULT_PERCENTILES "50,90,99,99.9"

static int parse_percentiles(const char *word, void *member)
{
	return percentiles_parse(word, member);
}

static const struct option_row option_rows[] = {
	{ .letter = 'e', .name = "extended", .kind = OPTION_FLAG, OPTION_AT(struct options, summary),
	  .help = "a line with count, average, percentiles and maximum, too" },
	{ .letter = 'm', .name = "milliseconds", .kind = OPTION_FLAG,
	  OPTION_AT(struct options, milliseconds),
	  .help = "count in milliseconds, not microseconds" },
	{ .letter = 'n', .name = "nanoseconds", .kind = OPTION_FLAG,
	  OPTION_AT(struct options, nanoseconds),
	  .help = "count in nanoseconds, not microseconds" },
	{ .name = "ops", .arg = "OP,...", .kind = OPTION_CHOICES, OPTION_AT(struct options, ops),
	  .choices = fs_op_names, .value = "operation",
	  .help = "these operations instead, or all",
	  .more = "What a file system does not implement is left out; -v says so." },
	{ .name = "percentiles", .arg = "P,...", .kind = OPTION_PARSED,
	  OPTION_AT(struct options, percentiles), .parse = parse_percentiles,
	  .value = "percentiles", .expects = "up to 16 numbers above 0, to 100: 50,99.9",
	  .help = "of -e and --json (default " DEFAULT_PERCENTILES ")",
	  .more = "A percentile is no more than 1/16 from the latency that it stands for." },
	{ .letter = 'T', .name = "notimestamp", .kind = OPTION_FLAG,
	  OPTION_AT(struct options, no_time), .help = "no time line above each block" },
	{ 0 }
};

static const struct option_row by_rows[] = {
	{ .name = "by", .arg = "KEY,...", .kind = OPTION_CHOICES, OPTION_AT(struct options, by),
	  .choices = by_names, .value = "key",
	  .help = "apart by pid, tid, comm, uid, cgroup, file, dir, device, or several of them",
	  .more = "The busiest come first. Those for which there is no room are counted together, as "
		  "others: it is for 1024 operations of keys in one run. Two files of one name are "
		  "two: they have different inodes. Snapshots of btrfs share theirs." },
	{ .name = "summary", .kind = OPTION_FLAG, OPTION_AT(struct options, brief),
	  .help = "a line for each instead of a histogram",
	  .more = "With operations a second, median, 99th percentile, maximum, and the share of the "
		  "time of all operations." },
	{ .name = "top", .arg = "N", .kind = OPTION_UINT, OPTION_AT(struct options, top), .min = 1,
	  .max = 1000000, .value = "number",
	  .help = "with --by: show so many, and the others together (default 10)" },
	{ 0 }
};

static const struct option_row wait_rows[] = {
	{ .name = "wait", .kind = OPTION_FLAG, OPTION_AT(struct options, wait),
	  .help = "wait until there is such a file system" },
	{ 0 }
};

static const struct option_row type_rows[] = {
	{ .letter = 't', .name = "type", .arg = "TYPE,...", .kind = OPTION_STRING,
	  OPTION_AT(struct options, types),
	  .help = "these types of file systems (default: all that are mounted)",
	  .more = "Types that are mounted later are traced from then on." },
	{ 0 }
};

static const struct option_row operand_rows[] = {
	{ .name = "INTERVAL", .kind = OPTION_SECONDS, OPTION_AT(struct options, interval_ns),
	  .value = "interval", .help = "seconds from one row or block to the next" },
	{ .name = "COUNT", .kind = OPTION_UINT, OPTION_AT(struct options, count), .min = 1,
	  .max = UINT32_MAX, .value = "count", .help = "end after so many rows or blocks" },
	{ 0 }
};

static const struct example examples[] = {
	{ "", "until Ctrl-C, then the histograms" },
	{ "-p 181", "of process 181 alone" },
	{ "1 10", "ten blocks, one a second" },
	{ "-m 5", "in milliseconds, every five seconds" },
	{ "-e --ops all", "every operation, with percentiles" },
	{ "--json -d 10 | jq '{op, count}'", "the number of each operation in ten seconds" },
	{ 0 }
};

static const struct record records[] = {
	{ .name = "histogram", .help = "one for each operation of a block, also if there was none",
	  .fields = { hist_fields, by_fields } },
	{ 0 }
};

/* The counts of one operation. */
struct counts {
	struct percpu now;
	struct hist_counts before;
};

/* What one BPF object traces. */
struct group {
	struct operations operations;
	struct counts *counts;				/* of each operation */
	struct percpu all_counts;			/* the map */
	struct by_counts *by;				/* NULL: without --by */
	uint32_t by_keys, by_rows;			/* as settings */
	/* The tracer, and what must live as long as it does. */
	struct tracer *tracer;
	struct tracer_config config;
	struct setting settings[5];
	struct map_size sizes[6];
	uint32_t unit;					/* enum hist_unit */
	struct group *next;
};

/* A run of an applet. */
struct dist {
	const struct applet *applet;
	const struct options *options;
	const char *types;		/* fsdist: a list; NULL: all that are mounted */
	char type[TARGET_NAME_SIZE];
	enum hist_unit unit;
	struct percentile percentiles[PERCENTILES_MAX + 1];
	size_t cpus;
	bool one;			/* an applet of one type: it must be there */
	struct group *groups;
	uint64_t events;
	struct stop *stop;
	int watch;			/* mounts_watch(); -1: none */
};

static void group_free(struct group *group)
{
	if (!group)
		return;
	percpu_close(&group->all_counts);
	if (group->by)
		by_close(group->by);
	free(group->by);
	operations_free(&group->operations);
	free(group->counts);
	free(group);
}

/* What is to be traced of these types. NULL after a message. */
static struct group *group_plan(const struct dist *dist, const struct target *targets, size_t n)
{
	struct group *group = calloc(1, sizeof(*group));
	struct operations *operations = &group->operations;
	int err = group ? operations_plan(operations, targets, n, dist->options->ops, dist->one) : 0;

	if (!group || err) {
		group_free(group);
		return NULL;
	}
	for (size_t i = 0; i < operations->nfunctions; i++)
		operations->functions[i].constants[CALLS_DATA] =
			operations->functions[i].operation * dist->cpus;
	if (dist->options->common.trace.filter.mount || dist->options->common.trace.filter.device.is_set ||
	    dist->options->by & BY_PLACE)
		operations_read_files(operations);
	group->counts = calloc(operations->count + 1, sizeof(*group->counts));
	if (dist->options->by)
		group->by = calloc(1, sizeof(*group->by));
	if (group->counts && (group->by || !dist->options->by))
		return group;
	group_free(group);
	return NULL;
}

/* Maps the histograms. Returns 0 or, after a message, -errno. */
static int map_counts(const struct dist *dist, struct group *group)
{
	const struct percpu *all = &group->all_counts;
	int err = percpu_open(&group->all_counts, tracer_map(group->tracer, "hists"));

	if (err) {
		log_error("cannot map the histograms: %s", strerror(-err));
		return err;
	}
	for (size_t i = 0; i < group->operations.count; i++)
		group->counts[i].now = (struct percpu){
			.values = (const char *)all->values + i * dist->cpus * all->size,
			.size = all->size,
			.cpus = dist->cpus,
		};
	if (!group->by)
		return 0;
	err = by_maps_open(&group->by->maps, group->tracer);
	if (err)
		log_error("cannot map the histograms of keys: %s", strerror(-err));
	return err;
}

/* Loads and attaches. Returns 0 or, after a message, -errno. */
static int group_start(struct dist *dist, struct group *group)
{
	if (!group->operations.count) {
		operations_tell_none(group->operations.targets);
		return -ENOENT;
	}
	group->unit = dist->unit;
	group->settings[0] = (struct setting)SETTING("hist_unit", &group->unit);
	group->settings[1] = (struct setting)SETTING("failed_only", &dist->options->common.failed);
	group->sizes[0] = (struct map_size){ "hists", group->operations.count * dist->cpus };
	if (group->by) {
		group->by_keys = dist->options->by;
		group->by_rows = BY_ROWS;
		group->settings[2] = (struct setting)SETTING("by", &group->by_keys);
		group->settings[3] = (struct setting)SETTING("by_rows", &group->by_rows);
		memcpy(&group->sizes[1], by_sizes, sizeof(by_sizes));
	}
	group->config = (struct tracer_config){
		.name = dist->applet->name,
		.probes = group->operations.probes,
		.settings = group->settings,
		.sizes = group->sizes,
		.options = &dist->options->common.trace,
		.stop = dist->groups ? NULL : dist->stop,
		.shows_processes = dist->options->by & (BY_PID | BY_TID),
	};
	group->config.object = dist_object(&group->config.object_size);
	group->tracer = tracer_start(&group->config);
	if (!group->tracer)
		return -EIO;
	if (operations_check(&group->operations, group->tracer))
		return map_counts(dist, group);
	operations_tell_none(group->operations.targets);
	return -ENOENT;
}

/* What an operation has counted since the last block, by everybody, or by no key. */
static void read_common(const struct group *group, size_t i, struct hist_counts *block)
{
	struct counts *counts = &group->counts[i];
	struct hist_counts now;

	hist_read(&counts->now, &now);
	*block = now;
	hist_subtract(block, &counts->before);
	counts->before = now;
	block->queued = now.queued;	/* a level, not a difference */
}

/* A block as it is printed. */
struct shown {
	struct output *out;
	double seconds;			/* its length */
	uint64_t sum_ns;		/* of all operations in it */
};

/* One operation; `row` says of whom. */
static void print_operation(struct dist *dist, const struct shown *shown, const struct group *group,
			    size_t i, const struct hist_counts *counts, struct by_row *row)
{
	const struct operation *operation = &group->operations.all[i];
	const struct options *options = dist->options;
	struct percentile brief_ones[3] = { { "50", 50000, 0 }, { "99", 99000, 0 } };
	struct hist_brief brief;
	struct hist hist;

	hist_fold(counts, dist->unit, &hist);
	percentiles_find(dist->percentiles, counts, dist->unit, &hist);
	dist->events += hist.count;
	if (options->brief) {
		percentiles_find(brief_ones, counts, dist->unit, &hist);
		brief = (struct hist_brief){
			.per_s = shown->seconds > 0 ? hist.count / shown->seconds : 0,
			.share = shown->sum_ns ? 100.0 * hist.sum_ns / shown->sum_ns : 0,
			.median_ns = brief_ones[0].ns,
			.p99_ns = brief_ones[1].ns,
		};
	}
	row->hist.fs = !dist->one || options->common.json ? operation->target->name : NULL;
	row->hist.mount = operation->target->mounts == 1 ? operation->target->mount : NULL;
	row->hist.op = fs_op_names[operation->op];
	row->hist.unit = hist_unit_names[dist->unit];
	row->hist.hist = &hist;
	row->hist.percentiles = dist->percentiles;
	row->hist.summary = options->summary;
	row->hist.brief = options->brief ? &brief : NULL;
	output_hist(shown->out, records, &row->hist);
}

#define EVERYBODY { .who = BY_EVERYBODY }

/* The operations of one key. */
static void print_key(struct dist *dist, const struct shown *shown, const struct by_total *total)
{
	struct by_row row = EVERYBODY;
	char *text;

	by_describe(&row.who, total->first->place, dist->options->by);
	text = by_text(&row.who);
	row.hist.key = text;
	for (const struct by_part *part = total->first; part < total->first + total->count; part++)
		print_operation(dist, shown, part->group, part->operation, &part->counts, &row);
	output_flush(shown->out);
	free(text);
}

/* What has no key of its own, with the keys from `first` on that are not shown. */
static void print_others(struct dist *dist, const struct shown *shown, const struct by_block *block,
			 size_t first, struct hist_counts *const *common)
{
	struct by_row row = EVERYBODY;
	size_t number = 0;

	row.hist.key = "others";
	row.who.others = true;
	for (struct group *group = dist->groups; group; group = group->next, number++)
		for (size_t i = 0; i < group->operations.count; i++) {
			struct hist_counts *sum = &common[number][i];

			for (size_t t = first; t < block->ntotals; t++)
				for (size_t j = 0; j < block->totals[t].count; j++) {
					const struct by_part *part = &block->totals[t].first[j];

					if (part->group == group && part->operation == i)
						hist_add(sum, &part->counts);
				}
			if (group->operations.all[i].traced)
				print_operation(dist, shown, group, i, sum, &row);
		}
}

/* A block by keys. */
static void print_by(struct dist *dist, struct shown *shown, struct hist_counts *const *common)
{
	struct by_block block = { 0 };
	size_t keys, top = dist->options->top;
	int err = 0;

	for (struct group *group = dist->groups; group && !err; group = group->next)
		err = by_collect(&block, group, group->by, dist->cpus);
	err = err ?: by_order(&block);
	if (err)
		log_error("cannot tell keys apart in this block: %s", strerror(-err));
	for (size_t i = 0; i < block.nparts; i++)
		shown->sum_ns += block.parts[i].counts.sum_ns;
	keys = err ? 0 : block.ntotals < top ? block.ntotals : top;
	for (size_t i = 0; i < keys; i++)
		print_key(dist, shown, &block.totals[i]);
	print_others(dist, shown, &block, keys, common);
	by_free(&block);
}

static void print_common(struct dist *dist, const struct shown *shown,
			 struct hist_counts *const *common)
{
	struct by_row row = EVERYBODY;
	size_t number = 0;

	for (struct group *group = dist->groups; group; group = group->next, number++)
		for (size_t i = 0; i < group->operations.count; i++)
			if (group->operations.all[i].traced)
				print_operation(dist, shown, group, i, &common[number][i], &row);
}

static double seconds_of(const struct interval *interval)
{
	return interval->end.tv_sec - interval->start.tv_sec +
	       (interval->end.tv_nsec - interval->start.tv_nsec) / 1e9;
}

/* All that was counted since the last block. Returns 0 or -ENOMEM. */
static int print_block(struct dist *dist, struct output *out, const struct interval *interval)
{
	struct shown shown = { .out = out, .seconds = seconds_of(interval) };
	struct hist_counts **common;
	size_t groups = 0, number = 0;
	int err = 0;

	for (struct group *group = dist->groups; group; group = group->next)
		groups++;
	common = calloc(groups, sizeof(*common));
	if (!common)
		return -ENOMEM;
	for (struct group *group = dist->groups; group && !err; group = group->next, number++) {
		common[number] = calloc(group->operations.count, sizeof(**common));
		if (!common[number])
			err = -ENOMEM;
		for (size_t i = 0; i < group->operations.count && !err; i++) {
			read_common(group, i, &common[number][i]);
			shown.sum_ns += common[number][i].sum_ns;
		}
	}
	if (!err)
		(dist->options->by ? print_by(dist, &shown, common) :
				     print_common(dist, &shown, common));
	for (size_t i = 0; i < groups; i++)
		free(common[i]);
	free(common);
	return err;
}

static void look_again(void *context);

/* Blocks at each interval, and one at the end. Returns 0 or -errno. */
static int print_blocks(struct dist *dist, struct output *out)
{
	const struct options *options = dist->options;
	struct interval interval;
	int err = 0;

	interval_start(&interval, options->interval_ns, options->count);
	interval_watch(&interval, dist->watch, look_again, dist);
	while (!err && interval_next(&interval, dist->stop)) {
		output_block_begin(out, options->interval_ns && !options->no_time, &interval);
		err = print_block(dist, out, &interval) ?: output_flush(out);
	}
	return err;
}

/* Returns without a latency are not in the text: they are reported separately. */
static void tell_untimed(const struct dist *dist, const struct group *group)
{
	for (size_t i = 0; i < group->operations.count; i++) {
		const struct operation *operation = &group->operations.all[i];
		struct hist_counts sum = group->counts[i].before, *counts = &sum;
		char name[PROBE_NAME_SIZE];

		if (group->by)
			by_add(group->by, i, dist->cpus, counts);

		snprintf(name, sizeof(name), "%s%s%s", dist->one ? "" : operation->target->name,
			 dist->one ? "" : " ", fs_op_names[operation->op]);
		if ((int64_t)counts->queued > 0)
			log_error("%s: %llu asynchronous operations have not completed, not timed",
				  name, (unsigned long long)counts->queued);
		if (counts->again)
			log_error("%s: %llu tries that would have blocked, not timed", name,
				  (unsigned long long)counts->again);
	}
}

/* Ends all groups and the run; the first one's tracer ends it. */
static int finish(struct dist *dist, struct output *out, int err)
{
	struct group *group, *next;
	int status = EXIT_DONE;

	for (group = dist->groups; group; group = group->next) {
		tracer_stop(group->tracer);
		tell_untimed(dist, group);
	}
	for (group = dist->groups ? dist->groups->next : NULL; group; group = next) {
		next = group->next;
		tracer_finish(group->tracer, NULL, 0, 0);
		group_free(group);
	}
	group = dist->groups;
	status = tracer_finish(group ? group->tracer : NULL, out, err, dist->events);
	group_free(group);
	return status;
}

static bool is_in_group(const struct dist *dist, const char *name)
{
	for (const struct group *group = dist->groups; group; group = group->next)
		for (size_t i = 0; i < group->operations.ntargets; i++)
			if (!strcmp(group->operations.targets[i].name, name))
				return true;
	return false;
}

/* Starts to trace the types that are present and not traced yet. Returns 0 or -errno. */
static int start_present(struct dist *dist)
{
	struct group *group, **last = &dist->groups;
	struct types types;
	size_t n = 0;
	int err = types_find(dist->types, &types);

	for (size_t i = 0; i < types.count && !err; i++) {
		if (is_in_group(dist, types.all[i].name))
			continue;
		if (type_is_present(&types.all[i]))
			types.all[n++] = types.all[i];
		else if (!dist->groups)
			log_warning("no %s is mounted: it will be traced once it is",
				    types.all[i].name);
	}
	group = n && !err ? group_plan(dist, types.all, n) : NULL;
	free(types.all);
	if (!group)
		return n ? -ENOMEM : err;
	err = group_start(dist, group);
	/* Even if it failed, so it is not tried again. */
	while (*last)
		last = &(*last)->next;
	*last = group;
	return err;
}

/* `groups`: the first of their list. */
static bool add_place(void *groups, const char *type, const char *path)
{
	const struct filesystem *fs = filesystem_find(type);

	for (struct group *group = groups; group; group = group->next) {
		for (size_t i = 0; i < group->operations.ntargets; i++) {
			struct target *target = &group->operations.targets[i];

			if (strcmp(target->name, fs ? fs->name : type))
				continue;
			/* What is too long to be shown counts as several. */
			target->mounts += 1 + (strlen(path) >= sizeof(target->mount));
			snprintf(target->mount, sizeof(target->mount), "%s", path);
		}
	}
	return true;
}

/* Finds out where the types of all groups are mounted. */
static void find_places(struct group *groups)
{
	FILE *mounts = mounts_open();

	for (struct group *group = groups; group; group = group->next)
		for (size_t i = 0; i < group->operations.ntargets; i++)
			group->operations.targets[i].mounts = 0;
	if (!mounts)
		return;
	mounts_each(mounts, add_place, groups);
	fclose(mounts);
}

/* Something was mounted, or unmounted. */
static void look_again(void *context)
{
	struct dist *dist = context;

	mounts_changed(dist->watch);
	if (!dist->one)
		start_present(dist);
	find_places(dist->groups);
}

/* The applet of one type. */
static int start_one(struct dist *dist)
{
	struct target target = type_of(dist->applet->member);
	struct group *group = group_plan(dist, &target, 1);
	int err = group ? group_start(dist, group) : -ENOMEM;

	dist->groups = group;
	return err;
}

/* fsdist. */
static int start_many(struct dist *dist)
{
	int err = start_present(dist);

	if (!err && !dist->groups) {
		log_error("none of these file systems is there");
		log_hint("--wait waits for one");
		return -ENOENT;
	}
	return err;
}

static int trace(struct dist *dist)
{
	const struct filesystem *fs = dist->applet->member;
	const struct options *options = dist->options;
	struct output *out;
	char title[80];
	int err;

	if (types_at_place(&options->common.trace.filter, fs, &dist->types, dist->type))
		return EXIT_FAILED;
	stop_after(dist->stop, options->common.duration_ns);
	if (options->wait && !types_wait(fs, dist->types, dist->stop, dist->watch))
		return EXIT_DONE;
	out = output_open(STDOUT_FILENO, options->common.json, dist->stop);
	err = !out ? -ENOMEM : fs ? start_one(dist) : start_many(dist);
	if (err)
		return finish(dist, out, err);
	find_places(dist->groups);
	stop_after(dist->stop, options->common.duration_ns);
	snprintf(title, sizeof(title), "Tracing %s operation latency... Hit Ctrl-C to end.",
		 fs ? fs->title : "file system");
	output_banner(out, title);
	output_flush(out);
	return finish(dist, out, print_blocks(dist, out));
}

static int run(const struct applet *self, const void *parsed)
{
	static struct stop stop;
	const struct options *options = parsed;
	int cpus = percpu_cpus(), status;
	struct dist dist = {
		.applet = self,
		.options = options,
		.types = options->types,
		.unit = options->nanoseconds ? HIST_NS : options->milliseconds ? HIST_MS : HIST_US,
		.cpus = cpus,
		.one = self->member,
		.stop = &stop,
		.watch = mounts_watch(),
	};

	if (cpus < 0) {
		log_error("cannot tell how many CPUs there are: %s", strerror(-cpus));
		return EXIT_FAILED;
	}
	if (stop_open(&stop))
		return EXIT_FAILED;
	memcpy(dist.percentiles, options->percentiles, sizeof(dist.percentiles));
	if (!dist.percentiles->name[0])
		percentiles_parse(DEFAULT_PERCENTILES, dist.percentiles);
	status = trace(&dist);
	if (dist.watch >= 0)
		close(dist.watch);
	return status;
}

#define TRIAL(fs)                                                                                  \
	&(const struct trial){ TRIAL_READS(fs), .count = "\"count\":" }

static const struct options defaults = { .ops = DEFAULT_OPS, .top = DEFAULT_TOP };
static const struct options fsdist_defaults = { .ops = DEFAULT_OPS | 1 << FS_GETATTR,
					       .top = DEFAULT_TOP };

static const struct example fsdist_examples[] = {
	{ "-e 1", "which file system is slow at what, every second" },
	{ "-t ext4,xfs", "of these two, until Ctrl-C" },
	{ "-e -- make -j8", "what a build does, and all of its processes" },
	{ "--json -d 10 | jq '{fs, op, count, max_ns}'", "the longest of each in ten seconds" },
	{ 0 }
};

extern const struct filesystem btrfs_filesystem, ext4_filesystem, f2fs_filesystem, fuse_filesystem,
	nfs_filesystem, overlay_filesystem, tmpfs_filesystem, xfs_filesystem;

#define FAMILY(name_)                                                                              \
	.name = name_, .operands = operand_rows, .options_size = sizeof(struct options),           \
	.records = records, .page = "dist", .run = run

#define APPLET(name_, fs)                                                                          \
	{ FAMILY(name_),                                                                           \
	  .summary = "histograms of the latency of " #fs " operations",                            \
	  .help = "Prints histograms of the latency of " #fs " reads, writes, opens and fsyncs, or " \
		  "of other operations: one block at the end, or one every INTERVAL seconds, "     \
		  "COUNT times.",                                                                  \
	  .options = { option_rows, by_rows, failed_rows, place_rows, wait_rows },                          \
	  .defaults = &defaults,                                                                   \
	  .examples = examples,                                                                    \
	  .trial = TRIAL(#fs),                                                                     \
	  .member = &fs##_filesystem }

const struct applet dist_applets[] = {
	APPLET("btrfsdist", btrfs),
	APPLET("ext4dist", ext4),
	APPLET("f2fsdist", f2fs),
	{ FAMILY("fsdist"),
	  .summary = "histograms of the latency of all file systems, a section each",
	  .help = "Prints histograms of the latency of reads, writes, opens, fsyncs and getattrs, or "
		  "of other operations, for each type of file system: one block at the end, or one "
		  "every INTERVAL seconds, COUNT times.",
	  .options = { type_rows, option_rows, by_rows, failed_rows, place_rows, wait_rows },
	  .defaults = &fsdist_defaults,
	  .trial = TRIAL("tmpfs"),
	  .examples = fsdist_examples },
	APPLET("fusedist", fuse),
	APPLET("nfsdist", nfs),
	APPLET("overlaydist", overlay),
	APPLET("tmpfsdist", tmpfs),
	APPLET("xfsdist", xfs),
	{ 0 }
};

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dcsnoop: which names do processes look up that the directory-entry cache does not hold? With
 * -a, also those it does. A miss costs a look-up by the file system, so its report adds little;
 * -a reports every component of every path, some hundred thousand a second on a busy machine.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "bpf/dcsnoop.h"
#include "core/trace/account.h"
#include "core/cli/applet.h"
#include "core/base/clock.h"
#include "core/base/stop.h"
#include "core/kernel/environment.h"
#include "core/kernel/kernel_clock.h"
#include "core/trace/events.h"
#include "core/base/log.h"
#include "core/cli/options.h"
#include "core/show/output.h"
#include "core/trace/overhead.h"
#include "core/trace/probe.h"
#include "dcsnoop.skel.h"

#define MISSED_LOOKUPS                                                                             \
	{ "d_alloc_parallel", { { "d_alloc_parallel", "d_alloc_parallel", true } }, false },       \
	{ "lookup_dcache", { { "lookup_dcache", "lookup_dcache", true } }, false },                \
	/* One function under two names: __lookup_hash() is the older. */                          \
	{ "create", { { "lookup_one_qstr_excl", "lookup_one_qstr_excl", true },                    \
		      { "__lookup_hash", "lookup_one_qstr_excl", true } }, false }

static const struct probe missed_lookups[] = { MISSED_LOOKUPS, { 0 } };

static const struct probe all_lookups[] = {
	MISSED_LOOKUPS,
	{ "lookup_fast", { { "lookup_fast", "lookup_fast", true } }, false },
	{ "d_lookup", { { "d_lookup", "d_lookup", true } }, false },
	{ "open", { { "path_openat", "path_openat", false } }, true },
	{ 0 }
};

static const char *const type_names[] = {
	[LOOKUP_MISS] = "M",
	[LOOKUP_FOUND] = "R",
	[LOOKUP_NEGATIVE] = "N",
	NULL
};

static const char *const type_meanings[] = {
	[LOOKUP_MISS] = "missed: the cache did not hold the name, and the file system was asked; "
			"this does not say whether the file exists",
	[LOOKUP_FOUND] = "found (with -a)",
	[LOOKUP_NEGATIVE] = "found, and known not to exist: a negative entry (with -a)",
	NULL
};

static const struct field lookup_fields[] = {
	{ .heading = "T", .key = "type", .kind = FIELD_ENUM,
	  FIELD_AT(struct dcsnoop_event, type), .names = type_names, .meanings = type_meanings,
	  .help = "what came of it" },
	{ .heading = "FILE", .key = "file", .kind = FIELD_NAME,
	  .offset = offsetof(struct dcsnoop_event, name),
	  .len_offset = offsetof(struct dcsnoop_event, name_len),
	  .help = "the name that was looked up: one component, not the path" },
	{ 0 }
};

static const struct record records[] = {
	{ .name = "lookup", .help = "a row for each look-up",
	  .fields = { event_fields, lookup_fields } },
	{ 0 }
};

struct options {
	struct common_options common;
	bool all;
};

static const struct option_row option_rows[] = {
	{ .letter = 'a', .name = "all", .kind = OPTION_FLAG, OPTION_AT(struct options, all),
	  .help = "all look-ups, also those that the cache answers" },
	{ 0 }
};

static const struct example examples[] = {
	{ "", "misses of all processes, until Ctrl-C" },
	{ "-a -p 181", "all look-ups of process 181" },
	{ "-d 10 --json | jq -r .file | sort | uniq -c | sort -n",
	  "the names that are missed most in ten seconds" },
	{ 0 }
};

/* What print_event() needs. */
struct printer {
	struct output *out;
	uint32_t self;			/* our own look-ups are not shown */
	uint64_t events;
};

static void print_event(void *context, const void *event, size_t size)
{
	const struct dcsnoop_event *lookup = event;
	struct printer *printer = context;

	if (size < DCSNOOP_SMALL || size < DCSNOOP_NAME_OFFSET + (size_t)lookup->name_len)
		return;		/* not ours */
	if (lookup->header.pid_tgid >> 32 == printer->self)
		return;
	output_event(printer->out, records, &lookup->header);
	printer->events++;
}

static struct dcsnoop_bpf *start(const struct options *options, struct probes *probes)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = probes_btf_path(probes));
	struct dcsnoop_bpf *skel;

	do {
		skel = dcsnoop_bpf__open_opts(&opts);
		if (!skel) {
			log_error("cannot open the BPF program: %s", strerror(errno));
			return NULL;
		}
		if (!probes_select(probes, skel->obj) &&
		    !filter_apply(&options->common.filter, skel->obj)) {
			skel->rodata->all = options->all;
			skel->rodata->count_calls = probes_can_miss(probes);
			if (!probes_load(probes) && !probes_attach(probes))
				return skel;
		}
		dcsnoop_bpf__destroy(skel);
	} while (probes_retry(probes));
	return NULL;
}

static int trace(const struct applet *self __attribute__((unused)), const void *parsed)
{
	const struct options *options = parsed;
	struct overhead overhead = { .stats_fd = -1 };
	static struct stop stop;
	struct accounts accounts = { 0 };
	struct printer printer = { .self = getpid() };
	struct probes *probes = NULL;
	struct dcsnoop_bpf *skel = NULL;
	struct events *events = NULL;
	int status, err = -1;
	uint64_t start_ns;

	if (environment_check() || environment_check_pid(options->common.filter.pid))
		return EXIT_FAILED;
	if (stop_open(&stop) || (options->common.overhead && overhead_begin(&overhead)))
		return EXIT_FAILED;
	start_ns = now_ns();
	probes = probes_new(&(struct probes_config){
		.set = options->all ? all_lookups : missed_lookups,
		.attach = options->common.attach,
		.btf_path = options->common.btf_path,
		.forced = options->common.forced_probe,
	});
	printer.out = output_open(STDOUT_FILENO, options->common.json, &stop);
	if (!probes || !printer.out)
		goto out;
	skel = start(options, probes);
	if (!skel || accounts_open(&accounts, skel->obj))
		goto out;
	events = events_open(bpf_map__fd(skel->maps.events),
			     bpf_map__max_entries(skel->maps.events), print_event, &printer);
	if (!events) {
		log_error("cannot map the ring buffer: %s", strerror(errno));
		goto out;
	}
	stop_after(&stop, options->common.duration_ns);
	output_events_begin(printer.out, records, kernel_clock_ns(start_ns));
	output_flush(printer.out);
	err = events_poll(events, &stop, printer.out, &accounts);
	probes_detach(probes);
	events_drain(events);
	accounts_tell_all(&accounts, probes);
	overhead_tell(&overhead, skel->obj, printer.events);
out:
	events_close(events);
	status = output_finish(printer.out, err);
	accounts_close(&accounts);
	probes_free(probes);
	dcsnoop_bpf__destroy(skel);
	overhead_end(&overhead);
	return status;
}

const struct applet dcsnoop_applets[] = {
	{ .name = "dcsnoop",
	  .summary = "directory-cache look-ups that miss, or all of them",
	  .help = "Prints each look-up of a name that misses the directory-entry cache.",
	  .notes = "T is M (missed: the file system was asked), with -a also R (found) and N "
		   "(found: known not to exist).",
	  .options = { option_rows },
	  .options_size = sizeof(struct options),
	  .examples = examples,
	  .records = records,
	  .run = trace },
	{ 0 }
};

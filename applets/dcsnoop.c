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
#include "core/kernel/environment.h"
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
};

static const struct field fields[] = {
	{ "T", "type", FIELD_ENUM, .offset = offsetof(struct dcsnoop_event, type),
	  .names = type_names },
	{ "FILE", "file", FIELD_NAME, .offset = offsetof(struct dcsnoop_event, name),
	  .len_offset = offsetof(struct dcsnoop_event, name_len) },
	{ 0 }
};

struct options {
	struct common_options common;
	bool all;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case 'a':
		options->all = true;
		return 0;
	case ARGP_KEY_ARG:
		return usage_error(state, "unexpected argument '%s'", arg);
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = (const struct argp_option[]){
		{ "all", 'a', NULL, 0, "all look-ups, also those that the cache answers", 0 },
		{ 0 } },
	.parser = parse,
	.children = (const struct argp_child[]){ { &common_argp, 0, NULL, 0 }, { 0 } },
	.doc = "Prints each look-up of a name that misses the directory-entry cache.\v"
	       "T is M (missed: the file system was asked), with -a also R (found) and N (found: "
	       "known not to exist).\n\n"
	       "Examples:\n"
	       "  fstrace dcsnoop             misses of all processes\n"
	       "  fstrace dcsnoop -a -p 181   all look-ups of process 181\n"
	       "  fstrace dcsnoop -d 10 --json | jq -r .file | sort | uniq -c | sort -n\n",
};

struct run {
	struct output *out;
	uint32_t self;			/* our own look-ups are not shown */
	uint64_t end_ns;		/* nor what happens while the probes are being detached */
	uint64_t events;
};

static void print_event(void *context, const void *event, size_t size)
{
	const struct dcsnoop_event *lookup = event;
	struct run *run = context;

	if (size < DCSNOOP_SMALL || size < DCSNOOP_NAME_OFFSET + (size_t)lookup->name_len)
		return;		/* not ours */
	if (lookup->header.pid_tgid >> 32 == run->self || lookup->header.time_ns > run->end_ns)
		return;
	output_event(run->out, fields, &lookup->header);
	run->events++;
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

static int run(const struct applet *self, int argc, char **argv)
{
	struct options options = { 0 };
	struct overhead overhead = { .stats_fd = -1 };
	struct stop stop;
	struct accounts accounts = { 0 };
	struct run run = { .self = getpid(), .end_ns = NEVER };
	struct probes *probes = NULL;
	struct dcsnoop_bpf *skel = NULL;
	struct events *events = NULL;
	int status, err = -1;
	uint64_t start_ns;

	if (!options_parse(&argp, self->name, argc, argv, &options, &status))
		return status;
	if (environment_check() || environment_check_pid(options.common.filter.pid))
		return EXIT_FAILED;
	if (stop_open(&stop) || (options.common.overhead && overhead_begin(&overhead)))
		return EXIT_FAILED;
	start_ns = now_ns();
	probes = probes_new(&(struct probes_config){
		.set = options.all ? all_lookups : missed_lookups,
		.attach = options.common.attach,
		.btf_path = options.common.btf_path,
		.forced = options.common.forced_probe,
	});
	run.out = output_open(STDOUT_FILENO, options.common.json, &stop);
	if (!probes || !run.out)
		goto out;
	skel = start(&options, probes);
	if (!skel || accounts_open(&accounts, skel->obj))
		goto out;
	events = events_open(bpf_map__fd(skel->maps.events),
			     bpf_map__max_entries(skel->maps.events), print_event, &run);
	if (!events) {
		log_error("cannot map the ring buffer: %s", strerror(errno));
		goto out;
	}
	stop_after(&stop, options.common.duration_ns);
	output_events_begin(run.out, fields, start_ns);
	output_flush(run.out);
	err = events_poll(events, &stop, run.out, &accounts);
	run.end_ns = now_ns();
	probes_detach(probes);
	events_drain(events);
	accounts_tell_all(&accounts, probes);
	overhead_tell(&overhead, skel->obj, run.events);
out:
	events_close(events);
	status = output_finish(run.out, err);
	accounts_close(&accounts);
	probes_free(probes);
	dcsnoop_bpf__destroy(skel);
	overhead_end(&overhead);
	return status;
}

const struct applet dcsnoop_applets[] = {
	{ "dcsnoop", "directory-cache look-ups that miss, or all of them", run },
	{ 0 }
};

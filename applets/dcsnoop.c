// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dcsnoop: which names do processes look up that the directory-entry cache does not hold? With
 * -a, also those it does. A miss costs a look-up by the file system, so reporting it adds little;
 * -a reports every component of every path, several hundred thousand a second on a busy machine.
 */
#include <unistd.h>

#include "applets/dcache_probes.h"
#include "bpf/dcsnoop.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/cli/options.h"
#include "core/show/output.h"
#include "core/trace/rows.h"
#include "core/trace/tracer.h"
#include "dcsnoop.skel.h"

static const struct probe missed_lookups[] = { DCACHE_MISSES, { 0 } };
static const struct probe all_lookups[] = { DCACHE_MISSES, DCACHE_HITS, { 0 } };

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
	  .len_offset = offsetof(struct dcsnoop_event, name_len), .may_be_cut = true,
	  .help = "the name that was looked up: one component, not the path" },
	{ 0 }
};

static const struct record records[] = {
	{ .name = "lookup", .help = "one for each look-up",
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
	{ "-- python3 app.py", "misses of a program and its children" },
	{ "-d 10 --json | jq -r .file | sort | uniq -c | sort -n",
	  "the names that are missed most in ten seconds" },
	{ 0 }
};

static int trace(const struct applet *self, const void *parsed)
{
	static struct stop stop;
	const struct options *options = parsed;
	struct tracer_config config = {
		.name = self->name,
		.probes = options->all ? all_lookups : missed_lookups,
		.settings = (const struct setting[]){ SETTING("all", &options->all), { 0 } },
		.options = &options->common.trace,
		.stop = &stop,
		.shows_processes = true,
	};
	struct output *out;

	if (stop_open(&stop))
		return EXIT_FAILED;
	config.object = dcsnoop_bpf__elf_bytes(&config.object_size);
	out = output_open(STDOUT_FILENO, options->common.json, &stop);
	return rows_print(&(struct rows){
		.tracer = tracer_start(&config),
		.stop = &stop,
		.out = out,
		.records = records,
		.event_size = DCSNOOP_SMALL,
		.duration_ns = options->common.duration_ns,
	});
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

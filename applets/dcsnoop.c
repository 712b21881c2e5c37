// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dcsnoop: which names do processes look up that the directory-entry cache does not hold? With
 * -a, also those it does. A miss costs a look-up by the file system, so reporting it adds little;
 * -a reports every component of every path, several hundred thousand a second on a busy machine.
 */
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "applets/dcache_probes.h"
#include "applets/dcache_trial.h"
#include "bpf/dcsnoop.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/cli/options.h"
#include "core/show/output.h"
#include "core/trace/rows.h"
#include "core/trace/tracer.h"
#include "dcsnoop.object.h"

static const struct probe missed_lookups[] = { DCACHE_MISSES, { 0 } };
static const struct probe all_lookups[] = { DCACHE_MISSES, DCACHE_HITS, { 0 } };
static const struct probe answered_lookups[] = { DCACHE_MISSES, DCACHE_HITS, DCACHE_ANSWERS, { 0 } };

static const char *const type_names[] = {
	[LOOKUP_MISS] = "M",
	[LOOKUP_FOUND] = "R",
	[LOOKUP_NEGATIVE] = "N",
	NULL
};

static const char *const type_meanings[] = {
	[LOOKUP_MISS] = "missed: the cache did not hold the name, and the file system was asked; "
			"this does not say whether the file exists (with -x: it does not)",
	[LOOKUP_FOUND] = "found (with -a)",
	[LOOKUP_NEGATIVE] = "found, and known not to exist: a negative entry (with -a or -x)",
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
	const char *name;		/* a pattern; NULL: any */
};

static const struct option_row option_rows[] = {
	{ .letter = 'a', .name = "all", .kind = OPTION_FLAG, OPTION_AT(struct options, all),
	  .help = "all look-ups, also those that the cache answers" },
	{ .name = "name", .arg = "GLOB", .kind = OPTION_STRING, OPTION_AT(struct options, name),
	  .help = "only names that match this pattern of the shell: '*.so*'",
	  .more = "The whole component must match, by upper and lower case; a leading dot and a "
		  "cut name are matched like anything else, the latter by its first 255 bytes." },
	{ 0 }
};

static const struct trial trial = {
	.what = "look-ups",
	.work = miss_names,
	.line = "\"file\":\".fstrace.%u.%u\"",
};

static const struct example examples[] = {
	{ "", "misses of all processes, until Ctrl-C" },
	{ "-a -p 181", "all look-ups of process 181" },
	{ "-- python3 app.py", "misses of a program and its children" },
	{ "-x", "what programs look for in vain, the first time (M) and again (N)" },
	{ "-x --name '*.so*'", "likewise, of shared libraries" },
	{ "-d 10 --json | jq -r .file | sort | uniq -c | sort -n",
	  "the names that are missed most in ten seconds" },
	{ 0 }
};

/* Whether the event's name matches the pattern. */
static bool has_name(const void *pattern, const struct event_header *header)
{
	const struct dcsnoop_event *event = (const struct dcsnoop_event *)header;
	size_t len = event->name_len ? event->name_len : NAME_SIZE_MAX;
	char name[NAME_SIZE_MAX + 1];

	memcpy(name, event->name, len);
	name[len] = '\0';
	return !fnmatch(pattern, name, 0);
}

static int trace(const struct applet *self, const void *parsed)
{
	static struct stop stop;
	const struct options *options = parsed;
	const bool all = options->all || options->common.failed;
	struct tracer_config config = {
		.name = self->name,
		.probes = options->common.failed ? answered_lookups : all ? all_lookups : missed_lookups,
		.settings = (const struct setting[]){
			SETTING("all", &all), SETTING("missing", &options->common.failed), { 0 } },
		.options = &options->common.trace,
		.stop = &stop,
		.shows_processes = true,
	};
	struct output *out;

	if (options->all && options->common.failed) {
		log_error("-a and -x exclude each other");
		log_hint("-x shows what is not there, -a everything");
		return EXIT_USAGE;
	}
	if (stop_open(&stop))
		return EXIT_FAILED;
	config.object = dcsnoop_object(&config.object_size);
	out = output_open(STDOUT_FILENO, options->common.json, &stop);
	return rows_print(&(struct rows){
		.tracer = tracer_start(&config),
		.stop = &stop,
		.out = out,
		.records = records,
		.event_size = DCSNOOP_SMALL,
		.is_wanted = options->name ? has_name : NULL,
		.context = options->name,
		.duration_ns = options->common.duration_ns,
	});
}

const struct applet dcsnoop_applets[] = {
	{ .name = "dcsnoop",
	  .summary = "directory-cache look-ups that miss, or all of them",
	  .help = "Prints each look-up of a name that misses the directory-entry cache.",
	  .notes = "T is M (missed: the file system was asked), with -a also R (found) and N "
		   "(found: known not to exist). With -x, only names that do not exist are shown, by "
		   "whoever said so: M the file system, N the cache.",
	  .options = { option_rows, failed_rows },
	  .options_size = sizeof(struct options),
	  .examples = examples,
	  .records = records,
	  .trial = &trial,
	  .run = trace },
	{ 0 }
};

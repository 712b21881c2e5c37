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

/* The last is traced for paths alone: what ends the array before it. */
static const struct probe missed_lookups[] = { DCACHE_MISSES, DCACHE_PARENTS, { 0 } };
static const struct probe all_lookups[] = { DCACHE_MISSES, DCACHE_HITS, DCACHE_PARENTS, { 0 } };
static const struct probe answered_lookups[] = {
	DCACHE_MISSES, DCACHE_HITS, DCACHE_ANSWERS, DCACHE_PARENTS, { 0 }
};

#define PARENTS 16384			/* threads that create at a time, and then some */
#define PATH_RING_BYTES (4 << 20)
#define PROBES_MAX (sizeof(answered_lookups) / sizeof(*answered_lookups))

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

/* The default: text of this kind is made for speed. */
static const struct record plain_records[] = {
	{ .name = "lookup", .help = "one for each look-up",
	  .fields = { event_fields, lookup_fields } },
	{ 0 }
};

struct options {
	struct common_options common;
	bool all;
	const char *name;		/* a pattern; NULL: any */
	bool uid, tid, fs, path;	/* columns */
};

/* All that there may be, of a struct dcsnoop_details. choose_fields() takes what is asked for. */
static const struct field fields[] = {
	{ .heading = "TIME(s)", .key = "time", .width = 11, .unit = "s", .kind = FIELD_TIME,
	  FIELD_AT(struct dcsnoop_details, header.time_ns),
	  .help = "when it happened, since the start of the command" },
	{ .heading = "PID", .key = "pid", .width = 7, .kind = FIELD_PID,
	  FIELD_AT(struct dcsnoop_details, header.pid_tgid),
	  .help = "the process, as /proc numbers it; - (JSON: null) if it has no number there" },
	{ .heading = "TID", .key = "tid", .width = 7, .kind = FIELD_TID,
	  FIELD_AT(struct dcsnoop_details, header.pid_tgid),
	  .help = "the thread, likewise (a column with --threads)" },
	{ .key = "initial_pid", .kind = FIELD_INITIAL_PID, .optional = true,
	  FIELD_AT(struct dcsnoop_details, header.pid_tgid),
	  .help = "the process in the initial PID namespace; only if /proc is of another" },
	{ .key = "initial_tid", .kind = FIELD_INITIAL_TID, .optional = true,
	  FIELD_AT(struct dcsnoop_details, header.pid_tgid), .help = "the thread, likewise" },
	{ .heading = "UID", .key = "uid", .width = 7, .kind = FIELD_UINT, .optional = true,
	  FIELD_AT(struct dcsnoop_details, uid),
	  .help = "the real user, as the initial user namespace numbers it (with -U)" },
	{ .heading = "COMM", .key = "comm", .width = COMM_SIZE, .kind = FIELD_COMM,
	  FIELD_AT(struct dcsnoop_details, header.comm), .help = "the name of the thread" },
	{ .heading = "FS", .key = "fs", .width = 8, .kind = FIELD_COMM, .optional = true,
	  FIELD_AT(struct dcsnoop_details, fs),
	  .help = "the type of the directory's file system (with --fs)" },
	{ .heading = "DEV", .key = "device", .width = 7, .kind = FIELD_DEVICE, .optional = true,
	  FIELD_AT(struct dcsnoop_details, device),
	  .help = "its device, as in /proc/self/mountinfo: major:minor (with --fs)" },
	{ .heading = "T", .key = "type", .width = 1, .kind = FIELD_ENUM,
	  FIELD_AT(struct dcsnoop_details, type), .names = type_names, .meanings = type_meanings,
	  .help = "what came of it" },
	{ .heading = "FILE", .key = "file", .kind = FIELD_NAME,
	  .offset = offsetof(struct dcsnoop_details, name),
	  .len_offset = offsetof(struct dcsnoop_details, name_len), .may_be_cut = true,
	  .help = "the name that was looked up: one component, not the path" },
	{ .heading = "PATH", .key = "path", .kind = FIELD_PATH, .may_be_cut = true,
	  .offset = offsetof(struct dcsnoop_details, path), .optional = true,
	  .help = "the directory and the name; without a slash at its beginning it is inside the "
		  "file system (with -F)" },
	{ 0 }
};

#define FIELDS (sizeof(fields) / sizeof(*fields))

static const struct record records[] = {
	{ .name = "lookup", .help = "one for each look-up", .fields = { fields } },
	{ 0 }
};

static const struct option_row option_rows[] = {
	{ .letter = 'a', .name = "all", .kind = OPTION_FLAG, OPTION_AT(struct options, all),
	  .help = "all look-ups, also those that the cache answers" },
	{ .name = "name", .arg = "GLOB", .kind = OPTION_STRING, OPTION_AT(struct options, name),
	  .help = "only names that match this pattern of the shell: '*.so*'",
	  .more = "The whole component must match, by upper and lower case; a leading dot and a "
		  "cut name are matched like anything else, the latter by its first 255 bytes." },
	{ .letter = 'F', .name = "full-path", .kind = OPTION_FLAG, OPTION_AT(struct options, path),
	  .help = "the whole path instead of the name",
	  .more = "As from the root of the mount namespace, whatever a chroot hides of it. Where only "
		  "the kernel looks, as overlayfs does in its layers, it is the path inside the file "
		  "system: it does not begin with a slash. Of a very long one the beginning is "
		  "missing." },
	{ .letter = 'U', .name = "uid", .kind = OPTION_FLAG, OPTION_AT(struct options, uid),
	  .help = "a column with the real user ID" },
	{ .name = "threads", .kind = OPTION_FLAG, OPTION_AT(struct options, tid),
	  .help = "a column with the thread" },
	{ .name = "fs", .kind = OPTION_FLAG, OPTION_AT(struct options, fs),
	  .help = "columns with the file system's type and device" },
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
	{ "-x -F -U -- make", "likewise, of make and what it runs, with users and whole paths" },
	{ "-d 10 --json | jq -r .file | sort | uniq -c | sort -n",
	  "the names that are missed most in ten seconds" },
	{ 0 }
};

/* A run, as the options want it. */
struct snoop {
	const struct options *options;
	bool all, details;
	uint32_t special;		/* enum dcsnoop_special */
	struct probe probes[PROBES_MAX];
	struct field fields[FIELDS];	/* with details */
	struct record records[2];
};

/* Whether the event's name matches the pattern. */
static bool has_name(const void *context, const struct event_header *header)
{
	const struct snoop *snoop = context;
	const struct dcsnoop_event *event = (const void *)header;
	const struct dcsnoop_details *details = (const void *)header;
	size_t len = snoop->details ? details->name_len : event->name_len;
	char name[NAME_SIZE_MAX + 1];

	len = len ?: NAME_SIZE_MAX;
	memcpy(name, snoop->details ? details->name : event->name, len);
	name[len] = '\0';
	return !fnmatch(snoop->options->name, name, 0);
}

static bool is_shown(const struct options *options, const struct field *field)
{
	if (!strcmp(field->key, "uid"))
		return options->uid;
	if (!strcmp(field->key, "fs") || !strcmp(field->key, "device"))
		return options->fs;
	return field->kind != FIELD_PATH || options->path;
}

/* The fields of a run with details. */
static void choose_fields(struct snoop *snoop)
{
	struct field *to = snoop->fields;

	for (const struct field *field = fields; field->key; field++) {
		if (!is_shown(snoop->options, field))
			continue;
		*to = *field;
		if ((field->kind == FIELD_TID && !snoop->options->tid) ||
		    (field->kind == FIELD_NAME && snoop->options->path))
			to->heading = NULL;
		to++;
	}
	snoop->records[0] = records[0];
	snoop->records[0].fields[0] = snoop->fields;
}

static void choose_probes(struct snoop *snoop)
{
	const struct probe *from = snoop->options->common.failed ? answered_lookups :
				   snoop->all ? all_lookups : missed_lookups;
	size_t count = probes_count(from);

	memcpy(snoop->probes, from, count * sizeof(*from));
	if (!snoop->options->path)
		snoop->probes[count - 1] = (struct probe){ 0 };
}

static void plan(struct snoop *snoop, const struct options *options)
{
	snoop->options = options;
	snoop->all = options->all || options->common.failed;
	snoop->details = options->uid || options->tid || options->fs || options->path;
	snoop->special = (options->common.failed ? SPECIAL_MISSING : 0) |
			 (snoop->details ? SPECIAL_DETAILS : 0) |
			 (options->path ? SPECIAL_PATH : 0);
	choose_fields(snoop);
	choose_probes(snoop);
}

static const struct map_size path_sizes[] = {
	{ "events", PATH_RING_BYTES }, { "parents", PARENTS }, { 0 }
};

static int trace(const struct applet *self, const void *parsed)
{
	static struct stop stop;
	static struct snoop snoop;
	const struct options *options = parsed;
	struct tracer_config config = {
		.name = self->name,
		.probes = snoop.probes,
		.settings = (const struct setting[]){
			SETTING("all", &snoop.all), SETTING("special", &snoop.special),
			SETTING("missing", &options->common.failed), { 0 } },
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
	plan(&snoop, options);
	if (options->path)
		config.sizes = path_sizes;
	if (stop_open(&stop))
		return EXIT_FAILED;
	config.object = dcsnoop_object(&config.object_size);
	out = output_open(STDOUT_FILENO, options->common.json, &stop);
	return rows_print(&(struct rows){
		.tracer = tracer_start(&config),
		.stop = &stop,
		.out = out,
		.records = snoop.details ? snoop.records : plain_records,
		.event_size = snoop.details ? DCSNOOP_DETAILS : DCSNOOP_SMALL,
		.is_wanted = options->name ? has_name : NULL,
		.context = &snoop,
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

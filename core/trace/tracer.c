// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The life of a BPF object: facts, plan, attempts, and the end. */
#include "core/trace/tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "core/base/clock.h"
#include "core/base/inflate.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/kernel/cause.h"
#include "core/kernel/environment.h"
#include "core/kernel/percpu.h"
#include "core/show/output.h"
#include "core/trace/account.h"
#include "core/trace/attach.h"
#include "core/trace/command.h"
#include "core/trace/detach.h"
#include "core/trace/facts.h"
#include "core/trace/overhead.h"
#include "core/trace/plan.h"
#include "core/trace/program.h"
#include "core/trace/proof.h"

#define OTHERS_MAX 8	/* programs that are not probes: tracepoints */

/* The first failure: later ones are often its consequences, or belong to fallbacks. */
struct failure {
	int err;		/* 0: none */
	enum mechanism mechanism;
	const char *what;	/* "cannot load" */
	char subject[128];
};

struct tracer {
	const struct tracer_config *config;
	uint64_t start_ns;
	struct filter filter;
	struct probe *set;		/* the config's, less excluded candidates; and the proof */
	int types_fd;
	char types_path[32];
	struct facts facts;
	struct step *steps;
	enum mechanism mechanism;	/* of the attempt under way, and then of the tracer */
	bool has_kprobes;		/* some, or all, are by kprobe */
	struct failure failure;
	struct bpf_object *object;
	struct programs programs;
	int *links;			/* of the programs' attachments */
	size_t nlinks;
	struct bpf_link *others[OTHERS_MAX];
	size_t nothers;
	struct accounts accounts;
	struct overhead overhead;
	bool is_frozen;			/* the accounts, and what follows */
	struct refused_calls refused;
};

static void *out_of_memory(void)
{
	log_error("cannot prepare the probes: %s", strerror(ENOMEM));
	return NULL;
}

static struct tracer *tracer_new(const struct tracer_config *config)
{
	size_t nprobes = probes_count(config->probes) + 1;
	struct tracer *tracer = calloc(1, sizeof(*tracer));

	if (!tracer)
		return out_of_memory();
	tracer->config = config;
	tracer->overhead.stats_fd = -1;
	tracer->filter = (struct filter)FILTER_CLOSED;
	tracer->set = calloc(nprobes + 1, sizeof(*tracer->set));
	tracer->steps = calloc(nprobes + 1, sizeof(*tracer->steps));
	tracer->links = calloc(2 * nprobes + OTHERS_MAX, sizeof(*tracer->links));
	tracer->types_fd = memfd_create("types", MFD_CLOEXEC);
	if (!tracer->set || !tracer->steps || !tracer->links)
		out_of_memory();
	else if (tracer->types_fd < 0)
		log_error("cannot prepare the probes: %s", strerror(errno));
	else {
		memcpy(tracer->set, config->probes, (nprobes - 1) * sizeof(*tracer->set));
		snprintf(tracer->types_path, sizeof(tracer->types_path), "/proc/self/fd/%d",
			 tracer->types_fd);
		return tracer;
	}
	tracer_finish(tracer, NULL, 0, 0);
	return NULL;
}

/* A failure of an attempt. Returns err. */
static int failed(struct tracer *tracer, const char *what, const char *subject, int err)
{
	if (err == -ENOTSUPP && tracer->config->options->attach != ATTACH_FENTRY) {
		log_debug("not by fentry: this kernel has no trampolines for '%s'", subject);
		return err;
	}
	log_debug("%s '%s' by %s: %s", what, subject, mechanism_names[tracer->mechanism],
		  strerror(-err));
	if (!tracer->failure.err) {
		tracer->failure = (struct failure){ err, tracer->mechanism, what, "" };
		snprintf(tracer->failure.subject, sizeof(tracer->failure.subject), "%s", subject);
	}
	return err;
}

/* Errors that no other mechanism can cure. */
static bool is_final(int err)
{
	return err == -ENOMEM || err == -EMFILE || err == -ENFILE || err == -ENOSPC;
}

static struct bpf_object *open_object(const struct tracer *tracer)
{
	/* Another namespace's /proc lacks our descriptors: then libbpf reads the kernel's BTF. */
	const char *types = access(tracer->types_path, F_OK) ? tracer->config->options->btf_path :
							       tracer->types_path;
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = tracer->config->name,
		    .btf_custom_path = types);
	struct bpf_object *object = NULL;
	size_t size;
	void *bytes = inflate_all(tracer->config->object, tracer->config->object_size, &size);

	if (bytes)
		object = bpf_object__open_mem(bytes, size, &opts);	/* keeps nothing of it */
	if (!object)
		log_error("cannot open the BPF program: %s", strerror(errno));
	free(bytes);
	return object;
}

/* Detaches what is attached, and waits `max_ns` at most until that is done. */
static void detach_all(struct tracer *tracer, uint64_t max_ns)
{
	while (tracer->nothers) {
		struct bpf_link *link = tracer->others[--tracer->nothers];

		tracer->links[tracer->nlinks++] = bpf_link__fd(link);
		bpf_link__disconnect(link);
		bpf_link__destroy(link);
	}
	if (!detach(tracer->links, tracer->nlinks, max_ns))
		log_debug("detaching goes on in the background");
	tracer->nlinks = 0;
}

/* Undoes an attempt. */
static void undo(struct tracer *tracer)
{
	detach_all(tracer, NEVER);
	programs_free(&tracer->programs);
	bpf_object__close(tracer->object);
	tracer->object = NULL;
}

/*
 * Creates the map of the variables that begin as zero. If libbpf did, it would write zeros to it, and
 * need the same memory once more for these.
 */
static int create_zeroed(struct bpf_object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".bss");
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = map ? bpf_map__map_flags(map) : 0);
	int fd, err;

	if (!map)
		return 0;
	fd = bpf_map_create(bpf_map__type(map), "variables", bpf_map__key_size(map),
			    bpf_map__value_size(map), bpf_map__max_entries(map), &opts);
	if (fd < 0)
		return -errno;
	err = bpf_map__reuse_fd(map, fd);
	close(fd);
	return err;
}

static int configure(struct tracer *tracer)
{
	const struct map_size *size = tracer->config->sizes;
	bool count_calls = tracer->has_kprobes;
	int err = setting_apply(tracer->object, (const struct setting[]){
		SETTING("count_calls", &count_calls), { 0 } });
	if (!err && tracer->config->settings)
		err = setting_apply(tracer->object, tracer->config->settings);
	err = err ?: filter_apply(&tracer->filter, tracer->object);
	err = err ?: percpu_prepare(tracer->object);
	err = err ?: create_zeroed(tracer->object);
	for (; !err && size && size->name; size++) {
		struct bpf_map *map = bpf_object__find_map_by_name(tracer->object, size->name);

		err = map ? bpf_map__set_max_entries(map, size->entries) : -ENOENT;
	}
	return err;
}

static int attach_one(struct tracer *tracer, const struct program *program)
{
	const struct step *step = program->step;
	int fd = step->mechanism == BY_FENTRY ? attach_tracing(program->fd) :
		 step->mechanism == BY_SESSION ? attach_session(program->fd, step->function, step->address) :
		 attach_kprobe(program->fd, step->function, step->address, program->is_return);

	if (fd < 0)
		return failed(tracer, "cannot attach to", step->function, fd);
	tracer->links[tracer->nlinks++] = fd;
	return 0;
}

/* What is attached, at the end of the start. */
static void tell_attached(const struct tracer *tracer)
{
	bool kretprobes = false;
	const char *limit;

	for (size_t i = 0; i < tracer->programs.count; i++)
		kretprobes |= tracer->programs.all[i].is_return &&
			      tracer->programs.all[i].step->mechanism == BY_KPROBE;
	limit = plan_limit(&tracer->facts, tracer->steps, kretprobes);
	/* The last one is the proof, which traces nothing. */
	for (size_t i = 0; i + 1 < tracer->facts.nprobes; i++)
		if (tracer->steps[i].candidate && tracer->steps[i].candidate->stem)
			log_debug("attached to %s by %s", tracer->steps[i].function,
				  mechanism_names[tracer->steps[i].mechanism]);
	if (limit)
		log_debug("cannot see %s", limit);
	log_debug("attached by %s", mechanism_names[tracer->mechanism]);
}

static int attach_others(struct tracer *tracer)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, tracer->object) {
		struct bpf_link *link;

		if (program_is_probe(program) || !bpf_program__autoload(program))
			continue;
		if (tracer->nothers == OTHERS_MAX)
			return failed(tracer, "cannot attach", bpf_program__name(program), -E2BIG);
		link = bpf_program__attach(program);
		if (!link)
			return failed(tracer, "cannot attach", bpf_program__name(program), -errno);
		tracer->others[tracer->nothers++] = link;
	}
	return 0;
}

static void warn_of_clones(const struct tracer *tracer)
{
	const struct facts *facts = &tracer->facts;

	for (size_t i = 0; i < facts->nprobes; i++) {
		const struct step *step = &tracer->steps[i];
		const struct ksym *symbol;

		if (!step->candidate || step->mechanism != BY_KPROBE)
			continue;
		symbol = &facts->symbols[step->btf - facts->functions];
		if (!symbol->copies && symbol->is_altered)
			log_warning("'%s' exists only as '%s': its arguments may be missing",
				    symbol->name, step->function);
		else if (symbol->copies && symbol->clones)
			log_warning("'%s' exists as '%s', too: calls of that are not seen",
				    symbol->name, symbol->clone);
	}
}

static int load(struct tracer *tracer)
{
	const struct facts *facts = &tracer->facts;
	int err = programs_load(&tracer->programs, tracer->object,
				facts->functions[facts->nfunctions + SIGN_SESSION].id);
	const struct program *program = tracer->programs.failed;

	if (!err)
		return 0;
	return program ? failed(tracer, "cannot trace", program->step->function, err) :
			 failed(tracer, "cannot load", tracer->config->name, err);
}

/* Whether anything is by kprobe; then the proof, the last step, is too, else it is left out. */
static bool uses_kprobes(struct tracer *tracer)
{
	size_t last = tracer->facts.nprobes - 1;

	for (size_t i = 0; i < last; i++)
		if (tracer->steps[i].candidate && tracer->steps[i].mechanism == BY_KPROBE) {
			tracer->steps[last].mechanism = BY_KPROBE;
			return true;
		}
	tracer->steps[last].candidate = NULL;
	return false;
}

/* Debian's kernel.perf_event_paranoid=3 keeps kprobes for CAP_SYS_ADMIN. */
static bool may_use_kprobes(void)
{
	struct circumstances circumstances;

	circumstances_read(&circumstances);
	return !proof_is_off() && (circumstances.sys_admin || circumstances.paranoid < 3);
}

/* 0, or -errno: why a step by another way than the rest cannot be attached. */
static int obstacle(const struct tracer *tracer, const struct step *step)
{
	int fd;

	if (step->mechanism == BY_KPROBE)
		return tracer->mechanism == BY_KPROBE || may_use_kprobes() ? 0 : -EPERM;
	if (step->mechanism != BY_FENTRY || !step->btf->in_module)
		return 0;
	fd = kernel_btf_module_fd(step->probe->module);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/*
 * The BTF object of a module takes CAP_SYS_ADMIN; kprobes may, too, or are switched off. What only
 * completes asynchronous operations is done without where that is in the way: they stay "queued",
 * which is reported.
 */
static void leave_out_completions(struct tracer *tracer)
{
	for (size_t i = 0; i < tracer->facts.nprobes; i++) {
		struct step *step = &tracer->steps[i];
		int err;

		if (!step->candidate || !step->probe->in_interrupts || !step->probe->optional)
			continue;
		err = obstacle(tracer, step);
		if (!err)
			continue;
		log_debug("not traced: '%s': %s", step->function, strerror(-err));
		step->candidate = NULL;
	}
}

/* From a plan to programs that run. Returns 0 or -errno; what failed is in tracer->failure. */
static int attempt(struct tracer *tracer)
{
	int err;

	leave_out_completions(tracer);
	tracer->has_kprobes = uses_kprobes(tracer);
	err = programs_select(&tracer->programs, tracer->object, tracer->steps,
				  tracer->facts.nprobes) ?: configure(tracer);

	if (err)
		return failed(tracer, "cannot prepare", tracer->config->name, err);
	err = load(tracer) ?: attach_others(tracer);
	/* Returns first: an entry seen without its return would count as missed. */
	for (int is_return = 1; is_return >= 0; is_return--)
		for (size_t i = 0; i < tracer->programs.count && !err; i++)
			if (tracer->programs.all[i].is_return == is_return)
				err = attach_one(tracer, &tracer->programs.all[i]);
	return err;
}

/* From a plan to programs that run, or else to an object that is as it was. Returns 0 or -errno. */
static int try_plan(struct tracer *tracer)
{
	int err = attempt(tracer);

	if (!err) {
		warn_of_clones(tracer);
		return 0;
	}
	undo(tracer);
	tracer->object = is_final(err) ? NULL : open_object(tracer);
	return err;
}

/* Plans one mechanism and tries it. Returns 0 or -errno; *refusal: why there was no plan. */
static int try_mechanism(struct tracer *tracer, enum attach_mode attach, struct refusal *refusal)
{
	int err = plan_attempt(&tracer->facts, tracer->mechanism, attach, tracer->steps, refusal);

	if (err == -EAGAIN) {
		err = facts_read_symbols(&tracer->facts);
		if (err)
			return err;
		err = plan_attempt(&tracer->facts, tracer->mechanism, attach, tracer->steps,
				   refusal);
	}
	if (err) {
		log_debug("not by %s: %s", mechanism_names[tracer->mechanism],
			  plan_reason(&tracer->facts, tracer->mechanism, refusal));
		return err;
	}
	err = try_plan(tracer);
	if (err != -ENOTSUPP || tracer->facts.no_trampolines)
		return err;
	/* What is by fentry in any mechanism, if possible, is not. */
	tracer->facts.no_trampolines = true;
	return tracer->mechanism == BY_FENTRY ? err : try_mechanism(tracer, attach, refusal);
}

/* Tries each mechanism until one works. */
static int try_all(struct tracer *tracer)
{
	enum attach_mode attach = tracer->config->options->attach;
	enum mechanism order[MECHANISMS];
	struct refusal refusal = { 0 };
	size_t ways = plan_order(&tracer->facts, attach, order);
	int err = -ENOENT;

	for (size_t i = 0; i < ways && tracer->object; i++) {
		tracer->mechanism = order[i];
		err = try_mechanism(tracer, attach, &refusal);
		if (!err)
			return 0;
	}
	if (tracer->failure.err)
		environment_explain(tracer->failure.what, tracer->failure.subject,
				    tracer->failure.err);
	else if (refusal.err)
		plan_explain(&tracer->facts, tracer->mechanism, attach, &refusal);
	return err;
}

struct tracer *tracer_start(const struct tracer_config *config)
{
	const struct trace_options *options = config->options;
	uint64_t start_ns = now_ns();
	struct tracer *tracer = environment_check() ? NULL : tracer_new(config);
	int err;

	if (!tracer)
		return NULL;
	tracer->start_ns = start_ns;
	err = filter_open(&tracer->filter, &options->filter, config->shows_processes,
			  options->btf_path);
	if (!err && config->stop)
		stop_when(config->stop, tracer->filter.ends_fd, filter_ended, &tracer->filter);
	if (!err) {
		err = programs_register();
		if (err)
			log_error("cannot prepare the probes: %s", strerror(-err));
	}
	if (!err && options->overhead)
		err = overhead_begin(&tracer->overhead);
	if (!err && options->forced_probe)
		err = probe_force(tracer->set, options->forced_probe);
	if (!err) {
		tracer->set[probes_count(tracer->set)] = proof_probe;
		tracer->object = open_object(tracer);
		err = tracer->object ? facts_read(&tracer->facts, tracer->set, options->btf_path,
						  bpf_object__btf(tracer->object),
						  tracer->types_fd) : -EINVAL;
	}
	err = err ?: try_all(tracer);
	err = err ?: accounts_open(&tracer->accounts, tracer->object);
	if (!err && tracer->steps[tracer->facts.nprobes - 1].candidate)
		err = proof_check(&tracer->accounts);
	if (!err && options->filter.command)
		err = command_go(options->filter.command, config->stop);
	if (err) {
		tracer_finish(tracer, NULL, err, 0);
		return NULL;
	}
	tell_attached(tracer);
	return tracer;
}

uint64_t tracer_start_ns(const struct tracer *tracer)
{
	return tracer->start_ns;
}

const struct bpf_map *tracer_map(const struct tracer *tracer, const char *name)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(tracer->object, name);

	if (!map)
		abort();
	return map;
}

const struct filter *tracer_filter(const struct tracer *tracer)
{
	return &tracer->filter;
}

bool tracer_has(const struct tracer *tracer, const char *probe)
{
	for (size_t i = 0; i < tracer->facts.nprobes; i++)
		if (!strcmp(tracer->set[i].name, probe))
			return tracer->steps[i].candidate;
	return false;
}

void tracer_tell_lost(struct tracer *tracer)
{
	accounts_tell_lost(&tracer->accounts);
}

static unsigned long long refused_runs(const struct program *program)
{
	struct bpf_prog_info info = { 0 };
	__u32 size = sizeof(info);

	if (bpf_obj_get_info_by_fd(program->fd, &info, &size) || !info.recursion_misses)
		return 0;
	log_debug("%s of %s was not run %llu times", bpf_program__name(program->source),
		  program->step->function, (unsigned long long)info.recursion_misses);
	return info.recursion_misses;
}

/* By function, as the programs at both ends of one miss the same calls, or others. */
static struct refused_calls refused_calls(const struct tracer *tracer)
{
	struct refused_calls calls = {
		.of_all = filter_is_set(&tracer->filter),
		.forced = tracer->config->options->attach != ATTACH_AUTO,
	};

	/* The last one is the proof, which traces nothing. */
	for (size_t i = 0; i + 1 < tracer->facts.nprobes; i++) {
		unsigned long long runs[2] = { 0 };

		for (size_t j = 0; j < tracer->programs.count; j++) {
			const struct program *program = &tracer->programs.all[j];

			if (program->step == &tracer->steps[i])
				runs[program->is_return] += refused_runs(program);
		}
		refused_calls_add(&calls, runs[0], runs[1]);
	}
	return calls;
}

void tracer_freeze(struct tracer *tracer)
{
	if (!tracer || tracer->is_frozen || !tracer->accounts.counters.values)
		return;
	tracer->is_frozen = true;
	accounts_freeze(&tracer->accounts);
	tracer->refused = refused_calls(tracer);
}

void tracer_stop(struct tracer *tracer)
{
	if (!tracer)
		return;
	tracer_freeze(tracer);
	detach_all(tracer, stop_left_ns(tracer->config->stop));
}

/* What tracing cost, program by program. */
static void tell_overhead(const struct tracer *tracer, uint64_t events)
{
	const struct programs *programs = &tracer->programs;
	struct overhead_program *rows = calloc(programs->count + OTHERS_MAX, sizeof(*rows));
	struct bpf_program *program;
	size_t n = 0;

	for (size_t i = 0; rows && i < programs->count; i++, n++) {
		const char *name = bpf_program__name(programs->all[i].source);

		rows[n].fd = programs->all[i].fd;
		snprintf(rows[n].name, sizeof(rows[n].name), "%s %s",
			 programs->all[i].step->function,
			 name + strlen(programs->all[i].step->candidate->stem) + strlen("__"));
	}
	bpf_object__for_each_program(program, tracer->object) {
		if (!rows || program_is_probe(program) || n == programs->count + OTHERS_MAX)
			continue;
		rows[n].fd = bpf_program__fd(program);
		snprintf(rows[n++].name, sizeof(rows->name), "%s", bpf_program__name(program));
	}
	overhead_tell(&tracer->overhead, rows, n, events);
	free(rows);
}

int tracer_finish(struct tracer *tracer, struct output *out, int err, uint64_t events)
{
	int status = EXIT_DONE;

	if (!tracer) {
		output_finish(out, err);
		return EXIT_FAILED;
	}
	tracer_freeze(tracer);
	detach_all(tracer, NEVER);
	if (tracer->is_frozen) {
		accounts_tell_all(&tracer->accounts, &tracer->refused);
		tell_overhead(tracer, events);
	}
	if (out)
		status = output_finish(out, err);
	if (tracer->config->stop)
		stop_when(tracer->config->stop, -1, NULL, NULL);
	filter_close(&tracer->filter);
	accounts_close(&tracer->accounts);
	overhead_end(&tracer->overhead);
	programs_free(&tracer->programs);
	bpf_object__close(tracer->object);
	facts_free(&tracer->facts);
	if (tracer->types_fd >= 0)
		close(tracer->types_fd);
	free(tracer->links);
	free(tracer->steps);
	free(tracer->set);
	free(tracer);
	return status;
}

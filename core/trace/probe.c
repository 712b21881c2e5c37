// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choosing, loading and attaching probes. */
#include "core/trace/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "core/kernel/environment.h"
#include "core/base/log.h"
#include "core/kernel/percpu.h"
#include "core/trace/session.h"

#define FUNCTIONS_MAX (PROBES_MAX * PROBE_CANDIDATES_MAX)
#define OTHERS_MAX 4	/* programs that are no probes */
#define LINKS_MAX (2 * PROBES_MAX + OTHERS_MAX)

enum mechanism { BY_FENTRY, BY_SESSION, BY_KPROBE };

static const char *const mechanism_names[] = {
	[BY_FENTRY] = "fentry",
	[BY_SESSION] = "kprobe session",
	[BY_KPROBE] = "kprobe",
};

/* Functions that tell, by being in the kernel's BTF, what it can do. */
enum sign {
	/* Kprobe sessions, and which id they need. */
	SIGN_SESSION,
	/*
	 * Since 6.14 (commit 4346ba160409, "fprobe: Rewrite fprobe on function-graph tracer") the
	 * returns of a session are kept on a stack of each task, which does not run out as
	 * kretprobes do. Before that, a session costs more than a kretprobe and loses as much.
	 */
	SIGN_LOSSLESS,
	/* Built so that tasks in the kernel can be preempted. */
	SIGN_PREEMPTS,
	SIGNS
};

static const char *const sign_names[SIGNS] = {
	[SIGN_SESSION] = SESSION_IS_RETURN,
	[SIGN_LOSSLESS] = "fprobe_return",
	[SIGN_PREEMPTS] = "preempt_schedule",
};

struct probes {
	struct probes_config config;
	struct probe set[PROBES_MAX];	/* the config's, less what `forced` rules out */
	size_t nprobes;
	/* Of all candidates; those of probe i begin at place first[i]. Then, the signs. */
	struct btf_function functions[FUNCTIONS_MAX + SIGNS];
	struct ksym symbols[FUNCTIONS_MAX];
	size_t nfunctions, first[PROBES_MAX];
	bool kernel_read, symbols_read, has_types, has_functions;
	int types_error;		/* why it has none */
	struct choice choices[PROBES_MAX];
	enum mechanism tries[3];
	size_t ntries, try;		/* 0 before the kernel is read; the one under way */
	int types_fd, module_fd;	/* the types for CO-RE; the module's BTF object, or -1 */
	char types_path[32];
	struct bpf_object *object;
	int fds[LINKS_MAX];		/* of fentry, fexit and session programs */
	struct bpf_link *links[LINKS_MAX];
	size_t nfds, nlinks;
};

/* fentry and fexit programs, as libbpf would load them, but with ids from our own look-up. */

/* The one that is loading; libbpf's call-back says only which program. */
static struct probes *loading;

static const struct choice *choice_of(const struct probes *probes, const struct bpf_program *program)
{
	const char *name = bpf_program__name(program), *mechanism = strstr(name, "__");
	size_t len = mechanism ? (size_t)(mechanism - name) : 0;

	for (size_t i = 0; i < probes->nprobes; i++) {
		const struct candidate *candidate = probes->choices[i].candidate;

		if (candidate && strlen(candidate->stem) == len &&
		    !strncmp(candidate->stem, name, len))
			return &probes->choices[i];
	}
	return NULL;
}

static int prepare_tracing(struct bpf_program *program, struct bpf_prog_load_opts *opts,
			   long attach_type)
{
	const struct choice *choice = choice_of(loading, program);

	opts->expected_attach_type = attach_type;
	opts->attach_btf_id = choice->btf->id;
	if (choice->btf->in_module)
		opts->attach_btf_obj_fd = loading->module_fd;
	/* Only now: libbpf reads all of the kernel's BTF when it sees a tracing program. */
	return bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
}

static int register_tracing(void)
{
	static bool done;
	LIBBPF_OPTS(libbpf_prog_handler_opts, fentry, .cookie = BPF_TRACE_FENTRY,
		    .prog_prepare_load_fn = prepare_tracing);
	LIBBPF_OPTS(libbpf_prog_handler_opts, fexit, .cookie = BPF_TRACE_FEXIT,
		    .prog_prepare_load_fn = prepare_tracing);
	int err = 0;

	if (done)
		return 0;
	err = libbpf_register_prog_handler("fentry", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, &fentry);
	if (err >= 0)
		err = libbpf_register_prog_handler("fexit", BPF_PROG_TYPE_RAW_TRACEPOINT, 0,
						   &fexit);
	done = err >= 0;
	return err < 0 ? err : 0;
}

struct probes *probes_new(const struct probes_config *config)
{
	struct probes *probes = calloc(1, sizeof(*probes));
	int err;

	if (!probes) {
		log_error("cannot prepare probes: %s", strerror(ENOMEM));
		return NULL;
	}
	probes->config = *config;
	probes->module_fd = -1;
	for (const struct probe *probe = config->set; probe->name; probe++)
		probes->set[probes->nprobes++] = *probe;
	probes->types_fd = memfd_create("types", MFD_CLOEXEC);
	snprintf(probes->types_path, sizeof(probes->types_path), "/proc/self/fd/%d",
		 probes->types_fd);
	err = probes->types_fd < 0 ? -errno : register_tracing();
	if (err)
		log_error("cannot prepare probes: %s", strerror(-err));
	else if (config->forced)
		err = probe_force(probes->set, probes->nprobes, config->forced);
	if (err) {
		probes_free(probes);
		return NULL;
	}
	for (size_t i = 0; i < probes->nprobes; i++) {
		probes->first[i] = probes->nfunctions;
		for (size_t j = 0; j < PROBE_CANDIDATES_MAX; j++) {
			const char *function = probes->set[i].candidates[j].function;

			if (!function)
				break;
			probes->functions[probes->nfunctions].name = function;
			probes->symbols[probes->nfunctions].name = function;
			probes->symbols[probes->nfunctions++].module = config->module;
		}
	}
	for (size_t i = 0; i < SIGNS; i++)
		probes->functions[probes->nfunctions + i].name = sign_names[i];
	return probes;
}

void probes_free(struct probes *probes)
{
	if (!probes)
		return;
	probes_detach(probes);
	if (probes->types_fd >= 0)
		close(probes->types_fd);
	if (probes->module_fd >= 0)
		close(probes->module_fd);
	free(probes);
}

const char *probes_btf_path(const struct probes *probes)
{
	return probes->types_path;
}

/* Reads the kernel's BTF and leaves the types where probes_btf_path() says. */
static int read_kernel(struct probes *probes, const struct btf *local)
{
	const char *path = probes->config.btf_path ?: KERNEL_BTF_PATH;
	struct btf *types = NULL;
	const void *data;
	__u32 size;
	int err;

	for (size_t i = 0; i < probes->nfunctions; i++)
		probes->functions[i].module = probes->config.module;
	err = kernel_btf_read(path, KERNEL_BTF_FOLDER, local, probes->functions,
			      probes->nfunctions + SIGNS, &types);
	probes->types_error = err;
	if (err && probes->config.btf_path) {
		log_error("cannot read BTF from '%s': %s", path, kernel_btf_reason(path, err));
		return err;
	}
	if (err)
		log_debug("cannot read '%s': %s", path, kernel_btf_reason(path, err));
	probes->has_types = !err;
	/* The functions of another file than the kernel's have other ids. */
	probes->has_functions = !err && !probes->config.btf_path;
	if (!types)
		types = btf__new_empty();
	data = types ? btf__raw_data(types, &size) : NULL;
	if (!data)
		err = -ENOMEM;
	else
		err = pwrite(probes->types_fd, data, size, 0) == (ssize_t)size ? 0 : -EIO;
	btf__free(types);
	if (err)
		log_error("cannot keep the kernel's types: %s", strerror(-err));
	probes->kernel_read = !err;
	return err;
}

static bool has_sign(const struct probes *probes, enum sign sign)
{
	return probes->has_functions && probes->functions[probes->nfunctions + sign].id;
}

/* Whether a task in the kernel can be preempted, and others then run, in a probe too. */
static bool preempts(const struct probes *probes)
{
	int preempts = environment_preempts();

	return preempts < 0 ? has_sign(probes, SIGN_PREEMPTS) : preempts;
}

/*
 * What to try, in order. An fentry program is not run for a task that has preempted another
 * inside it, as the kernel takes that for a recursion: on kernels that preempt, sessions come
 * first. They cost more.
 */
static void plan(struct probes *probes)
{
	bool session = has_sign(probes, SIGN_SESSION) && has_sign(probes, SIGN_LOSSLESS);
	bool session_first = session && preempts(probes);
	const enum mechanism order[] = {
		session_first ? BY_SESSION : BY_FENTRY,
		session_first ? BY_FENTRY : BY_SESSION,
		BY_KPROBE,
	};
	enum attach_mode attach = probes->config.attach;

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if ((order[i] != BY_SESSION || session) &&
		    (attach == ATTACH_AUTO || (attach == ATTACH_FENTRY) == (order[i] == BY_FENTRY)))
			probes->tries[probes->ntries++] = order[i];
}

static enum mechanism mechanism(const struct probes *probes)
{
	return probes->tries[probes->try];
}

static bool is_last_try(const struct probes *probes)
{
	return probes->try + 1 >= probes->ntries;
}

static int read_symbols(struct probes *probes)
{
	FILE *kallsyms = fopen("/proc/kallsyms", "re");
	long seen = kallsyms ? ksyms_find(kallsyms, probes->symbols, probes->nfunctions) : -errno;

	if (kallsyms)
		fclose(kallsyms);
	probes->symbols_read = seen > 0;
	if (seen > 0)
		return 0;
	log_error("cannot read '/proc/kallsyms': %s",
	      seen ? strerror(-seen) : "it shows no symbols");
	return seen ?: -ENOENT;
}

static int choose_all(struct probes *probes)
{
	for (size_t i = 0; i < probes->nprobes; i++) {
		size_t first = probes->first[i];
		int err = probe_choose(&probes->set[i], mechanism(probes) != BY_KPROBE,
				       &probes->functions[first],
				       probes->symbols_read ? &probes->symbols[first] : NULL,
				       &probes->choices[i]);

		if (err && !probes->set[i].optional)
			return err;
	}
	return 0;
}

/* Says which required probe has no function, and why that may be. */
static void tell_missing(const struct probes *probes)
{
	const char *module = probes->config.module;

	for (size_t i = 0; i < probes->nprobes; i++) {
		const struct probe *probe = &probes->set[i];
		const struct ksym *symbols = &probes->symbols[probes->first[i]];
		char names[512] = "";
		bool twice = false;

		if (probe->optional || probes->choices[i].candidate)
			continue;
		for (size_t j = 0; j < PROBE_CANDIDATES_MAX && probe->candidates[j].function; j++) {
			size_t len = strlen(names);

			twice |= symbols[j].copies > 1 || symbols[j].clones > 1;
			snprintf(names + len, sizeof(names) - len, "%s'%s'", len ? " or " : "",
				 probe->candidates[j].function);
		}
		if (twice) {
			log_error("cannot attach to %s: the kernel has several functions of that name",
			      names);
		} else if (module && !environment_has_module(module)) {
			log_error("cannot trace %s: the module '%s' is not loaded", module, module);
			log_hint("load it, or mount such a file system, first: modprobe %s", module);
		} else {
			log_error("cannot attach to %s: this kernel has no such function", names);
		}
		return;
	}
}

/* Whether types are missing that the chosen programs need. */
static bool lacks_types(const struct probes *probes)
{
	for (size_t i = 0; i < probes->nprobes && !probes->has_types; i++)
		if (probes->choices[i].candidate &&
		    (mechanism(probes) == BY_FENTRY || probes->choices[i].candidate->reads_types))
			return true;
	return false;
}

static bool is_probe(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	return !strcmp(section, "fentry") || !strcmp(section, "fexit") ||
	       !strcmp(section, "kprobe") || !strcmp(section, "kretprobe") ||
	       !strcmp(section, SESSION_SECTION);
}

static struct bpf_program *find_program(const struct probes *probes, const struct choice *choice,
					const char *mechanism)
{
	char name[64];

	snprintf(name, sizeof(name), "%s__%s", choice->candidate->stem, mechanism);
	return bpf_object__find_program_by_name(probes->object, name);
}

static struct bpf_program *program_of(const struct probes *probes, const struct choice *choice,
				      bool is_return)
{
	char fexit[16];

	if (!choice->candidate)
		return NULL;
	switch (mechanism(probes)) {
	case BY_FENTRY:
		snprintf(fexit, sizeof(fexit), "fexit%u", choice->btf->args);
		return find_program(probes, choice, is_return ? fexit : "fentry");
	case BY_SESSION:
		return is_return ? NULL : find_program(probes, choice, "session");
	case BY_KPROBE:
		break;
	}
	return find_program(probes, choice, is_return ? "kretprobe" : "kprobe");
}

/* Whether a function has another number of arguments than its fexit programs are written for. */
static bool is_unknown_prototype(const struct probes *probes, const struct choice *choice)
{
	struct bpf_program *program;
	char prefix[64];

	if (!choice->candidate || program_of(probes, choice, true))
		return false;
	snprintf(prefix, sizeof(prefix), "%s__fexit", choice->candidate->stem);
	bpf_object__for_each_program(program, probes->object)
		if (!strncmp(bpf_program__name(program), prefix, strlen(prefix)))
			return true;
	return false;
}

static int enable(const struct probes *probes, struct bpf_program *program)
{
	if (!program)
		return 0;
	bpf_program__set_autoload(program, true);
	return mechanism(probes) != BY_SESSION ? 0 : session_prepare(program,
		probes->functions[probes->nfunctions + SIGN_SESSION].id);
}

/* By BTF alone, as kallsyms takes longer to read than all the rest. It is never the last try. */
static int select_session(struct probes *probes)
{
	int err = choose_all(probes);

	for (size_t i = 0; i < probes->nprobes && !err; i++)
		if (probes->choices[i].candidate && !program_of(probes, &probes->choices[i], false))
			err = -EOPNOTSUPP;
	if (err)
		log_debug("not by session: %s", strerror(-err));
	return err;
}

static int select_kprobe(struct probes *probes)
{
	int err = read_symbols(probes) ?: choose_all(probes);

	if (probes->symbols_read && err)
		tell_missing(probes);
	if (err)
		return err;
	for (size_t i = 0; i < probes->nprobes; i++) {
		const struct choice *choice = &probes->choices[i];
		const struct ksym *symbol;

		if (!choice->candidate)
			continue;
		symbol = &probes->symbols[choice->btf - probes->functions];
		if (!symbol->copies && symbol->is_altered)
			log_warning("'%s' exists only as '%s': its arguments may be missing",
				symbol->name, choice->function);
		else if (symbol->copies && symbol->clones)
			log_warning("'%s' exists as '%s', too: calls of that are not seen",
				symbol->name, symbol->clone);
	}
	return 0;
}

static const char *why_not_fentry(const struct probes *probes, int err)
{
	if (!probes->has_functions)
		return probes->config.btf_path ? "--btf does not tell this kernel's functions" :
						 "this kernel has no BTF";
	switch (err) {
	case -ENOENT:
		return "its BTF lacks a function";
	case -EADDRNOTAVAIL:
		return "it has several functions of one name";
	case -EPROTOTYPE:
		return "a function has other arguments than those we know";
	}
	return strerror(-err);
}

/* The BTF object of the module, if a chosen function is in it. */
static int open_module(struct probes *probes)
{
	for (size_t i = 0; i < probes->nprobes && probes->module_fd < 0; i++) {
		if (!probes->choices[i].candidate || !probes->choices[i].btf->in_module)
			continue;
		probes->module_fd = kernel_btf_module_fd(probes->config.module);
		if (probes->module_fd < 0)
			return probes->module_fd;
	}
	return 0;
}

static int select_fentry(struct probes *probes)
{
	const char *module = probes->config.module;
	int err = probes->has_functions ? choose_all(probes) : -ENOENT;

	if (!err)
		err = open_module(probes);
	for (size_t i = 0; i < probes->nprobes && !err; i++)
		if (is_unknown_prototype(probes, &probes->choices[i]))
			err = -EPROTOTYPE;
	if (!err)
		return 0;
	if (!is_last_try(probes)) {
		log_debug("not by fentry: %s", why_not_fentry(probes, err));
	} else if (err == -ENOENT && probes->has_functions && module &&
		   !environment_has_module(module)) {
		tell_missing(probes);
	} else {
		log_error("cannot attach by fentry: %s", why_not_fentry(probes, err));
		log_hint("--attach=kprobe does without");
	}
	return err;
}

static int select_all(struct probes *probes, struct bpf_object *object)
{
	struct bpf_program *program;
	int err;

	probes->object = object;
	if (!probes->kernel_read) {
		err = read_kernel(probes, bpf_object__btf(object));
		if (err)
			return err;
		plan(probes);
	}
	for (;; probes->try++) {
		err = mechanism(probes) == BY_FENTRY ? select_fentry(probes) :
		      mechanism(probes) == BY_SESSION ? select_session(probes) :
							select_kprobe(probes);
		if (!err)
			break;
		if (is_last_try(probes))
			return err;
	}
	if (lacks_types(probes)) {
		log_error("cannot read the kernel's types: %s",
			  kernel_btf_reason(KERNEL_BTF_PATH, probes->types_error));
		log_hint("give it a BTF file of just this kernel: --btf FILE");
		return -ENOENT;
	}
	bpf_object__for_each_program(program, object)
		if (is_probe(program))
			bpf_program__set_autoload(program, false);
	for (size_t i = 0; i < probes->nprobes && !err; i++)
		err = enable(probes, program_of(probes, &probes->choices[i], false)) ?:
		      enable(probes, program_of(probes, &probes->choices[i], true));
	if (err)
		log_error("cannot prepare the BPF programs: %s", strerror(-err));
	return err;
}

int probes_select(struct probes *probes, struct bpf_object *object)
{
	int err = select_all(probes, object);

	/* What is missing now would be missing at the next try. */
	if (err)
		probes->try = probes->ntries;
	return err;
}

/* Told only when no other try follows. */
static int failed(struct probes *probes, const char *what, const char *subject, int err)
{
	if (!is_last_try(probes))
		log_debug("%s '%s' by %s: %s", what, subject, mechanism_names[mechanism(probes)],
		      strerror(-err));
	else
		environment_explain(what, subject, err);
	return err;
}

int probes_load(struct probes *probes)
{
	int err;

	loading = probes;
	err = percpu_prepare(probes->object) ?: bpf_object__load(probes->object);
	loading = NULL;
	return err ? failed(probes, "cannot load", bpf_object__name(probes->object), err) : 0;
}

static int attach_one(struct probes *probes, const struct choice *choice, bool is_return)
{
	struct bpf_program *program = program_of(probes, choice, is_return);
	LIBBPF_OPTS(bpf_kprobe_opts, opts, .retprobe = is_return);
	struct bpf_link *link;
	int fd, err;

	if (!program)
		return 0;
	if (mechanism(probes) != BY_KPROBE) {
		fd = mechanism(probes) == BY_FENTRY ?
			bpf_raw_tracepoint_open(NULL, bpf_program__fd(program)) :
			session_attach(bpf_program__fd(program), choice->function);
		if (fd < 0)
			return failed(probes, "cannot attach to", choice->function, fd);
		probes->fds[probes->nfds++] = fd;
	} else {
		link = bpf_program__attach_kprobe_opts(program, choice->function, &opts);
		err = libbpf_get_error(link);
		if (err)
			return failed(probes, "cannot attach to", choice->function, err);
		probes->links[probes->nlinks++] = link;
	}
	log_debug("%s of %s to %s", is_return ? "return" :
				mechanism(probes) == BY_SESSION ? "entry and return" : "entry",
	      choice->function, bpf_program__name(program));
	return 0;
}

int probes_attach(struct probes *probes)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program(program, probes->object) {
		struct bpf_link *link;

		if (is_probe(program))
			continue;
		if (probes->nlinks == OTHERS_MAX)
			return failed(probes, "cannot attach", bpf_program__name(program), -E2BIG);
		link = bpf_program__attach(program);
		err = libbpf_get_error(link);
		if (err)
			return failed(probes, "cannot attach", bpf_program__name(program), err);
		probes->links[probes->nlinks++] = link;
	}
	/* Returns first: an entry seen without its return would count as missed. */
	for (size_t i = 0; i < probes->nprobes && !err; i++)
		err = attach_one(probes, &probes->choices[i], true);
	for (size_t i = 0; i < probes->nprobes && !err; i++)
		err = attach_one(probes, &probes->choices[i], false);
	if (!err)
		log_debug("attached by %s", mechanism_names[mechanism(probes)]);
	return err;
}

bool probes_retry(struct probes *probes)
{
	probes_detach(probes);
	return ++probes->try < probes->ntries;
}

void probes_detach(struct probes *probes)
{
	while (probes->nlinks)
		bpf_link__destroy(probes->links[--probes->nlinks]);
	while (probes->nfds)
		close(probes->fds[--probes->nfds]);
}

bool probes_can_miss(const struct probes *probes)
{
	return mechanism(probes) == BY_KPROBE;
}

bool probes_attach_forced(const struct probes *probes)
{
	return probes->config.attach != ATTACH_AUTO;
}

unsigned long long probes_recursion_misses(const struct probes *probes)
{
	unsigned long long misses = 0;
	struct bpf_program *program;

	bpf_object__for_each_program(program, probes->object) {
		struct bpf_prog_info info = { 0 };
		__u32 size = sizeof(info);

		if (bpf_program__fd(program) < 0 ||
		    bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) ||
		    !info.recursion_misses)
			continue;
		log_debug("%s was not run %llu times", bpf_program__name(program),
		      (unsigned long long)info.recursion_misses);
		if (is_probe(program))
			misses += info.recursion_misses;
	}
	return misses;
}

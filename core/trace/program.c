// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Loading patched copies. libbpf calls back when a program's maps and types are relocated, just
 * before it loads it: there, all copies but the last are loaded, and libbpf continues with the
 * last. So a program that serves one probe is loaded once, by libbpf.
 */
#include "core/trace/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "core/base/log.h"

#define TRACE_KPROBE_SESSION 56		/* enum bpf_attach_type, include/uapi/linux/bpf.h */

/* The values that bpf/probe.bpf.h leaves open. */
#define CONSTANT_OPEN(i) (0x5107c000 + ((i) << 4))
#define RESULT_OPEN 4088

enum kind { FENTRY, FEXIT, KPROBE, KRETPROBE, SESSION, KINDS };

static const struct {
	const char *section;
	enum bpf_prog_type type;	/* until it is loaded, that of another: see below */
	int attach_type;
} kinds[KINDS] = {
	[FENTRY] = { "fentry", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY },
	[FEXIT] = { "fexit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT },
	[KPROBE] = { "kprobe", BPF_PROG_TYPE_KPROBE, 0 },
	[KRETPROBE] = { "kretprobe", BPF_PROG_TYPE_KPROBE, 0 },
	[SESSION] = { "session", BPF_PROG_TYPE_KPROBE, TRACE_KPROBE_SESSION },
};

struct patched program_patch(struct bpf_insn *insns, size_t count,
			     const __u32 constants[PROBE_CONSTANTS], unsigned int args,
			     __u32 is_return_id)
{
	struct patched patched = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct bpf_insn *insn = &insns[i];

		switch (insn->code) {
		case BPF_ALU64 | BPF_MOV | BPF_K:
			for (size_t c = 0; c < PROBE_CONSTANTS; c++) {
				if (insn->imm != CONSTANT_OPEN((int)c))
					continue;
				insn->imm = constants[c];
				patched.constants[c]++;
				break;
			}
			break;
		case BPF_LDX | BPF_MEM | BPF_DW:
			if (insn->off != RESULT_OPEN)
				break;
			insn->off = 8 * args;
			patched.results++;
			break;
		case BPF_JMP | BPF_CALL:
			if (insn->src_reg || insn->imm != BPF_FUNC_get_func_ip || !is_return_id)
				break;
			insn->src_reg = BPF_PSEUDO_KFUNC_CALL;
			insn->imm = is_return_id;
			patched.session_calls++;
			break;
		case BPF_LD | BPF_IMM | BPF_DW:
			i++;		/* its second half is not an instruction */
			break;
		}
	}
	return patched;
}

/* What is being loaded: libbpf's call-back only gets the program. */
static struct {
	struct programs *programs;
	__u32 is_return_id;
} loading;

static int module_fd(struct programs *programs, const char *module)
{
	struct module_fd *modules;
	int fd;

	for (size_t i = 0; i < programs->nmodules; i++)
		if (!strcmp(programs->modules[i].module, module))
			return programs->modules[i].fd;
	fd = kernel_btf_module_fd(module);
	if (fd < 0)
		return fd;
	modules = reallocarray(programs->modules, programs->nmodules + 1, sizeof(*modules));
	if (!modules) {
		close(fd);
		return -ENOMEM;
	}
	modules[programs->nmodules++] = (struct module_fd){ module, fd };
	programs->modules = modules;
	return fd;
}

/* Where the copy for `program` is attached, for loads that must know. */
static int set_target(struct programs *programs, const struct program *program, enum kind kind,
		      struct bpf_prog_load_opts *opts)
{
	const struct step *step = program->step;
	int fd;

	opts->expected_attach_type = kinds[kind].attach_type;
	if (kind != FENTRY && kind != FEXIT)
		return 0;
	opts->attach_btf_id = step->btf->id;
	opts->attach_btf_obj_fd = 0;
	if (!step->btf->in_module)
		return 0;
	fd = module_fd(programs, step->probe->module);
	opts->attach_btf_obj_fd = fd;
	return fd < 0 ? fd : 0;
}

/* The kernel's message on a program that it refuses. */
static void show_log(const struct bpf_program *source, enum kind kind,
		     const struct bpf_insn *insns, size_t count, struct bpf_prog_load_opts opts)
{
	const size_t size = 1 << 20;
	char *log = log_verbosity() >= 2 ? calloc(1, size) : NULL;

	if (!log)
		return;
	opts.log_buf = log;
	opts.log_size = size;
	opts.log_level = 1;
	bpf_prog_load(kinds[kind].type, bpf_program__name(source), "Dual BSD/GPL", insns, count,
		      &opts);
	fputs(log, stderr);
	free(log);
}

static int load_copy(struct program *program, enum kind kind, const struct bpf_insn *insns,
		     size_t count, struct bpf_prog_load_opts *opts)
{
	int fd = bpf_prog_load(kinds[kind].type, bpf_program__name(program->source),
			       "Dual BSD/GPL", insns, count, opts);

	if (fd < 0) {
		fd = -errno;
		show_log(program->source, kind, insns, count, *opts);
		return fd;
	}
	program->fd = fd;
	program->is_copy = true;
	return 0;
}

/* Called by libbpf, just before it loads `source`. */
static int prepare(struct bpf_program *source, struct bpf_prog_load_opts *opts, long cookie)
{
	struct programs *programs = loading.programs;
	size_t count = bpf_program__insn_cnt(source), left = 0;
	struct bpf_insn *insns;
	int err = 0;

	for (size_t i = 0; i < programs->count; i++)
		left += programs->all[i].source == source;
	insns = calloc(count, sizeof(*insns));
	if (!insns)
		return -ENOMEM;
	/*
	 * Two lines of the source may be at one instruction, if it is a barrier to clang alone; the
	 * kernel refuses that: "Invalid line_info[7].insn_off".
	 */
	opts->line_info = NULL;
	opts->line_info_cnt = 0;
	for (size_t i = 0; i < programs->count && !err; i++) {
		struct program *program = &programs->all[i];

		if (program->source != source)
			continue;
		memcpy(insns, bpf_program__insns(source), count * sizeof(*insns));
		program_patch(insns, count, program->step->candidate->constants ?:
					    program->step->probe->constants,
			      program->step->btf->args, loading.is_return_id);
		programs->failed = program;
		err = set_target(programs, program, cookie, opts);
		if (!err && --left)
			err = load_copy(program, cookie, insns, count, opts);
	}
	if (!err)
		err = bpf_program__set_insns(source, insns, count);
	free(insns);
	/*
	 * The type is only set now: libbpf reads all of the kernel's BTF when it opens a tracing
	 * program.
	 */
	return err ?: bpf_program__set_type(source, kinds[cookie].type);
}

int programs_register(void)
{
	static bool done;

	for (int kind = 0; kind < KINDS && !done; kind++) {
		LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .cookie = kind,
			    .prog_prepare_load_fn = prepare);
		int err = libbpf_register_prog_handler(kinds[kind].section,
						       BPF_PROG_TYPE_RAW_TRACEPOINT, 0, &opts);

		if (err < 0)
			return err;
	}
	done = true;
	return 0;
}

bool program_is_probe(const struct bpf_program *program)
{
	for (int kind = 0; kind < KINDS; kind++)
		if (!strcmp(bpf_program__section_name(program), kinds[kind].section))
			return true;
	return false;
}

static void add(struct programs *programs, struct bpf_object *object, const struct step *step,
		const char *mechanism, bool is_return)
{
	struct bpf_program *source;
	char name[128];

	snprintf(name, sizeof(name), "%s__%s", step->candidate->stem, mechanism);
	source = bpf_object__find_program_by_name(object, name);
	if (!source)
		return;
	bpf_program__set_autoload(source, true);
	programs->all[programs->count++] = (struct program){ step, source, is_return, false, -1 };
}

int programs_select(struct programs *programs, struct bpf_object *object,
		    const struct step *steps, size_t nsteps)
{
	static const char *const names[MECHANISMS][2] = {
		[BY_FENTRY] = { "fentry", "fexit" },
		[BY_SESSION] = { "session" },
		[BY_KPROBE] = { "kprobe", "kretprobe" },
	};
	struct bpf_program *program;

	*programs = (struct programs){ .all = calloc(2 * nsteps + 1, sizeof(*programs->all)) };
	if (!programs->all)
		return -ENOMEM;
	bpf_object__for_each_program(program, object)
		if (program_is_probe(program))
			bpf_program__set_autoload(program, false);
	for (size_t i = 0; i < nsteps; i++)
		for (int end = 0; end < 2 && steps[i].candidate; end++)
			if (names[steps[i].mechanism][end])
				add(programs, object, &steps[i], names[steps[i].mechanism][end],
				    end);
	return 0;
}

int programs_load(struct programs *programs, struct bpf_object *object, __u32 is_return_id)
{
	int err;

	loading.programs = programs;
	loading.is_return_id = is_return_id;
	err = bpf_object__load(object);
	loading.programs = NULL;
	if (err)
		return err;
	programs->failed = NULL;
	for (size_t i = 0; i < programs->count; i++)
		if (!programs->all[i].is_copy)
			programs->all[i].fd = bpf_program__fd(programs->all[i].source);
	return 0;
}

void programs_free(struct programs *programs)
{
	for (size_t i = 0; i < programs->count; i++)
		if (programs->all[i].is_copy)
			close(programs->all[i].fd);
	for (size_t i = 0; i < programs->nmodules; i++)
		close(programs->modules[i].fd);
	free(programs->modules);
	free(programs->all);
	*programs = (struct programs){ 0 };
}

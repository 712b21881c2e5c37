// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/trace/plan.c: which function and mechanism each probe gets, in kernels that this test makes
 * up: what their BTF and their kallsyms have.
 */
#include "test.h"

#include "core/kernel/environment.h"
#include "core/trace/plan.h"

/* A function of the made-up kernel; the last has no name. */
struct function {
	const char *name;
	__u32 in_btf, args;		/* how many times; their arguments */
	unsigned int symbols, clones, others;
	uint64_t address;
};

static bool has_module, is_loaded;

bool __wrap_environment_has_module(const char *module);
bool __wrap_environment_has_module(const char *module)
{
	assert_string_equal(module, "ext4");
	return has_module;
}

bool __wrap_environment_is_loaded(const char *module);
bool __wrap_environment_is_loaded(const char *module)
{
	assert_string_equal(module, "ext4");
	return is_loaded;
}

/* The plan for a set of probes in a kernel. */
struct fixture {
	struct facts facts;
	struct step steps[8];
	struct refusal refusal;
};

static const struct function *function_of(const struct function *kernel, const char *name)
{
	while (kernel->name && strcmp(kernel->name, name))
		kernel++;
	return kernel;
}

static struct fixture boot(const struct probe *set, const struct function *kernel)
{
	static const char *const signs[SIGNS] = {
		[SIGN_SESSION] = "bpf_session_is_return",
		[SIGN_LOSSLESS] = "fprobe_return",
		[SIGN_PREEMPTS] = "preempt_schedule",
		[SIGN_SAFE_FEXIT] = "__bpf_tramp_image_put_deferred",
	};
	struct fixture fixture = { .facts = { .set = set, .nprobes = probes_count(set),
					      .has_functions = true } };
	struct facts *facts = &fixture.facts;
	size_t n = 0;

	has_module = true;
	facts->first = calloc(facts->nprobes, sizeof(*facts->first));
	facts->functions = calloc(64, sizeof(*facts->functions));
	facts->symbols = calloc(64, sizeof(*facts->symbols));
	assert_true(facts->first && facts->functions && facts->symbols);
	for (size_t i = 0; i < facts->nprobes; i++) {
		facts->first[i] = n;
		for (int j = 0; j < PROBE_CANDIDATES_MAX && set[i].candidates[j].function; j++) {
			const char *name = set[i].candidates[j].function;
			const struct function *function = function_of(kernel, name);

			facts->functions[n] = (struct btf_function){
				.name = name, .id = function->in_btf ? 100 + n : 0,
				.args = function->args, .copies = function->in_btf,
				.module = set[i].module,
				.module_error = set[i].module ? -ENOENT : 0 };
			facts->symbols[n] = (struct ksym){
				.name = name, .copies = function->symbols,
				.clones = function->clones, .others = function->others,
				.address = function->address };
			snprintf(facts->symbols[n].clone, KSYM_SIZE, "%s.constprop.0", name);
			n++;
		}
	}
	facts->nfunctions = n;
	for (int i = 0; i < SIGNS; i++)
		facts->functions[n + i].id = function_of(kernel, signs[i])->in_btf;
	for (size_t i = 0; i < facts->nprobes; i++)
		for (int j = 0; j < PROBE_CANDIDATES_MAX && set[i].candidates[j].function; j++) {
			const struct candidate *candidate = &set[i].candidates[j];
			const char *name = candidate->with ?: candidate->function;

			facts->functions[n++ + SIGNS] = (struct btf_function){
				.name = name, .id = function_of(kernel, name)->in_btf };
		}
	return fixture;
}

static void shut_down(struct fixture *fixture)
{
	facts_free(&fixture->facts);
}

/* Plans, reading kallsyms if requested; *read: whether it was. */
static int plan(struct fixture *fixture, enum mechanism mechanism, enum attach_mode attach,
		bool *read)
{
	int err = plan_attempt(&fixture->facts, mechanism, attach, fixture->steps,
			       &fixture->refusal);

	*read = err == -EAGAIN;
	if (!*read)
		return err;
	fixture->facts.symbols_read = true;
	return plan_attempt(&fixture->facts, mechanism, attach, fixture->steps, &fixture->refusal);
}

#define SAFE { "__bpf_tramp_image_put_deferred", 1, 0, 1, 0, 0, 0 }
#define KERNEL(...) ((const struct function[]){ SAFE, __VA_ARGS__, { 0 } })

static const struct probe two_functions[] = {
	{ .name = "read", .module = "ext4", .candidates = {
		{ .function = "read_iter", .stem = "read" },
		{ .function = "generic_read", .stem = "generic", .reads_types = true } } },
	{ 0 }
};

/* The plan for the first probe of a set: "FUNCTION STEM MECHANISM", "-" for none, or its error. */
static void check(const struct probe *set, const struct function *kernel, enum mechanism mechanism,
		  enum attach_mode attach, const char *expected, bool reads)
{
	struct fixture fixture = boot(set, kernel);
	const struct step *step = fixture.steps;
	char got[128];
	bool read;
	int err = plan(&fixture, mechanism, attach, &read);

	if (err)
		snprintf(got, sizeof(got), "%s", strerrorname_np(-err));
	else if (!step->candidate)
		snprintf(got, sizeof(got), "-");
	else
		snprintf(got, sizeof(got), "%s %s %s", step->function, step->candidate->stem,
			 mechanism_names[step->mechanism]);
	assert_string_equal(got, expected);
	assert_int_equal(read, reads);
	assert_ptr_equal(fixture.refusal.probe, err ? set : NULL);
	shut_down(&fixture);
}

static void fentry_takes_the_first_that_btf_has(void **state)
{
	(void)state;
	check(two_functions, KERNEL({ "read_iter", 1, 2, 1, 0, 0, 0 }, { "generic_read", 1, 2, 1, 0, 0, 0 }),
	      BY_FENTRY, ATTACH_AUTO, "read_iter read fentry", false);
	check(two_functions, KERNEL({ "read_iter", 1, 2, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_FENTRY,
	      "read_iter read fentry", false);
}

static void the_best_function_wins_over_the_best_mechanism(void **state)
{
	const struct function *lacking = KERNEL({ "read_iter", 0, 0, 1, 0, 0, 0 },
						{ "generic_read", 1, 2, 1, 0, 0, 0 });
	const struct function *without = KERNEL({ "generic_read", 1, 2, 1, 0, 0, 0 });

	(void)state;
	check(two_functions, lacking, BY_FENTRY, ATTACH_AUTO, "read_iter read kprobe", true);
	check(two_functions, lacking, BY_SESSION, ATTACH_AUTO, "read_iter read kprobe session",
	      true);
	check(two_functions, lacking, BY_FENTRY, ATTACH_FENTRY, "ENOENT", true);
	check(two_functions, without, BY_FENTRY, ATTACH_AUTO, "generic_read generic fentry", true);
	check(two_functions, without, BY_FENTRY, ATTACH_FENTRY, "generic_read generic fentry",
	      true);
}

static void another_name_of_the_same_needs_no_kallsyms(void **state)
{
	static const struct probe set[] = {
		{ .name = "create", .candidates = {
			{ .function = "new", .stem = "stem" },
			{ .function = "old", .stem = "stem", .equal = true } } },
		{ 0 }
	};

	(void)state;
	check(set, KERNEL({ "old", 1, 3, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "old stem fentry", false);
	check(set, KERNEL({ "new", 1, 3, 1, 0, 0, 0 }, { "old", 1, 3, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO,
	      "new stem fentry", false);
	check(set, KERNEL({ "new", 0, 3, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "new stem kprobe", true);
}

static void what_came_with_another_function_needs_no_kallsyms_without_that(void **state)
{
	static const struct probe set[] = {
		{ .name = "write", .candidates = {
			{ .function = "own", .stem = "stem", .with = "other" },
			{ .function = "shared", .stem = "stem" } } },
		{ 0 }
	};

	(void)state;
	check(set, KERNEL({ "shared", 1, 3, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO,
	      "shared stem fentry", false);
	/* It is there, and only BTF lacks it. */
	check(set, KERNEL({ "own", 0, 3, 1, 0, 0, 0 }, { "other", 1, 3, 1, 0, 0, 0 },
			  { "shared", 1, 3, 1, 0, 0, 0 }),
	      BY_FENTRY, ATTACH_AUTO, "own stem kprobe", true);
	check(set, KERNEL({ "own", 1, 3, 1, 0, 0, 0 }, { "other", 1, 3, 1, 0, 0, 0 }), BY_FENTRY,
	      ATTACH_AUTO, "own stem fentry", false);
}

static void what_is_there_twice_is_not_taken(void **state)
{
	static const struct probe one[] = {
		{ .name = "one", .candidates = { { .function = "one", .stem = "one" } } }, { 0 }
	};

	(void)state;
	check(one, KERNEL({ "one", 2, 2, 2, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "EADDRNOTAVAIL", true);
	check(one, KERNEL({ "one", 1, 2, 2, 0, 0, 0 }), BY_KPROBE, ATTACH_AUTO, "EADDRNOTAVAIL", true);
	check(one, KERNEL({ "one", 0, 0, 0, 2, 0, 0 }), BY_KPROBE, ATTACH_AUTO, "EADDRNOTAVAIL", true);
	check(two_functions, KERNEL({ "read_iter", 2, 2, 2, 0, 0, 0 }, { "generic_read", 1, 2, 1, 0, 0, 0 }),
	      BY_FENTRY, ATTACH_AUTO, "generic_read generic fentry", true);
}

static void kprobes_take_a_clone_when_there_is_but_one(void **state)
{
	static const struct probe one[] = {
		{ .name = "one", .candidates = { { .function = "one", .stem = "one" } } }, { 0 }
	};

	(void)state;
	check(one, KERNEL({ "one", 0, 0, 0, 1, 0, 0 }), BY_KPROBE, ATTACH_KPROBE,
	      "one.constprop.0 one kprobe", true);
	check(one, KERNEL({ "one", 0, 0, 1, 1, 0, 0 }), BY_KPROBE, ATTACH_KPROBE, "one one kprobe", true);
}

static void a_name_that_others_have_too_needs_an_address(void **state)
{
	static const struct probe one[] = {
		{ .name = "one", .candidates = { { .function = "one", .stem = "one" } } }, { 0 }
	};
	struct fixture fixture;
	bool read;

	(void)state;
	check(one, KERNEL({ "one", 0, 0, 1, 0, 1, 0 }), BY_KPROBE, ATTACH_KPROBE, "EADDRNOTAVAIL",
	      true);
	check(one, KERNEL({ "one", 0, 0, 1, 0, 1, 0xffffffff81000000 }), BY_KPROBE, ATTACH_KPROBE,
	      "one one kprobe", true);
	fixture = boot(one, KERNEL({ "one", 0, 0, 1, 0, 1, 0xffffffff81000000 }));
	assert_int_equal(plan(&fixture, BY_KPROBE, ATTACH_KPROBE, &read), 0);
	assert_int_equal(fixture.steps[0].address, 0xffffffff81000000);
	shut_down(&fixture);
}

static void unknown_arguments_are_refused(void **state)
{
	static const struct probe set[] = {
		{ .name = "alloc", .candidates = {
			{ .function = "alloc", .stem = "alloc", .args_min = 2, .args_max = 3 } } },
		{ 0 }
	};

	(void)state;
	check(set, KERNEL({ "alloc", 1, 2, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "alloc alloc fentry",
	      false);
	check(set, KERNEL({ "alloc", 1, 3, 1, 0, 0, 0 }), BY_SESSION, ATTACH_AUTO,
	      "alloc alloc kprobe session", false);
	check(set, KERNEL({ "alloc", 1, 4, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "EPROTOTYPE", false);
	check(set, KERNEL({ "alloc", 1, 1, 1, 0, 0, 0 }), BY_KPROBE, ATTACH_AUTO, "EPROTOTYPE", false);
	/* If the number of arguments is unknown, it is assumed to be right. */
	check(set, KERNEL({ "alloc", 0, 0, 1, 0, 0, 0 }), BY_KPROBE, ATTACH_AUTO, "alloc alloc kprobe",
	      true);
}

static void an_optional_probe_may_be_missing(void **state)
{
	static const struct probe set[] = {
		{ .name = "splice", .optional = true,
		  .candidates = { { .function = "splice", .stem = "splice" } } },
		{ 0 }
	};

	(void)state;
	check(set, KERNEL({ "other", 1, 1, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "-", false);
	check(set, KERNEL({ "other", 1, 1, 1, 0, 0, 0 }), BY_KPROBE, ATTACH_AUTO, "-", true);
	check(set, KERNEL({ "splice", 1, 1, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO,
	      "splice splice fentry", false);
}

static void what_interrupts_call_is_by_fentry_where_that_is_possible(void **state)
{
	static const struct probe set[] = {
		{ .name = "end", .in_interrupts = true, .optional = true,
		  .candidates = { { .function = "end", .stem = "end" } } },
		{ 0 }
	};

	(void)state;
	check(set, KERNEL({ "end", 1, 2, 1, 0, 0, 0 }), BY_KPROBE, ATTACH_KPROBE, "end end fentry",
	      false);
	check(set, KERNEL({ "end", 1, 2, 1, 0, 0, 0 }), BY_SESSION, ATTACH_AUTO, "end end fentry",
	      false);
	check(set, KERNEL({ "end", 0, 0, 1, 0, 0, 0 }), BY_KPROBE, ATTACH_KPROBE, "end end kprobe",
	      true);
	check(set, (const struct function[]){ { "end", 1, 2, 1, 0, 0, 0 }, { 0 } }, BY_KPROBE,
	      ATTACH_KPROBE, "end end kprobe", true);
}

static void a_module_without_btf_may_have_an_optional_function(void **state)
{
	static const struct probe optional[] = {
		{ .name = "open", .module = "ext4", .optional = true,
		  .candidates = { { .function = "open", .stem = "open" } } },
		{ 0 }
	}, in_interrupts[] = {
		{ .name = "end", .module = "ext4", .optional = true, .in_interrupts = true,
		  .candidates = { { .function = "end", .stem = "end" } } },
		{ 0 }
	};

	(void)state;
	is_loaded = true;
	check(optional, KERNEL({ "open", 0, 0, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO,
	      "open open kprobe", true);
	check(optional, KERNEL({ "open", 0, 0, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_FENTRY, "ENOENT",
	      true);
	check(optional, KERNEL({ "other", 0, 0, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "-", true);
	check(in_interrupts, KERNEL({ "end", 0, 0, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_FENTRY,
	      "end end kprobe", true);
	is_loaded = false;
	check(optional, KERNEL({ "open", 0, 0, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "-", false);
}

static void a_function_without_programs_means_nothing_to_attach(void **state)
{
	static const struct probe set[] = {
		{ .name = "splice", .candidates = {
			{ .function = "new_splice", .stem = "splice" },
			{ .function = "old_splice", .equal = true } } },
		{ 0 }
	};

	(void)state;
	check(set, KERNEL({ "old_splice", 1, 5, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "-", false);
	check(set, KERNEL({ "new_splice", 1, 5, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO,
	      "new_splice splice fentry", false);
	check(set, KERNEL({ "other", 1, 5, 1, 0, 0, 0 }), BY_FENTRY, ATTACH_AUTO, "ENOENT", true);
}

static void types_are_needed_by_who_reads_them(void **state)
{
	const struct function *kernel = KERNEL({ "read_iter", 0, 0, 1, 0, 0, 0 });
	struct fixture fixture = boot(two_functions, kernel);
	bool read;

	(void)state;
	fixture.facts.types_err = -ENOENT;
	fixture.facts.has_functions = false;
	assert_int_equal(plan(&fixture, BY_KPROBE, ATTACH_AUTO, &read), 0);
	assert_int_equal(plan(&fixture, BY_FENTRY, ATTACH_AUTO, &read), -ENODATA);
	assert_null(fixture.refusal.probe);
	shut_down(&fixture);
	fixture = boot(two_functions, KERNEL({ "generic_read", 0, 0, 1, 0, 0, 0 }));
	fixture.facts.types_err = -ENOENT;
	fixture.facts.has_functions = false;
	assert_int_equal(plan(&fixture, BY_KPROBE, ATTACH_AUTO, &read), -ENODATA);
	shut_down(&fixture);
}

static void fentry_is_not_used_where_detaching_can_crash(void **state)
{
	const struct function kernel[] = { { "read_iter", 1, 2, 1, 0, 0, 0 }, { 0 } };
	struct fixture fixture = boot(two_functions, kernel);
	bool read;

	(void)state;
	assert_int_equal(plan(&fixture, BY_FENTRY, ATTACH_FENTRY, &read), -EOPNOTSUPP);
	assert_int_equal(plan(&fixture, BY_KPROBE, ATTACH_AUTO, &read), 0);
	shut_down(&fixture);
}

static void the_order_of_mechanisms(void **state)
{
#define SESSION { "bpf_session_is_return", 1, 0, 1, 0, 0, 0 }
#define LOSSLESS { "fprobe_return", 1, 0, 1, 0, 0, 0 }
	static const struct {
		const struct function kernel[4];
		bool preempts;
		enum attach_mode attach;
		enum mechanism order[MECHANISMS];
		size_t count;
	} cases[] = {
		{ { SAFE }, false, ATTACH_AUTO, { BY_FENTRY, BY_KPROBE }, 2 },
		{ { SAFE }, true, ATTACH_AUTO, { BY_FENTRY, BY_KPROBE }, 2 },
		{ { SAFE, SESSION }, true, ATTACH_AUTO, { BY_FENTRY, BY_KPROBE }, 2 },
		{ { SAFE, SESSION, LOSSLESS }, false, ATTACH_AUTO,
		  { BY_FENTRY, BY_SESSION, BY_KPROBE }, 3 },
		{ { SAFE, SESSION, LOSSLESS }, true, ATTACH_AUTO,
		  { BY_SESSION, BY_FENTRY, BY_KPROBE }, 3 },
		{ { SAFE, SESSION, LOSSLESS }, true, ATTACH_FENTRY, { BY_FENTRY }, 1 },
		{ { SAFE, SESSION, LOSSLESS }, false, ATTACH_KPROBE, { BY_SESSION, BY_KPROBE }, 2 },
		{ { SAFE }, false, ATTACH_KPROBE, { BY_KPROBE }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fixture fixture = boot(two_functions, cases[i].kernel);
		enum mechanism order[MECHANISMS];

		fixture.facts.preempts = cases[i].preempts;
		assert_int_equal(plan_order(&fixture.facts, cases[i].attach, order),
				 cases[i].count);
		for (size_t j = 0; j < cases[i].count; j++)
			assert_int_equal(order[j], cases[i].order[j]);
		shut_down(&fixture);
	}
}

static void a_plan_that_fails_is_explained(void **state)
{
	static const struct {
		struct function kernel[3];
		bool has_module;
		enum attach_mode attach;
		const char *message;
		int module_error;	/* of the BTF of ext4 */
	} cases[] = {
		{ { SAFE, { "read_iter", 0, 0, 1, 0, 0, 0 } }, true, ATTACH_FENTRY,
		  "fstrace: cannot attach by fentry: the BTF of module 'ext4' cannot be read: the "
		  "file is damaged\n"
		  "fstrace: hint: --attach=kprobe does without\n", -EBADMSG },
		{ { SAFE, { "read_iter", 0, 0, 1, 0, 0, 0 } }, true, ATTACH_FENTRY,
		  "fstrace: cannot attach by fentry: its BTF lacks 'read_iter' or 'generic_read'\n"
		  "fstrace: hint: --attach=kprobe does without\n", -ENOENT },
		{ { SAFE }, true, ATTACH_AUTO,
		  "fstrace: cannot attach to 'read_iter' or 'generic_read': this kernel has no such "
		  "function\n", 0 },
		{ { SAFE }, false, ATTACH_AUTO,
		  "fstrace: cannot trace ext4: the module 'ext4' is not loaded\n"
		  "fstrace: hint: load it, or mount such a file system, first: modprobe ext4\n", 0 },
		{ { SAFE }, false, ATTACH_FENTRY,
		  "fstrace: cannot trace ext4: the module 'ext4' is not loaded\n"
		  "fstrace: hint: load it, or mount such a file system, first: modprobe ext4\n", 0 },
		{ { SAFE, { "read_iter", 0, 0, 1, 0, 0, 0 } }, true, ATTACH_FENTRY,
		  "fstrace: cannot attach by fentry: its BTF lacks 'read_iter' or 'generic_read'\n"
		  "fstrace: hint: --attach=kprobe does without\n", 0 },
		{ { { "read_iter", 1, 2, 1, 0, 0, 0 } }, true, ATTACH_FENTRY,
		  "fstrace: cannot attach by fentry: this kernel cannot detach fexit safely (before "
		  "5.12)\n"
		  "fstrace: hint: --attach=kprobe does without\n", 0 },
		{ { SAFE, { "read_iter", 2, 2, 2, 0, 0, 0 } }, true, ATTACH_KPROBE,
		  "fstrace: cannot attach to 'read_iter' or 'generic_read': the kernel has several "
		  "functions of that name\n", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fixture fixture = boot(two_functions, cases[i].kernel);
		enum mechanism mechanism = cases[i].attach == ATTACH_FENTRY ? BY_FENTRY : BY_KPROBE;
		struct capture capture;
		char *message;
		bool read;

		has_module = cases[i].has_module;
		fixture.facts.functions[0].module = "ext4";
		fixture.facts.functions[0].module_error = cases[i].module_error;
		assert_int_not_equal(plan(&fixture, mechanism, cases[i].attach, &read), 0);
		capture = capture_begin(STDERR_FILENO);
		plan_explain(&fixture.facts, mechanism, cases[i].attach, &fixture.refusal);
		message = capture_end(&capture);
		assert_string_equal(message, cases[i].message);
		free(message);
		shut_down(&fixture);
	}
}

static void a_forced_candidate_is_the_only_one(void **state)
{
	struct probe set[2];
	struct capture capture;
	char *message;

	(void)state;
	memcpy(set, two_functions, sizeof(set));
	assert_int_equal(probe_force(set, "read=generic_read"), 0);
	assert_string_equal(set[0].candidates[0].function, "generic_read");
	assert_null(set[0].candidates[1].function);
	memcpy(set, two_functions, sizeof(set));
	capture = capture_begin(STDERR_FILENO);
	assert_int_equal(probe_force(set, "read=nothing"), -EINVAL);
	assert_int_equal(probe_force(set, "read"), -EINVAL);
	message = capture_end(&capture);
	assert_string_equal(message,
		"fstrace: no such probe: 'read=nothing'\n"
		"fstrace: hint: --probe=read=read_iter\n"
		"fstrace: hint: --probe=read=generic_read\n"
		"fstrace: no such probe: 'read'\n"
		"fstrace: hint: --probe=read=read_iter\n"
		"fstrace: hint: --probe=read=generic_read\n");
	free(message);
}

/* What the plan cannot see, in a kernel that preempts or does not. */
static void check_limit(enum mechanism mechanism, bool preempts, bool kretprobes, const char *begin)
{
	struct fixture fixture = boot(two_functions, KERNEL({ "read_iter", 1, 2, 1, 0, 0, 0 }));
	const char *limit;
	bool read;

	fixture.facts.preempts = preempts;
	assert_int_equal(plan(&fixture, mechanism, ATTACH_AUTO, &read), 0);
	limit = plan_limit(&fixture.facts, fixture.steps, kretprobes);
	assert_int_equal(limit != NULL, begin != NULL);
	if (begin)
		assert_memory_equal(limit, begin, strlen(begin));
	shut_down(&fixture);
}

static void what_a_plan_cannot_see(void **state)
{
	(void)state;
	check_limit(BY_FENTRY, false, false, NULL);
	check_limit(BY_FENTRY, true, false, "calls of a task that has preempted");
	check_limit(BY_SESSION, true, false, NULL);
	check_limit(BY_KPROBE, true, false, NULL);
	check_limit(BY_KPROBE, false, true, "returns of a function");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(fentry_takes_the_first_that_btf_has),
		cmocka_unit_test(the_best_function_wins_over_the_best_mechanism),
		cmocka_unit_test(another_name_of_the_same_needs_no_kallsyms),
		cmocka_unit_test(what_came_with_another_function_needs_no_kallsyms_without_that),
		cmocka_unit_test(what_is_there_twice_is_not_taken),
		cmocka_unit_test(kprobes_take_a_clone_when_there_is_but_one),
		cmocka_unit_test(a_name_that_others_have_too_needs_an_address),
		cmocka_unit_test(unknown_arguments_are_refused),
		cmocka_unit_test(an_optional_probe_may_be_missing),
		cmocka_unit_test(a_module_without_btf_may_have_an_optional_function),
		cmocka_unit_test(what_interrupts_call_is_by_fentry_where_that_is_possible),
		cmocka_unit_test(a_function_without_programs_means_nothing_to_attach),
		cmocka_unit_test(types_are_needed_by_who_reads_them),
		cmocka_unit_test(fentry_is_not_used_where_detaching_can_crash),
		cmocka_unit_test(the_order_of_mechanisms),
		cmocka_unit_test(a_plan_that_fails_is_explained),
		cmocka_unit_test(what_a_plan_cannot_see),
		cmocka_unit_test(a_forced_candidate_is_the_only_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

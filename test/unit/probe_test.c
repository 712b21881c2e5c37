// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/trace/probe.c: which function, and which programs, are chosen in a kernel that this test makes
 * up: what its BTF and its kallsyms have, what is loaded, what it refuses.
 */
#include "test.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "core/kernel/environment.h"
#include "core/trace/probe.h"

/* A function of the made-up kernel; the last has no name. */
struct function {
	const char *name;
	__u32 in_btf, args;		/* how many times; their arguments */
	unsigned int symbols;
	unsigned int clones;
	bool in_module;
};

static struct {
	const struct function *functions;
	int btf_error, module_fd_error;
	int preempts;			/* as environment_preempts() */
	bool has_module, hides_symbols;
	/* What was asked of it. */
	int btf_reads, symbol_reads;
	char btf_path[64];
} kernel;

static const struct function *function_of(const char *name)
{
	const struct function *function = kernel.functions;

	while (function->name && strcmp(function->name, name))
		function++;
	return function->name ? function : NULL;
}

static void fill_btf(struct btf_function *functions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct function *function = function_of(functions[i].name);

		functions[i] = (struct btf_function){ .name = functions[i].name };
		if (!function || !function->in_btf)
			continue;
		functions[i].id = 100 + (function - kernel.functions);
		functions[i].copies = function->in_btf;
		functions[i].args = function->args;
		functions[i].in_module = function->in_module;
	}
}

static void fill_symbols(struct ksym *symbols, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct function *function = function_of(symbols[i].name);

		symbols[i] = (struct ksym){ .name = symbols[i].name };
		if (!function)
			continue;
		symbols[i].copies = function->symbols;
		symbols[i].clones = function->clones;
		if (function->clones)
			snprintf(symbols[i].clone, KSYM_SIZE, "%s.constprop.0", function->name);
		symbols[i].is_altered = function->clones;
	}
}

/* The linker puts these in the place of the functions they are named after. */
int __wrap_kernel_btf_read(const char *path, const char *module_folder, const struct btf *local,
			   struct btf_function *functions, size_t nfunctions, struct btf **types);
int __wrap_kernel_btf_module_fd(const char *module);
long __wrap_ksyms_find(FILE *kallsyms, struct ksym *symbols, size_t nsymbols);
bool __wrap_environment_has_module(const char *module);
int __wrap_environment_preempts(void);

int __wrap_kernel_btf_read(const char *path, const char *module_folder, const struct btf *local,
			   struct btf_function *functions, size_t nfunctions, struct btf **types)
{
	(void)module_folder;
	assert_non_null(local);
	kernel.btf_reads++;
	snprintf(kernel.btf_path, sizeof(kernel.btf_path), "%s", path);
	fill_btf(functions, kernel.btf_error ? 0 : nfunctions);
	if (!kernel.btf_error)
		*types = btf__new_empty();
	return kernel.btf_error;
}

int __wrap_kernel_btf_module_fd(const char *module)
{
	assert_string_equal(module, "ext4");
	return kernel.module_fd_error ?: dup(STDIN_FILENO);
}

long __wrap_ksyms_find(FILE *kallsyms, struct ksym *symbols, size_t nsymbols)
{
	assert_non_null(kallsyms);
	kernel.symbol_reads++;
	fill_symbols(symbols, nsymbols);
	return kernel.hides_symbols ? 0 : 200000;
}

bool __wrap_environment_has_module(const char *module)
{
	assert_string_equal(module, "ext4");
	return kernel.has_module;
}

int __wrap_environment_preempts(void)
{
	return kernel.preempts;
}

static void boot(const struct function *functions)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.functions = functions;
	kernel.has_module = true;
}

/* probe_choose() itself. */

static const struct probe three_candidates = {
	"probe", { { "one", "first", false }, { "two", "second", false },
		   { "three", "other", false } }, false,
};

/* What probe_choose() makes of the kernel that booted. */
static void check_choice(bool fentry, bool with_symbols, int err, const char *stem,
			 const char *name)
{
	struct btf_function functions[] = {
		{ .name = "one" }, { .name = "two" }, { .name = "three" },
	};
	struct ksym symbols[] = { { .name = "one" }, { .name = "two" }, { .name = "three" } };
	struct choice choice;
	int got;

	memset(&choice, 0xee, sizeof(choice));
	fill_btf(functions, 3);
	fill_symbols(symbols, 3);
	got = probe_choose(&three_candidates, fentry, functions, with_symbols ? symbols : NULL,
			   &choice);
	assert_int_equal(got, err);
	if (err) {
		assert_null(choice.candidate);
		return;
	}
	assert_string_equal(choice.candidate->stem, stem);
	assert_string_equal(choice.function, name);
	assert_string_equal(choice.btf->name, choice.candidate->function);
}

#define KERNEL(...) boot((const struct function[]){ __VA_ARGS__, { 0 } })

static void fentry_takes_the_first_that_btf_has(void **state)
{
	(void)state;
	KERNEL({ "one", 1, 2, 1, 0, false }, { "two", 1, 2, 1, 0, false });
	check_choice(true, false, 0, "first", "one");
	check_choice(true, true, 0, "first", "one");
	KERNEL({ "one", 0, 0, 1, 0, false }, { "two", 1, 2, 1, 0, false });
	check_choice(true, false, 0, "second", "two");
	KERNEL({ "three", 1, 2, 0, 0, false });
	check_choice(true, false, 0, "other", "three");
	KERNEL({ "one", 0, 0, 1, 0, false }, { "four", 1, 1, 1, 0, false });
	check_choice(true, false, -ENOENT, NULL, NULL);
}

static void fentry_does_not_take_what_is_there_twice(void **state)
{
	(void)state;
	KERNEL({ "one", 2, 2, 2, 0, false });
	check_choice(true, false, -EADDRNOTAVAIL, NULL, NULL);
	KERNEL({ "one", 2, 2, 2, 0, false }, { "three", 1, 2, 1, 0, false });
	check_choice(true, false, 0, "other", "three");
	/* Two alike are one in BTF, but the kernel would attach to either. */
	KERNEL({ "one", 1, 2, 2, 0, false });
	check_choice(true, true, -EADDRNOTAVAIL, NULL, NULL);
	KERNEL({ "one", 1, 2, 2, 0, false }, { "two", 1, 2, 1, 0, false });
	check_choice(true, true, 0, "second", "two");
}

static void fentry_does_not_take_clones(void **state)
{
	(void)state;
	KERNEL({ "one", 0, 0, 0, 1, false });
	check_choice(true, true, -ENOENT, NULL, NULL);
	KERNEL({ "one", 1, 1, 0, 1, false });
	check_choice(true, true, -ENOENT, NULL, NULL);
}

static void kprobe_takes_the_first_symbol(void **state)
{
	(void)state;
	KERNEL({ "one", 0, 0, 1, 0, false }, { "two", 1, 2, 1, 0, false });
	check_choice(false, true, 0, "first", "one");
	KERNEL({ "one", 1, 1, 0, 0, false }, { "two", 0, 0, 1, 0, false });
	check_choice(false, true, 0, "second", "two");
	KERNEL({ "one", 1, 1, 0, 0, false });
	check_choice(false, true, -ENOENT, NULL, NULL);
	KERNEL({ "one", 1, 1, 1, 0, false });
	check_choice(false, false, -ENOENT, NULL, NULL);
}

static void kprobe_does_not_take_what_is_there_twice(void **state)
{
	(void)state;
	KERNEL({ "one", 0, 0, 2, 0, false });
	check_choice(false, true, -EADDRNOTAVAIL, NULL, NULL);
	KERNEL({ "one", 0, 0, 3, 1, false });
	check_choice(false, true, -EADDRNOTAVAIL, NULL, NULL);
	KERNEL({ "one", 0, 0, 2, 0, false }, { "two", 0, 0, 1, 0, false });
	check_choice(false, true, 0, "second", "two");
	KERNEL({ "one", 0, 0, 0, 2, false });
	check_choice(false, true, -EADDRNOTAVAIL, NULL, NULL);
}

static void kprobe_takes_a_clone_when_there_is_but_one(void **state)
{
	(void)state;
	KERNEL({ "one", 0, 0, 0, 1, false });
	check_choice(false, true, 0, "first", "one.constprop.0");
	KERNEL({ "one", 0, 0, 1, 1, false });
	check_choice(false, true, 0, "first", "one");
	KERNEL({ "one", 0, 0, 0, 1, false }, { "two", 0, 0, 1, 0, false });
	check_choice(false, true, 0, "first", "one.constprop.0");
}

static void kallsyms_decides_what_is_chosen(void **state)
{
	static const struct {
		const char *file, *function, *chosen;
		int err;
	} cases[] = {
		{ "kallsyms-modules", "d_lookup", "d_lookup", 0 },
		{ "kallsyms-modules", "ext4_file_read_iter", "ext4_file_read_iter", 0 },
		{ "kallsyms-modules", "lookup_fast", NULL, -ENOENT },
		{ "kallsyms-hidden", "ext4_file_read_iter", "ext4_file_read_iter", 0 },
		{ "kallsyms-clones", "lookup_fast", "lookup_fast.constprop.0", 0 },
		{ "kallsyms-clones", "path_openat", "path_openat", 0 },
		{ "kallsyms-clones", "__lookup_slow", NULL, -ENOENT },
		{ "kallsyms-clones", "ext4_file_open", "ext4_file_open.isra.0", 0 },
		{ "kallsyms-duplicates", "lookup_dcache", NULL, -EADDRNOTAVAIL },
		{ "kallsyms-duplicates", "size_show", NULL, -EADDRNOTAVAIL },
	};
	extern long __real_ksyms_find(FILE *kallsyms, struct ksym *symbols, size_t nsymbols);

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct probe probe = { "probe", { { cases[i].function, "first", false } }, false };
		struct btf_function function = { .name = cases[i].function };
		struct ksym symbol = { .name = cases[i].function, .module = "ext4" };
		struct choice choice;
		char path[512];
		FILE *file;

		snprintf(path, sizeof(path), FSTRACE_TEST_DATA "/%s", cases[i].file);
		file = fopen(path, "r");
		assert_non_null(file);
		assert_true(__real_ksyms_find(file, &symbol, 1) > 0);
		fclose(file);
		assert_int_equal(probe_choose(&probe, false, &function, &symbol, &choice),
				 cases[i].err);
		if (cases[i].chosen)
			assert_string_equal(choice.function, cases[i].chosen);
	}
}

/* probes_select(): a set, an object, and all that is known of the kernel. */

static const struct probe set[] = {
	{ "read", { { "read_iter", "first", false }, { "generic_read", "second", true } }, false },
	{ "open", { { "open_file", "other", false } }, false },
	{ "splice", { { "splice_read", "spare", false } }, true },
	{ 0 }
};

#define ALL_FUNCTIONS                                                                              \
	{ "read_iter", 1, 2, 1, 0, true }, { "generic_read", 1, 2, 1, 0, false },                  \
	{ "open_file", 1, 3, 1, 0, true }, { "splice_read", 1, 5, 1, 0, true }

struct attempt {
	struct probes *probes;
	struct bpf_object *object;
	int err;
	char *message;		/* on stderr */
};

/* Adopts the object; the message of an earlier try goes. */
static void select_again(struct attempt *attempt)
{
	struct capture capture;

	bpf_object__close(attempt->object);
	free(attempt->message);
	attempt->object = bpf_object__open_file(FSTRACE_TEST_PROBE_OBJECT, NULL);
	assert_non_null(attempt->object);
	capture = capture_begin(STDERR_FILENO);
	attempt->err = probes_select(attempt->probes, attempt->object);
	attempt->message = capture_end(&capture);
}

static struct attempt select_config(struct probes_config config)
{
	struct attempt attempt = { 0 };

	config.set = config.set ?: set;
	config.module = "ext4";
	attempt.probes = probes_new(&config);
	assert_non_null(attempt.probes);
	select_again(&attempt);
	return attempt;
}

#define SELECT(...) select_config((struct probes_config){ __VA_ARGS__ })

static void attempt_end(struct attempt *attempt)
{
	probes_free(attempt->probes);
	bpf_object__close(attempt->object);
	free(attempt->message);
}

/* That just these programs (a space behind each) would be loaded, and only `message` was said. */
static void check_programs(const struct attempt *attempt, const char *programs,
			   const char *message)
{
	struct bpf_program *program;
	size_t expected = 0, loaded = 0;

	assert_string_equal(attempt->message, message);
	assert_int_equal(attempt->err, 0);
	for (const char *word = programs; (word = strchr(word, ' ')); word++)
		expected++;
	bpf_object__for_each_program(program, attempt->object) {
		char name[64];

		if (!bpf_program__autoload(program))
			continue;
		loaded++;
		snprintf(name, sizeof(name), "%s ", bpf_program__name(program));
		if (!strstr(programs, name))
			fail_msg("'%s' would be loaded", name);
	}
	assert_int_equal(loaded, expected);
}

static void check_error(const struct attempt *attempt, const char *message)
{
	assert_string_equal(attempt->message, message);
	assert_true(attempt->err < 0);
	assert_false(probes_retry(attempt->probes));
}

#define ALL_FENTRY "first__fentry first__fexit2 other__fexit3 spare__fentry thread__exit "
#define ALL_SESSION "first__session other__session spare__session thread__exit "
#define ALL_KPROBE "first__kprobe first__kretprobe other__kprobe other__kretprobe spare__kprobe " \
		   "thread__exit "

static void fentry_is_chosen_where_btf_has_all(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL(ALL_FUNCTIONS);
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, ALL_FENTRY, "");
	assert_false(probes_can_miss(attempt.probes));
	assert_string_equal(kernel.btf_path, "/sys/kernel/btf/vmlinux");
	/* 200 000 lines for nothing. */
	assert_int_equal(kernel.symbol_reads, 0);
	attempt_end(&attempt);
}

static void kprobes_are_chosen_when_asked_for(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL(ALL_FUNCTIONS);
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_programs(&attempt, ALL_KPROBE, "");
	assert_true(probes_can_miss(attempt.probes));
	attempt_end(&attempt);
}

static void kprobes_are_chosen_where_btf_lacks_a_function(void **state)
{
	struct attempt attempt;

	(void)state;
	/* As on 5.10, which has no BTF of modules. */
	KERNEL({ "read_iter", 0, 0, 1, 0, false }, { "generic_read", 0, 0, 0, 0, false },
	       { "open_file", 0, 0, 1, 0, false }, { "splice_read", 0, 0, 1, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, ALL_KPROBE, "");
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_FENTRY);
	check_error(&attempt, "fstrace: cannot attach by fentry: its BTF lacks a function\n"
			      "fstrace: hint: --attach=kprobe does without\n");
	attempt_end(&attempt);
}

/* An fexit program knows of one number of arguments, behind which the return value is. */
static void arguments_choose_the_fexit_program(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL({ "read_iter", 1, 3, 1, 0, false }, { "open_file", 1, 3, 1, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, "first__fentry first__fexit3 other__fexit3 thread__exit ", "");
	attempt_end(&attempt);
	/* Nobody has written one for four: kprobes do not care. */
	KERNEL({ "read_iter", 1, 4, 1, 0, false }, { "open_file", 1, 3, 1, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, "first__kprobe first__kretprobe other__kprobe other__kretprobe "
		       "thread__exit ", "");
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_FENTRY);
	check_error(&attempt, "fstrace: cannot attach by fentry: a function has other arguments "
			      "than those we know\n"
			      "fstrace: hint: --attach=kprobe does without\n");
	attempt_end(&attempt);
}

static void all_probes_are_attached_in_the_same_way(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL({ "read_iter", 1, 2, 1, 0, false }, { "open_file", 0, 0, 1, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, "first__kprobe first__kretprobe other__kprobe other__kretprobe "
		       "thread__exit ", "");
	attempt_end(&attempt);
}

static void the_second_candidate_stands_in_for_the_first(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL({ "generic_read", 1, 2, 1, 0, false }, { "open_file", 1, 3, 1, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, "second__fentry second__fexit2 other__fexit3 thread__exit ", "");
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_programs(&attempt, "second__kprobe second__kretprobe other__kprobe other__kretprobe "
		       "thread__exit ", "");
	attempt_end(&attempt);
}

static void an_optional_probe_may_be_missing(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL({ "read_iter", 1, 2, 1, 0, false }, { "open_file", 1, 3, 1, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, "first__fentry first__fexit2 other__fexit3 thread__exit ", "");
	attempt_end(&attempt);
	/* Also when it is there twice. */
	KERNEL({ "read_iter", 1, 2, 1, 0, false }, { "open_file", 1, 3, 1, 0, false },
	       { "splice_read", 2, 3, 2, 0, false });
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_programs(&attempt, "first__kprobe first__kretprobe other__kprobe other__kretprobe "
		       "thread__exit ", "");
	attempt_end(&attempt);
}

static void a_missing_function_is_named_with_all_candidates(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL({ "open_file", 1, 3, 1, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_error(&attempt, "fstrace: cannot attach to 'read_iter' or 'generic_read': "
			      "this kernel has no such function\n");
	attempt_end(&attempt);
	kernel.has_module = false;
	attempt = SELECT(.attach = ATTACH_AUTO);
	assert_non_null(strstr(attempt.message, "the module 'ext4' is not loaded\n"));
	assert_non_null(strstr(attempt.message, "\nfstrace: hint: "));
	assert_non_null(strstr(attempt.message, "modprobe ext4\n"));
	assert_int_equal(count_lines(attempt.message), 2);
	assert_true(attempt.err < 0);
	attempt_end(&attempt);
}

static void functions_of_one_name_are_told(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL({ "read_iter", 1, 2, 1, 0, false }, { "open_file", 2, 3, 2, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_error(&attempt, "fstrace: cannot attach to 'open_file': the kernel has several "
			      "functions of that name\n");
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_FENTRY);
	check_error(&attempt, "fstrace: cannot attach by fentry: it has several functions of one "
			      "name\n"
			      "fstrace: hint: --attach=kprobe does without\n");
	attempt_end(&attempt);
}

static void a_clone_is_taken_with_a_warning(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL({ "read_iter", 0, 0, 1, 0, false }, { "open_file", 0, 0, 0, 1, false });
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, "first__kprobe first__kretprobe other__kprobe other__kretprobe "
		       "thread__exit ",
		       "fstrace: warning: 'open_file' exists only as 'open_file.constprop.0': "
		       "its arguments may be missing\n");
	attempt_end(&attempt);
}

static void without_btf_kprobes_do_if_they_read_no_types(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL(ALL_FUNCTIONS);
	kernel.btf_error = -ENOENT;
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, ALL_KPROBE, "");
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_FENTRY);
	check_error(&attempt, "fstrace: cannot attach by fentry: this kernel has no BTF\n"
			      "fstrace: hint: --attach=kprobe does without\n");
	attempt_end(&attempt);
	KERNEL({ "generic_read", 0, 0, 1, 0, false }, { "open_file", 0, 0, 1, 0, false });
	kernel.btf_error = -ENOENT;
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_error(&attempt,
		    "fstrace: cannot read the kernel's types: it was built without "
		    "CONFIG_DEBUG_INFO_BTF\n"
		    "fstrace: hint: give it a BTF file of just this kernel: --btf FILE\n");
	attempt_end(&attempt);
}

/* Its types are the kernel's, but the ids of functions are not those it has in memory. */
static void a_btf_file_is_good_for_types_alone(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL({ "generic_read", 1, 2, 1, 0, false }, { "open_file", 1, 3, 1, 0, false });
	attempt = SELECT(.attach = ATTACH_AUTO, .btf_path = "a file");
	check_programs(&attempt, "second__kprobe second__kretprobe other__kprobe other__kretprobe "
		       "thread__exit ", "");
	assert_string_equal(kernel.btf_path, "a file");
	attempt_end(&attempt);
	kernel.btf_error = -EINVAL;
	attempt = SELECT(.btf_path = "a file");
	check_error(&attempt, "fstrace: cannot read BTF from 'a file': not a BTF file\n");
	attempt_end(&attempt);
	kernel.btf_error = -ENOENT;
	attempt = SELECT(.btf_path = "a file");
	check_error(&attempt,
		    "fstrace: cannot read BTF from 'a file': No such file or directory\n");
	attempt_end(&attempt);
}

static void hidden_symbols_are_told(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL(ALL_FUNCTIONS);
	kernel.hides_symbols = true;
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_error(&attempt, "fstrace: cannot read '/proc/kallsyms': it shows no symbols\n");
	attempt_end(&attempt);
}

static void a_module_that_cannot_be_opened_leaves_kprobes(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL(ALL_FUNCTIONS);
	kernel.module_fd_error = -EPERM;
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, ALL_KPROBE, "");
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_FENTRY);
	check_error(&attempt, "fstrace: cannot attach by fentry: Operation not permitted\n"
			      "fstrace: hint: --attach=kprobe does without\n");
	attempt_end(&attempt);
	/* And where nothing is in a module, none is opened. */
	KERNEL({ "read_iter", 1, 2, 1, 0, false }, { "open_file", 1, 3, 1, 0, false });
	kernel.module_fd_error = -EPERM;
	attempt = SELECT(.attach = ATTACH_FENTRY);
	check_programs(&attempt, "first__fentry first__fexit2 other__fexit3 thread__exit ", "");
	attempt_end(&attempt);
}

/* What a kernel's BTF has when it does sessions, those lose nothing, and tasks may be preempted. */
#define DOES_SESSIONS { "bpf_session_is_return", 1, 1, 1, 0, false }
#define LOSES_NONE { "fprobe_return", 1, 3, 1, 0, false }
#define MAY_PREEMPT { "preempt_schedule", 1, 0, 1, 0, false }

static void sessions_are_kprobes_that_do_not_run_out(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL(ALL_FUNCTIONS, DOES_SESSIONS, LOSES_NONE);
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_programs(&attempt, ALL_SESSION, "");
	assert_false(probes_can_miss(attempt.probes));
	attempt_end(&attempt);
	/* The id to call is not to be had from a file. */
	attempt = SELECT(.attach = ATTACH_KPROBE, .btf_path = "a file");
	check_programs(&attempt, ALL_KPROBE, "");
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, ALL_FENTRY, "");
	attempt_end(&attempt);
	/* Nor do they when one of the programs is not written: `second` has none. */
	KERNEL({ "generic_read", 1, 2, 1, 0, false }, { "open_file", 1, 3, 1, 0, false },
	       DOES_SESSIONS, LOSES_NONE);
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_programs(&attempt, "second__kprobe second__kretprobe other__kprobe other__kretprobe "
		       "thread__exit ", "");
	assert_true(probes_can_miss(attempt.probes));
	attempt_end(&attempt);
	KERNEL(ALL_FUNCTIONS, DOES_SESSIONS);
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_programs(&attempt, ALL_KPROBE, "");
	assert_true(probes_can_miss(attempt.probes));
	attempt_end(&attempt);
	KERNEL(ALL_FUNCTIONS, LOSES_NONE);
	attempt = SELECT(.attach = ATTACH_KPROBE);
	check_programs(&attempt, ALL_KPROBE, "");
	attempt_end(&attempt);
}

static void on_kernels_that_preempt_sessions_come_first(void **state)
{
	static const struct {
		int preempts;
		bool may_preempt, sessions, first;
	} cases[] = {
		{ 1, true, true, true }, { 1, false, true, true }, { 1, true, false, false },
		{ 0, true, true, false }, { -ENOENT, true, true, true },
		{ -ENOENT, false, true, false }, { -ENOENT, true, false, false },
	};
	struct attempt attempt;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct function functions[8] = { ALL_FUNCTIONS };
		size_t n = 4;

		if (cases[i].may_preempt)
			functions[n++] = (struct function)MAY_PREEMPT;
		if (cases[i].sessions) {
			functions[n++] = (struct function)DOES_SESSIONS;
			functions[n++] = (struct function)LOSES_NONE;
		}
		boot(functions);
		kernel.preempts = cases[i].preempts;
		attempt = SELECT(.attach = ATTACH_AUTO);
		check_programs(&attempt, cases[i].first ? ALL_SESSION : ALL_FENTRY, "");
		assert_false(probes_can_miss(attempt.probes));
		attempt_end(&attempt);
		attempt = SELECT(.attach = ATTACH_FENTRY);
		check_programs(&attempt, ALL_FENTRY, "");
		attempt_end(&attempt);
	}
}

static void what_fails_is_tried_in_the_next_best_way(void **state)
{
	static const char *const orders[2][3] = {
		{ ALL_FENTRY, ALL_SESSION, ALL_KPROBE }, { ALL_SESSION, ALL_FENTRY, ALL_KPROBE },
	};
	struct attempt attempt;

	(void)state;
	for (int preempts = 0; preempts < 2; preempts++) {
		KERNEL(ALL_FUNCTIONS, DOES_SESSIONS, LOSES_NONE);
		kernel.preempts = preempts;
		attempt = SELECT(.attach = ATTACH_AUTO);
		for (int i = 0; i < 3; i++) {
			check_programs(&attempt, orders[preempts][i], "");
			assert_int_equal(probes_retry(attempt.probes), i < 2);
			if (i < 2)
				select_again(&attempt);
		}
		assert_int_equal(kernel.btf_reads, 1);
		/* For kprobes alone: 200 000 lines. */
		assert_int_equal(kernel.symbol_reads, 1);
		attempt_end(&attempt);
		/* BTF has no read_iter: kprobes have the last word. */
		KERNEL({ "read_iter", 0, 2, 1, 0, true }, { "open_file", 1, 3, 1, 0, true },
		       { "splice_read", 1, 5, 1, 0, true }, DOES_SESSIONS, LOSES_NONE);
		kernel.preempts = preempts;
		attempt = SELECT(.attach = ATTACH_AUTO);
		check_programs(&attempt, ALL_KPROBE, "");
		attempt_end(&attempt);
	}
}

static void a_failure_of_fentry_is_tried_again_by_kprobes_once(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL(ALL_FUNCTIONS);
	attempt = SELECT(.attach = ATTACH_AUTO);
	check_programs(&attempt, ALL_FENTRY, "");
	assert_true(probes_retry(attempt.probes));
	select_again(&attempt);
	check_programs(&attempt, ALL_KPROBE, "");
	assert_int_equal(kernel.btf_reads, 1);
	assert_false(probes_retry(attempt.probes));
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_FENTRY);
	assert_false(probes_retry(attempt.probes));
	attempt_end(&attempt);
	attempt = SELECT(.attach = ATTACH_KPROBE);
	assert_false(probes_retry(attempt.probes));
	attempt_end(&attempt);
}

static void a_forced_candidate_is_the_only_one(void **state)
{
	struct attempt attempt;

	(void)state;
	KERNEL(ALL_FUNCTIONS);
	attempt = SELECT(.forced = "read=generic_read");
	check_programs(&attempt, "second__fentry second__fexit2 other__fexit3 spare__fentry "
		       "thread__exit ", "");
	attempt_end(&attempt);
	attempt = SELECT(.forced = "read=read_iter");
	check_programs(&attempt, ALL_FENTRY, "");
	attempt_end(&attempt);
	KERNEL({ "read_iter", 1, 2, 1, 0, false }, { "open_file", 1, 3, 1, 0, false });
	attempt = SELECT(.forced = "read=generic_read");
	check_error(&attempt, "fstrace: cannot attach to 'generic_read': "
			      "this kernel has no such function\n");
	attempt_end(&attempt);
}

static void a_forced_probe_that_is_not_there_shows_all(void **state)
{
	static const char *const wrong[] = {
		"read", "read=", "=read_iter", "", "=", "rea=read_iter", "reads=read_iter",
		"read=open_file", "read=read_iter=", "write=read_iter",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct capture capture = capture_begin(STDERR_FILENO);
		struct probes *probes = probes_new(&(struct probes_config){
			.set = set, .forced = wrong[i] });
		char *message = capture_end(&capture), expected[256];

		snprintf(expected, sizeof(expected), "fstrace: no such probe: '%s'\n"
			 "fstrace: hint: --probe=read=read_iter\n"
			 "fstrace: hint: --probe=read=generic_read\n"
			 "fstrace: hint: --probe=open=open_file\n"
			 "fstrace: hint: --probe=splice=splice_read\n", wrong[i]);
		assert_null(probes);
		assert_string_equal(message, expected);
		free(message);
	}
}

static void freeing_takes_null(void **state)
{
	(void)state;
	probes_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(fentry_takes_the_first_that_btf_has),
		cmocka_unit_test(fentry_does_not_take_what_is_there_twice),
		cmocka_unit_test(fentry_does_not_take_clones),
		cmocka_unit_test(kprobe_takes_the_first_symbol),
		cmocka_unit_test(kprobe_does_not_take_what_is_there_twice),
		cmocka_unit_test(kprobe_takes_a_clone_when_there_is_but_one),
		cmocka_unit_test(kallsyms_decides_what_is_chosen),
		cmocka_unit_test(fentry_is_chosen_where_btf_has_all),
		cmocka_unit_test(kprobes_are_chosen_when_asked_for),
		cmocka_unit_test(kprobes_are_chosen_where_btf_lacks_a_function),
		cmocka_unit_test(arguments_choose_the_fexit_program),
		cmocka_unit_test(all_probes_are_attached_in_the_same_way),
		cmocka_unit_test(the_second_candidate_stands_in_for_the_first),
		cmocka_unit_test(an_optional_probe_may_be_missing),
		cmocka_unit_test(a_missing_function_is_named_with_all_candidates),
		cmocka_unit_test(functions_of_one_name_are_told),
		cmocka_unit_test(a_clone_is_taken_with_a_warning),
		cmocka_unit_test(without_btf_kprobes_do_if_they_read_no_types),
		cmocka_unit_test(a_btf_file_is_good_for_types_alone),
		cmocka_unit_test(hidden_symbols_are_told),
		cmocka_unit_test(a_module_that_cannot_be_opened_leaves_kprobes),
		cmocka_unit_test(a_failure_of_fentry_is_tried_again_by_kprobes_once),
		cmocka_unit_test(sessions_are_kprobes_that_do_not_run_out),
		cmocka_unit_test(on_kernels_that_preempt_sessions_come_first),
		cmocka_unit_test(what_fails_is_tried_in_the_next_best_way),
		cmocka_unit_test(a_forced_candidate_is_the_only_one),
		cmocka_unit_test(a_forced_probe_that_is_not_there_shows_all),
		cmocka_unit_test(freeing_takes_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

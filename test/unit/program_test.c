// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/trace/program.c: what a template leaves open is filled in, each place of it and no other. */
#include "test.h"

#include <bpf/libbpf.h>

#include "core/trace/program.h"

static const __u32 constants[PROBE_CONSTANTS] = { 7, 0, 0x7fffffff, 0xfe534d42, 12345 };

static struct patched patch(struct bpf_object *object, const char *name, struct bpf_insn *insns,
			    size_t *count, unsigned int args, __u32 id)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, name);

	assert_non_null(program);
	*count = bpf_program__insn_cnt(program);
	assert_true(*count <= 256);
	memcpy(insns, bpf_program__insns(program), *count * sizeof(*insns));
	return program_patch(insns, *count, constants, args, id);
}

static struct bpf_object *open_object(void)
{
	struct bpf_object *object;

	assert_int_equal(programs_register(), 0);
	object = bpf_object__open_file(FSTRACE_TEST_PROGRAM_OBJECT, NULL);
	assert_non_null(object);
	return object;
}

static void every_open_place_is_filled(void **state)
{
	struct bpf_object *object = open_object();
	struct bpf_insn insns[256];
	struct patched patched;
	size_t count;

	(void)state;
	patched = patch(object, "every__fexit", insns, &count, 5, 0);
	assert_int_equal(patched.constants[0], 2);
	assert_int_equal(patched.constants[1], 1);
	assert_int_equal(patched.constants[2], 1);
	assert_int_equal(patched.constants[3], 1);
	assert_int_equal(patched.results, 1);
	assert_int_equal(patched.session_calls, 0);
	/* A second time there is nothing left, and the offset is that of the sixth word. */
	for (size_t i = 0; i < count; i++)
		assert_int_not_equal(insns[i].off, 4088);
	patched = program_patch(insns, count, constants, 5, 0);
	for (int i = 0; i < PROBE_CONSTANTS; i++)
		assert_int_equal(patched.constants[i], 0);
	assert_int_equal(patched.results, 0);
	bpf_object__close(object);
}

static void the_values_are_those_of_the_probe(void **state)
{
	struct bpf_object *object = open_object();
	int found[PROBE_CONSTANTS] = { 0 }, results = 0;
	struct bpf_insn insns[256];
	size_t count;

	(void)state;
	patch(object, "every__fexit", insns, &count, 5, 0);
	for (size_t i = 0; i < count; i++) {
		for (int c = 0; c < PROBE_CONSTANTS; c++)
			found[c] += insns[i].code == (BPF_ALU64 | BPF_MOV | BPF_K) &&
				    (__u32)insns[i].imm == constants[c];
		results += insns[i].code == (BPF_LDX | BPF_MEM | BPF_DW) && insns[i].off == 40;
	}
	assert_true(found[0] >= 2 && found[1] >= 1 && found[2] >= 1 && found[3] >= 1);
	assert_int_equal(results, 1);
	bpf_object__close(object);
}

static void a_session_calls_the_kernels_function(void **state)
{
	struct bpf_object *object = open_object();
	struct bpf_insn insns[256];
	struct patched patched;
	size_t count, calls = 0;

	(void)state;
	patched = patch(object, "every__session", insns, &count, 2, 4711);
	assert_int_equal(patched.session_calls, 1);
	assert_int_equal(patched.constants[3], 1);
	for (size_t i = 0; i < count; i++)
		calls += insns[i].code == (BPF_JMP | BPF_CALL) &&
			 insns[i].src_reg == BPF_PSEUDO_KFUNC_CALL && insns[i].imm == 4711;
	assert_int_equal(calls, 1);
	bpf_object__close(object);
}

static void only_the_programs_of_a_step_are_loaded(void **state)
{
	static const struct probe probe = { .name = "every", .candidates = {
		{ .function = "f", .stem = "every" } } };
	struct bpf_object *object = open_object();
	const struct step steps[] = {
		{ .probe = &probe, .candidate = probe.candidates, .mechanism = BY_FENTRY },
		{ .probe = &probe, .candidate = probe.candidates, .mechanism = BY_FENTRY },
		{ .probe = &probe },
	};
	struct programs programs;

	(void)state;
	assert_int_equal(programs_select(&programs, object, steps, COUNT_OF(steps)), 0);
	assert_int_equal(programs.count, 2);	/* there is no every__fentry */
	for (int i = 0; i < 2; i++) {
		assert_string_equal(bpf_program__name(programs.all[i].source), "every__fexit");
		assert_true(programs.all[i].is_return);
		assert_int_equal(programs.all[i].fd, -1);
	}
	assert_true(bpf_program__autoload(programs.all[0].source));
	assert_false(bpf_program__autoload(
		bpf_object__find_program_by_name(object, "every__session")));
	programs_free(&programs);
	bpf_object__close(object);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_open_place_is_filled),
		cmocka_unit_test(the_values_are_those_of_the_probe),
		cmocka_unit_test(a_session_calls_the_kernels_function),
		cmocka_unit_test(only_the_programs_of_a_step_are_loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

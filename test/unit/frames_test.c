// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bpf/thread.bpf.h and bpf/frames.bpf.h, compiled for this machine, on maps that are arrays: what is
 * remembered of threads, and what becomes of frames whose return is missed.
 */
#include "test.h"

/* What these headers use of clang and of the kernel. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define __TARGET_ARCH_x86
#include "bpf/kernel_types.h"
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#undef BPF_CORE_READ
#undef bpf_core_field_exists
#define BPF_CORE_READ(from, member) ((from)->member)
#define bpf_core_field_exists(member...) true
#define bpf_ktime_get_ns() (++now)
#define bpf_get_smp_processor_id() 0
#define bpf_get_current_task() ((__u64)&current)
#define bpf_get_current_pid_tgid() ((__u64)current.pid)
#define bpf_map_lookup_elem(map, key) lookup(map, *(key))
#define bpf_map_update_elem(map, key, value, flags) insert(*(key), value)
#define bpf_map_delete_elem(map, key) delete(*(key))

static __u64 now;
static struct task_struct current;
static void *lookup(void *map, __u32 key);
static long insert(__u32 key, const void *value);
static long delete(__u32 key);

#include "bpf/frames.bpf.h"

#define OVERFLOW 64

static struct { __u32 key; bool used; struct thread_place value; } overflow[OVERFLOW];
static struct account account_of_cpu;
static long updates;

static void *lookup(void *map, __u32 key)
{
	if (map == &account)
		return &account_of_cpu;
	assert_ptr_equal(map, &thread_overflow);
	for (int i = 0; i < OVERFLOW; i++)
		if (overflow[i].used && overflow[i].key == key)
			return &overflow[i].value;
	return NULL;
}

static long insert(__u32 key, const void *value)
{
	updates++;
	if (lookup(&thread_overflow, key))
		return -EEXIST;
	for (int i = 0; i < OVERFLOW; i++)
		if (!overflow[i].used) {
			overflow[i].used = true;
			overflow[i].key = key;
			memcpy(&overflow[i].value, value, sizeof(overflow[i].value));
			return 0;
		}
	return -E2BIG;
}

static long delete(__u32 key)
{
	for (int i = 0; i < OVERFLOW; i++)
		if (overflow[i].used && overflow[i].key == key) {
			memset(&overflow[i], 0xee, sizeof(overflow[i]));
			overflow[i].used = false;
			return 0;
		}
	return -ENOENT;
}

static int overflow_used(void)
{
	int used = 0;

	for (int i = 0; i < OVERFLOW; i++)
		used += overflow[i].used;
	return used;
}

static int reset(void **state)
{
	(void)state;
	memset(thread_places, 0, sizeof(thread_places));
	memset(overflow, 0, sizeof(overflow));
	memset(&account_of_cpu, 0, sizeof(account_of_cpu));
	current = (struct task_struct){ .pid = 1000 };
	now = updates = 0;
	return 0;
}

/* A call of the current thread, as the templates have it. */
static void enter(__u64 address, __u32 pair)
{
	struct thread_state *thread = thread_get(current.pid);

	assert_non_null(thread);
	frame_push(thread, frame_id(address, pair), true, 0);
}

/* The time of its entry; 0 if it has no frame. */
static __u64 leave(__u64 address, __u32 pair)
{
	struct thread_state *thread = thread_find(current.pid);
	__u64 left = 0;
	const struct frame *frame = thread ? frame_pop(thread, frame_id(address, pair), &left) : NULL;
	__u64 start_ns = frame ? frame->start_ns : 0;

	assert_true(!frame || left == thread->used);
	if (thread && !thread->used)
		thread_drop(thread);
	return start_ns;
}

#define STACK 0xffffc90000120000ULL	/* the top; calls are below */
#define READ (1 << FRAME_FUNCTION_BITS | 1)
#define WRITE (2 << FRAME_FUNCTION_BITS | 1)
#define FSYNC (3 << FRAME_FUNCTION_BITS | 1)

static void nested_calls_have_their_own_start(void **state)
{
	(void)state;
	enter(STACK - 100, WRITE);
	enter(STACK - 200, READ);
	enter(STACK - 300, READ);	/* the same function, of the file system below */
	assert_int_equal(leave(STACK - 300, READ), 3);
	enter(STACK - 300, FSYNC);
	assert_int_equal(leave(STACK - 300, FSYNC), 4);
	assert_int_equal(leave(STACK - 200, READ), 2);
	assert_int_equal(leave(STACK - 100, WRITE), 1);
	assert_int_equal(leave(STACK - 100, WRITE), 0);
	assert_int_equal(account_of_cpu.lost_returns, 0);
}

static void a_missed_return_costs_itself_alone(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++) {
		__u64 began;

		enter(STACK - 100, WRITE);
		began = now;
		enter(STACK - 200, FSYNC);	/* its return is missed */
		assert_int_equal(leave(STACK - 100, WRITE), began);
	}
	assert_int_equal(account_of_cpu.lost_returns, 1000);
}

static void the_next_call_heals(void **state)
{
	(void)state;
	enter(STACK - 200, READ);	/* missed */
	enter(STACK - 200, READ);	/* the same place: missed, too */
	enter(STACK - 100, READ);
	assert_int_equal(account_of_cpu.lost_returns, 2);
	assert_int_equal(leave(STACK - 100, READ), 3);
	assert_int_equal(leave(STACK - 200, READ), 0);
	assert_int_equal(thread_places[1000].state.used, 0);
}

static void what_began_before_us_has_no_frame(void **state)
{
	(void)state;
	assert_int_equal(leave(STACK - 100, READ), 0);
	enter(STACK - 300, READ);
	assert_int_equal(leave(STACK - 400, READ), 0);	/* a call below, of another function, say */
	assert_int_equal(leave(STACK - 300, WRITE), 0);
	assert_int_equal(leave(STACK - 300, READ), 1);
}

/* A function that is probed for two operations; one that ends by jumping to another. */
static void two_frames_of_one_address_live(void **state)
{
	(void)state;
	enter(STACK - 100, READ);
	enter(STACK - 100, WRITE);
	assert_int_equal(leave(STACK - 100, READ), 1);		/* in the order of entry */
	assert_int_equal(leave(STACK - 100, WRITE), 2);
	enter(STACK - 100, READ);
	enter(STACK - 100, WRITE);
	enter(STACK - 100, FSYNC);
	assert_int_equal(leave(STACK - 100, WRITE), 4);
	assert_int_equal(leave(STACK - 100, READ), 3);		/* and in any other */
	assert_int_equal(leave(STACK - 100, FSYNC), 5);
	assert_int_equal(account_of_cpu.lost_returns, 0);
	assert_int_equal(thread_places[1000].state.used, 0);
}

static void without_room_all_are_forgotten_and_counted(void **state)
{
	(void)state;
	for (int i = 0; i < FRAMES; i++)	/* missed; each above the next */
		enter(STACK - 100 * i, READ);
	enter(STACK - 1000, READ);
	assert_int_equal(account_of_cpu.lost_returns, FRAMES);
	assert_int_equal(leave(STACK - 1000, READ), FRAMES + 1);
	for (int i = FRAMES - 1; i >= 0; i--)
		assert_int_equal(leave(STACK - 100 * i, READ), 0);
}

static struct frame *outer_of(__u64 address, __u32 pair, bool by_jump)
{
	return frame_outer(thread_find(current.pid), frame_id(address, pair), by_jump);
}

static void the_outer_call_is_of_the_same_operation_by_another_function(void **state)
{
	const __u32 splice = READ + 1;
	struct frame *frames = thread_places[1000].state.frames;

	(void)state;
	enter(STACK - 100, splice);
	assert_ptr_equal(outer_of(STACK - 200, READ, false), &frames[0]);
	assert_null(outer_of(STACK - 200, splice, false));	/* the same function */
	assert_null(outer_of(STACK - 200, WRITE, false));
	assert_null(outer_of(STACK - 100, READ, false));	/* the same call, another purpose */
	assert_ptr_equal(outer_of(STACK - 100, READ, true), &frames[0]);
	enter(STACK - 100, WRITE);
	assert_ptr_equal(outer_of(STACK - 200, READ, false), &frames[0]);
	enter(STACK - 150, FSYNC);				/* one in between */
	assert_null(outer_of(STACK - 200, READ, false));
}

/* As many living threads as you like: what takes room is calls. */
static void only_calls_take_room_in_the_hash(void **state)
{
	(void)state;
	for (int pid = 1; pid <= 40000; pid++) {
		current.pid = pid;
		enter(STACK - 100, READ);
		enter(STACK - 200, READ);
		assert_int_equal(overflow_used(), pid >= THREAD_PLACES);
		assert_true(leave(STACK - 200, READ) && leave(STACK - 100, READ));
		assert_int_equal(overflow_used(), 0);
	}
	assert_int_equal(account_of_cpu.lost_threads, 0);
	/* And when there is no more, that is said. */
	for (int i = 0; i < OVERFLOW; i++) {
		current.pid = 50000 + i;
		enter(STACK - 100, READ);
	}
	assert_null(thread_get(60000));
	assert_int_equal(account_of_cpu.lost_threads, 1);
	current.pid = 50000;
	assert_true(leave(STACK - 100, READ));
	current.pid = 60000;
	assert_non_null(thread_get(60000));
}

static void a_place_is_its_owners_until_it_exits(void **state)
{
	(void)state;
	enter(STACK - 100, READ);
	leave(STACK - 100, READ);
	current.pid = 1000 + THREAD_PLACES;
	enter(STACK - 100, READ);
	leave(STACK - 100, READ);
	assert_int_equal(updates, 1);
	current.pid = 1000;
	thread__exit(NULL);
	current.pid = 1000 + THREAD_PLACES;
	enter(STACK - 100, READ);
	leave(STACK - 100, READ);
	assert_int_equal(updates, 1);
	assert_int_equal((__u32)thread_places[1000].owner, 1000 + THREAD_PLACES);
}

static void an_exiting_thread_claims_no_place(void **state)
{
	(void)state;
	current.flags = PF_EXITING;
	enter(STACK - 100, READ);
	assert_int_equal(overflow_used(), 1);
	assert_int_equal(leave(STACK - 100, READ), 1);
	assert_int_equal(overflow_used(), 0);
	assert_int_equal(thread_places[1000].owner, 0);
}

static void free_task(const struct task_struct *task)
{
	__u64 args[] = { (__u64)task };

	thread__free((void *)args);
}

static void a_task_that_is_freed_takes_only_what_was_its_own(void **state)
{
	struct task_struct old = { .pid = 1000 };

	(void)state;
	enter(STACK - 100, READ);
	free_task(&old);		/* had the tid before */
	assert_int_equal(leave(STACK - 100, READ), 1);
	free_task(&current);
	assert_int_equal(thread_places[1000].owner, 0);
}

static void a_claim_that_is_not_alone_fails(void **state)
{
	(void)state;
	thread_places[1000].owner = 1ULL << 32;	/* another CPU is about to own it */
	enter(STACK - 100, READ);
	assert_int_equal(overflow_used(), 1);
	assert_int_equal(thread_places[1000].owner, 1ULL << 32);
	assert_int_equal(leave(STACK - 100, READ), 1);
}

static void the_place_of_idle_tasks_is_nobody_elses(void **state)
{
	(void)state;
	assert_ptr_equal(thread_get(0), &thread_places[0].state);
	current.pid = THREAD_PLACES;
	enter(STACK - 100, READ);
	assert_int_equal(overflow_used(), 1);
	assert_int_equal(leave(STACK - 100, READ), 1);
	thread_forget(0, 0);
	assert_int_equal(thread_places[0].owner, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(nested_calls_have_their_own_start, reset),
		cmocka_unit_test_setup(a_missed_return_costs_itself_alone, reset),
		cmocka_unit_test_setup(the_next_call_heals, reset),
		cmocka_unit_test_setup(what_began_before_us_has_no_frame, reset),
		cmocka_unit_test_setup(two_frames_of_one_address_live, reset),
		cmocka_unit_test_setup(without_room_all_are_forgotten_and_counted, reset),
		cmocka_unit_test_setup(
			the_outer_call_is_of_the_same_operation_by_another_function, reset),
		cmocka_unit_test_setup(only_calls_take_room_in_the_hash, reset),
		cmocka_unit_test_setup(a_place_is_its_owners_until_it_exits, reset),
		cmocka_unit_test_setup(an_exiting_thread_claims_no_place, reset),
		cmocka_unit_test_setup(a_task_that_is_freed_takes_only_what_was_its_own, reset),
		cmocka_unit_test_setup(a_claim_that_is_not_alone_fails, reset),
		cmocka_unit_test_setup(the_place_of_idle_tasks_is_nobody_elses, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

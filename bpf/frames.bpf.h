/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The calls that each thread is in, as a stack of frames: an operation that calls another, of the
 * same or of another file system, is kept apart from it at any depth.
 *
 * A call is identified by the address of its own frame on the kernel's stack, which no two live
 * calls of a thread share. For a trampoline that is the address of its context, the same at entry
 * and return; for a kprobe the stack pointer. A frame at a lower address than that of a call that
 * begins or returns belongs to a call whose return was missed: it is dropped, and counted. So a
 * missed return affects no other call. Two frames have the same address in two cases: a function
 * that is probed for two operations, and (kprobes) one that ends by jumping to another, like
 * fuse_file_read_iter() to generic_file_read_iter(). Both are kept.
 *
 * Kernels since 6.1 start each system call at a random offset of the stack, so a stale frame may be
 * above all later ones. When there is no room, all are dropped, and counted.
 */
#ifndef FSTRACE_BPF_FRAMES_BPF_H
#define FSTRACE_BPF_FRAMES_BPF_H

#include "probe.bpf.h"

#define FRAMES 6

/* What is probed, in 16 bits: what for, and by which function. Ids of frames end in it. */
#define FRAME_PAIR_BITS 16
#ifndef FRAME_FUNCTION_BITS
#define FRAME_FUNCTION_BITS 6
#endif

struct frame {
	__u64 id;		/* the address, without its upper 16 bits, and the pair */
	__u64 start_ns;
	__u64 argument;		/* what the return may need and cannot see */
#ifdef FRAME_SECOND
	__u64 second;		/* the same */
#endif
};

struct thread_state {
	__u64 used;		/* bytes of frames[] */
	__u64 context;		/* see frame_address() */
	struct frame frames[FRAMES];
};

#include "thread.bpf.h"

/* A number that may be a pointer. The verifier lets a pointer become a number only in a map. */
static __always_inline __u64 frame_number(struct thread_state *thread, __u64 pointer)
{
	*(volatile __u64 *)&thread->context = pointer;
	return *(volatile __u64 *)&thread->context;
}

/* Where a trampoline's context is. */
static __always_inline __u64 frame_address(struct thread_state *thread, const void *ctx)
{
	return frame_number(thread, (__u64)ctx);
}

/*
 * The same for a kprobe. On x86 the return address has left the stack when the function returns. On
 * arm64 the returns of sessions are not given the stack pointer (return_to_handler(),
 * arch/arm64/kernel/entry-ftrace.S, 7.3), but where the caller's frame is, as kprobes are.
 */
static __always_inline __u64 frame_address_kprobe(struct pt_regs *ctx, bool is_return)
{
#if defined(__TARGET_ARCH_x86)
	return is_return ? PT_REGS_SP(ctx) - sizeof(long) : PT_REGS_SP(ctx);
#elif defined(__TARGET_ARCH_arm64)
	return PT_REGS_FP(ctx);
#else
	return PT_REGS_SP(ctx);
#endif
}

static __always_inline __u64 frame_id(__u64 address, __u64 pair)
{
	return address << FRAME_PAIR_BITS | pair;
}

/* The frame at an offset, or NULL. clang must use the register whose bounds were checked. */
static __always_inline struct frame *frame_at(struct thread_state *thread, __u64 offset)
{
	asm volatile("" : "+r"(offset));
	if (offset > (FRAMES - 1) * sizeof(struct frame))
		return NULL;
	return (void *)thread->frames + offset;
}

/*
 * Drops frames from the top: those at lower addresses than `id`, and one that is called `same`.
 * Returns how many bytes are left.
 */
static __always_inline __u64 frames_heal(struct thread_state *thread, __u64 id, __u64 same)
{
	__u64 lowest = id >> FRAME_PAIR_BITS << FRAME_PAIR_BITS, used = thread->used, dropped = 0;

#pragma clang loop unroll(disable)
	for (int i = 0; i < FRAMES; i++) {
		const struct frame *top = frame_at(thread, used - sizeof(*top));

		if (!top || (top->id >= lowest && top->id != same))
			break;
		used -= sizeof(*top);
		dropped++;
	}
	if (dropped)
		account_add_many(lost_returns, dropped);
	/* Read back, it is any number to the verifier, which else continues with each that it can be. */
	return frame_number(thread, used);
}

/* A call begins: its frame. with_argument: a constant. */
static __always_inline struct frame *frame_push(struct thread_state *thread, __u64 id,
						bool with_argument, __u64 argument)
{
	__u64 used = thread->used;
	struct frame *frame;

	if (used)
		used = frames_heal(thread, id, id);
	frame = frame_at(thread, used);
	if (!frame) {
		account_add_many(lost_returns, FRAMES);
		used = 0;
		frame = thread->frames;
	}
	thread->used = used + sizeof(*frame);
	frame->id = id;
	if (with_argument)
		frame->argument = argument;
	frame->start_ns = bpf_ktime_get_ns();
	return frame;
}

/* Not by a copy on the stack: for the verifier that has other contents then than on other ways. */
static __always_inline void frame_swap(__u64 *one, __u64 *other)
{
	__u64 kept = *one;

	*one = *other;
	*other = kept;
}

/* Makes the frame of a call that returns the top one, if there is one. */
static __always_inline bool frame_raise(struct thread_state *thread, __u64 id)
{
	__u64 used = frames_heal(thread, id, 0);
	struct frame *top = frame_at(thread, used - sizeof(*top));

	thread->used = used;
#pragma clang loop unroll(disable)
	for (int i = 0; i < FRAMES && top; i++) {
		struct frame *frame = frame_at(thread, used -= sizeof(*frame));

		if (!frame || (frame->id ^ id) >> FRAME_PAIR_BITS)
			break;
		if (frame->id != id)
			continue;
		frame_swap(&frame->id, &top->id);
		frame_swap(&frame->start_ns, &top->start_ns);
		frame_swap(&frame->argument, &top->argument);
#ifdef FRAME_SECOND
		frame_swap(&frame->second, &top->second);
#endif
		return true;
	}
	return false;
}

/*
 * The frame of the call that `id`, which has just returned, was part of, if both are probed for the
 * same purpose by two functions; else NULL. by_jump: a call of the same address may be that.
 */
static __always_inline struct frame *frame_outer(struct thread_state *thread, __u64 id,
						 bool by_jump)
{
	__u64 offset = thread->used, caller = 0;

#pragma clang loop unroll(disable)
	for (int i = 0; i < FRAMES; i++) {
		struct frame *frame = frame_at(thread, offset -= sizeof(*frame));
		__u64 differs, address;

		if (!frame)
			break;
		differs = frame->id ^ id;
		address = frame->id >> FRAME_PAIR_BITS;
		if (differs >> FRAME_PAIR_BITS) {
			if (caller && address != caller)
				break;
			caller = address;
		} else if (!by_jump) {
			continue;	/* the same call, probed for another purpose */
		}
		differs &= (1 << FRAME_PAIR_BITS) - 1;
		if (differs && !(differs >> FRAME_FUNCTION_BITS))
			return frame;
	}
	return NULL;
}

/*
 * A call returns: takes its frame away. NULL if it has none: it is not traced, or began before
 * tracing did. The result is valid until the next push; *left: the bytes of frames below it.
 */
static __always_inline const struct frame *frame_pop(struct thread_state *thread, __u64 id,
						     __u64 *left)
{
	__u64 offset = thread->used - sizeof(struct frame);
	struct frame *frame = frame_at(thread, offset);

	if (frame && frame->id != id) {
		if (!frame_raise(thread, id))
			return NULL;
		offset = thread->used - sizeof(*frame);
		frame = frame_at(thread, offset);
	}
	if (!frame)
		return NULL;
	thread->used = offset;
	*left = offset;
	return frame;
}

#endif

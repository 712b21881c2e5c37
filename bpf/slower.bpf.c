// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Calls of functions of file systems that take long: an event for each. A call that does not pays
 * for its frame and a comparison. What an event says of the file is read when the call returns, from
 * the arguments that a trampoline has kept, or that a kprobe has put into the frame.
 */
#include "slower.h"

struct async {
	__u64 start_ns;
	__u64 data;
	__u64 pid_tgid, numbers;
	__s64 offset;
	char comm[COMM_SIZE];
};

#define FRAME_SECOND
#include "calls.bpf.h"
#include "comm.bpf.h"
#include "path.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} events SEC(".maps");

PERCPU_MAP(untimed, struct slower_counts);

const volatile __u64 min_ns;		/* the shortest that is shown */
const volatile bool exclusive;		/* only what is in no other operation */
const volatile bool with_path;
const volatile bool failed_only;	/* only what failed */

#define VM_FAULT_OOM 0x1		/* enum vm_fault_reason, include/linux/mm_types.h */
#define ENOMEM 12			/* include/uapi/asm-generic/errno-base.h */
#define EFAULT 14

#define count_add(member, n)                                                                       \
	do {                                                                                       \
		struct slower_counts *counts_ = percpu_value(&untimed);                            \
                                                                                                   \
		if (counts_)                                                                       \
			__sync_fetch_and_add(&counts_->member, n);                                 \
	} while (0)

/* A call that took long. */
struct slow {
	__u64 end_ns, ns, data, pid_tgid, numbers;
	__s64 offset, result;
	const struct vfsmount *mnt;	/* NULL: not known */
	const struct dentry *dentry;
	char comm[COMM_SIZE];
};

static __always_inline void write_event(struct slower_event *event, const struct slow *slow)
{
	const struct dentry *dentry = slow->dentry;
	__u64 len = BPF_CORE_READ(dentry, d_name.len);

	event->header.time_ns = slow->end_ns;
	event->header.pid_tgid = slow->pid_tgid;
	__builtin_memcpy(event->header.comm, slow->comm, COMM_SIZE);
	event->latency_ns = slow->ns;
	event->offset = slow->offset;
	event->result = slow->result;
	event->bytes = slow->data & SLOWER_BYTES && slow->result > 0 ? slow->result : 0;
	event->fs = SLOWER_FS(slow->data);
	event->op = SLOWER_OP(slow->data);
	asm volatile("" : "+r"(len));
	if (len > SLOWER_NAME_MAX) {
		event->name_len = 0;
		len = SLOWER_NAME_MAX;
	} else {
		event->name_len = len;
	}
	bpf_probe_read_kernel(event->name, len, BPF_CORE_READ(dentry, d_name.name));
}

/* The ring buffer takes constant sizes only. The user's numbers are at the end. */
#define SEND(size, has_path, has_numbers)                                                          \
	do {                                                                                       \
		struct slower_event *event =                                                       \
			bpf_ringbuf_reserve(&events, (size) + 8 * (has_numbers), 0);               \
                                                                                                   \
		if (!event) {                                                                      \
			account_add(lost_events);                                                  \
			return 0;                                                                  \
		}                                                                                  \
		write_event(event, slow);                                                          \
		if (has_path) {                                                                    \
			event->path.len = 0;                                                       \
			path_write(&event->path, slow->mnt, slow->dentry);                         \
		}                                                                                  \
		if (has_numbers)                                                                   \
			*(__u64 *)((char *)event + (size)) = slow->numbers;                        \
		bpf_ringbuf_submit(event, 0);                                                      \
		return 0;                                                                          \
	} while (0)

static __noinline int report(const struct slow *slow)
{
	bool numbers = filter_mode & FILTER_NUMBERS;

	if (with_path && numbers)
		SEND(sizeof(*event), true, true);
	if (with_path)
		SEND(sizeof(*event), true, false);
	if (numbers)
		SEND(SLOWER_SMALL, false, true);
	SEND(SLOWER_SMALL, false, false);
}

static __always_inline void find_file(struct slow *slow, const struct file *file)
{
	slow->dentry = BPF_CORE_READ(file, f_path.dentry);
	slow->mnt = BPF_CORE_READ(file, f_path.mnt);
}

/* The clock may go back a little when it is set: what then took less than nothing took 0. */
static __always_inline bool is_long(__u64 ns)
{
	return !min_ns || (__s64)ns >= (__s64)min_ns;
}

static __always_inline __u64 duration(__u64 ns)
{
	return (__s64)ns < 0 ? 0 : ns;
}

/* What async.bpf.h asks for. */

/* One that was queued has completed: whether it is to be shown. */
static __always_inline bool async_is_slow(const struct async *async,
					  const struct completion *completion, struct slow *slow)
{
	count_add(queued, -1);
	slow->end_ns = completion->time_ns;
	slow->ns = duration(completion->time_ns - async->start_ns);
	slow->data = async->data;
	slow->pid_tgid = async->pid_tgid;
	slow->numbers = async->numbers;
	slow->offset = async->offset;
	slow->result = completion->result;
	if (!is_long(slow->ns))
		return false;
	if (async_is_tried_again(completion->result)) {
		count_add(again, 1);
		return false;
	}
	if (failed_only && slow->result >= 0)
		return false;
	__builtin_memcpy(slow->comm, async->comm, COMM_SIZE);
	find_file(slow, (void *)completion->file);
	return true;
}

static __always_inline void async_ended(const struct async *async,
					const struct completion *completion)
{
	struct slow slow = { 0 };

	if (async_is_slow(async, completion, &slow))
		report(&slow);
}

static __always_inline __u64 async_file(__u64 kiocb)
{
	return (__u64)BPF_CORE_READ((struct kiocb *)kiocb, ki_filp);
}

/* What calls.bpf.h asks for. */

/* The file whose page is brought in: when the fault returns, its vma may be gone. */
static __always_inline __u64 faulting_file(__u64 vm_fault)
{
	return (__u64)BPF_CORE_READ((struct vm_fault *)vm_fault, vma, vm_file);
}

static __always_inline void call_began(struct frame *frame, const void *ctx, struct how how)
{
	__u64 data = probe_constant(CALLS_DATA);
	bool typed = !how.by_kprobe;

	if (how.is_iocb) {
		frame->second = READ(kiocb, 0, ki_pos, ki_pos);
		return;
	}
	if (CALLS_SUBJECT_KIND(probe_constant(CALLS_SUBJECT)) == SUBJECT_FAULT) {
		__u64 vm_fault = argument_numbered(ctx, typed, 0);

		frame->argument |= faulting_file(vm_fault);
		frame->second = BPF_CORE_READ((struct vm_fault *)vm_fault, pgoff) << 12;
		return;
	}
	if (typed)
		return;
	frame->argument |= argument_numbered(ctx, false, subject_number());
	if (data & SLOWER_POSITION)
		frame->second = argument_numbered(ctx, false, subject_number() + 1);
}

/* The offset where a read or write of so many bytes began. */
static __always_inline __s64 began_at(__s64 position, __s64 result)
{
	return result > 0 ? position - result : position;
}

/* Where it began: for what appends that is only known when it has been done. */
static __always_inline __s64 iocb_offset(const struct returned *call, __u64 kiocb)
{
	__s64 result = call->result;

	return result > 0 ? BPF_CORE_READ((struct kiocb *)kiocb, ki_pos) - result : call->second;
}

static __always_inline void find_subject(struct slow *slow, const struct returned *call)
{
	__u64 data = slow->data, number = subject_number(), subject;
	bool typed = !call->how.by_kprobe;

	slow->offset = -1;
	if (call->how.is_iocb) {
		subject = kiocb_of(call);
		slow->offset = iocb_offset(call, subject);
		find_file(slow, BPF_CORE_READ((struct kiocb *)subject, ki_filp));
		return;
	}
	if (CALLS_SUBJECT_KIND(probe_constant(CALLS_SUBJECT)) == SUBJECT_FAULT) {
		slow->offset = call->second;
		find_file(slow, (void *)(call->argument & ~(__u64)OUTER_MASK));
		return;
	}
	subject = typed ? argument_numbered(call->ctx, true, number) :
			  call->argument & ~(__u64)OUTER_MASK;
	if (data & SLOWER_POSITION) {
		__u64 position = typed ? argument_numbered(call->ctx, true, number + 1) :
					 call->second;
		__s64 at = 0;

		if (!bpf_probe_read_kernel(&at, sizeof(at), (void *)position))
			slow->offset = began_at(at, slow->result);
	}
	switch (CALLS_SUBJECT_KIND(probe_constant(CALLS_SUBJECT))) {
	CASE(SUBJECT_KIOCB);
		slow->offset = began_at(BPF_CORE_READ((struct kiocb *)subject, ki_pos),
					slow->result);
		find_file(slow, BPF_CORE_READ((struct kiocb *)subject, ki_filp));
		break;
	CASE(SUBJECT_FILE);
		find_file(slow, (void *)subject);
		break;
	CASE(SUBJECT_OPENED);
		find_file(slow, (void *)subject);
		break;
	CASE(SUBJECT_PATH);
		slow->dentry = BPF_CORE_READ((struct path *)subject, dentry);
		slow->mnt = BPF_CORE_READ((struct path *)subject, mnt);
		break;
	CASE(SUBJECT_DENTRY);
		slow->dentry = (void *)subject;
		break;
	}
}

/* The bytes, or -errno; 0 for what returns nothing of either. */
static __always_inline __s64 result_of(const struct returned *call, __u64 data)
{
	__s64 result = call->result;

	if (call->how.is_iocb || data & SLOWER_BYTES)
		return result;
	if (probe_constant(CALLS_WANTED) & CALLS_FAULT)
		return result & VM_FAULT_OOM ? -ENOMEM : result & VM_FAULT_ERROR ? -EFAULT : 0;
	if (data & SLOWER_POINTER && result < -4095)
		return 0;	/* a kernel's address; an error is more (IS_ERR, include/linux/err.h) */
	return (int)result;
}

/* It will complete later. Returns whether it has done so already, and is to be shown. */
static __always_inline bool queue(const struct returned *call, struct slow *slow)
{
	__u64 kiocb = kiocb_of(call);
	struct async async = {
		.start_ns = call->end_ns - call->ns,
		.data = probe_constant(CALLS_DATA),
		.pid_tgid = bpf_get_current_pid_tgid(),
		.offset = call->second,
	};
	const struct completion *completion;

	if (async_is_retried(kiocb)) {
		if (is_long(call->ns))
			count_add(again, 1);
		return false;
	}
	current_comm(async.comm);
	if (filter_mode & FILTER_NUMBERS)
		async.numbers = filter_numbers();
	count_add(queued, 1);
	completion = async_queue(kiocb, &async);
	return completion && async_is_slow(&async, completion, slow);
}

/* Whether it is to be shown. */
static __always_inline bool is_slow(const struct returned *call, struct slow *slow)
{
	if (has_failed(call) && (int)call->result == -EAGAIN) {
		count_add(again, 1);
		return false;
	}
	slow->data = probe_constant(CALLS_DATA);
	slow->result = result_of(call, slow->data);
	if (failed_only && slow->result >= 0)
		return false;
	slow->end_ns = call->end_ns;
	slow->ns = duration(call->ns);
	slow->pid_tgid = bpf_get_current_pid_tgid();
	current_comm(slow->comm);
	if (filter_mode & FILTER_NUMBERS)
		slow->numbers = filter_numbers();
	find_subject(slow, call);
	return true;
}

static __always_inline void call_returned(const struct returned *call)
{
	bool is_queued = call->how.is_iocb && has_failed(call) && (int)call->result == -EIOCBQUEUED;
	struct slow slow;

	if (exclusive && call->is_nested)
		return;
	if (!is_queued && !is_long(call->ns))
		return;
	__builtin_memset(&slow, 0, sizeof(slow));
	if (!(is_queued ? queue(call, &slow) : is_slow(call, &slow)))
		return;
	/*
	 * report() is called in one place, with what the verifier knows nothing of once it has been
	 * copied, even onto itself: so it follows that once, and not for each way that leads here.
	 */
	bpf_probe_read_kernel(&slow, sizeof(slow), &slow);
	report(&slow);
}

TEMPLATE(call, false)
TEMPLATE(iocb, true)

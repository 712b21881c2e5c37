// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dcsnoop, kernel side: look-ups of the directory-entry cache, each reported once.
 *
 * A path walk asks lookup_fast(). If that finds nothing it goes on to d_alloc_parallel(), which
 * returns a new dentry marked "in look-up" to the one task that must ask the file system (a
 * miss), or the dentry that another task has just put there. Creating, removing and renaming
 * look their last component up with lookup_one_qstr_excl(), whose call of lookup_dcache() ends
 * the matter: NULL is a miss. open(O_CREAT) calls d_lookup().
 * d_lookup() alone, which older tools trace, is not called by a path walk since Linux 4.7
 * (commit 9902af79c01a, "parallel lookups: actual switch to rwsem").
 */
#include "probe.bpf.h"
#include "dcsnoop.h"
#include "account.bpf.h"
#include "filter.bpf.h"
#include "comm.bpf.h"

struct thread_state {
	/* The name that lookup_one_qstr_excl() is about to look up. */
	const struct qstr *creating;
	/* The negative dentry that lookup_fast() has just returned. */
	const struct dentry *negative;
	/* In kprobe mode: the name that a function was called with. */
	const struct qstr *alloc, *dcache, *fast, *lookup;
};

#include "thread.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} events SEC(".maps");

#define WAKEUP_BYTES (128 * 1024)	/* an eighth of the ring */

/* Report what was found, too. */
const volatile bool all;

static __always_inline bool is_dentry(const struct dentry *dentry)
{
	return dentry && (__u64)dentry < (__u64)-4095;	/* IS_ERR, include/linux/err.h */
}

/*
 * A wake-up of the reader costs more than all the rest, so there is one for some thousand events:
 * when the ring, as it fills, passes one of the marks that stand at every WAKEUP_BYTES. Less than
 * that the reader finds by itself, ten times a second. (bpf_ringbuf_query() would tell how much
 * is unread, for another 24 instructions an event.)
 */
static __always_inline __u64 wakeup_flags(struct dcsnoop_event *event)
{
	volatile __u64 *address = &event->header.time_ns;

	/* Through memory, as the verifier lets nobody compute with a pointer's bits. */
	*address = (__u64)event;
	return (*address & (WAKEUP_BYTES - 1)) < DCSNOOP_LARGE ? BPF_RB_FORCE_WAKEUP :
								 BPF_RB_NO_WAKEUP;
}

static __always_inline int send(struct dcsnoop_event *event, __u64 pid_tgid, __u8 type,
				const unsigned char *name, __u64 len)
{
	__u64 flags = wakeup_flags(event);

	event->header.time_ns = bpf_ktime_get_ns();
	event->header.pid_tgid = pid_tgid;
	current_comm(event->header.comm);
	event->type = type;
	event->name_len = len;
	bpf_probe_read_kernel(event->name, len, name);
	bpf_ringbuf_submit(event, flags);
	return 0;
}

#define SEND_IF_FITS(size)                                                                         \
	do {                                                                                       \
		if (len > (size) - DCSNOOP_NAME_OFFSET)                                            \
			break;                                                                     \
		event = bpf_ringbuf_reserve(&events, size, 0);                                     \
		if (event)                                                                         \
			return send(event, pid_tgid, type, name, len);                             \
		account_add(lost_events);                                                          \
		return 0;                                                                          \
	} while (0)

static __always_inline int report(__u8 type, const unsigned char *name, __u64 len)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct dcsnoop_event *event;

	if (!filter_passes(pid_tgid))
		return 0;
	/* From here on clang must use this very register, whose bounds the verifier will see. */
	asm volatile("" : "+r"(len));
	SEND_IF_FITS(DCSNOOP_SMALL);
	SEND_IF_FITS(DCSNOOP_MEDIUM);
	if (len > NAME_SIZE_MAX)
		len = NAME_SIZE_MAX;
	SEND_IF_FITS(DCSNOOP_LARGE);
	return 0;
}

/* For kernel memory that no BTF type vouches for. */
static __always_inline int report_qstr(__u8 type, const struct qstr *name)
{
	return report(type, BPF_CORE_READ(name, name), BPF_CORE_READ(name, len));
}

/*
 * A kretprobe does not see the arguments, so the kprobe before it notes the name. (That of the
 * dentry may not be the one that was asked for: it can have been renamed meanwhile, or the file
 * system takes upper and lower case for the same.)
 */
#define KPROBE_NOTES(member, qstr)                                                                 \
	do {                                                                                       \
		struct thread_state *thread_ = thread_get(bpf_get_current_pid_tgid());             \
                                                                                                   \
		account_add(entries);                                                              \
		if (thread_)                                                                       \
			thread_->member = qstr;                                                    \
	} while (0)

/*
 * The name noted, or `other` if the call began before we did. Only a return whose entry was seen
 * counts, or those of the time between attaching the two would hide as many that are missed.
 */
#define KRETPROBE_NAME(member, other)                                                              \
	({                                                                                         \
		struct thread_state *thread_ = thread_find(bpf_get_current_pid_tgid());            \
		const struct qstr *name_ = other;                                                  \
                                                                                                   \
		if (thread_ && thread_->member) {                                                  \
			name_ = thread_->member;                                                   \
			thread_->member = NULL;                                                    \
			account_add(returns);                                                      \
		}                                                                                  \
		name_;                                                                             \
	})

/* A miss, as d_alloc_parallel() tells it. */

/*
 * Whether the dentry is new and its finder has to ask the file system; if not, another task has
 * put it into the cache since lookup_fast().
 */
static __always_inline bool in_lookup(unsigned int d_flags)
{
	unsigned int bit = DCACHE_PAR_LOOKUP_BY_DEFINE;

	if (bpf_core_enum_value_exists(enum dentry_flags___by_enum, DCACHE_PAR_LOOKUP___by_enum))
		bit = bpf_core_enum_value(enum dentry_flags___by_enum, DCACHE_PAR_LOOKUP___by_enum);
	return d_flags & bit;
}

static __always_inline int alloc_ends(const struct qstr *name, const struct dentry *dentry)
{
	if (!is_dentry(dentry))
		return 0;
	if (in_lookup(dentry->d_flags))
		return report(LOOKUP_MISS, name->name, name->len);
	if (!all)
		return 0;
	return report(dentry->d_inode ? LOOKUP_FOUND : LOOKUP_NEGATIVE, name->name, name->len);
}

/* (parent, name), since 7.x; before, (parent, name, wait queue). */
SEC("fexit")
int d_alloc_parallel__fexit2(__u64 *ctx)
{
	return alloc_ends((void *)ctx[1], (void *)ctx[2]);
}

SEC("fexit")
int d_alloc_parallel__fexit3(__u64 *ctx)
{
	return alloc_ends((void *)ctx[1], (void *)ctx[3]);
}

SEC("kprobe")
int d_alloc_parallel__kprobe(struct pt_regs *ctx)
{
	KPROBE_NOTES(alloc, (void *)PT_REGS_PARM2(ctx));
	return 0;
}

SEC("kretprobe")
int d_alloc_parallel__kretprobe(struct pt_regs *ctx)
{
	const struct dentry *dentry = (void *)PT_REGS_RC(ctx);
	const struct qstr *name = KRETPROBE_NAME(alloc, &dentry->d_name);

	if (!is_dentry(dentry))
		return 0;
	if (in_lookup(BPF_CORE_READ(dentry, d_flags)))
		return report_qstr(LOOKUP_MISS, name);
	if (!all)
		return 0;
	return report_qstr(BPF_CORE_READ(dentry, d_inode) ? LOOKUP_FOUND : LOOKUP_NEGATIVE, name);
}

/*
 * A miss of the last component of a create, remove or rename. The name is noted on the way into
 * lookup_one_qstr_excl() and consumed by the first lookup_dcache(): overlayfs calls that again,
 * nested, for its layers, and those go on to d_alloc_parallel().
 */

static __always_inline int creating_begins(const struct qstr *name)
{
	struct thread_state *thread = thread_get(bpf_get_current_pid_tgid());

	if (thread) {
		thread->creating = name;
		thread->negative = NULL;
	}
	return 0;
}

static __always_inline const struct qstr *creating_consume(void)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	const struct qstr *name = NULL;

	if (thread) {
		name = thread->creating;
		thread->creating = NULL;
	}
	return name;
}

SEC("fentry")
int lookup_one_qstr_excl__fentry(__u64 *ctx)
{
	return creating_begins((void *)ctx[0]);
}

SEC("kprobe")
int lookup_one_qstr_excl__kprobe(struct pt_regs *ctx)
{
	return creating_begins((void *)PT_REGS_PARM1(ctx));
}

SEC("fexit")
int lookup_dcache__fexit3(__u64 *ctx)
{
	const struct qstr *name = (void *)ctx[0];

	if (!creating_consume() || ctx[3])
		return 0;
	return report(LOOKUP_MISS, name->name, name->len);
}

SEC("kprobe")
int lookup_dcache__kprobe(struct pt_regs *ctx)
{
	KPROBE_NOTES(dcache, (void *)PT_REGS_PARM1(ctx));
	return 0;
}

SEC("kretprobe")
int lookup_dcache__kretprobe(struct pt_regs *ctx)
{
	const struct qstr *name = KRETPROBE_NAME(dcache, NULL);

	if (!creating_consume() || !name || PT_REGS_RC(ctx))
		return 0;
	return report_qstr(LOOKUP_MISS, name);
}

/* What was found (-a). */

/*
 * open(O_CREAT) of a name that is cached as missing asks twice on 6.12 and later: lookup_fast(),
 * then d_lookup() under the directory's lock. The second answer is the same negative dentry.
 */
static __always_inline void negative_note(const struct dentry *dentry)
{
	struct thread_state *thread = thread_get(bpf_get_current_pid_tgid());

	if (thread)
		thread->negative = dentry;
}

static __always_inline bool negative_again(const struct dentry *dentry)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	bool again = false;

	if (thread) {
		again = thread->negative == dentry;
		thread->negative = NULL;
	}
	return again;
}

/* Another open: what an earlier system call found does not count. */
static __always_inline int open_begins(void)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());

	if (thread)
		thread->negative = NULL;
	return 0;
}

SEC("fentry")
int path_openat__fentry(__u64 *ctx)
{
	return open_begins();
}

SEC("kprobe")
int path_openat__kprobe(struct pt_regs *ctx)
{
	return open_begins();
}

static __always_inline int fast_ends(const struct nameidata *nd, const struct dentry *dentry)
{
	__u8 type = LOOKUP_FOUND;

	if (!is_dentry(dentry))
		return 0;
	if (!dentry->d_inode) {
		type = LOOKUP_NEGATIVE;
		negative_note(dentry);
	}
	return report(type, nd->last.name, nd->last.len);
}

/* (nd); in 5.10 (nd, inode, seq). */
SEC("fexit")
int lookup_fast__fexit1(__u64 *ctx)
{
	return fast_ends((void *)ctx[0], (void *)ctx[1]);
}

SEC("fexit")
int lookup_fast__fexit3(__u64 *ctx)
{
	return fast_ends((void *)ctx[0], (void *)ctx[3]);
}

SEC("kprobe")
int lookup_fast__kprobe(struct pt_regs *ctx)
{
	const struct nameidata *nd = (void *)PT_REGS_PARM1(ctx);

	KPROBE_NOTES(fast, &nd->last);
	return 0;
}

SEC("kretprobe")
int lookup_fast__kretprobe(struct pt_regs *ctx)
{
	const struct dentry *dentry = (void *)PT_REGS_RC(ctx);
	const struct qstr *name = KRETPROBE_NAME(fast, &dentry->d_name);
	__u8 type = LOOKUP_FOUND;

	if (!is_dentry(dentry))
		return 0;
	if (!BPF_CORE_READ(dentry, d_inode)) {
		type = LOOKUP_NEGATIVE;
		negative_note(dentry);
	}
	return report_qstr(type, name);
}

SEC("fexit")
int d_lookup__fexit2(__u64 *ctx)
{
	const struct qstr *name = (void *)ctx[1];
	const struct dentry *dentry = (void *)ctx[2];
	bool negative;

	if (!dentry)
		return 0;
	negative = !dentry->d_inode;
	if (negative && negative_again(dentry))
		return 0;
	return report(negative ? LOOKUP_NEGATIVE : LOOKUP_FOUND, name->name, name->len);
}

SEC("kprobe")
int d_lookup__kprobe(struct pt_regs *ctx)
{
	KPROBE_NOTES(lookup, (void *)PT_REGS_PARM2(ctx));
	return 0;
}

SEC("kretprobe")
int d_lookup__kretprobe(struct pt_regs *ctx)
{
	const struct dentry *dentry = (void *)PT_REGS_RC(ctx);
	const struct qstr *name = KRETPROBE_NAME(lookup, &dentry->d_name);
	bool negative;

	if (!dentry)
		return 0;
	negative = !BPF_CORE_READ(dentry, d_inode);
	if (negative && negative_again(dentry))
		return 0;
	return report_qstr(negative ? LOOKUP_NEGATIVE : LOOKUP_FOUND, name);
}

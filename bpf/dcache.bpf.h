/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Look-ups of the directory-entry cache, each seen once. The includer defines, first,
 * LOOKUP_NAMES, 1 or 0: whether it wants their names, and
 *
 *	int looked_up(type, by, name, len, place)
 *
 * which is called at the end of each look-up; enum lookup_type, bpf/dcache.h.
 *
 * A path walk asks lookup_fast(). If that finds nothing it calls d_alloc_parallel(), which
 * returns a new dentry marked "in look-up" to the one task that must ask the file system (a
 * miss), or the dentry that another task has just added. Creating, removing and renaming look up
 * their last component with lookup_one_qstr_excl(), where lookup_dcache() decides: NULL is a
 * miss. open(O_CREAT) calls d_lookup().
 * A path walk has not called d_lookup(), which older tools trace, since Linux 4.7
 * (commit 9902af79c01a, "parallel lookups: actual switch to rwsem").
 */
#ifndef FSTRACE_BPF_DCACHE_BPF_H
#define FSTRACE_BPF_DCACHE_BPF_H

#include "probe.bpf.h"
#include "dcache.h"
#include "account.bpf.h"
#include "filter.bpf.h"

#define SLOW_NAMES 4	/* a power of two */

/* Which function decided. FAST alone is the fast path. */
enum lookup_by { ALLOC, DCACHE, FAST, LOOKUP, LOOKUP_BY };

struct thread_state {
	/* The name that lookup_one_qstr_excl() is about to look up, and in which directory. */
	const struct qstr *creating;
	const struct dentry *creating_dir;
	/* The negative dentry that lookup_fast() has just returned. */
	const struct dentry *negative;
	/* Without fentry: the names that functions were called with. */
	const struct qstr *noted[LOOKUP_BY];
#if LOOKUP_NAMES
	/* Only names that are not there: see missing.bpf.h. */
	const struct dentry *open_miss;		/* what an open waits for */
	const struct dentry *open_dir;		/* where that is */
	const struct qstr *create_name;		/* of the lookup_one_qstr_excl() under way */
	bool create_miss, opening;
	/* Of the __lookup_slow() under way, by depth, from 1 on: which waits for an answer. */
	__u32 slow_depth, slow_misses;
	const struct qstr *slow_names[SLOW_NAMES];
	const struct dentry *slow_dirs[SLOW_NAMES];
#endif
};

/*
 * `negative` outlives the call that sets it, so a state is never known to be empty: of threads
 * without a slot, those that were used least recently are dropped.
 */
#define THREAD_OVERFLOW_TYPE BPF_MAP_TYPE_LRU_HASH
#include "thread.bpf.h"

/* See names that were found, too; or those alone that turn out not to exist. */
const volatile bool all, missing;

/* What leads to the directory: the first of these that is not NULL. Only followed if it is asked for. */
struct place {
	const struct nameidata *nd;
	const struct dentry *dir;
	const struct dentry *entry;	/* in it */
};

static __always_inline int looked_up(__u8 type, enum lookup_by by, const unsigned char *name,
				     __u64 len, struct place place);

/*
 * Neither NULL nor an error (IS_ERR, include/linux/err.h). As a signed number a kernel's address is
 * less than any error, on x86 and arm64, and NULL is more: one comparison.
 */
static __always_inline bool is_dentry(const struct dentry *dentry)
{
	return (__s64)dentry < -4095;
}

#define IN_PARENT(of) ((struct place){ .entry = of })
#define IN_DIRECTORY(of) ((struct place){ .dir = of })

static __always_inline const struct dentry *place_directory(struct place place)
{
	const struct nameidata *nd = place.nd;
	const struct dentry *entry = place.entry;

	if (nd)
		return BPF_CORE_READ(nd, path.dentry);
	return place.dir ?: BPF_CORE_READ(entry, d_parent);
}

/* A member of a kernel struct: read in place where BTF types the pointer, else copied. */
#define READ(typed, pointer, member)                                                               \
	((typed) ? (pointer)->member : BPF_CORE_READ(pointer, member))

/*
 * The name asked for or, when a call began before we did, what the dentry is called: passed on as
 * bytes. Without fentry it is copied, all of it with one helper call.
 */
static __always_inline int look_up_ends(__u8 type, enum lookup_by by, const struct qstr *name,
					struct place place, bool typed)
{
	char copy[16] __attribute__((aligned(8)));

	if (!LOOKUP_NAMES)
		return looked_up(type, by, NULL, 0, place);
	if (typed)
		return looked_up(type, by, name->name, name->len, place);
	bpf_probe_read_kernel(copy, sizeof(copy), name ?: &place.entry->d_name);
	return looked_up(type, by, *(void **)(copy + bpf_core_field_offset(name->name)),
			 *(__u32 *)(copy + bpf_core_field_offset(name->len)), place);
}

#if LOOKUP_NAMES
#include "missing.bpf.h"
#else
static __always_inline void missing_wait(const struct dentry *dentry) {}
static __always_inline void missing_forget(void) {}
static __always_inline void create_wait(void) {}
#endif

/*
 * Only fexit sees the arguments at the return; for other mechanisms the entry records the name.
 * (The dentry's name may not be the one that was asked for: it may have been renamed in the
 * meantime, or the file system ignores case.) Returns whether the process is traced.
 */
static __always_inline bool name_note(enum lookup_by which, const struct qstr *name)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct thread_state *thread;

	if (!filter_passes(pid_tgid))
		return false;
	if (!LOOKUP_NAMES && !count_calls)
		return true;
	thread = thread_get(pid_tgid);
	if (thread) {
		thread->noted[which] = name;
		if (count_calls)
			account_add(entries);
	}
	return true;
}

/*
 * The recorded name; NULL if the call began before tracing. Only a return whose entry was seen
 * counts: otherwise returns from between the attaching of the two would hide missed ones.
 */
static __always_inline const struct qstr *name_noted(enum lookup_by which)
{
	const struct qstr *name = NULL;
	struct thread_state *thread;

	if (!LOOKUP_NAMES && !count_calls)
		return NULL;
	thread = thread_find(bpf_get_current_pid_tgid());
	if (thread && thread->noted[which]) {
		name = thread->noted[which];
		thread->noted[which] = NULL;
		if (count_calls)
			account_add(returns);
	}
	return name;
}

/*
 * The programs without fentry of a function, whose argument `parameter` is, or leads to, the name.
 * All returns call ends(name, result, typed).
 */
#define NAMED_PROBE(stem, which, name_of, parameter, ends)                                         \
	SEC("kprobe")                                                                              \
	int stem##__kprobe(struct pt_regs *ctx)                                                    \
	{                                                                                          \
		name_note(which, name_of(parameter(ctx)));                                         \
		return 0;                                                                          \
	}                                                                                          \
	SEC("kretprobe")                                                                           \
	int stem##__kretprobe(struct pt_regs *ctx)                                                 \
	{                                                                                          \
		if (!filter_passes(bpf_get_current_pid_tgid()))                                    \
			return 0;                                                                  \
		return ends(name_noted(which), (void *)PT_REGS_RC(ctx), false);                    \
	}                                                                                          \
	SEC("session")                                                                             \
	int stem##__session(struct pt_regs *ctx)                                                   \
	{                                                                                          \
		if (is_return(ctx))                                                                \
			return ends(name_noted(which), (void *)PT_REGS_RC(ctx), false);            \
		return !name_note(which, name_of(parameter(ctx)));                                 \
	}

#define ITSELF(argument) ((const struct qstr *)(argument))
#define LAST(argument) (&((const struct nameidata *)(argument))->last)

/* A miss, as seen in d_alloc_parallel(). */

/*
 * Whether the dentry is new and the caller has to ask the file system; if not, another task has
 * added it to the cache since lookup_fast().
 */
static __always_inline bool in_lookup(unsigned int d_flags)
{
	unsigned int bit = DCACHE_PAR_LOOKUP_BY_DEFINE;

	if (bpf_core_enum_value_exists(enum dentry_flags___by_enum, DCACHE_PAR_LOOKUP___by_enum))
		bit = bpf_core_enum_value(enum dentry_flags___by_enum, DCACHE_PAR_LOOKUP___by_enum);
	return d_flags & bit;
}

static __always_inline int alloc_ends(const struct qstr *name, const struct dentry *dentry,
				      bool typed)
{
	__u8 type;

	if (!is_dentry(dentry))
		return 0;
	if (in_lookup(READ(typed, dentry, d_flags))) {
		if (missing) {
			missing_wait(dentry);
			return 0;
		}
		type = LOOKUP_MISS;
	} else if (!all) {
		return 0;
	} else {
		type = READ(typed, dentry, d_inode) ? LOOKUP_FOUND : LOOKUP_NEGATIVE;
	}
	return look_up_ends(type, ALLOC, name, IN_PARENT(dentry), typed);
}

/* (parent, name), since 7.x; before, (parent, name, wait queue). */
SEC("fexit")
int d_alloc_parallel__fexit(__u64 *ctx)
{
	return alloc_ends((void *)ctx[1], (void *)probe_result(ctx), true);
}

NAMED_PROBE(d_alloc_parallel, ALLOC, ITSELF, PT_REGS_PARM2, alloc_ends)

/*
 * A miss of the last component of a create, remove or rename. The name is recorded at the entry of
 * lookup_one_qstr_excl() and consumed by the first lookup_dcache(): overlayfs calls that again,
 * nested, for its layers, and those look-ups continue in d_alloc_parallel().
 */

static __always_inline int creating_begins(const struct qstr *name, const struct dentry *dir)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct thread_state *thread = filter_passes(pid_tgid) ? thread_get(pid_tgid) : NULL;

	if (thread) {
		thread->creating = name;
		thread->creating_dir = dir;
		thread->negative = NULL;
	}
	return 0;
}

/* Whether that is under way, and *dir. */
static __always_inline bool creating_consume(const struct dentry **dir)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	bool creating = false;

	if (thread) {
		creating = thread->creating;
		*dir = thread->creating_dir;
		thread->creating = NULL;
	}
	return creating;
}

static __always_inline int dcache_ends(const struct qstr *name, const struct dentry *dentry,
				       bool typed)
{
	const struct dentry *dir = NULL;

	if (!creating_consume(&dir) || (LOOKUP_NAMES && !name) || dentry)
		return 0;
	if (missing) {
		create_wait();
		return 0;
	}
	return look_up_ends(LOOKUP_MISS, DCACHE, name, IN_DIRECTORY(dir), typed);
}

SEC("fentry")
int lookup_one_qstr_excl__fentry(__u64 *ctx)
{
	return creating_begins((void *)ctx[0], (void *)ctx[1]);
}

SEC("kprobe")
int lookup_one_qstr_excl__kprobe(struct pt_regs *ctx)
{
	return creating_begins((void *)PT_REGS_PARM1(ctx), (void *)PT_REGS_PARM2(ctx));
}

SEC("session")
int lookup_one_qstr_excl__session(struct pt_regs *ctx)
{
	creating_begins((void *)PT_REGS_PARM1(ctx), (void *)PT_REGS_PARM2(ctx));
	return 1;	/* not at the return */
}

SEC("fexit")
int lookup_dcache__fexit(__u64 *ctx)
{
	return dcache_ends((void *)ctx[0], (void *)probe_result(ctx), true);
}

NAMED_PROBE(lookup_dcache, DCACHE, ITSELF, PT_REGS_PARM1, dcache_ends)

/* What was found (-a). */

/*
 * open(O_CREAT) of a name that is cached as missing asks twice on 6.12 and later: lookup_fast(),
 * then d_lookup() under the directory's lock. The second answer is the same negative dentry.
 */
static __always_inline void negative_note(const struct dentry *dentry)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct thread_state *thread = filter_passes(pid_tgid) ? thread_get(pid_tgid) : NULL;

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

SEC("session")
int path_openat__session(struct pt_regs *ctx)
{
	open_begins();
	return 1;	/* not at the return */
}

/* LOOKUP_FOUND, LOOKUP_NEGATIVE, or LOOKUP_MISS: not here, d_alloc_parallel() decides. */
static __always_inline __u8 fast_type(const struct dentry *dentry, bool typed)
{
	if (missing)
		missing_forget();
	if (!is_dentry(dentry))
		return LOOKUP_MISS;
	if (READ(typed, dentry, d_inode))
		return LOOKUP_FOUND;
	negative_note(dentry);
	return LOOKUP_NEGATIVE;
}

/* (nd); in 5.10 (nd, inode, seq). Using &nd->last would cost two more instructions. */
static __always_inline int fast_fexit(const struct nameidata *nd, const struct dentry *dentry)
{
	__u8 type = fast_type(dentry, true);

	return type == LOOKUP_MISS ? 0 : looked_up(type, FAST, nd->last.name, nd->last.len,
						     (struct place){ .nd = nd });
}

SEC("fexit")
int lookup_fast__fexit(__u64 *ctx)
{
	return fast_fexit((void *)ctx[0], (void *)probe_result(ctx));
}

static __always_inline int fast_ends(const struct qstr *name, const struct dentry *dentry,
				     bool typed)
{
	__u8 type = fast_type(dentry, typed);

	return type == LOOKUP_MISS ? 0 : look_up_ends(type, FAST, name, IN_PARENT(dentry), typed);
}

NAMED_PROBE(lookup_fast, FAST, LAST, PT_REGS_PARM1, fast_ends)

static __always_inline int lookup_ends(const struct qstr *name, const struct dentry *dentry,
				       bool typed)
{
	bool negative;

	if (!dentry)
		return 0;
	negative = !READ(typed, dentry, d_inode);
	if (negative && negative_again(dentry))
		return 0;
	return look_up_ends(negative ? LOOKUP_NEGATIVE : LOOKUP_FOUND, LOOKUP, name,
			    IN_PARENT(dentry), typed);
}

SEC("fexit")
int d_lookup__fexit(__u64 *ctx)
{
	return lookup_ends((void *)ctx[1], (void *)probe_result(ctx), true);
}

NAMED_PROBE(d_lookup, LOOKUP, ITSELF, PT_REGS_PARM2, lookup_ends)

#endif

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* dcsnoop, kernel side: look-ups of the directory-entry cache (dcache.bpf.h), each reported once. */
#include "dcsnoop.h"

#define LOOKUP_NAMES 1
#include "dcache.bpf.h"
#include "comm.bpf.h"
#include "path.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} events SEC(".maps");

#define WAKEUP_BYTES (128 * 1024)	/* an eighth of the ring */

/*
 * Waking the reader costs more than everything else, so it happens once for several thousand
 * events: when the position in the ring crosses a multiple of WAKEUP_BYTES. The reader looks for
 * fewer events by itself, ten times a second. (bpf_ringbuf_query() would return how much is unread,
 * for another 24 instructions an event.)
 */
static __always_inline __u64 wakeup_flags(struct dcsnoop_event *event)
{
	volatile __u64 *address = &event->header.time_ns;

	/* Through memory, as the verifier forbids arithmetic on a pointer's bits. */
	*address = (__u64)event;
	return (*address & (WAKEUP_BYTES - 1)) < DCSNOOP_LARGE + BPF_RINGBUF_HDR_SZ ?
		       BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
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

/* The same, followed by the user's numbers. */
#define SEND_NUMBERS_IF_FITS(size)                                                                 \
	do {                                                                                       \
		if (len > (size) - DCSNOOP_NAME_OFFSET)                                            \
			break;                                                                     \
		event = bpf_ringbuf_reserve(&events, (size) + sizeof(numbers), 0);                 \
		if (event) {                                                                       \
			*(__u64 *)((char *)event + (size)) = numbers;                              \
			return send(event, pid_tgid, type, name, len);                             \
		}                                                                                  \
		account_add(lost_events);                                                          \
		return 0;                                                                          \
	} while (0)

static __noinline int report_numbers(__u8 type, const unsigned char *name, __u64 len,
				     __u64 pid_tgid)
{
	__u64 numbers = filter_numbers();
	struct dcsnoop_event *event;

	asm volatile("" : "+r"(len));
	SEND_NUMBERS_IF_FITS(DCSNOOP_SMALL);
	SEND_NUMBERS_IF_FITS(DCSNOOP_MEDIUM);
	if (len > NAME_SIZE_MAX)
		len = NAME_SIZE_MAX + 1;	/* as a __u8: 0 */
	SEND_NUMBERS_IF_FITS(DCSNOOP_LARGE);
	return 0;
}

/* What goes beyond the default: anything costs it one branch, which the verifier removes. */
const volatile __u32 special;

/*
 * By thread: the struct path in which the kernel puts the directory of a create, removal or rename, on
 * its stack; and the one before it, as a rename has two.
 */
struct parents {
	const struct path *last, *before;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct parents);
} parents SEC(".maps");

static __always_inline int parent_note(__u64 parent)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct parents *old, fresh = { .last = (void *)parent };
	__u32 tid = pid_tgid;

	if (!filter_passes(pid_tgid))
		return 0;
	old = bpf_map_lookup_elem(&parents, &tid);
	if (old)
		fresh.before = old->last;
	bpf_map_update_elem(&parents, &tid, &fresh, BPF_ANY);
	return 0;
}

#define PARENT_PROBE(stem, number)                                                                 \
	SEC("fentry")                                                                              \
	int stem##__fentry(__u64 *ctx)                                                             \
	{                                                                                          \
		return parent_note(ctx[(number) - 1]);                                             \
	}                                                                                          \
	SEC("kprobe")                                                                              \
	int stem##__kprobe(struct pt_regs *ctx)                                                    \
	{                                                                                          \
		return parent_note(PT_REGS_PARM##number(ctx));                                     \
	}                                                                                          \
	SEC("session")                                                                             \
	int stem##__session(struct pt_regs *ctx)                                                   \
	{                                                                                          \
		parent_note(PT_REGS_PARM##number(ctx));                                            \
		return 1;	/* not at the return */                                            \
	}

/* (nd, flags, parent) */
PARENT_PROBE(path_parentat, 3)
/* (directory fd, name, flags, parent, ...) */
PARENT_PROBE(filename_parentat, 4)

/* A look-up to be sent with details. */
struct looked_up {
	__u64 type, len, pid_tgid;
	const unsigned char *name;
	const struct dentry *dir;
};

/* The mount by which the directory was reached; NULL: the kernel itself looks there. */
static __always_inline const struct vfsmount *mount_of(const struct looked_up *look)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	const struct nameidata *nd = BPF_CORE_READ(task, nameidata);
	const struct parents *noted;
	const struct path *path;
	__u32 tid = look->pid_tgid;

	if (nd && BPF_CORE_READ(nd, path.dentry) == look->dir)
		return BPF_CORE_READ(nd, path.mnt);
	noted = bpf_map_lookup_elem(&parents, &tid);
	if (!noted)
		return NULL;
	path = noted->last;
	if (BPF_CORE_READ(path, dentry) != look->dir)
		path = noted->before;
	return BPF_CORE_READ(path, dentry) == look->dir ? BPF_CORE_READ(path, mnt) : NULL;
}

static __always_inline void write_details(struct dcsnoop_details *event,
					  const struct looked_up *look)
{
	const struct dentry *dir = look->dir;
	const struct super_block *sb = BPF_CORE_READ(dir, d_sb);
	__u64 len = look->len;

	event->header.time_ns = bpf_ktime_get_ns();
	event->header.pid_tgid = look->pid_tgid;
	current_comm(event->header.comm);
	event->uid = bpf_get_current_uid_gid();
	event->device = BPF_CORE_READ(sb, s_dev);
	event->fs[0] = '\0';
	bpf_probe_read_kernel_str(event->fs, sizeof(event->fs), BPF_CORE_READ(sb, s_type, name));
	event->type = look->type;
	asm volatile("" : "+r"(len));
	if (len > NAME_SIZE_MAX) {
		event->name_len = 0;
		len = NAME_SIZE_MAX;
	} else {
		event->name_len = len;
	}
	bpf_probe_read_kernel(event->name, len, look->name);
}

/* The name is the path's last component, so its first here. */
static __always_inline void write_path(struct dcsnoop_details *event, const struct looked_up *look)
{
	__u64 len = look->len;

	asm volatile("" : "+r"(len));
	if (len > NAME_SIZE_MAX)
		len = NAME_SIZE_MAX;
	bpf_probe_read_kernel(event->path.bytes, len, look->name);
	event->path.bytes[len] = '\0';
	event->path.len = len + 1;
	path_write(&event->path, mount_of(look), look->dir);
}

/* The user's numbers are at the end. */
#define SEND_DETAILS(size, has_path, has_numbers)                                                  \
	do {                                                                                       \
		struct dcsnoop_details *event =                                                    \
			bpf_ringbuf_reserve(&events, (size) + 8 * (has_numbers), 0);               \
                                                                                                   \
		if (!event) {                                                                      \
			account_add(lost_events);                                                  \
			return 0;                                                                  \
		}                                                                                  \
		write_details(event, look);                                                        \
		if (has_path)                                                                      \
			write_path(event, look);                                                   \
		if (has_numbers)                                                                   \
			*(__u64 *)((char *)event + (size)) = filter_numbers();                     \
		bpf_ringbuf_submit(event, 0);                                                      \
		return 0;                                                                          \
	} while (0)

static __noinline int report_details(const struct looked_up *look)
{
	bool numbers = filter_mode & FILTER_NUMBERS, path = special & SPECIAL_PATH;

	if (path && numbers)
		SEND_DETAILS(sizeof(*event), true, true);
	if (path)
		SEND_DETAILS(sizeof(*event), true, false);
	if (numbers)
		SEND_DETAILS(DCSNOOP_DETAILS, false, true);
	SEND_DETAILS(DCSNOOP_DETAILS, false, false);
}

static __always_inline int looked_up(__u8 type, enum lookup_by by __attribute__((unused)),
				     const unsigned char *name, __u64 len, struct place place)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct dcsnoop_event *event;
	__u32 mode = filter_mode;

	if (special) {
		struct looked_up look = {
			.type = type, .len = len, .pid_tgid = pid_tgid, .name = name,
		};

		if (special & SPECIAL_MISSING && type == LOOKUP_FOUND)
			return 0;
		if (special & SPECIAL_DETAILS) {
			if (!filter_passes_mode(mode, pid_tgid))
				return 0;
			look.dir = place_directory(place);
			return report_details(&look);
		}
	}
	if (!filter_passes_mode(mode, pid_tgid))
		return 0;
	if (mode & FILTER_NUMBERS)
		return report_numbers(type, name, len, pid_tgid);
	/* From here on clang must use this register, whose bounds the verifier knows. */
	asm volatile("" : "+r"(len));
	SEND_IF_FITS(DCSNOOP_SMALL);
	SEND_IF_FITS(DCSNOOP_MEDIUM);
	if (len > NAME_SIZE_MAX)
		len = NAME_SIZE_MAX + 1;	/* as a __u8: 0 */
	SEND_IF_FITS(DCSNOOP_LARGE);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* dcsnoop, kernel side: look-ups of the directory-entry cache (dcache.bpf.h), each reported once. */
#include "dcsnoop.h"

#define LOOKUP_NAMES 1
#include "dcache.bpf.h"
#include "comm.bpf.h"

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

static __always_inline int looked_up(__u8 type, enum lookup_by by __attribute__((unused)),
				     const unsigned char *name, __u64 len)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct dcsnoop_event *event;
	__u32 mode = filter_mode;

	if (missing && type == LOOKUP_FOUND)
		return 0;
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

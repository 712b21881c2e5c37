// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/trace/events.c: reading a ring buffer that this test writes, in a file of the kernel's
 * layout: a page with the reader's position, one with the writer's, then the data.
 */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <linux/bpf.h>

#include "core/base/clock.h"
#include "core/base/stop.h"
#include "core/show/output.h"
#include "core/trace/events.h"

#define RING_SIZE 4096
#define RECORD_ROUND(len) (((len) + BPF_RINGBUF_HDR_SZ + 7) & ~7UL)

struct ring {
	int fd;
	size_t page;
	char *memory, *data;
	unsigned long *consumer, *producer;
	struct events *events;
	/* What the reader was given: sizes, and the bytes one after the other. */
	size_t count, sizes[1000], used;
	char bytes[1 << 20];
	void (*read_one)(struct ring *ring);	/* called for each record; may be NULL */
};

static void reader(void *context, const void *event, size_t size)
{
	struct ring *ring = context;

	if (ring->read_one)
		ring->read_one(ring);
	assert_in_range(ring->count, 0, COUNT_OF(ring->sizes) - 1);
	assert_true(ring->used + size <= sizeof(ring->bytes));
	ring->sizes[ring->count++] = size;
	memcpy(ring->bytes + ring->used, event, size);
	ring->used += size;
}

/* `at`: where both sides have got to before. */
static int ring_open(void **state, unsigned long at)
{
	struct ring *ring = calloc(1, sizeof(*ring));

	assert_non_null(ring);
	ring->page = sysconf(_SC_PAGESIZE);
	ring->fd = memfd_create("ring", MFD_CLOEXEC);
	assert_int_equal(ftruncate(ring->fd, 2 * ring->page + RING_SIZE), 0);
	ring->memory = mmap(NULL, 2 * ring->page + RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
			    ring->fd, 0);
	assert_ptr_not_equal(ring->memory, MAP_FAILED);
	ring->consumer = (unsigned long *)ring->memory;
	ring->producer = (unsigned long *)(ring->memory + ring->page);
	ring->data = ring->memory + 2 * ring->page;
	*ring->consumer = *ring->producer = at;
	ring->events = events_open(ring->fd, RING_SIZE, reader, ring);
	assert_non_null(ring->events);
	*state = ring;
	return 0;
}

static int empty_ring(void **state)
{
	return ring_open(state, 0);
}

static int late_ring(void **state)
{
	return ring_open(state, 123456 * (unsigned long)RING_SIZE + RING_SIZE - 40);
}

static int ring_close(void **state)
{
	struct ring *ring = *state;

	events_close(ring->events);
	munmap(ring->memory, 2 * ring->page + RING_SIZE);
	close(ring->fd);
	free(ring);
	return 0;
}

static void forget(struct ring *ring)
{
	ring->count = ring->used = 0;
}

/* Writes a record as the kernel does; returns its header, for what is not ready yet. */
static __u32 *put(struct ring *ring, const void *bytes, size_t len, __u32 bits)
{
	__u32 *header = (__u32 *)(ring->data + *ring->producer % RING_SIZE);

	assert_true(*ring->producer + RECORD_ROUND(len) - *ring->consumer <= RING_SIZE);
	header[0] = len | bits;
	header[1] = 0xeeeeeeee;
	for (size_t i = 0; i < len; i++)
		ring->data[(*ring->producer + BPF_RINGBUF_HDR_SZ + i) % RING_SIZE] =
			((const char *)bytes)[i];
	*ring->producer += RECORD_ROUND(len);
	return header;
}

static void an_empty_ring_has_nothing_to_read(void **state)
{
	struct ring *ring = *state;

	events_drain(ring->events);
	assert_int_equal(ring->count, 0);
	assert_int_equal(*ring->consumer, 0);
}

static void records_come_in_order_and_are_given_back(void **state)
{
	struct ring *ring = *state;

	put(ring, "first", 5, 0);
	put(ring, "second one", 10, 0);
	put(ring, "12345678", 8, 0);
	put(ring, "", 0, 0);
	put(ring, "x", 1, 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, 5);
	assert_int_equal(ring->sizes[0], 5);
	assert_int_equal(ring->sizes[1], 10);
	assert_int_equal(ring->sizes[2], 8);
	assert_int_equal(ring->sizes[3], 0);
	assert_int_equal(ring->sizes[4], 1);
	assert_memory_equal(ring->bytes, "firstsecond one12345678x", 24);
	assert_int_equal(*ring->consumer, *ring->producer);
	forget(ring);
	events_drain(ring->events);
	assert_int_equal(ring->count, 0);
	put(ring, "later", 5, 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, 1);
	assert_memory_equal(ring->bytes, "later", 5);
}

static void a_record_that_wraps_comes_in_one_piece(void **state)
{
	struct ring *ring = *state;
	char record[104];

	for (size_t i = 0; i < sizeof(record); i++)
		record[i] = i;
	put(ring, record, sizeof(record), 0);	/* 32 bytes at the end, 72 at the beginning */
	put(ring, "next", 4, 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, 2);
	assert_int_equal(ring->sizes[0], sizeof(record));
	assert_memory_equal(ring->bytes, record, sizeof(record));
	assert_memory_equal(ring->bytes + sizeof(record), "next", 4);
	assert_int_equal(*ring->consumer, *ring->producer);
}

/* The header is the last thing before the end, or all of the record just fits. */
static void records_at_the_very_end_are_whole(void **state)
{
	struct ring *ring = *state;

	put(ring, "0123456789abcdef01234567", 24, 0);	/* leaves 8 bytes */
	put(ring, "wrapped whole", 13, 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, 2);
	assert_memory_equal(ring->bytes + 24, "wrapped whole", 13);
	forget(ring);
	*ring->consumer = *ring->producer = 9 * RING_SIZE - 40;
	put(ring, "0123456789abcdef0123456789abcdef", 32, 0);
	put(ring, "begin", 5, 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, 2);
	assert_memory_equal(ring->bytes, "0123456789abcdef0123456789abcdefbegin", 37);
}

static void a_busy_record_holds_up_those_behind_it(void **state)
{
	struct ring *ring = *state;
	__u32 *busy;

	put(ring, "ready", 5, 0);
	busy = put(ring, "busy", 4, BPF_RINGBUF_BUSY_BIT);
	put(ring, "behind", 6, 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, 1);
	assert_memory_equal(ring->bytes, "ready", 5);
	assert_int_equal(*ring->consumer, 16);
	events_drain(ring->events);
	assert_int_equal(ring->count, 1);
	*busy &= ~BPF_RINGBUF_BUSY_BIT;
	events_drain(ring->events);
	assert_int_equal(ring->count, 3);
	assert_memory_equal(ring->bytes, "readybusybehind", 15);
	assert_int_equal(*ring->consumer, *ring->producer);
}

static void discarded_records_are_passed_over(void **state)
{
	struct ring *ring = *state;
	__u32 *busy;

	put(ring, "gone", 4, BPF_RINGBUF_DISCARD_BIT);
	put(ring, "kept", 4, 0);
	busy = put(ring, "dropped later", 13, BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
	put(ring, "kept too", 8, 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, 1);
	*busy &= ~BPF_RINGBUF_BUSY_BIT;
	events_drain(ring->events);
	assert_int_equal(ring->count, 2);
	assert_memory_equal(ring->bytes, "keptkept too", 12);
	assert_int_equal(*ring->consumer, *ring->producer);
}

static void a_full_ring_is_read_to_the_end(void **state)
{
	struct ring *ring = *state;

	for (int i = 0; i < RING_SIZE / 16; i++)
		put(ring, &i, sizeof(i), 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, RING_SIZE / 16);
	for (int i = 0; i < RING_SIZE / 16; i++)
		assert_memory_equal(ring->bytes + i * sizeof(i), &i, sizeof(i));
	assert_int_equal(*ring->consumer, *ring->producer);
}

/* Any sizes, discards and pauses: everything that went in is read. */
static void random_records_come_out_as_they_went_in(void **state)
{
	struct ring *ring = *state;
	uint32_t seed = 58;

	for (int round = 0; round < 2000; round++) {
		static char expected[RING_SIZE];
		size_t used = 0, count = 0;

		forget(ring);
		for (;;) {
			size_t len = random_next(&seed) % (round % 2 ? 300 : 1500);
			bool discard = random_next(&seed) % 5 == 0;
			char record[1500];

			if (*ring->producer + RECORD_ROUND(len) - *ring->consumer > RING_SIZE)
				break;
			for (size_t i = 0; i < len; i++)
				record[i] = random_next(&seed);
			put(ring, record, len, discard ? BPF_RINGBUF_DISCARD_BIT : 0);
			if (discard)
				continue;
			memcpy(expected + used, record, len);
			used += len;
			count++;
			if (random_next(&seed) % 8 == 0)
				break;
		}
		events_drain(ring->events);
		assert_int_equal(ring->count, count);
		assert_int_equal(ring->used, used);
		assert_memory_equal(ring->bytes, expected, used);
		assert_int_equal(*ring->consumer, *ring->producer);
	}
}

static void polling_what_cannot_be_polled_is_an_error(void **state)
{
	struct ring *ring = *state;
	struct stop stop;

	assert_int_equal(stop_open(&stop), 0);
	assert_int_equal(events_poll(ring->events, &stop, NULL, NULL), -EPERM);
	stop_close(&stop);
}

/*
 * events_poll() waits for the ring's file, which here is one that cannot be waited for: for the
 * tests below an eventfd is.
 */
static int waited_fd = -1, told_lost;

int __real_epoll_ctl(int epoll_fd, int op, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(int epoll_fd, int op, int fd, struct epoll_event *event)
{
	return __real_epoll_ctl(epoll_fd, op, waited_fd >= 0 ? waited_fd : fd, event);
}

void __wrap_tracer_tell_lost(struct tracer *tracer)
{
	(void)tracer;
	told_lost++;
}

static struct poll_run {
	struct stop stop;
	struct output *out;
	uint64_t began_ns;
	int file;
} poll_run;

static void poll_begin(uint64_t duration_ns)
{
	waited_fd = eventfd(0, EFD_CLOEXEC);
	told_lost = 0;
	poll_run.file = memfd_create("out", MFD_CLOEXEC);
	assert_int_equal(stop_open(&poll_run.stop), 0);
	stop_after(&poll_run.stop, duration_ns);
	poll_run.out = output_open(poll_run.file, false, &poll_run.stop);
	assert_non_null(poll_run.out);
	poll_run.began_ns = now_ns();
}

/* Returns what events_poll() did; sets *took_ns. */
static int poll_end(struct ring *ring, uint64_t *took_ns)
{
	int err = events_poll(ring->events, &poll_run.stop, poll_run.out, NULL);
	sigset_t interrupt;

	*took_ns = now_ns() - poll_run.began_ns;
	output_finish(poll_run.out, err);
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigtimedwait(&interrupt, NULL, &(struct timespec){ 0 });	/* not for the next test */
	stop_close(&poll_run.stop);
	close(waited_fd);
	waited_fd = -1;
	return err;
}

static void a_deadline_ends_a_run_in_which_nothing_happens(void **state)
{
	uint64_t took_ns;

	poll_begin(NS_PER_SECOND / 20);
	assert_int_equal(poll_end(*state, &took_ns), 0);
	assert_in_range(took_ns, NS_PER_SECOND / 25, 10 * NS_PER_SECOND);
	assert_int_equal(told_lost, 0);
}

static void put_until_five(struct ring *ring)
{
	if (ring->count < 4)
		put(ring, "more", 4, 0);
	else
		raise(SIGINT);
}

/* Without a wake-up the ring is read nevertheless, until a signal ends the run. */
static void records_are_read_unasked(void **state)
{
	struct ring *ring = *state;
	uint64_t took_ns;

	poll_begin(20 * NS_PER_SECOND);
	ring->read_one = put_until_five;
	put(ring, "first", 5, 0);
	assert_int_equal(poll_end(ring, &took_ns), 0);
	assert_int_equal(ring->count, 5);
	assert_memory_equal(ring->bytes, "firstmoremoremoremore", 21);
	assert_in_range(took_ns, 0, 10 * NS_PER_SECOND);
}

static void put_for_ever(struct ring *ring)
{
	ring->count = ring->used = 0;
	put(ring, "and one more", 12, 0);
}

/* Events that arrive faster than they are read delay neither the end nor the reports of losses. */
static void a_deadline_ends_a_run_that_never_catches_up(void **state)
{
	struct ring *ring = *state;
	uint64_t took_ns;

	poll_begin(NS_PER_SECOND * 6 / 5);
	ring->read_one = put_for_ever;
	put(ring, "first", 5, 0);
	assert_int_equal(poll_end(ring, &took_ns), 0);
	assert_in_range(took_ns, NS_PER_SECOND * 11 / 10, 10 * NS_PER_SECOND);
	assert_true(*ring->consumer < *ring->producer);
	assert_in_range(told_lost, 1, took_ns / NS_PER_SECOND);
}

static void put_three_late(struct ring *ring)
{
	ring->read_one = NULL;
	raise(SIGINT);
	assert_int_equal(stop_wait(&poll_run.stop, -1, 0), WAIT_STOP);
	for (int i = 0; i < 3; i++)
		put(ring, "late", 4, 0);
}

/* What is in the ring when the stop is noticed belongs to the run; later events do not. */
static void what_comes_after_the_stop_is_not_read(void **state)
{
	struct ring *ring = *state;
	uint64_t took_ns;

	poll_begin(20 * NS_PER_SECOND);
	ring->read_one = put_three_late;
	put(ring, "first", 5, 0);
	put(ring, "in time", 7, 0);
	assert_int_equal(poll_end(ring, &took_ns), 0);
	assert_int_equal(ring->count, 5);	/* those three arrived before it was noticed */
	put(ring, "later", 5, 0);
	events_drain(ring->events);
	assert_int_equal(ring->count, 5);
}

static void banner(struct ring *ring)
{
	(void)ring;
	output_banner(poll_run.out, "a line");
}

static void an_output_that_cannot_be_written_ends_the_run(void **state)
{
	struct ring *ring = *state;
	struct capture capture = capture_begin(STDERR_FILENO);
	uint64_t took_ns;
	int err;

	poll_begin(20 * NS_PER_SECOND);
	ring->read_one = banner;
	put(ring, "first", 5, 0);
	assert_int_equal(dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), poll_run.file),
			 poll_run.file);
	err = poll_end(ring, &took_ns);
	free(capture_end(&capture));
	assert_int_equal(err, -ENOSPC);
	assert_in_range(took_ns, 0, 10 * NS_PER_SECOND);
}

static void what_is_no_ring_is_not_opened(void **state)
{
	(void)state;
	errno = 0;
	assert_null(events_open(-1, RING_SIZE, reader, NULL));
	assert_int_equal(errno, EBADF);
	events_close(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define WITH(setup, test) cmocka_unit_test_setup_teardown(test, setup, ring_close)
		WITH(empty_ring, an_empty_ring_has_nothing_to_read),
		WITH(empty_ring, records_come_in_order_and_are_given_back),
		WITH(late_ring, a_record_that_wraps_comes_in_one_piece),
		WITH(late_ring, records_at_the_very_end_are_whole),
		WITH(empty_ring, a_busy_record_holds_up_those_behind_it),
		WITH(empty_ring, discarded_records_are_passed_over),
		WITH(empty_ring, a_full_ring_is_read_to_the_end),
		WITH(late_ring, random_records_come_out_as_they_went_in),
		WITH(empty_ring, polling_what_cannot_be_polled_is_an_error),
		WITH(empty_ring, a_deadline_ends_a_run_in_which_nothing_happens),
		WITH(empty_ring, records_are_read_unasked),
		WITH(empty_ring, a_deadline_ends_a_run_that_never_catches_up),
		WITH(empty_ring, what_comes_after_the_stop_is_not_read),
		WITH(empty_ring, an_output_that_cannot_be_written_ends_the_run),
		cmocka_unit_test(what_is_no_ring_is_not_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

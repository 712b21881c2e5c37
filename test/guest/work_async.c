// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Scenarios for ext4dist that submit now and complete later: libaio and io_uring by their system
 * calls, no library. How many tries are queued (-EIOCBQUEUED) or refused (-EAGAIN) depends on the
 * kernel and the speed of the disk: so sums are stated, never a fixed split.
 */
#include "work.h"

#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Reads that say how long each took, for a device that takes long. */
static void run_timed_read(struct job *j)
{
	for (long i = 0; i < j->count; i++) {
		long start = now_ns();

		must(pread(j->fd, page, PAGE, page_offset(i)) == PAGE);
		took_on(fs_name(j), "read", now_ns() - start);
	}
	expect_on(fs_name(j), "read", EXACT, j->count);
}

/* libaio: one request at a time */

static aio_context_t aio;

static void prepare_aio(struct job *j)
{
	must(j->count > 0 && (aio || !syscall(SYS_io_setup, 8, &aio)));
}

static void aio_do(struct job *j, int opcode, long result, int timed)
{
	static char buf[PAGE] __attribute__((aligned(PAGE)));

	for (long i = 0; i < j->count; i++) {
		struct iocb cb = {
			.aio_lio_opcode = opcode, .aio_fildes = j->fd,
			.aio_buf = result ? (unsigned long)buf : 0, .aio_nbytes = result,
			.aio_offset = result ? page_offset(i) : 0,
		}, *list = &cb;
		struct io_event event;
		long start = now_ns();

		must(syscall(SYS_io_submit, aio, 1, &list) == 1);
		must(syscall(SYS_io_getevents, aio, 1, 1, &event, NULL) == 1);
		must(event.res == result);
		if (timed)
			took_on(fs_name(j), "read", now_ns() - start);
	}
}

static void run_aio_read(struct job *j)
{
	aio_do(j, IOCB_CMD_PREAD, PAGE, 0);
	expect(READ, EXACT, j->count);
}

static void run_aio_direct_read(struct job *j)
{
	aio_do(j, IOCB_CMD_PREAD, PAGE, 0);
	expect(READ, QUEUED, j->count);
}

static void run_aio_direct_write(struct job *j)
{
	aio_do(j, IOCB_CMD_PWRITE, PAGE, 0);
	expect(WRITE, QUEUED, j->count);
}

static void run_timed_aio(struct job *j)
{
	aio_do(j, IOCB_CMD_PREAD, PAGE, 1);
	expect_on(fs_name(j), "read", EXACT, j->count);
}

/* In a kernel worker: -p does not see it. */
static void run_aio_fsync(struct job *j)
{
	aio_do(j, IOCB_CMD_FSYNC, 0, 0);
	expect(FSYNC, EXACT, j->count);
}

/* io_uring: batches of 8 */

#define DEPTH 8

static struct {
	int fd;
	unsigned int *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
} ring;

static void *ring_map(size_t size, off_t what)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd,
		       what);

	must(p != MAP_FAILED);
	return p;
}

static void prepare_ring(struct job *j)
{
	struct io_uring_params p = { 0 };
	char *sq, *cq;

	if (ring.fd)
		return;
	ring.fd = syscall(SYS_io_uring_setup, DEPTH, &p);
	must(j->count > 0 && ring.fd > 0);
	sq = ring_map(p.sq_off.array + p.sq_entries * sizeof(int), IORING_OFF_SQ_RING);
	cq = ring_map(p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
		      IORING_OFF_CQ_RING);
	ring.sqes = ring_map(p.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
	ring.sq_tail = (unsigned int *)(sq + p.sq_off.tail);
	ring.sq_mask = (unsigned int *)(sq + p.sq_off.ring_mask);
	ring.sq_array = (unsigned int *)(sq + p.sq_off.array);
	ring.cq_head = (unsigned int *)(cq + p.cq_off.head);
	ring.cq_tail = (unsigned int *)(cq + p.cq_off.tail);
	ring.cq_mask = (unsigned int *)(cq + p.cq_off.ring_mask);
	ring.cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
}

static void prepare_cold_ring(struct job *j)
{
	prepare_ring(j);
	must(!posix_fadvise(j->fd, 0, 0, POSIX_FADV_RANDOM));
	file_drop_cache(j->fd);
}

/* By batches; one request at a time is timed. */
static void ring_do(struct job *j, int opcode, int result, int batch)
{
	static char buf[DEPTH][PAGE] __attribute__((aligned(PAGE)));
	long done = 0;

	many_at_once();		/* workers of the kernel */
	while (done < j->count) {
		unsigned int n = j->count - done < batch ? j->count - done : batch;
		unsigned int tail = *ring.sq_tail, head = *ring.cq_head;
		long start = now_ns();

		for (unsigned int i = 0; i < n; i++, tail++) {
			unsigned int slot = tail & *ring.sq_mask;

			ring.sqes[slot] = (struct io_uring_sqe) {
				.opcode = opcode, .fd = j->fd,
				.addr = result ? (unsigned long)buf[i] : 0, .len = result,
				.off = result ? page_offset(5 * (done + i)) : 0,
			};
			ring.sq_array[slot] = slot;
		}
		__atomic_store_n(ring.sq_tail, tail, __ATOMIC_RELEASE);
		must(syscall(SYS_io_uring_enter, ring.fd, n, n, IORING_ENTER_GETEVENTS, NULL, 0) ==
		     n);
		if (batch == 1)
			took_on(fs_name(j), "read", now_ns() - start);
		must(__atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE) - head == n);
		for (unsigned int i = 0; i < n; i++, head++)
			if (ring.cqes[head & *ring.cq_mask].res != result)
				die("io_uring opcode %d: result %d", opcode,
				    ring.cqes[head & *ring.cq_mask].res);
		__atomic_store_n(ring.cq_head, head, __ATOMIC_RELEASE);
		done += n;
	}
}

static void run_uring_read(struct job *j)
{
	ring_do(j, IORING_OP_READ, PAGE, DEPTH);
	expect(READ, EXACT, j->count);
}

/* A page that is not there is tried several times; once it succeeds. */
static void run_uring_cold(struct job *j)
{
	ring_do(j, IORING_OP_READ, PAGE, DEPTH);
	expect(READ, RETRIED, j->count);
}

static void run_uring_write(struct job *j)
{
	ring_do(j, IORING_OP_WRITE, PAGE, DEPTH);
	expect(WRITE, EXACT, j->count);
}

static void run_uring_direct_read(struct job *j)
{
	ring_do(j, IORING_OP_READ, PAGE, DEPTH);
	expect(READ, DIRECT, j->count);
}

static void run_uring_direct_write(struct job *j)
{
	ring_do(j, IORING_OP_WRITE, PAGE, DEPTH);
	expect(WRITE, DIRECT, j->count);
}

/* What cannot do without waiting is tried again. */
static void run_timed_uring(struct job *j)
{
	ring_do(j, IORING_OP_READ, PAGE, 1);
	expect_on(fs_name(j), "read", TRIED, j->count);
}

static void run_uring_fsync(struct job *j)
{
	ring_do(j, IORING_OP_FSYNC, 0, DEPTH);
	expect(FSYNC, EXACT, j->count);
}

const struct scenario async_scenarios[] = {
	{ "aio_read",           89,  O_RDWR,            prepare_aio,       run_aio_read },
	{ "aio_direct_read",    79,  O_RDWR | O_DIRECT, prepare_aio,       run_aio_direct_read },
	{ "aio_direct_write",   71,  O_RDWR | O_DIRECT, prepare_aio,       run_aio_direct_write },
	{ "aio_fsync",          19,  O_RDWR,            prepare_aio,       run_aio_fsync },
	{ "uring_read",         107, O_RDWR,            prepare_ring,      run_uring_read },
	{ "uring_cold",         13,  O_RDWR,            prepare_cold_ring, run_uring_cold },
	{ "uring_write",        101, O_RDWR,            prepare_ring,      run_uring_write },
	{ "uring_direct_read",  83,  O_RDWR | O_DIRECT, prepare_ring,      run_uring_direct_read },
	{ "uring_direct_write", 61,  O_RDWR | O_DIRECT, prepare_ring,      run_uring_direct_write },
	{ "timed_read",         41,  O_RDWR | O_DIRECT, NULL,              run_timed_read },
	{ "timed_aio",          43,  O_RDWR | O_DIRECT, prepare_aio,       run_timed_aio },
	{ "timed_uring",        47,  O_RDWR | O_DIRECT, prepare_ring,      run_timed_uring },
	{ "uring_fsync",        17,  O_RDWR,            prepare_ring,      run_uring_fsync },
	{ 0 }
};

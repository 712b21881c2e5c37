// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The scenario stuck: threads that are inside a write of one file at the same time, and one more that
 * keeps them there: it writes a page that a page fault, which we answer, has yet to bring in.
 *
 * The threads are bare ones with small stacks, as mappings are limited; they do system calls alone.
 */
#include "work.h"

#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define STACK 2048

static int file, arrived, left;
static char *missing;		/* the page that is not there */

/* No errno, which threads without storage of their own do not have. */
static long bare(long number, long a, long b, long c, long d)
{
#if defined(__x86_64__)
	register long r10 asm("r10") = d;
	long result;

	asm volatile("syscall" : "=a"(result)
		     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 asm("x8") = number, x0 asm("x0") = a, x1 asm("x1") = b, x2 asm("x2") = c,
			      x3 asm("x3") = d;

	asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
#else
#error "system calls of this machine"
#endif
}

static int thread(void *unused __attribute__((unused)))
{
	char byte = 0;

	__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
	bare(SYS_pwrite64, file, (long)&byte, 1, 0);
	__atomic_add_fetch(&left, 1, __ATOMIC_SEQ_CST);
	return bare(SYS_exit, 0, 0, 0, 0);
}

static void *keep_inside(void *unused)
{
	must(pwrite(file, missing, 1, 8) == 1);
	return unused;
}

/* Its page faults are ours to answer. */
static int fault_descriptor(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int faults = syscall(SYS_userfaultfd, O_CLOEXEC);

	missing = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (unsigned long)missing;
	area.range.len = PAGE;
	must(faults >= 0 && missing != MAP_FAILED);
	must(!ioctl(faults, UFFDIO_API, &api) && !ioctl(faults, UFFDIO_REGISTER, &area));
	return faults;
}

static void wait_for(int *counter, int n)
{
	while (__atomic_load_n(counter, __ATOMIC_SEQ_CST) < n)
		usleep(20000);
}

/* count threads, and the keeper */
void run_stuck(struct job *j)
{
	char *stacks = mmap(NULL, j->count * STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct uffdio_zeropage answer = { 0 };
	pthread_t keeper;
	int faults;

	many_at_once();
	must(stacks != MAP_FAILED);
	file = j->fd;
	faults = fault_descriptor();
	must(!(errno = pthread_create(&keeper, NULL, keep_inside, NULL)));
	must(poll(&(struct pollfd){ .fd = faults, .events = POLLIN }, 1, -1) == 1);
	for (long i = 1; i <= j->count; i++)
		must(clone(thread, stacks + i * STACK - 16, CLONE_VM | CLONE_FS | CLONE_FILES |
			   CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL) > 0);
	wait_for(&arrived, j->count);
	sleep(2);	/* the last have arrived, but may not be inside yet */
	answer.range.start = (unsigned long)missing;
	answer.range.len = PAGE;
	must(!ioctl(faults, UFFDIO_ZEROPAGE, &answer));
	must(!(errno = pthread_join(keeper, NULL)));
	wait_for(&left, j->count);
	expect(WRITE, EXACT, j->count + 1);
}

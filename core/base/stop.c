// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Waiting with ppoll(): signals arrive through a descriptor, so there is no race to lose. */
#include "core/base/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/log.h"

#define END_NS (NS_PER_SECOND * 7 / 10)		/* leaves time for what does not wait */
#define PATIENCE_NS (NS_PER_SECOND / 2)
#define INTERRUPT_NS (NS_PER_SECOND / 20)

/* Not SIGALRM: an inherited alarm() must be able to end us. */
#define ALARM_SIGNAL SIGRTMIN

static void do_nothing(int signal __attribute__((unused)))
{
}

/* The signals that end the run: those that were not ignored when we were started. */
static void find_signals(sigset_t *set)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction inherited;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!sigaction(signals[i], NULL, &inherited) && inherited.sa_handler != SIG_IGN)
			sigaddset(set, signals[i]);
}

/* Makes the timer of stop_interrupt(). Its signal must not restart what it interrupts. */
static int alarm_open(struct stop *stop)
{
	struct sigaction action = { .sa_handler = do_nothing };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = ALARM_SIGNAL };
	sigset_t set;

	sigaction(ALARM_SIGNAL, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, ALARM_SIGNAL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return timer_create(CLOCK_MONOTONIC, &event, &stop->alarm);
}

int stop_open(struct stop *stop)
{
	sigset_t set;
	int err;

	*stop = (struct stop){ .deadline_ns = NEVER, .when_fd = -1,
			       .patience_ns = PATIENCE_NS };
	find_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	stop->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (stop->signal_fd < 0 || alarm_open(stop)) {
		err = -errno;
		log_error("cannot wait for signals: %s", strerror(-err));
		if (stop->signal_fd >= 0)
			close(stop->signal_fd);
		return err;
	}
	log_set_stop(stop);
	return 0;
}

void stop_close(struct stop *stop)
{
	log_set_stop(NULL);
	timer_delete(stop->alarm);
	close(stop->signal_fd);
}

void stop_after(struct stop *stop, uint64_t duration_ns)
{
	stop->deadline_ns = duration_ns ? add_ns(now_ns(), duration_ns) : NEVER;
}

void stop_when(struct stop *stop, int fd, bool (*over)(void *context), void *context)
{
	stop->when_fd = fd;
	stop->when_over = over;
	stop->when_context = context;
}

void stop_pass_signals(struct stop *stop, void (*pass_on)(void *context, int signal_fd),
		       void *context)
{
	stop->pass_on = pass_on;
	stop->pass_context = context;
}

/* Signals have arrived. Returns whether they end the run. */
static bool take_signals(const struct stop *stop)
{
	if (!stop->pass_on)
		return true;
	stop->pass_on(stop->pass_context, stop->signal_fd);
	return false;
}

static struct timespec time_left(uint64_t until_ns)
{
	uint64_t now = now_ns(), left = until_ns > now ? until_ns - now : 0;

	return (struct timespec){ left / NS_PER_SECOND, left % NS_PER_SECOND };
}

/* Whether to stop, by what poll() returned or by the clock. */
static bool stop_came(struct stop *stop, const struct pollfd *fds)
{
	uint64_t now = now_ns();

	if (!(fds[0].revents && take_signals(stop)) && !fds[1].revents &&
	    now < stop->deadline_ns &&
	    !(fds[2].revents && stop->when_over(stop->when_context)))
		return false;
	stop->stopped_ns = now;
	/* Little is left to do, and busy processors must not delay it. Without the right, they do. */
	setpriority(PRIO_PROCESS, 0, -20);
	return true;
}

static enum wait_end wait_for(struct stop *stop, int fd, short what, uint64_t until_ns)
{
	struct pollfd fds[] = {
		{ .fd = stop->signal_fd, .events = POLLIN },
		{ .fd = STDOUT_FILENO },	/* POLLERR: its reader has gone */
		{ .fd = stop->when_fd, .events = POLLIN },
		{ .fd = fd, .events = what },
	};
	uint64_t wake_ns = until_ns < stop->deadline_ns ? until_ns : stop->deadline_ns;

	while (!stop->stopped_ns) {
		struct timespec timeout = time_left(wake_ns);
		int ready = ppoll(fds, 4, wake_ns == NEVER ? NULL : &timeout, NULL);

		if (ready < 0) {
			if (errno != EINTR)
				break;
			for (int i = 0; i < 4; i++)
				fds[i].revents = 0;
		}
		if (stop_came(stop, fds))
			break;
		if (fds[3].revents)
			return WAIT_EVENT;
		if (now_ns() >= until_ns)
			return WAIT_TIME;
	}
	return WAIT_STOP;
}

enum wait_end stop_wait(struct stop *stop, int fd, uint64_t until_ns)
{
	return wait_for(stop, fd, POLLIN, until_ns);
}

uint64_t stop_left_ns(const struct stop *stop)
{
	uint64_t passed_ns = stop && stop->stopped_ns ? now_ns() - stop->stopped_ns : 0;

	return passed_ns < END_NS ? END_NS - passed_ns : 0;
}

bool stop_writable(struct stop *stop, int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };
	uint64_t patience_ns, until_ns;
	int ready;

	if (wait_for(stop, fd, POLLOUT, NEVER) == WAIT_EVENT)
		return true;
	patience_ns = stop_left_ns(stop);
	if (patience_ns > stop->patience_ns)
		patience_ns = stop->patience_ns;
	until_ns = add_ns(now_ns(), patience_ns);
	do {
		struct timespec timeout = time_left(until_ns);

		ready = ppoll(&poll_fd, 1, &timeout, NULL);
	} while (ready < 0 && errno == EINTR);
	return ready > 0;
}

void stop_charge(struct stop *stop, uint64_t *since_ns)
{
	uint64_t now = now_ns(), spent;

	if (stop->stopped_ns) {
		spent = now - (*since_ns > stop->stopped_ns ? *since_ns : stop->stopped_ns);
		stop->patience_ns -= spent < stop->patience_ns ? spent : stop->patience_ns;
	}
	*since_ns = now;
}

void stop_interrupt(const struct stop *stop, bool on)
{
	struct timespec every = { .tv_nsec = on ? INTERRUPT_NS : 0 };

	timer_settime(stop->alarm, 0, &(struct itimerspec){ every, every }, NULL);
}

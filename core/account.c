// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading the accounts of a BPF object and telling what was lost. */
#include "account.h"

#include <string.h>

#include <bpf/libbpf.h>

#include "bpf/event.h"
#include "core/log.h"
#include "core/percpu.h"
#include "core/probe.h"

int accounts_open(struct accounts *accounts, const struct bpf_object *object)
{
	*accounts = (struct accounts){ 0 };
	accounts->map_fd = bpf_object__find_map_fd_by_name(object, "account");
	return accounts->map_fd < 0 ? accounts->map_fd : 0;
}

static int sum(const struct accounts *accounts, struct account *total)
{
	return percpu_sum(accounts->map_fd, 0, (__u64 *)total, sizeof(*total) / sizeof(__u64));
}

void accounts_tell_lost(struct accounts *accounts)
{
	struct account total;

	if (sum(accounts, &total) || total.lost_events == accounts->told_events)
		return;
	warning("lost %llu events: they came faster than they could be written",
		total.lost_events - accounts->told_events);
	accounts->told_events = total.lost_events;
}

void accounts_tell_all(struct accounts *accounts, const struct probes *probes)
{
	unsigned long long recursion = probes_recursion_misses(probes);
	struct account total;
	int err = sum(accounts, &total);

	if (err) {
		warning("cannot tell what was lost: %s", strerror(-err));
		return;
	}
	if (total.lost_events)
		warning("lost %llu events in all", (unsigned long long)total.lost_events);
	if (total.lost_threads)
		warning("lost %llu operations: too many threads at a time",
			(unsigned long long)total.lost_threads);
	if (recursion)
		warning("missed %llu calls that came while a probe was running", recursion);
	if (total.entries > total.returns) {
		warning("missed the return of %llu of %llu calls (or they have not returned yet): "
			"the kernel ran out of kretprobes",
			(unsigned long long)(total.entries - total.returns),
			(unsigned long long)total.entries);
		hint("--attach=fentry does not lose them");
	}
}

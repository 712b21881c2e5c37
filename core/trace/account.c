// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading the accounts of a BPF object and telling what was lost. */
#include "core/trace/account.h"

#include <errno.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "bpf/event.h"
#include "core/base/log.h"

int accounts_open(struct accounts *accounts, const struct bpf_object *object)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(object, "account");
	int err = map ? percpu_open(&accounts->counters, map) : -ENOENT;

	if (err)
		log_error("cannot map the accounts: %s", strerror(-err));
	return err;
}

void accounts_close(struct accounts *accounts)
{
	percpu_close(&accounts->counters);
}

static struct account sum(const struct accounts *accounts)
{
	struct account total;

	if (accounts->is_frozen)
		return accounts->frozen;
	percpu_sum(&accounts->counters, 0, (__u64 *)&total, sizeof(total) / sizeof(__u64));
	return total;
}

void accounts_freeze(struct accounts *accounts)
{
	accounts->frozen = sum(accounts);
	accounts->is_frozen = true;
}

void accounts_tell_lost(struct accounts *accounts)
{
	struct account total = sum(accounts);

	/* A terminal that is stopped must not stop us; the next report has the sum. */
	if (total.lost_events == accounts->told_events || !log_ready())
		return;
	log_warning("lost %llu events: they came faster than they could be written",
		total.lost_events - accounts->told_events);
	accounts->told_events = total.lost_events;
}

unsigned long long accounts_proofs(const struct accounts *accounts)
{
	return sum(accounts).proofs;
}

void refused_calls_add(struct refused_calls *calls, unsigned long long entries,
		       unsigned long long returns)
{
	calls->least += entries > returns ? entries : returns;
	calls->most += entries + returns;
}

static void tell_refused(const struct refused_calls *refused)
{
	static const char when[] = "calls that came while a probe was running";

	if (refused->of_all)
		log_warning("missed at most %llu %s (of all processes: it is not known of which)",
			    refused->most, when);
	else if (refused->least < refused->most)
		log_warning("missed at least %llu and at most %llu %s", refused->least,
			    refused->most, when);
	else
		log_warning("missed %llu %s", refused->most, when);
}

/* Calls whose frames were dropped, apart from those that the other reports include. */
static void tell_forgotten(const struct account *total, const struct refused_calls *refused)
{
	unsigned long long told = refused->most;

	if (total->entries > total->returns)
		told += total->entries - total->returns;
	if (total->lost_returns > told)
		log_warning("lost %llu calls: their return was not seen, or they nest too deeply",
			    total->lost_returns - told);
}

void accounts_tell_all(struct accounts *accounts, const struct refused_calls *refused)
{
	struct account total = sum(accounts);

	if (total.lost_events)
		log_warning("lost %llu events in all", (unsigned long long)total.lost_events);
	if (total.lost_threads)
		log_warning("lost %llu operations: too many threads at a time",
			(unsigned long long)total.lost_threads);
	if (refused->most)
		tell_refused(refused);
	if (total.entries > total.returns)
		log_warning("missed the return of %llu of %llu calls (or they have not returned yet): "
			"the kernel ran out of kretprobes",
			(unsigned long long)(total.entries - total.returns),
			(unsigned long long)total.entries);
	tell_forgotten(&total, refused);
	if ((refused->most || total.entries > total.returns) && refused->forced)
		log_hint("--attach=auto takes what misses least on this kernel");
}

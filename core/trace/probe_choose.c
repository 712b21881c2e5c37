// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choosing a probe's function: what can be decided without a kernel. */
#include "core/trace/probe.h"

#include <errno.h>
#include <string.h>

#include "core/base/log.h"

int probe_choose(const struct probe *probe, bool by_btf, const struct btf_function *functions,
		 const struct ksym *symbols, struct choice *choice)
{
	int err = -ENOENT;

	*choice = (struct choice){ 0 };
	for (size_t i = 0; i < PROBE_CANDIDATES_MAX && probe->candidates[i].function; i++) {
		const struct candidate *candidate = &probe->candidates[i];
		const char *function = NULL;

		if (by_btf && functions[i].id) {
			if (functions[i].copies == 1 && (!symbols || symbols[i].copies == 1))
				function = functions[i].name;
			else if (functions[i].copies > 1 || symbols[i].copies > 1)
				err = -EADDRNOTAVAIL;
		} else if (!by_btf && symbols) {
			if (symbols[i].copies == 1)
				function = symbols[i].name;
			else if (symbols[i].copies > 1 || symbols[i].clones > 1)
				err = -EADDRNOTAVAIL;
			else if (symbols[i].clones)
				function = symbols[i].clone;
		}
		if (function) {
			*choice = (struct choice){ candidate, function, &functions[i] };
			return 0;
		}
	}
	return err;
}

int probe_force(struct probe *set, size_t nprobes, const char *forced)
{
	const char *function = strchr(forced, '=');
	size_t len = function ? (size_t)(function - forced) : 0;

	for (size_t i = 0; function && i < nprobes; i++) {
		struct probe *probe = &set[i];

		if (strncmp(probe->name, forced, len) || probe->name[len])
			continue;
		for (size_t j = 0; j < PROBE_CANDIDATES_MAX && probe->candidates[j].function; j++) {
			struct candidate candidate = probe->candidates[j];

			if (strcmp(candidate.function, function + 1))
				continue;
			memset(probe->candidates, 0, sizeof(probe->candidates));
			probe->candidates[0] = candidate;
			return 0;
		}
	}
	log_error("no such probe: '%s'", forced);
	for (size_t i = 0; i < nprobes; i++)
		for (size_t j = 0; j < PROBE_CANDIDATES_MAX && set[i].candidates[j].function; j++)
			log_hint("--probe=%s=%s", set[i].name, set[i].candidates[j].function);
	return -EINVAL;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sets of probes, independent of any kernel. */
#include "core/trace/probe.h"

#include <errno.h>
#include <string.h>

#include "core/base/log.h"

const char *const mechanism_names[MECHANISMS] = {
	[BY_FENTRY] = "fentry",
	[BY_SESSION] = "kprobe session",
	[BY_KPROBE] = "kprobe",
};

size_t probes_count(const struct probe *set)
{
	size_t count = 0;

	while (set[count].name)
		count++;
	return count;
}

int probe_force(struct probe *set, const char *forced)
{
	const char *function = strchr(forced, '=');
	size_t len = function ? (size_t)(function - forced) : 0;

	for (struct probe *probe = set; function && probe->name; probe++) {
		if (strncmp(probe->name, forced, len) || probe->name[len])
			continue;
		for (size_t i = 0; i < PROBE_CANDIDATES_MAX && probe->candidates[i].function; i++) {
			struct candidate candidate = probe->candidates[i];

			if (strcmp(candidate.function, function + 1))
				continue;
			memset(probe->candidates, 0, sizeof(probe->candidates));
			probe->candidates[0] = candidate;
			return 0;
		}
	}
	log_error("no such probe: '%s'", forced);
	for (const struct probe *probe = set; probe->name; probe++)
		for (size_t i = 0; i < PROBE_CANDIDATES_MAX && probe->candidates[i].function; i++)
			log_hint("--probe=%s=%s", probe->name, probe->candidates[i].function);
	return -EINVAL;
}

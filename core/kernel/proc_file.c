// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lines of small files. */
#include "core/kernel/proc_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool proc_read_line(const char *path, const char *key, char *buffer, size_t size)
{
	FILE *file = fopen(path, "re");
	bool found = false;

	if (!file)
		return false;
	while (!found && fgets(buffer, size, file)) {
		size_t len = key ? strlen(key) : 0;

		if (key && (strncmp(buffer, key, len) || buffer[len] != ':'))
			continue;
		if (key)
			memmove(buffer, buffer + len + 1, strlen(buffer + len + 1) + 1);
		buffer[strcspn(buffer, "\n")] = '\0';
		found = true;
	}
	fclose(file);
	return found;
}

bool proc_has_capability(int capability)
{
	char line[64];

	if (!proc_read_line("/proc/self/status", "CapEff", line, sizeof(line)))
		return true;	/* let the kernel decide */
	return strtoull(line, NULL, 16) >> capability & 1;
}

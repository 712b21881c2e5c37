// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looking for functions in /proc/kallsyms. */
#include "core/kernel/ksyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Takes the line apart in place; false for what is no function. */
static int parse_line(char *line, char **name, char **module)
{
	char *type = strchr(line, ' ');

	if (!type || !type[1] || type[2] != ' ')
		return 0;
	if (!strchr("tTwW", type[1]))
		return 0;
	*name = type + 3;
	*module = *name + strcspn(*name, " \t\n");
	if (**module)
		*(*module)++ = '\0';
	*module += strspn(*module, " \t[");
	(*module)[strcspn(*module, "]\n")] = '\0';
	return **name != '\0';
}

/* Whether `suffix`, what follows a function's name, makes it a clone of the whole function. */
static int is_clone(const char *suffix)
{
	static const char *const kinds[] = { ".constprop.", ".isra.", ".llvm." };
	int known = 0;

	if (*suffix != '.' || strstr(suffix, ".cold") || strstr(suffix, ".part."))
		return 0;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		known |= !strncmp(suffix, kinds[i], strlen(kinds[i]));
	return known;
}

static void match(struct ksym *symbol, const char *name, const char *module)
{
	size_t len = strlen(symbol->name);

	if (strncmp(name, symbol->name, len))
		return;
	if (!name[len]) {
		symbol->copies++;
		snprintf(symbol->module, sizeof(symbol->module), "%s", module);
	} else if (is_clone(name + len) && strlen(name) < sizeof(symbol->clone)) {
		symbol->clones++;
		strcpy(symbol->clone, name);
		if (!symbol->copies)
			snprintf(symbol->module, sizeof(symbol->module), "%s", module);
	}
}

long ksyms_find(FILE *kallsyms, struct ksym *symbols, size_t nsymbols)
{
	char *line = NULL, *name, *module;
	size_t size = 0;
	long seen = 0;

	for (size_t i = 0; i < nsymbols; i++)
		symbols[i] = (struct ksym){ .name = symbols[i].name };
	while (getline(&line, &size, kallsyms) > 0) {
		if (!parse_line(line, &name, &module))
			continue;
		seen++;
		for (size_t i = 0; i < nsymbols; i++)
			match(&symbols[i], name, module);
	}
	free(line);
	return ferror(kallsyms) ? -EIO : seen;
}

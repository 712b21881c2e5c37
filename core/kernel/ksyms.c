// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds functions in /proc/kallsyms. */
#include "core/kernel/ksyms.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/names.h"

/* A line, parsed as far as needed: few of the 200 000 have a wanted name. */
struct line {
	const char *text;
	char *name;
	size_t base;		/* length of the name up to the first dot */
	char *module;		/* "": the kernel */
};

/* What a symbol is, by what follows the function's name in it. */
enum kind {
	KIND_OTHER,		/* fragments, jump tables, anything unknown */
	KIND_COPY,		/* the function under its own name */
	KIND_CLONE,		/* the whole function, under another name */
	KIND_ALTERED,		/* a clone whose arguments may be missing */
	KIND_CFI,		/* a clone; the function's own name is a jump table entry */
};

/* The symbols of a function in one place: in the kernel, or in its module. */
struct tally {
	unsigned int copies, clones;
	bool has_cfi, is_altered;
	uint64_t address, clone_address;
	char clone[KSYM_SIZE];
};

struct finder {
	struct names names;
	struct ksym *symbols;
	size_t nsymbols;
	size_t *first, *next;	/* symbols of a name, and of the same name: number + 1, or 0 */
	struct tally (*tallies)[2];	/* of each symbol: in the kernel, in its module */
	unsigned int *elsewhere;	/* and how many are in other modules */
};

/* The name of a function; false if the line is not a function. */
static bool parse_name(char *text, struct line *line)
{
	char *type = strchr(text, ' ');

	if (!type || !type[1] || type[2] != ' ' || !strchr("tTwW", type[1]))
		return false;
	line->text = text;
	line->name = type + 3;
	for (line->base = 0; (unsigned char)line->name[line->base] > ' '; line->base++)
		if (line->name[line->base] == '.')
			break;
	return line->base;
}

/* The rest of the line, which is split in place. */
static void parse_rest(struct line *line)
{
	line->module = line->name + strcspn(line->name, " \t\r\n");
	if (*line->module)
		*line->module++ = '\0';
	line->module += strspn(line->module, " \t\r\n[");
	line->module[strcspn(line->module, "]\r\n")] = '\0';
}

/* One word of a suffix; with `is_numbered`, the next is a number that belongs to it. */
static enum kind word_kind(const char *word, size_t len, bool *is_numbered)
{
	static const struct {
		const char *word;
		bool is_numbered;
		enum kind kind;
	} kinds[] = {
		{ "llvm", true, KIND_CLONE },		/* clang, ThinLTO */
		{ "__uniq", true, KIND_CLONE },		/* clang -funique-internal-linkage-names */
		{ "lto_priv", true, KIND_CLONE },	/* gcc -flto */
		{ "cfi", false, KIND_CFI },		/* clang, the old CFI */
		{ "constprop", true, KIND_ALTERED },
		{ "isra", true, KIND_ALTERED },
		{ "specialized", true, KIND_ALTERED },	/* from here on, clang's */
		{ "argprom", false, KIND_ALTERED },
		{ "argelim", false, KIND_ALTERED },
		{ "retelim", false, KIND_ALTERED },
	};

	*is_numbered = false;
	/* Clang's full LTO: a hash, or a number for the second static function of a name. */
	if (len && strspn(word, "0123456789abcdef") >= len)
		return KIND_CLONE;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strlen(kinds[i].word) == len && !memcmp(kinds[i].word, word, len)) {
			*is_numbered = kinds[i].is_numbered;
			return kinds[i].kind;
		}
	return KIND_OTHER;
}

/* `suffix` begins with a dot or is empty. Every word of it must be known; the strongest counts. */
static enum kind suffix_kind(const char *suffix)
{
	enum kind kind = KIND_COPY;

	while (*suffix) {
		size_t len = strcspn(++suffix, ".");
		bool is_numbered;
		enum kind word = word_kind(suffix, len, &is_numbered);

		if (word == KIND_OTHER)
			return word;
		if (word > kind)
			kind = word;
		suffix += len;
		if (is_numbered) {
			if (*suffix != '.' || !isxdigit((unsigned char)suffix[1]))
				return KIND_OTHER;
			suffix += 1 + strspn(suffix + 1, "0123456789abcdef");
			if (*suffix && *suffix != '.')
				return KIND_OTHER;
		}
	}
	return kind;
}

static void count(struct tally *tally, enum kind kind, const struct line *line)
{
	uint64_t address = strtoull(line->text, NULL, 16);

	if (kind == KIND_COPY) {
		tally->copies++;
		tally->address = address;
		return;
	}
	if (kind == KIND_CFI && !tally->has_cfi)
		tally->clones = 0;
	tally->has_cfi |= kind == KIND_CFI;
	if (tally->has_cfi && kind != KIND_CFI)
		return;
	tally->clones++;
	tally->clone_address = address;
	tally->is_altered = kind == KIND_ALTERED;
	snprintf(tally->clone, sizeof(tally->clone), "%s", line->name);
}

/* Counts the line in all requests for its name. */
static void match(struct finder *finder, struct line *line)
{
	long name = names_find(&finder->names, line->name, line->base);
	enum kind kind;

	if (name < 0)
		return;
	parse_rest(line);
	kind = suffix_kind(line->name + line->base);
	if (kind == KIND_OTHER)
		return;
	for (size_t i = finder->first[name]; i; i = finder->next[i - 1]) {
		const char *module = finder->symbols[i - 1].module;
		struct tally *tallies = finder->tallies[i - 1];

		if (!*line->module)
			count(&tallies[0], kind, line);
		else if (module && !strcmp(module, line->module))
			count(&tallies[1], kind, line);
		else
			finder->elsewhere[i - 1]++;
	}
}

static void settle(struct ksym *symbol, struct tally tallies[2], unsigned int elsewhere)
{
	struct tally *own = &tallies[tallies[1].copies || tallies[1].clones];
	const struct tally *other = own == tallies ? &tallies[1] : &tallies[0];

	/* An alias at the same address does not count again. */
	if (own->copies == 1 && own->clones == 1 && own->address &&
	    own->address == own->clone_address)
		own->clones = 0;
	if (own->has_cfi)
		own->copies = 0;
	symbol->in_module = own != tallies;
	symbol->copies = own->copies;
	symbol->clones = own->clones;
	symbol->others = elsewhere + other->copies + other->clones;
	symbol->address = own->copies ? own->address : own->clone_address;
	if (own->clones) {
		symbol->is_altered = own->is_altered;
		strcpy(symbol->clone, own->clone);
	}
}

static int prepare(struct finder *finder)
{
	size_t n = finder->nsymbols + 1;	/* none is fine */

	finder->first = calloc(n, sizeof(*finder->first));
	finder->next = calloc(n, sizeof(*finder->next));
	finder->tallies = calloc(n, sizeof(*finder->tallies));
	finder->elsewhere = calloc(n, sizeof(*finder->elsewhere));
	if (!finder->first || !finder->next || !finder->tallies || !finder->elsewhere)
		return -ENOMEM;
	for (size_t i = 0; i < finder->nsymbols; i++) {
		struct ksym *symbol = &finder->symbols[i];
		long name = names_add(&finder->names, symbol->name, strlen(symbol->name));

		if (name < 0)
			return name;
		*symbol = (struct ksym){ .name = symbol->name, .module = symbol->module };
		finder->next[i] = finder->first[name];
		finder->first[name] = i + 1;
	}
	return 0;
}

long ksyms_find(FILE *kallsyms, struct ksym *symbols, size_t nsymbols)
{
	struct finder *finder = calloc(1, sizeof(*finder));
	struct line line;
	char *text = NULL;
	size_t size = 0;
	long seen;

	if (!finder)
		return -ENOMEM;
	finder->symbols = symbols;
	finder->nsymbols = nsymbols;
	seen = prepare(finder);
	while (seen >= 0 && getline(&text, &size, kallsyms) > 0) {
		if (!parse_name(text, &line))
			continue;
		seen++;
		match(finder, &line);
	}
	for (size_t i = 0; seen >= 0 && i < nsymbols; i++)
		settle(&symbols[i], finder->tallies[i], finder->elsewhere[i]);
	if (ferror(kallsyms))
		seen = -EIO;
	free(text);
	names_free(&finder->names);
	free(finder->first);
	free(finder->next);
	free(finder->tallies);
	free(finder->elsewhere);
	free(finder);
	return seen;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An applet is data: its options, operands, examples and records as rows, and one function. The
 * command line is parsed by these rows; --help, the generated parts of the manual pages,
 * docs/options.md, completion and JSON Schema are made from them. Nothing is described twice.
 *
 * Each applets/STEM.c defines an array STEM_applets, ended by a row without a name;
 * cmake/Applets.cmake writes the table of the arrays of all files in applets/.
 */
#ifndef FSTRACE_CORE_CLI_APPLET_H
#define FSTRACE_CORE_CLI_APPLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;

enum option_kind {
	OPTION_FLAG,		/* bool: was given */
	OPTION_COUNT,		/* int: how often it was given */
	OPTION_UINT,		/* uint32_t or uint64_t, by .size: from .min to .max */
	OPTION_SECONDS,		/* uint64_t in ns: seconds above 0, decimals allowed */
	OPTION_CHOICE,		/* an enum: index of one of .choices */
	OPTION_CHOICES,		/* uint64_t: a bit for each of .choices in a list with commas */
	OPTION_STRING,		/* const char * */
	OPTION_FILE,		/* const char *: the name of a file */
	OPTION_PARSED,		/* as .parse stores it */
	/* Only in core: not stored, but carried out. */
	OPTION_HELP,
	OPTION_USAGE,
	OPTION_VERSION,
};

/* An option or an operand. Rows end with one without a name. */
struct option_row {
	char letter;			/* 0: none */
	const char *name;		/* long name without its dashes; of an operand, in capitals */
	const char *arg;		/* the value in --help: "PID"; NULL: takes none */
	enum option_kind kind;
	uint16_t offset, size;		/* its member of the options struct: OPTION_AT() */
	bool hidden;			/* works, but is not documented */
	uint64_t min, max;
	const char *const *choices;	/* ends with NULL */
	/*
	 * OPTION_PARSED: reads `word` into its member. Returns 0, or -errno; then the word is
	 * refused. May be called several times.
	 */
	int (*parse)(const char *word, void *member);
	void (*release)(void *member);	/* frees what .parse has made; NULL: nothing to free */
	const char *value;		/* its name in errors: "invalid VALUE '...'" */
	const char *expects;		/* OPTION_PARSED: hint for a wrong one: "PIDs: 181,200" */
	const char *help;		/* half a sentence, lower case, for one line of --help */
	const char *more;		/* further sentences, for the manual page */
};

/* The place of a member in the options struct: OPTION_AT(struct options, all). */
#define OPTION_AT(type, member)                                                                    \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* A command line to copy: what follows the applet's name, and what it does. */
struct example {
	const char *args;
	const char *help;
};

/*
 * How fstrace doctor proves that an applet works: by operations of a known number, which it must
 * count in its JSON.
 */
struct trial {
	const char *filesystem;		/* its name: one must be mounted and writable; NULL: any */
	const char *what;		/* the operations: "reads" */
	const char *operand;		/* that the applet needs to show all; NULL: none */
	/*
	 * Carries out n of them in a folder, and leaves nothing there. `id`, another in each run, is
	 * for names. Returns 0 or -errno.
	 */
	int (*work)(const char *folder, unsigned int id, unsigned int n);
	const char *line;		/* is in the lines that count; formatted with id and index, below */
	/* What comes before their number in such a line; NULL: each, from index 0 on, has a line. */
	const char *count;
};

struct applet {
	const char *name;		/* sub-command, symbolic link, manual page */
	const char *summary;		/* one line of fstrace --help */
	const char *help;		/* --help: sentences above the options */
	const char *notes;		/* --help: sentences below them; NULL: none */
	/*
	 * The options struct begins with a struct common_options, whose rows are added to these.
	 * A family of applets shares groups of rows.
	 */
	const struct option_row *options[7];	/* ends with NULL */
	const struct option_row *operands;	/* in their order, each may be left out; or NULL */
	size_t options_size;
	const void *defaults;		/* an options struct; NULL: all zero */
	const struct example *examples;	/* ends with a row without help */
	const struct record *records;	/* what it prints; ends with a row without a name */
	const struct trial *trial;	/* for fstrace doctor; NULL: it is only seen to attach */
	const char *page;		/* docs/PAGE.8.in of a family; NULL: the applet's name */
	const void *member;		/* of a family: which one this is, for run() */
	/* `options`: the parsed options struct. Returns EXIT_... */
	int (*run)(const struct applet *self, const void *options);
};

/* Arrays of applets; ends with NULL. */
extern const struct applet *const applet_table[];

/* The first one by name, or the next one after `applet`; NULL: there is none. */
const struct applet *applet_next(const struct applet *applet);

/* By name, whatever their files are called. */
#define FOR_EACH_APPLET(applet)                                                                    \
	for (const struct applet *applet = applet_next(NULL); applet; applet = applet_next(applet))

#endif

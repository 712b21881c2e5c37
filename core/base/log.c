// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages on stderr. */
#include "core/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <bpf/libbpf.h>

static int verbosity;

void log_set_verbosity(int level)
{
	verbosity = level;
}

/* One write for one line, so that lines of several processes do not mix. */
static void say(const char *who, const char *label, const char *format, va_list args)
{
	char line[1024];
	int len = snprintf(line, sizeof(line), "%s: %s", who, label);

	len += vsnprintf(line + len, sizeof(line) - len, format, args);
	if (len > (int)sizeof(line) - 2)
		len = sizeof(line) - 2;
	/* A bad word may hold anything. */
	for (int i = 0; i < len - 1; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	if (line[len - 1] != '\n')
		line[len++] = '\n';
	if (write(STDERR_FILENO, line, len) < 0)
		return;		/* nowhere left to complain */
}

void log_error_as(const char *who, const char *format, va_list args)
{
	say(who, "", format, args);
}

#define SAY(label)                                                                                 \
	do {                                                                                       \
		va_list args;                                                                      \
                                                                                                   \
		va_start(args, format);                                                            \
		say("fstrace", label, format, args);                                               \
		va_end(args);                                                                      \
	} while (0)

void log_error(const char *format, ...)
{
	SAY("");
}

void log_warning(const char *format, ...)
{
	SAY("warning: ");
}

void log_hint(const char *format, ...)
{
	SAY("hint: ");
}

void log_debug(const char *format, ...)
{
	if (verbosity >= 1)
		SAY("");
}

/* Whatever its length: a verifier's log has thousands of lines. */
static int print_libbpf(enum libbpf_print_level level __attribute__((unused)),
			const char *format, va_list args)
{
	return verbosity >= 2 ? vdprintf(STDERR_FILENO, format, args) : 0;
}

void log_take_libbpf(void)
{
	libbpf_set_print(print_libbpf);
}

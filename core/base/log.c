// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages on stderr. */
#include "core/base/log.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "core/base/escape.h"
#include "core/base/write.h"

static int verbosity;
static struct stop *run_stop;
static unsigned long unwritten;
static bool reported;

void log_set_verbosity(int level)
{
	verbosity = level;
}

int log_verbosity(void)
{
	return verbosity;
}

void log_set_stop(struct stop *stop)
{
	run_stop = stop;
}

bool log_ready(void)
{
	struct pollfd fd = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&fd, 1, 0) > 0;
}

/* Reported later only if the reader was too slow: other errors cannot be reported anywhere. */
static void put(const char *text, size_t len)
{
	char line[80];
	int line_len;

	if (unwritten && log_ready()) {
		line_len = snprintf(line, sizeof(line),
				    "fstrace: warning: messages not written: %lu\n", unwritten);
		unwritten = 0;
		write_all(STDERR_FILENO, line, line_len, run_stop);
	}
	if (write_all(STDERR_FILENO, text, len, run_stop) < len && errno == ETIMEDOUT)
		unwritten++;
}

/* Escapes all but line ends and tabs: a message may quote the user, the kernel or a BTF file. */
static void put_escaped(const char *text, size_t len)
{
	char *escaped = malloc(len * ESCAPE_TEXT_MAX + 1), *to = escaped;

	if (!escaped) {
		unwritten++;
		return;
	}
	for (size_t part; len; text += part, len -= part) {
		part = 0;
		while (part < len && text[part] != '\n' && text[part] != '\t')
			part++;
		to = part ? escape_text(to, text, part) : to;
		if (part < len)
			*to++ = text[part++];
	}
	put(escaped, to - escaped);
	free(escaped);
}

static int put_formatted(const char *format, va_list args)
{
	char *text;
	int len = vasprintf(&text, format, args);

	if (len < 0)
		return len;
	put_escaped(text, len);
	free(text);
	return len;
}

/* One write for one line, so that lines of several processes do not mix. */
static void say(const char *who, const char *label, const char *format, va_list args)
{
	char line[1024], escaped[sizeof(line) * ESCAPE_TEXT_MAX + 1], *end;
	int len = snprintf(line, sizeof(line), "%s: %s", who, label);

	len += vsnprintf(line + len, sizeof(line) - len, format, args);
	if (len > (int)sizeof(line) - 1) {
		len = sizeof(line) - 1;
		memcpy(line + len - 3, "...", 3);
	}
	len -= line[len - 1] == '\n';
	end = escape_text(escaped, line, len);
	*end++ = '\n';
	put(escaped, end - escaped);
}

bool log_has_reported(void)
{
	return reported;
}

void log_error_as(const char *who, const char *format, va_list args)
{
	reported = true;
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
	reported = true;
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

void log_text(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_formatted(format, args);
	va_end(args);
}

/* Of any length: a verifier's log has thousands of lines. */
static int print_libbpf(enum libbpf_print_level level __attribute__((unused)),
			const char *format, va_list args)
{
	return verbosity >= 2 ? put_formatted(format, args) : 0;
}

void log_take_libbpf(void)
{
	libbpf_set_print(print_libbpf);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What fstrace says on stderr: one line each, begun with its name. stdout is for results.
 * A message is lower case without a full stop: what failed, its subject in quotes, the reason.
 */
#ifndef FSTRACE_CORE_BASE_LOG_H
#define FSTRACE_CORE_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>

struct stop;

/* Exit statuses of fstrace. */
enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
};

/* 0: errors and warnings; 1 (-v): also debug(); 2 (-vv): also what libbpf says. */
void log_set_verbosity(int level);
int log_verbosity(void);

/* True if log_error() or log_error_as() has been called. */
bool log_has_reported(void);

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_error_as(const char *name, const char *format, va_list args);
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What to do about the error told just before, on a line of its own. */
void log_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Text as it is, without the name. Of this and all messages: until `stop` (NULL: for ever) they
 * wait for who reads stderr, and after it as write_all() does. What could not be written is
 * counted, and told once that is possible.
 */
void log_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_set_stop(struct stop *stop);

/* True if a message would not have to wait. */
bool log_ready(void);

/* libbpf's messages go through debug(), one level down. */
void log_take_libbpf(void);

#endif

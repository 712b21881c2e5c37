/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages on stderr: one line each, which begins with "fstrace". stdout is for results.
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

/* 0: errors and warnings; 1 (-v): also debug(); 2 (-vv): also libbpf's messages. */
void log_set_verbosity(int level);
int log_verbosity(void);

/* True if log_error() or log_error_as() has been called. */
bool log_has_reported(void);

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_error_as(const char *name, const char *format, va_list args);
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What to do about the error just reported, on a separate line. */
void log_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Text as it is, without the name. This and all messages wait for the reader of stderr until `stop`
 * (NULL: for ever), and after it as long as write_all() does. Messages that could not be written
 * are counted, and reported as soon as that is possible.
 */
void log_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_set_stop(struct stop *stop);

/* True if a message would not have to wait. */
bool log_ready(void);

/* libbpf's messages go through debug(), one level down. */
void log_take_libbpf(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writing that can block neither the run nor its end. */
#ifndef FSTRACE_CORE_BASE_WRITE_H
#define FSTRACE_CORE_BASE_WRITE_H

#include <stddef.h>

struct stop;

/*
 * Writes all bytes, waiting for a slow reader for as long as the run lasts and, after its stop, for
 * what is left of the stop's patience. `stop` may be NULL: waits for ever. Into pipes and terminals
 * it writes whole lines at a time. Returns how many bytes were written; if not all, errno says why
 * (ETIMEDOUT: nobody read in time).
 */
size_t write_all(int fd, const char *bytes, size_t size, struct stop *stop);

#endif

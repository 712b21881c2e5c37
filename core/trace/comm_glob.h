/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns for names of threads, as those of a shell. */
#ifndef FSTRACE_TRACE_COMM_GLOB_H
#define FSTRACE_TRACE_COMM_GLOB_H

#include "bpf/filter.h"

/*
 * Reads a pattern into a struct filter_comm: * ? [abc] [a-z] [!abc], and \ before what is to be
 * itself. Returns 0; -EINVAL: it is empty, or has an open [; -E2BIG: it has more than
 * FILTER_COMM_MAX elements, so no name can match it. Its arguments are those of an option_row's parse().
 */
int comm_glob_parse(const char *word, void *comm);

#endif

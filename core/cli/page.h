/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pages in docs/: the parts of manual pages that are made from rows, inserted into a page with
 * hand-written prose, docs/NAME.8.in; and docs/options.md.
 *
 * In such a page a line that is one of these words is replaced by mdoc:
 *
 *	@SYNOPSIS@	the command line of the applet
 *	@OPTIONS@	its options and operands, then those of all applets
 *	@COLUMNS@	the text columns of its records
 *	@JSON@		the members of its JSON objects
 *	@EXAMPLES@
 *	@APPLETS@	the list of applets, with summaries (fstrace.8)
 *	@COMMANDS@	the commands of fstrace itself (fstrace.8)
 *	@FSTRACE@	the options of fstrace itself (fstrace.8)
 *	@COMMON@	the options that all applets have (fstrace.8)
 *
 * and @NAME@, @TITLE@ (in capitals), @SUMMARY@ anywhere. A line "@only NAME,NAME@ TEXT" is TEXT in
 * the pages of these applets, and nothing in others: for families that share a page.
 */
#ifndef FSTRACE_CORE_CLI_PAGE_H
#define FSTRACE_CORE_CLI_PAGE_H

#include <stdio.h>

/* The manual page of an applet, or of "fstrace", from folder/PAGE.8.in. Returns EXIT_... */
int page_write(FILE *to, const char *name, const char *folder);

/* The table of docs/options.md: each option, and the applets that have it. */
void page_options(FILE *to);

#endif

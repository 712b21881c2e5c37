/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names of files and processes can be any bytes: escape sequences for the terminal, line ends,
 * invalid UTF-8. Here they become harmless text.
 */
#ifndef FSTRACE_CORE_BASE_ESCAPE_H
#define FSTRACE_CORE_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/* The most bytes that one byte of a name can become. */
#define ESCAPE_TEXT_MAX 4
#define ESCAPE_JSON_MAX 6

/*
 * For a terminal or a line of text: printable UTF-8 is unchanged; a backslash becomes \\, the usual
 * control characters \n \t ..., and every byte of other control characters, of what is invisible,
 * blank or changes the direction of writing, of a blank at the end, or of invalid UTF-8 becomes
 * \xNN. Different names become different texts. Writes at most len * ESCAPE_TEXT_MAX bytes, without
 * a final 0; returns their end.
 */
char *escape_text(char *to, const char *name, size_t len);

/*
 * For inside a JSON string. The same characters become \uXXXX (a JSON string that has them
 * so is the same string). Bytes that are not UTF-8 become U+FFFD, one each; then *exact (may be
 * NULL) is set to false. Writes at most len * ESCAPE_JSON_MAX bytes, without a final 0;
 * returns their end.
 */
char *escape_json(char *to, const char *name, size_t len, bool *exact);

#endif

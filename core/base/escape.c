// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Escaping of hostile names. */
#include "core/base/escape.h"

#include <string.h>

/* Bytes that stand for themselves in both forms: printable ASCII but for \ and ". */
static const bool is_plain[256] = {
	[' ' ... '!'] = true, ['#' ... '['] = true, [']' ... '~'] = true,
};

/* Copies what is plain at the beginning of `s`, in most names all; returns how much that is. */
static inline size_t copy_plain(char *to, const unsigned char *s, size_t len)
{
	size_t done;

	for (done = 0; done < len && is_plain[s[done]]; done++)
		to[done] = s[done];
	return done;
}

/* The length of the UTF-8 sequence at `s` and its code point; 0 if it is broken (RFC 3629). */
static size_t utf8_at(const unsigned char *s, size_t left, unsigned int *point)
{
	static const unsigned int smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 :
		     s[0] < 0xf5 ? 4 : 0;

	if (!len || len > left)
		return 0;
	*point = len == 1 ? s[0] : s[0] & (0x7f >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (s[i] & 0x3f);
	}
	if (*point < smallest[len] || *point > 0x10ffff || (*point >= 0xd800 && *point < 0xe000))
		return 0;
	return len;
}

/* Control characters, and those that change how the rest of the line is shown. */
static bool is_harmful(unsigned int point)
{
	static const struct { unsigned int first, last; } ranges[] = {
		{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x600, 0x605 }, { 0x61c, 0x61c },
		{ 0x6dd, 0x6dd }, { 0x70f, 0x70f }, { 0x180e, 0x180e }, { 0x200b, 0x200f },
		{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb },
		{ 0xe0000, 0xe007f },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return false;
}

static char *put_hex(char *to, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";

	*to++ = hex[c >> 4];
	*to++ = hex[c & 15];
	return to;
}

char *escape_text(char *to, const char *name, size_t len)
{
	static const char letters[] = "abtnvfr";	/* of bytes 7 to 13 */
	const unsigned char *s = (const unsigned char *)name, *end = s + len;

	for (;;) {
		unsigned int point;
		size_t size = copy_plain(to, s, end - s);

		to += size;
		s += size;
		if (s == end)
			return to;
		size = utf8_at(s, end - s, &point);
		if (size && !is_harmful(point) && point != '\\') {
			memcpy(to, s, size);
			to += size;
			s += size;
			continue;
		}
		for (size = size ?: 1; size; size--, s++) {
			*to++ = '\\';
			if (*s == '\\') {
				*to++ = '\\';
			} else if (*s >= 7 && *s <= 13) {
				*to++ = letters[*s - 7];
			} else {
				*to++ = 'x';
				to = put_hex(to, *s);
			}
		}
	}
}

char *escape_json(char *to, const char *name, size_t len, bool *exact)
{
	const unsigned char *s = (const unsigned char *)name, *end = s + len;

	if (exact)
		*exact = true;
	for (;;) {
		unsigned int point;
		size_t size = copy_plain(to, s, end - s);

		to += size;
		s += size;
		if (s == end)
			return to;
		size = utf8_at(s, end - s, &point);
		if (!size) {
			memcpy(to, "\xef\xbf\xbd", 3);	/* U+FFFD */
			to += 3;
			s++;
			if (exact)
				*exact = false;
		} else if (*s == '"' || *s == '\\') {
			*to++ = '\\';
			*to++ = *s++;
		} else if (point < 0x20 || point == 0x7f) {
			memcpy(to, "\\u00", 4);
			to = put_hex(to + 4, *s++);
		} else {
			memcpy(to, s, size);
			to += size;
			s += size;
		}
	}
}

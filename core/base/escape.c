// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Escaping of hostile names. */
#include "core/base/escape.h"

#include <string.h>

/* Bytes that are unchanged in both forms: printable ASCII except \ and ". */
static const bool is_plain[256] = {
	[' ' ... '!'] = true, ['#' ... '['] = true, [']' ... '~'] = true,
};

/* Copies the plain bytes at the beginning of `s` (of most names: all); returns how many. */
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

/*
 * Characters that must not reach a terminal or are invisible: control characters, every space but
 * the ordinary one, line separators, zero-width characters and those that change the direction of
 * writing, fillers, and code points that are not characters. Unicode 15: categories Cc, Cf, Zs, Zl
 * and Zp and the property Default_Ignorable_Code_Point; and blanks that it counts as letters, marks
 * or symbols.
 */
static bool is_harmful(unsigned int point)
{
	static const struct { unsigned int first, last; } ranges[] = {
		{ 0, 0x1f }, { 0x7f, 0xa0 }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x600, 0x605 },
		{ 0x61c, 0x61c }, { 0x6dd, 0x6dd }, { 0x70f, 0x70f }, { 0x890, 0x891 },
		{ 0x8e2, 0x8e2 }, { 0x115f, 0x1160 }, { 0x1680, 0x1680 }, { 0x17b4, 0x17b5 },
		{ 0x180b, 0x180f }, { 0x2000, 0x200f }, { 0x2028, 0x202f }, { 0x205f, 0x206f },
		{ 0x2800, 0x2800 }, { 0x3000, 0x3000 }, { 0x3164, 0x3164 }, { 0xfdd0, 0xfdef },
		{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffc },
		{ 0x110bd, 0x110bd }, { 0x110cd, 0x110cd }, { 0x13430, 0x1343f },
		{ 0x1bca0, 0x1bca3 }, { 0x1d159, 0x1d159 }, { 0x1d173, 0x1d17a },
		{ 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges) && point >= ranges[i].first; i++)
		if (point <= ranges[i].last)
			return true;
	return (point & 0xfffe) == 0xfffe;
}

static char *put_hex(char *to, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";

	*to++ = hex[c >> 4];
	*to++ = hex[c & 15];
	return to;
}

static char *put_escape(char *to, unsigned char c)
{
	static const char letters[] = "abtnvfr";	/* of bytes 7 to 13 */

	*to++ = '\\';
	if (c == '\\') {
		*to++ = '\\';
	} else if (c >= 7 && c <= 13) {
		*to++ = letters[c - 7];
	} else {
		*to++ = 'x';
		to = put_hex(to, c);
	}
	return to;
}

/* What begins with a byte that is not plain. Rare: the registers that it takes are saved for it alone. */
static __attribute__((noinline)) char *escape_rest(char *to, const unsigned char *s,
						   const unsigned char *end)
{
	bool ends_blank = end[-1] == ' ';

	end -= ends_blank;
	for (;;) {
		unsigned int point;
		size_t size = copy_plain(to, s, end - s);

		to += size;
		s += size;
		if (s == end)
			break;
		size = utf8_at(s, end - s, &point);
		if (size && !is_harmful(point) && point != '\\') {
			memcpy(to, s, size);
			to += size;
			s += size;
			continue;
		}
		for (size = size ?: 1; size; size--)
			to = put_escape(to, *s++);
	}
	return ends_blank ? put_escape(to, ' ') : to;
}

char *escape_text(char *to, const char *name, size_t len)
{
	const unsigned char *s = (const unsigned char *)name;
	size_t size = copy_plain(to, s, len);

	if (size < len)
		return escape_rest(to + size, s + size, s + len);
	to += size;
	return len && to[-1] == ' ' ? put_escape(to - 1, ' ') : to;
}

static char *put_unit(char *to, unsigned int unit)
{
	*to++ = '\\';
	*to++ = 'u';
	return put_hex(put_hex(to, unit >> 8), unit & 0xff);
}

/* \uXXXX, or two of them (RFC 8259, section 7). */
static char *put_point(char *to, unsigned int point)
{
	if (point < 0x10000)
		return put_unit(to, point);
	point -= 0x10000;
	return put_unit(put_unit(to, 0xd800 | point >> 10), 0xdc00 | (point & 0x3ff));
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
		} else if (is_harmful(point)) {
			to = put_point(to, point);
			s += size;
		} else {
			memcpy(to, s, size);
			to += size;
			s += size;
		}
	}
}

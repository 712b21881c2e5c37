// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/base/escape.c: hostile names become harmless text, and one name has one text. */
#include "test.h"

#include "core/base/escape.h"

/*
 * The length of the well-formed UTF-8 sequence at `s`, by table 3-7 of the Unicode standard
 * (core/base/escape.c decodes and compares instead); 0: there is none.
 */
static size_t sequence(const unsigned char *s, size_t left)
{
	static const struct {
		unsigned char first_low, first_high, second_low, second_high, len;
	} forms[] = {
		{ 0x00, 0x7f, 0, 0, 1 },
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		if (s[0] < forms[i].first_low || s[0] > forms[i].first_high)
			continue;
		if (forms[i].len > left)
			return 0;
		if (forms[i].len > 1 && (s[1] < forms[i].second_low || s[1] > forms[i].second_high))
			return 0;
		for (size_t j = 2; j < forms[i].len; j++)
			if (s[j] < 0x80 || s[j] > 0xbf)
				return 0;
		return forms[i].len;
	}
	return 0;
}

/* Writes a code point, surrogates and those above 10FFFF too; returns how many bytes it took. */
static size_t encode(unsigned int point, unsigned char *to)
{
	if (point < 0x80) {
		to[0] = point;
		return 1;
	}
	if (point < 0x800) {
		to[0] = 0xc0 | point >> 6;
		to[1] = 0x80 | (point & 0x3f);
		return 2;
	}
	if (point < 0x10000) {
		to[0] = 0xe0 | point >> 12;
		to[1] = 0x80 | (point >> 6 & 0x3f);
		to[2] = 0x80 | (point & 0x3f);
		return 3;
	}
	to[0] = 0xf0 | point >> 18;
	to[1] = 0x80 | (point >> 12 & 0x3f);
	to[2] = 0x80 | (point >> 6 & 0x3f);
	to[3] = 0x80 | (point & 0x3f);
	return 4;
}

static bool turns_direction(unsigned int point)
{
	return point == 0x61c || point == 0x200e || point == 0x200f ||
	       (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

static bool is_control(unsigned int point)
{
	return point < 0x20 || (point >= 0x7f && point <= 0x9f);
}

/* Whether `text` is UTF-8 without a control character or one that turns the direction. */
static bool is_harmless(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;

	while (len) {
		size_t size = sequence(s, len);
		unsigned int point = size > 1 ? *s & (0x7f >> size) : *s;

		if (!size)
			return false;
		for (size_t i = 1; i < size; i++)
			point = point << 6 | (s[i] & 0x3f);
		if (is_control(point) || turns_direction(point))
			return false;
		s += size;
		len -= size;
	}
	return true;
}

/* escape_text()'s inverse, as a reader of the documentation would write it. */
static size_t unescape(const char *text, size_t len, char *to)
{
	static const char letters[] = "abtnvfr";
	char *begin = to;

	for (size_t i = 0; i < len; i++) {
		unsigned int byte;

		if (text[i] != '\\') {
			*to++ = text[i];
			continue;
		}
		i++;
		if (text[i] == '\\') {
			*to++ = '\\';
		} else if (text[i] == 'x') {
			assert_int_equal(sscanf(text + i + 1, "%2x", &byte), 1);
			*to++ = byte;
			i += 2;
		} else {
			assert_non_null(strchr(letters, text[i]));
			*to++ = 7 + (strchr(letters, text[i]) - letters);
		}
	}
	return to - begin;
}

/* Escapes in memory of just the promised size, so that a sanitizer sees a byte too many. */
static char *text_of(const void *name, size_t len)
{
	char *room = malloc(len * ESCAPE_TEXT_MAX + !len), *copy = malloc(len + !len), *text, *end;

	assert_true(room && copy);
	memcpy(copy, name, len);
	end = escape_text(room, copy, len);
	assert_in_range(end - room, len ? 1 : 0, len * ESCAPE_TEXT_MAX);
	text = malloc(end - room + 1);
	assert_non_null(text);
	memcpy(text, room, end - room);
	text[end - room] = '\0';
	free(room);
	free(copy);
	return text;
}

static char *json_of(const void *name, size_t len, bool *exact)
{
	char *room = malloc(len * ESCAPE_JSON_MAX + !len), *copy = malloc(len + !len), *text, *end;

	assert_true(room && copy);
	memcpy(copy, name, len);
	end = escape_json(room, copy, len, exact);
	assert_in_range(end - room, len ? 1 : 0, len * ESCAPE_JSON_MAX);
	text = malloc(end - room + 1);
	assert_non_null(text);
	memcpy(text, room, end - room);
	text[end - room] = '\0';
	free(room);
	free(copy);
	return text;
}

static void check_text(const void *name, size_t len, const char *expected)
{
	char *text = text_of(name, len);

	assert_string_equal(text, expected);
	free(text);
}

/* That a text is harmless, and that its name can be had back from it. */
static void check_reversible(const void *name, size_t len)
{
	char *text = text_of(name, len), *back = malloc(strlen(text) + 1);

	assert_non_null(back);
	assert_true(is_harmless(text, strlen(text)));
	assert_int_equal(unescape(text, strlen(text), back), len);
	assert_memory_equal(back, name, len);
	free(text);
	free(back);
}

static void printable_names_stay(void **state)
{
	static const char *const names[] = {
		"", "a", "load.0", "with space", "  x", "quote\"d", "it's", "~", "$(rm)", "%s%n",
		"na\xc3\xafve", "\xc3\xa9t\xc3\xa9", "\xe6\x97\xa5\xe6\x9c\xac", "\xd0\xb6",
		"\xf0\x9f\x98\x80", "e\xcc\x81", "\xef\xbf\xbd", "\xd7\xa9\xd7\x9c",
		"\xf4\x8f\xbf\xbd",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		check_text(names[i], strlen(names[i]), names[i]);
}

static void control_characters_are_escaped(void **state)
{
	char expected[8];

	(void)state;
	check_text("\a\b\t\n\v\f\r", 7, "\\a\\b\\t\\n\\v\\f\\r");
	check_text("\x1b[2J", 4, "\\x1b[2J");
	check_text("\0", 1, "\\x00");
	check_text("\x7f", 1, "\\x7f");
	for (unsigned int byte = 0; byte < 0x20; byte++) {
		char name = byte;

		if (byte >= 7 && byte <= 13)
			continue;
		snprintf(expected, sizeof(expected), "\\x%02x", byte);
		check_text(&name, 1, expected);
	}
}

static void c1_controls_are_escaped_byte_by_byte(void **state)
{
	char expected[16], name[2];

	(void)state;
	for (unsigned int point = 0x80; point < 0xa0; point++) {
		encode(point, (unsigned char *)name);
		snprintf(expected, sizeof(expected), "\\xc2\\x%02x", point);
		check_text(name, 2, expected);
	}
}

static void characters_that_turn_the_direction_are_escaped(void **state)
{
	int count = 0;

	(void)state;
	for (unsigned int point = 0; point < 0x110000; point++) {
		unsigned char name[4];
		char expected[20];

		if (!turns_direction(point))
			continue;
		if (encode(point, name) == 2)
			snprintf(expected, sizeof(expected), "\\x%02x\\x%02x", name[0], name[1]);
		else
			snprintf(expected, sizeof(expected), "\\x%02x\\x%02x\\x%02x", name[0],
				 name[1], name[2]);
		check_text(name, strlen(expected) / 4, expected);
		count++;
	}
	assert_int_equal(count, 12);
	/* Ends of line, and what has no width at all. */
	check_text("\xe2\x80\xa8\xe2\x80\xa9", 6, "\\xe2\\x80\\xa8\\xe2\\x80\\xa9");
	check_text("\xe2\x80\x8b", 3, "\\xe2\\x80\\x8b");
	check_text("\xef\xbb\xbf", 3, "\\xef\\xbb\\xbf");
}

/* Unicode's table, but for what the compact one in escape.c joins: see the test below. */
static bool is_unseen(unsigned int point)
{
	static const struct { unsigned int first, last; } ranges[] = {
		/* Default_Ignorable_Code_Point */
		{ 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c }, { 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x202a, 0x202e },
		{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 }, { 0xfff0, 0xfff8 }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
		/* Zs but for the space, Zl, Zp */
		{ 0xa0, 0xa0 }, { 0x1680, 0x1680 }, { 0x2000, 0x200a }, { 0x2028, 0x2029 },
		{ 0x202f, 0x202f }, { 0x205f, 0x205f }, { 0x3000, 0x3000 },
		/* Cf that is not yet there */
		{ 0x600, 0x605 }, { 0x6dd, 0x6dd }, { 0x70f, 0x70f }, { 0x890, 0x891 },
		{ 0x8e2, 0x8e2 }, { 0xfff9, 0xfffb }, { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd },
		{ 0x13430, 0x1343f },
		/* Blank, though a symbol: braille, a note's head, an object's place */
		{ 0x2800, 0x2800 }, { 0x1d159, 0x1d159 }, { 0xfffc, 0xfffc },
		/* No characters */
		{ 0xfdd0, 0xfdef },
	};

	for (size_t i = 0; i < COUNT_OF(ranges); i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return (point & 0xfffe) == 0xfffe;
}

static void what_nobody_can_see_is_escaped_and_nothing_else(void **state)
{
	(void)state;
	for (unsigned int point = 0; point < 0x110000; point++) {
		unsigned char name[4];
		size_t len = encode(point, name);
		bool escaped = is_control(point) || is_unseen(point) || point == '\\' ||
			       point == ' ';	/* at the end, that is */
		char *text, *json;

		if (point >= 0xd800 && point < 0xe000)
			continue;
		text = text_of(name, len);
		json = json_of(name, len, NULL);
		if ((strlen(text) != len) != escaped)
			fail_msg("U+%04x becomes '%s'", point, text);
		if (point != ' ' && point != '"' && (strlen(json) != len) != escaped)
			fail_msg("U+%04x becomes '%s' in JSON", point, json);
		free(text);
		free(json);
	}
}

static void a_blank_at_the_end_can_be_seen(void **state)
{
	(void)state;
	check_text(" ", 1, "\\x20");
	check_text("  ", 2, " \\x20");
	check_text("name ", 5, "name\\x20");
	check_text("a name", 6, "a name");
	check_text("\xff ", 2, "\\xff\\x20");
	check_text("\\ ", 2, "\\\\\\x20");
	check_text("x\xc2\xa0", 3, "x\\xc2\\xa0");
	check_text("\xe3\x85\xa4", 3, "\\xe3\\x85\\xa4");
}

static void a_backslash_is_doubled_in_text(void **state)
{
	(void)state;
	check_text("\\", 1, "\\\\");
	check_text("\\n", 2, "\\\\n");
	check_text("\n", 1, "\\n");
	check_text("\\x41", 4, "\\\\x41");
	check_text("a\\b\\", 4, "a\\\\b\\\\");
}

static void broken_utf8_is_escaped_byte_by_byte(void **state)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{ "\x80", "\\x80" },				/* a continuation alone */
		{ "\xbf\xbf", "\\xbf\\xbf" },
		{ "a\xc3", "a\\xc3" },				/* cut short by the end */
		{ "\xc3" "a", "\\xc3a" },			/* cut short by a letter */
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xe2\x82z", "\\xe2\\x82z" },
		{ "\xf0\x9f\x98", "\\xf0\\x9f\\x98" },
		{ "\xf0\x9f\x98\xc3\xa9", "\\xf0\\x9f\\x98\xc3\xa9" },
		{ "\xc0\x80", "\\xc0\\x80" },			/* too long for what it says */
		{ "\xc1\xbf", "\\xc1\\xbf" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xe0\x80\x80", "\\xe0\\x80\\x80" },
		{ "\xe0\x9f\xbf", "\\xe0\\x9f\\xbf" },
		{ "\xf0\x80\x80\x80", "\\xf0\\x80\\x80\\x80" },
		{ "\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },		/* surrogates */
		{ "\xed\xbf\xbf", "\\xed\\xbf\\xbf" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },	/* above 10FFFF */
		{ "\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80" },
		{ "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80" },
		{ "\xfc\x84\x80\x80\x80\x80", "\\xfc\\x84\\x80\\x80\\x80\\x80" },
		{ "\xfe", "\\xfe" }, { "\xff", "\\xff" },
		{ "\xff\n\xc3\xa9\xff", "\\xff\\n\xc3\xa9\\xff" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		bool exact = true;
		char *json = json_of(cases[i].name, strlen(cases[i].name), &exact);

		check_text(cases[i].name, strlen(cases[i].name), cases[i].text);
		assert_false(exact);
		assert_non_null(strstr(json, "\xef\xbf\xbd"));
		free(json);
	}
}

static void one_or_two_bytes_are_reversible(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 256; i++) {
		unsigned char name[2] = { i };

		check_reversible(name, 1);
		for (unsigned int j = 0; j < 256; j++) {
			name[1] = j;
			check_reversible(name, 2);
		}
	}
}

static void every_code_point_is_reversible(void **state)
{
	(void)state;
	for (unsigned int point = 0; point < 0x140000;
	     point += point < 0x3000 || (point >= 0xd700 && point < 0x10400) ? 1 : 61) {
		unsigned char name[4];
		size_t len = encode(point, name);
		bool exact, valid = point < 0x110000 && (point < 0xd800 || point >= 0xe000);
		char *json = json_of(name, len, &exact);

		check_reversible(name, len);
		assert_int_equal(exact, valid);
		free(json);
	}
}

/* Bytes that are likely to hit a border, among any others. */
static size_t random_name(uint32_t *seed, unsigned char *name, size_t max)
{
	static const unsigned char likely[] = {
		'\\', 'x', 'n', '0', '"', '\n', 0x1b, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
		0xc0, 0xc2, 0xd8, 0x9c, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xff, 0x81, 0xa8, 0xae,
	};
	size_t len = 1 + random_next(seed) % max;

	for (size_t i = 0; i < len; i++)
		name[i] = random_next(seed) % 4 ? likely[random_next(seed) % sizeof(likely)] :
						  random_next(seed);
	return len;
}

static void random_names_are_reversible(void **state)
{
	uint32_t seed = 117;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		unsigned char name[255];
		size_t len = random_name(&seed, name, i % 20 ? 8 : sizeof(name));

		check_reversible(name, len);
	}
}

struct named {
	size_t len;
	unsigned char name[4];
	char *text;
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->text, ((const struct named *)b)->text);
}

/* What follows from the tests above, seen once more without a decoder. */
static void different_names_have_different_texts(void **state)
{
	const size_t count = 20000;
	struct named *named = calloc(count, sizeof(*named));
	uint32_t seed = 2016;
	size_t same = 0;

	(void)state;
	assert_non_null(named);
	for (size_t i = 0; i < count; i++) {
		named[i].len = random_name(&seed, named[i].name, sizeof(named[i].name));
		named[i].text = text_of(named[i].name, named[i].len);
	}
	qsort(named, count, sizeof(*named), compare);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(named[i].text, named[i - 1].text))
			continue;
		same++;
		assert_int_equal(named[i].len, named[i - 1].len);
		assert_memory_equal(named[i].name, named[i - 1].name, named[i].len);
	}
	/* The test would be idle if no two texts, or all, were the same. */
	assert_in_range(same, 500, count / 2);
	for (size_t i = 0; i < count; i++)
		free(named[i].text);
	free(named);
}

static void the_longest_name_fits(void **state)
{
	char name[255], expected[4 * 255 + 1];

	(void)state;
	memset(name, 0xff, sizeof(name));
	for (size_t i = 0; i < sizeof(name); i++)
		memcpy(expected + 4 * i, "\\xff", 5);
	check_text(name, sizeof(name), expected);
	memset(name, 'y', sizeof(name));
	memset(expected, 'y', sizeof(name));
	expected[255] = '\0';
	check_text(name, sizeof(name), expected);
}

static void json_escapes_what_json_must(void **state)
{
	static const struct {
		const char *name, *json;
		bool exact;
	} cases[] = {
		{ "", "", true },
		{ "plain", "plain", true },
		{ "\"", "\\\"", true },
		{ "\\", "\\\\", true },
		{ "\\n", "\\\\n", true },
		{ "a\nb\t", "a\\u000ab\\u0009", true },
		{ "\x1b[2J", "\\u001b[2J", true },
		{ "\x01\x1f\x7f", "\\u0001\\u001f\\u007f", true },
		{ "/", "/", true },
		{ "a ", "a ", true },
		/* C1, directions, ends of line, and a tag, which takes two */
		{ "\xc2\x9b", "\\u009b", true },
		{ "\xe2\x80\xae", "\\u202e", true },
		{ "\xe2\x80\xa8", "\\u2028", true },
		{ "\xef\xbb\xbf", "\\ufeff", true },
		{ "\xf3\xa0\x81\x81", "\\udb40\\udc41", true },
		{ "\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80", true },
		/* The stand-in itself is a name like any other. */
		{ "\xef\xbf\xbd", "\xef\xbf\xbd", true },
		{ "a\xff", "a\xef\xbf\xbd", false },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", false },
		{ "\xc3\"", "\xef\xbf\xbd\\\"", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		bool exact = !cases[i].exact;
		char *json = json_of(cases[i].name, strlen(cases[i].name), &exact);

		assert_string_equal(json, cases[i].json);
		assert_int_equal(exact, cases[i].exact);
		free(json);
		json = json_of(cases[i].name, strlen(cases[i].name), NULL);
		assert_string_equal(json, cases[i].json);
		free(json);
	}
}

static void json_is_always_utf8_without_controls(void **state)
{
	uint32_t seed = 114;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		unsigned char name[255];
		size_t len = random_name(&seed, name, i % 20 ? 8 : sizeof(name)), size, at;
		bool exact, valid = true;
		char *json = json_of(name, len, &exact);

		for (at = 0; at < len; at += size ?: 1) {
			size = sequence(name + at, len - at);
			valid &= size > 0;
		}
		assert_int_equal(exact, valid);
		for (at = 0; json[at]; at += size) {
			size = sequence((unsigned char *)json + at, strlen(json + at));
			assert_true(size > 0);
			assert_true((unsigned char)json[at] >= 0x20);
		}
		free(json);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(printable_names_stay),
		cmocka_unit_test(control_characters_are_escaped),
		cmocka_unit_test(c1_controls_are_escaped_byte_by_byte),
		cmocka_unit_test(characters_that_turn_the_direction_are_escaped),
		cmocka_unit_test(what_nobody_can_see_is_escaped_and_nothing_else),
		cmocka_unit_test(a_blank_at_the_end_can_be_seen),
		cmocka_unit_test(a_backslash_is_doubled_in_text),
		cmocka_unit_test(broken_utf8_is_escaped_byte_by_byte),
		cmocka_unit_test(one_or_two_bytes_are_reversible),
		cmocka_unit_test(every_code_point_is_reversible),
		cmocka_unit_test(random_names_are_reversible),
		cmocka_unit_test(different_names_have_different_texts),
		cmocka_unit_test(the_longest_name_fits),
		cmocka_unit_test(json_escapes_what_json_must),
		cmocka_unit_test(json_is_always_utf8_without_controls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

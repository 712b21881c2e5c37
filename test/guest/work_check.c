// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * work rows: compares the rows that work announced with those that dcsnoop --json showed.
 * Prints lines "WHAT EXPECTED COUNTED":
 *
 *   FS-M, FS-R, FS-N rows of each type on a file system
 *   FS-cases I N     its cases, and how many of them are right; for each that is not:
 *   FS-CASE          its M,R,N
 *   FS-race M,R,N M,R,N  never among those
 *   strays 0 N       rows of names that belong to no case
 *   dalloc CALLS M   misses of all cases, against the calls of __d_alloc that work counted
 *   names I N        hostile and long names: so many, and of so many exactly one row
 *   comm I N         rows with a hostile command name, and of those, with the right one
 *   storm MIN MAX N  rows of the name in the storm
 *
 * A case whose names are numbered (CASE.0, CASE.1, ...) must show each of them equally often, or it
 * is called uneven. JSON is read strictly: what is not as promised ends the comparison.
 */
#include "work.h"
#include "work_name.h"

enum { M, R, N, TYPES };

#define CASES 1024
#define NUMBERS 4096

static struct one_case {
	char name[32];
	long expected[TYPES], calls, counted[TYPES];
	unsigned short number[NUMBERS][TYPES];	/* rows of CASE.number */
	long numbers;				/* the highest, plus one */
} cases[CASES];
static int case_count;

static struct one_name { char text[800]; int hex; long counted; } names[64];
static int name_count;

static long strays, storm[2] = { -1, -1 }, storm_rows;
static long comm_expected, comm_counted;
static char comm_hex[48];
static char stray[32];

static struct one_case *case_find(const char *name)
{
	static int last;	/* likely the next one, too */

	for (int i = 0; i < case_count; i++, last = (last + 1) % case_count)
		if (!strcmp(cases[last].name, name))
			return &cases[last];
	return NULL;
}

/* A scenario may come back to a case: the numbers add up. */
static void read_expectations(const char *file)
{
	FILE *f = fopen(file, "re");
	char line[1000], name[32], how[8];
	long m, r, n, calls;

	must(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "rows %31s %ld %ld %ld %ld", name, &m, &r, &n, &calls) == 5) {
			struct one_case *c = case_find(name);

			if (!c) {
				must(case_count < CASES);
				c = &cases[case_count++];
				strcpy(c->name, name);
			}
			c->expected[M] += m;
			c->expected[R] += r;
			c->expected[N] += n;
			c->calls += calls;
		} else if (sscanf(line, "name %*s %7s %799s", how, names[name_count].text) == 2) {
			must(name_count < 63);
			names[name_count++].hex = !strcmp(how, "hex");
		} else {
			sscanf(line, "between storm %ld %ld", &storm[0], &storm[1]);
			sscanf(line, "comm %ld %47s", &comm_expected, comm_hex);
		}
	}
	fclose(f);
}

static const char *json_string(const char *line, const char *name)
{
	const char *p = strstr(line, name);

	return p ? p + strlen(name) : NULL;
}

static int hex4(const char *p)
{
	int value = 0;

	for (int i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)p[i]))
			return -1;
		value = value * 16 + (p[i] <= '9' ? p[i] - '0' : (p[i] | 32) - 'a' + 10);
	}
	return value;
}

/* The bytes that a JSON string stands for; -1 if it is none. What must be escaped has to be. */
static int json_decode(const char *p, unsigned char *out)
{
	static const char plain[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	int len = 0;

	for (; *p != '"'; p++) {
		if ((unsigned char)*p < 0x20 || len > 1000)
			return -1;
		if (*p != '\\') {
			out[len++] = *p;
			continue;
		}
		p++;
		if (*p == 'u') {
			int c = hex4(p + 1);

			if (c <= 0 || (c >= 0xd800 && c < 0xe000))
				return -1;	/* no name has a NUL, UTF-8 needs no pairs */
			if (c < 0x80) {
				out[len++] = c;
			} else if (c < 0x800) {
				out[len++] = 0xc0 | c >> 6;
				out[len++] = 0x80 | (c & 0x3f);
			} else {
				out[len++] = 0xe0 | c >> 12;
				out[len++] = 0x80 | (c >> 6 & 0x3f);
				out[len++] = 0x80 | (c & 0x3f);
			}
			p += 4;
		} else {
			const char *escape = *p ? strchr(plain, *p) : NULL;

			if (!escape)
				return -1;
			out[len++] = means[escape - plain];
		}
	}
	out[len] = '\0';
	return len;
}

/* As work prints hostile names: unreserved bytes as they are, others as %XX. */
static const char *percent_encoded(const unsigned char *name)
{
	static char text[3100];
	char *t = text;

	for (; *name; name++)
		if (is_plain(*name))
			*t++ = *name;
		else
			t += sprintf(t, "%%%02X", *name);
	*t = '\0';
	return text;
}

/* Whether a row shows one of the announced names; file_hex is the truth where there is one. */
static void count_name(const unsigned char *file, const char *hex)
{
	const char *text = hex ? NULL : percent_encoded(file);

	for (int i = 0; i < name_count; i++)
		if (hex ? names[i].hex && !strncmp(names[i].text, hex, strlen(names[i].text)) &&
			    hex[strlen(names[i].text)] == '"'
			: !names[i].hex && !strcmp(names[i].text, text))
			names[i].counted++;
}

static void count_row(const char *line)
{
	const char *type = json_string(line, "\"type\":\""), *p = json_string(line, "\"file\":\"");
	const char *types = "MRN", *t;
	unsigned char file[1100];
	struct one_case *c;
	const char *comm;
	char *dot, *end, name[400];
	long number;

	if (!type || !p || type[1] != '"' || !(t = strchr(types, *type)) ||
	    json_decode(p, file) < 0)
		die("not a row of dcsnoop: %s", line);
	if (!strncmp((char *)file, "hostile.", 8) || !strncmp((char *)file, "long.", 5))
		count_name(file, json_string(line, "\"file_hex\":\""));
	if (!strcmp((char *)file, "storm.a")) {
		storm_rows++;
		return;
	}
	if (!strncmp((char *)file, "comm.", 5)) {
		comm = json_string(line, "\"comm_hex\":\"");
		comm_counted += comm && !strncmp(comm, comm_hex, strlen(comm_hex));
		return;
	}
	dot = strchr((char *)file, '.');
	comm = json_string(line, "\"comm\":\"");
	if (!comm)
		die("no comm: %s", line);
	snprintf(name, sizeof(name), "%.*s-%.*s", (int)strcspn(comm, "\""), comm,
		 dot ? (int)(dot - (char *)file) : 300, file);
	c = case_find(name);
	if (!c) {
		strays++;
		snprintf(stray, sizeof(stray), "%.30s", percent_encoded((unsigned char *)name));
		return;
	}
	c->counted[t - types]++;
	if (!dot)
		return;
	number = strtol(dot + 1, &end, 10);
	if (!*end && end > dot + 1 && number >= 0 && number < NUMBERS) {
		c->number[number][t - types]++;
		if (number >= c->numbers)
			c->numbers = number + 1;
	}
}

static int is_uneven(const struct one_case *c)
{
	for (long i = 0; i < c->numbers; i++)
		if (memcmp(c->number[i], c->number[0], sizeof(c->number[0])))
			return 1;
	return 0;
}

/* Racing tasks allocate and give up: there, more calls than misses are right. */
static int is_race(const struct one_case *c)
{
	return strstr(c->name, "-race") != NULL;
}

static void print_case(const struct one_case *c)
{
	printf("%s %ld,%ld,%ld %ld,%ld,%ld%s\n", c->name, c->expected[M], c->expected[R],
	       c->expected[N], c->counted[M], c->counted[R], c->counted[N],
	       is_uneven(c) ? ",uneven" : "");
}

/* The cases of one file system, from its first to the one before the returned. */
static struct one_case *print_file_system(struct one_case *c)
{
	long expected[TYPES] = { 0 }, counted[TYPES] = { 0 };
	int fs = strcspn(c->name, "-"), all = 0, right = 0;
	const char *name = c->name;

	for (; c < cases + case_count && !strncmp(c->name, name, fs + 1); c++) {
		if (is_race(c)) {
			print_case(c);
			continue;
		}
		all++;
		for (int i = 0; i < TYPES; i++) {
			expected[i] += c->expected[i];
			counted[i] += c->counted[i];
		}
		if (!memcmp(c->expected, c->counted, sizeof(c->counted)) && !is_uneven(c))
			right++;
		else
			print_case(c);
	}
	for (int i = 0; i < TYPES; i++)
		printf("%.*s-%c %ld %ld\n", fs, name, "MRN"[i], expected[i], counted[i]);
	printf("%.*s-cases %d %d\n", fs, name, all, right);
	return c;
}

int check_rows(const char *work_output, const char *rows, int misses_only)
{
	static char line[20000];
	FILE *f;
	long calls = 0, misses = 0;
	struct one_case *next;
	int right = 0;

	read_expectations(work_output);
	f = fopen(rows, "re");
	must(f);
	while (fgets(line, sizeof(line), f)) {
		if (line[0] != '{' || strcmp(line + strlen(line) - 2, "}\n"))
			die("not a line of JSON: %s", line);
		count_row(line);
	}
	fclose(f);

	for (struct one_case *c = cases; c < cases + case_count; c++) {
		if (!is_race(c)) {
			calls += c->calls;
			misses += c->counted[M];
		}
		if (misses_only)
			c->expected[R] = c->expected[N] = 0;
	}
	for (struct one_case *c = cases; c < cases + case_count; c = next)
		next = print_file_system(c);
	printf("strays 0 %ld%s%s\n", strays, strays ? "," : "", stray);
	if (calls)
		printf("dalloc %ld %ld\n", calls, misses);
	if (name_count) {
		const char *wrong = "";

		for (int i = 0; i < name_count; i++)
			if (names[i].counted == 1)
				right++;
			else
				wrong = names[i].text;
		printf("names %d %d%s%.200s\n", name_count, right, *wrong ? "," : "", wrong);
	}
	if (comm_expected)
		printf("comm %ld %ld\n", comm_expected, comm_counted);
	if (storm[0] >= 0)
		printf("storm %ld %ld %ld\n", storm[0], storm[1], storm_rows);
	return 0;
}

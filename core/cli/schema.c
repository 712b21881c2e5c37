// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* JSON Schema from records. */
#include "core/cli/schema.h"

#include <string.h>

#include "core/base/escape.h"
#include "core/show/record.h"

/* A JSON string of our own text. */
static void put_string(FILE *to, const char *text)
{
	char escaped[ESCAPE_JSON_MAX * 1024];
	size_t len = strnlen(text, 1024);

	fprintf(to, "\"%.*s\"", (int)(escape_json(escaped, text, len, NULL) - escaped), escaped);
}

static void put_names(FILE *to, const char *const *names)
{
	fputs(", \"enum\": [", to);
	for (int i = 0; names[i]; i++) {
		fputs(i ? ", " : "", to);
		put_string(to, names[i]);
	}
	fputc(']', to);
}

static void put_type(FILE *to, const struct field *field)
{
	switch (field->kind) {
	case FIELD_TIME:
	case FIELD_CLOCK:
		fputs("\"type\": \"number\", \"minimum\": 0", to);
		break;
	case FIELD_PID:
	case FIELD_TID:
		fputs("\"type\": [\"integer\", \"null\"], \"minimum\": 0", to);
		break;
	case FIELD_INITIAL_PID:
	case FIELD_INITIAL_TID:
	case FIELD_UINT:
	case FIELD_ID:
	case FIELD_DURATION:
		fputs("\"type\": \"integer\", \"minimum\": 0", to);
		break;
	case FIELD_PERCENT:
		fputs("\"type\": [\"number\", \"null\"], \"minimum\": 0, \"maximum\": 100", to);
		break;
	case FIELD_INT:
		fputs("\"type\": \"integer\"", to);
		break;
	case FIELD_TRUE:
		fputs("\"const\": true", to);
		break;
	case FIELD_DATE:
		fputs("\"type\": \"string\", \"format\": \"date-time\"", to);
		break;
	case FIELD_DEVICE:
	case FIELD_ENUM:
	case FIELD_STRING:
	case FIELD_NAME:
	case FIELD_PATH:
	case FIELD_COMM:
	case FIELD_FOREIGN:
		fputs("\"type\": \"string\"", to);
		if (field->names)
			put_names(to, field->names);
		break;
	case FIELD_OFFSET:
	case FIELD_LATENCY:
		fputs("\"type\": [\"integer\", \"null\"], \"minimum\": 0", to);
		break;
	case FIELD_PERCENTILES:
		fputs("\"type\": \"object\", \"additionalProperties\": "
		      "{ \"type\": [\"integer\", \"null\"], \"minimum\": 0 }", to);
		break;
	case FIELD_BUCKETS:
		fputs("\"type\": \"array\", \"items\": { \"type\": \"array\", \"minItems\": 3, "
		      "\"maxItems\": 3,\n        \"items\": { \"type\": \"integer\", "
		      "\"minimum\": 0 } }", to);
		break;
	}
}

static void put_property(FILE *to, const struct field *field)
{
	fprintf(to, "    \"%s\": { ", field->key);
	put_type(to, field);
	if (field->unit) {
		fputs(", \"unit\": ", to);
		put_string(to, field->unit);
	}
	fputs(",\n      \"description\": ", to);
	put_string(to, field->help);
	fputs(" }", to);
	if (!field_is_foreign(field))
		return;
	fprintf(to, ",\n    \"%s_hex\": { \"type\": \"string\", "
		"\"pattern\": \"^([0-9a-f]{2})+$\",\n"
		"      \"description\": \"the bytes of %s, if they are not UTF-8\" }",
		field->key, field->key);
	if (field->may_be_cut)
		fprintf(to, ",\n    \"%s_cut\": { \"const\": true,\n"
			"      \"description\": \"%s is longer: its %s\" }",
			field->key, field->key, field->kind == FIELD_PATH ?
			"beginning is missing" : "first 255 bytes are here");
}

static void put_record(FILE *to, const struct record *record)
{
	const char *comma = "";

	fputs("  \"title\": ", to);
	put_string(to, record->name);
	fputs(",\n  \"description\": ", to);
	put_string(to, record->help);
	fputs(",\n  \"type\": \"object\",\n  \"properties\": {\n", to);
	FOR_EACH_FIELD(field, record) {
		fputs(comma, to);
		put_property(to, field);
		comma = ",\n";
	}
	fputs("\n  },\n  \"required\": [", to);
	comma = "";
	FOR_EACH_FIELD(field, record) {
		if (field->optional)
			continue;
		fprintf(to, "%s\"%s\"", comma, field->key);
		comma = ", ";
	}
	fputs("]\n", to);
}

void schema_write(FILE *to, const struct applet *applet)
{
	const struct record *record = applet->records;

	fputs("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
	      "  \"$comment\": \"fstrace " FSTRACE_VERSION ": one line of fstrace ", to);
	fprintf(to, "%s --json\",\n", applet->name);
	if (!record[1].name) {
		put_record(to, record);
		fputs("}\n", to);
		return;
	}
	fputs("  \"anyOf\": [\n", to);
	for (; record->name; record++) {
		fputs("  {\n", to);
		put_record(to, record);
		fprintf(to, "  }%s\n", record[1].name ? "," : "");
	}
	fputs("  ]\n}\n", to);
}

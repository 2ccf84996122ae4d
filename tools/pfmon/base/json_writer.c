// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON writer, see json_writer.h.
 */
#include <assert.h>
#include <inttypes.h>

#include "base/json_writer.h"

/*
 * Length of the well-formed UTF-8 sequence at @s, 0 if there is none.  Paths may
 * hold any bytes, but a JSON document may not.
 */
static unsigned int utf8_length(const unsigned char *s)
{
	unsigned int n, i;
	uint32_t code;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	code = s[0] & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	/* Refuse overlong forms, surrogates and code points beyond Unicode. */
	if ((n == 3 && code < 0x800) || (n == 4 && code < 0x10000))
		return 0;
	if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
		return 0;
	return n;
}

static void write_quoted(FILE *out, const char *value)
{
	const unsigned char *s = (const unsigned char *)value;
	unsigned int n;

	fputc('"', out);
	while (*s) {
		n = utf8_length(s);
		if (!n) {
			fputs("\\ufffd", out);
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\u%04x", *s);
		else
			fwrite(s, 1, n, out);
		s += n;
	}
	fputc('"', out);
}

static void new_line(struct json *json)
{
	unsigned int i;

	if (json->flat) {
		fputc(' ', json->out);
		return;
	}
	fputc('\n', json->out);
	for (i = 0; i < json->depth; i++)
		fputs("  ", json->out);
}

/* Writes what precedes a value: comma, line break, key. */
static void start_value(struct json *json, const char *key)
{
	if (!json->depth)
		return;
	if (json->filled[json->depth - 1])
		fputc(',', json->out);
	if (json->filled[json->depth - 1] || !json->flat)
		new_line(json);
	json->filled[json->depth - 1] = true;
	if (!key)
		return;
	write_quoted(json->out, key);
	fputs(": ", json->out);
}

static void open_nest(struct json *json, const char *key, const char *pair)
{
	assert(json->depth < JSON_DEPTH_MAX);
	start_value(json, key);
	fputc(pair[0], json->out);
	json->closer[json->depth] = pair[1];
	json->filled[json->depth] = false;
	json->depth++;
}

void jsonw_begin(struct json *json, FILE *out)
{
	json->out = out;
	json->depth = 0;
	json->flat = 0;
	jsonw_object(json, NULL);
}

void jsonw_begin_line(struct json *json, FILE *out)
{
	json->out = out;
	json->depth = 0;
	json->flat = 0;
	jsonw_line_object(json, NULL);
}

void jsonw_finish(struct json *json)
{
	jsonw_close(json);
	assert(!json->depth);
	fputc('\n', json->out);
}

void jsonw_object(struct json *json, const char *key)
{
	open_nest(json, key, "{}");
}

/* Opens an object that is written on one line, with everything in it. */
void jsonw_line_object(struct json *json, const char *key)
{
	open_nest(json, key, "{}");
	if (!json->flat)
		json->flat = json->depth;
}

void jsonw_array(struct json *json, const char *key)
{
	open_nest(json, key, "[]");
}

/* Opens an array that is written on one line, with everything in it. */
void jsonw_line_array(struct json *json, const char *key)
{
	open_nest(json, key, "[]");
	if (!json->flat)
		json->flat = json->depth;
}

void jsonw_close(struct json *json)
{
	bool was_flat = json->flat == json->depth;
	bool filled;

	assert(json->depth);
	json->depth--;
	filled = json->filled[json->depth];
	if (was_flat)
		json->flat = 0;
	else if (filled && !json->flat)
		new_line(json);
	fputc(json->closer[json->depth], json->out);
}

void jsonw_string(struct json *json, const char *key, const char *value)
{
	start_value(json, key);
	write_quoted(json->out, value);
}

void jsonw_uint(struct json *json, const char *key, uint64_t value)
{
	start_value(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void jsonw_int(struct json *json, const char *key, int64_t value)
{
	start_value(json, key);
	fprintf(json->out, "%" PRId64, value);
}

void jsonw_double(struct json *json, const char *key, double value)
{
	start_value(json, key);
	fprintf(json->out, "%.12g", value);
}

void jsonw_bool(struct json *json, const char *key, bool value)
{
	start_value(json, key);
	fputs(value ? "true" : "false", json->out);
}

void jsonw_null(struct json *json, const char *key)
{
	start_value(json, key);
	fputs("null", json->out);
}

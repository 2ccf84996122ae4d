// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses the Accept header: a list of media types with parameters.  The parameter
 * q is the preference for a type, from 0 (not acceptable) to 1, the default.
 *
 * Every program reads the older text format, so a wildcard selects that one.
 * OpenMetrics is for clients that name it in the version that pfmon writes.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "live/exports.h"

#define BLANKS " \t"

/**
 * struct wish - preference of a client for each format, in thousandths
 * @openmetrics: OpenMetrics 1.0
 * @text: the older text format
 */
struct wish {
	unsigned int openmetrics;
	unsigned int text;
};

/* Removes blanks at both ends. */
static void trim(const char **from, const char **to)
{
	while (*from < *to && strchr(BLANKS, **from))
		(*from)++;
	while (*to > *from && strchr(BLANKS, (*to)[-1]))
		(*to)--;
}

static bool same(const char *from, const char *to, const char *text)
{
	trim(&from, &to);
	return (size_t)(to - from) == strlen(text) &&
	       !strncasecmp(from, text, to - from);
}

/* Converts "0.25" to 250.  An invalid number counts as 1, the default. */
static unsigned int thousandths(const char *from, const char *to)
{
	unsigned int value, digit;

	trim(&from, &to);
	if (from == to || *from != '0')
		return 1000;
	from++;
	if (from == to)
		return 0;
	if (*from != '.')
		return 1000;
	value = 0;
	for (digit = 100; digit && ++from < to; digit /= 10) {
		if (*from < '0' || *from > '9')
			return 1000;
		value += (*from - '0') * digit;
	}
	return value;
}

/* Parses one media type with its parameters. */
static void take_type(struct wish *wish, const char *from, const char *to)
{
	const char *end = memchr(from, ';', to - from), *part, *equals;
	const char *type_end = end ? end : to;
	unsigned int q = 1000, *form;
	bool version = true;

	while (end && end < to) {
		part = end + 1;
		end = memchr(part, ';', to - part);
		if (!end)
			end = to;
		equals = memchr(part, '=', end - part);
		if (!equals)
			continue;
		if (same(part, equals, "q"))
			q = thousandths(equals + 1, end);
		else if (same(part, equals, "version"))
			version = same(equals + 1, end, "1.0.0") ||
				  same(equals + 1, end, "\"1.0.0\"");
	}
	if (same(from, type_end, "application/openmetrics-text") && version)
		form = &wish->openmetrics;
	else if (same(from, type_end, "text/plain") ||
		 same(from, type_end, "text/*") || same(from, type_end, "*/*"))
		form = &wish->text;
	else
		return;
	if (q > *form)
		*form = q;
}

static void take_list(struct wish *wish, const char *from, const char *to)
{
	const char *end;

	for (; from < to; from = end + 1) {
		end = memchr(from, ',', to - from);
		if (!end)
			end = to;
		take_type(wish, from, end);
	}
}

bool accept_openmetrics(const char *request)
{
	static const char name[] = "accept:";
	struct wish wish = { 0 };
	const char *line, *end;

	for (line = strchr(request, '\n'); line; line = strchr(line, '\n')) {
		line++;
		if (strncasecmp(line, name, strlen(name)))
			continue;
		end = line + strcspn(line, "\r\n");
		take_list(&wish, line + strlen(name), end);
	}
	return wish.openmetrics && wish.openmetrics >= wish.text;
}

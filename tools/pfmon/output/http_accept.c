// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Accept header: media types, each with parameters, of which q says how much
 * the type is preferred, from 0 (not at all) to 1, which is the default.
 *
 * The text form of old is what everything reads, so a wildcard means that one.
 * OpenMetrics goes to those that name it, in the version that pfmon writes.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "output/http_accept.h"

#define BLANKS " \t"

/**
 * struct wish - how much a client prefers each form, in thousandths
 * @openmetrics: OpenMetrics 1.0
 * @text: the text form of old
 */
struct wish {
	unsigned int openmetrics;
	unsigned int text;
};

/* Without the blanks around it. */
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

/* "0.25" is 250; what is no such number counts as 1, as if it were not there. */
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

/* One media type with its parameters. */
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

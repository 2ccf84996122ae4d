// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads rows of 'perf stat -x,'.
 *
 * A row is COUNT,UNIT,EVENT,TIME,PERCENT and perhaps a metric of perf's with its unit.  With -r a
 * deviation in per cent comes before TIME.  Columns come before COUNT: the time of an interval (-I), a
 * CPU (-A), or a socket or core and how many CPUs it has.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/perf_stat.h"

/* Columns that may come before the count. */
#define BEFORE_MAX 4

/* Names of perf's own events, and what the kernel makes of them on Arm. */
static const struct {
	const char *name;
	const char *other;
} aliases[] = {
	{ "cycles", "cpu_cycles" },
	{ "cpu-cycles", "cycles" },
	{ "cpu-cycles", "cpu_cycles" },
	{ "instructions", "inst_retired" },
	{ "branch-misses", "br_mis_pred" },
	{ "branch-instructions", "branches" },
	{ "cache-references", "l1d_cache" },
	{ "cache-misses", "l1d_cache_refill" },
	{ "bus-cycles", "bus_cycles" },
	{ "stalled-cycles-frontend", "stall_frontend" },
	{ "stalled-cycles-backend", "stall_backend" },
};

static bool is_number(const char *text)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	strtod(text, &end);
	return !*end;
}

static bool is_value(const char *text)
{
	return is_number(text) || !strcmp(text, "<not counted>") ||
	       !strcmp(text, "<not supported>");
}

static bool is_open(const char *text)
{
	unsigned int slashes = 0;

	if (!isalpha((unsigned char)*text))
		return false;
	for (; *text; text++)
		slashes += *text == '/';
	return slashes % 2;
}

int perf_stat_join(char **fields, int num)
{
	int i;

	for (i = 0; i + 1 < num; i++) {
		while (i + 1 < num && is_open(fields[i])) {
			/* The fields are of one line, which was split at this comma. */
			fields[i][strlen(fields[i])] = ',';
			num--;
			memmove(&fields[i + 1], &fields[i + 2],
				(num - i - 1) * sizeof(*fields));
		}
	}
	return num;
}

/* The column of the time; -1 if there is none. */
static int time_column(char *const *fields, int num, int offset)
{
	int column = offset + 3;
	size_t length;

	if (column >= num)
		return -1;
	length = strlen(fields[column]);
	if (length && fields[column][length - 1] == '%')
		column++;
	return column < num && is_number(fields[column]) ? column : -1;
}

int perf_stat_offset(char *const *fields, int num)
{
	int i;

	for (i = 0; i <= BEFORE_MAX && i + 3 < num; i++)
		if (is_value(fields[i]) && !is_number(fields[i + 1]) &&
		    isalpha((unsigned char)*fields[i + 2]) &&
		    time_column(fields, num, i) >= 0)
			return i;
	return -1;
}

bool perf_stat_read(char *const *fields, int num, int offset,
		    struct perf_stat_row *row)
{
	int time;

	if (num < offset + 3 || !*fields[offset + 2])
		return false;
	time = time_column(fields, num, offset);
	*row = (struct perf_stat_row){
		.value = fields[offset],
		.unit = fields[offset + 1],
		.event = fields[offset + 2],
		.scaled = time >= 0 && time + 1 < num &&
			  is_number(fields[time + 1]) &&
			  strtod(fields[time + 1], NULL) < 100,
	};
	if (time == offset + 4)
		row->deviation = fields[offset + 3];
	if (!strcmp(row->value, "<not supported>"))
		row->why = "is not supported, says perf";
	else if (!strcmp(row->value, "<not counted>"))
		row->why = "was not counted by perf: no counter was free";
	if (row->why)
		row->value = "";
	return true;
}

void perf_stat_name(const char *event, char *name, size_t size)
{
	const char *slash = strchr(event, '/'), *end, *colon;
	size_t length = strlen(event);

	end = slash ? strchr(slash + 1, '/') : NULL;
	colon = strrchr(event, ':');
	if (end && !memchr(slash, '=', end - slash)) {
		event = slash + 1;
		length = end - event;
	} else if (end) {
		length = end + 1 - event;
	} else if (colon && colon[1] &&
		   strspn(colon + 1, "ukhGHpPSDWeI") == strlen(colon + 1)) {
		length = colon - event;
	}
	snprintf(name, size, "%.*s", (int)length, event);
}

const char *perf_stat_alias(const char *name, const char *after)
{
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcasecmp(aliases[i].name, name))
			continue;
		if (!after)
			return aliases[i].other;
		if (aliases[i].other == after)
			after = NULL;
	}
	return NULL;
}

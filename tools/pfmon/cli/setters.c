// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setters that know only what the row of the option table says.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/setters.h"
#include "options/options.h"

/* The setters store values of enums as unsigned int. */
_Static_assert(sizeof(enum action) == sizeof(unsigned int), "size of an enum");

int option_refuse(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, OPTION_WHY_ROOM, format, args);
	va_end(args);
	return -1;
}

static void *member(struct options *options, const struct option_row *row)
{
	return (char *)options + row->offset;
}

SETTER(set_nothing)
{
	(void)options;
	(void)row;
	(void)value;
	(void)why;
	return 0;
}

SETTER(set_flag)
{
	(void)value;
	(void)why;
	*(bool *)member(options, row) = true;
	return 0;
}

SETTER(set_bits)
{
	(void)value;
	(void)why;
	*(unsigned int *)member(options, row) |= row->value;
	return 0;
}

SETTER(set_one_of)
{
	unsigned int *place = member(options, row);

	(void)value;
	(void)why;
	if (*place && *place != row->value)
		return OPTION_CONFLICT;
	*place = row->value;
	return 0;
}

SETTER(set_text)
{
	(void)why;
	*(const char **)member(options, row) = value;
	return 0;
}

SETTER(set_text_once)
{
	const char **place = member(options, row);

	if (*place)
		return option_refuse(
			why, "--%s given twice%s", row->name,
			strstr(row->argument, ",...")
				? "; it takes a list, with commas between the entries"
				: "");
	*place = value;
	return 0;
}

/* An unsigned number and nothing else. */
static int read_number(const char *text, uint64_t max, uint64_t *number)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	*number = strtoull(text, &end, 0);
	return errno || *end || !*number || *number > max ? -1 : 0;
}

SETTER(set_number)
{
	uint64_t number;

	if (read_number(value, row->max, &number))
		return option_refuse(
			why, "--%s: '%s' is not a number from 1 to %llu",
			row->name, value, (unsigned long long)row->max);
	*(uint64_t *)member(options, row) = number;
	return 0;
}

SETTER(set_choice)
{
	const char *comma = "";
	unsigned int i;
	size_t at;

	for (i = 0; i < row->num_choices; i++) {
		if (!row->choices[i] || strcmp(row->choices[i], value))
			continue;
		*(unsigned int *)member(options, row) = i;
		return 0;
	}
	at = snprintf(why, OPTION_WHY_ROOM, "--%s: '%.100s' is not one of ",
		      row->name, value);
	for (i = 0; i < row->num_choices && at < OPTION_WHY_ROOM; i++) {
		if (!row->choices[i])
			continue;
		at += snprintf(why + at, OPTION_WHY_ROOM - at, "%s%s", comma,
			       row->choices[i]);
		comma = ", ";
	}
	return -1;
}

SETTER(set_duration)
{
	if (!duration_parse(value, member(options, row)))
		return 0;
	return option_refuse(
		why,
		"--%s: '%s' is not a time; give seconds (2.5) or a unit (500ms, 2m)",
		row->name, value);
}

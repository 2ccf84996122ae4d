// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of event sets.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perfmon.h>

#include "options.h"
#include "set_options.h"

#define NS_PER_MS	1e6

/* An hour; longer ones are slips of the pen. */
#define TIMEOUT_MAX	3600e9

static int __attribute__((format(printf, 2, 3)))
refuse(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, SET_WHY_ROOM, format, args);
	va_end(args);
	return -1;
}

int set_options_add(struct set_options *options, const char *list)
{
	size_t size = (options->count + 1) * sizeof(*options->lists);
	const char **lists, **triggers;

	lists = realloc(options->lists, size);
	if (lists)
		options->lists = lists;
	triggers = realloc(options->triggers, size);
	if (triggers)
		options->triggers = triggers;
	if (!lists || !triggers)
		return -1;
	lists[options->count] = list;
	triggers[options->count++] = NULL;
	return 0;
}

/* Milliseconds at the head of a list, in nanoseconds; moves *@text past them. */
static int take_timeout(const char **text, uint64_t *ns)
{
	double value;
	char *end;

	errno = 0;
	value = strtod(*text, &end) * NS_PER_MS;
	if (end == *text || (*end && *end != ',') || errno || !isfinite(value) ||
	    value < PFM_SET_TIMEOUT_MIN || value > TIMEOUT_MAX)
		return -1;
	*ns = llround(value);
	*text = end;
	return 0;
}

static int check_timeouts(const char *text, char *why)
{
	uint64_t ns;

	for (;; text++) {
		if (take_timeout(&text, &ns))
			return refuse(why, "--switch-timeout: '%.*s' is not a time in milliseconds from 0.01 to 3600000, such as 0.3 (with a comma between those of several sets)",
				      (int)strcspn(text, ","), text);
		if (!*text)
			return 0;
	}
}

uint64_t set_options_timeout(const struct set_options *options,
			     unsigned int index)
{
	const char *text = options->timeouts;
	uint64_t ns = SWITCH_TIMEOUT_DFL;

	if (!text)
		return ns;
	while (!take_timeout(&text, &ns) && *text && index--)
		text++;
	return ns;
}

unsigned int set_options_num_timeouts(const struct set_options *options)
{
	const char *text = options->timeouts;
	unsigned int count = text ? 1 : 0;

	while (text && (text = strchr(text, ','))) {
		count++;
		text++;
	}
	return count;
}

int set_options_trigger(const char **text, char **event, uint64_t *count)
{
	size_t length = strcspn(*text, ",");
	const char *colon;
	char *end;

	if (!**text)
		return 0;
	colon = memrchr(*text, ':', length);
	if (!colon || colon == *text || colon[1] < '0' || colon[1] > '9')
		return -1;
	errno = 0;
	*count = strtoull(colon + 1, &end, 10);
	if (errno || end != *text + length || !*count || *count > INT64_MAX)
		return -1;
	if (*end == ',' && !end[1])
		return -1;
	*event = strndup(*text, colon - *text);
	if (!*event)
		return -1;
	*text = *end ? end + 1 : end;
	return 1;
}

static int check_triggers(const char *text, char *why)
{
	const char *whole = text;
	uint64_t count;
	char *event;
	int ret;

	while ((ret = set_options_trigger(&text, &event, &count)) > 0)
		free(event);
	if (!ret && *whole)
		return 0;
	return refuse(why, "--switch-overflow: '%s' is not a list of EVENT:N, N being how many events end the set's turn",
		      whole);
}

static int take_trigger(struct set_options *options, const char *value,
			char *why)
{
	const char **place = options->count ?
		&options->triggers[options->count - 1] : &options->common;

	if (*place)
		return refuse(why, "--switch-overflow given twice for one -e; it takes a list EVENT:N,EVENT:N");
	if (check_triggers(value, why))
		return -1;
	*place = value;
	return 0;
}

int set_options_take(struct set_options *options, int opt, const char *value,
		     char *why)
{
	switch (opt) {
	case OPT_SWITCH_TIMEOUT:
		if (options->timeouts)
			return refuse(why, "--switch-timeout given twice; it takes a list, one entry a set");
		options->timeouts = value;
		return check_timeouts(value, why);
	case OPT_SWITCH_OVERFLOW:
		return take_trigger(options, value, why);
	case OPT_NO_MULTIPLEX:
		options->no_multiplex = true;
		return 0;
	default:
		options->exclusive = true;
		return 0;
	}
}

static bool has_triggers(const struct set_options *options)
{
	unsigned int i;

	for (i = 0; i < options->count; i++)
		if (options->triggers[i])
			return true;
	return options->common;
}

bool set_options_may_repeat(const struct options *options)
{
	const struct set_options *sets = &options->sets;

	return options->scope.scope == SCOPE_COMMAND && !options->dont_start &&
	       !sets->exclusive && !sets->timeouts && !has_triggers(sets);
}

int set_options_check(const struct options *options, char *why)
{
	const struct set_options *sets = &options->sets;
	bool alone = sets->no_multiplex || sets->exclusive;

	if (sets->no_multiplex && sets->exclusive)
		return refuse(why, "--no-multiplex and --exclusive contradict each other: the one runs the command several times, the other refuses to");
	if (alone && (sets->timeouts || has_triggers(sets)))
		return refuse(why, "%s and %s cannot be combined: nothing is switched then",
			      sets->exclusive ? "--exclusive" : "--no-multiplex",
			      sets->timeouts ? "--switch-timeout" :
					       "--switch-overflow");
	if (sets->no_multiplex && options->scope.scope != SCOPE_COMMAND)
		return refuse(why, "--no-multiplex runs a command several times, which only a command of its own can be, not what runs already or CPUs; leave it out, or count fewer events");
	if (sets->no_multiplex && options->dont_start)
		return refuse(why, "--no-multiplex and --dont-start cannot be combined");
	return 0;
}

void set_options_free(struct set_options *options)
{
	free(options->lists);
	free(options->triggers);
}

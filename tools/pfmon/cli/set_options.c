// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of event sets.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perfmon.h>

#include "cli/set_options.h"
#include "options/options.h"

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

static int check_timeouts(const char *text, char *why)
{
	uint64_t ns;

	for (;; text++) {
		if (set_options_take_timeout(&text, &ns))
			return refuse(why, "--switch-timeout: '%.*s' is not a time in milliseconds from 0.01 to 3600000, such as 0.3 (with a comma between those of several sets)",
				      (int)strcspn(text, ","), text);
		if (!*text)
			return 0;
	}
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

int set_options_check(const struct options *options, char *why)
{
	const struct set_options *sets = &options->sets;
	bool alone = sets->no_multiplex || sets->exclusive;

	if (sets->no_multiplex && sets->exclusive)
		return refuse(why, "--no-multiplex and --exclusive contradict each other: the one runs the command several times, the other refuses to");
	if (alone && (sets->timeouts || set_options_has_triggers(sets)))
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

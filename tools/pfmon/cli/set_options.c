// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setters and checks of the options of event sets.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/option_checks.h"
#include "cli/setters.h"
#include "options/options.h"

SETTER(set_switch_timeout)
{
	const char *text = value;
	uint64_t ns;

	for (;; text++) {
		if (set_options_take_timeout(&text, &ns))
			return option_refuse(
				why,
				"--%s: '%.*s' is not a time in milliseconds from 0.01 to 3600000, such as 0.3 (with commas between the times of several sets)",
				row->name, (int)strcspn(text, ","), text);
		if (!*text)
			return set_text_once(options, row, value, why);
	}
}

static int check_triggers(const char *list, char *why)
{
	const char *text = list;
	uint64_t count;
	char *event;
	int ret;

	while ((ret = set_options_trigger(&text, &event, &count)) > 0)
		free(event);
	if (!ret && *list)
		return 0;
	return option_refuse(
		why,
		"--switch-overflow: '%s' is not a list of EVENT:N; the time slice of the set ends after N of these events",
		list);
}

/* The option belongs to the last -e before it; before all -e, to all sets. */
SETTER(set_switch_overflow)
{
	struct set_options *sets = &options->sets;
	const char **place = sets->count ? &sets->triggers[sets->count - 1]
					 : &sets->common;

	(void)row;
	if (*place)
		return option_refuse(
			why,
			"--switch-overflow given twice for one -e; it takes a list EVENT:N,EVENT:N");
	if (check_triggers(value, why))
		return -1;
	*place = value;
	return 0;
}

int set_options_check(const struct options *options, char *why)
{
	const struct set_options *sets = &options->sets;
	bool alone = sets->no_multiplex || sets->exclusive;

	if (sets->no_multiplex && sets->exclusive)
		return option_refuse(
			why,
			"--no-multiplex and --exclusive contradict each other: --no-multiplex runs the command once for each set, --exclusive refuses more than one set");
	if (alone && (sets->timeouts || set_options_has_triggers(sets)))
		return option_refuse(
			why,
			"%s and %s cannot be combined: nothing is switched then",
			sets->exclusive ? "--exclusive" : "--no-multiplex",
			sets->timeouts ? "--switch-timeout"
				       : "--switch-overflow");
	if (sets->apart && sets->exclusive)
		return option_refuse(
			why,
			"--sets and --exclusive contradict each other: --sets asks for a set for each -e, --exclusive refuses more than one set");
	if (sets->no_multiplex && options->scope.scope != SCOPE_COMMAND)
		return option_refuse(
			why,
			"--no-multiplex runs a command several times; tasks that already run and CPUs cannot be run again: leave it out, or count fewer events");
	if (sets->no_multiplex && options->dont_start)
		return option_refuse(
			why,
			"--no-multiplex and --dont-start cannot be combined: a command that starts counting itself is run once");
	return 0;
}

void set_options_free(struct set_options *options)
{
	free(options->lists);
	free(options->triggers);
}

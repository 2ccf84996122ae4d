// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks of --irange and --trigger-code-... against the other options.
 */
#include <string.h>

#include "cli/option_checks.h"
#include "cli/setters.h"
#include "options/options.h"

/* The options of a trigger against each other, and against --irange and --follow. */
static int check_trigger(const struct options *options, char *why)
{
	const struct trigger_options *trigger = &options->trigger;

	if (!trigger->start)
		return option_refuse(
			why,
			"--trigger-code-... needs --trigger-code-start-addresses=ADDRESS, where counting starts; main is the beginning of a program");
	if (options->irange)
		return option_refuse(
			why,
			"--irange and --trigger-code-... cannot be combined: functions start and stop counting as well");
	if (trigger->stop && !strcmp(trigger->start, trigger->stop))
		return option_refuse(
			why,
			"--trigger-code-... starts and stops at the same address");
	if (options->follow && !trigger->follow)
		return option_refuse(
			why,
			"--trigger-code-... and --follow-... need --trigger-code-follow: each task that is followed has the trigger");
	return 0;
}

/* The same for both. */
static int check_scope(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;
	const char *name = options->irange ? "irange" : "trigger-code-...";

	if (scope->scope == SCOPE_SYSTEM)
		return option_refuse(
			why,
			"--%s and --system-wide cannot be combined: a thread is in a function, not a CPU; --follow-all counts all that a command starts",
			name);
	if (scope->scope == SCOPE_CGROUP || scope_options_many(scope))
		return option_refuse(
			why,
			"--%s is for one command or process, as functions are those of a program",
			name);
	if (smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"--%s and sampling cannot be combined; samples tell the share of each function (--smpl-per-function)",
			name);
	if (options->sets.timeouts || set_options_has_triggers(&options->sets))
		return option_refuse(
			why,
			"--%s and event sets cannot be combined: a call may be shorter than a time slice",
			name);
	return 0;
}

int range_options_check(const struct options *options, char *why)
{
	const struct trigger_options *trigger = &options->trigger;
	const bool triggers = trigger->start || trigger->stop ||
			      trigger->repeat || trigger->follow;

	if (options->irange && !*options->irange)
		return option_refuse(
			why, "--irange needs names of functions, or START-END");
	if (triggers && check_trigger(options, why))
		return -1;
	return options->irange || triggers ? check_scope(options, why) : 0;
}

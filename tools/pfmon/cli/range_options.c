// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks of --irange against the other options.
 */
#include <string.h>

#include "cli/option_checks.h"
#include "cli/setters.h"
#include "options/options.h"

int range_options_check(const struct options *options, char *why)
{
	const struct scope_options *scope = &options->scope;

	if (!options->irange)
		return 0;
	if (!*options->irange)
		return option_refuse(
			why, "--irange needs names of functions, or START-END");
	if (scope->scope == SCOPE_SYSTEM)
		return option_refuse(
			why,
			"--irange and --system-wide cannot be combined: a thread is in a function, not a CPU; --follow-all counts all that a command starts");
	if (scope->scope == SCOPE_CGROUP || scope_options_many(scope))
		return option_refuse(
			why,
			"--irange is for one command or process, as functions are those of a program");
	if (smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"--irange and sampling cannot be combined; samples tell the share of each function (--smpl-per-function)");
	if (options->sets.timeouts || set_options_has_triggers(&options->sets))
		return option_refuse(
			why,
			"--irange and event sets cannot be combined: a call may be shorter than a time slice");
	return 0;
}

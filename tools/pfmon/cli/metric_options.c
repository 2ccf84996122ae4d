// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setters and checks of the options of metrics.
 */
#include "cli/option_checks.h"
#include "cli/setters.h"
#include "options/options.h"

SETTER(set_topdown)
{
	unsigned int level = value ? metric_options_level(value) : 1;

	if (!level)
		return option_refuse(why,
				     "--%s: '%s' is not a level from 1 to 16",
				     row->name, value);
	options->metrics.topdown = level;
	return 0;
}

int metric_options_check(const struct options *options, char *why)
{
	const struct metric_options *metrics = &options->metrics;
	bool counted = metrics->names || metrics->topdown;

	if (counted && smpl_options_on(&options->smpl))
		return option_refuse(
			why,
			"metrics and sampling cannot be combined: a metric is made of counts");
	if (counted && options->action != ACTION_COUNT &&
	    options->action != ACTION_CHECK)
		return option_refuse(
			why,
			"--metrics and --topdown are for counting; --list-metrics=REGEX describes metrics");
	if ((metrics->pmu || metrics->file) && !counted &&
	    options->action != ACTION_METRICS)
		return option_refuse(
			why,
			"--pmu and --metric-file are for --metrics, --topdown and --list-metrics");
	return 0;
}

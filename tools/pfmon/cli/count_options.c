// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setters and checks of the options that say what pfmon does, which tasks it follows,
 * and how it writes counts.
 */
#include <string.h>
#include <linux/perfmon.h>

#include "base/message.h"
#include "cli/option_checks.h"
#include "cli/setters.h"
#include "options/options.h"

static bool wants_help(const struct options *options)
{
	return options->action == ACTION_HELP ||
	       options->action == ACTION_VERSION;
}

/* --help and --version replace the action, so they can be added to any command line. */
SETTER(set_help)
{
	(void)value;
	(void)why;
	if (!wants_help(options))
		options->action = row->value;
	return 0;
}

SETTER(set_action)
{
	(void)why;
	if (wants_help(options))
		return 0;
	if (options->action != ACTION_COUNT && options->action != row->value)
		return OPTION_CONFLICT;
	options->action = row->value;
	if (value)
		options->pattern = value;
	return 0;
}

SETTER(set_events)
{
	(void)row;
	if (set_options_add(&options->sets, value))
		return option_refuse(why, "out of memory for the events");
	return 0;
}

SETTER(set_priv_levels)
{
	const char *entry = value;
	int length;

	for (;; entry += length + 1) {
		length = strcspn(entry, ",");
		if (options_levels(entry, length) < 0)
			return option_refuse(
				why,
				"--%s: '%.*s' is not a list of levels; use the letters u (or 3) and k (or 0), with commas between the entries of several events",
				row->name, length, entry);
		if (!entry[length])
			return set_text_once(options, row, value, why);
	}
}

SETTER(set_event_mask)
{
	const char *entry = value;
	int length;

	for (;; entry += length + 1) {
		length = strcspn(entry, ",");
		if (options_mask(row->value, entry, length) ==
		    OPTIONS_MASK_WRONG)
			return option_refuse(
				why, "--%s: '%.*s' is not %s", row->name,
				length, entry,
				row->value == EVENT_MASK_COUNTER ?
					"a number from 0 to 255 (with commas between those of several events)" :
					"y or n (with commas between those of several events)");
		if (!entry[length])
			return set_text_once(options, row, value, why);
	}
}

static int set_regex(const struct option_row *row, const char *text,
		     regex_t *regex, bool *have, char *why)
{
	char reason[256];
	int err;

	if (*have)
		return option_refuse(
			why,
			"--%s: only one regular expression can be given; join several as 'one|two'",
			row->name);
	err = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, regex, reason, sizeof(reason));
		return option_refuse(
			why, "--%s: '%s' is not a regular expression: %s",
			row->name, text, reason);
	}
	*have = true;
	return 0;
}

SETTER(set_follow_exec)
{
	options->follow |= PFM_CTX_FOLLOW_EXEC;
	if (!value)
		return 0;
	return set_regex(row, value, &options->only, &options->have_only, why);
}

SETTER(set_follow_exec_exclude)
{
	options->follow |= PFM_CTX_FOLLOW_EXEC;
	return set_regex(row, value, &options->except, &options->have_except,
			 why);
}

SETTER(set_quiet)
{
	(void)options;
	(void)row;
	(void)value;
	(void)why;
	message_level.quiet = 1;
	return 0;
}

SETTER(set_verbose)
{
	(void)options;
	(void)value;
	(void)why;
	message_level.verbose = 1;
	if (row->value)
		message_level.debug = 1;
	return 0;
}

static bool describes_events(const struct options *options)
{
	return options->action == ACTION_LIST ||
	       options->action == ACTION_LIST_LONG ||
	       options->action == ACTION_EVENT_INFO;
}

/* Forms of output. */
static int check_format(const struct options *options, char *why)
{
	if (options->append && !options->outfile)
		return option_refuse(
			why,
			"--append needs --outfile: it says which file to append to");
	if (options->append && options->format == OUTPUT_JSON)
		return option_refuse(
			why,
			"--append and --json cannot be combined: a file holds one JSON document");
	if (options->format != OUTPUT_TEXT && options->counter != COUNTER_PLAIN)
		return option_refuse(
			why,
			"the counter formats are for text; --json and --csv write plain integers");
	if (options->format == OUTPUT_CSV && options->with_header)
		return option_refuse(
			why,
			"--with-header and --csv cannot be combined: CSV has no comments; --json carries the header");
	if (options->format == OUTPUT_CSV && options->show_time)
		return option_refuse(
			why,
			"--show-time and --csv cannot be combined; --json carries the times");
	if (options->action == ACTION_DOCTOR && options->format == OUTPUT_CSV)
		return option_refuse(
			why,
			"--doctor has no form for --csv; --json is for programs");
	if (describes_events(options) && options->format == OUTPUT_CSV)
		return option_refuse(
			why,
			"descriptions of events have no form for --csv; --json is for programs");
	if ((options->action == ACTION_INFO ||
	     options->action == ACTION_MODULE ||
	     options->action == ACTION_OPTIONS) &&
	    options->format != OUTPUT_TEXT)
		return option_refuse(
			why,
			"--json and --csv cannot be combined with --info, --smpl-module-info and --show-options");
	return 0;
}

int count_options_check(const struct options *options, char *why)
{
	if (options->exec_split && !(options->follow & PFM_CTX_FOLLOW_EXEC))
		return option_refuse(
			why,
			"--exec-split-results needs --follow-exec or --follow-all");
	if (options->exec_split && options->aggregate)
		return option_refuse(
			why,
			"--exec-split-results and --aggregate-results contradict each other");
	if (message_level.quiet && message_level.verbose)
		return option_refuse(
			why, "--quiet and --verbose contradict each other");
	return check_format(options, why);
}

void count_options_free(struct options *options)
{
	if (options->have_only)
		regfree(&options->only);
	if (options->have_except)
		regfree(&options->except);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setters of the options that the verb stat has besides those of the original.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/perfmon.h>

#include "base/clock.h"
#include "options/options.h"
#include "verbs/stat.h"

/* A list of CPUs asks for these instead of tasks. */
SETTER(set_stat_cpus)
{
	set_system_wide(options, row, NULL, why);
	return set_cpu_list(options, row, value, why);
}

/*
 * perf has a group for each event, where one group stands for all events, and counts on CPUs
 * alone.
 */
SETTER(set_stat_cgroup)
{
	(void)row;
	if (strchr(value, ','))
		return option_refuse(
			why,
			"-G takes one group, in which all events are counted; --for-each-cgroup=%s counts all events in each",
			value);
	if (options->scope.cgroup)
		return option_refuse(
			why, "-G takes one group, and another one was given");
	set_system_wide(options, row, NULL, why);
	options->scope.cgroup = value;
	return 0;
}

/* perf's times without a unit are in milliseconds. */
SETTER(set_stat_ms)
{
	uint64_t *ns = (uint64_t *)((char *)options + row->offset);
	char text[64];

	snprintf(text, sizeof(text), "%s%s", value,
		 value[strspn(value, "0123456789.eE+")] ? "" : "ms");
	if (!duration_parse(text, ns))
		return 0;
	return option_refuse(
		why,
		"--%s: '%s' is not a time; give milliseconds (100) or a unit (2s)",
		row->name, value);
}

SETTER(set_stat_detail)
{
	(void)row;
	(void)value;
	(void)why;
	options->stat.detail++;
	return 0;
}

/* --by takes a word; others stand for one. */
SETTER(set_stat_grouping)
{
	if (value)
		return set_choice(options, row, value, why);
	options->stat.by = row->value;
	return 0;
}

SETTER(set_stat_help_all)
{
	options->stat.help_all = true;
	return set_help(options, row, value, why);
}

/* Nothing that COMMAND creates is followed; see stat_ready(). */
SETTER(set_stat_no_inherit)
{
	(void)row;
	(void)value;
	(void)why;
	options->stat.alone = true;
	return 0;
}

/* A number, also as 1k, 1M or 1e6. */
SETTER(set_stat_repeat)
{
	double number;
	char *end;

	errno = 0;
	number = strtod(value, &end);
	if (end != value && !strcmp(end, "k"))
		number *= 1e3;
	else if (end != value && !strcmp(end, "M"))
		number *= 1e6;
	else if (end == value || *end)
		number = 0;
	if (errno || !(number >= 1 && number <= row->max) ||
	    number != (uint64_t)number)
		return option_refuse(
			why,
			"--%s: '%s' is not a number of runs from 1 to %llu",
			row->name, value, (unsigned long long)row->max);
	options->stat.repeat = number;
	return 0;
}

SETTER(set_stat_separator)
{
	if (!*value || strpbrk(value, "\"\r\n"))
		return option_refuse(
			why,
			"--%s: the separator must not be empty, a quote, or the end of a line",
			row->name);
	if (options->format != OUTPUT_TEXT && options->format != OUTPUT_CSV)
		return option_refuse(
			why, "--%s is for CSV, and --json asks for a document",
			row->name);
	options->format = OUTPUT_CSV;
	options->stat.separator = strcmp(value, "\\t") ? value : "\t";
	return 0;
}

SETTER(set_stat_tasks)
{
	char *list = stat_find_tasks(value, why);
	int err = list ? set_tasks(options, row, list, why) : -1;

	free(list);
	return err;
}

/* Which of the options that are not given follow from those that are. */
static void follow(struct options *options)
{
	const struct scope_options *scope = &options->scope;

	if (scope->scope == SCOPE_SYSTEM || scope->one_thread ||
	    options->stat.alone)
		return;
	options->follow |= PFM_CTX_FOLLOW_ALL;
}

static int check_grouping(const struct options *options, char *why)
{
	const enum grouping by = options->stat.by;
	bool cpus = options->scope.scope == SCOPE_SYSTEM;

	if (by == GROUPING_CPU && !cpus)
		return option_refuse(why,
				     "a row for each CPU needs -a or -C LIST");
	if (by != GROUPING_NONE && by != GROUPING_CPU && cpus)
		return option_refuse(
			why,
			"--by %s is about tasks, and -a and -C count CPUs; --by cpu has a row for each",
			grouping_names[by]);
	if ((by == GROUPING_PROGRAM || by == GROUPING_PROCESS) &&
	    options->scope.interval_ns)
		return option_refuse(
			why,
			"--by %s and -I cannot be combined; --by thread has a row for each thread in each interval",
			grouping_names[by]);
	return 0;
}

/* Intervals of tasks begin with the session. */
static int check_delay(const struct options *options, char *why)
{
	if (!options->scope.delay_ns || options->scope.scope == SCOPE_SYSTEM)
		return 0;
	if (options->scope.interval_ns)
		return option_refuse(
			why,
			"-D and -I cannot be combined for tasks; count CPUs with -a, or leave out one of them");
	if (options->dont_start)
		return option_refuse(
			why,
			"-D and --dont-start cannot be combined: COMMAND says when counting begins");
	return 0;
}

static int check_repeat(const struct options *options, char *why)
{
	/* A command that is only checked is not looked at. */
	if (options->stat.repeat <= 1 || options->action == ACTION_CHECK)
		return 0;
	if (!options->command || options->scope.scope != SCOPE_COMMAND)
		return option_refuse(
			why,
			"-r runs a command several times, and there is none that is counted");
	if (options->scope.interval_ns)
		return option_refuse(why, "-r and -I cannot be combined");
	if (options->stat.by == GROUPING_PROCESS ||
	    options->stat.by == GROUPING_THREAD)
		return option_refuse(
			why,
			"-r and --by %s cannot be combined: each run has others; --by program has a row for each program",
			grouping_names[options->stat.by]);
	return 0;
}

static void group(struct options *options)
{
	const enum grouping by = options->stat.by;

	if (by == GROUPING_NONE && !options->scope.topology &&
	    !options->scope.each_cgroup)
		options->aggregate = true;
	/* A shell's counts are not those of the program that it becomes. */
	if (by == GROUPING_PROGRAM && options->follow & PFM_CTX_FOLLOW_EXEC)
		options->exec_split = true;
}

/* Digits are grouped on a terminal, where a person reads them. */
static void choose_format(struct options *options)
{
	if (options->format == OUTPUT_TEXT && !options->counter &&
	    !options->outfile && isatty(STDERR_FILENO))
		options->counter = COUNTER_US;
	if (options->command && options->format != OUTPUT_CSV)
		options->show_time = true;
}

int stat_ready(struct options *options, char *why)
{
	struct stat_options *stat = &options->stat;
	bool task = options->scope.scope == SCOPE_TASK ||
		    options->scope.scope == SCOPE_CGROUP;

	stat->on = true;
	if (options->action != ACTION_COUNT && options->action != ACTION_CHECK)
		return 0;
	/* A number would be a process that is not in the list of -p: the check has a message for it. */
	if (task && options->command &&
	    options->command[0][strspn(options->command[0], "0123456789")]) {
		stat->clock = options->command;
		options->command = NULL;
	}
	stat->try_kernel = !options->plm && !options->priv_levels;
	if (stat->try_kernel)
		options->plm = PFM_PLM_USER | PFM_PLM_KERNEL;
	follow(options);
	if (check_grouping(options, why) || check_delay(options, why) ||
	    check_repeat(options, why))
		return -1;
	group(options);
	choose_format(options);
	return 0;
}

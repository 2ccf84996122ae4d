// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of the verb record, with the letters of perf where these mean the same.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perfmon.h>
#include <perfmon/perfmon.h>

#include "cli/option_table.h"
#include "cli/setters.h"
#include "options/branch_filter.h"
#include "options/options.h"
#include "verbs/record.h"
#include "verbs/stat.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define FIELD(member) .offset = offsetof(struct options, member)

/* So many samples in a second cost a program less than a hundredth of its time. */
#define FREQUENCY_DFL 1000

/* More samples in a second take so long that the kernel throttles them. */
#define FREQUENCY_MAX 1000000

/* A part is read while the kernel fills the others. */
#define PARTS_DFL 4

static SETTER(set_rate);
static SETTER(set_branches);

/* clang-format off */
static const struct option_row own_rows[] = {
	{
		.name = "events", .letters = "e", .argument = "EVENT,...",
		.group = GROUP_EVENTS,
		.set = set_events,
		.help = "sample by these events; without, by cycles or task-clock",
	},
	{
		.name = "event", .argument = "EVENT,...",
		.group = GROUP_EVENTS,
		.set = set_events,
		.help = "the same",
	},
	{
		.name = "user-level", .letters = "u",
		.group = GROUP_EVENTS,
		.set = set_bits, FIELD(plm), .value = PFM_PLM_USER,
		.help = "in user code only",
	},
	{
		.name = "kernel-level", .letters = "k",
		.group = GROUP_EVENTS,
		.set = set_bits, FIELD(plm), .value = PFM_PLM_KERNEL,
		.help = "in the kernel only; -u -k in both, and fail if that is not allowed",
	},
	{
		.name = "no-inherit", .letters = "i",
		.group = GROUP_FOLLOW,
		.set = set_stat_no_inherit,
		.help = "sample the first thread of COMMAND only",
	},
	{
		.name = "pid", .letters = "p", .argument = "PID",
		.group = GROUP_ATTACH,
		.set = set_stat_tasks,
		.help = "a process, by number or name, until it or COMMAND ends",
	},
	{
		.name = "tid", .argument = "TID",
		.group = GROUP_ATTACH,
		.set = set_one_thread,
		.help = "one thread",
	},
	{
		.name = "all-cpus", .letters = "a",
		.group = GROUP_SYSTEM,
		.set = set_system_wide,
		.help = "all CPUs, whatever runs on them",
	},
	{
		.name = "cpu", .letters = "C", .argument = "LIST",
		.group = GROUP_SYSTEM,
		.set = set_stat_cpus, FIELD(scope.cpu_list),
		.help = "these CPUs (0,2-3)",
	},
	{
		.letters = "G", .argument = "PATH",
		.group = GROUP_SYSTEM,
		.set = set_stat_cgroup, FIELD(scope.cgroup),
		.help = "what runs of a control group on all CPUs: -a --cgroup=PATH",
	},
	{
		.name = "session-timeout", .letters = "t", .argument = "TIME",
		.group = GROUP_TIME,
		.set = set_duration, FIELD(timeout_ns),
		.help = "end after TIME (10, 2.5s, 500ms, 2m)",
	},
	{
		.name = "freq", .letters = "F", .argument = "HZ",
		.group = GROUP_SAMPLING, .max = FREQUENCY_MAX,
		.set = set_rate, FIELD(smpl.frequency),
		.help = "about HZ samples in a second of CPU time (1000)",
	},
	{
		.name = "count", .letters = "c", .argument = "PERIOD",
		.group = GROUP_SAMPLING, .max = INT64_MAX,
		.set = set_rate, FIELD(smpl.period),
		.help = "a sample of each PERIOD events",
	},
	{
		.name = "call-graph", .letters = "g",
		.group = GROUP_SAMPLING,
		.set = set_one_of, FIELD(smpl.module), .value = MODULE_CALLSTACK,
		.help = "with call stacks, by frame pointers",
	},
	{
		.name = "latency",
		.group = GROUP_SAMPLING,
		.set = set_flag, FIELD(smpl.latency),
		.help = "for 'report --latency': note how many threads of COMMAND run",
	},
	{
		.name = "off-cpu",
		.group = GROUP_SAMPLING,
		.set = set_flag, FIELD(smpl.off_cpu),
		.help = "also where threads of COMMAND wait, and for how long",
	},
	{
		.name = "branch-any", .letters = "b",
		.group = GROUP_SAMPLING,
		.set = set_branches, FIELD(smpl.branches),
		.help = "with the branches that led to each sample",
	},
	{
		.name = "branch-filter", .letters = "j", .argument = "KIND,...",
		.group = GROUP_SAMPLING,
		.set = set_branches, FIELD(smpl.branches),
		.help = "with branches of these kinds (" BRANCH_FILTER_WORDS ")",
	},
	{
		.name = "outfile", .letters = "o", .argument = "FILE",
		.group = GROUP_OUTPUT,
		.set = set_text_once, FIELD(smpl.outfile),
		.help = "write FILE (" RECORD_FILE ")",
	},
	{
		.name = "output", .argument = "FILE",
		.group = GROUP_OUTPUT,
		.set = set_text_once, FIELD(smpl.outfile),
		.help = "the same",
	},
	{
		.name = "quiet", .letters = "q",
		.group = GROUP_OUTPUT,
		.set = set_quiet,
		.help = "no notes; errors and warnings remain",
	},
	{
		.name = "verbose", .letters = "v",
		.group = GROUP_OUTPUT,
		.set = set_verbose,
		.help = "say what is done",
	},
	{
		.name = "show-options",
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_OPTIONS,
		.help = "these options in a form for programs",
	},
	{
		.name = "help", .letters = "h",
		.group = GROUP_INFORMATION,
		.set = set_help, .value = ACTION_HELP,
		.help = "the options that are used most",
	},
	{
		.name = "help-all",
		.group = GROUP_INFORMATION,
		.set = set_stat_help_all, .value = ACTION_HELP,
		.help = "all options",
	},
};
/* clang-format on */

/* Options of the original, by their long names. */
static const char *const others[] = {
	"smpl-periods-random", "extra-smpl-pmds", "smpl-entries", "smpl-parts",
	"smpl-depth",	       "pmu-driver",	  "cgroup",
};

/* A number, also as 1k, 1M or 1e6. */
static SETTER(set_rate)
{
	double number;
	char *end;

	number = strtod(value, &end);
	if (end != value && !strcmp(end, "k"))
		number *= 1e3;
	else if (end != value && !strcmp(end, "M"))
		number *= 1e6;
	else if (end == value || *end)
		number = 0;
	if (!(number >= 1 && number <= (double)row->max) ||
	    number != (double)(uint64_t)number)
		return option_refuse(
			why,
			"--%s: '%s' is not a number from 1 to %llu, such as 5000, 5k or 1e6",
			row->name, value, (unsigned long long)row->max);
	*(uint64_t *)((char *)options + row->offset) = number;
	return 0;
}

/* Without an argument: all kinds. */
static SETTER(set_branches)
{
	const char *wrong = "";
	size_t length = 0;
	uint64_t filter = branch_filter_read(value, &wrong, &length);

	if (!filter)
		return option_refuse(
			why, "--%s: '%.*s' is no kind of branches; they are %s",
			row->name, (int)length, wrong, BRANCH_FILTER_WORDS);
	*(uint64_t *)((char *)options + row->offset) |= filter;
	return 0;
}

int record_ready(struct options *options, char *why)
{
	struct stat_options *stat = &options->stat;
	struct smpl_options *smpl = &options->smpl;
	const struct scope_options *scope = &options->scope;

	stat->on = true;
	if (options->action != ACTION_COUNT)
		return 0;
	if (smpl->frequency && smpl->period)
		return option_refuse(
			why,
			"-F is about samples in a second, -c about events between samples; give one of them");
	if ((smpl->latency || smpl->off_cpu) && scope->scope != SCOPE_COMMAND)
		return option_refuse(
			why,
			"--%s is for a command, whose threads are known from their beginning",
			smpl->latency ? "latency" : "off-cpu");
	if (smpl->branches && smpl->module == MODULE_CALLSTACK)
		return option_refuse(
			why,
			"-g and -b contradict each other: a sample has a call stack or branches; '-j stack' has the calls that the processor remembers");
	if (scope->scope == SCOPE_TASK && options->command) {
		stat->clock = options->command;
		options->command = NULL;
	}
	stat->try_kernel = !options->plm;
	if (stat->try_kernel)
		options->plm = PFM_PLM_USER | PFM_PLM_KERNEL;
	if (scope->scope != SCOPE_SYSTEM && !scope->one_thread && !stat->alone)
		options->follow |= PFM_CTX_FOLLOW_ALL;
	if (!smpl->frequency && !smpl->period)
		smpl->frequency = FREQUENCY_DFL;
	if (!smpl->outfile)
		smpl->outfile = RECORD_FILE;
	if (!smpl->parts)
		smpl->parts = PARTS_DFL;
	smpl->record = true;
	smpl->resolve = true;
	return 0;
}

static bool is_other(const struct option_row *row)
{
	size_t i;

	for (i = 0; row->name && i < COUNT(others); i++)
		if (!strcmp(row->name, others[i]))
			return true;
	return false;
}

/* Rows of a group are together, the verb's own first. */
static unsigned int merge(struct option_row *rows)
{
	unsigned int count = 0, group, i;

	for (group = 0; group < NUM_GROUPS; group++) {
		for (i = 0; i < COUNT(own_rows); i++)
			if (own_rows[i].group == group)
				rows[count++] = own_rows[i];
		for (i = 0; i < option_num_rows; i++) {
			if (option_rows[i].group != group ||
			    !is_other(&option_rows[i]))
				continue;
			rows[count] = option_rows[i];
			rows[count++].letters = NULL;
		}
	}
	return count;
}

struct option_table *record_table(void)
{
	static struct option_row rows[OPTION_ROWS_MAX];
	static struct option_table table = {
		.rows = rows,
		.help = "pfmon record --help-all",
		.ready = record_ready,
	};

	table.count = merge(rows);
	return &table;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of the verb stat: its own, with the letters of perf where these mean the same, and
 * those of the original by their long names.
 */
#include <stddef.h>
#include <string.h>
#include <linux/perfmon.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "cli/option_table.h"
#include "cli/setters.h"
#include "options/options.h"
#include "verbs/stat.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define FIELD(member) .offset = offsetof(struct options, member)

#define CHOICES(array) .choices = (array), .num_choices = COUNT(array)

/* So many runs of a command that does nothing take a quarter of an hour. */
#define REPEAT_MAX 1000000

/* clang-format off */
static const struct option_row own_rows[] = {
	{
		.name = "events", .letters = "e", .argument = "EVENT,...",
		.group = GROUP_EVENTS,
		.set = set_events,
		.help = "events; several -e add up, {A,B} are counted together; see 'pfmon list'",
	},
	{
		.name = "detailed", .letters = "d",
		.group = GROUP_EVENTS,
		.set = set_stat_detail,
		.help = "also caches; -d -d: and TLBs; unless there is -e",
	},
	{
		.name = "user-level", .letters = "u",
		.group = GROUP_EVENTS,
		.set = set_bits, FIELD(plm), .value = PFM_PLM_USER,
		.help = "count in user code only",
	},
	{
		.name = "kernel-level", .letters = "k",
		.group = GROUP_EVENTS,
		.set = set_bits, FIELD(plm), .value = PFM_PLM_KERNEL,
		.help = "count in the kernel only; -u -k in both, and fail if that is not allowed",
	},
	{
		.name = "metrics", .letters = "M", .argument = "METRIC,...",
		.group = GROUP_METRICS,
		.set = set_text_once, FIELD(metrics.names),
		.help = "metrics and groups of metrics; see 'pfmon list metrics'",
	},
	{
		.name = "no-inherit", .letters = "i",
		.group = GROUP_FOLLOW,
		.set = set_stat_no_inherit,
		.help = "count the first thread of COMMAND only",
	},
	{
		.name = "pid", .letters = "p", .argument = "PID,...",
		.group = GROUP_ATTACH,
		.set = set_stat_tasks,
		.help = "processes, by number or name, until they or COMMAND end",
	},
	{
		.name = "attach-task", .argument = "PID,...",
		.group = GROUP_ATTACH,
		.set = set_stat_tasks,
		.help = "the same",
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
		.name = "per-core",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_one_of, FIELD(scope.topology), .value = TOPOLOGY_CORE,
		.help = "sums of each core",
	},
	{
		.name = "per-socket",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_one_of, FIELD(scope.topology), .value = TOPOLOGY_SOCKET,
		.help = "sums of each socket",
	},
	{
		.name = "per-node",
		.group = GROUP_SYSTEM, .needs = NEEDS_SYSTEM_WIDE,
		.set = set_one_of, FIELD(scope.topology), .value = TOPOLOGY_NODE,
		.help = "sums of each node",
	},
	{
		.name = "delay", .letters = "D", .argument = "MS",
		.group = GROUP_TIME,
		.set = set_stat_ms, FIELD(scope.delay_ns),
		.help = "begin to count after MS milliseconds",
	},
	{
		.name = "repeat", .letters = "r", .argument = "N",
		.group = GROUP_TIME, .max = REPEAT_MAX,
		.set = set_stat_repeat,
		.help = "run COMMAND N times: mean, deviation and range",
	},
	{
		.name = "session-timeout", .letters = "t", .argument = "TIME",
		.group = GROUP_TIME,
		.set = set_duration, FIELD(timeout_ns),
		.help = "end counting after TIME (10, 2.5s, 500ms, 2m)",
	},
	{
		.name = "timeout", .argument = "MS",
		.group = GROUP_TIME,
		.set = set_stat_ms, FIELD(timeout_ns),
		.help = "the same in milliseconds, as perf has it",
	},
	{
		.name = "by", .argument = "WHAT",
		.group = GROUP_OUTPUT,
		.set = set_stat_grouping, FIELD(stat.by), CHOICES(grouping_names),
		.help = "a row for each program, process, thread or cpu; none: for all together",
	},
	{
		.name = "no-aggr", .letters = "A",
		.group = GROUP_OUTPUT,
		.set = set_stat_grouping, FIELD(stat.by), .value = GROUPING_CPU,
		.help = "the same as --by=cpu",
	},
	{
		.name = "per-thread",
		.group = GROUP_OUTPUT,
		.set = set_stat_grouping, FIELD(stat.by), .value = GROUPING_THREAD,
		.help = "the same as --by=thread",
	},
	{
		.name = "interval", .letters = "I", .argument = "MS",
		.group = GROUP_OUTPUT,
		.set = set_interval, FIELD(scope.interval_ns),
		.help = "print the counts of each MS milliseconds",
	},
	{
		.name = "interval-print", .argument = "MS",
		.group = GROUP_OUTPUT,
		.set = set_interval, FIELD(scope.interval_ns),
		.help = "the same",
	},
	{
		.name = "outfile", .letters = "o", .argument = "FILE",
		.group = GROUP_OUTPUT,
		.set = set_text_once, FIELD(outfile),
		.help = "results to FILE",
	},
	{
		.name = "output", .argument = "FILE",
		.group = GROUP_OUTPUT,
		.set = set_text_once, FIELD(outfile),
		.help = "the same",
	},
	{
		.name = "json", .letters = "j",
		.group = GROUP_OUTPUT,
		.set = set_one_of, FIELD(format), .value = OUTPUT_JSON,
		.help = "results as a JSON document",
	},
	{
		.name = "field-separator", .letters = "x", .argument = "SEP",
		.group = GROUP_OUTPUT,
		.set = set_stat_separator, FIELD(format),
		.help = "results as --csv, with SEP instead of the comma",
	},
	{
		.name = "big-num", .letters = "B",
		.group = GROUP_OUTPUT,
		.set = set_one_of, FIELD(counter), .value = COUNTER_US,
		.help = "digits in groups of three; without it, on a terminal only",
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
		.name = "check-events-only",
		.group = GROUP_INFORMATION,
		.set = set_action, .value = ACTION_CHECK,
		.help = "say whether the events can be counted together",
	},
	{
		.name = "no-config",
		.group = GROUP_INFORMATION,
		.set = set_flag, FIELD(stat.no_config),
		.help = "without the defaults of your configuration",
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

static bool is_own(const struct option_row *row)
{
	size_t i;

	for (i = 0; i < COUNT(own_rows); i++)
		if (row->name && own_rows[i].name &&
		    !strcmp(row->name, own_rows[i].name))
			return true;
	return false;
}

/* Options that stat has in its own form, or that do not count. */
static bool is_taken(const struct option_row *row)
{
	return !row->name || row->group == GROUP_SAMPLING ||
	       row->group == GROUP_INFORMATION ||
	       row->group == GROUP_ORIGINAL || is_own(row);
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
			    is_taken(&option_rows[i]))
				continue;
			rows[count] = option_rows[i];
			/* Its letters mean something else, or nothing. */
			rows[count++].letters = NULL;
		}
	}
	return count;
}

struct option_table *stat_table(const char *help)
{
	static struct option_row rows[OPTION_ROWS_MAX];
	static struct option_table table = {
		.rows = rows,
		.letter = stat_missing_letter,
		.name = stat_missing_name,
	};

	table.count = merge(rows);
	table.help = help;
	return &table;
}

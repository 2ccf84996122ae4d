// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of the verb top.
 */
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "cli/option_table.h"
#include "cli/setters.h"
#include "options/options.h"
#include "verbs/record.h"
#include "verbs/stat.h"
#include "verbs/top_options.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define FIELD(member) .offset = offsetof(struct options, member)

/* Longer than a look at a table takes. */
#define DELAY_DFL (2 * NS_PER_S)

/* Shorter times would show pfmon's own work. */
#define DELAY_MIN (NS_PER_S / 10)

/* clang-format off */
static const struct option_row own_rows[] = {
	{
		.name = "metrics", .letters = "M", .argument = "METRIC,...",
		.group = GROUP_METRICS,
		.set = set_text_once, FIELD(metrics.names),
		.help = "metrics of each CPU, or of each thread of -p, in place of samples",
	},
	{
		.name = "metric-file", .argument = "FILE",
		.group = GROUP_METRICS,
		.set = set_text, FIELD(metrics.file),
		.help = "metrics of your own",
	},
	{
		.name = "for-each-cgroup", .argument = "PATTERN,...",
		.group = GROUP_SYSTEM,
		.set = set_text_once, FIELD(scope.each_cgroup),
		.help = "with -M: metrics of each cgroup that matches",
	},
	{
		.name = "delay", .letters = "d", .argument = "TIME",
		.group = GROUP_TIME,
		.set = set_duration, FIELD(top.delay_ns),
		.help = "time between two tables (2, 500ms)",
	},
	{
		.name = "tables", .letters = "n", .argument = "N",
		.group = GROUP_TIME, .max = INT64_MAX,
		.set = set_number, FIELD(top.tables),
		.help = "end after N tables",
	},
	{
		.name = "by", .argument = "WHAT,...",
		.group = GROUP_OUTPUT,
		.set = set_text, FIELD(top.by),
		.help = "rows of program, process, thread, file, function (program,function)",
	},
};

/* Those of 'pfmon record' that are about its file, or about stacks. */
static const char *const dropped[] = {
	"call-graph", "outfile", "output", "smpl-depth",
};
/* clang-format on */

/* Metrics are of counts, in intervals. */
static int ready_metrics(struct options *options, char *why)
{
	if (options->smpl.frequency || options->smpl.period || options->top.by)
		return option_refuse(
			why,
			"-F, -c and --by are about samples, and -M is about counts; leave out one of them");
	options->scope.interval_ns = options->top.delay_ns;
	if (stat_ready(options, why))
		return -1;
	/* A row for each CPU or thread. */
	options->aggregate = false;
	return 0;
}

static int ready(struct options *options, char *why)
{
	struct smpl_options *smpl = &options->smpl;
	struct top_options *top = &options->top;

	if (options->action != ACTION_COUNT)
		return 0;
	if (options->command)
		return option_refuse(
			why,
			"'%s' would write to the same terminal; start it elsewhere, and name it with -p",
			options->command[0]);
	top->on = true;
	/* All CPUs are meant unless there are tasks, and a group is no task. */
	if (options->scope.scope == SCOPE_CGROUP)
		options->scope.scope = SCOPE_SYSTEM;
	if (!top->delay_ns)
		top->delay_ns = DELAY_DFL;
	if (top->delay_ns < DELAY_MIN)
		return option_refuse(why,
				     "--delay: the shortest time is 100 ms");
	if (options->metrics.names)
		return ready_metrics(options, why);
	if (options->scope.each_cgroup)
		return option_refuse(
			why,
			"--for-each-cgroup has counts of each group, and needs -M METRIC; --cgroup samples one group");
	if (record_ready(options, why))
		return -1;
	smpl->record = false;
	smpl->outfile = NULL;
	smpl->demangle = true;
	return 0;
}

static bool is_dropped(const struct option_row *row)
{
	size_t i;

	for (i = 0; i < COUNT(dropped); i++)
		if (row->name && !strcmp(row->name, dropped[i]))
			return true;
	return false;
}

/* Rows of a group are together, the verb's own first. */
static unsigned int merge(struct option_row *rows)
{
	const struct option_table *record = record_table();
	unsigned int count = 0, group, i;

	for (group = 0; group < NUM_GROUPS; group++) {
		for (i = 0; i < COUNT(own_rows); i++)
			if (own_rows[i].group == group)
				rows[count++] = own_rows[i];
		for (i = 0; i < record->count; i++)
			if (record->rows[i].group == group &&
			    !is_dropped(&record->rows[i]))
				rows[count++] = record->rows[i];
	}
	return count;
}

struct option_table *top_table(void)
{
	static struct option_row rows[OPTION_ROWS_MAX];
	static struct option_table table = {
		.rows = rows,
		.help = "pfmon top --help-all",
		.everything = true,
		.ready = ready,
	};

	table.count = merge(rows);
	return &table;
}

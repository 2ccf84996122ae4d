// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon stat: counts what a command, running tasks or CPUs do.  The options become those of the
 * original, whose stages do the work.
 */
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "base/pager.h"
#include "cli/measure.h"
#include "cli/parse.h"
#include "cli/usage.h"
#include "options/options.h"
#include "processor/machine.h"
#include "verbs/config.h"
#include "verbs/repeat.h"
#include "verbs/stat.h"
#include "verbs/verb.h"

static int print_all(const struct verb *verb, const struct option_table *table)
{
	int err;

	pager_begin();
	printf("%.*s\n", (int)(strchr(verb->help, '\n') - verb->help),
	       verb->help);
	usage_print_table(table);
	err = outfile_finish_stdout();
	pager_end();
	return err ? EXIT_OWN_FAILURE : 0;
}

/* Returns -1 if the options ask for no information. */
static int tell(const struct verb *verb, const struct option_table *table,
		const struct options *options)
{
	switch (options->action) {
	case ACTION_HELP:
		return options->stat.help_all ? print_all(verb, table)
					      : verb_print_help(verb);
	case ACTION_OPTIONS:
		usage_print_options_table(table);
		return outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
	default:
		return -1;
	}
}

bool stat_names_events(const struct options *options)
{
	return options->sets.count || options->metrics.names ||
	       options->metrics.topdown;
}

static int measure(struct options *options, struct machine *machine)
{
	if (stat_choose_events(options, machine, !stat_names_events(options)))
		return EXIT_OWN_FAILURE;
	if (options->action == ACTION_CHECK)
		return measure_check(options, machine) ? EXIT_OWN_FAILURE : 0;
	if (options->stat.repeat > 1)
		return repeat_run(options, machine);
	return measure_run(options, machine);
}

int stat_run(const struct verb *verb,
	     int (*ready)(struct options *options, char *why), int argc,
	     char **argv)
{
	struct machine machine = { 0 };
	struct option_table *table;
	struct options options;
	char help[64];
	int status;

	snprintf(help, sizeof(help), "pfmon %s --help-all", verb->name);
	table = stat_table(help);
	table->ready = ready;
	config_add_defaults(verb->name, table);
	status = options_parse_table(&options, table, argc, argv);
	if (!status) {
		machine.driver = options.driver;
		status = tell(verb, table, &options);
		if (status < 0)
			status = measure(&options, &machine);
	}
	options_free(&options);
	machine_free(&machine);
	return status;
}

static int run(int argc, char **argv)
{
	return stat_run(&verb_stat, stat_ready, argc, argv);
}

const struct verb verb_stat = {
	.name = "stat",
	.title = "count what a command, processes or CPUs do",
	.help = "Usage: pfmon stat [OPTION]... [--] COMMAND [ARGUMENT]...\n"
		"       pfmon stat -p PID|NAME,... [OPTION]... [[--] COMMAND]\n"
		"       pfmon stat -a|-C LIST [OPTION]... [[--] COMMAND]\n"
		"Counts COMMAND with all that it starts, in user code and in the kernel.\n"
		"\n"
		"  -e EVENT,...     these events; {A,B} are counted together; see 'pfmon list'\n"
		"  -d               caches too; -d -d: and TLBs\n"
		"  -M METRIC,...    metrics; see 'pfmon list metrics'\n"
		"  -u, -k           in user code only, in the kernel only\n"
		"  -p PID|NAME,...  running processes, until they, or COMMAND, end\n"
		"  -a, -C LIST      all CPUs, or some; see --cgroup and --for-each-cgroup\n"
		"  -t TIME          end after TIME (10, 500ms, 2m)\n"
		"  -I MS            the counts of each MS milliseconds\n"
		"  -r N             run COMMAND N times: mean, deviation, range\n"
		"      --by=WHAT    a row for each program, process, thread or cpu\n"
		"  -o FILE          results to FILE, not to standard error\n"
		"      --json, --csv, -x SEP\n"
		"                   for programs\n"
		"  -q, -v           fewer or more messages\n"
		"      --help-all   all options\n"
		"\n"
		"Example: pfmon stat --by=program -- make -j4\n",
	.run = run,
};

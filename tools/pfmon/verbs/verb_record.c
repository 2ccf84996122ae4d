// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon record: samples a command, running tasks or CPUs into a file, which 'pfmon report' reads.
 */
#include <stdio.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/pager.h"
#include "cli/measure.h"
#include "cli/parse.h"
#include "cli/usage.h"
#include "options/options.h"
#include "processor/machine.h"
#include "verbs/record.h"
#include "verbs/stat.h"
#include "verbs/verb.h"

static int print_all(const struct option_table *table)
{
	int err;

	pager_begin();
	printf("%.*s\n", (int)strcspn(verb_record.help, "\n"),
	       verb_record.help);
	usage_print_table(table);
	err = outfile_finish_stdout();
	pager_end();
	return err ? EXIT_OWN_FAILURE : 0;
}

/* Without a counter the kernel's clock of the task samples. */
int record_choose_event(struct options *options, const struct machine *machine)
{
	bool counters = pfm_reg_map_counters(machine->map, NULL);

	if (!counters)
		say_note(
			"there are no counters, so task-clock samples; 'pfmon doctor' says why");
	if (!set_options_add(&options->sets,
			     counters ? "cycles" : "task-clock"))
		return 0;
	say_error("out of memory for the events");
	return -1;
}

static int sample(struct options *options, struct machine *machine)
{
	if (stat_choose_events(options, machine, false))
		return EXIT_OWN_FAILURE;
	if (!options->sets.count && record_choose_event(options, machine))
		return EXIT_OWN_FAILURE;
	return measure_run(options, machine);
}

static int run(int argc, char **argv)
{
	struct option_table *table = record_table();
	struct machine machine = { 0 };
	struct options options;
	int status;

	status = options_parse_table(&options, table, argc, argv);
	if (!status && options.action == ACTION_HELP) {
		status = options.stat.help_all ? print_all(table)
					       : verb_print_help(&verb_record);
	} else if (!status && options.action == ACTION_OPTIONS) {
		usage_print_options_table(table);
		status = outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
	} else if (!status) {
		machine.driver = options.driver;
		machine.samples = true;
		status = sample(&options, &machine);
	}
	options_free(&options);
	machine_free(&machine);
	return status;
}

const struct verb verb_record = {
	.name = "record",
	.title = "sample a command, processes or CPUs into a file",
	.help = "Usage: pfmon record [OPTION]... [--] COMMAND [ARGUMENT]...\n"
		"       pfmon record -p PID|NAME [OPTION]... [[--] COMMAND]\n"
		"       pfmon record -a|-C LIST [OPTION]... [[--] COMMAND]\n"
		"Samples where COMMAND, with all that it starts, spends its time, into the file\n"
		"pfmon.data; 'pfmon report' shows it.\n"
		"\n"
		"  -F HZ            about HZ samples in a second of CPU time (1000)\n"
		"  -c PERIOD        or a sample of each PERIOD events\n"
		"  -g               with call stacks, by frame pointers\n"
		"  -b, -j KIND,...  with the branches that led there (Intel, AMD Zen 4 on)\n"
		"      --off-cpu    also where threads wait, and for how long\n"
		"      --latency    for 'report --latency': shares of wall-clock time\n"
		"  -e EVENT,...     by these events; without, by cycles\n"
		"  -u, -k           in user code only, in the kernel only\n"
		"  -p PID|NAME      a running process, until it, or COMMAND, ends\n"
		"  -a, -C LIST      all CPUs, or some\n"
		"  -t TIME          end after TIME (10, 500ms, 2m)\n"
		"  -o FILE          write FILE\n"
		"  -q, -v           fewer or more messages\n"
		"      --help-all   all options\n"
		"\n"
		"Example: pfmon record -g -- make -j4; pfmon report\n",
	.run = run,
};

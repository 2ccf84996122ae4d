// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon top: what runs now.
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
#include "live/top.h"
#include "options/options.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "plan/plan.h"
#include "processor/machine.h"
#include "profiles/losses.h"
#include "profiles/shares.h"
#include "session/session.h"
#include "verbs/record.h"
#include "verbs/stat.h"
#include "verbs/top_options.h"
#include "verbs/verb.h"

#define BY_DFL "program,function"

static int print_all(const struct option_table *table)
{
	int err;

	pager_begin();
	printf("%.*s\n", (int)strcspn(verb_top.help, "\n"), verb_top.help);
	usage_print_table(table);
	err = outfile_finish_stdout();
	pager_end();
	return err ? EXIT_OWN_FAILURE : 0;
}

/* The tables were shown while the session went on; here is what its end has told. */
static int print_end(void *arg, struct outfile *output, struct session *session)
{
	const struct outcome outcome = outcome_of(session);

	(void)arg;
	outfile_abandon(output);
	/* The title of a table says how long its time was. */
	session->intervals.missed = 0;
	if (session->plan->count == 1)
		print_warnings(&outcome);
	if (session->sampling)
		print_losses(session->sampling);
	return 0;
}

/* Sessions after each other, see top.c. */
static int watch(struct options *options, struct machine *machine,
		 unsigned int keys)
{
	struct measure_printer printer = { .print = print_end };
	struct top top;
	int status;

	top_init(&top, options, keys);
	printer.live = &top.live;
	do {
		top.renew = false;
		status = measure_run_for(options, machine, &printer);
		/* Each session says the same. */
		message_level.once = true;
	} while (!status && top.renew && !top.over);
	top_free(&top);
	return status;
}

static int show(struct options *options, struct machine *machine)
{
	unsigned int keys;

	keys = shares_read_keys(options->top.by ? options->top.by : BY_DFL,
				SHARE_ALL_KEYS & ~SHARE_INSTRUCTION_KEYS);
	if (!keys || stat_choose_events(options, machine, false))
		return EXIT_OWN_FAILURE;
	if (!options->sets.count && !options->metrics.names &&
	    record_choose_event(options, machine))
		return EXIT_OWN_FAILURE;
	return watch(options, machine, keys);
}

static int run(int argc, char **argv)
{
	struct option_table *table = top_table();
	struct machine machine = { 0 };
	struct options options;
	int status;

	status = options_parse_table(&options, table, argc, argv);
	if (!status && options.action == ACTION_HELP) {
		status = options.stat.help_all ? print_all(table)
					       : verb_print_help(&verb_top);
	} else if (!status && options.action == ACTION_OPTIONS) {
		usage_print_options_table(table);
		status = outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
	} else if (!status) {
		machine.driver = options.driver;
		machine.samples = !options.metrics.names;
		status = show(&options, &machine);
	}
	options_free(&options);
	machine_free(&machine);
	return status;
}

const struct verb verb_top = {
	.name = "top",
	.title = "what runs now, by program and function or by metrics",
	.help = "Usage: pfmon top [OPTION]...\n"
		"       pfmon top -p PID|NAME [OPTION]...\n"
		"Shows every 2 seconds what has run since: samples by program and function, of\n"
		"all CPUs. Without a terminal it writes one table after the other.\n"
		"\n"
		"  -p PID|NAME      a running process\n"
		"  -a, -C LIST      all CPUs (the default), or some\n"
		"  -e EVENT,...     sample by these events; without, by cycles\n"
		"  -F HZ, -c PERIOD as in 'pfmon record'\n"
		"  -u, -k           in user code only, in the kernel only\n"
		"      --by=WHAT    rows of program, process, thread, file, function\n"
		"  -M METRIC,...    metrics of each CPU, or of each thread of -p\n"
		"  -d TIME          time between two tables (2, 500ms)\n"
		"  -n N, -t TIME    end after N tables, or TIME\n"
		"  -q, -v           fewer or more messages\n"
		"      --help-all   all options\n"
		"\n"
		"Keys: q quit, SPACE freeze, s p f sort by share, program, function, g other\n"
		"rows, e next event, + - time between tables\n"
		"Example: pfmon top -p make\n",
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples accesses to memory by the processor's own records of them: AMD's IBS.
 */
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "cli/measure.h"
#include "cli/option_row.h"
#include "cli/parse.h"
#include "options/options.h"
#include "processor/machine.h"
#include "verbs/mem.h"
#include "verbs/record.h"
#include "verbs/stat.h"

#define EVENT "ibs_op"

/* Ops between samples: some ten thousand samples in a second. */
#define PERIOD_DFL 100000

/* The option table passes no argument. */
static const char *samples;

static int ready(struct options *options, char *why)
{
	struct smpl_options *smpl = &options->smpl;

	smpl->module = MODULE_IBS;
	smpl->outfile = samples;
	if (!smpl->period)
		smpl->period = PERIOD_DFL;
	if (record_ready(options, why))
		return -1;
	/* A file of IBS samples has a form of its own, and what resolves addresses is in it. */
	smpl->record = false;
	smpl->resolve = false;
	return 0;
}

static int check_records(const struct machine *machine)
{
	struct pfm_event event = { 0 };

	if (!pfm_event_parse(machine->map, EVENT, PFM_PLM_USER, &event))
		return 0;
	say_error(
		"accesses to memory are sampled by AMD's IBS, which this processor lacks or the module perfmon_ibs does not offer ('pfmon doctor' says which); 'pfmon stat -d' counts misses of caches and TLBs, and 'pfmon record -e cache-misses' samples where they are");
	return -1;
}

static int sample(struct options *options, struct machine *machine)
{
	if (stat_choose_events(options, machine, false) ||
	    check_records(machine))
		return EXIT_OWN_FAILURE;
	if (set_options_add(&options->sets, EVENT)) {
		say_error("out of memory for the events");
		return EXIT_OWN_FAILURE;
	}
	return measure_run(options, machine);
}

int mem_sample(int argc, char **argv, const char *file)
{
	struct option_table table = *record_table();
	struct machine machine = { 0 };
	struct options options;
	int status;

	samples = file;
	table.ready = ready;
	table.help = "pfmon mem --help";
	status = options_parse_table(&options, &table, argc, argv);
	if (!status) {
		machine.driver = options.driver;
		machine.samples = true;
		status = sample(&options, &machine);
	}
	options_free(&options);
	machine_free(&machine);
	return status;
}

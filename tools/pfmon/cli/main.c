// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon: counts what a command does, and samples where it does it.
 */
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "check/doctor.h"
#include "cli/measure.h"
#include "cli/parse.h"
#include "cli/usage.h"
#include "events/info.h"
#include "ibs/ibs.h"
#include "metrics/metric_forms.h"
#include "options/options.h"
#include "processor/machine.h"
#include "report/report.h"

static int tell(const struct options *options, struct machine *machine)
{
	int err = 0;

	switch (options->action) {
	case ACTION_HELP:
		usage_print();
		break;
	case ACTION_VERSION:
		usage_print_version();
		break;
	case ACTION_OPTIONS:
		usage_print_options();
		break;
	case ACTION_INFO:
		err = info_machine(machine);
		break;
	case ACTION_LIST:
	case ACTION_LIST_LONG:
		err = info_list(options, machine);
		break;
	case ACTION_EVENT_INFO:
		err = info_event(options, machine);
		break;
	case ACTION_METRICS:
		err = metric_list(options, machine);
		break;
	case ACTION_DOCTOR:
		err = doctor(options, machine);
		break;
	default:
		err = measure_check(options, machine);
	}
	if (outfile_finish_stdout())
		err = -1;
	return err ? EXIT_OWN_FAILURE : 0;
}

int main(int argc, char **argv)
{
	struct machine machine = { 0 };
	struct options options;
	int status;

	outfile_hold_standard();
	if (argc > 1 && !strcmp(argv[1], "report"))
		return report(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "ibs"))
		return ibs(argc - 1, argv + 1);
	status = options_parse(&options, argc, argv);
	if (!status) {
		machine.driver = options.driver;
		machine.samples = smpl_options_on(&options.smpl);
	}
	if (!status && options.action == ACTION_COUNT)
		status = measure_run(&options, &machine);
	else if (!status)
		status = tell(&options, &machine);
	options_free(&options);
	machine_free(&machine);
	return status;
}

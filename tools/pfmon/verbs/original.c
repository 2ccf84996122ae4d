// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines without a verb: they have the options of the original pfmon.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/outfile.h"
#include "check/doctor.h"
#include "cli/measure.h"
#include "cli/parse.h"
#include "cli/smpl_module.h"
#include "cli/usage.h"
#include "events/info.h"
#include "metrics/metric_forms.h"
#include "options/options.h"
#include "processor/machine.h"
#include "base/pager.h"
#include "verbs/verb.h"

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
	case ACTION_MODULE:
		err = smpl_module_print(options->pattern);
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

int original_run(int argc, char **argv)
{
	struct machine machine = { 0 };
	struct options options;
	int status;

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

int original_run_as(const char *const *first, int argc, char **argv, bool paged)
{
	char **words = calloc(argc + 8, sizeof(*words));
	int count = 1, status, i;

	if (!words) {
		say_error("out of memory for the options");
		return EXIT_OWN_FAILURE;
	}
	words[0] = (char *)"pfmon";
	for (; *first && count < 8; first++)
		words[count++] = (char *)*first;
	for (i = 1; i < argc; i++)
		words[count++] = argv[i];
	if (paged)
		pager_begin();
	status = original_run(count, words);
	if (paged)
		pager_end();
	free(words);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon: counts what a command does, and samples where it does it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <perfmon/perfmon.h>

#include "base/outfile.h"
#include "check/doctor.h"
#include "check/modules.h"
#include "cli/measure.h"
#include "cli/measure_types.h"
#include "cli/parse.h"
#include "cli/usage.h"
#include "events/event_list.h"
#include "events/event_parse.h"
#include "events/info.h"
#include "events/sets.h"
#include "ibs/ibs.h"
#include "metrics/metric_list.h"
#include "options/options.h"
#include "report/report.h"
#include "session/core_types.h"

static int check_events(const struct options *options)
{
	struct events events = { 0 };
	int fd, err;

	fd = modules_create_context(0);
	if (fd < 0)
		return -1;
	/*
	 * Also find out what only the kernel refuses: levels that need a right.
	 */
	err = measure_read_events(&events, NULL, options, fd);
	if (!err)
		err = sets_program(&events, fd, false);
	events_free(&events);
	close(fd);
	return err;
}

static int check(const struct options *options)
{
	const struct core_types *types = options->types;
	unsigned int i;
	int err = 0;

	if (!types)
		return check_events(options);
	for (i = 0; !err && i < types->count; i++)
		err = check_events(&types->list[i].options);
	return err;
}

static int tell(const struct options *options)
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
		err = info_machine(options);
		break;
	case ACTION_LIST:
	case ACTION_LIST_LONG:
		err = info_list(options);
		break;
	case ACTION_EVENT_INFO:
		err = info_event(options);
		break;
	case ACTION_METRICS:
		err = metric_list(options);
		break;
	case ACTION_DOCTOR:
		err = doctor(options);
		break;
	default:
		err = check(options);
	}
	if (outfile_finish_stdout())
		err = -1;
	return err ? EXIT_OWN_FAILURE : 0;
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	outfile_hold_standard();
	if (argc > 1 && !strcmp(argv[1], "report"))
		return report(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "ibs"))
		return ibs(argc - 1, argv + 1);
	status = options_parse(&options, argc, argv);
	if (!status && measure_plan(&options))
		status = EXIT_OWN_FAILURE;
	if (!status && options.action == ACTION_COUNT)
		status = measure_run(&options);
	else if (!status)
		status = tell(&options);
	measure_types_free(options.types);
	options_free(&options);
	return status;
}

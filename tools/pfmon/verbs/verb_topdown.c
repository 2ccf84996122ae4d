// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon topdown: stat with the top-down tree.
 */
#include <stddef.h>

#include "options/options.h"
#include "verbs/stat.h"
#include "verbs/verb.h"

static int ready(struct options *options, char *why)
{
	bool counts = options->action == ACTION_COUNT ||
		      options->action == ACTION_CHECK;

	if (counts && !stat_names_events(options))
		options->metrics.topdown = 1;
	return stat_ready(options, why);
}

static int run(int argc, char **argv)
{
	return stat_run(&verb_topdown, ready, argc, argv);
}

const struct verb verb_topdown = {
	.name = "topdown",
	.title = "where the time of a command, processes or CPUs goes",
	.help = "Usage: pfmon topdown [OPTION]... [--] COMMAND [ARGUMENT]...\n"
		"       pfmon topdown -p PID|NAME,... [OPTION]... [[--] COMMAND]\n"
		"       pfmon topdown -a|-C LIST [OPTION]... [[--] COMMAND]\n"
		"Divides the time of COMMAND, with all that it starts, by what held it up.\n"
		"\n"
		"      --topdown=LEVEL  levels of the tree (1)\n"
		"      --pmu=MODEL      as another processor model\n"
		"  -u, -k               in user code only, in the kernel only\n"
		"  -p PID|NAME,...      running processes, until they, or COMMAND, end\n"
		"  -a, -C LIST          all CPUs, or some\n"
		"  -t TIME              end after TIME (10, 500ms, 2m)\n"
		"  -I MS                of each MS milliseconds\n"
		"      --by=WHAT        a row for each program, process, thread or cpu\n"
		"  -o FILE              results to FILE, not to standard error\n"
		"      --json, --csv    for programs\n"
		"      --help-all       all options\n",
	.run = run,
};

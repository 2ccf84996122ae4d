// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon doctor: the same as --doctor.
 */
#include <stddef.h>

#include "verbs/verb.h"

static int run(int argc, char **argv)
{
	static const char *const words[] = { "--doctor", NULL };

	return verb_wants_help(argc, argv)
		       ? verb_print_help(&verb_doctor)
		       : original_run_as(words, argc, argv, false);
}

const struct verb verb_doctor = {
	.name = "doctor",
	.title = "whether pfmon can count here, and what to do",
	.help = "Usage: pfmon doctor [--json] [--pmu-driver=DRIVER]\n\n"
		"Checks modules, device, rights, counters and who holds them, counts a little,\n"
		"and says what to do where something is wrong; 'pfmon --doctor' does the same.\n",
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon version: the same as --version.
 */
#include <stddef.h>

#include "verbs/verb.h"

static int run(int argc, char **argv)
{
	static const char *const words[] = { "--version", NULL };

	return verb_wants_help(argc, argv)
		       ? verb_print_help(&verb_version)
		       : original_run_as(words, argc, argv, false);
}

const struct verb verb_version = {
	.name = "version",
	.title = "versions of pfmon and its libraries",
	.help = "Usage: pfmon version\n\n"
		"Prints the versions of pfmon, its libraries and the kernel interface.\n",
	.run = run,
};

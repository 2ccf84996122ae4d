// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon: counts what a command does, and samples where it does it.
 */
#include "base/outfile.h"
#include "verbs/verb.h"

/* An option is no verb, so command lines that begin with one are those of the original. */
int main(int argc, char **argv)
{
	const struct verb *verb = argc > 1 ? verb_find(argv[1]) : NULL;

	outfile_hold_standard();
	return verb ? verb->run(argc - 1, argv + 1) : original_run(argc, argv);
}

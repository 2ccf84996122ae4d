// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon diff: what has changed between two files.
 */
#include "report/data_diff.h"
#include "verbs/verb.h"

static int run(int argc, char **argv)
{
	return data_diff(argc, argv, verb_diff.help);
}

const struct verb verb_diff = {
	.name = "diff",
	.title = "what has changed between two profiles, or metrics",
	.help = "Usage: pfmon diff [OPTION]... A B\n"
		"Prints by how much the shares of programs and functions have changed from A to\n"
		"B, two files of 'pfmon record'. A change that drawing samples explains is called\n"
		"noise; of rows with less than 10 samples (few) nothing is said.\n"
		"\n"
		"Or compares the metrics that 'pfmon stat --json' wrote into A and B. One of the\n"
		"files may be -, standard input.\n"
		"\n"
		"      --by=WHAT,...          rows of program, process, thread, file, function\n"
		"                             (program,function)\n"
		"      --percent-limit=SHARE  leave out rows that have changed by less\n"
		"      --mangled              leave names of C++ and Rust as they are\n"
		"      --force                read a damaged file up to the damage\n"
		"      --sysmap-file=FILE     System.map with the functions of the kernel\n"
		"      --json                 compare metrics as a JSON document\n"
		"  -o, --outfile=FILE         write to FILE instead of standard output\n"
		"  -h, --help\n"
		"\n"
		"Example: pfmon record -o a -- ./old; pfmon record -o b -- ./new; pfmon diff a b\n",
	.run = run,
};

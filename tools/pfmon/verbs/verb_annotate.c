// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon annotate: the source lines and instructions of a function with their samples.
 */
#include "report/data_annotate.h"
#include "verbs/verb.h"

static int run(int argc, char **argv)
{
	return data_annotate(argc, argv, verb_annotate.help);
}

const struct verb verb_annotate = {
	.name = "annotate",
	.title = "source lines and instructions of a function",
	.help = "Usage: pfmon annotate [OPTION]... [FUNCTION]\n"
		"Prints the source lines and instructions of FUNCTION with their shares of its\n"
		"samples, of a file that 'pfmon record' has written. Without FUNCTION: of the one\n"
		"with the most samples.\n"
		"\n"
		"The program must be there as it was recorded; for source lines with debugging\n"
		"information (cc -g).\n"
		"\n"
		"  -i, --input=FILE        read FILE, not pfmon.data; - is standard input\n"
		"  -s, --symbol=FUNCTION   the same as the argument\n"
		"      --by=WHAT           only source lines (line), or only instructions\n"
		"                          (instruction)\n"
		"      --mangled           leave names of C++, Rust and D as they are\n"
		"  -f, --force             read a damaged file up to the damage\n"
		"      --sysmap-file=FILE  System.map with the functions of the kernel\n"
		"      --json, --csv       for programs\n"
		"  -o, --outfile=FILE      write to FILE instead of standard output\n"
		"  -h, --help\n"
		"\n"
		"Example: pfmon record -- ./program; pfmon annotate\n",
	.run = run,
};

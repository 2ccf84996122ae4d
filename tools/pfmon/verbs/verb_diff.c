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
	.title = "what has changed between two profiles, or counts",
	.help = "Usage: pfmon diff [OPTION]... A B\n"
		"Prints what has changed from A to B, and what of it is noise. A and B are two\n"
		"profiles of 'pfmon record' or 'perf record', whose shares are compared; or\n"
		"counts and metrics of 'pfmon stat --json' or --csv, or of 'perf stat -x,'.\n"
		"Counts have to be of several runs ('pfmon stat -r 5 --json -o A -- COMMAND'):\n"
		"one run says nothing about how much runs differ. One file may be -, standard\n"
		"input.\n"
		"\n"
		"      --json, --csv          of counts: write a JSON document, CSV\n"
		"      --intervals            of counts: rows of each interval (-I)\n"
		"  -o, --outfile=FILE         write to FILE instead of standard output\n"
		"\n"
		"Of profiles:\n"
		"      --by=WHAT,...          rows of program, process, thread, file, function,\n"
		"                             opcode, class, memory (program,function)\n"
		"      --percent-limit=SHARE  leave out rows that have changed by less\n"
		"      --mangled              leave names of C++, Rust and D as they are\n"
		"      --force                read a damaged file up to the damage\n"
		"      --sysmap-file=FILE     System.map with the functions of the kernel\n"
		"\n"
		"Example: pfmon record -o a -- ./old; pfmon record -o b -- ./new; pfmon diff a b\n",
	.run = run,
};

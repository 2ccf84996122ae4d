// SPDX-License-Identifier: GPL-2.0-only
/*
 * 'pfmon ibs', see ibs.h: finds the subcommand.
 */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/outfile.h"
#include "ibs/ibs.h"
#include "options/options.h"

/**
 * struct subcommand - a word behind 'pfmon ibs'
 * @name: the word
 * @help: what it does
 * @run: does it; its @argv begins with the word; returns the exit status
 */
struct subcommand {
	const char *name;
	const char *help;
	int (*run)(int argc, char **argv);
};

static const struct subcommand subcommands[] = {
	{ "decode", "samples as CSV, a row for each", ibs_decode },
	{ "annotate", "samples by function, source line, instruction",
	  ibs_annotate },
};

#define NUM_SUBCOMMANDS (sizeof(subcommands) / sizeof(*subcommands))

static void usage(FILE *out)
{
	size_t i;

	fputs("usage: pfmon ibs SUBCOMMAND [OPTION]... [FILE]...\n"
	      "\n"
	      "Works on files with samples of AMD's instruction-based sampling.\n"
	      "\n",
	      out);
	for (i = 0; i < NUM_SUBCOMMANDS; i++)
		fprintf(out, "  %-10s %s\n", subcommands[i].name,
			subcommands[i].help);
	fputs("\n'pfmon ibs SUBCOMMAND --help' describes its options.\n", out);
}

int ibs(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	size_t i;

	for (i = 0; name && i < NUM_SUBCOMMANDS; i++)
		if (!strcmp(name, subcommands[i].name))
			return subcommands[i].run(argc - 1, argv + 1);
	if (name && (!strcmp(name, "-h") || !strcmp(name, "--help"))) {
		usage(stdout);
		return outfile_finish_stdout() ? EXIT_OWN_FAILURE : 0;
	}
	if (name)
		say_error("'pfmon ibs' has no subcommand '%s'", name);
	else
		say_error("'pfmon ibs' needs a subcommand");
	usage(stderr);
	return EXIT_OWN_FAILURE;
}

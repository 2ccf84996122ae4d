// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon list: events, or metrics.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "options/options.h"
#include "verbs/verb.h"

static const char *const metrics_words[] = { "metric", "metrics" };

/*
 * Takes the words that are no options out of @argv, and joins them to a regular expression.  NULL
 * after a message.
 */
static char *take_words(int *argc, char **argv)
{
	char *regex = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&regex, &size);
	int i, kept = 1, count = 0;

	for (i = 1; file && i < *argc; i++) {
		if (argv[i][0] == '-')
			argv[kept++] = argv[i];
		else
			fprintf(file, "%s%s", count++ ? "|" : "", argv[i]);
	}
	*argc = kept;
	if (file && !fclose(file))
		return regex;
	say_error("out of memory for the words");
	return NULL;
}

static int list(int argc, char **argv)
{
	const char *words[] = { "--show-events", NULL, NULL };
	char *regex;
	int status;

	if (argc > 1 && (!strcmp(argv[1], metrics_words[0]) ||
			 !strcmp(argv[1], metrics_words[1]))) {
		words[0] = "--list-metrics";
		argc--;
		argv++;
	} else if (argc > 1 &&
		   (!strcmp(argv[1], "-L") || !strcmp(argv[1], "--long"))) {
		words[0] = "--long-show-events";
		argc--;
		argv++;
	}
	regex = take_words(&argc, argv);
	if (!regex)
		return EXIT_OWN_FAILURE;
	if (*regex)
		words[1] = regex;
	status = original_run_as(words, argc, argv, true);
	free(regex);
	return status;
}

static int run(int argc, char **argv)
{
	return verb_wants_help(argc, argv) ? verb_print_help(&verb_list)
					   : list(argc, argv);
}

const struct verb verb_list = {
	.name = "list",
	.title = "events and metrics of this processor",
	.help = "Usage: pfmon list [-L] [OPTION]... [WORD]...\n"
		"       pfmon list metrics [OPTION]... [WORD]...\n\n"
		"Lists the events whose name has one of the words in it; without a word, all.\n"
		"A word is a regular expression; upper and lower case are alike.\n\n"
		"  -L, --long     names with their unit masks\n"
		"  --json         a document for programs\n"
		"  --pmu=MODEL    metrics of another processor model\n\n"
		"'pfmon -i EVENT' tells all about an event.\n",
	.run = run,
};

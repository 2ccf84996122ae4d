// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines of pfmon: a word is a line of the input.
 */
#include <getopt.h>

#include "cli/parse.h"
#include "options/options.h"
#include "reader.h"

#define WORDS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size), *rest = text, *word;
	static char name[] = "pfmon";
	struct options options;
	char *argv[WORDS_MAX + 1];
	int argc = 0;

	argv[argc++] = name;
	while (argc < WORDS_MAX && (word = strsep(&rest, "\n")))
		argv[argc++] = word;
	argv[argc] = NULL;
	optind = 0;
	options_parse(&options, argc, argv);
	options_free(&options);
	/* Words with typographic dashes or quotes have been replaced. */
	while (--argc)
		if (argv[argc] < text || argv[argc] > text + size)
			free(argv[argc]);
	free(text);
	return 0;
}

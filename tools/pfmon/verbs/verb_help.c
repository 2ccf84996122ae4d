// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon help: the verbs, or how one of them is used.
 */
#include <stdio.h>
#include <stddef.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/pager.h"
#include "options/options.h"
#include "verbs/config.h"
#include "verbs/verb.h"

static int finish(void)
{
	int err = outfile_finish_stdout();

	pager_end();
	return err ? EXIT_OWN_FAILURE : 0;
}

int verb_print_help(const struct verb *verb)
{
	char *argv[] = { (char *)verb->name, (char *)"--help", NULL };

	if (!verb->help)
		return verb->run(2, argv);
	pager_begin();
	fputs(verb->help, stdout);
	return finish();
}

static int print_verbs(void)
{
	unsigned int i;

	pager_begin();
	puts("Usage: pfmon VERB [OPTION]... [[--] COMMAND [ARGUMENT]...]\n"
	     "       pfmon [OPTION]... [--] COMMAND [ARGUMENT]...\n");
	for (i = 0; verbs[i]; i++)
		if (*verbs[i]->title)
			printf("  %-9s %s\n", verbs[i]->name, verbs[i]->title);
	config_print_aliases(stdout);
	puts("\n"
	     "'pfmon help VERB' tells how a verb is used, 'pfmon --help' has the options of\n"
	     "command lines without a verb. A program that is called like a verb is counted\n"
	     "with 'pfmon stat -- PROGRAM', or 'pfmon -- PROGRAM'.");
	return finish();
}

static int run(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2)
		return print_verbs();
	verb = verb_find(argv[1]);
	if (verb)
		return verb_print_help(verb);
	if (argv[1][0] == '-')
		return verb_print_help(&verb_help);
	say_error("there is no verb '%s'; 'pfmon help' lists them", argv[1]);
	return EXIT_OWN_FAILURE;
}

const struct verb verb_help = {
	.name = "help",
	.title = "how a verb is used",
	.help = "Usage: pfmon help [VERB]\n\n"
		"Lists the verbs, or tells how one is used.\n",
	.run = run,
};

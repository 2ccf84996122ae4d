// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon: counts what a command does, and samples where it does it.
 */
#include <stddef.h>
#include <string.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/spelling.h"
#include "options/options.h"
#include "verbs/config.h"
#include "verbs/verb.h"

/* A word that is neither a verb nor a command may be a misspelled verb. */
static void tell_verb(const char *word)
{
	struct spelling spelling;
	size_t i;

	spelling_begin(&spelling, word);
	for (i = 0; verbs[i]; i++)
		spelling_consider(&spelling, verbs[i]->name);
	if (spelling.closest)
		say_note("a verb is spelled '%s'; 'pfmon help' has all verbs",
			  spelling.closest);
}

static int run_original(int argc, char **argv)
{
	const int status = original_run(argc, argv);

	if (status == EXIT_NOT_FOUND && argc > 1 && argv[1][0] != '-')
		tell_verb(argv[1]);
	return status;
}

/*
 * Takes the configuration into account, or leaves out --no-config.  Returns the command line, or
 * NULL after a message.
 */
static char **configure(int *argc, char **argv)
{
	if (*argc > 1 && !strcmp(argv[1], "--no-config")) {
		/* The word before the others remains that of pfmon. */
		argv[1] = argv[0];
		(*argc)--;
		return argv + 1;
	}
	/* An option is no verb: command lines that begin with one have no configuration. */
	if (*argc < 2 || argv[1][0] == '-')
		return argv;
	return config_read() ? NULL : config_expand(argc, argv);
}

/* An option is no verb, so command lines that begin with one are those of the original. */
int main(int argc, char **argv)
{
	const struct verb *verb;

	outfile_hold_standard();
	argv = configure(&argc, argv);
	if (!argv)
		return EXIT_OWN_FAILURE;
	verb = argc > 1 ? verb_find(argv[1]) : NULL;
	return verb ? verb->run(argc - 1, argv + 1) : run_original(argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon: counts what a command does, and samples where it does it.
 */
#include <stddef.h>

#include "base/message.h"
#include "base/outfile.h"
#include "base/spelling.h"
#include "verbs/verb.h"

/* Status of a command that does not exist, as a shell has it. */
#define EXIT_NOT_FOUND 127

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

/* An option is no verb, so command lines that begin with one are those of the original. */
int main(int argc, char **argv)
{
	const struct verb *verb = argc > 1 ? verb_find(argv[1]) : NULL;

	outfile_hold_standard();
	return verb ? verb->run(argc - 1, argv + 1) : run_original(argc, argv);
}

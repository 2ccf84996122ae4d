// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verbs of perf that pfmon has in another form: they say what to type.
 */
#include "base/message.h"
#include "options/options.h"
#include "verbs/verb.h"

/* With no argument a program may be meant that has the verb's name, such as top(1). */
static int say(const struct verb *verb, int argc, const char *instead)
{
	say_error("there is no verb '%s' yet: %s%s%s%s", verb->name, instead,
		  argc > 1 ? ""
			   : "; a program of that name runs with 'pfmon -- ",
		  argc > 1 ? "" : verb->name, argc > 1 ? "" : "'");
	return EXIT_OWN_FAILURE;
}

static int top(int argc, char **argv)
{
	(void)argv;
	return say(
		&verb_top, argc,
		"what runs now is counted with 'pfmon stat -a -I 1000', and sampled with 'pfmon --system-wide --long-smpl-periods=1000000 --resolve-addresses -t 10'");
}

const struct verb verb_top = { .name = "top", .title = "", .run = top };

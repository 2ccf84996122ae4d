// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of verbs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "verbs/verb.h"

const struct verb *const verbs[] = {
	&verb_stat,	&verb_record,  &verb_report,  &verb_top,
	&verb_annotate, &verb_diff,    &verb_topdown, &verb_mem,
	&verb_ibs,	&verb_list,    &verb_formats, &verb_doctor,
	&verb_help,	&verb_version, NULL,
};

const struct verb *verb_find(const char *name)
{
	unsigned int i;

	for (i = 0; verbs[i]; i++)
		if (!strcmp(verbs[i]->name, name))
			return verbs[i];
	return NULL;
}

bool verb_wants_help(int argc, char **argv)
{
	return argc > 1 &&
	       (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The user's configuration: defaults of options, aliases, pager and colours.
 */
#ifndef PFMON_VERBS_CONFIG_H
#define PFMON_VERBS_CONFIG_H

#include <stdio.h>

struct option_table;

/*
 * Reads the file, if there is one, and sets pager and colours.  Returns 0, or -1 after a message
 * with file and line.
 */
int config_read(void);

/* Adds the defaults of a verb to its options. */
void config_add_defaults(const char *verb, struct option_table *table);

/*
 * If the second word of the command line is an alias, returns a command line with the words that it
 * stands for, and sets *@argc; otherwise @argv.  NULL after a message.
 */
char **config_expand(int *argc, char **argv);

/* Prints the aliases as a part of the list of verbs; nothing if there is none. */
void config_print_aliases(FILE *out);

#endif

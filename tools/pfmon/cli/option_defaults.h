/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that hold unless the command line has them.
 */
#ifndef PFMON_CLI_OPTION_DEFAULTS_H
#define PFMON_CLI_OPTION_DEFAULTS_H

#include <stdbool.h>

struct option_row;
struct option_table;
struct options;

/* option_defaults.c */

/*
 * Sets the defaults of a table.  @given: for each row, whether the command line has it.  Returns 0,
 * or -1 with the reason, which names the place of the default, in @why.
 */
int option_defaults_set(struct options *options,
			const struct option_table *table, const bool *given,
			char *why);

/* True if defaults hold: there are some, and the command line counts and does not leave them out. */
bool option_defaults_hold(const struct options *options,
			  const struct option_table *table);

/* parse.c */

/* Sets an option.  Returns 0, or -1 with the reason in @why. */
int option_set(struct options *options, const struct option_table *table,
	       const struct option_row *row, const char *value, char *why);

#endif

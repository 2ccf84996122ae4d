/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that are not in the table.
 */
#ifndef PFMON_CLI_WRONG_OPTIONS_H
#define PFMON_CLI_WRONG_OPTIONS_H

#include <stddef.h>

struct option_row;
struct option_table;

/* parse_errors.c */

/* Each writes a message to @why, which has OPTION_WHY_ROOM bytes, and returns -1. */

/* @letter is not the letter of an option. */
int parse_unknown_letter(const struct option_table *table, char letter,
			 char *why);

/* @word, with its dashes, is not an option, or begins several. */
int parse_unknown_name(const struct option_table *table, const char *word,
		       char *why);

/* The argument of @row is missing; @letter: it was given by this letter; 0 by name. */
int parse_missing_argument(const struct option_row *row, char letter,
			   char *why);

/* @row takes no argument but has one. */
int parse_needless_argument(const struct option_row *row, char *why);

/* Another option that has the setter and the member of @row was given. */
int parse_conflict(const struct option_table *table,
		   const struct option_row *row, char *why);

/* missing_options.c */

/*
 * Each returns a phrase to follow the name of the option, or NULL if nothing is known of it.  @name
 * has no dashes and no argument; it may be the beginning of a name, as users may shorten it.
 */
const char *missing_option_name(const char *name, size_t length);
const char *missing_option_letter(char letter);

/* typeset.c */

/*
 * If a word begins with a dash that is no hyphen, replaces it by the option that it stands for.
 * Returns 1 if it did, 0 if there was nothing to do, -1 without memory.  The new word lives as long
 * as the command line.
 */
int typeset_replace(char **word);

#endif

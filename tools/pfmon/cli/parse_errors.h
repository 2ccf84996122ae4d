/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is wrong with options that the table does not have, or not in this form.
 */
#ifndef PFMON_CLI_PARSE_ERRORS_H
#define PFMON_CLI_PARSE_ERRORS_H

struct option_row;

/* Each writes a message to @why, which has OPTION_WHY_ROOM bytes, and returns -1. */

/* @letter is not the letter of an option. */
int parse_unknown_letter(char letter, char *why);

/* @word, with its dashes, is not an option, or begins several. */
int parse_unknown_name(const char *word, char *why);

/* The argument of @row is missing; @letter: it was given by this letter; 0 by name. */
int parse_missing_argument(const struct option_row *row, char letter,
			   char *why);

/* @row takes no argument but has one. */
int parse_needless_argument(const struct option_row *row, char *why);

/* Another option that has the setter and the member of @row was given. */
int parse_conflict(const struct option_row *row, char *why);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_CLI_USAGE_H
#define PFMON_CLI_USAGE_H

struct option_table;

/* --help and --version, on standard output. */
void usage_print(void);
void usage_print_version(void);

/*
 * --show-options, for programs: a line for each option.  Its words are the spellings,
 * joined by commas; "none", "required" or "optional"; the placeholder of the argument;
 * the choices for it, joined by commas.
 */
void usage_print_options(void);

/* The same of the options of a table. */
void usage_print_table(const struct option_table *table);
void usage_print_options_table(const struct option_table *table);

#endif

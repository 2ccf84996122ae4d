/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of the command line as data.  The parser, --help, --show-options and
 * through it the completion and the check of the manual page read this table.
 */
#ifndef PFMON_CLI_OPTION_TABLE_H
#define PFMON_CLI_OPTION_TABLE_H

#include "cli/option_row.h"

/* Limit for arrays that are indexed by row. */
#define OPTION_ROWS_MAX 192

extern const struct option_row option_rows[];
extern const unsigned int option_num_rows;

/* Heading of a group. */
const char *option_group_title(enum option_group group);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that say what pfmon does, which tasks it follows, and how it writes
 * counts.
 */
#ifndef PFMON_CLI_COUNT_OPTIONS_H
#define PFMON_CLI_COUNT_OPTIONS_H

struct options;

/*
 * Checks these options against each other.  Returns 0, or -1 with the reason in @why,
 * which has OPTION_WHY_ROOM bytes.
 */
int count_options_check(const struct options *options, char *why);

void count_options_free(struct options *options);

#endif

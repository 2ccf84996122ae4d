/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of event sets.
 */
#ifndef PFMON_CLI_SET_OPTIONS_H
#define PFMON_CLI_SET_OPTIONS_H

struct options;
struct set_options;

/*
 * Checks the options of event sets against all others.  Returns 0, or -1 with the
 * reason in @why, which has OPTION_WHY_ROOM bytes.
 */
int set_options_check(const struct options *options, char *why);

void set_options_free(struct set_options *options);

#endif

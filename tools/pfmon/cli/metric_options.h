/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_CLI_METRIC_OPTIONS_H
#define PFMON_CLI_METRIC_OPTIONS_H

struct options;

/*
 * Checks the options of metrics against all others.  Returns 0, or -1 with the reason in
 * @why, which has OPTION_WHY_ROOM bytes.
 */
int metric_options_check(const struct options *options, char *why);

#endif

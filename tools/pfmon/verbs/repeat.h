/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several runs of a command: -r N.
 */
#ifndef PFMON_VERBS_REPEAT_H
#define PFMON_VERBS_REPEAT_H

struct machine;
struct options;

/*
 * Runs the command as often as the options say, and prints mean, deviation and range of the counts.
 * With JSON each run is a line of its own before.  Returns the exit status of the last run.
 */
int repeat_run(struct options *options, struct machine *machine);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a measurement of the command line.
 */
#ifndef PFMON_CLI_MEASURE_H
#define PFMON_CLI_MEASURE_H

struct machine;
struct options;

/*
 * Counts as the command line says and prints the results.  Returns the exit
 * status.
 */
int measure_run(const struct options *options, struct machine *machine);

/*
 * Checks that the events of the command line can be counted.  Returns 0, or -1 after a
 * message.
 */
int measure_check(const struct options *options, struct machine *machine);

#endif

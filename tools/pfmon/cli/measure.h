/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a measurement of the command line.
 */
#ifndef PFMON_CLI_MEASURE_H
#define PFMON_CLI_MEASURE_H

struct events;
struct options;
struct sampling;

/*
 * Adds the events that the metrics of the command line need to its event sets.  Returns 0,
 * or -1 after a message.
 */
int measure_plan(struct options *options);

/*
 * Counts as the command line says and prints the results.  Returns the exit
 * status.
 */
int measure_run(const struct options *options);

/*
 * Assigns the events of the command line to the registers of context @fd, and
 * reads how they sample; @sampling is NULL if they only count.  Returns 0, or -1
 * after a message.
 */
int measure_read_events(struct events *events, struct sampling *sampling,
			const struct options *options, int fd);

#endif

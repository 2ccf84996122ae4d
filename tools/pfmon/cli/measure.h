/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the command line to a measurement.
 */
#ifndef PFMON_CLI_MEASURE_H
#define PFMON_CLI_MEASURE_H

struct events;
struct options;
struct sampling;

/* Counts as the command line says, and prints the results.  The exit status. */
int measure_run(const struct options *options);

/*
 * The events of the command line on the registers of context @fd, and how they
 * sample; @sampling NULL they only count.  0, or -1 after saying what is wrong.
 */
int measure_read_events(struct events *events, struct sampling *sampling,
			const struct options *options, int fd);

#endif

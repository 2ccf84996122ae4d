/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics of a machine whose CPUs are of several types.
 */
#ifndef PFMON_CLI_MEASURE_TYPES_H
#define PFMON_CLI_MEASURE_TYPES_H

struct core_types;
struct options;

/*
 * Sets the types in the options, each with a command line of its own, if metrics of all CPUs are
 * asked for and these have different models.  Returns 0, or -1 after a message, as for a kind of
 * output that has no place for types.
 */
int measure_types_find(struct options *options);

/* @types may be NULL. */
void measure_types_free(struct core_types *types);

#endif

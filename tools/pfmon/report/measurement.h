/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts and metrics that were written before, of one run or of several.
 */
#ifndef PFMON_REPORT_MEASUREMENT_H
#define PFMON_REPORT_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "estimate/difference.h"

struct report_input;

/**
 * enum series_kind - what a series is of
 * @SERIES_EVENT: counts of an event
 * @SERIES_METRIC: a metric, of counts at the levels that all events have
 * @SERIES_DERIVED: what is derived from the count of an event, which its name ends with in parentheses
 * @SERIES_TIME: the elapsed time
 */
enum series_kind {
	SERIES_EVENT,
	SERIES_METRIC,
	SERIES_DERIVED,
	SERIES_TIME,
};

/* The CPU of what is of no CPU. */
#define SERIES_NO_CPU (-1)

/* Name of the elapsed time. */
#define SERIES_ELAPSED "elapsed_seconds"

/**
 * struct series_key - what tells a series from others
 * @kind: what it is of
 * @program: program that was counted; NULL for all together, and for CPUs
 * @cpu: CPU that was counted; SERIES_NO_CPU for all together, and for programs
 * @group: core, socket, node or cgroup that was counted, as "CORE0.1", or the cgroup of which the CPU
 *	counted the tasks; NULL for all together
 * @interval: number of the interval; 0 for the whole run
 * @name: event or metric, without levels
 * @levels: privilege levels, as in "uk"; empty if it has none
 * @unit: what the values are measured in; empty for events
 */
struct series_key {
	enum series_kind kind;
	const char *program;
	long cpu;
	const char *group;
	uint64_t interval;
	const char *name;
	const char *levels;
	const char *unit;
};

/* True if a series is of all together: of no single program, CPU or group, and not of an interval. */
bool series_is_whole(const struct series_key *key);

/* Room for the name of a core, socket or node. */
#define SERIES_GROUP_ROOM 64

/*
 * Names a core, socket or node as the tables of pfmon do.  @kind: "core", "socket" or "node"; of the numbers
 * those are used that it has.  NULL if it is something else.
 */
const char *series_group(const char *kind, long core, long socket, long node,
			 char *room);

/**
 * struct series_value - a value of a run, or a part of it that is added up
 * @known: there is one
 * @value: the value
 * @whole: it is a whole number
 * @scaled: it is an estimate
 * @bounded: @bound is known
 * @bound: error bound of an estimate
 * @low: it is a lower bound
 */
struct series_value {
	bool known;
	double value;
	bool whole;
	bool scaled;
	bool bounded;
	double bound;
	bool low;
};

/**
 * struct series - a value of each run
 * @key: what it is; owns its texts
 * @side: the runs, once they are complete
 * @squares: sum of the squares of the values' distances from their mean
 * @bounds: sum of the squares of the bounds
 * @bounded: number of runs that have a bound or are exact
 * @whole: the values are whole numbers
 * @summary: it was read as a summary of runs
 * @present: the run that is being read has it
 * @parts: parts of that run that have it
 * @run: the sum of these parts
 */
struct series {
	struct series_key key;
	struct difference_side side;
	double squares;
	double bounds;
	uint64_t bounded;
	bool whole;
	bool summary;
	bool present;
	size_t parts;
	struct series_value run;
};

/**
 * struct measurement - what a file has
 * @name: of the file, in messages
 * @model: model of the processor that its metrics are of; NULL if it is not said
 * @scope: what was counted, as "command" or "system"; NULL if it is not said
 * @runs: number of runs; 0 if they are several and their number is not known
 * @failed: number of runs whose command did not end with status 0
 * @perf: perf wrote it, which leaves out levels if they are user and kernel
 * @intervals: intervals are read, too
 * @list: the series
 * @count: elements of @list
 * @room: elements that fit in @list
 * @table: finds them
 */
struct measurement {
	const char *name;
	char *model;
	char *scope;
	uint64_t runs;
	uint64_t failed;
	bool perf;
	bool intervals;
	struct series *list;
	size_t count;
	size_t room;
	struct hash table;
};

/* Each function that returns an int returns 0, or -1 after a message. */

/* Adds a value to the run that is being read. */
int measurement_add(struct measurement *measurement,
		    const struct series_key *key,
		    const struct series_value *value);

/* True if the run that is being read has such a value. */
bool measurement_has(const struct measurement *measurement,
		     const struct series_key *key);

/* Ends the run that is being read, if it has a value. */
void measurement_end_run(struct measurement *measurement);

/* Takes a summary of runs in place of single ones; of an unknown number if @side->runs is 0. */
int measurement_summarize(struct measurement *measurement,
			  const struct series_key *key,
			  const struct difference_side *side, bool whole);

/* The series; NULL if there is none. */
struct series *measurement_find(const struct measurement *measurement,
				const struct series_key *key);

/* Makes the series complete.  Fails if there are none. */
int measurement_finish(struct measurement *measurement);

/* The caller frees @measurement, also after an error. */
void measurement_free(struct measurement *measurement);

/* Length of an event's name without levels: 10 of "cpu_cycles:uk". @levels: where these begin. */
size_t series_name_length(const char *name, const char **levels);

/* measurement_json.c: reads documents of 'pfmon stat --json'. */
int measurement_read_json(struct measurement *measurement,
			  const struct report_input *input);

/* measurement_csv.c: reads CSV of pfmon, lines of EVENT,COUNT, and what 'perf stat -x,' writes. */
int measurement_read_csv(struct measurement *measurement,
			 const struct report_input *input);

#endif

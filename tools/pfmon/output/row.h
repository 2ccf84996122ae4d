/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output is rows: one for each task, CPU, group of CPUs, interval of these, and for all of them.
 * Here is what a row says, field by field; how a field is written is the matter of a writer.
 */
#ifndef PFMON_OUTPUT_ROW_H
#define PFMON_OUTPUT_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/options.h"
#include "output/count.h"

struct cgroup;
struct counts;
struct cpu;
struct cpu_place;
struct event;
struct interval;
struct metric;
struct metric_value;
struct outcome;
struct result;

/**
 * struct row - what is counted together
 * @type: what it is about, for programs
 * @metric_type: the same in rows of CSV about metrics
 * @level_type: the same in rows of CSV about levels of the machine; NULL if it has none
 * @task: the task; NULL if it is about no single result
 * @cpu: the CPU; NULL if it is about no single one
 * @place: where the CPU, or group of CPUs, is; NULL if it is in no one place
 * @cgroup: the cgroup, if each has rows; otherwise NULL
 * @topology: what the group of CPUs is; TOPOLOGY_NONE if it is no group
 * @interval: number of the interval; 0 for the whole session
 * @timed: the next two are valid
 * @start: when counting began
 * @end: when it ended
 * @counts: its counts
 * @metrics: its metrics, one for each of the selection; NULL if there are none
 */
struct row {
	const char *type;
	const char *metric_type;
	const char *level_type;
	const struct result *task;
	const struct cpu *cpu;
	const struct cpu_place *place;
	const struct cgroup *cgroup;
	enum topology topology;
	uint64_t interval;
	bool timed;
	uint64_t start;
	uint64_t end;
	struct counts_of counts;
	struct metric_value *metrics;
};

/* The row of a task in the whole session, and of all tasks or CPUs in it. */
struct row row_of_task(const struct outcome *outcome,
		       const struct result *task);
struct row row_of_total(const struct outcome *outcome);

/* The rows of a CPU, and of a group of CPUs, one of which is @leader, whose counts are @sums. */
struct row row_of_cpu(const struct outcome *outcome, const struct cpu *cpu);
struct row row_of_group(const struct outcome *outcome,
			const struct cpu *leader, enum topology topology,
			const struct counts *sums);

/*
 * The rows of a task, and of a CPU or cgroup in an interval; NULL: of all of them.
 */
struct row row_of_task_interval(const struct outcome *outcome,
				const struct interval *interval,
				const struct result *task);
struct row row_of_cpu_interval(const struct interval *interval,
			       const struct cpu *cpu,
			       const struct cgroup *cgroup,
			       const struct counts_of *counts);

/* True if a row is about all tasks or CPUs. */
bool row_is_total(const struct row *row);

/* Takes the count of an event.  False if the row has none. */
bool row_count(const struct row *row, size_t event, struct count *count);

/**
 * struct cell - a value of a row
 * @type: what it is, for programs
 * @name: name of the event or metric
 * @event: the event; NULL if it is no event's
 * @count: the count; NULL if it is a metric
 * @metric: the metric; NULL if it is a count
 * @value: its value
 */
struct cell {
	const char *type;
	const char *name;
	const struct event *event;
	const struct count *count;
	const struct metric *metric;
	const struct metric_value *value;
};

/**
 * enum column - what a field says: of the row, or of one of its values
 */
enum column {
	COLUMN_TYPE,
	COLUMN_EVENT,
	COLUMN_VALUE,
	COLUMN_SCALED,
	COLUMN_ACTIVE,
	COLUMN_ENABLED,
	COLUMN_ERROR,
	COLUMN_AT_LEAST,
	COLUMN_IMPLEMENTED,
	COLUMN_UNIT,
	COLUMN_WHY,
	COLUMN_PID,
	COLUMN_TID,
	COLUMN_PPID,
	COLUMN_PATH,
	COLUMN_COMM,
	COLUMN_REASON,
	COLUMN_TASKS,
	COLUMN_PROCESSES,
	COLUMN_EXIT_CODE,
	COLUMN_SIGNAL,
	COLUMN_CPU,
	COLUMN_CORE,
	COLUMN_SOCKET,
	COLUMN_NODE,
	COLUMN_CGROUP,
	COLUMN_OFFLINES,
	COLUMN_OFFLINE,
	COLUMN_INTERVAL,
	COLUMN_START,
	COLUMN_END,
	NUM_COLUMNS,
};

/* Name of a column, for programs. */
const char *column_name(enum column column);

/**
 * enum field_kind - type of a field
 */
enum field_kind {
	FIELD_NONE, /* there is nothing to say */
	FIELD_NUMBER,
	FIELD_REAL,
	FIELD_FLAG,
	FIELD_WORD, /* text that needs no quotes anywhere */
	FIELD_TEXT,
};

/**
 * struct field - what a row says in a column
 */
struct field {
	enum field_kind kind;
	union {
		uint64_t number;
		double real;
		bool flag;
		const char *text;
	};
};

/* @cell: NULL for a column of the row itself. */
struct field row_field(const struct row *row, const struct cell *cell,
		       enum column column);

#endif

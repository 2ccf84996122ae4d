/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics that pfmon has written before.
 */
#ifndef PFMON_METRICS_METRIC_FILE_H
#define PFMON_METRICS_METRIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct written_metric - a metric of a document
 * @name: its name
 * @unit: what its value is measured in
 * @why: why there is no value; NULL if not said
 * @level: level in the top-down tree; 0 if it is no node of the tree
 * @known: there is a value
 * @value: the value
 * @scaled: the value is an estimate
 * @low: a count is a lower bound only
 * @bounded: @error is valid
 * @error: bound of an estimate
 */
struct written_metric {
	char *name;
	char *unit;
	char *why;
	unsigned int level;
	bool known;
	double value;
	bool scaled;
	bool low;
	bool bounded;
	double error;
};

/**
 * struct written_row - the metrics of a process, a CPU, an interval, or of all
 * @title: what it is of
 * @start: when it began, in nanoseconds
 * @end: when it ended
 * @off: the shares of level 1 of the top-down tree do not add up to 100 %
 * @sum: their sum then
 * @list: the metrics
 * @count: elements of @list
 */
struct written_row {
	char *title;
	double start;
	double end;
	bool off;
	double sum;
	struct written_metric *list;
	size_t count;
};

/**
 * struct written_rows - a list of rows
 * @list: the rows
 * @count: elements of @list
 * @room: elements that fit in @list
 */
struct written_rows {
	struct written_row *list;
	size_t count;
	size_t room;
};

/**
 * struct written_series - the intervals of a CPU, a task, or of all
 * @key: tells it from others
 * @title: what it is of
 * @rows: the intervals in which it was there
 */
struct written_series {
	char *key;
	char *title;
	struct written_rows rows;
};

/**
 * struct metric_file - the metrics of a document
 * @name: file
 * @model: processor model, or the file's name
 * @command: the command that was measured; empty none
 * @all: metrics of all results
 * @results: of each process or CPU
 * @series: of each interval: first of all CPUs or tasks, then of each of them; none if there
 *	were no intervals
 * @num_series: elements of @series
 * @room: elements that fit in @series
 */
struct metric_file {
	const char *name;
	char *model;
	char *command;
	struct written_row all;
	struct written_rows results;
	struct written_series *series;
	size_t num_series;
	size_t room;
};

/*
 * Reads the metrics in a JSON document of pfmon, and in those of intervals before it.  Returns 0, or
 * -1 after a message; the caller frees the file in both cases.  @name: of the file @in.
 */
int metric_file_read(struct metric_file *file, const char *name, FILE *in);
void metric_file_free(struct metric_file *file);

/* True if the value is a per cent value, and one that is outside 0..100. */
bool written_is_percent(const struct written_metric *metric);
bool written_is_outside(const struct written_metric *metric);

/*
 * Decimals that a value and its bound are printed with; a bound is rounded up, as it would be
 * none if it were rounded down.
 */
int written_decimals(const struct written_metric *metric);
double written_bound(const struct written_metric *metric);

/* NULL if there is no metric of that name. */
const struct written_metric *written_row_find(const struct written_row *row,
					      const char *name);

#endif

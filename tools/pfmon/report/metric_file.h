/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics that pfmon has written before.
 */
#ifndef PFMON_REPORT_METRIC_FILE_H
#define PFMON_REPORT_METRIC_FILE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct written_metric - a metric of a document
 * @name: its name
 * @unit: what its value is measured in
 * @level: level in the top-down tree; 0 it is no node of the tree
 * @known: there is a value
 * @value: the value
 * @scaled: the value is an estimate
 * @bounded: @error is valid
 * @error: bound of an estimate
 */
struct written_metric {
	char *name;
	char *unit;
	unsigned int level;
	bool known;
	double value;
	bool scaled;
	bool bounded;
	double error;
};

/**
 * struct metric_file - the metrics of a document
 * @name: file
 * @model: processor model, or the file's name
 * @list: the metrics
 * @count: elements of @list
 */
struct metric_file {
	const char *name;
	char *model;
	struct written_metric *list;
	size_t count;
};

/*
 * Reads the metrics of all results in a JSON document of pfmon.  Returns 0, or -1 after a
 * message; the caller frees the file in both cases.
 */
int metric_file_read(struct metric_file *file, const char *name);
void metric_file_free(struct metric_file *file);

/* NULL there is no metric of that name. */
const struct written_metric *metric_file_find(const struct metric_file *file,
					      const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The forms of metrics.
 */
#ifndef PFMON_METRICS_METRIC_FORMS_H
#define PFMON_METRICS_METRIC_FORMS_H

#include <stdbool.h>
#include <stdio.h>

struct json;
struct machine;
struct metric;
struct metric_selection;
struct metric_value;
struct options;

/* metric_text.c */

/* Room for a value, its unit not included. */
#define METRIC_TEXT_ROOM 40

/*
 * Writes a value as text: per cent with one decimal, others with three; "~" before an
 * estimate; "-" if there is none.
 */
const char *metric_value_text(const struct metric *metric,
			      const struct metric_value *value, char *text);

/*
 * Writes the bound of an estimate as text, "±1.3", rounded up to the decimals of its value; "±?"
 * if it is not known; nothing if the value is no estimate.
 */
const char *metric_bound_text(const struct metric *metric,
			      const struct metric_value *value, char *text);

/* True for a per cent value that is outside 0..100. */
bool metric_is_outside(const struct metric *metric,
		       const struct metric_value *value);

/* Width of a text on the terminal. */
int metric_text_width(const char *text);

/* Columns of the terminal that @out is; 0 if it is none. */
unsigned int metric_text_columns(FILE *out);

/*
 * Prints the metrics of a selection, a line each, in no more than @columns columns (0: as
 * many as it takes).  Nodes of the top-down tree are indented by their level; the dominant
 * path is marked, and what to look at next is printed at the end.  @values: one for each
 * metric of the selection.
 */
void metric_text_print(FILE *out, const struct metric_selection *selection,
		       const struct metric_value *values, unsigned int columns);

/* metric_json.c */

/* Writes the array "metrics".  @values: one for each metric of the selection. */
void metric_json_write(struct json *json,
		       const struct metric_selection *selection,
		       const struct metric_value *values);

/* Writes the members that are about a value: "value", "unit", "error" and so on. */
void metric_json_value(struct json *json, const char *unit,
		       const struct metric_value *value);

/* Writes a document with nothing else but the model. */
void metric_json_document(FILE *out, const struct metric_selection *selection,
			  const struct metric_value *values);

/* metric_list.c */

/*
 * Describes the metrics whose name, title or group matches the regular expression of the
 * command line; all metrics if there is none.  Returns 0, or -1 after a message.
 */
int metric_list(const struct options *options, struct machine *machine);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads counts and metrics in JSON documents of pfmon.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "report/measurement.h"
#include "report/report_input.h"

/* The version of the documents that are read here; later ones may mean something else. */
#define VERSION_KNOWN 1

/**
 * struct reading - a file that is being read
 * @measurement: what it has
 * @document: the present document
 * @whose: what the present counts are of; has no name
 * @documents: number of documents with results
 * @intervals: documents of intervals that the next document with results is about; NULL if there were none
 * @runs: the document about all runs, which comes last; NULL if there was none
 */
struct reading {
	struct measurement *measurement;
	const json_t *document;
	struct series_key whose;
	size_t documents;
	json_t *intervals;
	json_t *runs;
};

static int no_memory(void)
{
	say_error("out of memory for the counts");
	return -1;
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static struct series_value value_of(const json_t *object)
{
	const json_t *value = json_object_get(object, "value");
	const json_t *error = json_object_get(object, "error");
	struct series_value result = {
		.known = json_is_number(value),
		.value = json_number_value(value),
		.whole = json_is_integer(value),
		.scaled = json_is_true(json_object_get(object, "scaled")),
		.low = json_is_true(json_object_get(object, "at_least")),
	};

	if (result.scaled && json_is_number(error)) {
		result.bounded = true;
		result.bound = json_number_value(error);
	}
	return result;
}

/* Levels of an event: its name has those only that it was given with. */
static const char *levels_of(const json_t *document, const char *name)
{
	const json_t *events = json_object_get(document, "events"), *event;
	const char *levels;
	size_t i;

	json_array_foreach((json_t *)events, i, event)
	{
		if (!strcmp(text_of(event, "name"), name))
			return text_of(event, "plm");
	}
	series_name_length(name, &levels);
	return levels;
}

/* True if an element before has the same text. */
static bool is_repeated(const json_t *list, size_t index, const char *key)
{
	const char *text = text_of(json_array_get(list, index), key);
	size_t i;

	for (i = 0; i < index; i++)
		if (!strcmp(text_of(json_array_get(list, i), key), text))
			return true;
	return false;
}

static int add_named(struct reading *reading, struct series_key key,
		     size_t length, const json_t *object)
{
	const struct series_value value = value_of(object);
	char *name = strndup(key.name, length);
	int err;

	if (!name)
		return no_memory();
	key.name = name;
	err = measurement_add(reading->measurement, &key, &value);
	free(name);
	return err;
}

/* An event that is counted twice is taken once. */
static int read_counts(struct reading *reading, const json_t *list)
{
	struct series_key key = reading->whose;
	const json_t *count;
	const char *suffix;
	size_t i;

	key.kind = SERIES_EVENT;
	key.unit = "";
	json_array_foreach((json_t *)list, i, count)
	{
		key.name = text_of(count, "event");
		key.levels = levels_of(reading->document, key.name);
		if (!is_repeated(list, i, "event") &&
		    add_named(reading, key,
			      series_name_length(key.name, &suffix), count))
			return -1;
	}
	return 0;
}

static int read_metrics(struct reading *reading, const json_t *list)
{
	struct series_key key = reading->whose;
	const json_t *metric;
	size_t i;

	key.kind = SERIES_METRIC;
	key.levels = "";
	json_array_foreach((json_t *)list, i, metric)
	{
		key.name = text_of(metric, "metric");
		key.unit = text_of(metric, "unit");
		if (!is_repeated(list, i, "metric") &&
		    add_named(reading, key, strlen(key.name), metric))
			return -1;
	}
	return 0;
}

/* Values that are derived from the count of an event are named after the event as well. */
static int read_derived(struct reading *reading, const json_t *list)
{
	struct series_key key = reading->whose;
	const json_t *derived;
	const char *suffix;
	char *name;
	size_t i;
	int err;

	key.kind = SERIES_DERIVED;
	json_array_foreach((json_t *)list, i, derived)
	{
		const char *event = text_of(derived, "event");

		if (is_repeated(list, i, "event"))
			continue;
		if (asprintf(&name, "%s(%.*s)", text_of(derived, "metric"),
			     (int)series_name_length(event, &suffix),
			     event) < 0)
			return no_memory();
		key.name = name;
		key.levels = levels_of(reading->document, event);
		key.unit = text_of(derived, "unit");
		err = add_named(reading, key, strlen(name), derived);
		free(name);
		if (err)
			return -1;
	}
	return 0;
}

/* @counts: the key of the counts. */
static int read_values(struct reading *reading, const json_t *object,
		       const char *counts)
{
	if (read_counts(reading, json_object_get(object, counts)) ||
	    read_derived(reading, json_object_get(object, "derived")))
		return -1;
	return read_metrics(reading, json_object_get(object, "metrics"));
}

static int read_programs(struct reading *reading, const json_t *list)
{
	const json_t *result;
	size_t i;

	json_array_foreach((json_t *)list, i, result)
	{
		reading->whose.program = text_of(result, "path");
		if (!*reading->whose.program)
			reading->whose.program = text_of(result, "comm");
		if (read_values(reading, result, "counts"))
			return -1;
	}
	reading->whose.program = NULL;
	return 0;
}

/* The cgroup that a result is of; NULL if it is of none. */
static const char *cgroup_of(const json_t *result)
{
	return json_string_value(json_object_get(result, "cgroup"));
}

static int read_cpus(struct reading *reading, const json_t *list)
{
	const json_t *result;
	size_t i;

	json_array_foreach((json_t *)list, i, result)
	{
		reading->whose.cpu =
			json_integer_value(json_object_get(result, "cpu"));
		reading->whose.group = cgroup_of(result);
		if (read_values(reading, result, "counts"))
			return -1;
	}
	reading->whose.cpu = SERIES_NO_CPU;
	reading->whose.group = NULL;
	return 0;
}

static long number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* Cores, sockets, nodes and cgroups. */
static int read_groups(struct reading *reading, const json_t *list)
{
	char room[SERIES_GROUP_ROOM];
	const json_t *result;
	const char *group;
	size_t i;

	json_array_foreach((json_t *)list, i, result)
	{
		group = cgroup_of(result);
		if (!group)
			group = series_group(text_of(result, "topology"),
					     number_of(result, "core"),
					     number_of(result, "socket"),
					     number_of(result, "node"), room);
		reading->whose.group = group;
		if (group && read_values(reading, result, "counts"))
			return -1;
	}
	reading->whose.group = NULL;
	return 0;
}

/* Keeps an interval for the document with the results, which has the levels of events. */
static int keep_interval(struct reading *reading, json_t *document)
{
	if (!reading->measurement->intervals)
		return 0;
	if (!reading->intervals)
		reading->intervals = json_array();
	return json_array_append(reading->intervals, document) ? no_memory()
							       : 0;
}

static int read_intervals(struct reading *reading)
{
	const json_t *interval;
	size_t i;
	int err = 0;

	json_array_foreach(reading->intervals, i, interval)
	{
		reading->whose.interval = number_of(interval, "number");
		if (read_values(reading, interval, "totals") ||
		    read_cpus(reading, json_object_get(interval, "cpus")) ||
		    read_groups(reading, json_object_get(interval, "groups"))) {
			err = -1;
			break;
		}
	}
	reading->whose.interval = 0;
	json_decref(reading->intervals);
	reading->intervals = NULL;
	return err;
}

static int read_elapsed(struct reading *reading, const json_t *document)
{
	const json_t *start = json_object_get(document, "start_ns");
	const json_t *end = json_object_get(document, "end_ns");
	const struct series_key key = {
		.kind = SERIES_TIME,
		.cpu = SERIES_NO_CPU,
		.name = SERIES_ELAPSED,
		.levels = "",
		.unit = "seconds",
	};
	const struct series_value value = {
		.known = true,
		.value = (json_number_value(end) - json_number_value(start)) /
			 1e9,
	};

	if (!json_is_number(start) || !json_is_number(end))
		return 0;
	return measurement_add(reading->measurement, &key, &value);
}

/* Notes a text of the document unless one before had it. */
static int note_text(char **text, const json_t *document, const char *key)
{
	if (*text || !*text_of(document, key))
		return 0;
	*text = strdup(text_of(document, key));
	return *text ? 0 : no_memory();
}

static bool has_failed(const json_t *document)
{
	const json_t *status = json_object_get(document, "command_status");
	const json_t *code = json_object_get(status, "exit_code");

	return json_integer_value(code) ||
	       json_is_integer(json_object_get(status, "signal"));
}

static int read_run(struct reading *reading, const json_t *document)
{
	struct measurement *measurement = reading->measurement;

	reading->documents++;
	reading->document = document;
	if (note_text(&measurement->model, document, "model") ||
	    note_text(&measurement->scope, document, "scope") ||
	    read_values(reading, document, "totals") ||
	    read_elapsed(reading, document) ||
	    read_programs(reading, json_object_get(document, "results")) ||
	    read_cpus(reading, json_object_get(document, "cpus")) ||
	    read_groups(reading, json_object_get(document, "groups")) ||
	    read_intervals(reading))
		return -1;
	measurement->failed += has_failed(document);
	measurement_end_run(measurement);
	return 0;
}

static int read_document(struct reading *reading, json_t *document)
{
	const char *name = reading->measurement->name;
	const char *type = text_of(document, "type");
	const json_t *version = json_object_get(document, "schema_version");

	if (version && json_integer_value(version) != VERSION_KNOWN) {
		say_error(
			"'%s' has a document of version %lld, this pfmon reads version %d",
			name, (long long)json_integer_value(version),
			VERSION_KNOWN);
		return -1;
	}
	if (json_object_get(document, "counter-value")) {
		say_error(
			"'%s' is of 'perf stat -j'; what 'perf stat -x,' writes can be read",
			name);
		return -1;
	}
	if (!strcmp(type, "interval"))
		return keep_interval(reading, document);
	if (!strcmp(type, "runs")) {
		json_decref(reading->runs);
		reading->runs = json_incref(document);
		return 0;
	}
	if (*type) {
		say_error(
			"'%s' is a document of type '%s', which has no counts; 'pfmon stat --json' writes them",
			name, type);
		return -1;
	}
	return read_run(reading, document);
}

static int read_figure(struct reading *reading, const json_t *figure)
{
	const char *metric = text_of(figure, "metric");
	const char *event = text_of(figure, "event"), *levels;
	const bool time = !strcmp(event, SERIES_ELAPSED);
	size_t length = series_name_length(event, &levels);
	char *name = *metric ? strdup(metric) : strndup(event, length);
	struct series_key key = reading->whose;
	const struct difference_side side = {
		.runs = json_integer_value(json_object_get(figure, "runs")),
		.mean = json_number_value(json_object_get(figure, "mean")),
		.deviation =
			json_number_value(json_object_get(figure, "deviation")),
		.scaled = json_is_true(json_object_get(figure, "scaled")),
	};
	int err;

	if (!name)
		return no_memory();
	key.kind = time ? SERIES_TIME : *metric ? SERIES_METRIC : SERIES_EVENT;
	key.name = name;
	key.levels = *metric ? "" : levels;
	key.unit = time ? "seconds" : text_of(figure, "unit");
	err = side.runs ? measurement_summarize(reading->measurement, &key,
						&side, key.kind == SERIES_EVENT)
			: 0;
	free(name);
	return err;
}

static int read_figures(struct reading *reading, const json_t *list)
{
	const json_t *figure;
	size_t i;

	json_array_foreach((json_t *)list, i, figure)
	{
		if (read_figure(reading, figure))
			return -1;
	}
	return 0;
}

/* Documents of the runs say more than the one about all of them. */
static int read_summary(struct reading *reading)
{
	const json_t *program, *list;
	size_t i;

	if (reading->documents || !reading->runs)
		return 0;
	reading->measurement->runs =
		json_integer_value(json_object_get(reading->runs, "runs"));
	if (read_figures(reading, json_object_get(reading->runs, "figures")))
		return -1;
	list = json_object_get(reading->runs, "programs");
	json_array_foreach((json_t *)list, i, program)
	{
		reading->whose.program = text_of(program, "path");
		if (read_figures(reading, json_object_get(program, "figures")))
			return -1;
	}
	reading->whose.program = NULL;
	return 0;
}

/* The next character that is not white space; it stays in the file. */
static int peek(FILE *in)
{
	int c;

	do
		c = getc(in);
	while (c == ' ' || c == '\n' || c == '\r' || c == '\t');
	if (c != EOF)
		ungetc(c, in);
	return c;
}

static int read_documents(struct reading *reading, FILE *in)
{
	const char *name = reading->measurement->name;
	json_error_t error;
	json_t *document;
	int err = 0;

	errno = 0;
	while (!err && peek(in) != EOF) {
		document = json_loadf(in, JSON_DISABLE_EOF_CHECK, &error);
		if (!document) {
			say_error("%s: line %d, column %d: %s", name,
				  error.line, error.column, error.text);
			return -1;
		}
		err = read_document(reading, document);
		json_decref(document);
	}
	if (!err && ferror(in)) {
		say_error("cannot read '%s': %s", name, strerror(errno));
		err = -1;
	}
	return err;
}

int measurement_read_json(struct measurement *measurement,
			  const struct report_input *input)
{
	struct reading reading = {
		.measurement = measurement,
		.whose.cpu = SERIES_NO_CPU,
	};
	int err;

	measurement->name = input->name;
	err = read_documents(&reading, input->in);
	if (!err)
		err = read_summary(&reading);
	json_decref(reading.intervals);
	json_decref(reading.runs);
	return err ? err : measurement_finish(measurement);
}

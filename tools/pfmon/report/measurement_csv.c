// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads counts and metrics in CSV of pfmon, in lines of EVENT,COUNT, and in what 'perf stat -x,' writes.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "report/csv_record.h"
#include "report/measurement.h"
#include "report/perf_stat.h"
#include "report/report_input.h"

/* How perf begins each of its outputs in a file. */
#define PERF_BEGIN "# started on"

/* perf writes the deviation with two decimals. */
#define PERF_ROUNDING 0.005

/* Room for the name of an event, as perf stat has it. */
#define NAME_ROOM 256

/* All levels of an event. */
#define LEVELS_ROOM 4

/**
 * struct titles - the column of each field that is read; -1 if there is none
 */
struct titles {
	int type;
	int event;
	int value;
	int scaled;
	int error;
	int low;
	int unit;
	int path;
	int comm;
	int cpu;
	int core;
	int socket;
	int node;
	int cgroup;
	int interval;
	int deviation;
	int runs;
};

/**
 * struct reading - a file that is being read
 * @measurement: what it has
 * @record: the present record
 * @separator: what stands between its fields
 * @begun: a record was read
 * @titles: the columns
 * @total: the run has a row of all tasks or CPUs
 * @perf: columns before the count in a file of perf stat; -1 if it is of another kind
 */
struct reading {
	struct measurement *measurement;
	struct csv_record record;
	char separator[16];
	bool begun;
	struct titles titles;
	bool total;
	int perf;
};

static int bad_record(const struct reading *reading, const char *why)
{
	say_error("%s: line %lu: %s", reading->measurement->name,
		  reading->record.line, why);
	return -1;
}

static const char *field(const struct reading *reading, int column)
{
	const struct csv_record *record = &reading->record;

	return column >= 0 && column < record->count ? record->fields[column]
						     : "";
}

static int find_title(const struct reading *reading, const char *title)
{
	int i;

	for (i = 0; i < reading->record.count; i++)
		if (!strcasecmp(reading->record.fields[i], title))
			return i;
	return -1;
}

/* Takes a row of titles.  Returns false if it is none. */
static bool take_titles(struct reading *reading)
{
	int event = find_title(reading, "event");
	int value = find_title(reading, "value");

	if (value < 0)
		value = find_title(reading, "count");
	if (value < 0)
		value = find_title(reading, "mean");
	if (event < 0 || value < 0)
		return false;
	reading->titles = (struct titles){
		.type = find_title(reading, "type"),
		.event = event,
		.value = value,
		.scaled = find_title(reading, "scaled"),
		.error = find_title(reading, "error"),
		.low = find_title(reading, "at_least"),
		.unit = find_title(reading, "unit"),
		.path = find_title(reading, "path"),
		.comm = find_title(reading, "comm"),
		.cpu = find_title(reading, "cpu"),
		.core = find_title(reading, "core"),
		.socket = find_title(reading, "socket"),
		.node = find_title(reading, "node"),
		.cgroup = find_title(reading, "cgroup"),
		.interval = find_title(reading, "interval"),
		.deviation = find_title(reading, "deviation"),
		.runs = find_title(reading, "runs"),
	};
	return true;
}

/* The line of titles tells the separator that pfmon has written between fields. */
static void find_separator(struct reading *reading)
{
	static const char first[] = "type", second[] = "event";
	const char *text = reading->record.text, *end;
	size_t length;

	strcpy(reading->separator, ",");
	if (strncmp(text, first, strlen(first)))
		return;
	text += strlen(first);
	end = strstr(text, second);
	length = end ? end - text : 0;
	if (length && length < sizeof(reading->separator)) {
		memcpy(reading->separator, text, length);
		reading->separator[length] = '\0';
	}
}

static bool read_number(const char *text, double *number)
{
	char *end;

	if (!*text || !strchr("0123456789.-", *text))
		return false;
	*number = strtod(text, &end);
	return end != text && !*end && isfinite(*number);
}

static bool is_whole(const char *text)
{
	return !text[strspn(text, "0123456789")];
}

static int read_value(const struct reading *reading, const char *text,
		      struct series_value *value)
{
	const struct titles *titles = &reading->titles;

	value->known = *text;
	if (value->known && !read_number(text, &value->value))
		return bad_record(reading, "the count is not a number");
	value->whole = is_whole(text);
	value->scaled = !strcmp(field(reading, titles->scaled), "1");
	value->low = !strcmp(field(reading, titles->low), "1");
	if (value->scaled)
		value->bounded = read_number(field(reading, titles->error),
					     &value->bound);
	return 0;
}

static void end_run(struct reading *reading)
{
	measurement_end_run(reading->measurement);
	reading->total = false;
}

static long number_of(const struct reading *reading, int column)
{
	return strtol(field(reading, column), NULL, 10);
}

/* The CPU and the cgroup, if the row is of one. */
static void take_cpu(const struct reading *reading, struct series_key *key)
{
	const struct titles *titles = &reading->titles;
	const char *cgroup = field(reading, titles->cgroup);

	if (*field(reading, titles->cpu))
		key->cpu = number_of(reading, titles->cpu);
	if (*cgroup)
		key->group = cgroup;
}

/*
 * The type of a row of pfmon, as what its values are of and as their kind; false: another row.  @group is
 * room for a name.
 */
static bool take_type(const struct reading *reading, struct series_key *key,
		      bool *total, char *group)
{
	const struct titles *titles = &reading->titles;
	const char *type = field(reading, titles->type);
	const char *metric = strstr(type, "-metric");
	size_t length = metric ? (size_t)(metric - type) : strlen(type);

	*total = titles->type < 0 || (length == 5 && !memcmp(type, "total", 5));
	key->kind = metric ? SERIES_METRIC : SERIES_EVENT;
	if (metric && metric[strlen("-metric")])
		return false;
	if (*total)
		return true;
	if (length == 4 && !memcmp(type, "task", 4)) {
		key->program = field(reading, titles->path);
		if (!*key->program)
			key->program = field(reading, titles->comm);
		return *key->program;
	}
	if (length == 3 && !memcmp(type, "cpu", 3)) {
		take_cpu(reading, key);
		return true;
	}
	if (length == 8 && !memcmp(type, "interval", 8)) {
		take_cpu(reading, key);
		key->interval = number_of(reading, titles->interval);
		return reading->measurement->intervals && key->interval;
	}
	if (length == 6 && !memcmp(type, "cgroup", 6))
		key->group = field(reading, titles->cgroup);
	else
		key->group =
			series_group(type, number_of(reading, titles->core),
				     number_of(reading, titles->socket),
				     number_of(reading, titles->node), group);
	return key->group && *key->group;
}

/* True for a row of -r; completes the key. */
static bool is_summary(const struct reading *reading, struct series_key *key,
		       const char *event)
{
	const struct titles *titles = &reading->titles;
	const char *type = field(reading, titles->type);
	const char *program = field(reading, titles->path);
	const bool metric = !strcmp(type, "runs-metric");

	if (!metric && strcmp(type, "runs"))
		return false;
	if (*program)
		key->program = program;
	if (metric) {
		key->kind = SERIES_METRIC;
		key->name = event;
		key->levels = "";
		key->unit = field(reading, titles->unit);
	}
	return true;
}

/* With -r: mean and deviation of all runs. */
static int take_summary(struct reading *reading, struct series_key *key)
{
	const struct titles *titles = &reading->titles;
	const char *runs = field(reading, titles->runs);
	struct difference_side side = { 0 };
	const char *name = key->name;
	bool time = !strcmp(name, SERIES_ELAPSED);

	if (!read_number(field(reading, titles->value), &side.mean) ||
	    !read_number(field(reading, titles->deviation), &side.deviation))
		return bad_record(reading, "mean or deviation is not a number");
	if (!*runs || !is_whole(runs))
		return bad_record(reading, "the runs are not a number");
	side.runs = strtoull(runs, NULL, 10);
	/* No run had a count. */
	if (!side.runs)
		return 0;
	if (time) {
		key->kind = SERIES_TIME;
		key->unit = "seconds";
	}
	if (measurement_find(reading->measurement, key))
		return bad_record(reading, "the event is in the file already");
	if (side.runs > reading->measurement->runs)
		reading->measurement->runs = side.runs;
	return measurement_summarize(reading->measurement, key, &side,
				     key->kind == SERIES_EVENT);
}

/*
 * Rows of tasks, CPUs and intervals come before those of all, and these are there once in a run.  A
 * session that was killed has intervals and no more.
 */
static bool begins_run(const struct reading *reading,
		       const struct series_key *key, bool total)
{
	if (!total && reading->total)
		return true;
	return (total || key->interval) &&
	       measurement_has(reading->measurement, key);
}

/*
 * A row of a file that is not perf's.  What does not fit into a run begins the next one.
 */
static int take_row(struct reading *reading)
{
	const struct titles *titles = &reading->titles;
	const char *event = field(reading, titles->event);
	struct series_key key = { .cpu = SERIES_NO_CPU, .unit = "" };
	struct series_value value = { 0 };
	char group[SERIES_GROUP_ROOM];
	char *name;
	bool total;
	int err;

	if (reading->record.count < 2)
		return bad_record(
			reading,
			"it has no count; 'pfmon stat --json' and 'pfmon stat --csv' write counts, or EVENT,COUNT is expected");
	name = strndup(event, series_name_length(event, &key.levels));
	if (!name)
		return bad_record(reading, "out of memory");
	key.name = name;
	if (is_summary(reading, &key, event)) {
		err = take_summary(reading, &key);
	} else if (!take_type(reading, &key, &total, group)) {
		err = 0;
	} else {
		if (key.kind == SERIES_METRIC) {
			key.name = event;
			key.levels = "";
			key.unit = field(reading, titles->unit);
		}
		if (begins_run(reading, &key, total))
			end_run(reading);
		reading->total |= total;
		err = read_value(reading, field(reading, titles->value),
				 &value);
		if (!err)
			err = measurement_add(reading->measurement, &key,
					      &value);
	}
	free(name);
	return err;
}

/* Levels of an event of perf's, in the order in which pfmon has them. */
static const char *perf_levels(const char *event, char *levels)
{
	static const char all[] = "ukh";
	const char *colon = strrchr(event, ':'), *slash = strrchr(event, '/');
	const char *modifiers = colon ? colon + 1 : slash ? slash + 1 : "";
	size_t i, length = 0;

	if (strspn(modifiers, "ukhGHpPSDWeI") == strlen(modifiers))
		for (i = 0; all[i]; i++)
			if (strchr(modifiers, all[i]))
				levels[length++] = all[i];
	levels[length] = '\0';
	return levels;
}

/* With -r perf writes the mean of the runs, and the error of that, but not how many there were. */
static int take_perf_summary(struct reading *reading,
			     const struct series_key *key,
			     const struct perf_stat_row *row,
			     const struct series_value *value)
{
	double percent = strtod(row->deviation, NULL) + PERF_ROUNDING;
	const struct difference_side side = {
		.mean = value->value,
		.deviation = value->value * percent / 100,
		.scaled = value->scaled,
	};

	if (measurement_find(reading->measurement, key))
		return bad_record(reading, "the event is in the file already");
	return measurement_summarize(reading->measurement, key, &side,
				     value->whole);
}

/*
 * A row of perf's.  Intervals, CPUs and the like have columns before the count and a row each, which add
 * up.  Otherwise an event that is there again is of another run.
 */
static int take_perf_row(struct reading *reading)
{
	struct csv_record *record = &reading->record;
	struct series_key key = { .cpu = SERIES_NO_CPU };
	struct series_value value = { 0 };
	char name[NAME_ROOM], levels[LEVELS_ROOM];
	struct perf_stat_row row;

	record->count = perf_stat_join(record->fields, record->count);
	if (!perf_stat_read(record->fields, record->count, reading->perf, &row))
		return 0;
	perf_stat_name(row.event, name, sizeof(name));
	key.name = name;
	key.levels = perf_levels(row.event, levels);
	key.unit = row.unit;
	value.known = !row.why;
	if (value.known && !read_number(row.value, &value.value))
		return bad_record(reading, "the count is not a number");
	value.whole = is_whole(row.value);
	value.scaled = row.scaled;
	/* pfmon counts the clocks of tasks and CPUs in nanoseconds. */
	if (!strcmp(row.unit, "msec")) {
		key.unit = "";
		value.value *= 1e6;
	}
	if (row.deviation)
		return value.known
			       ? take_perf_summary(reading, &key, &row, &value)
			       : 0;
	if (!reading->perf && measurement_has(reading->measurement, &key))
		end_run(reading);
	return measurement_add(reading->measurement, &key, &value);
}

/* Finds out what kind of file it is by its first record.  True if that has counts. */
static bool begin_records(struct reading *reading)
{
	struct csv_record *record = &reading->record;

	if (take_titles(reading))
		return false;
	record->count = perf_stat_join(record->fields, record->count);
	reading->perf = perf_stat_offset(record->fields, record->count);
	reading->measurement->perf = reading->perf >= 0;
	return true;
}

static bool is_empty(const char *text)
{
	return !text[strspn(text, " \t")];
}

static int take_record(struct reading *reading)
{
	const char *text = reading->record.text, *why;
	bool first = !reading->begun;

	if (!strncmp(text, PERF_BEGIN, strlen(PERF_BEGIN)))
		end_run(reading);
	if (is_empty(text) || *text == '#')
		return 0;
	if (first)
		find_separator(reading);
	reading->begun = true;
	why = csv_record_split(&reading->record, reading->separator);
	if (why)
		return bad_record(reading, why);
	if (first) {
		if (!begin_records(reading))
			return 0;
	} else if (reading->perf < 0 && take_titles(reading)) {
		/* The titles of another output that was appended. */
		end_run(reading);
		return 0;
	}
	return reading->perf < 0 ? take_row(reading) : take_perf_row(reading);
}

int measurement_read_csv(struct measurement *measurement,
			 const struct report_input *input)
{
	struct reading reading = {
		.measurement = measurement,
		.record.next = input->lines,
		.titles = { -1, 0, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
			    -1, -1, -1, -1 },
		.perf = -1,
	};
	int err = 0, got = 0;

	measurement->name = input->name;
	while (!err && (got = csv_record_read(&reading.record, input->in)) > 0)
		err = take_record(&reading);
	if (!err && got < 0) {
		say_error("cannot read '%s': %s", input->name, strerror(errno));
		err = -1;
	}
	csv_record_free(&reading.record);
	return err ? err : measurement_finish(measurement);
}

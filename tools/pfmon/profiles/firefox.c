// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file for the Firefox Profiler (profiler.firefox.com): its "processed profile", version 61.
 *
 * That version is the first one in which all threads share one table of stacks and the table of sources
 * has all its columns; the application converts older versions to its own when it loads a file.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/json_writer.h"
#include "base/message.h"
#include "base/version.h"
#include "events/event_list.h"
#include "options/options.h"
#include "profiles/firefox_tables.h"
#include "profiles/losses.h"
#include "profiles/profile_forms.h"
#include "sampling/sampling.h"

/* The version of the profile that Firefox itself writes, which the application asks for as well. */
#define GECKO_VERSION	29
#define PROFILE_VERSION 61

/* In the application one unit of a weight is a sample, or a millisecond. */
#define NS_PER_MS 1000000.0

/**
 * struct row - a sample
 * @next: number of the next one of the thread + 1; 0 if it is the last
 * @stack: number of its stack; UINT32_MAX if it has none
 * @time: CLOCK_MONOTONIC ns
 * @count: samples that it stands for
 * @weight: sum of their periods
 */
struct row {
	uint32_t next;
	uint32_t stack;
	uint64_t time;
	uint64_t count;
	uint64_t weight;
};

/**
 * struct thread - a thread, while it ran one program, and one event
 * @pid: process id
 * @tid: thread id
 * @event: index among those that sample
 * @nth: programs that the process ran before this one
 * @program: number of the program's text in &struct writer.programs
 * @group: what names it
 * @first: number of its first sample + 1
 * @last: number of its last sample + 1
 * @rows: number of samples
 */
struct thread {
	uint32_t pid;
	uint32_t tid;
	uint32_t event;
	uint32_t nth;
	uint32_t program;
	struct group group;
	uint32_t first;
	uint32_t last;
	uint32_t rows;
};

/**
 * struct measure - how the samples of an event are weighed
 * @samples: how many there are
 * @weight: sum of their periods
 * @period: that of the first one
 * @differ: another one has another period
 */
struct measure {
	uint64_t samples;
	uint64_t weight;
	uint64_t period;
	bool differ;
};

/**
 * struct writer - what is written
 * @sampling: the samples
 * @tables: what threads share
 * @rows: the samples by time
 * @num_rows: elements of @rows
 * @threads: in the order of their first samples
 * @num_threads: elements of @threads
 * @room_threads: elements that fit in @threads
 * @table: finds threads
 * @programs: texts that tell programs from each other
 * @measures: one for each event that samples
 */
struct writer {
	struct sampling *sampling;
	struct firefox_tables tables;
	struct row *rows;
	uint32_t num_rows;
	struct thread *threads;
	uint32_t num_threads;
	size_t room_threads;
	struct hash table;
	struct string_table programs;
	struct measure *measures;
};

static uint32_t number_of_program(struct writer *writer,
				  const struct group *group)
{
	char text[PATH_MAX + 128];
	struct group_name name;

	sampling_name(writer->sampling, group, &name);
	snprintf(text, sizeof(text), "%s\n%s", name.path, name.program);
	return string_table_number(&writer->programs, text);
}

static bool is_same(const struct thread *thread, const struct thread *wanted)
{
	return thread->pid == wanted->pid && thread->tid == wanted->tid &&
	       thread->event == wanted->event &&
	       thread->program == wanted->program;
}

/*
 * A process that executes another program keeps its id, and an id may be used again, but the application
 * takes equal ids for one process.
 */
static uint32_t count_before(const struct writer *writer,
			     const struct thread *wanted)
{
	uint64_t hash = hash_mix(0, wanted->pid);
	const struct thread *thread;
	uint32_t number, nth = 0;

	for (number = hash_find(&writer->table, hash); number;
	     number = hash_next(&writer->table, number)) {
		thread = &writer->threads[number - 1];
		if (thread->pid != wanted->pid)
			continue;
		if (thread->program == wanted->program)
			return thread->nth;
		if (nth <= thread->nth)
			nth = thread->nth + 1;
	}
	return nth;
}

/* The thread of a sample.  NULL without memory. */
static struct thread *find_thread(struct writer *writer,
				  const struct spooled *spooled)
{
	const struct sample *sample = &spooled->sample;
	struct thread wanted = {
		.pid = sample->pid,
		.tid = sample->tid,
		.event = sample->index,
		.group = { sample->pid, sample->tid, spooled->phase },
	};
	uint64_t hash = hash_mix(0, wanted.pid);
	uint32_t number;

	wanted.program = number_of_program(writer, &wanted.group);
	if (wanted.program == UINT32_MAX)
		return NULL;
	for (number = hash_find(&writer->table, hash); number;
	     number = hash_next(&writer->table, number))
		if (is_same(&writer->threads[number - 1], &wanted))
			return &writer->threads[number - 1];
	wanted.nth = count_before(writer, &wanted);
	if (array_reserve(&writer->threads, sizeof(*writer->threads),
			  &writer->room_threads, writer->num_threads + 1) ||
	    hash_add(&writer->table, hash))
		return NULL;
	writer->threads[writer->num_threads] = wanted;
	return &writer->threads[writer->num_threads++];
}

static void add_measure(struct measure *measure, const struct sample *sample)
{
	uint64_t period = sample->weight / sample->count;

	if (!measure->samples)
		measure->period = period;
	measure->differ |= measure->period != period ||
			   sample->weight % sample->count;
	measure->samples += sample->count;
	measure->weight += sample->weight;
}

/* Adds a sample.  Returns 0, or -1 without memory. */
static int add_row(struct writer *writer, const struct spooled *spooled,
		   const uint32_t *places)
{
	const struct sample *sample = &spooled->sample;
	struct symbols *symbols = &writer->sampling->symbols;
	struct row *row = &writer->rows[writer->num_rows];
	struct thread *thread = find_thread(writer, spooled);
	const struct symbols_stack *stack;

	stack = symbols_settle(symbols, places, NULL, spooled->num_places);
	if (!thread || !stack)
		return -1;
	row->stack = UINT32_MAX;
	if (stack->count) {
		row->stack = firefox_tables_stack(&writer->tables, symbols,
						  stack->places, stack->count);
		if (row->stack == UINT32_MAX)
			return -1;
	}
	row->next = 0;
	row->time = sample->tstamp;
	row->count = sample->count;
	row->weight = sample->weight;
	add_measure(&writer->measures[sample->index], sample);
	writer->num_rows++;
	if (thread->last)
		writer->rows[thread->last - 1].next = writer->num_rows;
	else
		thread->first = writer->num_rows;
	thread->last = writer->num_rows;
	thread->rows++;
	return 0;
}

static int read_rows(struct writer *writer)
{
	struct sampling *sampling = writer->sampling;
	struct spooled spooled;
	const uint32_t *places;
	struct group group;
	size_t i;

	spool_sort(&sampling->spool);
	for (i = 0; i < sampling->spool.count; i++) {
		if (spool_read(&sampling->spool, i, &spooled, &places))
			return -1;
		group = (struct group){ spooled.sample.pid, spooled.sample.tid,
					spooled.phase };
		if (!spooled.sample.count ||
		    !sampling_selects(sampling, &group))
			continue;
		if (add_row(writer, &spooled, places)) {
			say_error("out of memory for the threads and stacks");
			return -1;
		}
	}
	return 0;
}

static const struct event *event_of(const struct writer *writer, size_t index)
{
	const struct sampling *sampling = writer->sampling;

	return &sampling->events->list[sampling->periods.list[index].event];
}

/* A name tells it in files of perf as well, which have no roles. */
static bool counts_time(const struct event *event)
{
	static const char *const clocks[] = { "task-clock", "cpu-clock",
					      "wall-clock" };
	size_t i, length = strcspn(event->name, ":");

	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (strlen(clocks[i]) == length &&
		    !strncmp(event->name, clocks[i], length))
			return true;
	return false;
}

/* Time of the first sample: the zero of all times. */
static uint64_t zero(const struct writer *writer)
{
	return writer->num_rows ? writer->rows[0].time : 0;
}

static double milliseconds(const struct writer *writer, const struct row *row)
{
	return (row->time - zero(writer)) / NS_PER_MS;
}

/* Milliseconds since 1970 of the first sample. */
static uint64_t start_time(const struct writer *writer)
{
	const struct sampling *sampling = writer->sampling;
	uint64_t since = 0;

	if (sampling->past)
		return sampling->began * 1000;
	if (writer->num_rows)
		since = (clock_now() - zero(writer)) / 1000000;
	return time(NULL) * 1000ULL - since;
}

/* The distance of samples, which tells how finely the application draws. */
static double interval(const struct writer *writer)
{
	const struct sampling *sampling = writer->sampling;
	uint64_t frequency = sampling->options->smpl.frequency;
	size_t i;

	if (frequency)
		return 1000.0 / frequency;
	for (i = 0; i < sampling->periods.count; i++)
		if (counts_time(event_of(writer, i)))
			return sampling->periods.list[i].between / NS_PER_MS;
	return 1;
}

static void write_category(struct json *json, const char *name,
			   const char *colour)
{
	jsonw_line_object(json, NULL);
	jsonw_string(json, "name", name);
	jsonw_string(json, "color", colour);
	jsonw_array(json, "subcategories");
	jsonw_string(json, NULL, "Other");
	jsonw_close(json);
	jsonw_close(json);
}

/* In the order of enum firefox_category. */
static void write_categories(struct json *json)
{
	jsonw_array(json, "categories");
	write_category(json, "Other", "grey");
	write_category(json, "User", "yellow");
	write_category(json, "Kernel", "orange");
	jsonw_close(json);
}

static void write_entry(struct json *json, const char *label, const char *value)
{
	jsonw_line_object(json, NULL);
	jsonw_string(json, "label", label);
	jsonw_string(json, "format", "string");
	jsonw_string(json, "value", value);
	jsonw_close(json);
}

/* Losses, which the application shows as information about the profile. */
static void write_losses(struct json *json, const struct sampling *sampling)
{
	char text[PRINT_LOSS_ROOM];

	jsonw_array(json, "extra");
	jsonw_object(json, NULL);
	jsonw_string(json, "label", "Samples");
	jsonw_array(json, "entries");
	write_entry(json, "Missing", print_lost(sampling, text));
	if (print_paused(sampling, text))
		write_entry(json, "Not counted", text);
	jsonw_close(json);
	jsonw_close(json);
	jsonw_close(json);
}

static void write_meta(struct json *json, const struct writer *writer)
{
	const struct sampling *sampling = writer->sampling;

	jsonw_object(json, "meta");
	jsonw_uint(json, "version", GECKO_VERSION);
	jsonw_uint(json, "preprocessedProfileVersion", PROFILE_VERSION);
	jsonw_string(json, "product",
		     *sampling->program ? sampling->program : "pfmon");
	jsonw_string(json, "importedFrom", "pfmon " PFMON_VERSION);
	jsonw_double(json, "interval", interval(writer));
	jsonw_uint(json, "startTime", start_time(writer));
	jsonw_uint(json, "processType", 0);
	jsonw_uint(json, "stackwalk",
		   sampling->options->smpl.module == MODULE_CALLSTACK);
	jsonw_bool(json, "debug", false);
	jsonw_bool(json, "symbolicated", true);
	jsonw_bool(json, "usesOnlyOneStackType", true);
	jsonw_bool(json, "sourceCodeIsNotOnSearchfox", true);
	write_categories(json);
	jsonw_line_array(json, "markerSchema");
	jsonw_close(json);
	write_losses(json, sampling);
	jsonw_close(json);
}

/* A table without rows. */
static void write_empty(struct json *json, const char *name,
			const char *const *columns)
{
	jsonw_line_object(json, name);
	jsonw_uint(json, "length", 0);
	for (; *columns; columns++) {
		jsonw_array(json, *columns);
		jsonw_close(json);
	}
	jsonw_close(json);
}

static void write_shared(struct json *json, struct writer *writer)
{
	static const char *const sources[] = { "id",	       "filename",
					       "startLine",    "startColumn",
					       "sourceMapURL", NULL };
	static const char *const symbols[] = { "libIndex", "address", "name",
					       "functionSize", NULL };

	jsonw_line_array(json, "libs");
	jsonw_close(json);
	jsonw_object(json, "shared");
	firefox_tables_write(json, &writer->tables);
	write_empty(json, "nativeSymbols", symbols);
	write_empty(json, "sources", sources);
	jsonw_close(json);
}

/*
 * Samples of time are weighed by it.  Other ones count as samples, but if their periods differ, each has
 * its share of the samples, since shares are those of events.
 */
static void write_weights(struct json *json, const struct writer *writer,
			  const struct thread *thread)
{
	const struct measure *measure = &writer->measures[thread->event];
	bool time = counts_time(event_of(writer, thread->event));
	double scale = time ? 1 / NS_PER_MS
			    : (double)measure->samples / measure->weight;
	const struct row *row;
	uint32_t number;

	jsonw_string(json, "weightType", time ? "tracing-ms" : "samples");
	jsonw_line_array(json, "weight");
	for (number = thread->first; number; number = row->next) {
		row = &writer->rows[number - 1];
		if (time || measure->differ)
			jsonw_double(json, NULL, row->weight * scale);
		else
			jsonw_uint(json, NULL, row->count);
	}
	jsonw_close(json);
}

static void write_samples(struct json *json, const struct writer *writer,
			  const struct thread *thread)
{
	const struct row *row;
	uint32_t number;

	jsonw_object(json, "samples");
	jsonw_uint(json, "length", thread->rows);
	jsonw_line_array(json, "stack");
	for (number = thread->first; number; number = row->next) {
		row = &writer->rows[number - 1];
		if (row->stack == UINT32_MAX)
			jsonw_null(json, NULL);
		else
			jsonw_uint(json, NULL, row->stack);
	}
	jsonw_close(json);
	jsonw_line_array(json, "time");
	for (number = thread->first; number; number = row->next) {
		row = &writer->rows[number - 1];
		jsonw_double(json, NULL, milliseconds(writer, row));
	}
	jsonw_close(json);
	write_weights(json, writer, thread);
	jsonw_close(json);
}

/* With several events a thread is there once for each of them. */
static void write_names(struct json *json, const struct writer *writer,
			const struct thread *thread)
{
	const struct event *event = event_of(writer, thread->event);
	struct group_name name;
	char text[512];

	sampling_name(writer->sampling, &thread->group, &name);
	jsonw_string(json, "processName", name.program);
	if (writer->sampling->periods.count > 1) {
		snprintf(text, sizeof(text), "%s (%s)", name.program,
			 event->label);
		jsonw_string(json, "name", text);
	} else {
		jsonw_string(json, "name", name.program);
	}
	if (thread->nth)
		snprintf(text, sizeof(text), "%u.%u", thread->pid, thread->nth);
	else
		snprintf(text, sizeof(text), "%u", thread->pid);
	jsonw_string(json, "pid", text);
	jsonw_uint(json, "tid", thread->tid);
	/* The application expects one such thread in a process. */
	jsonw_bool(json, "isMainThread",
		   thread->tid == thread->pid && !thread->event);
}

static void write_thread(struct json *json, const struct writer *writer,
			 const struct thread *thread)
{
	static const char *const markers[] = { "data",	  "name",  "startTime",
					       "endTime", "phase", "category",
					       NULL };
	double start = milliseconds(writer, &writer->rows[thread->first - 1]);

	jsonw_object(json, NULL);
	write_names(json, writer, thread);
	jsonw_string(json, "processType", "default");
	jsonw_double(json, "processStartupTime", start);
	jsonw_null(json, "processShutdownTime");
	jsonw_double(json, "registerTime", start);
	jsonw_null(json, "unregisterTime");
	jsonw_line_array(json, "pausedRanges");
	jsonw_close(json);
	write_samples(json, writer, thread);
	write_empty(json, "markers", markers);
	jsonw_close(json);
}

static void write_all(FILE *out, struct writer *writer)
{
	struct json json = { 0 };
	uint32_t i;

	jsonw_begin(&json, out);
	write_meta(&json, writer);
	write_shared(&json, writer);
	jsonw_array(&json, "threads");
	for (i = 0; i < writer->num_threads; i++)
		write_thread(&json, writer, &writer->threads[i]);
	jsonw_close(&json);
	jsonw_finish(&json);
}

int print_firefox(FILE *out, struct sampling *sampling)
{
	struct writer writer = { .sampling = sampling };
	int err = -1;

	/* One more than there are, as no memory is no error then. */
	writer.rows = calloc(sampling->spool.count + 1, sizeof(*writer.rows));
	writer.measures =
		calloc(sampling->periods.count, sizeof(*writer.measures));
	if (!writer.rows || !writer.measures)
		say_error("out of memory for %zu samples",
			  sampling->spool.count);
	else
		err = read_rows(&writer);
	if (!err)
		write_all(out, &writer);
	firefox_tables_free(&writer.tables);
	string_table_free(&writer.programs);
	hash_free(&writer.table);
	free(writer.threads);
	free(writer.measures);
	free(writer.rows);
	return err;
}

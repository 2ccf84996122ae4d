// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as a JSON document, which pfmon.schema.json describes.
 */
#include <sys/wait.h>

#include "base/json_writer.h"
#include "base/version.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "options/options.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/print.h"
#include "output/row_json.h"
#include "output/rows.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"
#include "session/session.h"
#include "session/system_wide.h"
#include "session/topology.h"

/*
 * Incremented when a member changes its meaning or is removed, but not when one
 * is added.
 */
#define SCHEMA_VERSION	1

static const enum column task_columns[] = {
	COLUMN_PID,   COLUMN_TID,	COLUMN_PPID,   COLUMN_PATH,
	COLUMN_COMM,  COLUMN_START,	COLUMN_END,    COLUMN_REASON,
	COLUMN_TASKS, COLUMN_EXIT_CODE, COLUMN_SIGNAL, COLUMN_PROCESSES,
};

static const enum column cpu_columns[] = {
	COLUMN_CPU,	 COLUMN_CORE,	 COLUMN_SOCKET, COLUMN_NODE,
	COLUMN_OFFLINES, COLUMN_OFFLINE, COLUMN_START,	COLUMN_END,
};

static const enum column place_columns[] = {
	COLUMN_CORE,
	COLUMN_SOCKET,
	COLUMN_NODE,
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void write_command(struct json *json, const struct outcome *outcome)
{
	char **word;

	json_array(json, "command");
	for (word = outcome->session->options->command; word && *word; word++)
		json_string(json, NULL, *word);
	json_close(json);
}

/* Writes what was monitored. */
static void write_scope(struct json *json, const struct outcome *outcome)
{
	static const char *const names[] = {
		[SCOPE_COMMAND] = "command",
		[SCOPE_TASK] = "task",
		[SCOPE_CGROUP] = "cgroup",
		[SCOPE_SYSTEM] = "system",
	};
	const struct scope_options *scope = &outcome->session->options->scope;
	size_t i;

	json_string(json, "scope", names[scope->scope]);
	if (outcome->session->task)
		json_uint(json, "attached", outcome->session->task);
	if (scope->num_tasks > 1) {
		json_array(json, "processes");
		for (i = 0; i < scope->num_tasks; i++)
			json_uint(json, NULL, scope->tasks[i]);
		json_close(json);
	}
	if (scope->cgroup)
		json_string(json, "cgroup", scope->cgroup);
	if (scope->scope == SCOPE_SYSTEM)
		json_bool(json, "idle", !scope->no_idle);
}

static void write_follow(struct json *json, uint32_t follow)
{
	json_array(json, "follow");
	if (follow & PFM_CTX_FOLLOW_FORK)
		json_string(json, NULL, "fork");
	if (follow & PFM_CTX_FOLLOW_VFORK)
		json_string(json, NULL, "vfork");
	if (follow & PFM_CTX_FOLLOW_CLONE)
		json_string(json, NULL, "pthread");
	if (follow & PFM_CTX_FOLLOW_EXEC)
		json_string(json, NULL, "exec");
	json_close(json);
}

static void write_events(struct json *json, const struct events *events)
{
	char levels[EVENT_LEVELS_ROOM];
	size_t k;

	json_array(json, "events");
	for (k = 0; k < events->count; k++) {
		const struct event *event = &events->list[k];

		json_line_object(json, NULL);
		json_string(json, "name", event->name);
		json_string(json, "canonical", event->canonical);
		json_string(json, "kind", !event->hardware ?
			    event->gauge ? "gauge" : "virtual" : "hardware");
		if (event->hardware) {
			if (event->nameless)
				json_null(json, "code");
			else
				json_uint(json, "code", event->code);
			json_string(json, "plm", event_levels(event->plm, levels));
		} else {
			json_null(json, "code");
			json_null(json, "plm");
		}
		if (event->implemented == PFM_IMPLEMENTED_UNKNOWN)
			json_null(json, "implemented");
		else
			json_bool(json, "implemented",
				  event->implemented == PFM_IMPLEMENTED_YES);
		if (event->absent) {
			json_null(json, "pmd");
			json_null(json, "set");
		} else {
			json_uint(json, "pmd", event->pmd);
			json_uint(json, "set", event->set);
		}
		json_close(json);
	}
	json_close(json);
}

/*
 * Writes exit_code and signal, which tell how a process ended; null if it did
 * not.
 */
static void write_status(struct json *json, bool ended, int status)
{
	if (ended && WIFEXITED(status))
		json_uint(json, "exit_code", WEXITSTATUS(status));
	else
		json_null(json, "exit_code");
	if (ended && WIFSIGNALED(status))
		json_uint(json, "signal", WTERMSIG(status));
	else
		json_null(json, "signal");
}

/* Writes how the sets shared the counters. */
static void write_sets(struct json *json, const struct outcome *outcome)
{
	const struct events *events = outcome->events;
	const uint64_t *words = outcome->results->kernel;
	unsigned int set;

	json_object(json, "multiplexing");
	json_uint(json, "enabled_ns", sets_enabled(events, words));
	json_uint(json, "switching_ns", sets_switching(events, words));
	json_array(json, "sets");
	for (set = 0; set < events->num_sets; set++) {
		json_line_object(json, NULL);
		json_uint(json, "set", set);
		if (events->sets[set].timeout)
			json_uint(json, "timeout_ns",
				  events->sets[set].timeout);
		else
			json_null(json, "timeout_ns");
		json_uint(json, "runs", sets_runs(events, words, set));
		json_uint(json, "active_ns", sets_active(events, words, set));
		json_close(json);
	}
	json_close(json);
	if (outcome->session->log) {
		json_uint(json, "logged",
			  slice_log_slices(outcome->session->log));
		json_uint(json, "lost", outcome->session->log->lost);
	} else {
		json_null(json, "logged");
		json_null(json, "lost");
	}
	json_close(json);
}

static void write_machine(struct json *json, const struct events *events,
			  const uint64_t *values)
{
	size_t k;

	json_array(json, "machine");
	for (k = 0; k < events->count; k++) {
		if (!events->list[k].gauge)
			continue;
		json_line_object(json, NULL);
		json_string(json, "event", events->list[k].name);
		json_uint(json, "value", values[k]);
		json_close(json);
	}
	json_close(json);
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return tv->tv_sec * 1000000000ULL + tv->tv_usec * 1000ULL;
}

static void write_times(struct json *json, const struct outcome *outcome)
{
	const struct child *child = &outcome->session->child;

	json_object(json, "time");
	if (child->ended) {
		json_uint(json, "real_ns",
			  outcome->session->gone - outcome->session->start);
		json_uint(json, "user_ns", timeval_ns(&child->usage.ru_utime));
		json_uint(json, "sys_ns", timeval_ns(&child->usage.ru_stime));
	} else {
		json_uint(json, "real_ns",
			  outcome->session->end - outcome->session->start);
		json_null(json, "user_ns");
		json_null(json, "sys_ns");
	}
	json_close(json);
}

/* Writes how many samples were due, and how many at least. */
static void write_due(struct json *json, const struct sampling *sampling)
{
	struct due due;

	print_due(sampling, &due);
	json_line_object(json, "due");
	if (*due.mark == 'a')
		json_null(json, "value");
	else
		json_uint(json, "value", due.all);
	json_bool(json, "scaled", *due.mark == '~');
	json_uint(json, "at_least",
		  sampling->losses.taken + sampling_missing(sampling));
	json_close(json);
}

/* Writes the member about sampling.  The samples themselves are elsewhere. */
static void write_sampling(struct json *json, const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;
	size_t i;

	json_object(json, "sampling");
	json_string(json, "format", sampling->lanes.name);
	json_array(json, "periods");
	for (i = 0; i < sampling->periods.count; i++) {
		const struct period *period = &sampling->periods.list[i];

		json_line_object(json, NULL);
		json_string(json, "event",
			    sampling->events->list[period->event].name);
		json_uint(json, "long", period->first);
		json_uint(json, "short", period->between);
		json_uint(json, "random_mask", period->mask);
		json_close(json);
	}
	json_close(json);
	json_uint(json, "samples", losses->taken);
	json_uint(json, "lost", losses->lost);
	json_uint(json, "skipped", losses->skipped);
	json_uint(json, "refused", losses->errors);
	json_uint(json, "without_stack", losses->stackless);
	json_uint(json, "buffer_overflows", losses->fills);
	json_uint(json, "masked_ns", losses->masked_ns);
	json_uint(json, "throttled", losses->throttled);
	json_uint(json, "throttled_ns", losses->throttled_ns);
	if (losses->running_ns)
		json_uint(json, "running_ns", losses->running_ns);
	else
		json_null(json, "running_ns");
	write_due(json, sampling);
	json_close(json);
}

static const char *end_name(enum session_end ended)
{
	switch (ended) {
	case SESSION_TIMEOUT:
		return "timeout";
	case SESSION_SIGNAL:
		return "signal";
	case SESSION_ENTER:
		return "enter";
	default:
		return "complete";
	}
}

static void write_intervals(struct json *json, const struct outcome *outcome)
{
	json_object(json, "intervals");
	json_uint(json, "length_ns",
		  outcome->session->options->scope.interval_ns);
	json_uint(json, "last", outcome->session->intervals.last);
	json_uint(json, "missed", outcome->session->intervals.missed);
	json_close(json);
}

static void write_group(struct json *json, const struct row *row)
{
	const struct outcome *outcome = row->counts.outcome;
	struct cpu_place place = *row->place;
	const struct cpu *cpu = NULL;
	struct row group = *row;

	/* JSON names the node of nodes alone. */
	if (row->topology == TOPOLOGY_CORE)
		place.node = -1;
	group.place = &place;
	json_object(json, NULL);
	json_string(json, "topology", row->type);
	row_json_fields(json, &group, place_columns, LENGTH(place_columns));
	json_line_array(json, "cpus");
	while ((cpu = outcome_next_cpu(outcome, cpu)))
		if (cpu_place_together(row->place, &cpu->place, row->topology))
			json_uint(json, NULL, cpu->number);
	json_close(json);
	row_json_counts(json, "counts", row);
	row_json_metrics(json, row);
	json_close(json);
}

static void write_cpus(struct json *json, const struct rows *rows)
{
	size_t i;

	json_array(json, "cpus");
	for (i = 0; i < rows->count; i++)
		if (rows->list[i].cpu)
			row_json_write(json, &rows->list[i], cpu_columns,
				       LENGTH(cpu_columns));
	json_close(json);
	json_array(json, "groups");
	for (i = 0; i < rows->count; i++)
		if (rows->list[i].topology)
			write_group(json, &rows->list[i]);
	json_close(json);
}

static void write_tasks(struct json *json, const struct rows *rows)
{
	const struct options *options = rows->outcome->session->options;
	size_t columns = LENGTH(task_columns), i;

	/* The last one is about programs. */
	if (options->stat.by != GROUPING_PROGRAM)
		columns--;

	json_array(json, "results");
	for (i = 0; i < rows->count; i++)
		if (rows->list[i].task)
			row_json_write(json, &rows->list[i], task_columns,
				       columns);
	json_close(json);
}

void print_json(FILE *out, const struct rows *rows)
{
	const struct outcome *outcome = rows->outcome;
	const struct results *results = outcome->results;
	const struct options *options = outcome->session->options;
	const struct row *total = rows_total(rows);
	struct json json;

	if (options->scope.interval_ns || options->stat.repeat > 1)
		json_begin_line(&json, out);
	else
		json_begin(&json, out);
	json_uint(&json, "schema_version", SCHEMA_VERSION);
	json_string(&json, "pfmon_version", PFMON_VERSION);
	write_scope(&json, outcome);
	write_command(&json, outcome);
	json_object(&json, "command_status");
	write_status(&json, outcome->session->child.ended,
		     outcome->session->child.status);
	json_close(&json);
	write_follow(&json, options->follow);
	json_bool(&json, "aggregated", options->aggregate);
	json_bool(&json, "exec_split", options->exec_split);
	json_string(&json, "ended", end_name(outcome->session->ended));
	json_uint(&json, "start_ns", outcome->session->start);
	json_uint(&json, "end_ns", outcome->session->end);
	if (options->show_time)
		write_times(&json, outcome);
	if (options->with_header)
		header_write(&json, outcome);
	write_events(&json, outcome->events);
	if (outcome->session->system)
		write_cpus(&json, rows);
	if (options->scope.interval_ns)
		write_intervals(&json, outcome);
	write_tasks(&json, rows);
	row_json_counts(&json, "totals", total);
	if (outcome->metrics)
		json_string(&json, "model", outcome->metrics->model->name);
	row_json_metrics(&json, total);
	write_machine(&json, outcome->events, results->kernel);
	json_uint(&json, "merged", outcome->session->config.merged);
	json_uint(&json, "follow_failed",
		  outcome->session->config.follow_failed);
	json_uint(&json, "unsplit", outcome->session->config.unsplit);
	json_uint(&json, "barred", outcome->session->config.barred);
	json_uint(&json, "left_out", results->left_out);
	json_uint(&json, "unfollowed_threads",
		  outcome->session->config.unfollowed_threads);
	json_uint(&json, "unfollowed_processes",
		  outcome->session->config.unfollowed_processes);
	if (outcome->events->multiplexed)
		write_sets(&json, outcome);
	if (outcome->session->sampling)
		write_sampling(&json, outcome->session->sampling);
	json_finish(&json);
}

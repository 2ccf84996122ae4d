// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as a JSON document, which pfmon.schema.json describes.
 */
#include <sys/wait.h>

#include "base/json_writer.h"
#include "base/version.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "options/options.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/print.h"
#include "output/range_table.h"
#include "output/row_json.h"
#include "output/rows.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"
#include "session/ranges.h"
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
	COLUMN_CGROUP,
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

	jsonw_array(json, "command");
	for (word = outcome->session->options->command; word && *word; word++)
		jsonw_string(json, NULL, *word);
	jsonw_close(json);
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

	jsonw_string(json, "scope", names[scope->scope]);
	if (outcome->session->task)
		jsonw_uint(json, "attached", outcome->session->task);
	if (scope->num_tasks > 1) {
		jsonw_array(json, "processes");
		for (i = 0; i < scope->num_tasks; i++)
			jsonw_uint(json, NULL, scope->tasks[i]);
		jsonw_close(json);
	}
	if (scope->cgroup)
		jsonw_string(json, "cgroup", scope->cgroup);
	if (scope->scope != SCOPE_SYSTEM)
		return;
	jsonw_bool(json, "idle", !scope->no_idle);
	jsonw_string(json, "interrupts",
		     scope->excl_intr ? "excluded" :
		     scope->intr_only ? "only" :
					"included");
}

static void write_follow(struct json *json, uint32_t follow)
{
	jsonw_array(json, "follow");
	if (follow & PFM_CTX_FOLLOW_FORK)
		jsonw_string(json, NULL, "fork");
	if (follow & PFM_CTX_FOLLOW_VFORK)
		jsonw_string(json, NULL, "vfork");
	if (follow & PFM_CTX_FOLLOW_CLONE)
		jsonw_string(json, NULL, "pthread");
	if (follow & PFM_CTX_FOLLOW_EXEC)
		jsonw_string(json, NULL, "exec");
	jsonw_close(json);
}

static void write_events(struct json *json, const struct events *events)
{
	char levels[EVENT_LEVELS_ROOM];
	size_t k;

	jsonw_array(json, "events");
	for (k = 0; k < events->count; k++) {
		const struct event *event = &events->list[k];

		jsonw_line_object(json, NULL);
		jsonw_string(json, "name", event->name);
		jsonw_string(json, "canonical", event->canonical);
		jsonw_string(json, "kind",
			     !event->hardware
				     ? event->gauge ? "gauge" : "virtual"
				     : "hardware");
		if (event->hardware) {
			if (event->nameless)
				jsonw_null(json, "code");
			else
				jsonw_uint(json, "code", event->code);
			jsonw_string(json, "plm",
				     event_levels(event->plm, levels));
		} else {
			jsonw_null(json, "code");
			jsonw_null(json, "plm");
		}
		if (event->implemented == PFM_IMPLEMENTED_UNKNOWN)
			jsonw_null(json, "implemented");
		else
			jsonw_bool(json, "implemented",
				   event->implemented == PFM_IMPLEMENTED_YES);
		if (event->absent) {
			jsonw_null(json, "pmd");
			jsonw_null(json, "set");
		} else {
			jsonw_uint(json, "pmd", event->pmd);
			jsonw_uint(json, "set", event->set);
		}
		jsonw_close(json);
	}
	jsonw_close(json);
}

/*
 * Writes exit_code and signal, which tell how a process ended; null if it did
 * not.
 */
static void write_status(struct json *json, bool ended, int status)
{
	if (ended && WIFEXITED(status))
		jsonw_uint(json, "exit_code", WEXITSTATUS(status));
	else
		jsonw_null(json, "exit_code");
	if (ended && WIFSIGNALED(status))
		jsonw_uint(json, "signal", WTERMSIG(status));
	else
		jsonw_null(json, "signal");
}

/* Writes how the sets shared the counters. */
static void write_sets(struct json *json, const struct outcome *outcome)
{
	const struct events *events = outcome->events;
	const struct counts *counts = outcome->results->kernel;
	unsigned int set;

	jsonw_object(json, "multiplexing");
	jsonw_uint(json, "enabled_ns", counts_enabled(counts));
	jsonw_uint(json, "switching_ns", counts_switching(counts));
	jsonw_array(json, "sets");
	for (set = 0; set < events->num_sets; set++) {
		jsonw_line_object(json, NULL);
		jsonw_uint(json, "set", set);
		if (events->sets[set].timeout)
			jsonw_uint(json, "timeout_ns",
				   events->sets[set].timeout);
		else
			jsonw_null(json, "timeout_ns");
		jsonw_uint(json, "runs", counts->sets[set].runs);
		jsonw_uint(json, "active_ns", counts->sets[set].active);
		jsonw_close(json);
	}
	jsonw_close(json);
	if (outcome->session->log) {
		jsonw_uint(json, "logged",
			   slice_log_slices(outcome->session->log));
		jsonw_uint(json, "lost", outcome->session->log->lost);
	} else {
		jsonw_null(json, "logged");
		jsonw_null(json, "lost");
	}
	jsonw_close(json);
}

static void write_machine(struct json *json, const struct events *events,
			  const struct counts *counts)
{
	size_t k;

	jsonw_array(json, "machine");
	for (k = 0; k < events->count; k++) {
		if (!events->list[k].gauge)
			continue;
		jsonw_line_object(json, NULL);
		jsonw_string(json, "event", events->list[k].name);
		jsonw_uint(json, "value", counts->events[k]);
		jsonw_close(json);
	}
	jsonw_close(json);
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return tv->tv_sec * 1000000000ULL + tv->tv_usec * 1000ULL;
}

static void write_times(struct json *json, const struct outcome *outcome)
{
	const struct child *child = &outcome->session->child;

	jsonw_object(json, "time");
	if (child->ended) {
		jsonw_uint(json, "real_ns",
			   outcome->session->gone - outcome->session->start);
		jsonw_uint(json, "user_ns", timeval_ns(&child->usage.ru_utime));
		jsonw_uint(json, "sys_ns", timeval_ns(&child->usage.ru_stime));
	} else {
		jsonw_uint(json, "real_ns",
			   outcome->session->end - outcome->session->start);
		jsonw_null(json, "user_ns");
		jsonw_null(json, "sys_ns");
	}
	jsonw_close(json);
}

/* Writes how many samples were due, and how many at least. */
static void write_due(struct json *json, const struct sampling *sampling)
{
	struct due due;

	print_due(sampling, &due);
	jsonw_line_object(json, "due");
	if (*due.mark == 'a')
		jsonw_null(json, "value");
	else
		jsonw_uint(json, "value", due.all);
	jsonw_bool(json, "scaled", *due.mark == '~');
	jsonw_uint(json, "at_least",
		   sampling->losses.taken + sampling_missing(sampling));
	jsonw_close(json);
}

/* Writes the member about sampling.  The samples themselves are elsewhere. */
static void write_sampling(struct json *json, const struct sampling *sampling)
{
	const struct losses *losses = &sampling->losses;
	size_t i;

	jsonw_object(json, "sampling");
	jsonw_string(json, "format", sampling->lanes.name);
	jsonw_array(json, "periods");
	for (i = 0; i < sampling->periods.count; i++) {
		const struct period *period = &sampling->periods.list[i];

		jsonw_line_object(json, NULL);
		jsonw_string(json, "event",
			     sampling->events->list[period->event].name);
		jsonw_uint(json, "long", period->first);
		jsonw_uint(json, "short", period->between);
		jsonw_uint(json, "random_mask", period->mask);
		if (period->frequency)
			jsonw_uint(json, "frequency", period->frequency);
		jsonw_close(json);
	}
	jsonw_close(json);
	jsonw_uint(json, "samples", losses->taken);
	jsonw_uint(json, "lost", losses->lost);
	jsonw_uint(json, "skipped", losses->skipped);
	jsonw_uint(json, "refused", losses->errors);
	jsonw_uint(json, "without_stack", losses->stackless);
	jsonw_uint(json, "buffer_overflows", losses->fills);
	jsonw_uint(json, "masked_ns", losses->masked_ns);
	jsonw_uint(json, "throttled", losses->throttled);
	jsonw_uint(json, "throttled_ns", losses->throttled_ns);
	if (losses->running_ns)
		jsonw_uint(json, "running_ns", losses->running_ns);
	else
		jsonw_null(json, "running_ns");
	write_due(json, sampling);
	jsonw_close(json);
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
	jsonw_object(json, "intervals");
	jsonw_uint(json, "length_ns",
		   outcome->session->options->scope.interval_ns);
	jsonw_uint(json, "last", outcome->session->intervals.last);
	jsonw_uint(json, "missed", outcome->session->intervals.missed);
	jsonw_close(json);
}

static bool belongs(const struct cpu *cpu, const struct row *group)
{
	return group->cgroup ? cpu->cgroup == group->cgroup
			     : cpu_place_together(group->place, &cpu->place,
						  group->topology);
}

static void write_group(struct json *json, const struct row *row)
{
	const struct outcome *outcome = row->counts.outcome;
	const struct cpu *cpu = NULL;
	struct row group = *row;
	struct cpu_place place;

	/* JSON names the node of nodes alone. */
	if (row->topology == TOPOLOGY_CORE) {
		place = *row->place;
		place.node = -1;
		group.place = &place;
	}
	jsonw_object(json, NULL);
	jsonw_string(json, "topology", row->type);
	if (row->cgroup) {
		jsonw_string(json, "cgroup", row->cgroup->path);
		jsonw_string(json, "name", row->cgroup->name);
	}
	row_json_fields(json, &group, place_columns, LENGTH(place_columns));
	jsonw_line_array(json, "cpus");
	while ((cpu = outcome_next_cpu(outcome, cpu)))
		if (belongs(cpu, row))
			jsonw_uint(json, NULL, cpu->number);
	jsonw_close(json);
	row_json_counts(json, "counts", row);
	row_json_metrics(json, row);
	jsonw_close(json);
}

static void write_cpus(struct json *json, const struct rows *rows)
{
	size_t columns = LENGTH(cpu_columns), i;

	/* The last one is about cgroups. */
	if (!rows->outcome->session->options->scope.each_cgroup)
		columns--;
	jsonw_array(json, "cpus");
	for (i = 0; i < rows->count; i++)
		if (rows->list[i].cpu)
			row_json_write(json, &rows->list[i], cpu_columns,
				       columns);
	jsonw_close(json);
	jsonw_array(json, "groups");
	for (i = 0; i < rows->count; i++)
		if (rows->list[i].topology)
			write_group(json, &rows->list[i]);
	jsonw_close(json);
}

static void write_tasks(struct json *json, const struct rows *rows)
{
	const struct options *options = rows->outcome->session->options;
	size_t columns = LENGTH(task_columns), i;

	/* The last one is about programs. */
	if (options->stat.by != GROUPING_PROGRAM)
		columns--;

	jsonw_array(json, "results");
	for (i = 0; i < rows->count; i++)
		if (rows->list[i].task)
			row_json_write(json, &rows->list[i], task_columns,
				       columns);
	jsonw_close(json);
}

void print_json(FILE *out, const struct rows *rows)
{
	const struct outcome *outcome = rows->outcome;
	const struct results *results = outcome->results;
	const struct options *options = outcome->session->options;
	const struct row *total = rows_total(rows);
	struct json json;

	if (options->scope.interval_ns || options->stat.repeat > 1)
		jsonw_begin_line(&json, out);
	else
		jsonw_begin(&json, out);
	jsonw_uint(&json, "schema_version", SCHEMA_VERSION);
	jsonw_string(&json, "pfmon_version", PFMON_VERSION);
	write_scope(&json, outcome);
	write_command(&json, outcome);
	jsonw_object(&json, "command_status");
	write_status(&json, outcome->session->child.ended,
		     outcome->session->child.status);
	jsonw_close(&json);
	write_follow(&json, options->follow);
	jsonw_bool(&json, "aggregated", options->aggregate);
	jsonw_bool(&json, "exec_split", options->exec_split);
	jsonw_string(&json, "ended", end_name(outcome->session->ended));
	jsonw_uint(&json, "start_ns", outcome->session->start);
	jsonw_uint(&json, "end_ns", outcome->session->end);
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
		jsonw_string(&json, "model", outcome->metrics->model->name);
	row_json_metrics(&json, total);
	write_machine(&json, outcome->events, results->kernel);
	jsonw_uint(&json, "merged", outcome->session->config.merged);
	jsonw_uint(&json, "follow_failed",
		   outcome->session->config.follow_failed);
	jsonw_uint(&json, "unsplit", outcome->session->config.unsplit);
	jsonw_uint(&json, "barred", outcome->session->config.barred);
	jsonw_uint(&json, "left_out", results->left_out);
	jsonw_uint(&json, "unfollowed_threads",
		   outcome->session->config.unfollowed_threads);
	jsonw_uint(&json, "unfollowed_processes",
		   outcome->session->config.unfollowed_processes);
	if (outcome->events->multiplexed)
		write_sets(&json, outcome);
	if (outcome->session->sampling)
		write_sampling(&json, outcome->session->sampling);
	/* After an error its message is all that there is of it. */
	if (ranges_shown(outcome->session->ranges))
		range_table_write(&json, outcome->session->ranges,
				  outcome->events);
	jsonw_finish(&json);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of output, and their fields.
 */
#include <sys/wait.h>

#include "events/event_list.h"
#include "events/implemented.h"
#include "metrics/evaluate.h"
#include "metrics/model.h"
#include "output/count.h"
#include "output/outcome.h"
#include "output/row.h"
#include "session/intervals.h"
#include "session/progress.h"
#include "session/session.h"
#include "session/system_wide.h"

struct row row_of_task(const struct outcome *outcome, const struct result *task)
{
	return (struct row){
		.type = "task",
		.metric_type = "task-metric",
		.task = task,
		.timed = true,
		.start = task->start,
		.end = task->end,
		.counts = counts_of_result(outcome, task),
	};
}

/* The times of the session are those of its CPUs; tasks have times of their own. */
struct row row_of_total(const struct outcome *outcome)
{
	return (struct row){
		.type = "total",
		.metric_type = "total-metric",
		.level_type = "machine",
		.timed = outcome->session->system,
		.start = outcome->session->start,
		.end = outcome->session->end,
		.counts = counts_of_total(outcome),
	};
}

struct row row_of_cpu(const struct outcome *outcome, const struct cpu *cpu)
{
	const enum topology topology =
		outcome->session->options->scope.topology;

	return (struct row){
		.type = "cpu",
		.metric_type = "cpu-metric",
		.cpu = cpu,
		.place = &cpu->place,
		.cgroup = topology == TOPOLOGY_CGROUP ? cpu->cgroup : NULL,
		.timed = true,
		.start = cpu->start,
		.end = cpu->end,
		.counts = counts_of_sums(outcome, cpu->counts),
	};
}

struct row row_of_group(const struct outcome *outcome,
			const struct cpu *leader, enum topology topology,
			const struct counts *sums)
{
	const bool cgroup = topology == TOPOLOGY_CGROUP;

	return (struct row){
		.type = scope_topology_name(topology),
		.metric_type = cgroup ? "cgroup-metric" : NULL,
		.place = cgroup ? NULL : &leader->place,
		.cgroup = cgroup ? leader->cgroup : NULL,
		.topology = topology,
		.timed = true,
		.start = outcome->session->start,
		.end = outcome->session->end,
		.counts = counts_of_sums(outcome, sums),
	};
}

struct row row_of_task_interval(const struct outcome *outcome,
				const struct interval *interval,
				const struct result *task)
{
	const struct counts *sums = task ? &task->counts
					 : outcome->session->progress->total;

	return (struct row){
		.type = task ? "task-interval" : "interval",
		.metric_type = task ? "task-interval-metric"
				    : "interval-metric",
		.level_type = task ? NULL : "interval",
		.task = task,
		.interval = interval->number,
		.timed = true,
		.start = interval->start,
		.end = interval->end,
		.counts = counts_of_sums(outcome, sums),
	};
}

struct row row_of_cpu_interval(const struct interval *interval,
			       const struct cpu *cpu,
			       const struct cgroup *cgroup,
			       const struct counts_of *counts)
{
	return (struct row){
		.type = "interval",
		.metric_type = "interval-metric",
		.level_type = cpu || cgroup ? NULL : "interval",
		.cpu = cpu,
		.cgroup = cgroup,
		.topology = cgroup && !cpu ? TOPOLOGY_CGROUP : TOPOLOGY_NONE,
		.place = cpu ? &cpu->place : NULL,
		.interval = interval->number,
		.timed = true,
		.start = interval->start,
		.end = interval->end,
		.counts = *counts,
	};
}

bool row_is_total(const struct row *row)
{
	return !row->task && !row->cpu && !row->topology;
}

bool row_count(const struct row *row, size_t event, struct count *count)
{
	if (row->counts.outcome->events->list[event].gauge && !row->level_type)
		return false;
	return row->counts.take(&row->counts, event, count);
}

static const char *const names[] = {
	[COLUMN_TYPE] = "type",
	[COLUMN_EVENT] = "event",
	[COLUMN_VALUE] = "value",
	[COLUMN_SCALED] = "scaled",
	[COLUMN_ACTIVE] = "active_ns",
	[COLUMN_ENABLED] = "enabled_ns",
	[COLUMN_ERROR] = "error",
	[COLUMN_AT_LEAST] = "at_least",
	[COLUMN_IMPLEMENTED] = "implemented",
	[COLUMN_UNIT] = "unit",
	[COLUMN_WHY] = "why",
	[COLUMN_PID] = "pid",
	[COLUMN_TID] = "tid",
	[COLUMN_PPID] = "ppid",
	[COLUMN_PATH] = "path",
	[COLUMN_COMM] = "comm",
	[COLUMN_REASON] = "reason",
	[COLUMN_TASKS] = "tasks",
	[COLUMN_PROCESSES] = "processes",
	[COLUMN_EXIT_CODE] = "exit_code",
	[COLUMN_SIGNAL] = "signal",
	[COLUMN_CPU] = "cpu",
	[COLUMN_CORE] = "core",
	[COLUMN_SOCKET] = "socket",
	[COLUMN_NODE] = "node",
	[COLUMN_CGROUP] = "cgroup",
	[COLUMN_OFFLINES] = "offlines",
	[COLUMN_OFFLINE] = "offline_ns",
	[COLUMN_INTERVAL] = "interval",
	[COLUMN_START] = "start_ns",
	[COLUMN_END] = "end_ns",
};

const char *column_name(enum column column)
{
	return names[column];
}

static const struct field none = { .kind = FIELD_NONE };

static struct field number(uint64_t value)
{
	return (struct field){ .kind = FIELD_NUMBER, .number = value };
}

static struct field real(double value)
{
	return (struct field){ .kind = FIELD_REAL, .real = value };
}

static struct field flag(bool value)
{
	return (struct field){ .kind = FIELD_FLAG, .flag = value };
}

static struct field word(const char *value)
{
	return (struct field){ .kind = FIELD_WORD, .text = value };
}

static struct field text(const char *value)
{
	return (struct field){ .kind = FIELD_TEXT, .text = value };
}

/* The times of sets mean nothing for a metric, which may need several. */
static struct field metric_field(const struct metric *metric,
				 const struct metric_value *value,
				 enum column column)
{
	switch (column) {
	case COLUMN_EVENT:
		return text(metric->name);
	case COLUMN_VALUE:
		return value->known ? real(value->value) : none;
	case COLUMN_SCALED:
		return flag(value->scaled);
	case COLUMN_ERROR:
		return value->known && value->scaled && value->bounded
			       ? real(value->error)
			       : none;
	case COLUMN_AT_LEAST:
		return flag(value->low);
	case COLUMN_UNIT:
		return text(metric->unit);
	case COLUMN_WHY:
		return text(value->why);
	default:
		return none;
	}
}

static struct field count_field(const struct cell *cell, enum column column)
{
	const struct count *count = cell->count;

	switch (column) {
	case COLUMN_EVENT:
		return text(cell->name);
	case COLUMN_VALUE:
		return count->missing ? none : number(count->value);
	case COLUMN_SCALED:
		return flag(count->scaled && !count->missing);
	case COLUMN_ACTIVE:
		return count->enabled ? number(count->active) : none;
	case COLUMN_ENABLED:
		return count->enabled ? number(count->enabled) : none;
	case COLUMN_ERROR:
		return count->scaled && count->bounded ? number(count->error)
						       : none;
	case COLUMN_AT_LEAST:
		return flag(count->low);
	case COLUMN_IMPLEMENTED:
		return word(implemented_field(cell->event));
	default:
		return none;
	}
}

static struct field task_field(const struct result *task, enum column column)
{
	const bool ended = task->reason == PFM_RECORD_EXIT;

	switch (column) {
	case COLUMN_PID:
		return number(task->pid);
	case COLUMN_TID:
		return number(task->tid);
	case COLUMN_PPID:
		return number(task->ppid);
	case COLUMN_PATH:
		return text(task->path);
	case COLUMN_COMM:
		return text(task->comm);
	case COLUMN_REASON:
		return word(results_reason(task->reason));
	case COLUMN_TASKS:
		return number(task->tasks);
	case COLUMN_PROCESSES:
		return task->processes ? number(task->processes) : none;
	case COLUMN_EXIT_CODE:
		return ended && WIFEXITED(task->status)
			       ? number(WEXITSTATUS(task->status))
			       : none;
	case COLUMN_SIGNAL:
		return ended && WIFSIGNALED(task->status)
			       ? number(WTERMSIG(task->status))
			       : none;
	default:
		return none;
	}
}

static struct field cpu_field(const struct cpu *cpu, enum column column)
{
	switch (column) {
	case COLUMN_CPU:
		return number(cpu->number);
	case COLUMN_OFFLINES:
		return number(cpu->offlines);
	case COLUMN_OFFLINE:
		return number(cpu->offline_ns);
	default:
		return none;
	}
}

/* A group has those numbers only that all of its CPUs have. */
static struct field place_field(const struct row *row, enum column column)
{
	const struct cpu_place *place = row->place;
	int value = -1;

	if (column == COLUMN_CORE && row->topology <= TOPOLOGY_CORE)
		value = place->core;
	else if (column == COLUMN_SOCKET && row->topology <= TOPOLOGY_SOCKET)
		value = place->socket;
	else if (column == COLUMN_NODE && row->topology != TOPOLOGY_SOCKET)
		value = place->node;
	return value < 0 ? none : number(value);
}

struct field row_field(const struct row *row, const struct cell *cell,
		       enum column column)
{
	switch (column) {
	case COLUMN_TYPE:
		return word(cell ? cell->type : row->type);
	case COLUMN_INTERVAL:
		return row->interval ? number(row->interval) : none;
	case COLUMN_START:
		return row->timed ? number(row->start) : none;
	case COLUMN_END:
		return row->timed ? number(row->end) : none;
	case COLUMN_CORE:
	case COLUMN_SOCKET:
	case COLUMN_NODE:
		return row->place ? place_field(row, column) : none;
	case COLUMN_CGROUP:
		return row->cgroup ? text(row->cgroup->path) : none;
	case COLUMN_CPU:
	case COLUMN_OFFLINES:
	case COLUMN_OFFLINE:
		return row->cpu ? cpu_field(row->cpu, column) : none;
	default:
		if (column >= COLUMN_PID)
			return row->task ? task_field(row->task, column) : none;
		if (!cell)
			return none;
		return cell->metric
			       ? metric_field(cell->metric, cell->value, column)
			       : count_field(cell, column);
	}
}

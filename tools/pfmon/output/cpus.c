// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of CPUs as text and JSON, and their sums over cores, sockets or nodes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "metrics/evaluate.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "output/count.h"
#include "output/cpu_groups.h"
#include "output/forms.h"
#include "output/metric_values.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/row_json.h"
#include "output/value.h"
#include "session/session.h"
#include "session/system_wide.h"
#include "session/topology.h"

static const char *group_name(const struct cpu_place *place,
			      enum topology topology, char *text, size_t size)
{
	switch (topology) {
	case TOPOLOGY_CORE:
		snprintf(text, size, "CORE%d.%d", place->socket, place->core);
		break;
	case TOPOLOGY_SOCKET:
		snprintf(text, size, "SOCKET%d", place->socket);
		break;
	default:
		snprintf(text, size, "NODE%d", place->node);
	}
	return text;
}

/**
 * struct widths - of columns
 * @count: of the widest count, except those of gauges
 * @name: of the longest name of an event
 */
struct widths {
	int count;
	int name;
};

static struct widths measure(const struct outcome *outcome)
{
	const struct cpu *cpu;
	struct widths widths = { 0, 0 };
	char text[PRINT_COUNT_ROOM];
	struct count count;
	int width;
	size_t k;

	for (k = 0; k < outcome->events->count; k++) {
		if (metric_plan_owns(outcome->metrics, k))
			continue;
		width = strlen(outcome->events->list[k].label);
		if (width > widths.name)
			widths.name = width;
		/* Sums wrap at 2^64, so a sum may be narrower than its parts. */
		cpu = NULL;
		do {
			cpu = outcome_next_cpu(outcome, cpu);
			count_take(&count, outcome,
				   cpu ? cpu->counts : outcome->results->totals,
				   k);
			width = strlen(print_value_text(
				outcome->session->options, &count, text));
			if (width > widths.count)
				widths.count = width;
		} while (cpu);
	}
	return widths;
}

static void print_line(FILE *out, const struct outcome *outcome,
		       const char *title, const struct widths *widths,
		       size_t event, const struct count *count,
		       const struct counts_of *counts)
{
	const char *label = outcome->events->list[event].label;
	char text[PRINT_COUNT_ROOM];

	if (*title)
		fprintf(out, "%-9s ", title);
	fprintf(out, "%*s %s", widths->count,
		print_value_text(outcome->session->options, count, text),
		label);
	remarks_print(out, counts, event, count,
		      widths->name - (int)strlen(label));
	fputc('\n', out);
}

static void print_lines(FILE *out, const struct outcome *outcome,
			const char *title, const struct widths *widths,
			const uint64_t *words)
{
	const struct counts_of counts = counts_of_words(outcome, words);
	struct count count;
	size_t k;

	for (k = 0; k < outcome->events->count; k++) {
		if (outcome->events->list[k].gauge ||
		    metric_plan_owns(outcome->metrics, k))
			continue;
		count_take(&count, outcome, words, k);
		print_line(out, outcome, title, widths, k, &count, &counts);
	}
}

static void print_groups(FILE *out, const struct outcome *outcome,
			 const struct widths *widths)
{
	enum topology topology = outcome->session->options->scope.topology;
	uint64_t *sums;
	const struct cpu *cpu = NULL;
	char name[32];

	while (topology && (cpu = outcome_next_cpu(outcome, cpu))) {
		if (!cpu_group_leads(outcome, cpu, topology))
			continue;
		group_name(&cpu->place, topology, name, sizeof(name));
		sums = cpu_group_counts(outcome, cpu, topology);
		if (sums)
			print_lines(out, outcome, name, widths, sums);
		free(sums);
	}
}

void print_cpus_text(FILE *out, const struct outcome *outcome)
{
	const struct counts_of totals = counts_of_total(outcome);
	bool each = !outcome->session->options->aggregate;
	const struct events *events = outcome->events;
	struct widths widths = measure(outcome);
	const struct cpu *cpu = NULL;
	struct count count;
	char name[32];
	size_t k;

	if (outcome->session->options->with_header)
		header_print(out, outcome);
	if (outcome->session->options->scope.interval_ns)
		fputs("# all intervals\n", out);
	while (each && (cpu = outcome_next_cpu(outcome, cpu))) {
		snprintf(name, sizeof(name), "CPU%u", cpu->number);
		print_lines(out, outcome, name, &widths, cpu->counts);
	}
	print_groups(out, outcome, &widths);
	for (k = 0; k < events->count; k++) {
		bool gauge = events->list[k].gauge;

		if (metric_plan_owns(outcome->metrics, k))
			continue;
		totals.take(&totals, k, &count);
		print_line(out, outcome,
			   !each   ? ""
			   : gauge ? "(machine)"
				   : "TOTAL",
			   &widths, k, &count, &totals);
	}
	print_metrics_of_cpus(out, outcome);
	if (outcome->session->options->show_time)
		print_times(out, outcome->session);
}

static const enum column cpu_columns[] = {
	COLUMN_CPU,	 COLUMN_CORE,	 COLUMN_SOCKET, COLUMN_NODE,
	COLUMN_OFFLINES, COLUMN_OFFLINE, COLUMN_START,	COLUMN_END,
};

#define NUM_CPU_COLUMNS (sizeof(cpu_columns) / sizeof(cpu_columns[0]))

static const enum column place_columns[] = {
	COLUMN_CORE,
	COLUMN_SOCKET,
	COLUMN_NODE,
};

#define NUM_PLACE_COLUMNS (sizeof(place_columns) / sizeof(place_columns[0]))

static void write_group(struct json *json, const struct outcome *outcome,
			const struct cpu *leader, enum topology topology)
{
	uint64_t *counts = cpu_group_counts(outcome, leader, topology);
	struct cpu_place place = leader->place;
	const struct cpu *cpu;
	struct row row;

	if (!counts)
		return;
	/* JSON names the node of nodes alone. */
	if (topology == TOPOLOGY_CORE)
		place.node = -1;
	row = row_of_group(outcome, &place, topology, counts);
	json_object(json, NULL);
	json_string(json, "topology", row.type);
	row_json_fields(json, &row, place_columns, NUM_PLACE_COLUMNS);
	json_line_array(json, "cpus");
	for (cpu = leader; cpu; cpu = outcome_next_cpu(outcome, cpu))
		if (cpu_place_together(&leader->place, &cpu->place, topology))
			json_uint(json, NULL, cpu->number);
	json_close(json);
	row_json_counts(json, "counts", &row);
	row_json_metrics(json, &row);
	json_close(json);
	free(counts);
}

void print_cpus_json(struct json *json, const struct outcome *outcome)
{
	const struct scope_options *scope = &outcome->session->options->scope;
	const struct cpu *cpu = NULL;
	struct row row;

	json_array(json, "cpus");
	while (!outcome->session->options->aggregate &&
	       (cpu = outcome_next_cpu(outcome, cpu))) {
		row = row_of_cpu(outcome, cpu);
		row_json_write(json, &row, cpu_columns, NUM_CPU_COLUMNS);
	}
	json_close(json);
	json_array(json, "groups");
	while (scope->topology && (cpu = outcome_next_cpu(outcome, cpu)))
		if (cpu_group_leads(outcome, cpu, scope->topology))
			write_group(json, outcome, cpu, scope->topology);
	json_close(json);
}

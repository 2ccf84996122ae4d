// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of CPUs as text, CSV and JSON, and their sums over cores, sockets or
 * nodes.
 */
#include <inttypes.h>
#include <string.h>

#include "base/csv_field.h"
#include "base/json_writer.h"
#include "events/event_list.h"
#include "events/implemented.h"
#include "events/sets.h"
#include "metrics/evaluate.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "output/count.h"
#include "output/cpus.h"
#include "output/csv.h"
#include "output/derived.h"
#include "output/header.h"
#include "output/json_counts.h"
#include "output/metric_csv.h"
#include "output/metric_table.h"
#include "output/metric_values.h"
#include "output/outcome.h"
#include "output/remarks.h"
#include "output/value.h"
#include "session/session.h"
#include "session/system_wide.h"
#include "session/topology.h"

/*
 * True if a CPU is the first one of its core, socket or node, which is then named by
 * the number of this CPU.
 */
static bool leads(const struct outcome *outcome, const struct cpu *cpu,
		  enum topology topology)
{
	const struct cpu *other = NULL;

	while ((other = outcome_next_cpu(outcome, other)) != cpu)
		if (cpu_place_together(&other->place, &cpu->place, topology))
			return false;
	return true;
}

static void add_group(const struct outcome *outcome, const struct cpu *leader,
		      enum topology topology, uint64_t *sums)
{
	size_t words = sets_words(outcome->events), k;
	const struct cpu *cpu;

	memset(sums, 0, words * sizeof(*sums));
	for (cpu = leader; cpu; cpu = outcome_next_cpu(outcome, cpu))
		for (k = 0; cpu_place_together(&leader->place, &cpu->place,
					       topology) &&
			    k < words;
		     k++)
			sums[k] += cpu->counts[k];
}

/* Total of an event; of a gauge the level, which is exact. */
static void take_total(const struct outcome *outcome, size_t event,
		       struct count *count)
{
	const struct results *results = outcome->results;

	if (!outcome->events->list[event].gauge) {
		count_take(count, outcome, results->totals, event);
		return;
	}
	memset(count, 0, sizeof(*count));
	count->value = results->kernel[event];
}

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
	uint64_t sums[sets_words(outcome->events)];
	const struct cpu *cpu = NULL;
	char name[32];

	while (topology && (cpu = outcome_next_cpu(outcome, cpu))) {
		if (!leads(outcome, cpu, topology))
			continue;
		group_name(&cpu->place, topology, name, sizeof(name));
		add_group(outcome, cpu, topology, sums);
		print_lines(out, outcome, name, widths, sums);
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
		take_total(outcome, k, &count);
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

void print_cpu_titles(FILE *out, const struct outcome *outcome)
{
	fputs("type,event,value,scaled,cpu,core,socket,node,interval,start_ns,end_ns,at_least,implemented",
	      out);
	metric_csv_end_titles(out, outcome);
}

static void print_number(FILE *out, int number)
{
	if (number >= 0)
		fprintf(out, "%d", number);
	fputc(',', out);
}

static void print_place(FILE *out, const struct cpu_place *place,
			enum topology topology)
{
	print_number(out, topology <= TOPOLOGY_CORE ? place->core : -1);
	print_number(out, topology <= TOPOLOGY_SOCKET ? place->socket : -1);
	print_number(out, topology != TOPOLOGY_SOCKET ? place->node : -1);
}

/* Begins a row.  The value is empty if nothing was counted. */
static void begin_row(FILE *out, const char *type, const char *name,
		      const struct count *count)
{
	fprintf(out, "%s,", type);
	csv_field_print(out, name);
	if (count->missing)
		fputs(",,0,", out);
	else
		fprintf(out, ",%" PRIu64 ",%d,", count->value, count->scaled);
}

void print_cpu_row(FILE *out, const char *type, const struct event *event,
		   const struct count *count, const struct cpu *cpu)
{
	begin_row(out, type, event->label, count);
	if (!cpu) {
		fputs(",,,,", out);
		return;
	}
	fprintf(out, "%u,", cpu->number);
	print_place(out, &cpu->place, TOPOLOGY_NONE);
}

/* Ends a row.  @event is NULL if the row is not about an event. */
static void end_row(FILE *out, const struct outcome *outcome,
		    const struct event *event, uint64_t start, uint64_t end,
		    const struct count *count)
{
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%d,%s", start, end, count->low,
		implemented_field(event));
	metric_csv_end_row(out, outcome);
}

static void print_metric_columns(FILE *out, const struct metric_row *row,
				 const struct metric_value *value)
{
	const struct cpu_metrics *metrics = row->arg;

	if (metrics->cpu) {
		fprintf(out, "%u,", metrics->cpu->number);
		print_place(out, &metrics->cpu->place, TOPOLOGY_NONE);
	} else {
		fputs(",,,,", out);
	}
	if (metrics->interval)
		fprintf(out, "%" PRIu64, metrics->interval);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%d,", metrics->start,
		metrics->end, value->low);
}

void print_cpu_metrics(FILE *out, const char *type,
		       const struct counts_of *counts,
		       const struct cpu_metrics *metrics)
{
	const struct metric_row row = { type, print_metric_columns, metrics };

	metric_csv_rows(out, counts, &row);
}

static void print_loss(FILE *out, const struct outcome *outcome,
		       const char *name, const struct count *count)
{
	begin_row(out, "sampling", name, count);
	fputs(",,,,", out);
	end_row(out, outcome, NULL, outcome->session->start,
		outcome->session->end, count);
}

void print_cpus_csv(FILE *out, const struct outcome *outcome, bool titles)
{
	enum topology topology = outcome->session->options->scope.topology;
	const struct events *events = outcome->events;
	uint64_t sums[sets_words(events)];
	const struct cpu *cpu = NULL;
	struct counts_of counts;
	struct cpu_metrics whole;
	struct count count;
	size_t k;

	if (titles && !outcome->session->options->scope.interval_ns)
		print_cpu_titles(out, outcome);
	while (!outcome->session->options->aggregate &&
	       (cpu = outcome_next_cpu(outcome, cpu))) {
		for (k = 0; k < events->count; k++) {
			if (events->list[k].gauge)
				continue;
			count_take(&count, outcome, cpu->counts, k);
			print_cpu_row(out, "cpu", &events->list[k], &count,
				      cpu);
			end_row(out, outcome, &events->list[k], cpu->start,
				cpu->end, &count);
		}
		whole = (struct cpu_metrics){ .cpu = cpu,
					      .start = cpu->start,
					      .end = cpu->end };
		counts = counts_of_words(outcome, cpu->counts);
		print_cpu_metrics(out, "cpu-metric", &counts, &whole);
	}
	while (topology && (cpu = outcome_next_cpu(outcome, cpu)))
		for (k = 0; k < events->count; k++) {
			if (events->list[k].gauge ||
			    !leads(outcome, cpu, topology))
				continue;
			add_group(outcome, cpu, topology, sums);
			count_take(&count, outcome, sums, k);
			begin_row(out, scope_topology_name(topology),
				  events->list[k].label, &count);
			fputc(',', out);
			print_place(out, &cpu->place, topology);
			end_row(out, outcome, &events->list[k],
				outcome->session->start, outcome->session->end,
				&count);
		}
	for (k = 0; k < events->count; k++) {
		bool gauge = events->list[k].gauge;

		take_total(outcome, k, &count);
		print_cpu_row(out, gauge ? "machine" : "total",
			      &events->list[k], &count, NULL);
		end_row(out, outcome, &events->list[k], outcome->session->start,
			outcome->session->end, &count);
	}
	whole = (struct cpu_metrics){ .start = outcome->session->start,
				      .end = outcome->session->end };
	counts = counts_of_total(outcome);
	print_cpu_metrics(out, "total-metric", &counts, &whole);
	print_csv_losses(out, outcome, print_loss);
}

static void write_place(struct json *json, const char *key, int number)
{
	if (number >= 0)
		json_uint(json, key, number);
	else
		json_null(json, key);
}

static void write_metrics(struct json *json, const struct outcome *outcome,
			  const uint64_t *words)
{
	const struct counts_of counts = counts_of_words(outcome, words);

	derived_json(json, &counts);
	metric_values_json(json, &counts);
}

static void write_cpu(struct json *json, const struct outcome *outcome,
		      const struct cpu *cpu)
{
	json_object(json, NULL);
	json_uint(json, "cpu", cpu->number);
	write_place(json, "core", cpu->place.core);
	write_place(json, "socket", cpu->place.socket);
	write_place(json, "node", cpu->place.node);
	json_uint(json, "offlines", cpu->offlines);
	json_uint(json, "offline_ns", cpu->offline_ns);
	json_uint(json, "start_ns", cpu->start);
	json_uint(json, "end_ns", cpu->end);
	print_json_counts(json, "counts", outcome, cpu->counts);
	write_metrics(json, outcome, cpu->counts);
	json_close(json);
}

static void write_group(struct json *json, const struct outcome *outcome,
			const struct cpu *leader, enum topology topology)
{
	const struct cpu_place *place = &leader->place;
	const struct cpu *cpu;
	uint64_t counts[sets_words(outcome->events)];

	add_group(outcome, leader, topology, counts);
	json_object(json, NULL);
	json_string(json, "topology", scope_topology_name(topology));
	write_place(json, "core", topology == TOPOLOGY_CORE ? place->core : -1);
	write_place(json, "socket",
		    topology != TOPOLOGY_NODE ? place->socket : -1);
	write_place(json, "node", topology == TOPOLOGY_NODE ? place->node : -1);
	json_line_array(json, "cpus");
	for (cpu = leader; cpu; cpu = outcome_next_cpu(outcome, cpu))
		if (cpu_place_together(place, &cpu->place, topology))
			json_uint(json, NULL, cpu->number);
	json_close(json);
	print_json_counts(json, "counts", outcome, counts);
	write_metrics(json, outcome, counts);
	json_close(json);
}

void print_cpus_json(struct json *json, const struct outcome *outcome)
{
	const struct scope_options *scope = &outcome->session->options->scope;
	const struct cpu *cpu = NULL;

	json_array(json, "cpus");
	while (!outcome->session->options->aggregate &&
	       (cpu = outcome_next_cpu(outcome, cpu)))
		write_cpu(json, outcome, cpu);
	json_close(json);
	json_array(json, "groups");
	while (scope->topology && (cpu = outcome_next_cpu(outcome, cpu)))
		if (leads(outcome, cpu, scope->topology))
			write_group(json, outcome, cpu, scope->topology);
	json_close(json);
}

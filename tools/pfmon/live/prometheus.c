// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts are exported as counters, which never fall while pfmon runs and start at
 * 0 with each run; rates are left to the program that reads them.
 *
 * Metrics of processors are gauges.  They cannot be had of the rates of counters without their
 * formulas, which Prometheus does not know.
 *
 * While somebody else has the counters of a CPU, its counts and metrics have no sample: a count that
 * stands still would read as a CPU on which nothing happens.
 *
 * Both formats have the same samples.  OpenMetrics describes a family of metrics,
 * whose name is that of its samples without suffix.  The text format describes
 * samples, and knows neither units nor the type info.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/version.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "live/exports.h"
#include "metrics/evaluate.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "metrics/selection.h"
#include "options/options.h"
#include "output/count.h"
#include "output/metric_values.h"
#include "output/outcome.h"
#include "session/session.h"
#include "session/system_wide.h"

static void print_label(FILE *out, const char *name, const char *value)
{
	fprintf(out, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			fprintf(out, "\\%c", *value);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

/* The labels that tell where the counts of a CPU come from. */
static void print_place(FILE *out, const char *cpu, const struct cgroup *cgroup)
{
	print_label(out, "cpu", cpu);
	if (!cgroup)
		return;
	fputc(',', out);
	print_label(out, "cgroup", cgroup->path);
}

static void print_cpu(FILE *out, const struct cpu *cpu)
{
	char name[16];

	snprintf(name, sizeof(name), "%u", cpu->number);
	print_place(out, name, cpu->cgroup);
}

/**
 * struct family - metrics with a common name
 * @name: name without @suffix
 * @suffix: suffix of the samples' name
 * @type: type in OpenMetrics
 * @text_type: type in the text format
 * @unit: NULL if none
 * @help: one line
 */
struct family {
	const char *name;
	const char *suffix;
	const char *type;
	const char *text_type;
	const char *unit;
	const char *help;
};

static const struct family events_family = {
	.name = "pfmon_events",
	.suffix = "_total",
	.type = "counter",
	.text_type = "counter",
	.unit = "events",
	.help = "Events that occurred on a CPU since pfmon began to count.",
};

static const struct family seconds_family = {
	.name = "pfmon_counted_seconds",
	.suffix = "_total",
	.type = "counter",
	.text_type = "counter",
	.unit = "seconds",
	.help = "Time for which events were counted on a CPU.",
};

static const struct family counting_family = {
	.name = "pfmon_counting",
	.suffix = "",
	.type = "gauge",
	.text_type = "gauge",
	.help = "1 while events are counted on a CPU, 0 while another session has taken its counters.",
};

static const struct family level_family = {
	.name = "pfmon_level",
	.suffix = "",
	.type = "gauge",
	.text_type = "gauge",
	.help = "Level of the machine.",
};

static const struct family metric_family = {
	.name = "pfmon_metric",
	.suffix = "",
	.type = "gauge",
	.text_type = "gauge",
	.help = "Metric of a CPU, or of all, in the last interval or since pfmon began to count.",
};

static const struct family build_family = {
	.name = "pfmon_build",
	.suffix = "_info",
	.type = "info",
	.text_type = "gauge",
	.help = "Version of pfmon.",
};

static void print_family(FILE *out, const struct family *family,
			 enum metrics_form form)
{
	bool open = form == METRICS_OPEN;
	const char *suffix = open ? "" : family->suffix;

	fprintf(out, "# HELP %s%s %s\n", family->name, suffix, family->help);
	fprintf(out, "# TYPE %s%s %s\n", family->name, suffix,
		open ? family->type : family->text_type);
	if (open && family->unit)
		fprintf(out, "# UNIT %s %s\n", family->name, family->unit);
}

static bool counting(const struct cpu *cpu, const struct system *system)
{
	return !cpu->end || system->stopped;
}

static void print_counting(FILE *out, const struct session *session,
			   enum metrics_form form)
{
	const struct system *system = session->system;
	size_t i;

	print_family(out, &counting_family, form);
	for (i = 0; i < system->count; i++) {
		fputs("pfmon_counting{", out);
		print_cpu(out, &system->list[i]);
		fprintf(out, "} %d\n", counting(&system->list[i], system));
	}
}

static void print_events(FILE *out, const struct session *session,
			 enum metrics_form form)
{
	const struct system *system = session->system;
	const struct events *events = session->events;
	char levels[EVENT_LEVELS_ROOM];
	size_t i, k;

	print_family(out, &events_family, form);
	for (i = 0; i < system->count; i++)
		for (k = 0; k < events->count; k++) {
			const struct event *event = &events->list[k];

			if (event->gauge || event->absent ||
			    !counting(&system->list[i], system))
				continue;
			fputs("pfmon_events_total{", out);
			print_cpu(out, &system->list[i]);
			fputc(',', out);
			print_label(out, "event", event->name);
			fputc(',', out);
			print_label(out, "levels",
				    event->hardware
					    ? event_levels(event->plm, levels)
					    : "");
			if (event->implemented == PFM_IMPLEMENTED_NO)
				fputs(",implemented=\"no\"", out);
			fprintf(out, ",pmd=\"%u\"} %" PRIu64 "\n", event->pmd,
				system->list[i].counts->events[k]);
		}
}

static uint64_t counted(const struct cpu *cpu)
{
	if (!cpu->start)
		return 0;
	return (cpu->end ? cpu->end : clock_now()) - cpu->start;
}

static void print_seconds(FILE *out, const struct session *session,
			  enum metrics_form form)
{
	const struct system *system = session->system;
	uint64_t ns;
	size_t i;

	print_family(out, &seconds_family, form);
	for (i = 0; i < system->count; i++) {
		if (!counting(&system->list[i], system))
			continue;
		ns = counted(&system->list[i]);
		fputs("pfmon_counted_seconds_total{", out);
		print_cpu(out, &system->list[i]);
		fprintf(out, "} %" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000,
			ns % 1000000000);
	}
}

static void print_levels(FILE *out, const struct session *session,
			 enum metrics_form form)
{
	const struct system *system = session->system;
	const struct events *events = session->events;
	bool titled = false;
	size_t k;

	for (k = 0; system->count && k < events->count; k++) {
		if (!events->list[k].gauge)
			continue;
		if (!titled)
			print_family(out, &level_family, form);
		titled = true;
		fputs("pfmon_level{", out);
		print_label(out, "event", events->list[k].name);
		fprintf(out, "} %" PRIu64 "\n",
			system->list[0].counts->events[k]);
	}
}

/* A metric that has no value has no sample. */
static int print_metric_values(FILE *out, const struct session *session,
			       const char *cpu, const struct cgroup *cgroup,
			       const struct counts *sums)
{
	const struct metric_selection *selection = &session->metrics->selection;
	const struct outcome outcome = outcome_of(session);
	const struct counts_of counts = counts_of_sums(&outcome, sums);
	struct metric_value *values = metric_values(&counts);
	unsigned int i, k;

	if (!values)
		return -1;
	for (i = 0; i < selection->count; i++) {
		const struct metric_unit *unit = &selection->units[i];

		for (k = 0; k < unit->count; k++) {
			if (!values[unit->first + k].known)
				continue;
			fputs("pfmon_metric{", out);
			print_place(out, cpu, cgroup);
			fputc(',', out);
			print_label(out, "metric", unit->metrics[k]->name);
			fputc(',', out);
			print_label(out, "unit", unit->metrics[k]->unit);
			fprintf(out, "} %.12g\n",
				values[unit->first + k].value);
		}
	}
	free(values);
	return 0;
}

/* Counts of the last whole interval; without intervals, of all the time. */
static const struct counts *counts_of(const struct cpu *cpu,
				      const struct system *system)
{
	return system->intervals ? cpu->interval : cpu->counts;
}

/* Prints the metrics of a cgroup on all CPUs, or of everything if @cgroup is NULL. */
static int print_metric_sums(FILE *out, const struct session *session,
			     const struct cgroup *cgroup)
{
	const struct system *system = session->system;
	struct counts *all = counts_create(session->events);
	size_t i;
	int err;

	if (!all) {
		say_error("out of memory for the metrics");
		return -1;
	}
	for (i = 0; i < system->count; i++)
		if (!cgroup || system->list[i].cgroup == cgroup)
			counts_add(all, counts_of(&system->list[i], system));
	err = print_metric_values(out, session, "all", cgroup, all);
	free(all);
	return err;
}

static int print_metrics(FILE *out, const struct session *session,
			 enum metrics_form form)
{
	const struct system *system = session->system;
	char name[16];
	int err = 0;
	size_t i;

	if (!session->metrics)
		return 0;
	print_family(out, &metric_family, form);
	for (i = 0; !err && i < system->count; i++) {
		if (!counting(&system->list[i], system))
			continue;
		snprintf(name, sizeof(name), "%u", system->list[i].number);
		err = print_metric_values(out, session, name,
					  system->list[i].cgroup,
					  counts_of(&system->list[i], system));
	}
	for (i = 0; !err && i < system->cgroups.count; i++)
		err = print_metric_sums(out, session, system->cgroups.list[i]);
	if (!err && !system->cgroups.count)
		err = print_metric_sums(out, session, NULL);
	return err;
}

int metrics_print(FILE *out, const struct session *session,
		  enum metrics_form form)
{
	print_counting(out, session, form);
	print_events(out, session, form);
	print_seconds(out, session, form);
	print_levels(out, session, form);
	if (print_metrics(out, session, form))
		return -1;
	print_family(out, &build_family, form);
	fputs("pfmon_build_info{version=\"" PFMON_VERSION "\"} 1\n", out);
	if (form == METRICS_OPEN)
		fputs("# EOF\n", out);
	return 0;
}

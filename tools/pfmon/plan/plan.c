// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the command line to events.  Where metrics are asked for, CPUs of different types, such as
 * those of big.LITTLE, have different metrics, and so events of their own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "metrics/metric_plan.h"
#include "metrics/model_find.h"
#include "options/options.h"
#include "plan/event_plan.h"
#include "plan/plan.h"
#include "processor/machine.h"

#define TYPES_MAX 8

/* Why these CPUs cannot be measured together; NULL if they can. */
static const char *no_place_for_types(const struct options *options)
{
	if (smpl_options_on(&options->smpl))
		return "samples";
	if (options->scope.interval_ns)
		return "intervals";
	if (options->scope.listen || options->scope.textfile)
		return "exported counts";
	if (options->format == OUTPUT_CSV)
		return "rows of CSV";
	return NULL;
}

static bool wants_metrics(const struct options *options)
{
	return options->metrics.names || options->metrics.topdown;
}

/*
 * Divides the CPUs by their metrics.  Returns the number of types; 0 if one part of the plan is for
 * all; -1 after a message.
 */
static int find_types(const struct options *options, struct machine *machine,
		      struct cpu_list *cpus)
{
	const char *what = no_place_for_types(options);
	char first[256], second[256];
	unsigned int count;

	if (!wants_metrics(options) || options->scope.scope != SCOPE_SYSTEM ||
	    options->scope.cpu_list || options->metrics.pmu ||
	    options->metrics.file)
		return 0;
	count = model_find_types(machine, cpus, TYPES_MAX);
	if (!count || !what)
		return count;
	say_error(
		"CPUs of different types (%s, %s) are measured apart, which %s cannot show; name those of one type (--cpu-list), or have text or JSON at the end",
		cpu_list_format(&cpus[0], first, sizeof(first)),
		cpu_list_format(&cpus[1], second, sizeof(second)), what);
	return -1;
}

static int make_parts(struct plan *plan, struct machine *machine)
{
	struct cpu_list cpus[TYPES_MAX];
	int types = find_types(plan->options, machine, cpus), i;

	if (types < 0)
		return -1;
	plan->parts = calloc(types ? types : 1, sizeof(*plan->parts));
	if (!plan->parts) {
		say_error("out of memory for the events");
		return -1;
	}
	plan->count = types ? types : 1;
	for (i = 0; i < types; i++) {
		plan->parts[i].cpus = cpus[i];
		cpu_list_format(&cpus[i], plan->parts[i].list,
				sizeof(plan->parts[i].list));
	}
	return 0;
}

int plan_begin(struct plan *plan, const struct options *options,
	       struct machine *machine)
{
	unsigned int i;

	memset(plan, 0, sizeof(*plan));
	plan->options = options;
	if (make_parts(plan, machine))
		return -1;
	for (i = 0; wants_metrics(options) && i < plan->count; i++) {
		struct plan_part *part = &plan->parts[i];

		if (metric_plan_begin(&part->metrics, options, machine,
				      plan->count > 1 ? &part->cpus : NULL))
			return -1;
	}
	return 0;
}

int plan_make(struct plan *plan, const struct machine *machine)
{
	struct plan_part *part;
	unsigned int i;

	for (i = 0; i < plan->count; i++) {
		part = &plan->parts[i];
		if (part->metrics &&
		    metric_plan_make(part->metrics, plan->options,
				     machine->map))
			return -1;
	}
	for (i = 0; i < plan->count; i++) {
		part = &plan->parts[i];
		if (events_read(&part->events, plan->options, part->metrics,
				machine->map))
			return -1;
	}
	return 0;
}

void plan_free(struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->count; i++) {
		events_free(&plan->parts[i].events);
		metric_plan_free(plan->parts[i].metrics);
	}
	free(plan->parts);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the metrics of the command line to events.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <perfmon/perfmon.h>

#include "base/cpu_list.h"
#include "base/message.h"
#include "events/event_names.h"
#include "events/evtsel.h"
#include "metrics/metric_cpu.h"
#include "metrics/metric_needs.h"
#include "metrics/metric_plan.h"
#include "metrics/metric_sets.h"
#include "metrics/model.h"
#include "metrics/model_find.h"
#include "options/options.h"

/**
 * struct planning - a plan that is being made
 * @plan: the plan
 * @options: the command line
 * @map: the registers
 * @parsed: the events of the model in the library's form
 * @usable: for each of them, true if it can be counted
 */
struct planning {
	struct metric_plan *plan;
	const struct options *options;
	const struct pfm_reg_map *map;
	struct pfm_event *parsed;
	bool *usable;
};

static int no_memory(void)
{
	say_error("out of memory for the metrics");
	return -1;
}

static int select_metrics(struct metric_plan *plan,
			  const struct metric_options *options)
{
	plan->selection.model = plan->model;
	if (options->topdown &&
	    selection_topdown(&plan->selection, options->topdown))
		return -1;
	if (options->names && selection_names(&plan->selection, options->names))
		return -1;
	return 0;
}

/* Notes why an event cannot be counted. */
static int refuse_event(struct planning *planning, unsigned int event,
			const char *why)
{
	planning->plan->why[event] = strdup(why);
	return planning->plan->why[event] ? 0 : no_memory();
}

static int read_event(struct planning *planning, unsigned int i)
{
	const struct metric_event *event = &planning->plan->model->events[i];
	char why[1024], text[1100];

	if (event_string_parse(planning->map, event->event,
			       planning->options->plm, &evtsel_no_masks,
			       &planning->parsed[i], why, sizeof(why))) {
		snprintf(text, sizeof(text), "cannot be counted here: %s", why);
		return refuse_event(planning, i, text);
	}
	if (!planning->options->force &&
	    planning->parsed[i].kind == PFM_EVENT_HARDWARE &&
	    pfm_event_implemented(planning->map, planning->parsed[i].code) ==
		    PFM_IMPLEMENTED_NO)
		return refuse_event(planning, i,
				    "is not implemented by this processor");
	planning->usable[i] = true;
	return 0;
}

/* True if a selected metric uses the event. */
static bool is_needed(const struct metric_plan *plan, unsigned int event)
{
	unsigned int i, k;

	for (i = 0; i < plan->selection.count; i++)
		for (k = 0; k < plan->selection.units[i].count; k++)
			if (plan->selection.units[i].metrics[k]->uses[event])
				return true;
	return false;
}

/*
 * Metric files write a code as raw:0x3f, whatever the processor is.  In --events that stands for
 * the control register of a counter of Intel or AMD; a code of others is r3f.
 */
static int spell_codes(struct planning *planning)
{
	struct metric_model *model = planning->plan->model;
	unsigned long long code;
	unsigned int i;
	char *text, rest;

	if (evtsel_maker(pfm_reg_map_pmu(planning->map)) != EVTSEL_OTHER)
		return 0;
	for (i = 0; i < model->num_events; i++) {
		if (sscanf(model->events[i].event, "raw:0x%llx%c", &code,
			   &rest) != 1)
			continue;
		if (asprintf(&text, "r%llx", code) < 0)
			return no_memory();
		free(model->events[i].event);
		model->events[i].event = text;
	}
	return 0;
}

static int read_events(struct planning *planning)
{
	const struct metric_model *model = planning->plan->model;
	unsigned int i;

	planning->parsed =
		calloc(model->num_events + 1, sizeof(*planning->parsed));
	planning->usable =
		calloc(model->num_events + 1, sizeof(*planning->usable));
	planning->plan->why =
		calloc(model->num_events + 1, sizeof(*planning->plan->why));
	if (!planning->parsed || !planning->usable || !planning->plan->why)
		return no_memory();
	for (i = 0; i < model->num_events; i++)
		if (is_needed(planning->plan, i) && read_event(planning, i))
			return -1;
	return 0;
}

/* Events that -e names. */
static size_t count_given(const struct set_options *sets)
{
	const char *text;
	unsigned int i;
	size_t count = 0;

	for (i = 0; i < sets->count; i++)
		for (text = sets->lists[i];; text++) {
			text += options_event_length(text);
			count++;
			if (!*text)
				break;
		}
	return count;
}

/* Place in struct events of an event of a set. */
static size_t place_of(const struct metric_plan *plan,
		       const struct metric_sets *sets, int set,
		       unsigned int event)
{
	size_t place = plan->first_event;
	unsigned int i;
	int k;

	if (set == METRIC_SET_NONE)
		return PLAN_NOT_COUNTED;
	for (k = 0; k < set; k++)
		place += sets->sets[k].count;
	for (i = 0; sets->sets[set].events[i] != event; i++)
		place++;
	return place;
}

static int make_places(struct metric_plan *plan, const struct metric_sets *sets)
{
	unsigned int events = plan->model->num_events;
	size_t cells = (size_t)plan->selection.num_metrics * events, i;

	plan->places = calloc(cells + 1, sizeof(*plan->places));
	if (!plan->places)
		return no_memory();
	for (i = 0; i < cells; i++)
		plan->places[i] =
			place_of(plan, sets, sets->where[i], i % events);
	return 0;
}

/* Writes the events of a set as -e takes them. */
static char *make_list(const struct metric_model *model,
		       const struct metric_set *set)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	unsigned int i;

	if (!out)
		return NULL;
	for (i = 0; i < set->count; i++)
		fprintf(out, "%s%s", i ? "," : "",
			model->events[set->events[i]].event);
	return fclose(out) ? NULL : text;
}

static int make_lists(struct metric_plan *plan, const struct metric_sets *sets)
{
	unsigned int i;
	char *list;

	plan->lists = calloc(sets->count + 1, sizeof(*plan->lists));
	if (!plan->lists)
		return no_memory();
	for (i = 0; i < sets->count; i++) {
		list = make_list(plan->model, &sets->sets[i]);
		if (!list)
			return no_memory();
		plan->lists[plan->num_lists++] = list;
	}
	return 0;
}

static void tell_sets(const struct planning *planning,
		      const struct metric_sets *sets)
{
	if (sets->count < 2)
		return;
	if (planning->options->sets.no_multiplex)
		say_note(
			"the metrics need %u event sets; the command is run once for each",
			sets->count);
	else
		say_note(
			"the metrics need %u event sets, which share the counters in time slices; values are estimates%s",
			sets->count,
			set_options_may_repeat(planning->options)
				? " (--no-multiplex runs the command once for each set)"
				: "");
}

/* Names to print in one message; further ones are only counted. */
#define NAMES_MAX 8
#define NAMES_ROOM 512

/* True if an event before it has the same reason. */
static bool is_told(const struct metric_plan *plan, unsigned int event)
{
	unsigned int i;

	for (i = 0; i < event; i++)
		if (plan->why[i] && !strcmp(plan->why[i], plan->why[event]))
			return true;
	return false;
}

/* Says of an event, and of those with the same reason, why they cannot be counted. */
static void tell_why(const struct metric_plan *plan, unsigned int event)
{
	char names[NAMES_ROOM] = "";
	unsigned int count = 0, told = 0, i;
	size_t length = 0;

	for (i = event; i < plan->model->num_events; i++) {
		const char *name = plan->model->events[i].name;

		if (!plan->why[i] || strcmp(plan->why[i], plan->why[event]))
			continue;
		count++;
		if (told == NAMES_MAX ||
		    length + strlen(name) + sizeof(", ") > sizeof(names))
			continue;
		length += sprintf(names + length, "%s%s", told ? ", " : "",
				  name);
		told++;
	}
	if (count > told)
		say_error("%s and %u more: each %s", names, count - told,
			  plan->why[event]);
	else
		say_error("%s%s %s", names, count > 1 ? ": each" : "",
			  plan->why[event]);
}

/* Names the events without which nothing can be counted, in a line for each reason. */
static int refuse_all(const struct planning *planning)
{
	const struct metric_plan *plan = planning->plan;
	unsigned int i;

	for (i = 0; i < plan->model->num_events; i++)
		if (plan->why[i] && !is_told(plan, i))
			tell_why(plan, i);
	say_error("none of the metrics can be counted without these events");
	return -1;
}

static int make_sets(struct planning *planning)
{
	struct metric_plan *plan = planning->plan;
	struct metric_sets sets = {
		.map = planning->map,
		.selection = &plan->selection,
		.parsed = planning->parsed,
		.usable = planning->usable,
	};
	int err;

	plan->first_event = count_given(&planning->options->sets);
	err = metric_sets_distribute(&sets);
	if (!err && (!sets.count || !sets.sets[0].count)) {
		/* With -e there is something to count all the same. */
		err = plan->first_event ? 0 : refuse_all(planning);
		metric_sets_empty(&sets);
	}
	if (!err)
		err = make_places(plan, &sets);
	if (!err)
		err = make_lists(plan, &sets);
	if (!err)
		tell_sets(planning, &sets);
	metric_sets_free(&sets);
	return err;
}

/* True if the machine has a counter for the event. */
static bool has_counter(void *arg, unsigned int event)
{
	const struct planning *planning = arg;
	struct pfm_assignment *out = malloc(sizeof(*out));
	struct pfm_event parsed;
	char why[256];
	bool has;

	has = out &&
	      !event_string_parse(planning->map,
				  planning->plan->model->events[event].event,
				  planning->options->plm, &evtsel_no_masks,
				  &parsed, why, sizeof(why)) &&
	      !pfm_assign_registers(planning->map, &parsed, 1, out);
	free(out);
	return has;
}

/* Finds the model of the CPUs that are measured; @cpus is NULL if all are. */
static int find_model(struct metric_plan *plan, const struct options *options,
		      struct machine *machine, const struct cpu_list *cpus)
{
	const struct metric_options *metrics = &options->metrics;
	unsigned int cpu = 0;

	plan->model =
		model_find(machine, metrics->pmu, metrics->file, true, cpus);
	if (!plan->model)
		return -1;
	while (cpus && cpu + 1 < CPUS_MAX && !cpu_list_has(cpus, cpu))
		cpu++;
	metric_cpu_constants(plan->model, cpu);
	return 0;
}

int metric_plan_begin(struct metric_plan **plan, const struct options *options,
		      struct machine *machine, const struct cpu_list *cpus)
{
	struct cpu_list named = { 0 };
	char why[256];

	*plan = calloc(1, sizeof(**plan));
	if (!*plan)
		return no_memory();
	/* The option's setter has checked the list. */
	if (!cpus && options->scope.cpu_list) {
		cpu_list_parse(options->scope.cpu_list, &named, why,
			       sizeof(why));
		cpus = &named;
	}
	if (find_model(*plan, options, machine, cpus))
		return -1;
	return select_metrics(*plan, &options->metrics);
}

int metric_plan_make(struct metric_plan *plan, const struct options *options,
		     const struct pfm_reg_map *map)
{
	struct planning planning = {
		.plan = plan,
		.options = options,
		.map = map,
	};
	int err;

	metric_needs_choose(plan->model, has_counter, &planning);
	err = metric_needs_find(plan->model) || spell_codes(&planning) ||
	      read_events(&planning) || make_sets(&planning);
	free(planning.parsed);
	free(planning.usable);
	return err ? -1 : 0;
}

unsigned int metric_plan_num_lists(const struct metric_plan *plan)
{
	return plan ? plan->num_lists : 0;
}

bool metric_plan_tells(const struct metric_plan *plan)
{
	return plan && plan->num_lists > 1;
}

bool metric_plan_owns(const struct metric_plan *plan, size_t event)
{
	return plan && event >= plan->first_event;
}

void metric_plan_free(struct metric_plan *plan)
{
	unsigned int i;

	if (!plan)
		return;
	for (i = 0; plan->why && i < plan->model->num_events; i++)
		free(plan->why[i]);
	for (i = 0; i < plan->num_lists; i++)
		free(plan->lists[i]);
	free(plan->lists);
	free(plan->why);
	free(plan->places);
	selection_free(&plan->selection);
	model_free(plan->model);
	free(plan);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the events of metrics.
 *
 * Formulas of Intel choose events by whether the processor runs two threads on a core, and by
 * whether it shows its register of top-down analysis.  Counting those of both cases would take
 * twice the counters, and not fit.
 */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "metrics/evaluate.h"
#include "metrics/formula.h"
#include "metrics/metric_needs.h"
#include "metrics/model.h"

/* The source of a constant that says whether an event can be counted begins with this. */
#define HAS "has "

/**
 * struct need - what is known about the needs of a metric
 * @under_way: they are being found
 * @found: they are known
 * @depth: levels of formulas, from that of the metric down through those of others
 */
struct need {
	bool under_way;
	bool found;
	unsigned int depth;
};

/**
 * struct gathering - the search for the events of metrics
 * @model: the model
 * @needs: one for each metric
 * @first: the metric that the search began with
 * @number: the metric whose formula is being walked through
 * @above: levels of formulas above that metric
 */
struct gathering {
	struct metric_model *model;
	struct need *needs;
	unsigned int first;
	unsigned int number;
	unsigned int above;
};

static int find(struct gathering *gathering, unsigned int number);

static int too_deep(const struct gathering *gathering)
{
	say_error(
		"%s: the formula of '%s' nests more than %u operators deep, together with those of the metrics that it uses",
		gathering->model->file,
		gathering->model->metrics[gathering->first].name,
		FORMULA_DEPTH_MAX);
	return -1;
}

/* Adds what the formula of another metric needs. */
static int gather_metric(struct gathering *gathering, unsigned int number,
			 unsigned int level)
{
	struct metric *metric = &gathering->model->metrics[gathering->number];
	struct need *need = &gathering->needs[gathering->number];
	const struct need *other = &gathering->needs[number];
	struct gathering below = *gathering;
	unsigned int i;

	below.above += level;
	if (!other->found && find(&below, number))
		return -1;
	if (gathering->above + level + other->depth > FORMULA_DEPTH_MAX)
		return too_deep(gathering);
	if (level + other->depth > need->depth)
		need->depth = level + other->depth;
	for (i = 0; i < gathering->model->num_events; i++)
		metric->uses[i] |= gathering->model->metrics[number].uses[i];
	return 0;
}

/* @level: levels of nodes in the metric's own formula, down to this one */
static int gather(struct gathering *gathering, const struct formula *node,
		  unsigned int level)
{
	struct metric *metric = &gathering->model->metrics[gathering->number];
	struct need *need = &gathering->needs[gathering->number];
	double condition;
	unsigned int i;
	int err = 0;

	if (gathering->above + level > FORMULA_DEPTH_MAX)
		return too_deep(gathering);
	if (level > need->depth)
		need->depth = level;
	if (node->op == FORMULA_NAME && node->kind == NAME_EVENT)
		metric->uses[node->index] = true;
	if (node->op == FORMULA_NAME && node->kind == NAME_METRIC)
		return gather_metric(gathering, node->index, level);
	if (node->op == FORMULA_CHOOSE &&
	    formula_is_constant(gathering->model, node->args[0], &condition))
		return gather(gathering, node->args[condition ? 1 : 2],
			      level + 1);
	for (i = 0; !err && i < FORMULA_ARGS_MAX && node->args[i]; i++)
		err = gather(gathering, node->args[i], level + 1);
	return err;
}

static int find(struct gathering *gathering, unsigned int number)
{
	struct metric *metric = &gathering->model->metrics[number];
	struct need *need = &gathering->needs[number];
	int err;

	if (need->found)
		return 0;
	if (need->under_way) {
		say_error("%s: the formula of '%s' needs the metric itself",
			  gathering->model->file, metric->name);
		return -1;
	}
	need->under_way = true;
	gathering->number = number;
	err = gather(gathering, metric->formula, 1);
	need->under_way = false;
	need->found = !err;
	return err;
}

void metric_needs_choose(struct metric_model *model,
			 bool (*has)(void *arg, unsigned int event), void *arg)
{
	const size_t length = strlen(HAS);
	unsigned int i, event;

	for (i = 0; i < model->num_constants; i++) {
		struct metric_constant *constant = &model->constants[i];

		if (constant->known || strncmp(constant->source, HAS, length))
			continue;
		for (event = 0; event < model->num_events; event++) {
			if (strcmp(model->events[event].name,
				   constant->source + length))
				continue;
			constant->known = true;
			constant->value = has(arg, event);
		}
	}
}

static int make_room(struct metric_model *model)
{
	size_t size = (model->num_events + 1) * sizeof(bool);
	unsigned int i;

	for (i = 0; i < model->num_metrics; i++) {
		struct metric *metric = &model->metrics[i];

		if (!metric->uses)
			metric->uses = malloc(size);
		if (!metric->uses)
			return -1;
		memset(metric->uses, 0, size);
	}
	return 0;
}

int metric_needs_find(struct metric_model *model)
{
	struct gathering gathering = { .model = model };
	unsigned int i;
	int err = 0;

	gathering.needs =
		calloc(model->num_metrics + 1, sizeof(*gathering.needs));
	if (!gathering.needs || make_room(model)) {
		say_error("out of memory for the metrics");
		free(gathering.needs);
		return -1;
	}
	for (i = 0; i < model->num_metrics && !err; i++) {
		gathering.first = i;
		err = find(&gathering, i);
	}
	free(gathering.needs);
	return err;
}

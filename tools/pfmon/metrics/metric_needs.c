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
 * struct gathering - the events of a metric, and those of the metrics that it uses
 * @model: the model
 * @uses: see struct metric
 * @depth: metrics between the first one and the current one
 */
struct gathering {
	const struct metric_model *model;
	bool *uses;
	unsigned int depth;
};

static int gather(struct gathering *gathering, const struct formula *node);

/* Gathers what the formula of another metric needs.  Returns -1 if there are circles. */
static int gather_metric(struct gathering *gathering, unsigned int number)
{
	int err;

	/* A longer chain has a metric twice. */
	if (gathering->depth++ > gathering->model->num_metrics)
		return -1;
	err = gather(gathering, gathering->model->metrics[number].formula);
	gathering->depth--;
	return err;
}

static int gather(struct gathering *gathering, const struct formula *node)
{
	double condition;
	unsigned int i;
	int err = 0;

	if (node->op == FORMULA_NAME && node->kind == NAME_EVENT)
		gathering->uses[node->index] = true;
	if (node->op == FORMULA_NAME && node->kind == NAME_METRIC)
		return gather_metric(gathering, node->index);
	if (node->op == FORMULA_CHOOSE &&
	    formula_is_constant(gathering->model, node->args[0], &condition))
		return gather(gathering, node->args[condition ? 1 : 2]);
	for (i = 0; !err && i < FORMULA_ARGS_MAX && node->args[i]; i++)
		err = gather(gathering, node->args[i]);
	return err;
}

static int find(struct metric_model *model, struct metric *metric)
{
	struct gathering gathering = { .model = model };
	size_t size = (model->num_events + 1) * sizeof(*metric->uses);

	if (!metric->uses)
		metric->uses = malloc(size);
	if (!metric->uses) {
		say_error("out of memory for the metrics");
		return -1;
	}
	memset(metric->uses, 0, size);
	gathering.uses = metric->uses;
	if (!gather(&gathering, metric->formula))
		return 0;
	say_error("%s: the formula of '%s' needs the metric itself",
		  model->file, metric->name);
	return -1;
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

int metric_needs_find(struct metric_model *model)
{
	unsigned int i;

	for (i = 0; i < model->num_metrics; i++)
		if (find(model, &model->metrics[i]))
			return -1;
	return 0;
}

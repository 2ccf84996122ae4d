// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names within a model: of events, constants, metrics and groups.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "metrics/formula.h"
#include "metrics/model.h"

const struct metric *metric_find(const struct metric_model *model,
				 const char *name)
{
	unsigned int i;

	for (i = 0; i < model->num_metrics; i++)
		if (!strcasecmp(model->metrics[i].name, name))
			return &model->metrics[i];
	return NULL;
}

const struct metric_group *metric_group_find(const struct metric_model *model,
					     const char *name)
{
	unsigned int i;

	for (i = 0; i < model->num_groups; i++)
		if (!strcasecmp(model->groups[i].name, name))
			return &model->groups[i];
	return NULL;
}

bool metric_in_group(const struct metric *metric, const char *group)
{
	unsigned int i;

	for (i = 0; i < metric->groups.count; i++)
		if (!strcasecmp(metric->groups.list[i], group))
			return true;
	return false;
}

bool metric_is_percent(const struct metric *metric)
{
	return !strncmp(metric->unit, "percent", strlen("percent"));
}

/**
 * struct resolving - a formula whose names are being found
 * @model: the model
 * @metric: the metric that has the formula
 */
struct resolving {
	struct metric_model *model;
	struct metric *metric;
};

static void stand_for(struct formula *name, enum formula_name kind,
		      unsigned int index)
{
	name->kind = kind;
	name->index = index;
}

static int resolve_name(struct formula *name, void *arg)
{
	struct resolving *resolving = arg;
	struct metric_model *model = resolving->model;
	unsigned int i, found = 0;

	for (i = 0; i < model->num_events; i++)
		if (!strcmp(model->events[i].name, name->name) && ++found)
			stand_for(name, NAME_EVENT, i);
	for (i = 0; i < model->num_constants; i++)
		if (!strcmp(model->constants[i].name, name->name) && ++found)
			stand_for(name, NAME_CONSTANT, i);
	for (i = 0; i < model->num_metrics; i++)
		if (!strcmp(model->metrics[i].name, name->name) && ++found)
			stand_for(name, NAME_METRIC, i);
	if (found == 1)
		return 0;
	say_error(
		found ? "%s: the formula of '%s' has '%s', which is the name of more than one event, constant or metric"
		      : "%s: the formula of '%s' has '%s', which is no event, constant or metric of the file",
		model->file, resolving->metric->name, name->name);
	return -1;
}

static int find_parent(const struct metric_model *model, struct metric *metric)
{
	if (!metric->parent_name)
		return 0;
	metric->parent = metric_find(model, metric->parent_name);
	if (metric->parent && metric->parent->level &&
	    metric->parent->level + 1 == metric->level)
		return 0;
	say_error(
		"%s: '%s' is of level %u, and its parent '%s' is no metric of the level above",
		model->file, metric->name, metric->level, metric->parent_name);
	return -1;
}

static int check_names(const struct metric_model *model,
		       const struct metric *metric)
{
	unsigned int i;

	for (i = 0; i < metric->groups.count; i++) {
		if (metric_group_find(model, metric->groups.list[i]))
			continue;
		say_error(
			"%s: '%s' is in the group '%s', which the file does not have",
			model->file, metric->name, metric->groups.list[i]);
		return -1;
	}
	for (i = 0; i < metric->next.count; i++) {
		if (metric_group_find(model, metric->next.list[i]) ||
		    metric_find(model, metric->next.list[i]))
			continue;
		say_error(
			"%s: 'next' of '%s' has '%s', which is no metric or group of the file",
			model->file, metric->name, metric->next.list[i]);
		return -1;
	}
	return 0;
}

static int check_twice(const struct metric_model *model)
{
	unsigned int i;

	for (i = 0; i < model->num_metrics; i++) {
		if (metric_find(model, model->metrics[i].name) ==
			    &model->metrics[i] &&
		    !metric_group_find(model, model->metrics[i].name))
			continue;
		say_error(
			"%s: '%s' is the name of two metrics, or of a metric and a group",
			model->file, model->metrics[i].name);
		return -1;
	}
	return 0;
}

int model_resolve(struct metric_model *model)
{
	struct resolving resolving = { .model = model };
	unsigned int i;

	if (check_twice(model))
		return -1;
	for (i = 0; i < model->num_metrics; i++) {
		struct metric *metric = &model->metrics[i];

		resolving.metric = metric;
		if (formula_names(metric->formula, resolve_name, &resolving) ||
		    (metric->threshold &&
		     formula_names(metric->threshold, resolve_name,
				   &resolving)) ||
		    find_parent(model, metric) || check_names(model, metric))
			return -1;
	}
	return 0;
}

static void free_names(struct metric_names *names)
{
	unsigned int i;

	for (i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
}

static void free_metric(struct metric *metric)
{
	free(metric->name);
	free(metric->title);
	free(metric->unit);
	free(metric->description);
	free(metric->text);
	formula_free(metric->formula);
	free(metric->threshold_text);
	formula_free(metric->threshold);
	free(metric->parent_name);
	free_names(&metric->groups);
	free_names(&metric->next);
	free(metric->uses);
}

void model_free(struct metric_model *model)
{
	unsigned int i;

	if (!model)
		return;
	for (i = 0; i < model->num_events; i++) {
		free(model->events[i].name);
		free(model->events[i].event);
		free(model->events[i].description);
	}
	for (i = 0; i < model->num_constants; i++) {
		free(model->constants[i].name);
		free(model->constants[i].source);
	}
	for (i = 0; i < model->num_groups; i++) {
		free(model->groups[i].name);
		free(model->groups[i].title);
		free(model->groups[i].description);
	}
	for (i = 0; i < model->num_metrics; i++)
		free_metric(&model->metrics[i]);
	free(model->events);
	free(model->constants);
	free(model->groups);
	free(model->metrics);
	free(model->file);
	free(model->name);
	free(model->title);
	free(model->pmu);
	free(model->source);
	free(model);
}

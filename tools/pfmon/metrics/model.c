// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names within a model: of events, constants, metrics and groups.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "base/string_table.h"
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
 * struct meaning - what a name in formulas stands for
 * @kind: event, constant or metric
 * @index: its place in the model's list of that kind
 * @ambiguous: it is the name of another one, too
 */
struct meaning {
	enum formula_name kind;
	unsigned int index;
	bool ambiguous;
};

/**
 * struct resolving - a formula whose names are being found
 * @model: the model
 * @metric: the metric that has the formula
 * @names: numbers the names of events, constants and metrics, and those that formulas have
 * @meanings: by the number of the name
 * @count: elements of @meanings
 */
struct resolving {
	struct metric_model *model;
	struct metric *metric;
	struct string_table names;
	struct meaning *meanings;
	uint32_t count;
};

static int no_memory(void)
{
	say_error("out of memory for the metrics");
	return -1;
}

static int add_meaning(struct resolving *resolving, const char *name,
		       enum formula_name kind, unsigned int index)
{
	uint32_t number = string_table_number(&resolving->names, name);
	struct meaning *meaning;

	if (number == UINT32_MAX)
		return no_memory();
	meaning = &resolving->meanings[number];
	meaning->ambiguous = number < resolving->count;
	meaning->kind = kind;
	meaning->index = index;
	resolving->count = resolving->names.count;
	return 0;
}

static int add_meanings(struct resolving *resolving)
{
	const struct metric_model *model = resolving->model;
	unsigned int i;
	int err = 0;

	resolving->meanings =
		calloc((size_t)model->num_events + model->num_constants +
			       model->num_metrics + 1,
		       sizeof(*resolving->meanings));
	if (!resolving->meanings)
		return no_memory();
	for (i = 0; i < model->num_events && !err; i++)
		err = add_meaning(resolving, model->events[i].name, NAME_EVENT,
				  i);
	for (i = 0; i < model->num_constants && !err; i++)
		err = add_meaning(resolving, model->constants[i].name,
				  NAME_CONSTANT, i);
	for (i = 0; i < model->num_metrics && !err; i++)
		err = add_meaning(resolving, model->metrics[i].name,
				  NAME_METRIC, i);
	return err;
}

static int resolve_name(struct formula *name, void *arg)
{
	struct resolving *resolving = arg;
	uint32_t number = string_table_number(&resolving->names, name->name);
	const struct meaning *meaning;

	if (number == UINT32_MAX)
		return no_memory();
	meaning = number < resolving->count ? &resolving->meanings[number]
					    : NULL;
	if (meaning && !meaning->ambiguous) {
		name->kind = meaning->kind;
		name->index = meaning->index;
		return 0;
	}
	say_error(
		meaning ? "%s: the formula of '%s' has '%s', which is the name of more than one event, constant or metric"
			: "%s: the formula of '%s' has '%s', which is no event, constant or metric of the file",
		resolving->model->file, resolving->metric->name, name->name);
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

/* Adds a name, which may differ from others in upper and lower case only.  Returns 1 if it is new. */
static int add_folded(struct string_table *names, const char *name)
{
	uint32_t count = names->count, number;
	char *folded = strdup(name), *c;

	if (!folded)
		return no_memory();
	for (c = folded; *c; c++)
		*c = tolower((unsigned char)*c);
	number = string_table_number(names, folded);
	free(folded);
	if (number == UINT32_MAX)
		return no_memory();
	return number == count;
}

static int check_twice(const struct metric_model *model,
		       struct string_table *names)
{
	unsigned int i;
	int added;

	for (i = 0; i < model->num_groups; i++)
		if (add_folded(names, model->groups[i].name) < 0)
			return -1;
	for (i = 0; i < model->num_metrics; i++) {
		added = add_folded(names, model->metrics[i].name);
		if (added < 0)
			return -1;
		if (added)
			continue;
		say_error(
			"%s: '%s' is the name of two metrics, or of a metric and a group",
			model->file, model->metrics[i].name);
		return -1;
	}
	return 0;
}

static int resolve_all(struct resolving *resolving)
{
	struct metric_model *model = resolving->model;
	unsigned int i;

	if (add_meanings(resolving))
		return -1;
	for (i = 0; i < model->num_metrics; i++) {
		struct metric *metric = &model->metrics[i];

		resolving->metric = metric;
		if (formula_names(metric->formula, resolve_name, resolving) ||
		    (metric->threshold &&
		     formula_names(metric->threshold, resolve_name,
				   resolving)) ||
		    find_parent(model, metric) || check_names(model, metric))
			return -1;
	}
	return 0;
}

int model_resolve(struct metric_model *model)
{
	struct resolving resolving = { .model = model };
	struct string_table folded = { 0 };
	int err;

	model->memory = calloc(1, sizeof(*model->memory) +
					  model->num_metrics *
						  sizeof(*model->memory->kept));
	if (!model->memory)
		return no_memory();
	err = check_twice(model, &folded);
	string_table_free(&folded);
	if (err)
		return -1;
	err = resolve_all(&resolving);
	string_table_free(&resolving.names);
	free(resolving.meanings);
	return err;
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
	free(model->memory);
	free(model->file);
	free(model->name);
	free(model->title);
	free(model->pmu);
	free(model->source);
	free(model);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads metric files.
 *
 * Members that are not known are named in a warning: a newer file may have them, and a
 * user may have misspelled one.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "metrics/formula.h"
#include "metrics/metric_needs.h"
#include "metrics/model.h"
#include "metrics/model_files.h"

/* The version of the format that is read. */
#define SCHEMA 1

/* A message about a formula has this many characters of it. */
#define FORMULA_SHOWN 80

/**
 * struct place - where in a file something is read
 * @file: the file
 * @list: member of the document: "metrics" and so on; NULL for the document itself
 * @name: the element's name
 */
struct place {
	const char *file;
	const char *list;
	const char *name;
};

__attribute__((format(printf, 2, 3))) static int
refuse(const struct place *place, const char *format, ...)
{
	char what[400];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (place->list)
		say_error("%s: %s '%s': %s", place->file, place->list,
			  place->name, what);
	else
		say_error("%s: %s", place->file, what);
	return -1;
}

json_t *model_json_load(const char *file)
{
	json_error_t error;
	json_t *document;

	errno = 0;
	document = json_load_file(file, JSON_REJECT_DUPLICATES, &error);
	if (!document && error.line <= 0)
		say_error("cannot read the metric file '%s': %s", file,
			  error.text);
	else if (!document)
		say_error("%s: line %d, column %d: %s", file, error.line,
			  error.column, error.text);
	if (!document || json_is_object(document))
		return document;
	say_error("%s: it is no metric file: not a JSON object", file);
	json_decref(document);
	return NULL;
}

/* Warns of members that nobody reads.  @known: names, each followed by a blank. */
static void check_members(const struct place *place, const json_t *object,
			  const char *known)
{
	const char *key, *at;
	json_t *value;
	size_t length;

	json_object_foreach((json_t *)object, key, value)
	{
		length = strlen(key);
		for (at = known; at; at = strchr(at, ' ')) {
			at += *at == ' ';
			if (!strncmp(at, key, length) && at[length] == ' ')
				break;
		}
		if (!at && *key != '$')
			say_warning(
				"%s: %s '%s': '%s' is not known, and is ignored",
				place->file,
				place->list ? place->list : "the file",
				place->name ? place->name : "", key);
	}
}

/* Reads a text; a @required one that is missing is an error. */
static int read_text(const struct place *place, const json_t *object,
		     const char *key, bool required, char **text)
{
	const json_t *value = json_object_get(object, key);

	if (!value && !required)
		return 0;
	if (!value)
		return refuse(place, "'%s' is missing", key);
	if (!json_is_string(value) || !json_string_length(value))
		return refuse(place, "'%s' is not a text", key);
	*text = strdup(json_string_value(value));
	return *text ? 0 : refuse(place, "out of memory");
}

static int read_small(const struct place *place, const json_t *object,
		      const char *key, unsigned int *number)
{
	const json_t *value = json_object_get(object, key);

	if (!value)
		return 0;
	if (!json_is_integer(value) || json_integer_value(value) < 1 ||
	    json_integer_value(value) > 16)
		return refuse(place, "'%s' is not a number from 1 to 16", key);
	*number = json_integer_value(value);
	return 0;
}

static int read_names(const struct place *place, const json_t *object,
		      const char *key, struct metric_names *names)
{
	const json_t *list = json_object_get(object, key), *name;
	size_t i;

	if (!list)
		return 0;
	if (!json_is_array(list))
		return refuse(place, "'%s' is not a list of names", key);
	names->list = calloc(json_array_size(list) + 1, sizeof(*names->list));
	if (!names->list)
		return refuse(place, "out of memory");
	json_array_foreach((json_t *)list, i, name)
	{
		if (!json_is_string(name))
			return refuse(place, "'%s' is not a list of names",
				      key);
		names->list[i] = strdup(json_string_value(name));
		if (!names->list[i])
			return refuse(place, "out of memory");
		names->count++;
	}
	return 0;
}

static int read_formula(const struct place *place, const char *key,
			const char *text, struct formula **formula)
{
	char why[300];

	if (!text)
		return 0;
	*formula = formula_parse(text, why, sizeof(why));
	if (*formula)
		return 0;
	return refuse(place, "'%s': %s: %.*s%s", key, why, FORMULA_SHOWN, text,
		      strlen(text) > FORMULA_SHOWN ? "..." : "");
}

static int read_event(struct place *place, const char *name,
		      const json_t *object, struct metric_event *event)
{
	place->name = name;
	if (!json_is_object(object))
		return refuse(place, "not an object");
	check_members(place, object, "event description ");
	event->name = strdup(name);
	if (!event->name)
		return refuse(place, "out of memory");
	if (read_text(place, object, "event", true, &event->event))
		return -1;
	return read_text(place, object, "description", false,
			 &event->description);
}

static int read_events(struct metric_model *model, const json_t *document)
{
	struct place place = { model->file, "event", NULL };
	json_t *events = json_object_get(document, "events"), *event;
	const char *name;

	if (!json_is_object(events))
		return refuse(&(struct place){ .file = model->file },
			      "'events' is not an object");
	model->events =
		calloc(json_object_size(events) + 1, sizeof(*model->events));
	if (!model->events)
		return refuse(&place, "out of memory");
	json_object_foreach(
		events, name,
		event) if (read_event(&place, name, event,
				      &model->events
					       [model->num_events++])) return -1;
	return 0;
}

static int read_constant(struct place *place, const char *name,
			 const json_t *value, struct metric_constant *constant)
{
	place->name = name;
	constant->name = strdup(name);
	if (!constant->name)
		return refuse(place, "out of memory");
	constant->known = json_is_number(value);
	constant->value = json_number_value(value);
	if (constant->known)
		return 0;
	if (!json_is_string(value))
		return refuse(place, "neither a number nor the name of one");
	constant->source = strdup(json_string_value(value));
	return constant->source ? 0 : refuse(place, "out of memory");
}

static int read_constants(struct metric_model *model, const json_t *document)
{
	struct place place = { model->file, "constant", NULL };
	json_t *constants = json_object_get(document, "constants"), *value;
	const char *name;

	if (!constants)
		return 0;
	if (!json_is_object(constants))
		return refuse(&(struct place){ .file = model->file },
			      "'constants' is not an object");
	model->constants = calloc(json_object_size(constants) + 1,
				  sizeof(*model->constants));
	if (!model->constants)
		return refuse(&place, "out of memory");
	json_object_foreach(constants, name, value) if (
		read_constant(
			&place, name, value,
			&model->constants[model->num_constants++])) return -1;
	return 0;
}

static int read_group(struct place *place, const json_t *object,
		      struct metric_group *group)
{
	place->name = "";
	if (!json_is_object(object))
		return refuse(place, "not an object");
	if (read_text(place, object, "name", true, &group->name))
		return -1;
	place->name = group->name;
	check_members(place, object, "name title description stage ");
	if (read_text(place, object, "title", true, &group->title) ||
	    read_text(place, object, "description", false, &group->description))
		return -1;
	return read_small(place, object, "stage", &group->stage);
}

static int read_metric(struct place *place, const json_t *object,
		       struct metric *metric)
{
	place->name = "";
	if (!json_is_object(object))
		return refuse(place, "not an object");
	if (read_text(place, object, "name", true, &metric->name))
		return -1;
	place->name = metric->name;
	check_members(
		place, object,
		"name title groups level parent unit description formula threshold next ");
	if (read_text(place, object, "title", true, &metric->title) ||
	    read_text(place, object, "unit", true, &metric->unit) ||
	    read_text(place, object, "formula", true, &metric->text) ||
	    read_text(place, object, "threshold", false,
		      &metric->threshold_text) ||
	    read_text(place, object, "description", false,
		      &metric->description) ||
	    read_text(place, object, "parent", false, &metric->parent_name) ||
	    read_small(place, object, "level", &metric->level) ||
	    read_names(place, object, "groups", &metric->groups) ||
	    read_names(place, object, "next", &metric->next))
		return -1;
	if (read_formula(place, "formula", metric->text, &metric->formula))
		return -1;
	return read_formula(place, "threshold", metric->threshold_text,
			    &metric->threshold);
}

/* Reads the groups and metrics. */
static int read_lists(struct metric_model *model, const json_t *document)
{
	struct place place = { model->file, "group", "" };
	json_t *groups = json_object_get(document, "groups");
	json_t *metrics = json_object_get(document, "metrics"), *object;
	size_t i;

	if (!json_is_array(groups) || !json_is_array(metrics))
		return refuse(&(struct place){ .file = model->file },
			      "'groups' or 'metrics' is not a list");
	model->groups =
		calloc(json_array_size(groups) + 1, sizeof(*model->groups));
	model->metrics =
		calloc(json_array_size(metrics) + 1, sizeof(*model->metrics));
	if (!model->groups || !model->metrics)
		return refuse(&place, "out of memory");
	json_array_foreach(
		groups, i,
		object) if (read_group(&place, object,
				       &model->groups
						[model->num_groups++])) return -1;
	place.list = "metric";
	json_array_foreach(metrics, i, object) if (
		read_metric(&place, object,
			    &model->metrics[model->num_metrics++])) return -1;
	return 0;
}

static int read_model(struct metric_model *model, const json_t *document)
{
	struct place place = { .file = model->file };
	const json_t *schema = json_object_get(document, "schema");

	if (!json_is_integer(schema) || json_integer_value(schema) != SCHEMA)
		return refuse(
			&place,
			"'schema' is not %d, the format that this pfmon reads",
			SCHEMA);
	check_members(
		&place, document,
		"schema model title pmu source match generic constants events groups metrics ");
	model->generic = json_is_true(json_object_get(document, "generic"));
	if (read_text(&place, document, "model", true, &model->name) ||
	    read_text(&place, document, "title", true, &model->title) ||
	    read_text(&place, document, "pmu", false, &model->pmu) ||
	    read_text(&place, document, "source", false, &model->source) ||
	    read_events(model, document) || read_constants(model, document) ||
	    read_lists(model, document))
		return -1;
	return model_resolve(model) || metric_needs_find(model) ? -1 : 0;
}

struct metric_model *model_json_read(const char *file, const json_t *document)
{
	struct metric_model *model = calloc(1, sizeof(*model));

	if (model)
		model->file = strdup(file);
	if (!model || !model->file) {
		say_error("out of memory for the metrics");
		free(model);
		return NULL;
	}
	if (!read_model(model, document))
		return model;
	model_free(model);
	return NULL;
}

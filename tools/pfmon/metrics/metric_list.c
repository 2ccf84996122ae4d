// SPDX-License-Identifier: GPL-2.0-only
/*
 * Describes metrics: name, unit, formula, events.
 */
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/json_writer.h"
#include "base/message.h"
#include "base/spelling.h"
#include "metrics/metric_forms.h"
#include "metrics/model.h"
#include "metrics/model_find.h"
#include "options/options.h"

static bool matches(const regex_t *regex, const struct metric *metric)
{
	unsigned int i;

	if (!regexec(regex, metric->name, 0, NULL, 0) ||
	    !regexec(regex, metric->title, 0, NULL, 0))
		return true;
	for (i = 0; i < metric->groups.count; i++)
		if (!regexec(regex, metric->groups.list[i], 0, NULL, 0))
			return true;
	return false;
}

static void print_names(const char *label, const struct metric_names *names)
{
	unsigned int i;

	if (!names->count)
		return;
	printf("    %-9s", label);
	for (i = 0; i < names->count; i++)
		printf("%s%s", i ? ", " : "", names->list[i]);
	putchar('\n');
}

static void print_metric(const struct metric_model *model,
			 const struct metric *metric)
{
	unsigned int i;

	printf("%s\n    title    %s\n", metric->name, metric->title);
	if (metric->level)
		printf("    level    %u%s%s\n", metric->level,
		       metric->parent ? " below " : "",
		       metric->parent ? metric->parent->name : "");
	printf("    unit     %s\n    formula  %s\n", metric->unit,
	       metric->text);
	if (metric->threshold)
		printf("    look at  %s\n", metric->threshold_text);
	print_names("groups", &metric->groups);
	print_names("next", &metric->next);
	for (i = 0; i < model->num_events; i++)
		if (metric->uses[i])
			printf("    event    %s: %s\n", model->events[i].name,
			       model->events[i].event);
	if (metric->description)
		printf("    %s\n", metric->description);
}

static void write_names(struct json *json, const char *key,
			const struct metric_names *names)
{
	unsigned int i;

	jsonw_line_array(json, key);
	for (i = 0; i < names->count; i++)
		jsonw_string(json, NULL, names->list[i]);
	jsonw_close(json);
}

static void write_optional(struct json *json, const char *key, const char *text)
{
	if (text)
		jsonw_string(json, key, text);
}

static void write_metric(struct json *json, const struct metric_model *model,
			 const struct metric *metric)
{
	unsigned int i;

	jsonw_object(json, NULL);
	jsonw_string(json, "name", metric->name);
	jsonw_string(json, "title", metric->title);
	if (metric->level)
		jsonw_uint(json, "level", metric->level);
	write_optional(json, "parent", metric->parent_name);
	jsonw_string(json, "unit", metric->unit);
	jsonw_string(json, "formula", metric->text);
	write_optional(json, "threshold", metric->threshold_text);
	write_names(json, "groups", &metric->groups);
	write_names(json, "next", &metric->next);
	jsonw_line_object(json, "events");
	for (i = 0; i < model->num_events; i++)
		if (metric->uses[i])
			jsonw_string(json, model->events[i].name,
				     model->events[i].event);
	jsonw_close(json);
	write_optional(json, "description", metric->description);
	jsonw_close(json);
}

/* Prints the metrics that match.  Returns their number. */
static unsigned int print_all(const struct metric_model *model,
			      const regex_t *regex, struct json *json)
{
	unsigned int i, count = 0;

	for (i = 0; i < model->num_metrics; i++) {
		if (!matches(regex, &model->metrics[i]))
			continue;
		if (json)
			write_metric(json, model, &model->metrics[i]);
		else
			print_metric(model, &model->metrics[i]);
		count++;
	}
	return count;
}

static unsigned int write_all(const struct metric_model *model,
			      const regex_t *regex)
{
	struct json json;
	unsigned int count;

	jsonw_begin(&json, stdout);
	jsonw_string(&json, "model", model->name);
	jsonw_string(&json, "title", model->title);
	jsonw_array(&json, "metrics");
	count = print_all(model, regex, &json);
	jsonw_close(&json);
	jsonw_finish(&json);
	return count;
}

static int refuse_pattern(const struct metric_model *model, const char *pattern)
{
	struct spelling spelling;
	unsigned int i;

	spelling_begin(&spelling, pattern);
	for (i = 0; i < model->num_metrics; i++)
		spelling_consider(&spelling, model->metrics[i].name);
	for (i = 0; i < model->num_groups; i++)
		spelling_consider(&spelling, model->groups[i].name);
	say_error("no metric of %s matches '%s'%s%s%s", model->title, pattern,
		  spelling.closest ? "; did you mean '" : "",
		  spelling.closest ? spelling.closest : "",
		  spelling.closest ? "'?" : "");
	return -1;
}

static int list_model(const struct options *options,
		      const struct metric_model *model)
{
	const char *pattern = options->pattern ? options->pattern : "";
	unsigned int count;
	char reason[256];
	regex_t regex;
	int err;

	err = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB | REG_ICASE);
	if (err) {
		regerror(err, &regex, reason, sizeof(reason));
		say_error(
			"--list-metrics: '%s' is not a regular expression: %s",
			pattern, reason);
		return -1;
	}
	if (options->format == OUTPUT_JSON)
		count = write_all(model, &regex);
	else
		count = print_all(model, &regex, NULL);
	regfree(&regex);
	return count ? 0 : refuse_pattern(model, pattern);
}

int metric_list(const struct options *options, struct machine *machine)
{
	struct metric_model *model;
	int err;

	model = model_find(machine, options->metrics.pmu, options->metrics.file,
			   false, NULL);
	if (!model)
		return -1;
	if (options->format != OUTPUT_JSON)
		printf("# metrics of %s (--pmu=%s)\n", model->title,
		       model->name);
	err = list_model(options, model);
	model_free(model);
	return err;
}

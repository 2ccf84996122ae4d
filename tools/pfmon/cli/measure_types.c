// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics of a machine whose CPUs are of several types, such as big.LITTLE.  Each type is measured
 * by a command line of its own, which names its CPUs, and has a model, a plan and events of its own.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "cli/measure_types.h"
#include "cli/parse.h"
#include "events/event_parse.h"
#include "metrics/model_find.h"
#include "options/options.h"
#include "session/core_types.h"

#define TYPES_MAX 8

/* Why these CPUs cannot be measured together; NULL they can. */
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

/* Parses the command line once more, for the CPUs of a type. */
static int parse_for(struct core_type *type, char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	/* getopt_long() begins again. */
	optind = 0;
	if (options_parse(&type->options, argc, argv))
		return -1;
	cpu_list_format(&type->cpus, type->list, sizeof(type->list));
	type->options.scope.cpu_list = type->list;
	return 0;
}

static int make_types(struct options *options, const struct cpu_list *cpus,
		      unsigned int count)
{
	struct core_types *types = calloc(1, sizeof(*types));
	int err = 0;

	options->types = types;
	if (types)
		types->list = calloc(count, sizeof(*types->list));
	if (!types || !types->list) {
		say_error("out of memory for the types of CPUs");
		return -1;
	}
	for (; !err && types->count < count; types->count++) {
		types->list[types->count].cpus = cpus[types->count];
		err = parse_for(&types->list[types->count], options->argv);
	}
	return err;
}

int measure_types_find(struct options *options)
{
	const char *what = no_place_for_types(options);
	struct cpu_list cpus[TYPES_MAX];
	char first[256], second[256];
	unsigned int count;

	if (options->scope.scope != SCOPE_SYSTEM || options->scope.cpu_list ||
	    options->metrics.pmu || options->metrics.file)
		return 0;
	count = model_find_types(cpus, TYPES_MAX);
	if (!count)
		return 0;
	if (!what)
		return make_types(options, cpus, count);
	say_error(
		"CPUs of different types (%s, %s) are measured apart, which %s cannot show; name those of one type (--cpu-list), or have text or JSON at the end",
		cpu_list_format(&cpus[0], first, sizeof(first)),
		cpu_list_format(&cpus[1], second, sizeof(second)), what);
	return -1;
}

void measure_types_free(struct core_types *types)
{
	unsigned int i;

	if (!types)
		return;
	for (i = 0; i < types->count; i++) {
		events_free(&types->list[i].events);
		options_free(&types->list[i].options);
	}
	free(types->list);
	free(types);
}

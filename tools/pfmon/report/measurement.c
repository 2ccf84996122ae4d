// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts and metrics that were written before, of one run or of several.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/message.h"
#include "report/measurement.h"

static int no_memory(void)
{
	say_error("out of memory for the counts");
	return -1;
}

size_t series_name_length(const char *name, const char **levels)
{
	size_t length = strlen(name), all = length;

	while (length && strchr("ukh", name[length - 1]))
		length--;
	/* Levels follow the slash of cpu/.../ immediately, and otherwise a colon. */
	if (length && length < all && strchr(":/", name[length - 1])) {
		*levels = name + length;
		return name[length - 1] == ':' ? length - 1 : length;
	}
	*levels = "";
	return all;
}

bool series_is_whole(const struct series_key *key)
{
	return !key->program && key->cpu == SERIES_NO_CPU && !key->group &&
	       !key->interval;
}

const char *series_group(const char *kind, long core, long socket, long node,
			 char *room)
{
	if (!strcmp(kind, "core"))
		snprintf(room, SERIES_GROUP_ROOM, "CORE%ld.%ld", socket, core);
	else if (!strcmp(kind, "socket"))
		snprintf(room, SERIES_GROUP_ROOM, "SOCKET%ld", socket);
	else if (!strcmp(kind, "node"))
		snprintf(room, SERIES_GROUP_ROOM, "NODE%ld", node);
	else
		return NULL;
	return room;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_key(const struct series_key *a, const struct series_key *b)
{
	return a->kind == b->kind && a->cpu == b->cpu &&
	       a->interval == b->interval && same_text(a->group, b->group) &&
	       !strcasecmp(a->name, b->name) && !strcmp(a->levels, b->levels) &&
	       !strcmp(a->unit, b->unit) && same_text(a->program, b->program);
}

/* Without levels: those of metrics are known when everything has been read. */
static uint64_t hash_of(const struct series_key *key)
{
	uint64_t hash = hash_mix(key->kind, key->cpu);
	const char *name;

	hash = hash_mix(hash, key->interval);
	for (name = key->name; *name; name++)
		hash = hash_mix(hash, tolower((unsigned char)*name));
	if (key->group)
		hash = hash_mix(hash, hash_text(key->group));
	return key->program ? hash_mix(hash, hash_text(key->program)) : hash;
}

struct series *measurement_find(const struct measurement *measurement,
				const struct series_key *key)
{
	uint32_t number = hash_find(&measurement->table, hash_of(key));

	for (; number; number = hash_next(&measurement->table, number))
		if (same_key(&measurement->list[number - 1].key, key))
			return &measurement->list[number - 1];
	return NULL;
}

static void free_series(struct series *series)
{
	free((char *)series->key.program);
	free((char *)series->key.group);
	free((char *)series->key.name);
	free((char *)series->key.levels);
	free((char *)series->key.unit);
}

/* Finds a series, or adds it. */
static struct series *take_series(struct measurement *measurement,
				  const struct series_key *key)
{
	struct series *series = measurement_find(measurement, key);
	struct series new = { .key = *key };

	if (series)
		return series;
	new.key.program = key->program ? strdup(key->program) : NULL;
	new.key.group = key->group ? strdup(key->group) : NULL;
	new.key.name = strdup(key->name);
	new.key.levels = strdup(key->levels);
	new.key.unit = strdup(key->unit);
	if ((key->program && !new.key.program) ||
	    (key->group && !new.key.group) || !new.key.name ||
	    !new.key.levels || !new.key.unit ||
	    array_reserve(&measurement->list, sizeof(*measurement->list),
			  &measurement->room, measurement->count + 1) ||
	    hash_add(&measurement->table, hash_of(key))) {
		free_series(&new);
		no_memory();
		return NULL;
	}
	measurement->list[measurement->count] = new;
	return &measurement->list[measurement->count++];
}

/* A sum of which a part is missing is a lower bound. */
static void add_part(struct series *series, const struct series_value *value)
{
	struct series_value *run = &series->run;

	if (!series->parts++) {
		*run = *value;
		return;
	}
	run->low |= value->low || value->known != run->known;
	run->known |= value->known;
	run->value += value->known ? value->value : 0;
	run->whole &= value->whole;
	if (value->scaled)
		run->bounded = value->bounded && (!run->scaled || run->bounded);
	run->scaled |= value->scaled;
	/* Errors of different tasks and CPUs are independent. */
	run->bound = hypot(run->bound, value->bound);
}

int measurement_add(struct measurement *measurement,
		    const struct series_key *key,
		    const struct series_value *value)
{
	struct series *series = take_series(measurement, key);

	if (!series)
		return -1;
	series->present = true;
	add_part(series, value);
	return 0;
}

bool measurement_has(const struct measurement *measurement,
		     const struct series_key *key)
{
	const struct series *series = measurement_find(measurement, key);

	return series && series->present;
}

/* Without keeping the values, and without the difference of large squares. */
static void take_run(struct series *series)
{
	const struct series_value *run = &series->run;
	struct difference_side *side = &series->side;
	double delta = run->value - side->mean;

	/* Metrics of several tasks do not add up. */
	if (!run->known ||
	    (series->key.kind != SERIES_EVENT && series->parts > 1))
		return;
	series->whole = run->whole && (series->whole || !side->runs);
	side->runs++;
	side->mean += delta / side->runs;
	series->squares += delta * (run->value - side->mean);
	side->low |= run->low;
	side->scaled |= run->scaled;
	series->bounded += !run->scaled || run->bounded;
	if (run->scaled && run->bounded)
		series->bounds += run->bound * run->bound;
}

void measurement_end_run(struct measurement *measurement)
{
	bool any = false;
	size_t i;

	for (i = 0; i < measurement->count; i++) {
		struct series *series = &measurement->list[i];

		if (!series->present)
			continue;
		any = true;
		take_run(series);
		series->present = false;
		series->parts = 0;
	}
	measurement->runs += any;
}

int measurement_summarize(struct measurement *measurement,
			  const struct series_key *key,
			  const struct difference_side *side, bool whole)
{
	struct series *series = take_series(measurement, key);

	if (!series)
		return -1;
	series->side = *side;
	series->whole = whole;
	series->summary = true;
	return 0;
}

static void finish_series(struct series *series)
{
	struct difference_side *side = &series->side;

	if (series->summary)
		return;
	if (side->runs > 1)
		side->deviation = sqrt(series->squares / (side->runs - 1));
	side->bounded = side->scaled && series->bounded == side->runs;
	if (side->bounded)
		side->bound = sqrt(series->bounds / side->runs);
}

/*
 * The levels of all events that have levels; NULL if they differ.  Metrics are made of events of these
 * levels.
 */
static const char *common_levels(const struct measurement *measurement)
{
	const char *levels = "";
	size_t i;

	for (i = 0; i < measurement->count; i++) {
		const char *other = measurement->list[i].key.levels;

		if (!*other)
			continue;
		if (*levels && strcmp(levels, other))
			return NULL;
		levels = other;
	}
	return levels;
}

static int level_metrics(struct measurement *measurement)
{
	const char *levels = common_levels(measurement);
	size_t i;

	for (i = 0; levels && i < measurement->count; i++) {
		struct series_key *key = &measurement->list[i].key;
		char *copy;

		if (key->kind != SERIES_METRIC || *key->levels)
			continue;
		copy = strdup(levels);
		if (!copy)
			return no_memory();
		free((char *)key->levels);
		key->levels = copy;
	}
	return 0;
}

int measurement_finish(struct measurement *measurement)
{
	bool any = false;
	size_t i;

	measurement_end_run(measurement);
	for (i = 0; i < measurement->count; i++) {
		finish_series(&measurement->list[i]);
		any |= measurement->list[i].key.kind != SERIES_TIME;
	}
	if (!any) {
		say_error(
			"%s has no counts; 'pfmon stat --json' and 'pfmon stat --csv' write them",
			measurement->name);
		return -1;
	}
	return level_metrics(measurement);
}

void measurement_free(struct measurement *measurement)
{
	size_t i;

	for (i = 0; i < measurement->count; i++)
		free_series(&measurement->list[i]);
	free(measurement->list);
	hash_free(&measurement->table);
	free(measurement->model);
	free(measurement->scope);
}

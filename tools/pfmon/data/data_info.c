// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the document that begins pfmon.data.
 *
 * Its members have names, so that a later version may add some, and a person may read them.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "data/data_info.h"

/* A string that is missing is empty. */
static const char *get_text(const json_t *from, const char *key)
{
	const char *text = json_string_value(json_object_get(from, key));

	return text ? text : "";
}

/* A number that is missing, or negative, is 0. */
static uint64_t get_number(const json_t *from, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(from, key));

	return value > 0 ? value : 0;
}

static bool get_bool(const json_t *from, const char *key)
{
	return json_is_true(json_object_get(from, key));
}

static char **get_words(const json_t *from, const char *key)
{
	const json_t *list = json_object_get(from, key);
	char **words = calloc(json_array_size(list) + 1, sizeof(*words));
	const char *word;
	size_t i, n = 0;

	for (i = 0; words && i < json_array_size(list); i++) {
		word = json_string_value(json_array_get(list, i));
		if (word)
			words[n++] = (char *)word;
	}
	return words;
}

static int read_event(struct data_info *info, const json_t *from)
{
	struct event *event = &info->events.list[info->events.count];
	struct periods *periods = &info->periods;
	struct period *period = &periods->list[periods->count];

	event->name = (char *)get_text(from, "name");
	event->label = (char *)get_text(from, "label");
	event->canonical = event->name;
	event->pmd = get_number(from, "pmd");
	if (!*event->name || !*event->label)
		return -1;
	period->between = get_number(from, "period");
	if (period->between) {
		period->event = info->events.count;
		period->pmd = event->pmd;
		period->first = get_number(from, "first_period");
		period->mask = get_number(from, "random_mask");
		period->frequency = get_number(from, "adapted");
		period->measured = json_is_true(json_object_get(from, "measured"));
		if (!strncmp(event->name, PERIOD_IBS_OP, strlen(PERIOD_IBS_OP)))
			period->exact = UINT64_MAX;
		periods->count++;
	}
	info->events.count++;
	return 0;
}

static int read_values(struct data_info *info)
{
	const json_t *list = json_object_get(info->root, "values");
	struct periods *periods = &info->periods;
	size_t i, k;

	if (json_array_size(list) > PFM_REGS_MAX)
		return -1;
	for (i = 0; i < json_array_size(list); i++) {
		periods->carried[i] =
			json_integer_value(json_array_get(list, i));
		periods->carried_event[i] = -1;
		for (k = 0; k < info->events.count; k++)
			if (info->events.list[k].pmd == periods->carried[i])
				periods->carried_event[i] = k;
	}
	periods->num_carried = i;
	return 0;
}

static int read_events(struct data_info *info)
{
	const json_t *list = json_object_get(info->root, "events");
	size_t count = json_array_size(list), i;

	info->events.list = calloc(count + 1, sizeof(*info->events.list));
	info->periods.list = calloc(count + 1, sizeof(*info->periods.list));
	if (!info->events.list || !info->periods.list)
		return -1;
	info->events.num_sets = 1;
	for (i = 0; i < count; i++)
		if (read_event(info, json_array_get(list, i)))
			return -1;
	return info->periods.count ? read_values(info) : -1;
}

static int read_scope(struct data_info *info)
{
	const char *text = get_text(info->root, "scope");
	unsigned int i;

	for (i = 0; i <= SCOPE_SYSTEM; i++) {
		if (strcmp(text, data_scope_names[i]))
			continue;
		info->scope = i;
		return 0;
	}
	return -1;
}

int data_info_read(struct data_info *info, const char *text, size_t size)
{
	memset(info, 0, sizeof(*info));
	info->root = json_loadb(text, size, 0, NULL);
	if (!info->root)
		return -1;
	info->host = get_text(info->root, "host");
	info->machine = get_text(info->root, "machine");
	info->kernel = get_text(info->root, "kernel");
	info->boot = get_text(info->root, "boot");
	info->pfmon = get_text(info->root, "pfmon");
	info->began = get_number(info->root, "began");
	info->parent = get_number(info->root, "parent");
	info->follow = get_bool(info->root, "follow");
	info->stacks = get_bool(info->root, "stacks");
	info->exact = get_bool(info->root, "exact_mappings");
	info->parts = get_number(info->root, "parts");
	info->frequency = get_number(info->root, "frequency");
	info->argv = get_words(info->root, "argv");
	info->command = get_words(info->root, "command");
	if (!info->argv || !info->command)
		return -1;
	if (!*info->command) {
		free(info->command);
		info->command = NULL;
	}
	return read_scope(info) || read_events(info) ? -1 : 0;
}

void data_info_free(struct data_info *info)
{
	json_decref(info->root);
	free(info->argv);
	free(info->command);
	free(info->events.list);
	free(info->periods.list);
	memset(info, 0, sizeof(*info));
}

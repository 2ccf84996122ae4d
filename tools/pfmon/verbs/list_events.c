// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the events of a list: names that are the same on every machine, and those of this one.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "verbs/list.h"

/* The library's search takes these for the same, too. */
static int fold(char c)
{
	return c == '-' || c == '.' ? '_' : tolower((unsigned char)c);
}

static bool contains(const char *text, const char *word, size_t length)
{
	size_t i;

	for (; text && *text; text++) {
		for (i = 0; i < length && fold(text[i]) == fold(word[i]); i++)
			;
		if (i == length)
			return true;
	}
	return false;
}

/*
 * pfm_event_search() does not visit names that the machine lacks, and has no word for what a name
 * stands for.
 */
static bool matches(const struct list *list, const struct pfm_event_name *name)
{
	const char *word = list->words;
	size_t length;

	while (*(word += strspn(word, " "))) {
		length = strcspn(word, " ");
		if (!contains(name->name, word, length) &&
		    !contains(name->alias, word, length) &&
		    !contains(name->desc, word, length) &&
		    !contains(name->is, word, length))
			return false;
		word += length;
	}
	return true;
}

static void add(struct list *list, const struct list_entry *entry)
{
	if (!(list->groups & 1u << entry->group))
		return;
	if (entry->here || list->all)
		list_print(list, entry);
	else
		list->lacking++;
}

/* Their registers are not listed again. */
static void remember(struct list *list, const struct pfm_event_name *name)
{
	const size_t room = sizeof(list->counted) / sizeof(list->counted[0]);

	if (name->group == PFM_NAME_SOFTWARE && *name->is &&
	    list->num_counted < room)
		snprintf(list->counted[list->num_counted++],
			 sizeof(list->counted[0]), "%s", name->is);
}

static bool is_remembered(const struct list *list, const char *name)
{
	unsigned int i;

	for (i = 0; i < list->num_counted; i++)
		if (!strcasecmp(list->counted[i], name))
			return true;
	return false;
}

/* A name of this processor's table needs no table before it. */
static const char *without_table(const struct list *list, const char *is)
{
	const char *table = pfm_event_table(list->map);
	size_t length = strlen(table);

	return length && !strncmp(is, table, length) &&
			       !strncmp(is + length, "::", 2)
		       ? is + length + 2
		       : is;
}

static int see_name(const struct pfm_event_name *name, void *arg)
{
	static const enum list_group groups[] = {
		[PFM_NAME_HARDWARE] = LIST_HARDWARE,
		[PFM_NAME_CACHE] = LIST_CACHE,
		[PFM_NAME_TOPDOWN] = LIST_SLOTS,
		[PFM_NAME_SOFTWARE] = LIST_SOFTWARE,
	};
	struct list *list = arg;
	struct list_entry entry = {
		.table = "",
		.source = "",
		.name = name->name,
		.alias = name->alias,
		.desc = name->desc,
		.code = name->code,
		.here = name->flags & PFM_NAMEF_HERE,
		.perf_only = name->flags & PFM_NAMEF_PERF_ONLY,
	};

	remember(list, name);
	if (name->group >= sizeof(groups) / sizeof(groups[0]) ||
	    !matches(list, name))
		return 0;
	entry.group = groups[name->group];
	entry.has_code = entry.here && entry.group != LIST_SOFTWARE;
	/* Without kernel modules nothing is known of the processor's counters. */
	if (!list->map)
		entry.here = entry.group != LIST_SOFTWARE;
	entry.is = without_table(list, name->is);
	if (!strcasecmp(entry.is, name->name))
		entry.is = "";
	add(list, &entry);
	return 0;
}

static int see_event(const struct pfm_event_desc *desc, void *arg)
{
	struct list *list = arg;
	struct list_entry entry = {
		.group = desc->kind == PFM_EVENT_VIRTUAL ? LIST_SOFTWARE
			 : desc->kind == PFM_EVENT_UNIT	 ? LIST_IBS
							 : LIST_PMU,
		.table = desc->pmu,
		.source = pfm_event_source(list->map, desc->pmu),
		.name = desc->name,
		.alias = desc->equiv,
		.is = "",
		.desc = desc->desc,
		.has_code = desc->kind == PFM_EVENT_HARDWARE,
		.code = desc->code,
		.here = desc->kind != PFM_EVENT_HARDWARE ||
			pfm_event_implemented(list->map, desc->code) !=
				PFM_IMPLEMENTED_NO,
		.umasks = desc->umasks,
		.num_umasks = desc->num_umasks,
	};

	/* Those were visited as names, which have more to say. */
	if (desc->flags & PFM_EVENTF_GENERIC ||
	    (entry.group == LIST_SOFTWARE && is_remembered(list, desc->name)))
		return 0;
	add(list, &entry);
	return 0;
}

int list_events(struct list *list)
{
	int err = pfm_event_for_each_name(list->map, see_name, list);

	if (err)
		return err;
	return *list->words ? pfm_event_search(list->map, list->words,
					       see_event, list)
			    : pfm_event_for_each(list->map, see_event, list);
}

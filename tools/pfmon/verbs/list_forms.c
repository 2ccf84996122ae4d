// SPDX-License-Identifier: GPL-2.0-only
/*
 * The forms of a list of events: text, CSV, JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/pager.h"
#include "base/quoting.h"
#include "base/version.h"
#include "verbs/list.h"

#define SCHEMA_VERSION 1

/* Column where descriptions begin. */
#define DESC_COLUMN 34

/* Narrower terminals are not taken care of. */
#define COLUMNS_MIN 60

static const struct {
	const char *key;
	const char *title;
} groups[] = {
	[LIST_HARDWARE] = { "hw",
			    "Hardware events, by names for all processors" },
	[LIST_CACHE] = { "cache",
			 "Caches, TLBs, branches and memory, by names for all processors" },
	[LIST_SLOTS] = { "topdown", "Slots of the pipeline" },
	[LIST_SOFTWARE] = { "sw", "Events that the kernel counts" },
	[LIST_IBS] = { "ibs", "Events of IBS" },
	[LIST_PMU] = { "pmu", "Events of the processor" },
};

unsigned int list_groups_of(const char *word)
{
	static const struct {
		const char *word;
		unsigned int groups;
	} words[] = {
		{ "hw", 1u << LIST_HARDWARE },
		{ "hardware", 1u << LIST_HARDWARE },
		{ "cache", 1u << LIST_CACHE },
		{ "hwcache", 1u << LIST_CACHE },
		{ "sw", 1u << LIST_SOFTWARE },
		{ "software", 1u << LIST_SOFTWARE },
		{ "ibs", 1u << LIST_IBS },
		{ "pmu", 1u << LIST_PMU | 1u << LIST_SLOTS | 1u << LIST_IBS },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].word, word))
			return words[i].groups;
	return 0;
}

static void print_heading(const struct list *list,
			  const struct list_entry *entry)
{
	if (list->count)
		putchar('\n');
	printf("%s (%s)", groups[entry->group].title, groups[entry->group].key);
	if (*entry->table)
		printf(", table %s, from %s", entry->table, entry->source);
	puts(":");
}

static int print_word(const char *word, size_t length)
{
	size_t i;

	/* Some tables have ends of lines in their descriptions. */
	for (i = 0; i < length; i++)
		putchar((unsigned char)word[i] < ' ' ? ' ' : word[i]);
	return (int)length;
}

/* Prints words from DESC_COLUMN on, in as many lines as they need on a terminal. */
static int print_words(const struct list *list, int column, const char *text)
{
	size_t length;

	while (*(text += strspn(text, " "))) {
		length = strcspn(text, " ");
		if (list->columns >= COLUMNS_MIN && column > DESC_COLUMN &&
		    column + 1 + length > list->columns)
			column = printf("\n%*s", DESC_COLUMN, "") - 1;
		else if (column != DESC_COLUMN)
			column += printf(" ");
		column += print_word(text, length);
		text += length;
	}
	return column;
}

static void print_text_masks(const struct list *list,
			     const struct list_entry *entry)
{
	const struct pfm_event_umask *umask;
	uint32_t i;
	int column;

	for (i = 0; i < entry->num_umasks; i++) {
		umask = &entry->umasks[i];
		if (umask->is_modifier)
			continue;
		column = printf("    %s:%s", entry->name, umask->name);
		if (column > DESC_COLUMN - 2)
			column += printf(" ");
		else
			column += printf("%*s", DESC_COLUMN - column, "");
		column = print_words(list, column, umask->desc);
		if (umask->is_default)
			print_words(list, column, "[default]");
		putchar('\n');
	}
}

static void print_text(struct list *list, const struct list_entry *entry)
{
	char note[PFM_EVENT_NAME_LEN + 32] = "";
	int column;

	if (!list->count || list->group != entry->group ||
	    strcmp(list->table, entry->table))
		print_heading(list, entry);
	column = printf("  %s%s%s", entry->name, entry->alias ? ", " : "",
			entry->alias ? entry->alias : "");
	if (column > DESC_COLUMN - 2)
		column += printf(" ");
	else
		column += printf("%*s", DESC_COLUMN - column, "");
	column = print_words(list, column, entry->desc);
	if (!entry->here)
		snprintf(note, sizeof(note), "[%s]",
			 entry->perf_only ? "only perf counts it"
					  : "not on this machine");
	else if (*entry->is)
		snprintf(note, sizeof(note), "[%s]", entry->is);
	print_words(list, column, note);
	putchar('\n');
	if (list->masks)
		print_text_masks(list, entry);
}

static void print_csv(const struct list *list, const struct list_entry *entry)
{
	if (!list->count)
		fputs("group,table,name,alias,is,code,here,description,source\r\n",
		      stdout);
	printf("%s,", groups[entry->group].key);
	csv_field_print(stdout, entry->table);
	putchar(',');
	csv_field_print(stdout, entry->name);
	putchar(',');
	csv_field_print(stdout, entry->alias ? entry->alias : "");
	putchar(',');
	csv_field_print(stdout, entry->is);
	if (entry->has_code)
		printf(",0x%" PRIx64, entry->code);
	else
		putchar(',');
	printf(",%s,", !list->map ? "" : entry->here ? "1" : "0");
	csv_field_print(stdout, entry->desc);
	putchar(',');
	csv_field_print(stdout, entry->source);
	fputs("\r\n", stdout);
}

static void write_or_null(struct json *json, const char *key, const char *value)
{
	if (value && *value)
		jsonw_string(json, key, value);
	else
		jsonw_null(json, key);
}

static void begin_json(struct list *list)
{
	struct json *json = &list->json;

	jsonw_begin(json, stdout);
	jsonw_uint(json, "schema_version", SCHEMA_VERSION);
	jsonw_string(json, "type", "list");
	jsonw_string(json, "pfmon_version", PFMON_VERSION);
	write_or_null(json, "pmu",
		      list->map ? pfm_reg_map_pmu(list->map) : NULL);
	jsonw_array(json, "events");
}

static void write_masks(struct json *json, const struct list_entry *entry)
{
	uint32_t i;

	jsonw_array(json, "umasks");
	for (i = 0; i < entry->num_umasks; i++) {
		if (entry->umasks[i].is_modifier)
			continue;
		jsonw_line_object(json, NULL);
		jsonw_string(json, "name", entry->umasks[i].name);
		jsonw_string(json, "description", entry->umasks[i].desc);
		jsonw_bool(json, "default", entry->umasks[i].is_default);
		jsonw_close(json);
	}
	jsonw_close(json);
}

static void print_json(struct list *list, const struct list_entry *entry)
{
	struct json *json = &list->json;

	if (!list->count)
		begin_json(list);
	jsonw_object(json, NULL);
	jsonw_string(json, "group", groups[entry->group].key);
	write_or_null(json, "table", entry->table);
	write_or_null(json, "source", entry->source);
	jsonw_string(json, "name", entry->name);
	write_or_null(json, "alias", entry->alias);
	write_or_null(json, "is", entry->is);
	if (entry->has_code)
		jsonw_uint(json, "code", entry->code);
	else
		jsonw_null(json, "code");
	if (list->map)
		jsonw_bool(json, "here", entry->here);
	else
		jsonw_null(json, "here");
	jsonw_string(json, "description", entry->desc);
	write_masks(json, entry);
	jsonw_close(json);
}

void list_print(struct list *list, const struct list_entry *entry)
{
	/* A list without events is an error, which needs no pager. */
	if (!list->count)
		pager_begin();
	switch (list->format) {
	case OUTPUT_JSON:
		print_json(list, entry);
		break;
	case OUTPUT_CSV:
		print_csv(list, entry);
		break;
	default:
		print_text(list, entry);
	}
	list->count++;
	list->group = entry->group;
	snprintf(list->table, sizeof(list->table), "%s", entry->table);
}

void list_end(struct list *list)
{
	if (list->format != OUTPUT_JSON)
		return;
	jsonw_close(&list->json);
	jsonw_finish(&list->json);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of events: which of them are in it, and its forms.
 */
#ifndef PFMON_VERBS_LIST_H
#define PFMON_VERBS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <perfmon/perfmon.h>

#include "base/json_writer.h"
#include "options/options.h"

struct machine;

/**
 * enum list_group - groups of events, in the order of the list
 */
enum list_group {
	LIST_HARDWARE,
	LIST_CACHE,
	LIST_SLOTS,
	LIST_SOFTWARE,
	LIST_IBS,
	LIST_PMU,
	NUM_LIST_GROUPS,
};

/**
 * struct list - the list
 * @words: words that an event must have, separated by blanks; "" for all events
 * @groups: a bit for each group that is listed
 * @all: also events that this machine lacks
 * @masks: unit masks, too; JSON has them anyway
 * @format: form of the list
 * @columns: of the terminal; 0 if the list does not go to one
 * @map: the registers; NULL without kernel modules
 * @count: events that were printed
 * @lacking: events that were left out, as this machine lacks them
 * @group: group of the last event
 * @table: table of the last event; "" if it comes from none
 * @json: the document, if that is the form
 * @counted: registers of the kernel that names stand for
 * @num_counted: elements of @counted
 */
struct list {
	const char *words;
	unsigned int groups;
	bool all;
	bool masks;
	enum output_format format;
	unsigned int columns;
	const struct pfm_reg_map *map;
	unsigned int count;
	unsigned int lacking;
	enum list_group group;
	char table[64];
	struct json json;
	char counted[32][PFM_EVENT_NAME_LEN];
	unsigned int num_counted;
};

/**
 * struct list_entry - an event
 * @group: its group
 * @table: table that it comes from; "" if it comes from none
 * @source: what that table was made from; "" without one
 * @name: its name
 * @alias: another name of it; NULL if there is none
 * @is: what the name stands for on this machine; "" if it is a name of this machine
 * @desc: what it counts
 * @has_code: @code is valid
 * @code: code of the event in the PMU
 * @here: this machine has it, or may have it as far as is known without kernel modules
 * @perf_only: only the counters of the kernel's perf have it
 * @umasks: unit masks and modifiers
 * @num_umasks: elements of @umasks
 */
struct list_entry {
	enum list_group group;
	const char *table;
	const char *source;
	const char *name;
	const char *alias;
	const char *is;
	const char *desc;
	bool has_code;
	uint64_t code;
	bool here;
	bool perf_only;
	const struct pfm_event_umask *umasks;
	uint32_t num_umasks;
};

/* list_events.c */

/*
 * Prints the events that the list asks for.  Returns 0, also if there is none, or a negative errno
 * value.
 */
int list_events(struct list *list);

/* list_forms.c */

/* Words that stand for groups, as perf list has them.  Returns bits of the groups, or 0. */
unsigned int list_groups_of(const char *word);

void list_print(struct list *list, const struct list_entry *entry);

/* The end of a list with events; a document is valid without any. */
void list_end(struct list *list);

#endif

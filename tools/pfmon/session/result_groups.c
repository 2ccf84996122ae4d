// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds up the results of a program, or of a process.
 */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "session/results.h"

/* Results of one group are next to each other; those of one process in it, too. */
static int compare_program(const void *a, const void *b)
{
	const struct result *x = *(struct result *const *)a;
	const struct result *y = *(struct result *const *)b;
	int order = strcmp(x->path, y->path);

	if (order)
		return order;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The thread that leads the process comes first: it has the name of the process. */
static int compare_process(const void *a, const void *b)
{
	const struct result *x = *(struct result *const *)a;
	const struct result *y = *(struct result *const *)b;
	bool x_leads = x->tid == x->pid, y_leads = y->tid == y->pid;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x_leads != y_leads)
		return x_leads ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The kernel has merged tasks of several processes into a result without a process id. */
static bool belongs(const struct result *group, const struct result *result,
		    enum grouping by)
{
	if (group->run != result->run)
		return false;
	if (by == GROUPING_PROGRAM)
		return !strcmp(group->path, result->path);
	return group->pid && group->pid == result->pid;
}

static void add(struct result *group, const struct result *result)
{
	counts_add(&group->counts, &result->counts);
	if (result->start < group->start)
		group->start = result->start;
	if (result->end > group->end)
		group->end = result->end;
	group->tasks += result->tasks;
	group->records += result->records;
}

/* Makes @result the first one of a group. */
static void begin(struct result *result, enum grouping by)
{
	if (by != GROUPING_PROGRAM)
		return;
	result->processes = result->pid ? 1 : result->tasks;
	result->pid = 0;
	result->tid = 0;
	result->ppid = 0;
	result->reason = PFM_RECORD_MERGED;
}

/* The largest first count comes first. */
static int compare_counts(const void *a, const void *b)
{
	const struct result *x = *(struct result *const *)a;
	const struct result *y = *(struct result *const *)b;

	if (x->counts.events[0] != y->counts.events[0])
		return x->counts.events[0] > y->counts.events[0] ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void results_group(struct results *results, enum grouping by)
{
	struct result **list = results->list, *group = NULL;
	size_t i, count = 0;
	uint32_t pid = 0;

	if ((by != GROUPING_PROGRAM && by != GROUPING_PROCESS) ||
	    !results->count)
		return;
	qsort(list, results->count, sizeof(*list),
	      by == GROUPING_PROGRAM ? compare_program : compare_process);
	for (i = 0; i < results->count; i++) {
		struct result *result = list[i];

		if (group && belongs(group, result, by)) {
			if (by == GROUPING_PROGRAM && !result->pid)
				group->processes += result->tasks;
			else if (by == GROUPING_PROGRAM && result->pid != pid)
				group->processes++;
			pid = result->pid;
			add(group, result);
			result_free(result);
			continue;
		}
		pid = result->pid;
		group = result;
		begin(group, by);
		list[count++] = group;
	}
	results->count = count;
	/* Each result was in a table by its process, which is used no more. */
	results->num_split = 0;
	hash_clear(&results->table);
	qsort(list, count, sizeof(*list), compare_counts);
}

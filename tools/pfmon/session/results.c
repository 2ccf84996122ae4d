// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes results of the kernel's records.
 *
 * The kernel closes a record when a task executes a program, and when it ends.
 * Unless each program is wanted separately, all records of a task make one
 * result, named by the last program: after an EXEC record the result of the task
 * stays in the table of open results until the next record of the task comes.
 * That record may never come, because the kernel may merge it; therefore a record
 * has to be checked for whether it belongs to a later task with the same id.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "session/results.h"

static int no_memory(void)
{
	say_error("out of memory for the results");
	return -1;
}

int results_init(struct results *results, const struct events *events,
		 const struct options *options)
{
	memset(results, 0, sizeof(*results));
	results->events = events;
	results->options = options;
	results->totals = counts_create(events);
	results->kernel = counts_create(events);
	if (!results->totals || !results->kernel)
		return no_memory();
	return 0;
}

struct result *result_create(const struct events *events, const char *path,
			     size_t length)
{
	struct result *result = calloc(1, offsetof(struct result, counts) +
						  counts_size(events));

	if (!result)
		return NULL;
	counts_init(&result->counts, events);
	result->path = strndup(path, length);
	if (result->path)
		return result;
	free(result);
	return NULL;
}

void result_free(struct result *result)
{
	if (result)
		free(result->path);
	free(result);
}

static struct result *new_result(struct results *results, const char *path,
				 size_t length)
{
	struct result *result;

	if (array_reserve(&results->list, sizeof(*results->list),
			  &results->room, results->count + 1))
		return NULL;
	result = result_create(results->events, path, length);
	if (!result)
		return NULL;
	result->order = results->count;
	result->run = results->events->run;
	results->list[results->count++] = result;
	return result;
}

/*
 * Path of the program.  A record has none if the task was attached while it ran
 * the program; then the thread's name is used.  A record that the kernel merged
 * from many programs has none either.
 */
const char *results_path(const struct pfm_record *record, size_t *length)
{
	static const char many[] = "(several programs)";

	if (record->path_len) {
		*length = record->path_len;
		return (const char *)&record->regs[record->nregs];
	}
	*length = strnlen(record->comm, sizeof(record->comm));
	if (*length)
		return record->comm;
	*length = sizeof(many) - 1;
	return many;
}

/*
 * The kernel ends one record and begins the next one without delay, but a virtual
 * machine may be suspended in between.  Ids are reused only after tens of
 * thousands of forks, which takes longer than this.
 */
#define LONGEST_GAP	1000000000ULL

/*
 * True if a task that began a program at @start continues the result.  A thread that
 * executes a program takes over the id of its process.
 */
static bool continues(uint32_t pid, uint32_t tid, uint32_t ppid, uint64_t start,
		      const struct result *result)
{
	if (pid != result->pid || ppid != result->ppid)
		return false;
	if (tid != result->tid && tid != pid)
		return false;
	return start >= result->until && start - result->until < LONGEST_GAP;
}

struct result *results_open(const struct results *results,
			    const struct result *task)
{
	struct result *result;
	uint32_t number;

	for (number = hash_find(&results->table, hash_mix(0, task->pid));
	     number; number = hash_next(&results->table, number)) {
		result = results->split[number - 1];
		if (result->open && continues(task->pid, task->tid, task->ppid,
					      task->start, result))
			return result;
	}
	return NULL;
}

/* Closes the open result that the record continues. */
static struct result *take_open(struct results *results,
				const struct pfm_record *record)
{
	const struct result task = {
		.pid = record->pid,
		.tid = record->tid,
		.ppid = record->ppid,
		.start = record->start,
	};
	struct result *result = results_open(results, &task);

	if (!result)
		return NULL;
	result->open = false;
	results->cut--;
	return result;
}

/* More records follow if this one closed one program of a living task. */
static int put_open(struct results *results, struct result *result,
		    const struct pfm_record *record)
{
	if (record->reason != PFM_RECORD_EXEC || results->options->exec_split)
		return 0;
	if (!result->entered) {
		if (array_reserve(&results->split, sizeof(*results->split),
				  &results->room_split,
				  results->num_split + 1) ||
		    hash_add(&results->table, hash_mix(0, record->pid)))
			return no_memory();
		results->split[results->num_split++] = result;
		result->entered = true;
	}
	results->cut++;
	result->until = record->end;
	result->open = true;
	return 0;
}

/*
 * Finds the result of records that the kernel merged at different times for one
 * command.
 */
static struct result *find_merged(struct results *results, const char *path,
				  size_t length)
{
	struct result *result;
	size_t i;

	for (i = 0; i < results->count; i++) {
		result = results->list[i];
		if (result->reason == PFM_RECORD_MERGED &&
		    result->run == results->events->run &&
		    strlen(result->path) == length &&
		    !memcmp(result->path, path, length))
			return result;
	}
	return NULL;
}

static int rename_result(struct result *result, const char *path, size_t length)
{
	char *copy = strndup(path, length);

	if (!copy)
		return -1;
	free(result->path);
	result->path = copy;
	return 0;
}

/* The result that the record's counts belong to.  NULL without memory. */
static struct result *result_for(struct results *results,
				 const struct pfm_record *record,
				 const char *path, size_t length)
{
	struct result *result = NULL;

	if (record->reason == PFM_RECORD_MERGED)
		result = find_merged(results, path, length);
	else if (!results->options->exec_split)
		result = take_open(results, record);
	if (!result)
		return new_result(results, path, length);
	if (rename_result(result, path, length))
		return NULL;
	return result;
}

/*
 * A record that is left out does not separate the records before and after it.
 */
static int leave_out(struct results *results, const struct pfm_record *record)
{
	struct result *result = take_open(results, record);

	results->left_out++;
	return result ? put_open(results, result, record) : 0;
}

int results_add(struct results *results, const struct pfm_record *record,
		struct result **to)
{
	struct result *result;
	const char *path;
	size_t length;

	*to = NULL;
	path = results_path(record, &length);
	if (!options_select(results->options, path, length))
		return leave_out(results, record);
	result = result_for(results, record, path, length);
	if (!result)
		return no_memory();
	if (!result->records) {
		result->start = record->start;
		result->ppid = record->ppid;
	}
	result->pid = record->pid;
	result->tid = record->tid;
	if (record->start < result->start)
		result->start = record->start;
	if (record->end > result->end)
		result->end = record->end;
	if (record->reason == PFM_RECORD_MERGED)
		result->tasks += record->tasks;
	else
		result->tasks = 1;
	result->records++;
	result->reason = record->reason;
	result->status = record->status;
	memcpy(result->comm, record->comm, sizeof(record->comm));
	/* With PFM_CTX_AGGREGATE records have no registers. */
	if (record->nregs &&
	    !sets_add(results->events, record, &result->counts))
		results->short_records++;
	*to = result;
	return put_open(results, result, record);
}

struct result *results_add_task(struct results *results, uint32_t pid,
				const char *path)
{
	struct result *result = new_result(results, path, strlen(path));
	const char *name = strrchr(path, '/');

	if (!result) {
		no_memory();
		return NULL;
	}
	name = name ? name + 1 : path;
	memcpy(result->comm, name, strnlen(name, 15));
	result->pid = pid;
	result->tid = pid;
	result->tasks = 1;
	return result;
}

bool results_have(const struct results *results, const struct result *result,
		  size_t event)
{
	return results->events->multiplexed ||
	       results->events->list[event].set == result->run;
}

/* Orders results by their end; equal times keep the order of the kernel. */
static int compare(const void *a, const void *b)
{
	const struct result *x = *(struct result *const *)a;
	const struct result *y = *(struct result *const *)b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void results_add_context(struct results *results, const struct counts *counts)
{
	size_t k;

	counts_add(results->kernel, counts);
	for (k = 0; k < counts->num_events; k++)
		if (results->events->list[k].gauge)
			results->kernel->events[k] = counts->events[k];
}

void results_finish(struct results *results)
{
	size_t i;

	if (results->count)
		qsort(results->list, results->count, sizeof(*results->list),
		      compare);
	counts_clear(results->totals);
	for (i = 0; i < results->count; i++)
		counts_add(results->totals, &results->list[i]->counts);
}

const char *results_reason(uint32_t reason)
{
	switch (reason) {
	case PFM_RECORD_EXIT:
		return "exit";
	case PFM_RECORD_EXEC:
		return "exec";
	case PFM_RECORD_UNLOAD:
		return "unload";
	case PFM_RECORD_MERGED:
		return "merged";
	case PFM_RECORD_RUNNING:
		return "running";
	default:
		return "unknown";
	}
}

void results_free(struct results *results)
{
	size_t i;

	for (i = 0; i < results->count; i++)
		result_free(results->list[i]);
	free(results->list);
	free(results->split);
	hash_free(&results->table);
	free(results->totals);
	free(results->kernel);
	memset(results, 0, sizeof(*results));
}

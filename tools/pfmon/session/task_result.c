// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only result of a session that does not follow tasks.
 */
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "session/session.h"
#include "session/task_counts.h"

/* The kernel's counts include those of other runs of the command: clear them. */
static void keep_own_counts(const struct session *session,
			    struct result *result)
{
	size_t k;

	for (k = 0; k < session->events->count; k++)
		if (!sets_count(session->events, k))
			result->counts.events[k] = 0;
}

static struct result *add_attached(struct session *session)
{
	struct process process;
	struct result *result;

	result = results_add_task(&session->results, session->task,
				  session->task_name);
	if (!result || process_read(&process, session->task))
		return result;
	result->pid = process.pid;
	result->ppid = process.ppid;
	return result;
}

int task_result_add(struct session *session)
{
	const struct child *child = &session->child;
	struct result *result;

	if (session->task)
		result = add_attached(session);
	else
		result = results_add_task(&session->results, child->pid,
					  session->options->command[0]);
	if (!result)
		return -1;
	if (!session->task)
		result->ppid = getpid();
	result->start = session->start;
	result->end = session->end;
	result->reason = PFM_RECORD_UNLOAD;
	if (child->ended) {
		result->reason = PFM_RECORD_EXIT;
		result->status = child->status;
	} else if (session->task && session->end_seen && !session->left) {
		result->reason = PFM_RECORD_EXIT;
		result->status = session->task_status;
	}
	counts_copy(&result->counts, session->results.kernel);
	keep_own_counts(session, result);
	return 0;
}

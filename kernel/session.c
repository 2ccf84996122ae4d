// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: a context is one from load to unload, or to the end of the last
 * task that it monitors.
 */
#include "session.h"

#include <linux/atomic.h>

static atomic_t task_sessions;

/** pfm_session_task_begin - a context was loaded on a thread */
void pfm_session_task_begin(void)
{
	atomic_inc(&task_sessions);
}

/** pfm_session_task_end - such a context has no task any more; any context */
void pfm_session_task_end(void)
{
	atomic_dec(&task_sessions);
}

/**
 * pfm_session_tasks - number of contexts loaded on threads
 *
 * Return: a snapshot.
 */
unsigned int pfm_session_tasks(void)
{
	return atomic_read(&task_sessions);
}

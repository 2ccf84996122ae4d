// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads what tasks have counted in an interval, from one context or from that of each
 * process.
 */
#include <string.h>

#include "events/counts.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "session/context_ioctl.h"
#include "session/members.h"
#include "session/progress.h"
#include "session/session.h"
#include "session/task_counts.h"

/* True if the kernel counts for each task that is followed. */
static bool has_rows(const struct session *session)
{
	struct pfm_config config;

	if (!session->options->follow)
		return false;
	return session->fd < 0 || pfm_ctx_get_config(session->fd, &config) ||
	       !(config.flags & PFM_CTX_AGGREGATE);
}

int task_interval_begin(struct session *session)
{
	if (!session->options->scope.interval_ns)
		return 0;
	session->progress =
		progress_create(&session->results, has_rows(session));
	session->results.progress = session->progress;
	return session->progress ? 0 : -1;
}

/* Calls a function for each context of the session. */
static int for_each_context(struct session *session,
			    int (*call)(struct session *session, int fd))
{
	const struct members *members = session->members;
	size_t i;

	if (!members)
		return call(session, session->fd);
	for (i = 0; i < members->count; i++)
		if (members->list[i].fd >= 0 &&
		    call(session, members->list[i].fd))
			return -1;
	return 0;
}

static int read_running(struct session *session, int fd)
{
	return progress_read(session->progress, fd);
}

static int read_records(struct session *session, int fd)
{
	return context_read_records(fd, session->buffer, &session->results);
}

/* Reads one context: levels of the machine are the same in all of them. */
static int read_sums(struct session *session, struct counts *sums)
{
	const struct members *members = session->members;
	int fd = session->fd;
	size_t i;

	for (i = 0; members && fd < 0 && i < members->count; i++)
		fd = members->list[i].fd;
	if (fd >= 0)
		return sets_read(session->events, fd, sums);
	counts_copy(sums, session->results.kernel);
	return 0;
}

static bool needs_sums(const struct session *session)
{
	size_t k;

	for (k = 0; k < session->events->count; k++)
		if (session->events->list[k].gauge)
			return true;
	return !session->progress->by_task;
}

int task_interval_take(struct session *session, bool last)
{
	struct progress *progress = session->progress;

	if (progress->by_task) {
		if (!last && for_each_context(session, read_running))
			return -1;
		progress_sort(progress);
		if (!last && for_each_context(session, read_records))
			return -1;
		if (progress_finish(progress))
			return -1;
	}
	if (!needs_sums(session))
		return 0;
	if (last)
		counts_copy(progress->sums_now, session->results.kernel);
	else if (read_sums(session, progress->sums_now))
		return -1;
	progress_take_sums(progress);
	return 0;
}

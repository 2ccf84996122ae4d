// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session that monitors a control group, or several processes.
 *
 * Each process found in the group gets a context, which follows all tasks that
 * the process creates.  The kernel does not report processes that are moved into
 * a group, so pfmon searches the group repeatedly.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "base/message.h"
#include "check/holders.h"
#include "events/event_list.h"
#include "options/options.h"
#include "plan/plan.h"
#include "session/attach.h"
#include "session/command.h"
#include "session/context_ioctl.h"
#include "session/input.h"
#include "session/live.h"
#include "session/loop.h"
#include "session/members.h"
#include "session/run.h"
#include "session/session.h"
#include "session/task_counts.h"

/* Interval between searches for processes that were moved into the group. */
#define LOOK_INTERVAL (NS_PER_S / 2)

/* Each process needs a descriptor. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Serves members that have pending records, or whose last task has ended. */
static int take_members(struct members *members, struct session *session,
			const struct pollfd *fds)
{
	uint32_t status;
	bool ended;
	size_t i;

	for (i = 0; i < members->count; i++) {
		struct member *member = &members->list[i];
		short revents = fds[i].revents;

		if (member->fd < 0 || !revents)
			continue;
		if ((revents & POLLPRI) &&
		    context_read_records(member->fd, session->buffer,
					 &session->results))
			return -1;
		/* Read first: it says who has taken the counters. */
		ended = revents & (POLLIN | POLLHUP) &&
			context_read_end(member->fd, &status);
		if ((ended || revents & POLLHUP) &&
		    members_take(members, session, member))
			return -1;
	}
	return 0;
}

/**
 * struct group_source - the processes as an event source
 * @session: the session
 * @members: the processes
 * @path: folder of the group; NULL if the processes were named
 * @at: time of the next search of the group
 * @empty: the latest search found no process, and none is monitored
 */
struct group_source {
	struct session *session;
	struct members *members;
	const char *path;
	uint64_t at;
	bool empty;
};

static size_t count_members(const void *arg)
{
	const struct group_source *look = arg;

	return look->members->count;
}

static void poll_members(const void *arg, struct pollfd *fds)
{
	const struct members *members =
		((const struct group_source *)arg)->members;
	size_t i;

	for (i = 0; i < members->count; i++)
		fds[i] = (struct pollfd){ members->list[i].fd, POLLIN | POLLPRI,
					  0 };
}

static int serve_members(void *arg, const struct pollfd *fds)
{
	struct group_source *look = arg;

	return take_members(look->members, look->session, fds);
}

static bool members_complete(const void *arg)
{
	const struct group_source *look = arg;

	return !look->members->active && look->empty;
}

static uint64_t look_due(const void *arg)
{
	const struct group_source *look = arg;

	return look->at;
}

static int look_again(void *arg, uint64_t time)
{
	struct group_source *look = arg;
	size_t added;

	if (time < look->at && look->members->active)
		return 0;
	if (members_attach(look->members, look->session, look->path, false,
			   &added))
		return -1;
	if (added)
		say_verbose("%zu process%s came into the group", added,
			    added == 1 ? "" : "es");
	look->empty = !look->members->active;
	look->at = clock_now() + LOOK_INTERVAL;
	return 0;
}

static bool has_live(const struct session *session)
{
	return session->options->scope.interval_ns;
}

static int wait_first(struct session *session, struct members *members)
{
	if (!session->waits)
		return 0;
	if (loop_delay(session))
		return -1;
	if (session->ended != SESSION_RUNS)
		return 0;
	session->start = clock_now();
	return members_start(members, session);
}

static int monitor(struct session *session, struct members *members,
		   const char *path, struct live *live)
{
	struct group_source look = {
		.session = session,
		.members = members,
		.path = path,
		.at = session->start + LOOK_INTERVAL,
		.empty = !path,
	};
	struct source source = {
		.count = count_members,
		.poll = poll_members,
		.serve = serve_members,
		.due = path ? look_due : NULL,
		.work = path ? look_again : NULL,
		.complete = members_complete,
		.arg = &look,
	};
	int err;

	loop_add(session, &source);
	if (has_live(session))
		live->ops->add_sources(live);
	err = wait_first(session, members);
	if (!err)
		err = loop_run(session);
	session->sources = NULL;
	return err;
}

static int collect(struct session *session, struct members *members)
{
	char who[512];
	size_t i;

	for (i = 0; i < members->count; i++)
		if (members->list[i].fd >= 0 &&
		    members_take(members, session, &members->list[i]))
			return -1;
	session->end = clock_now();
	results_finish(&session->results);
	if (members->refused)
		say_warning(
			"%zu process%s of the group could not be monitored: the counts are missing",
			members->refused, members->refused == 1 ? "" : "es");
	if (members->taken)
		say_warning(
			"%zu process%s of the group %s followed already, maybe by somebody else: then the counts are missing; %s",
			members->taken, members->taken == 1 ? "" : "es",
			members->taken == 1 ? "is" : "are",
			holders_tell(HOLDERS_ALL, 0, who, sizeof(who)));
	if (members->kernel)
		say_verbose("%zu kernel threads of the group are not counted",
			    members->kernel);
	return 0;
}

static int begin(struct session *session, struct members *members,
		 struct live *live)
{
	raise_limit();
	session->members = members;
	session->waits = session->options->scope.delay_ns;
	if (has_live(session)) {
		if (live->ops->open(live, session) ||
		    task_interval_begin(session))
			return -1;
		live->ops->begin(live);
	}
	session->date = time(NULL);
	session->start = clock_now();
	intervals_begin(&session->intervals, session->start,
			session->options->scope.interval_ns);
	return 0;
}

static int finish(struct session *session, struct members *members,
		  const char *path, struct live *live)
{
	session->keyboard = keyboard_open(session->options);
	if (command_begin_clock(session))
		return -1;
	if ((has_live(session) && live->ops->title(live)) ||
	    monitor(session, members, path, live) || collect(session, members))
		return -1;
	return has_live(session) ? live->ops->end(live) : 0;
}

static int run(struct session *session, struct members *members,
	       const char *path, struct live *live)
{
	char who[512];
	size_t added;

	if (begin(session, members, live))
		return -1;
	if (members_attach(members, session, path, true, &added))
		return -1;
	if (!added && members->taken) {
		say_error(
			"the processes of the control group '%s' are monitored already; %s",
			path, holders_tell(HOLDERS_ALL, 0, who, sizeof(who)));
		return -1;
	}
	if (!added) {
		say_error(
			"there is no process in the control group '%s' that could be monitored",
			path);
		return -1;
	}
	say_verbose("%zu process%s of the group %s monitored", added,
		    added == 1 ? "" : "es", added == 1 ? "is" : "are");
	return finish(session, members, path, live);
}

static int run_named(struct session *session, struct members *members,
		     struct live *live)
{
	if (begin(session, members, live) ||
	    members_attach_named(members, session))
		return -1;
	return finish(session, members, NULL, live);
}

int run_processes(struct session *session, const struct plan *plan,
		  struct live *live)
{
	struct members members = { 0 };
	int err;

	if (session_begin(session, plan, NULL, -1))
		return EXIT_OWN_FAILURE;
	if (events_need_nothing(session->events)) {
		say_error(
			"several processes need an event to count; levels of the machine, such as free-memory, do not belong to processes");
		return EXIT_OWN_FAILURE;
	}
	err = run_named(session, &members, live);
	session->members = NULL;
	members_free(&members);
	return err ? EXIT_OWN_FAILURE : 0;
}

int run_cgroup(struct session *session, const struct plan *plan,
	       struct live *live)
{
	struct members members = { 0 };
	char *path;
	int err;

	if (session_begin(session, plan, NULL, -1))
		return EXIT_OWN_FAILURE;
	if (events_need_nothing(session->events)) {
		say_error(
			"--cgroup needs an event to count; levels of the machine, such as free-memory, do not belong to a group");
		return EXIT_OWN_FAILURE;
	}
	path = cgroup_find(plan->options->scope.cgroup);
	if (path && cgroup_is_threaded(path)) {
		say_error(
			"the control group '%s' is threaded: it has no processes, but threads of those of a group above it; give that one",
			path);
		free(path);
		return EXIT_OWN_FAILURE;
	}
	err = !path || run(session, &members, path, live);
	session->members = NULL;
	members_free(&members);
	free(path);
	return err ? EXIT_OWN_FAILURE : 0;
}

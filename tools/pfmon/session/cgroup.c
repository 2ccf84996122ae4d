// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measuring a control group, or several processes.
 *
 * Each process that is found in the group has a context, which follows all that the
 * process creates.  There is no notice of processes that are moved into a group,
 * so it is looked at again and again.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "check/holders.h"
#include "events/event_list.h"
#include "options/options.h"
#include "session/cgroup.h"
#include "session/context.h"
#include "session/keyboard.h"
#include "session/members.h"
#include "session/session.h"
#include "session/signals.h"

/* How often to look for processes that were moved into the group. */
#define LOOK_INTERVAL (NS_PER_S / 2)

#define MOUNT "/sys/fs/cgroup/"

static bool is_group(const char *path)
{
	char *name;
	bool found;

	if (asprintf(&name, "%s/cgroup.procs", path) < 0)
		return false;
	found = !access(name, R_OK);
	free(name);
	return found;
}

/* Such a group has threads of processes that belong to a group above it. */
static bool is_threaded(const char *path)
{
	char *name, type[32] = "";
	FILE *file;

	if (asprintf(&name, "%s/cgroup.type", path) < 0)
		return false;
	file = fopen(name, "re");
	free(name);
	if (file && !fgets(type, sizeof(type), file))
		type[0] = '\0';
	if (file)
		fclose(file);
	return !strncmp(type, "threaded", strlen("threaded"));
}

/* The group's folder, to be freed; NULL after saying that there is none. */
static char *find_group(const char *path)
{
	char *name;

	if (path[0] == '/' && is_group(path))
		return strdup(path);
	if (asprintf(&name, MOUNT "%s", path + strspn(path, "/")) < 0)
		return NULL;
	if (is_group(name))
		return name;
	free(name);
	say_error(
		"there is no control group '%s': it is neither a folder with a file cgroup.procs, nor one below " MOUNT
		"; 'cat /proc/PID/cgroup' says where a process is",
		path);
	return NULL;
}

/* Each process takes a descriptor. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Members whose records wait, or that have ended. */
static int take_members(struct members *members, struct session *session,
			const struct pollfd *fds)
{
	uint32_t status;
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
		if ((revents & POLLHUP ||
		     (revents & POLLIN &&
		      context_read_end(member->fd, &status))) &&
		    members_take(members, session, member))
			return -1;
	}
	return 0;
}

/* Sleeps until something happens, @until at the latest; 0 no limit. */
static int wait_for_event(struct session *session, struct members *members,
			  uint64_t until)
{
	size_t count = members->count, i;
	uint64_t time = clock_now();
	struct timespec ts = { 0 };
	struct pollfd *fds;
	int ret;

	fds = calloc(2 + count, sizeof(*fds));
	if (!fds) {
		say_error("out of memory for the processes");
		return -1;
	}
	fds[0] = (struct pollfd){ session->signals_fd, POLLIN, 0 };
	fds[1] = (struct pollfd){ session->keyboard, POLLIN, 0 };
	for (i = 0; i < count; i++)
		fds[2 + i] = (struct pollfd){ members->list[i].fd,
					      POLLIN | POLLPRI, 0 };
	if (until > time) {
		ts.tv_sec = (until - time) / NS_PER_S;
		ts.tv_nsec = (until - time) % NS_PER_S;
	}
	ret = ppoll(fds, 2 + count, until ? &ts : NULL, NULL);
	if (ret > 0) {
		signals_take(session);
		if (fds[1].revents)
			session->entered = keyboard_pressed(&session->keyboard);
		ret = take_members(members, session, fds + 2);
	} else if (ret < 0 && errno != EINTR) {
		say_error("poll: %s", strerror(errno));
	} else {
		ret = 0;
	}
	free(fds);
	return ret;
}

static bool over(struct session *session, const struct members *members,
		 bool empty, uint64_t deadline)
{
	if (!members->active && empty)
		session->ended = SESSION_COMPLETE;
	else if (session->entered)
		session->ended = SESSION_ENTER;
	else if (signals_told_to_stop(session))
		session->ended = SESSION_SIGNAL;
	else if (deadline && clock_now() >= deadline)
		session->ended = SESSION_TIMEOUT;
	return session->ended != SESSION_RUNS;
}

static int monitor_named(struct session *session, struct members *members)
{
	uint64_t timeout = session->options->timeout_ns;
	uint64_t deadline = timeout ? session->start + timeout : 0;

	while (!over(session, members, true, deadline))
		if (wait_for_event(session, members, deadline))
			return -1;
	return 0;
}

static int monitor(struct session *session, struct members *members,
		   const char *path)
{
	uint64_t timeout = session->options->timeout_ns;
	uint64_t deadline = timeout ? session->start + timeout : 0;
	uint64_t look_at = session->start + LOOK_INTERVAL, until;
	bool empty = false;
	size_t added;

	while (!over(session, members, empty, deadline)) {
		until = deadline && deadline < look_at ? deadline : look_at;
		if (wait_for_event(session, members, until))
			return -1;
		if (clock_now() < look_at && members->active)
			continue;
		if (members_attach(members, session, path, false, &added))
			return -1;
		if (added)
			say_verbose("%zu process%s came into the group", added,
				    added == 1 ? "" : "es");
		empty = !members->active;
		look_at = clock_now() + LOOK_INTERVAL;
	}
	return 0;
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

static int run(struct session *session, struct members *members,
	       const char *path)
{
	char who[512];
	size_t added;

	raise_limit();
	session->date = time(NULL);
	session->start = clock_now();
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
	session->keyboard = keyboard_open(session->options);
	return monitor(session, members, path) || collect(session, members) ? -1
									    : 0;
}

static int run_named(struct session *session, struct members *members)
{
	raise_limit();
	session->date = time(NULL);
	session->start = clock_now();
	if (members_attach_named(members, session))
		return -1;
	session->keyboard = keyboard_open(session->options);
	return monitor_named(session, members) || collect(session, members) ? -1
									    : 0;
}

int cgroup_run_named(struct session *session, const struct options *options,
		     const struct events *events)
{
	struct members members = { 0 };
	int err;

	if (session_begin(session, options, events, NULL, -1))
		return EXIT_OWN_FAILURE;
	if (events_need_nothing(events)) {
		say_error(
			"several processes need an event to count; levels of the machine are no property of them");
		return EXIT_OWN_FAILURE;
	}
	err = run_named(session, &members);
	members_free(&members);
	return err ? EXIT_OWN_FAILURE : 0;
}

int cgroup_run(struct session *session, const struct options *options,
	       const struct events *events)
{
	struct members members = { 0 };
	char *path;
	int err;

	if (session_begin(session, options, events, NULL, -1))
		return EXIT_OWN_FAILURE;
	if (events_need_nothing(events)) {
		say_error(
			"--cgroup needs an event to count; levels of the machine are no property of a group");
		return EXIT_OWN_FAILURE;
	}
	path = find_group(options->scope.cgroup);
	if (path && is_threaded(path)) {
		say_error(
			"the control group '%s' is threaded: it has no processes, but threads of those of a group above it; give that one",
			path);
		free(path);
		return EXIT_OWN_FAILURE;
	}
	err = !path || run(session, &members, path);
	members_free(&members);
	free(path);
	return err ? EXIT_OWN_FAILURE : 0;
}

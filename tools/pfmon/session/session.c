// SPDX-License-Identifier: GPL-2.0-only
/*
 * A measurement.
 *
 * The command waits in a child until the context is attached to it, and
 * counting begins in the kernel with its exec, so that nothing of pfmon is
 * counted.  From then on pfmon sleeps in poll(2): for signals (also of the
 * command's end), for records to take, for the message that the last task has
 * ended.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "sampling/sampling.h"
#include "session/attach.h"
#include "session/context.h"
#include "session/keyboard.h"
#include "session/session.h"
#include "session/signals.h"
#include "session/survivors.h"
#include "session/system_wide.h"
#include "session/task_result.h"

/* Time in which a task that ended becomes a zombie. */
#define ZOMBIE_DELAY	(NS_PER_S / 10)

/* How often the mappings of sampled tasks are taken from the kernel. */
#define MAPS_INTERVAL	NS_PER_S

/* Environment variable that tells the command its context (--dont-start). */
#define CONTEXT_VARIABLE	"PFMON_CONTEXT_FD"

int session_fork(struct session *session)
{
	if (!child_fork(&session->child, &session->setup))
		return 0;
	say_error("cannot start a process for the command: %s",
		  strerror(errno));
	return -1;
}

/* A context on a child that is about to execute the command, or on a task. */
static int prepare(struct session *session)
{
	const struct options *options = session->options;

	if (!options->command && attach_find(session))
		return -1;
	if (options->follow)
		context_keep_records(session->fd);
	if (sets_program(session->events, session->fd, session->log) ||
	    (session->log && slice_log_map(session->log, session->fd)))
		return -1;
	if (session->sampling) {
		if (sampling_attach(session->sampling, session->fd))
			return -1;
		session->results.tasks = &session->sampling->tasks;
	}
	if (!options->command)
		return attach_task(session);
	if (options->dont_start) {
		session->setup.keep_fd = session->fd;
		session->setup.keep_name = CONTEXT_VARIABLE;
	}
	if (session_fork(session))
		return -1;
	if (events_need_nothing(session->events)) {
		/* The kernel does not load a context that uses no register. */
		session->end_seen = true;
		return 0;
	}
	if (context_load(session->fd, session->child.pid, options->command[0]))
		return -1;
	return options->dont_start ? 0 : context_start(session->fd);
}

int session_execute(struct session *session)
{
	const char *name;
	int err;

	session->date = time(NULL);
	session->start = clock_now();
	session->maps_at = session->start + MAPS_INTERVAL;
	if (session->log)
		session->log_at = session->start + session->log->interval;
	if (!session->options->command) {
		session->keyboard = keyboard_open(session->options);
		return 0;
	}
	name = session->options->command[0];
	err = child_execute(&session->child);
	if (!err) {
		say_verbose("process %d executes '%s'", session->child.pid,
			    name);
		return 0;
	}
	say_error("cannot execute '%s': %s", name,
		  err == ENOENT && !strchr(name, '/') ?
		  "no such command in the folders of $PATH" : strerror(err));
	return err == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}

static int read_records(struct session *session)
{
	if (!session->options->follow)
		return 0;
	return context_read_records(session->fd, session->buffer,
				    &session->results);
}

/*
 * Samples of buffers that are full or, with @all, of all of them.  Records of
 * tasks come first: they say which program a sample was taken in.
 */
static int take_samples(struct session *session, bool all)
{
	struct sampling *sampling = session->sampling;

	if (!sampling || !lanes_find(&sampling->lanes, all))
		return 0;
	if (read_records(session) ||
	    symbols_read_maps(&sampling->symbols, session->fd))
		return -1;
	return sampling_take(sampling, all);
}

static int take_context(struct session *session, short revents)
{
	if (revents & (POLLERR | POLLNVAL)) {
		say_error("the context cannot be polled any more");
		return -1;
	}
	if ((revents & POLLPRI) &&
	    context_read_records(session->fd, session->buffer,
				 &session->results))
		return -1;
	if (!(revents & (POLLIN | POLLHUP)))
		return 0;
	if (take_samples(session, false) ||
	    (session->log && slice_log_read(session->log, session->fd, false)))
		return -1;
	if (!context_read_end(session->fd, &session->task_status) &&
	    !(revents & POLLHUP))
		return 0;
	session->end_seen = true;
	session->end = clock_now();
	session->check_at = session->end + ZOMBIE_DELAY;
	return 0;
}

/* Sleeps until something happens, @until at the latest; 0 no limit. */
static int wait_for_event(struct session *session, uint64_t until)
{
	struct pollfd fds[3] = {
		{ .fd = session->signals_fd, .events = POLLIN },
		{ .fd = session->end_seen ? -1 : session->fd,
		  .events = POLLIN | POLLPRI },
		{ .fd = session->keyboard, .events = POLLIN },
	};
	struct timespec ts, *limit = NULL;
	uint64_t left, time = clock_now();
	int ret;

	if (until) {
		left = until > time ? until - time : 0;
		ts.tv_sec = left / NS_PER_S;
		ts.tv_nsec = left % NS_PER_S;
		limit = &ts;
	}
	ret = ppoll(fds, 3, limit, NULL);
	if (ret < 0 && errno != EINTR) {
		say_error("poll: %s", strerror(errno));
		return -1;
	}
	if (ret <= 0)
		return 0;
	signals_take(session);
	if (fds[2].revents)
		session->entered = keyboard_pressed(&session->keyboard);
	return take_context(session, fds[1].revents);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	if (!a || !b)
		return a + b;
	return a < b ? a : b;
}

/* The kernel keeps many mappings, but not for ever. */
static uint64_t maps_due(const struct session *session)
{
	return session->sampling && session->sampling->symbols.reported &&
	       !session->end_seen ? session->maps_at : 0;
}

static int read_maps(struct session *session)
{
	uint64_t due = maps_due(session), time = clock_now();

	if (!due || time < due)
		return 0;
	session->maps_at = time + MAPS_INTERVAL;
	return symbols_read_maps(&session->sampling->symbols, session->fd);
}

/* The log is read before it is full. */
static uint64_t log_due(const struct session *session)
{
	return session->log && !session->end_seen ? session->log_at : 0;
}

static int read_log(struct session *session)
{
	uint64_t due = log_due(session), time = clock_now();

	if (!due || time < due)
		return 0;
	session->log_at = time + session->log->interval;
	return slice_log_read(session->log, session->fd, false);
}

static int monitor(struct session *session)
{
	uint64_t timeout = session->options->timeout_ns;
	uint64_t deadline = timeout ? session->start + timeout : 0;

	while (session->ended == SESSION_RUNS) {
		uint64_t until = earlier(session->check_at, session->notice_at);

		until = earlier(until, maps_due(session));
		until = earlier(until, log_due(session));
		if (wait_for_event(session, earlier(deadline, until)))
			return -1;
		if (read_maps(session) || read_log(session))
			return -1;
		survivors_check(session);
		survivors_tell(session);
		if (session->end_seen &&
		    (session->child.ended ||
		     (!session->options->command && !session->check_at)))
			session->ended = SESSION_COMPLETE;
		else if (session->entered)
			session->ended = SESSION_ENTER;
		else if (signals_told_to_stop(session))
			session->ended = SESSION_SIGNAL;
		else if (deadline && clock_now() >= deadline)
			session->ended = SESSION_TIMEOUT;
	}
	return 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * What was lost adds up over the runs of the command.  Each of them creates the
 * same threads and processes, more or less.
 */
static int read_config(struct session *session)
{
	struct pfm_config before = session->config;

	if (context_read_config(session->fd, &session->config))
		return -1;
	session->config.merged += before.merged;
	session->config.follow_failed += before.follow_failed;
	session->config.unsplit += before.unsplit;
	session->config.unfollowed_threads =
		larger(session->config.unfollowed_threads,
		       before.unfollowed_threads);
	session->config.unfollowed_processes =
		larger(session->config.unfollowed_processes,
		       before.unfollowed_processes);
	return 0;
}

/*
 * How long the monitored tasks ran, 0 not known.  A single thread ran no longer
 * than the session lasted.  Of several, wait(2) tells, unless some outlive the
 * command.
 */
static uint64_t running_ns(const struct session *session)
{
	const struct rusage *usage = &session->child.usage;
	bool follow = session->options->follow;
	uint64_t wall = session->end - session->start;
	uint64_t used;

	if (!session->child.ended)
		return follow ? 0 : wall;
	if (follow && (!session->end_seen ||
		       session->end > session->gone + ZOMBIE_DELAY))
		return 0;
	used = (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * NS_PER_S +
	       (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000ULL;
	return follow || used < wall ? used : wall;
}

static int collect(struct session *session)
{
	struct sampling *sampling = session->sampling;
	struct results *results = &session->results;
	bool follow = session->options->follow;
	uint64_t running;

	if (!session->end) {
		if (!session->end_seen && context_unload(session->fd))
			return -1;
		session->end = clock_now();
	}
	if (read_records(session) || take_samples(session, true))
		return -1;
	if (session->log && slice_log_read(session->log, session->fd, true))
		return -1;
	if (read_config(session) ||
	    sets_read(session->events, session->fd, results->kernel))
		return -1;
	running = running_ns(session);
	if (sampling)
		sampling_finish(sampling, &session->config, running,
				follow ? 0 : session->end - session->start -
						     running);
	if (sampling && !follow)
		sampling_correct(sampling, 0, results->kernel);
	if (!follow && task_result_add(session))
		return -1;
	results_finish(results);
	/* The tasks' records tell none. */
	if (session->config.flags & PFM_CTX_AGGREGATE)
		memcpy(results->totals, results->kernel,
		       sets_words(session->events) * sizeof(*results->totals));
	return 0;
}

int session_begin(struct session *session, const struct options *options,
		  const struct events *events, struct sampling *sampling,
		  int fd)
{
	session->options = options;
	session->events = events;
	session->sampling = sampling;
	session->fd = fd;
	session->keyboard = -1;
	session->child.go = -1;
	session->child.failure = -1;
	session->signals_fd = -1;
	if (signals_catch(session))
		return -1;
	session->setup.command = options->command;
	session->setup.silent = options->no_cmd_output;
	session->setup.keep_fd = -1;
	if (!session->results.events &&
	    results_init(&session->results, session->events, options))
		return -1;
	session->buffer = malloc(CONTEXT_BUFFER_SIZE);
	if (session->buffer)
		return 0;
	say_error("out of memory for reading task records");
	return -1;
}

int session_run(struct session *session, const struct options *options,
		const struct events *events, struct sampling *sampling, int fd)
{
	int status;

	if (session_begin(session, options, events, sampling, fd) ||
	    prepare(session)) {
		child_abandon(&session->child);
		return EXIT_OWN_FAILURE;
	}
	status = session_execute(session);
	if (status)
		return status;
	if (monitor(session) || collect(session))
		return EXIT_OWN_FAILURE;
	return 0;
}

int session_wait(struct session *session)
{
	/* The context goes: nothing is monitored while waiting. */
	if (session->fd >= 0)
		close(session->fd);
	session->fd = -1;
	session->end_seen = true;
	if (!session->options->command)
		return 0;
	if (session->ended == SESSION_TIMEOUT && !session->child.ended)
		say_verbose("waiting for the command to end");
	while (!session->child.ended && session->ended != SESSION_SIGNAL) {
		if (wait_for_event(session, 0))
			return EXIT_OWN_FAILURE;
		if (signals_told_to_stop(session))
			session->ended = SESSION_SIGNAL;
	}
	if (session->child.ended)
		return child_exit_status(&session->child);
	return 128 + session->signal;
}

void session_free(struct session *session)
{
	results_free(&session->results);
	slice_log_free(session->log);
	system_free(session->system);
	free(session->task_name);
	free(session->buffer);
	if (session->fd >= 0)
		close(session->fd);
	if (session->signals_fd >= 0)
		close(session->signals_fd);
}

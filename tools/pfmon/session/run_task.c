// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session that monitors a command, or one running process or thread.
 *
 * The command waits in a child until the context is attached to it, and the
 * kernel starts counting at the exec; so nothing of pfmon is counted.  From then
 * on pfmon sleeps in the event loop (loop.h) until there are records to take, a
 * buffer is full, or the message comes that the last task has ended.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "options/options.h"
#include "sampling/sampling.h"
#include "session/attach.h"
#include "session/child.h"
#include "session/command.h"
#include "session/context_ioctl.h"
#include "session/live.h"
#include "session/loop.h"
#include "session/range_probes.h"
#include "session/run.h"
#include "session/session.h"
#include "session/survivors.h"
#include "session/task_counts.h"

/* Time after which a task that has ended is a zombie. */
#define ZOMBIE_DELAY (NS_PER_S / 10)

/* Interval of reading the mappings of sampled tasks from the kernel. */
#define MAPS_INTERVAL NS_PER_S

/*
 * Interval of reading mappings of data from /proc, which works only while the process
 * runs.
 */
#define DATA_INTERVAL (NS_PER_S / 20)

/* Interval of reading samples that are shown while the tasks run. */
#define PEEK_INTERVAL (NS_PER_S / 20)

/* Environment variable that gives the command its context (--dont-start). */
#define CONTEXT_VARIABLE "PFMON_CONTEXT_FD"

static bool has_live(const struct session *session, const struct live *live)
{
	return live && (live->samples || session->options->scope.interval_ns);
}

/* The command, if there is one, waits already. */
static void begin_live(struct session *session, struct live *live)
{
	if (has_live(session, live))
		live->ops->begin(live);
}

/*
 * Attaches the context to the child, before it executes the command, or to a
 * task.
 */
static int prepare(struct session *session, struct live *live)
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
	if (range_probes_set(session) || task_interval_begin(session))
		return -1;
	if (!options->command) {
		if (session->sampling) {
			session->sampling->process = attach_process(session);
			perf_maps_begin(&session->sampling->perf,
					session->sampling->process, false);
		}
		begin_live(session, live);
		return attach_task(session);
	}
	if (options->dont_start) {
		session->setup.keep_fd = session->fd;
		session->setup.keep_name = CONTEXT_VARIABLE;
	}
	if (command_fork(session))
		return -1;
	if (session->sampling) {
		session->sampling->process = session->child.pid;
		perf_maps_begin(&session->sampling->perf, session->child.pid,
				true);
	}
	begin_live(session, live);
	if (events_need_nothing(session->events)) {
		/* The kernel refuses to load a context that uses no register. */
		session->end_seen = true;
		return 0;
	}
	if (session->ranges ? range_probes_load(session)
			    : context_load(session->fd, session->child.pid,
					   options->take, options->command[0]))
		return -1;
	if (options->dont_start || options->scope.delay_ns)
		return 0;
	return context_start(session->fd);
}

static int read_records(struct session *session)
{
	if (!session->options->follow)
		return 0;
	return context_read_records(session->fd, session->buffer,
				    &session->results);
}

/*
 * Takes the samples of full buffers or, with @all, of all buffers; @last: there will be no more.
 * Reads the task records first: they say which program a sample was taken in.
 */
static int take_samples(struct session *session, bool all, bool last)
{
	struct sampling *sampling = session->sampling;

	if (!sampling || !lanes_find(&sampling->lanes, all))
		return 0;
	if (read_records(session) || sampling_read_maps(sampling, session->fd))
		return -1;
	return sampling_take(sampling, last);
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
	if (take_samples(session, false, false) ||
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

/* The context of the session as an event source. */
static size_t count_context(const void *arg)
{
	(void)arg;
	return 1;
}

static void poll_context(const void *arg, struct pollfd *fds)
{
	const struct session *session = arg;

	fds[0] = (struct pollfd){ session->end_seen ? -1 : session->fd,
				  POLLIN | POLLPRI, 0 };
}

static int serve_context(void *arg, const struct pollfd *fds)
{
	return take_context(arg, fds[0].revents);
}

static bool context_complete(const void *arg)
{
	const struct session *session = arg;

	return session->end_seen &&
	       (session->child.ended ||
		(!session->options->command && !session->check_at));
}

static uint64_t survivors_due(const void *arg)
{
	const struct session *session = arg;

	return loop_earlier(session->check_at, session->notice_at);
}

static int look_for_survivors(void *arg, uint64_t time)
{
	(void)time;
	survivors_check(arg);
	survivors_tell(arg);
	return 0;
}

/**
 * struct clocked - data to read before the kernel runs out of room for it
 * @session: the session
 * @interval: interval of reading
 * @at: time of the next reading
 */
struct clocked {
	struct session *session;
	uint64_t interval;
	uint64_t at;
};

static uint64_t clocked_due(const void *arg)
{
	const struct clocked *clocked = arg;

	return clocked->session->end_seen ? 0 : clocked->at;
}

static bool is_due(struct clocked *clocked, uint64_t time)
{
	if (!clocked_due(clocked) || time < clocked->at)
		return false;
	clocked->at = time + clocked->interval;
	return true;
}

/* The room for mappings in the kernel is large, but limited. */
static int read_maps(void *arg, uint64_t time)
{
	struct session *session = ((struct clocked *)arg)->session;

	if (!is_due(arg, time))
		return 0;
	if (sampling_read_maps(session->sampling, session->fd))
		return -1;
	symbols_read_data(&session->sampling->symbols);
	return 0;
}

/* The rings of perf as an event source: each of them is read when it is half full. */
static size_t count_rings(const void *arg)
{
	return ((const struct session *)arg)->sampling->perf.rings.count;
}

static void poll_rings(const void *arg, struct pollfd *fds)
{
	perf_rings_poll(&((const struct session *)arg)->sampling->perf.rings,
			fds);
}

static int serve_rings(void *arg, const struct pollfd *fds)
{
	struct perf_maps *perf = &((struct session *)arg)->sampling->perf;
	size_t i;

	for (i = 0; i < perf->rings.count; i++) {
		if (!(fds[i].revents & POLLIN))
			continue;
		perf_maps_read(perf);
		break;
	}
	return 0;
}

static int read_log(void *arg, uint64_t time)
{
	struct session *session = ((struct clocked *)arg)->session;

	return is_due(arg, time)
		       ? slice_log_read(session->log, session->fd, false)
		       : 0;
}

/*
 * Also of buffers that are not full.  A sample says which program it is of by the records of its task
 * before it, so those are taken that are old enough for all such records to be there.
 */
static int peek(void *arg, uint64_t time)
{
	struct session *session = ((struct clocked *)arg)->session;
	int err;

	if (!is_due(arg, time))
		return 0;
	session->sampling->lanes.until = time - PEEK_INTERVAL;
	err = take_samples(session, true, false);
	session->sampling->lanes.until = 0;
	return err;
}

/* With a delay the context has its task already, but does not count. */
static int wait_first(struct session *session)
{
	const struct options *options = session->options;

	if (!options->scope.delay_ns || options->dont_start)
		return 0;
	if (loop_delay(session))
		return -1;
	if (session->ended != SESSION_RUNS || session->end_seen)
		return 0;
	session->start = clock_now();
	return attach_start(session->fd);
}

static int monitor(struct session *session, struct live *live)
{
	struct clocked maps = { session, MAPS_INTERVAL,
				session->start + MAPS_INTERVAL };
	struct clocked peeks = { session, PEEK_INTERVAL,
				 session->start + PEEK_INTERVAL };
	struct clocked log = { .session = session };
	struct source sources[] = {
		{ .count = count_context,
		  .poll = poll_context,
		  .serve = serve_context,
		  .complete = context_complete,
		  .arg = session },
		{ .due = clocked_due, .work = read_maps, .arg = &maps },
		{ .due = clocked_due, .work = read_log, .arg = &log },
		{ .due = survivors_due,
		  .work = look_for_survivors,
		  .arg = session },
		{ .count = count_rings,
		  .poll = poll_rings,
		  .serve = serve_rings,
		  .arg = session },
		{ .due = clocked_due, .work = peek, .arg = &peeks },
	};
	int err;

	loop_add(session, &sources[0]);
	if (session->sampling && session->sampling->symbols.data)
		maps.interval = DATA_INTERVAL;
	if (session->sampling && (session->sampling->symbols.reported ||
				  session->sampling->symbols.data)) {
		maps.at = session->start + maps.interval;
		loop_add(session, &sources[1]);
	}
	if (session->log) {
		log.interval = session->log->interval;
		log.at = session->start + log.interval;
		loop_add(session, &sources[2]);
	}
	loop_add(session, &sources[3]);
	if (session->sampling && session->sampling->perf.on)
		loop_add(session, &sources[4]);
	if (live && live->samples)
		loop_add(session, &sources[5]);
	if (has_live(session, live))
		live->ops->add_sources(live);
	err = wait_first(session);
	if (!err)
		err = loop_run(session);
	session->sources = NULL;
	/* The loop may have ended just when it was time to look. */
	survivors_check(session);
	return err;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Losses add up over the runs of the command.  Each run creates about the same
 * threads and processes, so of these the largest number counts.
 */
static int read_config(struct session *session)
{
	struct pfm_config before = session->config;

	if (context_read_config(session->fd, &session->config))
		return -1;
	session->config.merged += before.merged;
	session->config.follow_failed += before.follow_failed;
	session->config.unsplit += before.unsplit;
	session->config.barred += before.barred;
	session->config.unfollowed_threads = larger(
		session->config.unfollowed_threads, before.unfollowed_threads);
	session->config.unfollowed_processes =
		larger(session->config.unfollowed_processes,
		       before.unfollowed_processes);
	return 0;
}

/*
 * Running time of the monitored tasks, 0 if not known.  A single thread ran no
 * longer than the session lasted.  For several tasks wait(2) tells it, unless
 * some outlive the command.
 */
static uint64_t running_ns(const struct session *session)
{
	const struct rusage *usage = &session->child.usage;
	bool follow = session->options->follow;
	uint64_t wall = session->end - session->start;
	uint64_t used;

	if (!session->child.ended)
		return follow ? 0 : wall;
	if (follow &&
	    (!session->end_seen || session->end > session->gone + ZOMBIE_DELAY))
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
	if (read_records(session) || take_samples(session, true, true))
		return -1;
	if (session->log && slice_log_read(session->log, session->fd, true))
		return -1;
	if (range_probes_read(session) || read_config(session) ||
	    sets_read(session->events, session->fd, results->kernel))
		return -1;
	running = running_ns(session);
	if (sampling)
		sampling_finish(
			sampling, &session->config, running,
			follow ? 0 : session->end - session->start - running);
	if (sampling && !follow)
		sampling_correct(sampling, 0, results->kernel->events);
	if (!follow && task_result_add(session))
		return -1;
	results_finish(results);
	/* With PFM_CTX_AGGREGATE the tasks' records have no counts. */
	if (session->config.flags & PFM_CTX_AGGREGATE)
		counts_copy(results->totals, results->kernel);
	return 0;
}

int run_task(struct session *session, const struct plan *plan,
	     struct sampling *sampling, int fd, struct live *live)
{
	int status;

	if (session_begin(session, plan, sampling, fd) ||
	    (has_live(session, live) && live->ops->open(live, session)) ||
	    prepare(session, live)) {
		child_abandon(&session->child);
		return EXIT_OWN_FAILURE;
	}
	status = command_execute(session);
	if (status)
		return status;
	intervals_begin(&session->intervals, session->start,
			session->options->scope.interval_ns);
	if ((has_live(session, live) && live->ops->title(live)) ||
	    monitor(session, live) || collect(session))
		return EXIT_OWN_FAILURE;
	return has_live(session, live) && live->ops->end(live)
		       ? EXIT_OWN_FAILURE
		       : 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one measurement, from its start to the last count.
 */
#ifndef PFMON_SESSION_SESSION_H
#define PFMON_SESSION_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>
#include <linux/perfmon.h>

#include "estimate/slice_log.h"
#include "session/child.h"
#include "session/intervals.h"
#include "session/results.h"

struct clock_command;
struct events;
struct members;
struct metric_plan;
struct options;
struct plan;
struct progress;
struct ranges;
struct sampling;
struct source;
struct system;

/**
 * enum session_end - reason why counting ended
 */
enum session_end {
	SESSION_RUNS,
	SESSION_COMPLETE,	/* the last monitored task has ended */
	SESSION_TIMEOUT,	/* --session-timeout */
	SESSION_SIGNAL,		/* a signal to pfmon */
	SESSION_ENTER,		/* ENTER */
};

/**
 * struct session - state and results of a session
 * @options: the command line
 * @plan: what is counted; the next two are of its first part
 * @events: the events
 * @metrics: how metrics are counted; NULL if there are none
 * @results: the counts
 * @sampling: the samples; NULL if pfmon does not sample
 * @log: log of the time slices of sets; NULL if there is none
 * @child: the command, if there is one
 * @clock: the command that ends the session but is not counted; NULL if there is none
 * @task: process or thread that pfmon attached to; 0 if none
 * @task_name: its program
 * @task_status: its exit status, once it has ended
 * @keyboard: terminal on which ENTER ends the session; -1 if none
 * @entered: ENTER was pressed
 * @system: the CPUs of a system-wide session; otherwise NULL
 * @members: the processes of a session with several contexts of tasks; otherwise NULL
 * @waits: the contexts of @members do not count until --delay is over
 * @intervals: when intervals begin and end
 * @progress: what tasks count in an interval; NULL if there are none, or CPUs are monitored
 * @fd: descriptor of the context; -1 if none, or several
 * @sources: what the event loop waits for (loop.h)
 * @signals_fd: signalfd of the signals that pfmon handles itself
 * @setup: how the command is started
 * @date: wall clock time of @start
 * @start: CLOCK_MONOTONIC ns when the command was allowed to execute
 * @end: time when counting ended
 * @gone: time when the command ended; 0 if it still runs
 * @ended: reason why counting ended
 * @signal: latest signal that was to end the command or pfmon; 0 if none
 * @signals: number of such signals
 * @end_seen: the context reported that the last task has ended
 * @check_at: when to check if the command outlived that; 0 for never
 * @left: the command goes on without being monitored
 * @notice_at: when to say what pfmon is waiting for; 0 for never
 * @config: numbers of merged and lost tasks, read after the end, of all runs
 * @buffer: memory for reading records
 * @ranges: the functions of --irange, and what was counted in them; NULL without the option
 */
struct session {
	const struct options *options;
	const struct plan *plan;
	const struct events *events;
	const struct metric_plan *metrics;
	struct results results;
	struct sampling *sampling;
	struct slice_log *log;
	struct child child;
	struct clock_command *clock;
	pid_t task;
	char *task_name;
	uint32_t task_status;
	int keyboard;
	bool entered;
	struct system *system;
	const struct members *members;
	bool waits;
	struct intervals intervals;
	struct progress *progress;
	int fd;
	struct source *sources;
	int signals_fd;
	struct child_setup setup;
	time_t date;
	uint64_t start;
	uint64_t end;
	uint64_t gone;
	enum session_end ended;
	int signal;
	unsigned int signals;
	bool end_seen;
	uint64_t check_at;
	bool left;
	uint64_t notice_at;
	struct pfm_config config;
	void *buffer;
	struct ranges *ranges;
};

/*
 * The first step of every kind of session.  @session is zero, except for @log and
 * for what a run takes over from an earlier one: @results, @config and @setup.
 * Returns 0, or -1 after a message.
 */
int session_begin(struct session *session, const struct plan *plan,
		  struct sampling *sampling, int fd);

/* Does not free @session->system: see system_free(). */
void session_free(struct session *session);

#endif

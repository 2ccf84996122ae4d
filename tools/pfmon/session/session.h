/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One measurement, of a command or of what runs already, from start to the last count.
 */
#ifndef PFMON_SESSION_SESSION_H
#define PFMON_SESSION_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>
#include <linux/perfmon.h>

#include "sampling/slice_log.h"
#include "session/child.h"
#include "session/results.h"

struct events;
struct options;
struct sampling;
struct source;
struct system;

/**
 * enum session_end - why counting ended
 */
enum session_end {
	SESSION_RUNS,
	SESSION_COMPLETE,	/* the last monitored task ended */
	SESSION_TIMEOUT,	/* --session-timeout */
	SESSION_SIGNAL,		/* a signal to pfmon */
	SESSION_ENTER,		/* ENTER */
};

/**
 * struct session - state and outcome
 * @options: command line
 * @events: what is counted
 * @results: what was counted
 * @sampling: what was sampled; NULL nothing
 * @log: what each turn of a set counted; NULL there is no log
 * @child: the command, if there is one
 * @task: process or thread that was attached; 0 none
 * @task_name: its program
 * @task_status: its exit status, once it has ended
 * @keyboard: where ENTER ends the session; -1 nowhere
 * @entered: it was pressed
 * @system: system-wide, the CPUs; NULL otherwise
 * @fd: the context
 * @sources: what it waits for, beside signals and keyboard (loop.h)
 * @signals_fd: signalfd of the signals that pfmon handles itself
 * @setup: how the command is started
 * @again: this is not the first run of the command
 * @date: wall clock time of @start
 * @start: CLOCK_MONOTONIC ns when the command was allowed to execute
 * @end: when counting ended
 * @gone: when the command itself ended; 0 it runs
 * @ended: why counting ended
 * @signal: last signal that ended something; 0 none
 * @signals: how many such signals came
 * @end_seen: the context said that the last task is gone
 * @check_at: when to look whether the command outlived that; 0 never
 * @left: the command goes on unmonitored
 * @notice_at: when to say what pfmon is waiting for; 0 never
 * @config: counts of merged and lost tasks, after the end, of all runs
 * @buffer: for reading records
 */
struct session {
	const struct options *options;
	const struct events *events;
	struct results results;
	struct sampling *sampling;
	struct slice_log *log;
	struct child child;
	pid_t task;
	char *task_name;
	uint32_t task_status;
	int keyboard;
	bool entered;
	struct system *system;
	int fd;
	struct source *sources;
	int signals_fd;
	struct child_setup setup;
	bool again;
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
};

/*
 * The first step of every kind of session.  @session is zero, except for @log and
 * for what a later run takes over: @results, @config, @setup and @again.  0, or -1
 * after saying what failed.
 */
int session_begin(struct session *session, const struct options *options,
		  const struct events *events, struct sampling *sampling,
		  int fd);

/* @session->system is not freed: see system_free(). */
void session_free(struct session *session);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Begin and end of every kind of session.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/message.h"
#include "options/options.h"
#include "plan/plan.h"
#include "session/context_ioctl.h"
#include "session/input.h"
#include "session/progress.h"
#include "session/ranges.h"
#include "session/session.h"

int session_begin(struct session *session, const struct plan *plan,
		  struct sampling *sampling, int fd)
{
	const struct options *options = plan->options;

	session->options = options;
	session->plan = plan;
	session->events = &plan->parts[0].events;
	session->metrics = plan->parts[0].metrics;
	session->sampling = sampling;
	session->fd = fd;
	session->keyboard = -1;
	session->child.go = -1;
	session->child.failure = -1;
	session->signals_fd = signals_catch(&session->setup.signals,
					    &session->setup.ignore_children);
	if (session->signals_fd < 0)
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

void session_free(struct session *session)
{
	progress_free(session->progress);
	ranges_free(session->ranges);
	results_free(&session->results);
	slice_log_free(session->log);
	free(session->task_name);
	free(session->buffer);
	if (session->fd >= 0)
		close(session->fd);
	if (session->signals_fd >= 0)
		close(session->signals_fd);
}

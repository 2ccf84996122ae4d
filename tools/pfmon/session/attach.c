// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaches to running tasks.
 *
 * The kernel attaches to all threads of a process in one ioctl, including threads
 * that are created in the meantime.  The process notices neither that nor the
 * detaching when the context is closed.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/process.h"
#include "check/remedies.h"
#include "events/event_list.h"
#include "options/options.h"
#include "sampling/sampling.h"
#include "session/attach.h"
#include "session/session.h"

int attach_check(pid_t task, bool one_thread, struct process *process)
{
	if (process_read(process, task)) {
		say_error("there is no process or thread %d", task);
		return -1;
	}
	if (one_thread || process->pid == task)
		return 0;
	say_error(
		"%d is a thread of process %d; take --attach-task=%d for all threads of the process, --attach-thread=%d for this one",
		task, process->pid, process->pid, task);
	return -1;
}

int attach_find(struct session *session)
{
	const struct scope_options *scope = &session->options->scope;
	struct process process;

	if (attach_check(scope->tasks[0], scope->one_thread, &process))
		return -1;
	session->task = scope->tasks[0];
	session->task_name = strdup(process.name);
	if (!session->task_name) {
		say_error("out of memory");
		return -1;
	}
	if (session->sampling) {
		session->sampling->program = session->task_name;
		session->sampling->parent = process.ppid;
	}
	return 0;
}

pid_t attach_process(const struct session *session)
{
	struct process process;

	/* Without a process the attaching fails, too. */
	return process_read(&process, session->task) ? session->task
						     : process.pid;
}

int attach_load(int fd, pid_t task, bool process, bool take)
{
	PFM_OPTS(pfm_load_opts, opts,
		 .flags = (process ? PFM_LOAD_PROCESS : 0) |
			  (take ? PFM_LOAD_TAKE : 0));

	return pfm_ctx_load(fd, task, &opts);
}

int attach_task(struct session *session)
{
	int err;

	/* The kernel refuses to load a context that uses no register. */
	if (events_need_nothing(session->events)) {
		say_error(
			"a running task needs an event to count; levels of the machine do not belong to a task ('pfmon -e free-memory -- true' reads one)");
		return -1;
	}
	err = attach_load(session->fd, session->task,
			  !session->options->scope.one_thread,
			  session->options->take);
	if (err) {
		rights_tell_task(session->task, err);
		return -1;
	}
	return session->options->scope.delay_ns ? 0 : attach_start(session->fd);
}

int attach_start(int fd)
{
	int err = pfm_ctx_start(fd, NULL);

	/* After a delay the last task may have ended just now. */
	if (!err || err == -ENOTCONN)
		return 0;
	say_error("cannot start counting: %s",
		  pfm_ctx_strerror(PFM_IOC_START, err));
	return -1;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks that run already: --attach-task and --attach-thread.
 */
#ifndef PFMON_SESSION_ATTACH_H
#define PFMON_SESSION_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

struct process;
struct session;

/* Each returns 0, or -1 after saying what is wrong. */

/* Looks for a task, which is a process unless @one_thread. */
int attach_check(pid_t task, bool one_thread, struct process *process);

/* Looks for the task of the command line. */
int attach_find(struct session *session);

/* Has the session's context monitor it. */
int attach_task(struct session *session);

/* Has context @fd monitor a process with all of its threads, or one thread. */
int attach_load(int fd, pid_t task, bool process);

#endif

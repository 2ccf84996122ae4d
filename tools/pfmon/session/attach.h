/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks and control groups that are monitored.
 */
#ifndef PFMON_SESSION_ATTACH_H
#define PFMON_SESSION_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

struct process;
struct session;

/* attach.c */

/* Each function that returns int returns 0, or -1 after a message. */

/* Reads @task from /proc; it has to be a process unless @one_thread. */
int attach_check(pid_t task, bool one_thread, struct process *process);

/* Finds the task of the command line. */
int attach_find(struct session *session);

/* The process of that task. */
pid_t attach_process(const struct session *session);

/* Attaches the session's context to that task, and lets it count unless there is a delay. */
int attach_task(struct session *session);

/* Lets a context count whose tasks run already; no error if the last one has ended. */
int attach_start(int fd);

/*
 * Attaches context @fd to a process with all its threads, or to one thread; @take: as --take.
 * Returns 0, or the negative errno of the library.
 */
int attach_load(int fd, pid_t task, bool process, bool take);

/* cgroup.c */

/*
 * Returns the folder of a group, which the caller frees; NULL after a message.
 */
char *cgroup_find(const char *path);

/* The folder on which cgroup2 is mounted; empty if it is not. */
const char *cgroup_mount(void);

/* The path that /proc/PID/cgroup would say of a folder; the folder if it is not below the mount. */
const char *cgroup_path(const char *folder);

/*
 * True if the group is threaded: then it has no processes, but threads of
 * processes that belong to a group above it.
 */
bool cgroup_is_threaded(const char *path);

#endif

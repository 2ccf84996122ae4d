/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Properties of a process or thread, from /proc.
 */
#ifndef PFMON_BASE_PROCESS_H
#define PFMON_BASE_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/**
 * struct process - a process or thread
 * @pid: process id
 * @ppid: process id of the parent
 * @uid: user that it runs as
 * @comm: name of the thread
 * @name: program that the process executes, or @comm when that is not known
 * @started: start time in ticks since boot: distinguishes processes that had
 *	the same id
 */
struct process {
	pid_t pid;
	pid_t ppid;
	uid_t uid;
	char comm[64];
	char name[4096];
	uint64_t started;
};

/* Returns 0, or -1 if there is no such process or thread. */
int process_read(struct process *process, pid_t tid);

#endif

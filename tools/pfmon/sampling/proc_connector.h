/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel's process connector tells: forks, executed programs, names.
 */
#ifndef PFMON_SAMPLING_PROC_CONNECTOR_H
#define PFMON_SAMPLING_PROC_CONNECTOR_H

#include <stdbool.h>
#include <stdint.h>

/**
 * enum proc_change_kind - what happened
 */
enum proc_change_kind {
	PROC_FORK, /* a process or thread was created */
	PROC_EXEC, /* a program was executed */
	PROC_NAME, /* a thread took another name */
};

/**
 * struct proc_change - one event
 * @kind: what happened
 * @time: when, ns of CLOCK_MONOTONIC
 * @pid: process it happened to
 * @tid: thread
 * @parent_pid: FORK: process that created it
 * @parent_tid: FORK: thread that did
 * @comm: NAME: the name
 */
struct proc_change {
	enum proc_change_kind kind;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint32_t parent_pid;
	uint32_t parent_tid;
	char comm[17];
};

/* A descriptor to poll; -1 when the kernel does not tell this user. */
int proc_connector_open(void);

/*
 * The next event: 1, 0 there is none now, -1 events were lost because they came
 * faster than they were read.
 */
int proc_connector_next(int fd, struct proc_change *change);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who monitors what now, as /sys/kernel/perfmon/holders has it.
 */
#ifndef PFMON_CHECK_HOLDERS_H
#define PFMON_CHECK_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct holder - a loaded context
 * @cpu: CPU that it monitors, -1 threads
 * @thread: thread that it was loaded on, 0 not visible here
 * @pid: process that loaded it, 0 not visible here
 * @uid: its user
 * @comm: its name
 */
struct holder {
	int cpu;
	uint32_t thread;
	uint32_t pid;
	uint32_t uid;
	char comm[64];
};

/**
 * struct holders - the file, while it is read
 * @file: its stream, NULL the kernel has no such file
 * @others: contexts that the user may not see; valid at the end
 */
struct holders {
	FILE *file;
	unsigned int others;
};

void holders_open(struct holders *holders);
/* False at the end. */
bool holders_next(struct holders *holders, struct holder *holder);
void holders_close(struct holders *holders);

/* What a holder does, for people. */
const char *holders_text(const struct holder *holder, char *text, size_t size);

/* Whether the kernel says that there are none. */
bool holders_none(void);

enum holders_which {
	HOLDERS_ALL,
	HOLDERS_CPUS, /* those of CPUs */
	HOLDERS_TASK, /* those of threads of one process */
};

/* A phrase that names holders and says how to get rid of them. */
const char *holders_tell(enum holders_which which, uint32_t pid, char *text,
			 size_t size);

#endif

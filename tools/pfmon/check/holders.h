/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The loaded contexts and their owners, from /sys/kernel/perfmon/holders.
 */
#ifndef PFMON_CHECK_HOLDERS_H
#define PFMON_CHECK_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct holder - a loaded context
 * @cpu: CPU that it monitors; -1 if it monitors threads
 * @one_cgroup: it monitors one cgroup on that CPU
 * @thread: thread that it was loaded on; 0 if not visible here
 * @pid: process that loaded it; 0 if not visible here
 * @uid: user of that process
 * @comm: name of that process
 */
struct holder {
	int cpu;
	bool one_cgroup;
	uint32_t thread;
	uint32_t pid;
	uint32_t uid;
	char comm[64];
};

/**
 * struct holders - the open file
 * @file: its stream; NULL if the kernel has no such file
 * @others: contexts that this user may not see; valid after the last one
 */
struct holders {
	FILE *file;
	unsigned int others;
};

void holders_open(struct holders *holders);
/* Reads the next holder.  Returns false at the end. */
bool holders_next(struct holders *holders, struct holder *holder);
void holders_close(struct holders *holders);

/* Describes a holder in text. */
const char *holders_text(const struct holder *holder, char *text, size_t size);

/* True if the kernel says that no context holds a register of a PMU. */
bool holders_none(void);

/* True if the CPU may have as many contexts as it can. */
bool holders_fill(unsigned int cpu);

enum holders_which {
	HOLDERS_ALL,
	HOLDERS_CPUS, /* contexts of CPUs */
	HOLDERS_TASK, /* contexts of the threads of one process */
};

/* Writes a phrase that names holders and says how to end them. */
const char *holders_tell(enum holders_which which, uint32_t pid, char *text,
			 size_t size);

#endif

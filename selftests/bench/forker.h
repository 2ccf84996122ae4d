/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that vfork when they are told: one that is not followed beside one
 * that is, in the same state of the machine.  One after the other would compare
 * what the kernel's allocators were like at different times.
 */
#ifndef _FORKER_H
#define _FORKER_H

#include "bench.h"

/**
 * struct forker - a process that vforks
 * @pid: its number
 * @to: where it waits to be told
 * @from: where it answers
 */
struct forker {
	pid_t pid;
	int to;
	int from;
};

void forker_open(struct forker *forker);
void forker_close(const struct forker *forker);

/*
 * What vfork, exit and wait cost one forker more than another: the median of
 * several runs of each in turn.  The records of the group are read between them,
 * as a reader does that keeps up.
 */
double forker_difference(const struct forker *more, const struct forker *less,
			 const struct group *records);

#endif /* _FORKER_H */

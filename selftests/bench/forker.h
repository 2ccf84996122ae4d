/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that call vfork on request.  Runs of a followed process and of one that is
 * not followed alternate, so both meet the same state of the machine.  If all runs of
 * one preceded all runs of the other, the kernel's allocators could be in different
 * states.
 */
#ifndef _FORKER_H
#define _FORKER_H

#include "bench.h"

/**
 * struct forker - a process that vforks
 * @pid: its process id
 * @to: pipe on which it waits for a request
 * @from: pipe to which it writes its answer
 */
struct forker {
	pid_t pid;
	int to;
	int from;
};

void forker_open(struct forker *forker);
void forker_close(const struct forker *forker);

/*
 * The cost of vfork, exit and wait for one forker less the cost for another: the
 * difference of the medians of several runs, which alternate.  The records of the
 * group are read between the runs, as by a consumer that keeps up.
 */
double forker_difference(const struct forker *more, const struct forker *less,
			 const struct group *records);

#endif /* _FORKER_H */

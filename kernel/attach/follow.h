/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Following tasks through fork, exec and exit.
 */
#ifndef _PFM_FOLLOW_H
#define _PFM_FOLLOW_H

#include <linux/types.h>

#include "compat.h"

struct linux_binprm;
struct task_struct;

PFM_FORK_PROBE(pfm_follow_fork);
void pfm_follow_exec(void *data, struct task_struct *task, pid_t old_pid,
		     struct linux_binprm *bprm);
PFM_EXIT_PROBE(pfm_follow_exit);

#endif /* _PFM_FOLLOW_H */

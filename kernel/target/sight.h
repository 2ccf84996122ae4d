/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sights: what the owner of a context may see of a task's user state.
 */
#ifndef _PFM_SIGHT_H
#define _PFM_SIGHT_H

#include <linux/types.h>

struct pfm_context;
struct task_struct;

/**
 * enum pfm_sight_kind - extent of a right to look at a task
 * @PFM_SIGHT_NONE: nothing may be seen
 * @PFM_SIGHT_DUMPABLE: the program that the right was checked for, while it may be
 *	dumped
 * @PFM_SIGHT_PROGRAM: the program that the right was checked for, dumpable or not
 * @PFM_SIGHT_CPU: any program, but not in the middle of an exec
 * @PFM_SIGHT_ALL: everything
 */
enum pfm_sight_kind {
	PFM_SIGHT_NONE,
	PFM_SIGHT_DUMPABLE,
	PFM_SIGHT_PROGRAM,
	PFM_SIGHT_CPU,
	PFM_SIGHT_ALL,
};

/**
 * struct pfm_sight - right to look at a task's user state, for one of its programs
 * @kind: extent of the right
 * @mm: address space of the program; only compared, as it may have been freed
 * @exec_id: self_exec_id of the task while it runs the program
 *
 * See Documentation/change/locking/target.rst, "Exec and credentials".
 */
struct pfm_sight {
	enum pfm_sight_kind kind;
	const void *mm;
	u64 exec_id;
};

void pfm_sight_load(struct pfm_sight *sight, const struct pfm_context *ctx,
		    const struct task_struct *task, enum pfm_sight_kind right);
void pfm_sight_fork(struct pfm_sight *sight, const struct pfm_sight *parent,
		    const struct task_struct *child);
void pfm_sight_exec(struct pfm_sight *sight);
bool pfm_sight_open(const struct pfm_sight *sight);

#endif /* _PFM_SIGHT_H */

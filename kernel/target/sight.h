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
 * enum pfm_sight_kind - how far a right goes
 * @PFM_SIGHT_NONE: nothing may be seen
 * @PFM_SIGHT_DUMPABLE: the program, as long as it may be dumped
 * @PFM_SIGHT_PROGRAM: the program: the right did not rest on that
 * @PFM_SIGHT_CPU: whatever program runs
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
 * struct pfm_sight - a right to look at a task, and for which of its programs
 * @kind: how far it goes
 * @mm: the program's address space; only compared
 * @exec_id: the task's self_exec_id while it runs the program
 *
 * See Documentation/locking.rst, "Exec and credentials".
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the owner of a context may see of a task's user state: registers, memory,
 * the interrupted instruction and the mappings.
 *
 * A right is checked for the program that a task runs.  exec replaces the program
 * in steps, and the probe that may end monitoring comes after the last one.  So
 * whoever takes user state compares the program with the one of the right first.
 * Why that is enough: Documentation/locking.rst, "Exec and credentials".
 */
#include "target/sight.h"

#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "compat.h"
#include "core/context.h"

/* Of a task that cannot execute another program meanwhile. */
static void set_program(struct pfm_sight *sight, const struct task_struct *task)
{
	sight->mm = READ_ONCE(task->mm);
	sight->exec_id = task->self_exec_id;
}

/**
 * pfm_sight_load - the right to monitor a task or a CPU was checked
 * @sight: filled in
 * @ctx: the context that is loaded
 * @task: the task, whose exec_update_lock is held since; NULL for a CPU
 * @right: from pfm_access_task(); of no meaning for a CPU
 *
 * Context: process.
 */
void pfm_sight_load(struct pfm_sight *sight, const struct pfm_context *ctx,
		    const struct task_struct *task, enum pfm_sight_kind right)
{
	if (ctx->privileged) {
		sight->kind = PFM_SIGHT_ALL;
	} else if (!task) {
		sight->kind = PFM_SIGHT_CPU;
	} else {
		set_program(sight, task);
		sight->kind = right;
	}
}

/**
 * pfm_sight_fork - a task that is followed made a child
 * @sight: the child's; filled in
 * @parent: that of the current task
 * @child: the child, which has not run
 *
 * The child has its parent's program and credentials.
 */
void pfm_sight_fork(struct pfm_sight *sight, const struct pfm_sight *parent,
		    const struct task_struct *child)
{
	*sight = *parent;
	if (!pfm_sight_open(parent))
		sight->kind = PFM_SIGHT_NONE;
	set_program(sight, child);
}

/**
 * pfm_sight_exec - the current task goes on in a new program
 * @sight: its sight
 *
 * In the exec probe, which has found that the program may be dumped unless the
 * context sees everything.
 */
void pfm_sight_exec(struct pfm_sight *sight)
{
	if (sight->kind != PFM_SIGHT_ALL)
		sight->kind = PFM_SIGHT_DUMPABLE;
	set_program(sight, current);
}

/* Whether the current task runs the program of a sight. */
static bool is_program(const struct pfm_sight *sight)
{
	return current->mm && current->mm == sight->mm &&
	       current->self_exec_id == sight->exec_id;
}

/**
 * pfm_sight_open - whether user state of the current task may be seen
 * @sight: that of its target
 *
 * Context: any, NMI included.
 * Return: true when it may.
 */
bool pfm_sight_open(const struct pfm_sight *sight)
{
	const struct mm_struct *mm = current->mm;

	if (sight->kind == PFM_SIGHT_ALL)
		return true;
	if (pfm_in_execve(current))
		return false;
	switch (sight->kind) {
	case PFM_SIGHT_DUMPABLE:
		return is_program(sight) &&
		       pfm_task_dumpable(current, current->mm);
	case PFM_SIGHT_PROGRAM:
		return is_program(sight);
	case PFM_SIGHT_CPU:
		/* An exec that fails later than that kills the task. */
		return mm && READ_ONCE(mm->start_stack) &&
		       !fatal_signal_pending(current);
	default:
		return false;
	}
}

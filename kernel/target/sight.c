// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sights: what the owner of a context may see of a task's user state, that is,
 * registers, memory, the interrupted instruction and the mappings.
 *
 * The right to monitor a task is checked for the program that the task runs.  exec
 * replaces the program in steps, and the probe that may end monitoring runs after the
 * last step.  So user state is taken only after the present program was compared with
 * the one that the right was checked for.  Why that is enough:
 * Documentation/change/locking/target.rst, "Exec and credentials".
 */
#include "target/sight.h"

#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "compat.h"
#include "core/context.h"

/* Store the task's program.  The task cannot execute another program meanwhile. */
static void set_program(struct pfm_sight *sight, const struct task_struct *task)
{
	sight->mm = READ_ONCE(task->mm);
	sight->exec_id = task->self_exec_id;
}

/**
 * pfm_sight_load - set up a sight after the right to monitor was checked
 * @sight: out: the sight
 * @ctx: the context that is being loaded
 * @task: the task, NULL for a CPU; the caller has held its exec_update_lock since
 *	before the check
 * @right: from pfm_access_task(); for a CPU PFM_SIGHT_CPU, or PFM_SIGHT_NONE if the caller has no
 *	right to monitor everybody there
 *
 * Context: process.
 */
void pfm_sight_load(struct pfm_sight *sight, const struct pfm_context *ctx,
		    const struct task_struct *task, enum pfm_sight_kind right)
{
	if (ctx->privileged) {
		sight->kind = PFM_SIGHT_ALL;
	} else if (!task) {
		sight->kind = right;
	} else {
		set_program(sight, task);
		sight->kind = right;
	}
}

/**
 * pfm_sight_fork - set up the sight of a followed child
 * @sight: out: sight of the child
 * @parent: sight of the current task, the parent
 * @child: the child, which has not run yet
 *
 * The child has its parent's program and credentials.
 *
 * Context: fork probe.
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
 * pfm_sight_exec - change the sight to the new program of the current task
 * @sight: sight of the current task
 *
 * Context: exec probe, after it found that the new program may be dumped or that the
 * context sees everything.
 */
void pfm_sight_exec(struct pfm_sight *sight)
{
	if (sight->kind != PFM_SIGHT_ALL)
		sight->kind = PFM_SIGHT_DUMPABLE;
	set_program(sight, current);
}

/* True when the current task runs the program that the sight was set up for. E1 */
static bool is_program(const struct pfm_sight *sight)
{
	return current->mm && current->mm == sight->mm &&
	       current->self_exec_id == sight->exec_id;
}

/**
 * pfm_sight_open - check whether user state of the current task may be seen
 * @sight: sight of the current task's target
 *
 * Context: any but an NMI that interrupted code with interrupts off: only an owner that may see
 * everything has samples taken there, and needs no look.
 * Return: true when it may be seen.
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
		/* An exec that fails after start_stack was set kills the task. */
		return mm && READ_ONCE(mm->start_stack) &&
		       !fatal_signal_pending(current);
	default:
		return false;
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the PMU of a CPU counts for.
 *
 * A target is counted for by at most one CPU, pfm_target.cpu.  What a CPU counts
 * for is changed on that CPU with interrupts off: by the switch hook, by an
 * inter-processor call, by a call of the task itself, by an overflow or by the
 * timer that ends a set's turn.  The argument in full: Documentation/locking.rst.
 */
#include "cpu/cpu.h"

#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "compat.h"
#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/set_switch.h"
#include "sampling/lane.h"
#include "sampling/overflow.h"
#include "sampling/overflow_fast.h"
#include "set/layout.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

static u64 *vals_of(const struct pfm_cpu *cpu, enum pfm_reg_class class)
{
	return cpu->target->vals + cpu->cset->at + cpu->cset->off[class];
}

/* Write the hardware's counters, unless they hold the values, and start them. */
static __always_inline void hardware_run(struct pfm_cpu *cpu)
{
	const struct pfm_cset *cset = cpu->cset;
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	struct pfm_target *target = cpu->target;

	if (cpu->prog_id == cset->prog_id && cpu->last == target &&
	    target->last_cpu == cpu->nr && prog->pmu->ops->resume) {
		prog->pmu->ops->resume(prog);
		return;
	}
	prog->pmu->ops->restore(prog, vals_of(cpu, PFM_CLASS_HW), target->task,
				cpu->prog_id == cset->prog_id);
	cpu->passed = false;
	if (cpu->prog_id == cset->prog_id)
		return;
	cpu->prog_id = cset->prog_id;
	cpu->clean = 0;
}

/* Let the counters run for the CPU's target, from its values. */
static __always_inline void counters_run(struct pfm_cpu *cpu)
{
	const struct pfm_cset *cset = cpu->cset;
	struct pfm_target *target = cpu->target;
	const struct pfm_prog *prog;

	prog = &cset->progs[PFM_CLASS_CPU];
	if (prog->npmds)
		prog->pmu->ops->restore(prog, vals_of(cpu, PFM_CLASS_CPU),
					target->task, false);
	if (cset->progs[PFM_CLASS_HW].npmds)
		hardware_run(cpu);
	if (unlikely(READ_ONCE(target->ctx->user_page)))
		pfm_user_page_run(cpu);
}

/* Stop the counters of the CPU's target and bring its values up to date. */
static __always_inline void counters_stop(struct pfm_cpu *cpu)
{
	const struct pfm_cset *cset = cpu->cset;
	struct pfm_target *target = cpu->target;
	const struct pfm_prog *prog;

	prog = &cset->progs[PFM_CLASS_HW];
	if (prog->npmds) {
		prog->pmu->ops->save(prog, vals_of(cpu, PFM_CLASS_HW),
				     target->task);
		cpu->last = cpu->passed ? NULL : target;
		cpu->passed = false;
		target->last_cpu = cpu->nr;
	}
	prog = &cset->progs[PFM_CLASS_CPU];
	if (prog->npmds)
		prog->pmu->ops->save(prog, vals_of(cpu, PFM_CLASS_CPU),
				     target->task);
	if (unlikely(READ_ONCE(target->ctx->user_page)))
		pfm_user_page_stop(cpu);
}

static void turn_start(struct pfm_cpu *cpu)
{
	if (cpu->cset->timeout)
		hrtimer_start(&cpu->slice, ns_to_ktime(cpu->deadline),
			      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Interrupts are off and the timer is pinned: if its function runs now, this is
 * called from it.
 */
static void turn_stop(struct pfm_cpu *cpu)
{
	if (cpu->cset->timeout)
		hrtimer_try_to_cancel(&cpu->slice);
}

/* The counters stand still: the CPU's target is nobody's. */
static void release(struct pfm_cpu *cpu)
{
	struct pfm_target *target = cpu->target;

	cpu->target = NULL;
	/*
	 * Pairs with the loads of target->cpu: who sees -1 sees the values.  The
	 * target must not be touched after this.
	 */
	smp_store_release(&target->cpu, -1);
}

/*
 * Counting stops: the context is masked, or overflows have spent what they may of a
 * millisecond.  The timer is about whatever this CPU is kept from counting for; who is
 * switched to later starts it anew.
 */
static void pause(struct pfm_cpu *cpu)
{
	const struct pfm_context *ctx = cpu->target->ctx;

	if (!READ_ONCE(ctx->masked))
		hrtimer_start(&cpu->storm,
			      ns_to_ktime(pfm_lane_here(ctx)->window_end),
			      HRTIMER_MODE_ABS_PINNED_HARD);
	release(cpu);
}

/* The lane of a target that was about to be counted for pauses. */
static noinline void pause_on(struct pfm_cpu *cpu)
{
	if (cpu->layout->timed) {
		turn_stop(cpu);
		pfm_set_switch_stop(cpu);
	}
	pause(cpu);
}

/*
 * The CPU's target is counted for with the compiled set that is set.  Returns false when it is
 * not, as the lane pauses: then it is nobody's.
 */
static __always_inline bool cset_begin(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->cset->nsmpls)) {
		if (unlikely(!pfm_overflow_begin(cpu->target, cpu->cset))) {
			pause_on(cpu);
			return false;
		}
		pfm_overflow_fast_begin(cpu);
	}
	if (unlikely(cpu->cset->flags & PFM_SETFL_LOG))
		pfm_set_switch_mark(cpu);
	counters_run(cpu);
	return true;
}

/* What an overflow changed is not in the registers. */
static void mark_changed(struct pfm_cpu *cpu)
{
	cpu->target->last_cpu = -1;
}

/*
 * The counters were stopped, and what overflowed was dealt with: the target's
 * values become the task's.
 */
static __always_inline void cset_end(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->cset->flags & PFM_SETFL_LOG))
		pfm_set_switch_sum(cpu);
	if (unlikely(cpu->cset->nsmpls)) {
		pfm_overflow_fast_end();
		pfm_overflow_park(cpu->target, cpu->cset);
		mark_changed(cpu);
	}
}

static __always_inline void begin(struct pfm_cpu *cpu,
				  struct pfm_target *target)
{
	cpu->target = target;
	cpu->layout = rcu_dereference_sched(target->ctx->layout);
	cpu->cset = cpu->layout->csets;
	if (unlikely(cpu->layout->timed)) {
		pfm_set_switch_load(cpu);
		cpu->loaded = cpu->since;
		turn_start(cpu);
	}
	cset_begin(cpu);
}

/**
 * pfm_cpu_load - count for a target from now on
 * @cpu: this CPU, which counts for none; interrupts off
 * @target: the target of a task or of a CPU's context
 *
 * Does nothing when the target is not to be counted for.
 */
void pfm_cpu_load(struct pfm_cpu *cpu, struct pfm_target *target)
{
	lockdep_assert_irqs_disabled();
	target = pfm_cpu_counts(target);
	if (target && pfm_cpu_claim(cpu, target))
		begin(cpu, target);
}

/* The active set is left, the counters standing still. */
static void leave(struct pfm_cpu *cpu)
{
	pfm_set_switch_next(cpu->target, cpu->layout,
			    pfm_lane_here(cpu->target->ctx));
}

/**
 * pfm_cpu_unload - stop counting for the CPU's target
 * @cpu: this CPU, which counts for a target; interrupts off
 */
void pfm_cpu_unload(struct pfm_cpu *cpu)
{
	u32 what = 0;

	lockdep_assert_irqs_disabled();
	counters_stop(cpu);
	if (unlikely(cpu->layout->timed)) {
		turn_stop(cpu);
		pfm_set_switch_stop(cpu);
	}
	/* A wrap in code with interrupts off is found here. */
	if (unlikely(cpu->cset->nsmpls))
		what = pfm_overflow_end(cpu->target, cpu->cset, NULL);
	cset_end(cpu);
	if (unlikely(what & PFM_OVERFLOW_SWITCH))
		leave(cpu);
	release(cpu);
}

/**
 * pfm_cpu_replace - count for another target from now on
 * @cpu: this CPU, which counts for a target; interrupts off
 * @target: the other one, from pfm_cpu_claim()
 */
void pfm_cpu_replace(struct pfm_cpu *cpu, struct pfm_target *target)
{
	pfm_cpu_unload(cpu);
	begin(cpu, target);
}

/*
 * Whether a task is not counted by a context of this CPU: the idle task is not when the
 * active set leaves it out.  Interrupts are off.
 */
static bool leaves_out(const struct pfm_context *ctx,
		       const struct task_struct *task)
{
	const struct pfm_layout *layout;

	if (!is_idle_task(task))
		return false;
	layout = rcu_dereference_sched(ctx->layout);
	return layout->csets[ctx->lanes[0]->slice.cset].flags &
	       PFM_SETFL_EXCL_IDLE;
}

/**
 * pfm_cpu_wanted - what a CPU is to count for while a task runs
 * @cpu: this CPU; interrupts off
 * @task: the task
 *
 * Where CPUs are monitored no task is: sessions exclude each other.
 *
 * Return: the target, or NULL.
 */
struct pfm_target *pfm_cpu_wanted(const struct pfm_cpu *cpu,
				  const struct task_struct *task)
{
	if (likely(!cpu->system_wide))
		return pfm_target_find(task);
	if (cpu->away || leaves_out(cpu->system_wide->ctx, task))
		return NULL;
	return cpu->system_wide;
}

/* The set that became active leaves out the idle task, which runs. */
static bool idle_left_out(const struct pfm_cpu *cpu)
{
	return cpu->system_wide && leaves_out(cpu->system_wide->ctx, current);
}

/* The end of a lane's pause: count for the current task again. */
static enum hrtimer_restart storm_over(struct hrtimer *timer)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_target *target;

	if (!cpu->target) {
		target = pfm_cpu_wanted(cpu, current);
		if (target)
			pfm_cpu_load(cpu, target);
		/* A page that was mapped meanwhile gives no access any more. */
		if (cpu->user)
			pfm_user_page_switch(cpu, current);
	}
	return HRTIMER_NORESTART;
}

/* No value is concerned but those of the counters that wrapped. */
static u32 handle_lean(struct pfm_cpu *cpu, struct pt_regs *regs)
{
	const struct pfm_prog *prog = &cpu->cset->progs[PFM_CLASS_HW];
	u64 *vals = vals_of(cpu, PFM_CLASS_HW);
	u64 taken;
	u32 what;

	taken = prog->pmu->ops->take(prog, vals);
	what = pfm_overflow_end(cpu->target, cpu->cset, regs);
	prog->pmu->ops->put(prog, vals, taken);
	return what;
}

/* Overflows ask for more than a reset.  The counters stand still. */
static void leave_sampling(struct pfm_cpu *cpu, u32 what)
{
	if (cpu->layout->timed) {
		turn_stop(cpu);
		pfm_set_switch_stop(cpu);
	}
	cset_end(cpu);
	if (what & PFM_OVERFLOW_SWITCH)
		leave(cpu);
	if (what & PFM_OVERFLOW_PAUSE) {
		pause(cpu);
		return;
	}
	if (idle_left_out(cpu)) {
		release(cpu);
		return;
	}
	pfm_set_switch_load(cpu);
	turn_start(cpu);
	cset_begin(cpu);
}

/* Counters of a set that samples wrapped: they stop while that is handled. */
static void handle_sampling(struct pfm_cpu *cpu, struct pt_regs *regs)
{
	u32 what;

	/* A page tells of all values. */
	if (likely(cpu->cset->lean &&
		   !READ_ONCE(cpu->target->ctx->user_page))) {
		what = handle_lean(cpu, regs);
		if (likely(!what))
			return;
		counters_stop(cpu);
		/*
		 * They ran again for a moment.  What wrapped must not be parked: it
		 * would not interrupt any more.  When masked the restart sees to it.
		 */
		if (!READ_ONCE(cpu->target->ctx->masked))
			what |= pfm_overflow_end(cpu->target, cpu->cset, NULL);
	} else {
		counters_stop(cpu);
		what = pfm_overflow_end(cpu->target, cpu->cset, regs);
		if (!what) {
			mark_changed(cpu);
			counters_run(cpu);
			return;
		}
	}
	leave_sampling(cpu, what);
}

void pfm_cpu_overflow_more(u32 what, struct pt_regs *regs)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	counters_stop(cpu);
	if (what & PFM_OVERFLOW_ALL) {
		what = pfm_overflow_end(cpu->target, cpu->cset, regs);
		if (!what) {
			mark_changed(cpu);
			counters_run(cpu);
			return;
		}
	}
	leave_sampling(cpu, what);
}
EXPORT_SYMBOL_GPL(pfm_cpu_overflow_more);

/*
 * The active set's time is over.  What it overflowed meanwhile is dealt with as
 * at a switch of tasks; if that masks the context the next set has to wait.
 */
static enum hrtimer_restart slice_over(struct hrtimer *timer)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_slice *slice;
	u64 deadline, late;
	u32 what = 0;

	/* Stopped before, but too late. */
	if (!cpu->target || !cpu->layout->timed || !cpu->cset->timeout)
		return HRTIMER_NORESTART;
	deadline = cpu->deadline;
	counters_stop(cpu);
	pfm_set_switch_stop(cpu);
	if (unlikely(cpu->cset->nsmpls))
		what = pfm_overflow_end(cpu->target, cpu->cset, NULL);
	cset_end(cpu);
	slice = &pfm_lane_here(cpu->target->ctx)->slice;
	if (unlikely(what & PFM_OVERFLOW_PAUSE)) {
		slice->due = true;
		pause(cpu);
		return HRTIMER_NORESTART;
	}
	leave(cpu);
	if (idle_left_out(cpu)) {
		release(cpu);
		return HRTIMER_NORESTART;
	}
	pfm_set_switch_load(cpu);
	/* The next one ends on time, so that turns do not drift. */
	late = cpu->since - deadline;
	if (slice->remain > late)
		cpu->deadline -= late;
	if (!cset_begin(cpu) || !cpu->cset->timeout)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(cpu->deadline));
	return HRTIMER_RESTART;
}

void pfm_cpu_overflow(struct pt_regs *regs)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	const struct pfm_prog *prog;

	if (!cpu->target)
		return;
	if (cpu->cset->nsmpls) {
		handle_sampling(cpu, regs);
		return;
	}
	prog = &cpu->cset->progs[PFM_CLASS_HW];
	if (prog->npmds)
		prog->pmu->ops->fold(prog, vals_of(cpu, PFM_CLASS_HW));
}
EXPORT_SYMBOL_GPL(pfm_cpu_overflow);

void pfm_cpu_suspend(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	const struct pfm_prog *prog;

	lockdep_assert_irqs_disabled();
	if (!cpu->target)
		return;
	prog = &cpu->cset->progs[PFM_CLASS_HW];
	if (prog->npmds)
		prog->pmu->ops->save(prog, vals_of(cpu, PFM_CLASS_HW),
				     cpu->target->task);
}
EXPORT_SYMBOL_GPL(pfm_cpu_suspend);

void pfm_cpu_forget(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	lockdep_assert_irqs_disabled();
	cpu->prog_id = 0;
	cpu->last = NULL;
	cpu->user = NULL;
	cpu->clean = 0;
	if (cpu->target && cpu->cset->progs[PFM_CLASS_HW].npmds) {
		hardware_run(cpu);
		if (READ_ONCE(cpu->target->ctx->user_page))
			pfm_user_page_run(cpu);
		/* A wrap that pfm_cpu_suspend() found interrupts no more. */
		if (cpu->cset->nsmpls &&
		    pfm_overflow_due(cpu->target, cpu->cset)) {
			struct pfm_target *target = cpu->target;

			pfm_cpu_unload(cpu);
			if (pfm_cpu_wanted(cpu, current) == target)
				pfm_cpu_load(cpu, target);
		}
	}
	pfm_user_page_switch(cpu, current);
}
EXPORT_SYMBOL_GPL(pfm_cpu_forget);

/** pfm_cpu_init - prepare the CPUs */
void pfm_cpu_init(void)
{
	int i;

	for_each_possible_cpu(i) {
		struct pfm_cpu *cpu = per_cpu_ptr(&pfm_cpus, i);

		cpu->nr = i;
		pfm_hrtimer_setup(&cpu->storm, storm_over, CLOCK_MONOTONIC,
				  HRTIMER_MODE_ABS_PINNED_HARD);
		pfm_hrtimer_setup(&cpu->slice, slice_over, CLOCK_MONOTONIC,
				  HRTIMER_MODE_ABS_PINNED_HARD);
	}
}

/** pfm_cpu_exit - no context exists any more */
void pfm_cpu_exit(void)
{
	int i;

	for_each_possible_cpu(i) {
		hrtimer_cancel(&per_cpu_ptr(&pfm_cpus, i)->storm);
		hrtimer_cancel(&per_cpu_ptr(&pfm_cpus, i)->slice);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's PMU: loading and unloading the target that the CPU counts for.
 *
 * At most one CPU counts for a target: pfm_target.cpu.  A CPU changes its target
 * itself, with interrupts off: in the switch probe, in an inter-processor call, in an
 * ioctl of the task itself, in an overflow, or in the timer that ends a set's time
 * slice.  The argument in full: Documentation/change/locking/cpu.rst.
 */
#include "cpu/cpu.h"

#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <perfmon/critical.h>

#include "compat.h"
#include "core/context.h"
#include "core/cpu_state.h"
#include "core/interrupt.h"
#include "core/pmu.h"
#include "cpu/set_switch.h"
#include "sampling/lane.h"
#include "sampling/overflow.h"
#include "sampling/overflow_fast.h"
#include "sampling/pmi.h"
#include "set/layout.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

static u64 *vals_of(const struct pfm_cpu *cpu, enum pfm_reg_class class)
{
	return cpu->target->vals + cpu->cset->at + cpu->cset->off[class];
}

/*
 * A time slice may be over before it has begun if it is no longer than so many interrupts.  What
 * begins it executes no more than some of them do.
 */
#define SLICE_INTERRUPTS 16

/* Write the hardware counters, unless they hold the values already, and start them. */
static __always_inline void hardware_run(struct pfm_cpu *cpu)
{
	const struct pfm_cset *cset = cpu->cset;
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	struct pfm_target *target = cpu->target;

	if (cpu->prog_id == cset->prog_id && cpu->last == target &&
	    target->last_cpu == cpu->nr && prog->pmu->ops->resume) {
		static_call(pfm_hw_resume)(prog);
		return;
	}
	static_call(pfm_hw_restore)(prog, vals_of(cpu, PFM_CLASS_HW),
				    target->task,
				    cpu->prog_id == cset->prog_id);
	cpu->passed = false;
	if (cpu->prog_id == cset->prog_id)
		return;
	cpu->prog_id = cset->prog_id;
	cpu->clean = 0;
}

static void class_run(struct pfm_cpu *cpu, enum pfm_reg_class class)
{
	const struct pfm_prog *prog = &cpu->cset->progs[class];

	if (prog->npmds)
		prog->pmu->ops->restore(prog, vals_of(cpu, class),
					cpu->target->task, false);
}

static void class_stop(struct pfm_cpu *cpu, enum pfm_reg_class class)
{
	const struct pfm_prog *prog = &cpu->cset->progs[class];

	if (prog->npmds)
		prog->pmu->ops->save(prog, vals_of(cpu, class),
				     cpu->target->task);
}

/* Let the registers run that few sets use: all but the hardware counters. */
static noinline void others_run(struct pfm_cpu *cpu)
{
	class_run(cpu, PFM_CLASS_CPU);
	class_run(cpu, PFM_CLASS_UNIT);
	class_run(cpu, PFM_CLASS_SHARED);
}

static noinline void others_stop(struct pfm_cpu *cpu)
{
	class_stop(cpu, PFM_CLASS_SHARED);
	class_stop(cpu, PFM_CLASS_UNIT);
	class_stop(cpu, PFM_CLASS_CPU);
}

/* Let the counters of the active set run for the CPU's target, from its values. */
static __always_inline void counters_run(struct pfm_cpu *cpu)
{
	const struct pfm_cset *cset = cpu->cset;
	struct pfm_target *target = cpu->target;

	if (unlikely(cset->paths & PFM_PATH_OTHERS))
		others_run(cpu);
	if (cset->progs[PFM_CLASS_HW].npmds)
		hardware_run(cpu);
	if (unlikely(READ_ONCE(target->ctx->user_page)))
		pfm_user_page_run(cpu);
}

/* Stop the counters and bring the values of the CPU's target up to date. */
static __always_inline void counters_stop(struct pfm_cpu *cpu)
{
	const struct pfm_cset *cset = cpu->cset;
	struct pfm_target *target = cpu->target;
	const struct pfm_prog *prog;

	prog = &cset->progs[PFM_CLASS_HW];
	if (prog->npmds) {
		static_call(pfm_hw_save)(prog, vals_of(cpu, PFM_CLASS_HW),
					 target->task);
		cpu->last = cpu->passed ? NULL : target;
		cpu->passed = false;
		target->last_cpu = cpu->nr;
	}
	if (unlikely(cset->paths & PFM_PATH_OTHERS))
		others_stop(cpu);
	if (unlikely(READ_ONCE(target->ctx->user_page)))
		pfm_user_page_stop(cpu);
}

static void slice_start(struct pfm_cpu *cpu)
{
	if (cpu->cset->timeout)
		hrtimer_start(&cpu->slice, ns_to_ktime(cpu->deadline),
			      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Cancel the timer.  Interrupts are off and the timer is pinned to this CPU.  So if its
 * function is running now, it is what called this, and there is nothing to wait for.
 */
static void slice_stop(struct pfm_cpu *cpu)
{
	if (cpu->cset->timeout)
		hrtimer_try_to_cancel(&cpu->slice);
}

/* Let go of the CPU's target; the counters stand still. */
static void release(struct pfm_cpu *cpu)
{
	struct pfm_target *target = cpu->target;

	if (unlikely(cpu->layout->lanes))
		pfm_lane_leave(pfm_lane_here(target->ctx));
	cpu->target = NULL;
	/*
	 * Pairs with the loads of target->cpu: a CPU that sees -1 sees the values.  The
	 * target must not be touched after this. C4
	 */
	smp_store_release(&target->cpu, -1);
}

static void pause_start(struct pfm_cpu *cpu)
{
	hrtimer_start(&cpu->pause_timer, ns_to_ktime(cpu->pause_until),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

static void pause_work(struct irq_work *work)
{
	pfm_critical_enter();
	pause_start(container_of(work, struct pfm_cpu, pause_work));
	pfm_critical_exit();
}

/*
 * Let go of the target because the context is masked, or because overflows have used up
 * their share of the millisecond.  In the latter case the timer ends the pause.  There
 * is one timer for each CPU.  When a task is switched in later and its lane pauses too,
 * the timer is set anew.
 */
static void pause(struct pfm_cpu *cpu)
{
	const struct pfm_context *ctx = cpu->target->ctx;

	if (!READ_ONCE(ctx->masked)) {
		cpu->pause_until = pfm_lane_here(ctx)->window_end;
		/* Timers have locks, which NMIs do not take. */
		if (in_nmi())
			irq_work_queue(&cpu->pause_work);
		else
			pause_start(cpu);
	}
	release(cpu);
}

/* Let go of a target that this CPU was about to count for, because its lane pauses. */
static noinline void pause_on(struct pfm_cpu *cpu)
{
	if (cpu->layout->timed) {
		slice_stop(cpu);
		pfm_set_switch_stop(cpu);
	}
	pause(cpu);
}

/*
 * Begin to count for the CPU's target with cpu->cset.  If the lane pauses, let go of
 * the target and return false.
 */
static __always_inline bool cset_begin(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->cset->nsmpls)) {
		if (unlikely(!pfm_overflow_begin(cpu->target, cpu->cset))) {
			pause_on(cpu);
			return false;
		}
		pfm_overflow_fast_begin(cpu);
		if (unlikely(cpu->cset->paths & PFM_PATH_NMI))
			pfm_pmi_begin(cpu->cset, cpu->target->ctx->fmt,
				      pfm_lane_here(cpu->target->ctx));
	}
	if (unlikely(cpu->cset->flags & PFM_SETFL_LOG))
		pfm_set_switch_mark(cpu);
	counters_run(cpu);
	return true;
}

/* An overflow changed values, so the counters do not hold them any more. */
static void mark_changed(struct pfm_cpu *cpu)
{
	cpu->target->last_cpu = -1;
}

/*
 * Finish a period of counting after the counters were stopped and overflows were
 * handled: the target's values become the task's own counts.
 */
static __always_inline void cset_end(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->cset->flags & PFM_SETFL_LOG))
		pfm_set_switch_sum(cpu);
	if (unlikely(cpu->cset->nsmpls)) {
		pfm_overflow_fast_end();
		if (unlikely(cpu->cset->paths & PFM_PATH_NMI))
			pfm_pmi_end(cpu->cset);
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
	if (unlikely(cpu->layout->lanes))
		pfm_lane_enter(pfm_lane_here(target->ctx));
	if (unlikely(cpu->layout->timed)) {
		pfm_set_switch_load(cpu);
		cpu->loaded = cpu->since;
		slice_start(cpu);
	}
	cset_begin(cpu);
}

/**
 * pfm_cpu_load - begin to count for a target, if pfm_cpu_claim() permits it
 * @cpu: this CPU, which counts for none
 * @target: target of a task, or of the CPU's context
 *
 * Context: interrupts off.
 */
void pfm_cpu_load(struct pfm_cpu *cpu, struct pfm_target *target)
{
	/* C1 */
	lockdep_assert_irqs_disabled();
	pfm_critical_assert();
	target = pfm_cpu_counts(target);
	if (target && pfm_cpu_claim(cpu, target))
		begin(cpu, target);
}

/* End the time slice of the active set; the counters stand still. */
static void leave(struct pfm_cpu *cpu)
{
	pfm_set_switch_next(cpu->target, cpu->layout,
			    pfm_lane_here(cpu->target->ctx));
}

/**
 * pfm_cpu_unload - stop counting for the CPU's target
 * @cpu: this CPU, which counts for a target
 *
 * Context: interrupts off.
 */
void pfm_cpu_unload(struct pfm_cpu *cpu)
{
	u32 what = 0;

	lockdep_assert_irqs_disabled();
	pfm_critical_assert();
	counters_stop(cpu);
	if (unlikely(cpu->layout->timed)) {
		slice_stop(cpu);
		pfm_set_switch_stop(cpu);
	}
	/* A wrap in code that ran with interrupts off is found here. */
	if (unlikely(cpu->cset->nsmpls))
		what = pfm_overflow_end(cpu->target, cpu->cset, NULL, false);
	cset_end(cpu);
	if (unlikely(what & PFM_OVERFLOW_SWITCH))
		leave(cpu);
	release(cpu);
}

/**
 * pfm_cpu_replace - stop counting for the CPU's target and begin with another
 * @cpu: this CPU, which counts for a target
 * @target: the other target, for which pfm_cpu_claim() has returned true
 *
 * Context: interrupts off.
 */
void pfm_cpu_replace(struct pfm_cpu *cpu, struct pfm_target *target)
{
	pfm_cpu_unload(cpu);
	begin(cpu, target);
}

/*
 * True when the context of a CPU does not count a task: it is the idle task, and the
 * active set leaves that out.  Interrupts are off.
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
 * pfm_cpu_wanted - find the target that a CPU has to count for while a task runs
 * @cpu: this CPU
 * @task: the task
 *
 * If CPUs are monitored, tasks are not, because such sessions exclude each other.
 *
 * Context: interrupts off.
 * Return: the target, or NULL.
 */
struct pfm_target *pfm_cpu_wanted(const struct pfm_cpu *cpu,
				  const struct task_struct *task)
{
	if (likely(!cpu->system_wide))
		return pfm_target_find(task);
	if (cpu->away || leaves_out(cpu->system_wide->ctx, task) ||
	    unlikely(cpu->barred && pfm_bar_applies(cpu, cpu->system_wide->ctx)))
		return NULL;
	return cpu->system_wide;
}

/*
 * True when the set that has become active leaves out the idle task, which is running.
 */
static bool idle_left_out(const struct pfm_cpu *cpu)
{
	return cpu->system_wide && leaves_out(cpu->system_wide->ctx, current);
}

/* Count for the current task again. */
static void go_on(struct pfm_cpu *cpu)
{
	struct pfm_target *target;

	if (cpu->target)
		return;
	target = pfm_cpu_wanted(cpu, current);
	if (target)
		pfm_cpu_load(cpu, target);
	/*
	 * Meanwhile user mode may have been allowed to read counters.  This task may have
	 * no right to see what is counted from now on.
	 */
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
}

/* Timer: the pause of a lane is over. */
static enum hrtimer_restart pause_over(struct hrtimer *timer)
{
	pfm_critical_enter();
	go_on(this_cpu_ptr(&pfm_cpus));
	pfm_critical_exit();
	return HRTIMER_NORESTART;
}

/* Handle an overflow for which only the counters that wrapped have to be read. */
static u32 handle_lean(struct pfm_cpu *cpu, struct pt_regs *regs)
{
	const struct pfm_prog *prog = &cpu->cset->progs[PFM_CLASS_HW];
	u64 *vals = vals_of(cpu, PFM_CLASS_HW);
	u64 taken;
	u32 what;

	taken = static_call(pfm_hw_take)(prog, vals);
	what = pfm_overflow_end(cpu->target, cpu->cset, regs, true);
	static_call(pfm_hw_put)(prog, vals, taken);
	return what;
}

/* Go on after overflows that ask for more than a reset.  The counters stand still. */
static void leave_sampling(struct pfm_cpu *cpu, u32 what)
{
	if (cpu->layout->timed) {
		slice_stop(cpu);
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
	slice_start(cpu);
	cset_begin(cpu);
}

/* Handle wraps of a set that samples; the counters are stopped meanwhile. */
static void handle_sampling(struct pfm_cpu *cpu, struct pt_regs *regs)
{
	const struct pfm_context *ctx = cpu->target->ctx;
	u32 what;

	/*
	 * A user page needs all values, not only those that wrapped.  A value that RESTART
	 * left as the overflow found it has not wrapped, and is reset now as well.
	 */
	if (likely((cpu->cset->paths & PFM_PATH_LEAN) &&
		   !READ_ONCE(ctx->user_page) && !ctx->unreset)) {
		what = handle_lean(cpu, regs);
		if (likely(!what))
			return;
		counters_stop(cpu);
		/*
		 * The counters ran again for a moment.  A wrap in that moment must be
		 * handled now: it is in the value already, so it will not interrupt.
		 * If this overflow masked the context, RESTART resets the value.
		 */
		if (READ_ONCE(ctx->masked))
			pfm_overflow_defer(cpu->target, cpu->cset);
		else
			what |= pfm_overflow_end(cpu->target, cpu->cset, NULL,
						 false);
	} else {
		counters_stop(cpu);
		what = pfm_overflow_end(cpu->target, cpu->cset, regs, true);
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

	pfm_critical_assert();
	counters_stop(cpu);
	if (what & PFM_OVERFLOW_ALL) {
		what = pfm_overflow_end(cpu->target, cpu->cset, regs, true);
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
 * Deadline of a time slice that has just begun, after what began it.  On a slow machine a short
 * one may be over already, and the timer would leave no time to the interrupted code.  The clock
 * is read for a slice that is short for this machine only, because reading it costs as much as a
 * counter.
 */
static u64 slice_deadline(const struct pfm_cpu *cpu)
{
	if (likely(cpu->deadline - cpu->since >
		   (u64)SLICE_INTERRUPTS * pfm_interrupt_least()))
		return cpu->deadline;
	return max(cpu->deadline,
		   ktime_get_mono_fast_ns() + pfm_policy_timer_min() / 2);
}

/*
 * The time slice of the active set is over.  Overflows are handled as at a context switch.
 * If they mask the context or begin a pause, the next set has to wait. V1
 */
static enum hrtimer_restart slice_end(struct hrtimer *timer)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_slice *slice;
	u64 deadline, late;
	u32 what = 0;

	/* The timer was cancelled, but too late. */
	if (!cpu->target || !cpu->layout->timed || !cpu->cset->timeout)
		return HRTIMER_NORESTART;
	deadline = cpu->deadline;
	counters_stop(cpu);
	pfm_set_switch_stop(cpu);
	if (unlikely(cpu->cset->nsmpls))
		what = pfm_overflow_end(cpu->target, cpu->cset, NULL, false);
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
	/*
	 * Subtract the delay from the next time slice, so that the slices do not drift.
	 */
	late = cpu->since - deadline;
	if (slice->remain > late)
		cpu->deadline -= late;
	if (!cset_begin(cpu) || !cpu->cset->timeout)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(slice_deadline(cpu)));
	return HRTIMER_RESTART;
}

/* Timer */
static enum hrtimer_restart slice_over(struct hrtimer *timer)
{
	enum hrtimer_restart ret;

	pfm_critical_enter();
	ret = slice_end(timer);
	pfm_critical_exit();
	return ret;
}

/*
 * A unit that stands still after an interrupt goes on, in a set that does not sample.
 */
static noinline void unit_fold(struct pfm_cpu *cpu)
{
	const struct pfm_prog *prog = &cpu->cset->progs[PFM_CLASS_UNIT];

	if (prog->npmds && prog->pmu->ops->fold)
		prog->pmu->ops->fold(prog, vals_of(cpu, PFM_CLASS_UNIT));
}

static void overflow(struct pfm_cpu *cpu, struct pt_regs *regs)
{
	const struct pfm_prog *prog;

	if (!cpu->target)
		return;
	if (cpu->cset->nsmpls) {
		handle_sampling(cpu, regs);
		return;
	}
	prog = &cpu->cset->progs[PFM_CLASS_HW];
	if (prog->npmds)
		static_call(pfm_hw_fold)(prog, vals_of(cpu, PFM_CLASS_HW));
	if (unlikely(cpu->cset->paths & PFM_PATH_OTHERS))
		unit_fold(cpu);
}

void pfm_cpu_overflow(struct pt_regs *regs)
{
	pfm_critical_enter();
	overflow(this_cpu_ptr(&pfm_cpus), regs);
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_overflow);

void pfm_cpu_restore(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	static_call(pfm_hw_restore)(&cpu->cset->progs[PFM_CLASS_HW],
				    vals_of(cpu, PFM_CLASS_HW),
				    cpu->target->task, true);
}
EXPORT_SYMBOL_GPL(pfm_cpu_restore);

void pfm_cpu_suspend(const struct pfm_pmu *pmu)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	lockdep_assert_irqs_disabled();
	pfm_critical_enter();
	if (cpu->target)
		class_stop(cpu, pmu->reg_class);
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_suspend);

void pfm_cpu_sleep(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	lockdep_assert_irqs_disabled();
	pfm_critical_enter();
	cpu->asleep++;
	if (cpu->target)
		pfm_cpu_unload(cpu);
	pfm_critical_exit();
	/* The suspend loses the interrupt that was to run it. */
	irq_work_run();
}
EXPORT_SYMBOL_GPL(pfm_cpu_sleep);

void pfm_cpu_wake(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	lockdep_assert_irqs_disabled();
	/* The last module has set up its registers only after the first has. */
	if (--cpu->asleep)
		return;
	/*
	 * Others may have queued irq_work since pfm_cpu_sleep().  The suspend has lost its
	 * interrupt, and the kernel asks for no other one while that work is queued.
	 */
	irq_work_run();
	pfm_critical_enter();
	go_on(cpu);
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_wake);

/* The counters of this CPU lost their state: start them again if they count. */
static void hardware_forget(struct pfm_cpu *cpu)
{
	cpu->prog_id = 0;
	cpu->last = NULL;
	cpu->user = NULL;
	WRITE_ONCE(cpu->user_mm, NULL);
	cpu->clean = 0;
	if (!cpu->target || !cpu->cset->progs[PFM_CLASS_HW].npmds)
		return;
	hardware_run(cpu);
	if (READ_ONCE(cpu->target->ctx->user_page))
		pfm_user_page_run(cpu);
}

void pfm_cpu_forget(const struct pfm_pmu *pmu)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_target *target = cpu->target;

	lockdep_assert_irqs_disabled();
	pfm_critical_enter();
	if (pmu->reg_class == PFM_CLASS_HW)
		hardware_forget(cpu);
	else if (target)
		class_run(cpu, pmu->reg_class);
	/* A wrap that pfm_cpu_suspend() saved does not interrupt any more. */
	if (target && cpu->cset->progs[pmu->reg_class].npmds &&
	    cpu->cset->nsmpls && pfm_overflow_due(target, cpu->cset)) {
		pfm_cpu_unload(cpu);
		if (pfm_cpu_wanted(cpu, current) == target)
			pfm_cpu_load(cpu, target);
	}
	if (pmu->reg_class == PFM_CLASS_HW)
		pfm_user_page_switch(cpu, current);
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_forget);

/** pfm_cpu_init - initialise the state of all CPUs */
void pfm_cpu_init(void)
{
	int i;

	for_each_possible_cpu(i) {
		struct pfm_cpu *cpu = per_cpu_ptr(&pfm_cpus, i);

		cpu->nr = i;
		pfm_hrtimer_setup(&cpu->pause_timer, pause_over,
				  CLOCK_MONOTONIC,
				  HRTIMER_MODE_ABS_PINNED_HARD);
		cpu->pause_work = IRQ_WORK_INIT_HARD(pause_work);
		pfm_hrtimer_setup(&cpu->slice, slice_over, CLOCK_MONOTONIC,
				  HRTIMER_MODE_ABS_PINNED_HARD);
	}
}

/** pfm_cpu_exit - cancel the timers of all CPUs; no context exists any more */
void pfm_cpu_exit(void)
{
	int i;

	for_each_possible_cpu(i) {
		irq_work_sync(&per_cpu_ptr(&pfm_cpus, i)->pause_work);
		hrtimer_cancel(&per_cpu_ptr(&pfm_cpus, i)->pause_timer);
		hrtimer_cancel(&per_cpu_ptr(&pfm_cpus, i)->slice);
	}
}

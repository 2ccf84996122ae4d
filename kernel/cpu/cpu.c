// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's PMU: loading and unloading the target that the CPU counts for.
 *
 * At most one CPU counts for a target: pfm_target.cpu.  A CPU changes the target of a slot
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
#include "cpu/cgroup.h"
#include "cpu/intr.h"
#include "cpu/set_switch.h"
#include "sampling/lane.h"
#include "sampling/overflow.h"
#include "sampling/overflow_fast.h"
#include "sampling/pmi.h"
#include "set/layout.h"
#include "target/session.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

static u64 *vals_of(const struct pfm_slot *slot, enum pfm_reg_class class)
{
	return slot->target->vals + slot->cset->at + slot->cset->off[class];
}

/*
 * A time slice may be over before it has begun if it is no longer than so many interrupts.  What
 * begins it executes no more than some of them do.
 */
#define SLICE_INTERRUPTS 16

/* The first slot is alone again. */
static void forget_further(struct pfm_cpu *cpu)
{
	unsigned int s;

	for (s = 1; s < PFM_SLOTS; s++) {
		cpu->slots[s].prog_id = 0;
		cpu->slots[s].last = NULL;
	}
	cpu->slots[0].run.beside = false;
}

/*
 * Before a program is written: find out what programs of other slots occupy that are in the
 * registers.  A slot that does not count may remember a program of an earlier session.  If this
 * one has a register of it, it is not in the registers any more.  Those that count have none of
 * them. J5
 */
static noinline void look_beside(struct pfm_slot *slot)
{
	const u64 holds = slot->cset->progs[PFM_CLASS_HW].holds;
	unsigned int s;

	/* No further slot counts, and none will go on from what it remembers. J7 */
	if (!slot->run.index && !slot->cpu->owned && !pfm_switch_watched()) {
		forget_further(slot->cpu);
		return;
	}
	slot->run.others = 0;
	for (s = 0; s < PFM_SLOTS; s++) {
		struct pfm_slot *other = &slot->cpu->slots[s];

		if (other == slot || !other->prog_id)
			continue;
		if (other->holds & holds) {
			other->prog_id = 0;
			other->last = NULL;
		} else {
			slot->run.others |= other->holds;
		}
	}
}

/* Write the hardware counters, unless they hold the values already, and start them. */
static __always_inline void hardware_run(struct pfm_slot *slot)
{
	const struct pfm_cset *cset = slot->cset;
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	struct pfm_target *target = slot->target;
	bool loaded;

	if (slot->prog_id == cset->prog_id && slot->last == target &&
	    target->last_cpu == slot->nr && cset->paths & PFM_PATH_RESUME) {
		static_call(pfm_hw_resume)(prog, &slot->run);
		return;
	}
	loaded = slot->prog_id == cset->prog_id;
	if (!loaded && unlikely(slot->run.beside))
		look_beside(slot);
	static_call(pfm_hw_restore)(prog, vals_of(slot, PFM_CLASS_HW),
				    &slot->run, loaded);
	slot->passed = false;
	if (loaded)
		return;
	slot->prog_id = cset->prog_id;
	slot->holds = prog->holds;
	slot->cpu->clean = 0;
}

static void class_run(struct pfm_slot *slot, enum pfm_reg_class class)
{
	const struct pfm_prog *prog = &slot->cset->progs[class];

	if (prog->npmds)
		prog->pmu->ops->restore(prog, vals_of(slot, class), &slot->run,
					false);
}

static void class_stop(struct pfm_slot *slot, enum pfm_reg_class class)
{
	const struct pfm_prog *prog = &slot->cset->progs[class];

	if (prog->npmds)
		prog->pmu->ops->save(prog, vals_of(slot, class), &slot->run);
}

/* Let the registers run that few sets use: all but the hardware counters. */
static noinline void others_run(struct pfm_slot *slot)
{
	slot->run.task = slot->target->task;
	class_run(slot, PFM_CLASS_CPU);
	class_run(slot, PFM_CLASS_UNIT);
	class_run(slot, PFM_CLASS_SHARED);
}

static noinline void others_stop(struct pfm_slot *slot)
{
	class_stop(slot, PFM_CLASS_SHARED);
	class_stop(slot, PFM_CLASS_UNIT);
	class_stop(slot, PFM_CLASS_CPU);
}

/* Let the counters of the active set run for the CPU's target, from its values. */
static __always_inline void counters_run(struct pfm_slot *slot)
{
	const struct pfm_cset *cset = slot->cset;
	struct pfm_target *target = slot->target;

	if (unlikely(cset->paths & PFM_PATH_OTHERS))
		others_run(slot);
	if (cset->progs[PFM_CLASS_HW].npmds)
		hardware_run(slot);
	if (unlikely(READ_ONCE(target->ctx->user_page)))
		pfm_user_page_run(slot);
}

/* Stop the hardware counters, and note whose counts they hold. */
static __always_inline void hardware_stop(struct pfm_slot *slot)
{
	const struct pfm_prog *prog = &slot->cset->progs[PFM_CLASS_HW];
	struct pfm_target *target = slot->target;

	static_call(pfm_hw_save)(prog, vals_of(slot, PFM_CLASS_HW), &slot->run);
	slot->last = slot->passed ? NULL : target;
	slot->passed = false;
	target->last_cpu = slot->nr;
}

/* Let them run again for the same target, which no other has followed, after an overflow. */
static __always_inline void counters_run_again(struct pfm_slot *slot)
{
	/* An overflow changed values, so the counters do not hold them any more. */
	slot->target->last_cpu = -1;
	slot->run.again = true;
	counters_run(slot);
	slot->run.again = false;
}

/* Stop the counters and bring the values of the CPU's target up to date. */
static __always_inline void counters_stop(struct pfm_slot *slot)
{
	const struct pfm_cset *cset = slot->cset;
	struct pfm_target *target = slot->target;

	if (cset->progs[PFM_CLASS_HW].npmds)
		hardware_stop(slot);
	if (unlikely(cset->paths & PFM_PATH_OTHERS))
		others_stop(slot);
	if (unlikely(READ_ONCE(target->ctx->user_page)))
		pfm_user_page_stop(slot);
}

static void slice_start(struct pfm_slot *slot)
{
	if (slot->cset->timeout)
		hrtimer_start(&slot->slice, ns_to_ktime(slot->deadline),
			      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Cancel the timer.  Interrupts are off and the timer is pinned to this CPU.  So if its
 * function is running now, it is what called this, and there is nothing to wait for.
 */
static void slice_stop(struct pfm_slot *slot)
{
	if (slot->cset->timeout)
		hrtimer_try_to_cancel(&slot->slice);
}

/* Let go of the CPU's target, which uses no lane. */
static __always_inline void let_go(struct pfm_slot *slot)
{
	struct pfm_target *target = slot->target;

	slot->target = NULL;
	/*
	 * Pairs with the loads of target->cpu: a CPU that sees -1 sees the values.  The
	 * target must not be touched after this. C4
	 */
	smp_store_release(&target->cpu, -1);
}

/* Let go of the CPU's target; the counters stand still. */
static void release(struct pfm_slot *slot)
{
	if (unlikely(slot->layout->lanes))
		pfm_lane_leave(pfm_lane_here(slot->target->ctx));
	let_go(slot);
}

static void pause_start(struct pfm_slot *slot)
{
	hrtimer_start(&slot->pause_timer, ns_to_ktime(slot->pause_until),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

static void pause_work(struct irq_work *work)
{
	pfm_critical_enter();
	pause_start(container_of(work, struct pfm_slot, pause_work));
	pfm_critical_exit();
}

/*
 * Let go of the target because the context is masked, or because overflows have used up
 * their share of the millisecond.  In the latter case the timer ends the pause.  There
 * is one timer for each CPU.  When a task is switched in later and its lane pauses too,
 * the timer is set anew.
 */
static void pause(struct pfm_slot *slot)
{
	const struct pfm_context *ctx = slot->target->ctx;

	if (!READ_ONCE(ctx->masked)) {
		slot->pause_until = pfm_lane_here(ctx)->window_end;
		/* Timers have locks, which NMIs do not take. */
		if (in_nmi())
			irq_work_queue(&slot->pause_work);
		else
			pause_start(slot);
	}
	release(slot);
}

/* Let go of a target that this CPU was about to count for, because its lane pauses. */
static noinline void pause_on(struct pfm_slot *slot)
{
	if (slot->layout->timed) {
		slice_stop(slot);
		pfm_set_switch_stop(slot);
	}
	pause(slot);
}

/*
 * Begin to count for the CPU's target with slot->cset.  If the lane pauses, let go of
 * the target and return false.
 */
static __always_inline bool cset_begin(struct pfm_slot *slot)
{
	if (unlikely(slot->cset->nsmpls)) {
		if (unlikely(!pfm_overflow_begin(slot->target, slot->cset))) {
			pause_on(slot);
			return false;
		}
		pfm_overflow_fast_begin(slot);
		if (unlikely(slot->cset->paths & PFM_PATH_NMI))
			pfm_pmi_begin(slot, pfm_lane_here(slot->target->ctx));
	}
	if (unlikely(slot->cset->flags & PFM_SETFL_LOG))
		pfm_set_switch_mark(slot);
	if (unlikely(pfm_cset_sided(slot->cset)))
		pfm_intr_begin(slot);
	counters_run(slot);
	return true;
}

/* An overflow changed values, so the counters do not hold them any more. */
static void mark_changed(struct pfm_slot *slot)
{
	slot->target->last_cpu = -1;
}

/*
 * Finish a period of counting after the counters were stopped and overflows were
 * handled: the target's values become the task's own counts.
 */
static __always_inline void cset_end(struct pfm_slot *slot)
{
	if (unlikely(slot->cset->flags & PFM_SETFL_LOG))
		pfm_set_switch_sum(slot);
	if (unlikely(slot->cset->nsmpls)) {
		pfm_overflow_fast_end(slot);
		if (unlikely(slot->cset->paths & PFM_PATH_NMI))
			pfm_pmi_end(slot);
		pfm_overflow_park(slot->target, slot->cset);
		mark_changed(slot);
	}
}

/* Begin to count for the CPU's target with a layout that has more than hardware counters. */
static noinline void begin_more(struct pfm_slot *slot)
{
	if (unlikely(slot->layout->lanes))
		pfm_lane_enter(pfm_lane_here(slot->target->ctx));
	if (unlikely(slot->layout->timed)) {
		pfm_set_switch_load(slot);
		slot->loaded = slot->since;
		slice_start(slot);
	}
	cset_begin(slot);
}

static __always_inline void begin(struct pfm_slot *slot,
				  struct pfm_target *target)
{
	const struct pfm_layout *layout =
		rcu_dereference_sched(target->ctx->layout);

	slot->target = target;
	slot->layout = layout;
	slot->cset = layout->csets;
	/* P5: nothing but hardware counters, and neither samples nor time slices */
	if (!layout->csets->pass) {
		begin_more(slot);
		return;
	}
	hardware_run(slot);
	if (unlikely(READ_ONCE(target->ctx->user_page)))
		pfm_user_page_run(slot);
}

/*
 * True if another slot still counts for a cgroup that the task has left: the two contexts may use
 * the same registers.  The call that the move has asked for will change both. B1
 */
static bool is_early(const struct pfm_slot *slot,
		     const struct pfm_target *target)
{
	struct cgroup *cgroup = target->ctx->session.cgroup;
	unsigned int s;

	if (!slot->cpu->grouped || !pfm_slot_is_own(slot) || !cgroup)
		return false;
	for (s = PFM_SLOT_OWN; s < PFM_SLOTS; s++) {
		const struct pfm_target *other = slot->cpu->slots[s].target;

		if (other && !pfm_session_meets(&other->ctx->session, slot->nr,
						cgroup))
			return true;
	}
	return false;
}

/*
 * Prepare a further slot for a target.  Returns false if it must not count yet.  This comes before
 * the first operation on a program of a further slot (J3), whose counters are not those that user
 * mode may read (J8).
 */
static noinline bool further_slot(struct pfm_slot *slot,
				  const struct pfm_target *target)
{
	if (is_early(slot, target))
		return false;
	slot->cpu->slots[0].run.beside = true;
	slot->cpu->clean = 0;
	return true;
}

/**
 * pfm_cpu_load - begin to count for a target, if pfm_cpu_claim() permits it
 * @slot: slot of this CPU, which counts for no target
 * @target: target of a task, or of the CPU's context
 *
 * Context: interrupts off.
 */
void pfm_cpu_load(struct pfm_slot *slot, struct pfm_target *target)
{
	/* C1 */
	lockdep_assert_irqs_disabled();
	pfm_critical_assert();
	if (unlikely(slot->run.index) && !further_slot(slot, target))
		return;
	target = pfm_cpu_counts(target);
	if (target && pfm_cpu_claim(slot, target))
		begin(slot, target);
}

/**
 * pfm_cpu_load_plain - the same for a target whose pfm_target.way is 0
 * @slot: first slot of this CPU, which counts for no target
 * @target: the target
 *
 * Context: the switch probe.
 */
void pfm_cpu_load_plain(struct pfm_slot *slot, struct pfm_target *target)
{
	lockdep_assert_irqs_disabled();
	pfm_critical_assert();
	if (pfm_cpu_claim(slot, target))
		begin(slot, target);
}

/* End the time slice of the active set; the counters stand still. */
static void leave(struct pfm_slot *slot)
{
	pfm_set_switch_next(slot->target, slot->layout,
			    pfm_lane_here(slot->target->ctx));
}

/* Stop counting for a target with a layout that has more than hardware counters. */
static noinline void unload_more(struct pfm_slot *slot)
{
	u32 what = 0;

	counters_stop(slot);
	if (unlikely(slot->layout->timed)) {
		if (pfm_cset_sided(slot->cset))
			pfm_intr_end(slot);
		slice_stop(slot);
		pfm_set_switch_stop(slot);
	}
	/* A wrap in code that ran with interrupts off is found here. */
	if (unlikely(slot->cset->nsmpls))
		what = pfm_overflow_end(slot, NULL, false);
	cset_end(slot);
	if (unlikely(what & PFM_OVERFLOW_SWITCH))
		leave(slot);
	release(slot);
}

/**
 * pfm_cpu_unload - stop counting for the CPU's target
 * @slot: slot of this CPU, which counts for a target
 *
 * Context: interrupts off.
 */
void pfm_cpu_unload(struct pfm_slot *slot)
{
	lockdep_assert_irqs_disabled();
	pfm_critical_assert();
	/* P5 */
	if (!slot->cset->pass) {
		unload_more(slot);
		return;
	}
	hardware_stop(slot);
	if (unlikely(READ_ONCE(slot->target->ctx->user_page)))
		pfm_user_page_stop(slot);
	let_go(slot);
}

/**
 * pfm_cpu_replace - stop counting for the CPU's target and begin with another
 * @slot: first slot of this CPU, which counts for a target
 * @target: the other target, for which pfm_cpu_claim() has returned true
 *
 * Context: interrupts off.
 */
void pfm_cpu_replace(struct pfm_slot *slot, struct pfm_target *target)
{
	pfm_cpu_unload(slot);
	begin(slot, target);
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
 * pfm_cpu_wanted - find the target that a slot has to count for while a task runs
 * @slot: slot of this CPU
 * @task: the task
 *
 * Context: interrupts off.
 * Return: the target, or NULL.
 */
struct pfm_target *pfm_cpu_wanted(const struct pfm_slot *slot,
				  const struct task_struct *task)
{
	struct pfm_target *own = slot->own;

	if (!pfm_slot_is_own(slot))
		return pfm_target_in_slot(task, slot->run.index);
	if (!own && unlikely(slot->cpu->grouped))
		own = pfm_cgroup_find(pfm_slot_cgroups(slot), task);
	if (!own || slot->cpu->away || leaves_out(own->ctx, task) ||
	    unlikely(slot->barred && pfm_bar_applies(slot, own->ctx)))
		return NULL;
	return own;
}

/*
 * True when the set that has become active leaves out the idle task, which is running.
 */
static bool idle_left_out(const struct pfm_slot *slot)
{
	return pfm_slot_is_own(slot) && leaves_out(slot->target->ctx, current);
}

/* Count for the current task again. */
static void go_on(struct pfm_slot *slot)
{
	struct pfm_target *target;

	if (slot->target)
		return;
	target = pfm_cpu_wanted(slot, current);
	if (target)
		pfm_cpu_load(slot, target);
	/*
	 * Meanwhile user mode may have been allowed to read counters.  This task may have
	 * no right to see what is counted from now on.
	 */
	if (unlikely(slot->run.index))
		pfm_user_page_beside(slot->cpu);
	else if (slot->cpu->user)
		pfm_user_page_switch(slot->cpu, current);
}

/*
 * Timer: the pause of a lane is over.  If its CPU has gone offline, the kernel has moved the
 * timer to another one, to which the slot of the same number belongs.
 */
static enum hrtimer_restart pause_over(struct hrtimer *timer)
{
	const struct pfm_slot *of =
		container_of(timer, struct pfm_slot, pause_timer);

	pfm_critical_enter();
	/* C1 */
	go_on(&this_cpu_ptr(&pfm_cpus)->slots[of->run.index]);
	pfm_critical_exit();
	return HRTIMER_NORESTART;
}

/* Handle an overflow for which only the counters that wrapped have to be read. */
static u32 handle_lean(struct pfm_slot *slot, struct pt_regs *regs)
{
	const struct pfm_prog *prog = &slot->cset->progs[PFM_CLASS_HW];
	u64 *vals = vals_of(slot, PFM_CLASS_HW);
	u64 taken;
	u32 what;

	taken = static_call(pfm_hw_take)(prog, vals, &slot->run);
	what = pfm_overflow_end(slot, regs, true);
	static_call(pfm_hw_put)(prog, vals, taken, &slot->run);
	return what;
}

/* Go on after overflows that ask for more than a reset.  The counters stand still. */
static void leave_sampling(struct pfm_slot *slot, u32 what)
{
	if (slot->layout->timed) {
		slice_stop(slot);
		pfm_set_switch_stop(slot);
	}
	cset_end(slot);
	if (what & PFM_OVERFLOW_SWITCH)
		leave(slot);
	if (what & PFM_OVERFLOW_PAUSE) {
		pause(slot);
		return;
	}
	if (idle_left_out(slot)) {
		release(slot);
		return;
	}
	pfm_set_switch_load(slot);
	slice_start(slot);
	cset_begin(slot);
}

/* Handle wraps of a set that samples; the counters are stopped meanwhile. */
static __always_inline void sampling_overflow(struct pfm_slot *slot,
					      struct pt_regs *regs)
{
	const struct pfm_context *ctx = slot->target->ctx;
	u32 what;

	/*
	 * A user page needs all values, not only those that wrapped.  A value that RESTART
	 * left as the overflow found it has not wrapped, and is reset now as well.
	 */
	if (likely((slot->cset->paths & PFM_PATH_LEAN) &&
		   !READ_ONCE(ctx->user_page) && !ctx->unreset)) {
		what = handle_lean(slot, regs);
		if (likely(!what))
			return;
		counters_stop(slot);
		/*
		 * The counters ran again for a moment.  A wrap in that moment must be
		 * handled now: it is in the value already, so it will not interrupt.
		 * If this overflow masked the context, RESTART resets the value.
		 */
		if (READ_ONCE(ctx->masked))
			pfm_overflow_defer(slot->target, slot->cset);
		else
			what |= pfm_overflow_end(slot, NULL, false);
	} else {
		counters_stop(slot);
		what = pfm_overflow_end(slot, regs, true);
		if (!what) {
			counters_run_again(slot);
			return;
		}
	}
	leave_sampling(slot, what);
}

static noinline void handle_sampling(struct pfm_slot *slot,
				     struct pt_regs *regs)
{
	sampling_overflow(slot, regs);
}

void pfm_cpu_overflow_more(const struct pfm_solo *solo, u32 what,
			   struct pt_regs *regs)
{
	struct pfm_slot *slot = pfm_slot_of(solo->run);

	pfm_critical_assert();
	counters_stop(slot);
	if (what & PFM_OVERFLOW_ALL) {
		what = pfm_overflow_end(slot, regs, true);
		if (!what) {
			counters_run_again(slot);
			return;
		}
	}
	leave_sampling(slot, what);
}
EXPORT_SYMBOL_GPL(pfm_cpu_overflow_more);

/*
 * Deadline of a time slice that has just begun, after what began it.  On a slow machine a short
 * one may be over already, and the timer would leave no time to the interrupted code.  The clock
 * is read for a slice that is short for this machine only, because reading it costs as much as a
 * counter.
 */
static u64 slice_deadline(const struct pfm_slot *slot)
{
	if (likely(slot->deadline - slot->since >
		   (u64)SLICE_INTERRUPTS * pfm_interrupt_least()))
		return slot->deadline;
	return max(slot->deadline,
		   ktime_get_mono_fast_ns() + pfm_policy_timer_min() / 2);
}

/*
 * The time slice of the active set is over.  Overflows are handled as at a context switch.
 * If they mask the context or begin a pause, the next set has to wait. V1
 */
static enum hrtimer_restart slice_end(struct hrtimer *timer)
{
	struct pfm_slot *slot = container_of(timer, struct pfm_slot, slice);
	struct pfm_slice *slice;
	u64 deadline, late;
	u32 what = 0;

	/* The timer was cancelled, but too late. */
	if (WARN_ON_ONCE(slot->nr != smp_processor_id()) || !slot->target ||
	    !slot->layout->timed || !slot->cset->timeout)
		return HRTIMER_NORESTART;
	deadline = slot->deadline;
	counters_stop(slot);
	if (pfm_cset_sided(slot->cset))
		pfm_intr_end(slot);
	pfm_set_switch_stop(slot);
	if (unlikely(slot->cset->nsmpls))
		what = pfm_overflow_end(slot, NULL, false);
	cset_end(slot);
	slice = &pfm_lane_here(slot->target->ctx)->slice;
	if (unlikely(what & PFM_OVERFLOW_PAUSE)) {
		slice->due = true;
		pause(slot);
		return HRTIMER_NORESTART;
	}
	leave(slot);
	if (idle_left_out(slot)) {
		release(slot);
		return HRTIMER_NORESTART;
	}
	pfm_set_switch_load(slot);
	/*
	 * Subtract the delay from the next time slice, so that the slices do not drift.
	 */
	late = slot->since - deadline;
	if (slice->remain > late)
		slot->deadline -= late;
	if (!cset_begin(slot) || !slot->cset->timeout)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(slice_deadline(slot)));
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

/* Add wraps of a set that does not sample; a unit that stands still goes on. */
static __always_inline void fold(struct pfm_slot *slot,
				 enum pfm_reg_class class)
{
	const struct pfm_prog *prog = &slot->cset->progs[class];

	if (class == PFM_CLASS_HW)
		static_call(pfm_hw_fold)(prog, vals_of(slot, class));
	else if (prog->pmu->ops->fold)
		prog->pmu->ops->fold(prog, vals_of(slot, class));
}

/*
 * Handle overflows of each slot that has one of the counters.  What one slot does, such as a
 * pause, changes nothing of another.  A slot whose counters are not named is left alone, so
 * that a session does not pay for the interrupts of another one; but not if an NMI has left a
 * note about it, which must not be taken for one of a later overflow. J6
 */
static noinline void overflow_each(struct pfm_cpu *cpu,
				   enum pfm_reg_class class, u64 holds,
				   struct pt_regs *regs)
{
	unsigned int s;

	for (s = 0; s < PFM_SLOTS; s++) {
		struct pfm_slot *slot = &cpu->slots[s];

		if (!slot->target || !slot->cset->progs[class].npmds ||
		    !(slot->cset->progs[class].holds & holds ||
		      pfm_pmi_pending(slot, class)))
			continue;
		if (slot->cset->nsmpls)
			handle_sampling(slot, regs);
		else
			fold(slot, class);
	}
}

void pfm_cpu_overflow(const struct pfm_pmu *pmu, u64 holds,
		      struct pt_regs *regs)
{
	const enum pfm_reg_class class = pmu->reg_class;
	struct pfm_cpu *cpu;
	struct pfm_slot *slot;

	pfm_critical_enter();
	cpu = this_cpu_ptr(&pfm_cpus);
	slot = &cpu->slots[0];
	/* No other slot counts with hardware counters unless this one knows of it. */
	if (class != PFM_CLASS_HW || unlikely(slot->run.beside))
		overflow_each(cpu, class, holds, regs);
	else if (slot->target && likely(slot->cset->nsmpls))
		sampling_overflow(slot, regs);
	else if (slot->target && slot->cset->progs[PFM_CLASS_HW].npmds)
		fold(slot, PFM_CLASS_HW);
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_overflow);

void pfm_cpu_overflow_run(struct pfm_run *run, struct pt_regs *regs)
{
	struct pfm_slot *slot = pfm_slot_of(run);

	pfm_critical_enter();
	if (slot->nr == smp_processor_id() && slot->target &&
	    slot->cset->nsmpls)
		handle_sampling(slot, regs);
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_overflow_run);

void pfm_cpu_restore(struct pfm_run *run)
{
	struct pfm_slot *slot = pfm_slot_of(run);

	static_call(pfm_hw_restore)(&slot->cset->progs[PFM_CLASS_HW],
				    vals_of(slot, PFM_CLASS_HW), run, true);
}
EXPORT_SYMBOL_GPL(pfm_cpu_restore);

void pfm_cpu_suspend(const struct pfm_pmu *pmu)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	unsigned int s;

	lockdep_assert_irqs_disabled();
	pfm_critical_enter();
	for (s = 0; s < PFM_SLOTS; s++) {
		if (cpu->slots[s].target)
			class_stop(&cpu->slots[s], pmu->reg_class);
	}
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_suspend);

void pfm_cpu_sleep(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	unsigned int s;

	lockdep_assert_irqs_disabled();
	pfm_critical_enter();
	cpu->asleep++;
	for (s = 0; s < PFM_SLOTS; s++) {
		if (cpu->slots[s].target)
			pfm_cpu_unload(&cpu->slots[s]);
	}
	pfm_critical_exit();
	/* The suspend loses the interrupt that was to run it. */
	irq_work_run();
}
EXPORT_SYMBOL_GPL(pfm_cpu_sleep);

void pfm_cpu_wake(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	unsigned int s;

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
	for (s = 0; s < PFM_SLOTS; s++)
		go_on(&cpu->slots[s]);
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_wake);

static void hardware_forget(struct pfm_cpu *cpu)
{
	unsigned int s;

	for (s = 0; s < PFM_SLOTS; s++) {
		cpu->slots[s].prog_id = 0;
		cpu->slots[s].last = NULL;
	}
	cpu->user = NULL;
	WRITE_ONCE(cpu->user_mm, NULL);
	cpu->clean = 0;
}

/* The counters of a slot lost their state: start them again. */
static void hardware_again(struct pfm_slot *slot)
{
	if (!slot->cset->progs[PFM_CLASS_HW].npmds)
		return;
	hardware_run(slot);
	if (READ_ONCE(slot->target->ctx->user_page))
		pfm_user_page_run(slot);
}

static void slot_forget(struct pfm_slot *slot, const struct pfm_pmu *pmu)
{
	struct pfm_target *target = slot->target;

	if (pmu->reg_class == PFM_CLASS_HW)
		hardware_again(slot);
	else
		class_run(slot, pmu->reg_class);
	/* A wrap that pfm_cpu_suspend() saved does not interrupt any more. */
	if (slot->cset->progs[pmu->reg_class].npmds && slot->cset->nsmpls &&
	    pfm_overflow_due(target, slot->cset)) {
		pfm_cpu_unload(slot);
		if (pfm_cpu_wanted(slot, current) == target)
			pfm_cpu_load(slot, target);
	}
}

void pfm_cpu_forget(const struct pfm_pmu *pmu)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	unsigned int s;

	lockdep_assert_irqs_disabled();
	pfm_critical_enter();
	/* All slots forget before the first one writes its counters again. J5 */
	if (pmu->reg_class == PFM_CLASS_HW)
		hardware_forget(cpu);
	for (s = 0; s < PFM_SLOTS; s++) {
		if (cpu->slots[s].target)
			slot_forget(&cpu->slots[s], pmu);
	}
	if (pmu->reg_class == PFM_CLASS_HW)
		pfm_user_page_switch(cpu, current);
	pfm_critical_exit();
}
EXPORT_SYMBOL_GPL(pfm_cpu_forget);

static void slot_init(struct pfm_cpu *cpu, unsigned int index, int nr)
{
	struct pfm_slot *slot = &cpu->slots[index];

	slot->cpu = cpu;
	slot->run.index = index;
	slot->run.beside = index;
	slot->nr = nr;
	pfm_hrtimer_setup(&slot->pause_timer, pause_over, CLOCK_MONOTONIC,
			  HRTIMER_MODE_ABS_PINNED_HARD);
	slot->pause_work = IRQ_WORK_INIT_HARD(pause_work);
	pfm_hrtimer_setup(&slot->slice, slice_over, CLOCK_MONOTONIC,
			  HRTIMER_MODE_ABS_PINNED_HARD);
}

static void slot_exit(struct pfm_slot *slot)
{
	irq_work_sync(&slot->pause_work);
	hrtimer_cancel(&slot->pause_timer);
	hrtimer_cancel(&slot->slice);
}

/** pfm_cpu_init - initialise the state of all CPUs */
void pfm_cpu_init(void)
{
	unsigned int s;
	int i;

	for_each_possible_cpu(i) {
		for (s = 0; s < PFM_SLOTS; s++)
			slot_init(per_cpu_ptr(&pfm_cpus, i), s, i);
	}
}

/** pfm_cpu_exit - cancel the timers of all CPUs; no context exists any more */
void pfm_cpu_exit(void)
{
	unsigned int s;
	int i;

	for_each_possible_cpu(i) {
		for (s = 0; s < PFM_SLOTS; s++)
			slot_exit(&per_cpu_ptr(&pfm_cpus, i)->slots[s]);
	}
}

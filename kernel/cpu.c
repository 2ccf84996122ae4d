// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the PMU of a CPU counts for.
 *
 * A link is counted for by at most one CPU, pfm_link.cpu.  What a CPU counts
 * for is changed on that CPU with interrupts off: by the switch hook, by an
 * inter-processor call, by a call of the task itself, by an overflow or by the
 * timer that ends a set's turn.  The argument in full: Documentation/locking.rst.
 */
#include "cpu.h"

#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "compat.h"
#include "context.h"
#include "lane.h"
#include "layout.h"
#include "link.h"
#include "machine.h"
#include "overflow.h"
#include "page.h"
#include "rotate.h"
#include "sample.h"
#include "table.h"

DEFINE_PER_CPU(struct pfm_cpu, pfm_cpus);

static u64 *vals_of(const struct pfm_cpu *cpu, enum pfm_reg_class part)
{
	return cpu->link->vals + cpu->bank->at + cpu->bank->off[part];
}

/* Write the hardware's counters, unless they hold the values, and start them. */
static __always_inline void hardware_run(struct pfm_cpu *cpu)
{
	const struct pfm_bank *bank = cpu->bank;
	const struct pfm_prog *prog = &bank->parts[PFM_CLASS_HW];
	struct pfm_link *link = cpu->link;

	if (cpu->gen == bank->gen && cpu->last == link &&
	    link->last_cpu == cpu->nr && prog->pmu->ops->resume) {
		prog->pmu->ops->resume(prog);
		return;
	}
	prog->pmu->ops->restore(prog, vals_of(cpu, PFM_CLASS_HW), link->task,
				cpu->gen == bank->gen);
	cpu->passed = false;
	if (cpu->gen == bank->gen)
		return;
	cpu->gen = bank->gen;
	cpu->clean = 0;
}

/* Let the counters run for the CPU's link, from its values. */
static __always_inline void counters_run(struct pfm_cpu *cpu)
{
	const struct pfm_bank *bank = cpu->bank;
	struct pfm_link *link = cpu->link;
	const struct pfm_prog *prog;

	prog = &bank->parts[PFM_CLASS_CPU];
	if (prog->npmds)
		prog->pmu->ops->restore(prog, vals_of(cpu, PFM_CLASS_CPU),
					link->task, false);
	if (bank->parts[PFM_CLASS_HW].npmds)
		hardware_run(cpu);
	if (unlikely(READ_ONCE(link->ctx->page)))
		pfm_page_run(cpu);
}

/* Stop the counters of the CPU's link and bring its values up to date. */
static __always_inline void counters_stop(struct pfm_cpu *cpu)
{
	const struct pfm_bank *bank = cpu->bank;
	struct pfm_link *link = cpu->link;
	const struct pfm_prog *prog;

	prog = &bank->parts[PFM_CLASS_HW];
	if (prog->npmds) {
		prog->pmu->ops->save(prog, vals_of(cpu, PFM_CLASS_HW),
				     link->task);
		cpu->last = cpu->passed ? NULL : link;
		cpu->passed = false;
		link->last_cpu = cpu->nr;
	}
	prog = &bank->parts[PFM_CLASS_CPU];
	if (prog->npmds)
		prog->pmu->ops->save(prog, vals_of(cpu, PFM_CLASS_CPU),
				     link->task);
	if (unlikely(READ_ONCE(link->ctx->page)))
		pfm_page_stop(cpu);
}

static void turn_start(struct pfm_cpu *cpu)
{
	if (cpu->bank->timeout)
		hrtimer_start(&cpu->turn, ns_to_ktime(cpu->deadline),
			      HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Interrupts are off and the timer is pinned: if its function runs now, this is
 * called from it.
 */
static void turn_stop(struct pfm_cpu *cpu)
{
	if (cpu->bank->timeout)
		hrtimer_try_to_cancel(&cpu->turn);
}

/* The counters stand still: the CPU's link is nobody's. */
static void release(struct pfm_cpu *cpu)
{
	struct pfm_link *link = cpu->link;

	cpu->link = NULL;
	/*
	 * Pairs with the loads of link->cpu: who sees -1 sees the values.  The
	 * link must not be touched after this.
	 */
	smp_store_release(&link->cpu, -1);
}

/*
 * Counting stops: the context is masked, or overflows have spent what they may of a
 * millisecond.  The timer is about whatever this CPU is kept from counting for; who is
 * switched to later starts it anew.
 */
static void pause(struct pfm_cpu *cpu)
{
	const struct pfm_context *ctx = cpu->link->ctx;

	if (!READ_ONCE(ctx->masked))
		hrtimer_start(&cpu->storm,
			      ns_to_ktime(pfm_lane_here(ctx)->window_end),
			      HRTIMER_MODE_ABS_PINNED_HARD);
	release(cpu);
}

/* The lane of a link that was about to be counted for pauses. */
static noinline void pause_on(struct pfm_cpu *cpu)
{
	if (cpu->layout->timed) {
		turn_stop(cpu);
		pfm_rotate_stop(cpu);
	}
	pause(cpu);
}

/*
 * The CPU's link is counted for with the bank that is set.  Returns false when it is
 * not, as the lane pauses: then it is nobody's.
 */
static __always_inline bool bank_begin(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->bank->nsmpls)) {
		if (unlikely(!pfm_overflow_begin(cpu->link, cpu->bank))) {
			pause_on(cpu);
			return false;
		}
		pfm_sample_begin(cpu);
	}
	if (unlikely(cpu->bank->flags & PFM_SETFL_LOG))
		pfm_rotate_mark(cpu);
	counters_run(cpu);
	return true;
}

/* What an overflow changed is not in the registers. */
static void mark_changed(struct pfm_cpu *cpu)
{
	cpu->link->last_cpu = -1;
}

/*
 * The counters were stopped, and what overflowed was dealt with: the link's
 * values become the task's.
 */
static __always_inline void bank_end(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->bank->flags & PFM_SETFL_LOG))
		pfm_rotate_sum(cpu);
	if (unlikely(cpu->bank->nsmpls)) {
		pfm_sample_end();
		pfm_overflow_park(cpu->link, cpu->bank);
		mark_changed(cpu);
	}
}

static __always_inline void begin(struct pfm_cpu *cpu, struct pfm_link *link)
{
	cpu->link = link;
	cpu->layout = rcu_dereference_sched(link->ctx->layout);
	cpu->bank = cpu->layout->banks;
	if (unlikely(cpu->layout->timed)) {
		pfm_rotate_load(cpu);
		cpu->loaded = cpu->since;
		turn_start(cpu);
	}
	bank_begin(cpu);
}

/**
 * pfm_cpu_load - count for a link from now on
 * @cpu: this CPU, which counts for none; interrupts off
 * @link: the link of a task or of a CPU's context
 *
 * Does nothing when the link is not to be counted for.
 */
void pfm_cpu_load(struct pfm_cpu *cpu, struct pfm_link *link)
{
	lockdep_assert_irqs_disabled();
	link = pfm_cpu_counts(link);
	if (link && pfm_cpu_claim(cpu, link))
		begin(cpu, link);
}

/* The active set is left, the counters standing still. */
static void leave(struct pfm_cpu *cpu)
{
	pfm_rotate_next(cpu->link, cpu->layout, pfm_lane_here(cpu->link->ctx));
}

/**
 * pfm_cpu_unload - stop counting for the CPU's link
 * @cpu: this CPU, which counts for a link; interrupts off
 */
void pfm_cpu_unload(struct pfm_cpu *cpu)
{
	u32 what = 0;

	lockdep_assert_irqs_disabled();
	counters_stop(cpu);
	if (unlikely(cpu->layout->timed)) {
		turn_stop(cpu);
		pfm_rotate_stop(cpu);
	}
	/* A wrap in code with interrupts off is found here. */
	if (unlikely(cpu->bank->nsmpls))
		what = pfm_overflow_end(cpu->link, cpu->bank, NULL);
	bank_end(cpu);
	if (unlikely(what & PFM_OVERFLOW_SWITCH))
		leave(cpu);
	release(cpu);
}

/**
 * pfm_cpu_replace - count for another link from now on
 * @cpu: this CPU, which counts for a link; interrupts off
 * @link: the other one, from pfm_cpu_claim()
 */
void pfm_cpu_replace(struct pfm_cpu *cpu, struct pfm_link *link)
{
	pfm_cpu_unload(cpu);
	begin(cpu, link);
}

/**
 * pfm_cpu_wanted - what a CPU is to count for while a task runs
 * @cpu: this CPU; interrupts off
 * @task: the task
 *
 * Where CPUs are monitored no task is: sessions exclude each other.
 *
 * Return: the link, or NULL.
 */
struct pfm_link *pfm_cpu_wanted(const struct pfm_cpu *cpu,
				const struct task_struct *task)
{
	if (likely(!cpu->wide))
		return pfm_link_find(task);
	if (cpu->away || pfm_machine_leaves_out(cpu->wide->ctx, task))
		return NULL;
	return cpu->wide;
}

/* The set that became active leaves out the idle task, which runs. */
static bool idle_left_out(const struct pfm_cpu *cpu)
{
	return cpu->wide && pfm_machine_leaves_out(cpu->wide->ctx, current);
}

/* The end of a lane's pause: count for the current task again. */
static enum hrtimer_restart storm_over(struct hrtimer *timer)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_link *link;

	if (!cpu->link) {
		link = pfm_cpu_wanted(cpu, current);
		if (link)
			pfm_cpu_load(cpu, link);
		/* A page that was mapped meanwhile gives no access any more. */
		if (cpu->user)
			pfm_page_switch(cpu, current);
	}
	return HRTIMER_NORESTART;
}

/* No value is concerned but those of the counters that wrapped. */
static u32 handle_lean(struct pfm_cpu *cpu, struct pt_regs *regs)
{
	const struct pfm_prog *prog = &cpu->bank->parts[PFM_CLASS_HW];
	u64 *vals = vals_of(cpu, PFM_CLASS_HW);
	u64 taken;
	u32 what;

	taken = prog->pmu->ops->take(prog, vals);
	what = pfm_overflow_end(cpu->link, cpu->bank, regs);
	prog->pmu->ops->put(prog, vals, taken);
	return what;
}

/* Overflows ask for more than a reset.  The counters stand still. */
static void leave_sampling(struct pfm_cpu *cpu, u32 what)
{
	if (cpu->layout->timed) {
		turn_stop(cpu);
		pfm_rotate_stop(cpu);
	}
	bank_end(cpu);
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
	pfm_rotate_load(cpu);
	turn_start(cpu);
	bank_begin(cpu);
}

/* Counters of a set that samples wrapped: they stop while that is handled. */
static void handle_sampling(struct pfm_cpu *cpu, struct pt_regs *regs)
{
	u32 what;

	/* A page tells of all values. */
	if (likely(cpu->bank->lean && !READ_ONCE(cpu->link->ctx->page))) {
		what = handle_lean(cpu, regs);
		if (likely(!what))
			return;
		counters_stop(cpu);
		/*
		 * They ran again for a moment.  What wrapped must not be parked: it
		 * would not interrupt any more.  When masked the restart sees to it.
		 */
		if (!READ_ONCE(cpu->link->ctx->masked))
			what |= pfm_overflow_end(cpu->link, cpu->bank, NULL);
	} else {
		counters_stop(cpu);
		what = pfm_overflow_end(cpu->link, cpu->bank, regs);
		if (!what) {
			mark_changed(cpu);
			counters_run(cpu);
			return;
		}
	}
	leave_sampling(cpu, what);
}

void pfm_overflow_more(u32 what, struct pt_regs *regs)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	counters_stop(cpu);
	if (what & PFM_OVERFLOW_ALL) {
		what = pfm_overflow_end(cpu->link, cpu->bank, regs);
		if (!what) {
			mark_changed(cpu);
			counters_run(cpu);
			return;
		}
	}
	leave_sampling(cpu, what);
}
EXPORT_SYMBOL_GPL(pfm_overflow_more);

/*
 * The active set's time is over.  What it overflowed meanwhile is dealt with as
 * at a switch of tasks; if that masks the context the next set has to wait.
 */
static enum hrtimer_restart turn_over(struct hrtimer *timer)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_turn *turn;
	u64 deadline, late;
	u32 what = 0;

	/* Stopped before, but too late. */
	if (!cpu->link || !cpu->layout->timed || !cpu->bank->timeout)
		return HRTIMER_NORESTART;
	deadline = cpu->deadline;
	counters_stop(cpu);
	pfm_rotate_stop(cpu);
	if (unlikely(cpu->bank->nsmpls))
		what = pfm_overflow_end(cpu->link, cpu->bank, NULL);
	bank_end(cpu);
	turn = &pfm_lane_here(cpu->link->ctx)->turn;
	if (unlikely(what & PFM_OVERFLOW_PAUSE)) {
		turn->due = true;
		pause(cpu);
		return HRTIMER_NORESTART;
	}
	leave(cpu);
	if (idle_left_out(cpu)) {
		release(cpu);
		return HRTIMER_NORESTART;
	}
	pfm_rotate_load(cpu);
	/* The next one ends on time, so that turns do not drift. */
	late = cpu->since - deadline;
	if (turn->remain > late)
		cpu->deadline -= late;
	if (!bank_begin(cpu) || !cpu->bank->timeout)
		return HRTIMER_NORESTART;
	hrtimer_set_expires(timer, ns_to_ktime(cpu->deadline));
	return HRTIMER_RESTART;
}

void pfm_overflow_handle(struct pt_regs *regs)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	const struct pfm_prog *prog;

	if (!cpu->link)
		return;
	if (cpu->bank->nsmpls) {
		handle_sampling(cpu, regs);
		return;
	}
	prog = &cpu->bank->parts[PFM_CLASS_HW];
	if (prog->npmds)
		prog->pmu->ops->fold(prog, vals_of(cpu, PFM_CLASS_HW));
}
EXPORT_SYMBOL_GPL(pfm_overflow_handle);

void pfm_switch_suspend(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	const struct pfm_prog *prog;

	lockdep_assert_irqs_disabled();
	if (!cpu->link)
		return;
	prog = &cpu->bank->parts[PFM_CLASS_HW];
	if (prog->npmds)
		prog->pmu->ops->save(prog, vals_of(cpu, PFM_CLASS_HW),
				     cpu->link->task);
}
EXPORT_SYMBOL_GPL(pfm_switch_suspend);

void pfm_switch_forget(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	lockdep_assert_irqs_disabled();
	cpu->gen = 0;
	cpu->last = NULL;
	cpu->user = NULL;
	cpu->clean = 0;
	if (cpu->link && cpu->bank->parts[PFM_CLASS_HW].npmds) {
		hardware_run(cpu);
		if (READ_ONCE(cpu->link->ctx->page))
			pfm_page_run(cpu);
		/* A wrap that pfm_switch_suspend() found interrupts no more. */
		if (cpu->bank->nsmpls &&
		    pfm_overflow_due(cpu->link, cpu->bank)) {
			struct pfm_link *link = cpu->link;

			pfm_cpu_unload(cpu);
			if (pfm_cpu_wanted(cpu, current) == link)
				pfm_cpu_load(cpu, link);
		}
	}
	pfm_page_switch(cpu, current);
}
EXPORT_SYMBOL_GPL(pfm_switch_forget);

/** pfm_cpu_init - prepare the CPUs */
void pfm_cpu_init(void)
{
	int i;

	for_each_possible_cpu(i) {
		struct pfm_cpu *cpu = per_cpu_ptr(&pfm_cpus, i);

		cpu->nr = i;
		pfm_hrtimer_setup(&cpu->storm, storm_over, CLOCK_MONOTONIC,
				  HRTIMER_MODE_ABS_PINNED_HARD);
		pfm_hrtimer_setup(&cpu->turn, turn_over, CLOCK_MONOTONIC,
				  HRTIMER_MODE_ABS_PINNED_HARD);
	}
}

/** pfm_cpu_exit - no context exists any more */
void pfm_cpu_exit(void)
{
	int i;

	for_each_possible_cpu(i) {
		hrtimer_cancel(&per_cpu_ptr(&pfm_cpus, i)->storm);
		hrtimer_cancel(&per_cpu_ptr(&pfm_cpus, i)->turn);
	}
}

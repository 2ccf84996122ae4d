// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: RDPMC in user mode.
 *
 * CR4.PCE lets user mode read all counters of a CPU.  The kernel writes it whenever it
 * changes the address space.  It is set for address spaces that have an event of perf
 * mapped, and for all while the administrator has written 2 to
 * /sys/bus/event_source/devices/cpu/rdpmc.
 */
#include "x86_user.h"

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/smp.h>
#include <linux/time64.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <asm/mmu.h>
#include <asm/processor-flags.h>
#include <asm/special_insns.h>
#include <asm/tsc.h>
#include <perfmon/pmu.h>

#include "compat.h"
#include "x86_state.h"

/**
 * struct change - change of the address space on one CPU, by a kernel thread there
 * @work: the work item; initialised when it is first queued
 * @mm: address space to change to; a reference is held
 * @used: @work was initialised
 * @queued: @work was queued by the present x86_user_clear_dirty()
 * @done: @work has done so
 *
 * The caller of x86_user_clear_dirty() writes all of it, while @work neither waits nor
 * runs; @work writes @done and drops the reference.
 */
struct change {
	struct work_struct work;
	struct mm_struct *mm;
	bool used;
	bool queued;
	bool done;
};

static DEFINE_PER_CPU(struct change, changes);
static DECLARE_WAIT_QUEUE_HEAD(changed);

/* A CPU that takes longer runs threads that no kernel thread may interrupt. D2 */
#define CHANGE_JIFFIES (HZ / 2)

/* True if current may execute RDPMC. */
static bool current_may_read(void)
{
	return current->mm && native_read_cr4() & X86_CR4_PCE;
}

/*
 * True if the administrator lets all processes execute RDPMC: the bit is set although the
 * address space that this CPU uses has no event of perf mapped.  False also if it has one,
 * because then the bit says nothing of others.
 */
static bool all_may_read(void)
{
	const struct mm_struct *mm = current->active_mm;

	return native_read_cr4() & X86_CR4_PCE &&
	       !atomic_read(&mm->context.perf_rdpmc_allowed);
}

/**
 * x86_user_possible - whether user mode can read counters
 *
 * Context: process.
 * Return: true where the administrator lets all processes.
 */
bool x86_user_possible(void)
{
	return all_may_read();
}

/**
 * x86_user_allow - let user mode read counters
 * @prog: the program that uses counters, or NULL
 * @clear: the other counters may hold counts
 *
 * The kernel lets all processes read all counters, so to zero some here would protect
 * nothing.
 */
void x86_user_allow(const struct pfm_prog *prog, bool clear)
{
}

/**
 * x86_user_deny - keep user mode from reading counters, which is not possible here
 */
void x86_user_deny(void)
{
}

/* Counts that no counter makes in less than a nanosecond, as a shift. */
#define COUNTS_SHIFT 6

/**
 * x86_user_until - time until which user mode may read the program's counters
 * @prog: the program
 *
 * Called for a thread that may be about to be switched to, from the address space of
 * another.
 *
 * Return: value of the TSC before which no counter can count through half of its range;
 * the other half covers the time between user mode's reads of the clock and of the
 * counter.  0 when the administrator has taken access away meanwhile, or when a value is
 * in no counter.
 */
u64 x86_user_until(const struct pfm_prog *prog)
{
	u64 upper = 0, ns;
	u16 i;

	if (unlikely(!all_may_read()))
		return 0;
	/* The slots of a field are in no counter, and the fixed counter is not a PMD's. */
	if (unlikely(prog->priv[X86_PRIV_MORE] & X86_MORE_METRICS))
		return 0;
	for (i = 0; i < prog->npmds; i++) {
		/* What such a counter lacks is in memory that user mode does not see. */
		if (unlikely(this_cpu_read(x86_cpus.behind[prog->pmds[i]])))
			return 0;
		/* The counter with the smallest range has the most bits in memory. */
		upper |= x86.counter[prog->pmds[i]].upper;
	}
	/* W3 */
	ns = -upper >> (COUNTS_SHIFT + 1);
	return get_cycles() + ns / NSEC_PER_MSEC * tsc_khz;
}

/**
 * x86_user_report - log that all processes may read the counters
 *
 * Once, because any user may load contexts.  A process that has the right by an event of
 * perf is no reason: it is not the administrator's doing, and perf gives it to any user.
 *
 * Context: process.
 */
void x86_user_report(void)
{
	if (!all_may_read())
		return;
	pr_info_once("all processes may read the counters by RDPMC: %s is 2\n",
		     "/sys/bus/event_source/devices/cpu/rdpmc");
}

/*
 * In a kernel thread on the CPU.  The thread has no address space of its own and still
 * uses that of the task before it.  That may be the one to change to, so it is left
 * first.
 */
static void change_mm(struct work_struct *work)
{
	struct change *change = container_of(work, struct change, work);
	struct mm_struct *mm = change->mm;
	unsigned long flags;

	/* After a time without this CPU, the process may be gone. */
	if (mmget_not_zero(mm)) {
		local_irq_save(flags);
		pfm_leave_mm();
		local_irq_restore(flags);
		/* D1 */
		kthread_use_mm(mm);
		kthread_unuse_mm(mm);
		mmput(mm);
	}
	mmdrop(mm);
	/* Pairs with all_done(): the element is not used here any more. */
	smp_store_release(&change->done, true);
	wake_up(&changed);
}

/* Queue the work of a CPU, unless it still runs from an earlier time. */
static void queue_change(unsigned int cpu)
{
	struct change *change = &per_cpu(changes, cpu);

	change->queued = false;
	if (!change->used) {
		INIT_WORK(&change->work, change_mm);
		change->used = true;
	} else if (work_busy(&change->work)) {
		return;
	}
	mmgrab(current->mm);
	change->mm = current->mm;
	change->done = false;
	change->queued = true;
	queue_work_on(cpu, system_highpri_wq, &change->work);
}

static bool all_done(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct change *change = &per_cpu(changes, cpu);

		/* Pairs with change_mm(). */
		if (change->queued && !smp_load_acquire(&change->done))
			return false;
	}
	return true;
}

/**
 * x86_user_clear_dirty - have the kernel zero counters that perf has used
 *
 * When a CPU changes to an address space that may use RDPMC, the kernel writes 0 to the
 * counters that perf has used there.  It does so once, and asks nobody who has them now.
 * This makes it happen before the first counter counts.  If current may use RDPMC,
 * because the administrator lets all processes, so do others.
 *
 * A CPU may run a thread that no kernel thread interrupts, for as long as it likes
 * (SCHED_FIFO).  Such a CPU is left out after a time: it does not change its address
 * space either.
 *
 * Context: process; sleeps.  The counters are perfmon's, and one caller at a time.
 */
void x86_user_clear_dirty(void)
{
	unsigned int cpu;

	if (!current_may_read())
		return;
	for_each_possible_cpu(cpu)
		per_cpu(changes, cpu).queued = false;
	cpus_read_lock();
	for_each_online_cpu(cpu)
		queue_change(cpu);
	cpus_read_unlock();
	if (wait_event_timeout(changed, all_done(), CHANGE_JIFFIES))
		return;
	for_each_possible_cpu(cpu) {
		struct change *change = &per_cpu(changes, cpu);

		/* One that runs already drops the reference itself. */
		if (change->queued && cancel_work(&change->work))
			mmdrop(change->mm);
	}
}

/**
 * x86_user_end - wait until no work runs that this file has queued
 *
 * Context: process; sleeps; nobody calls x86_user_clear_dirty() any more.
 */
void x86_user_end(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct change *change = &per_cpu(changes, cpu);

		if (change->used)
			flush_work(&change->work);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Virtual registers that exist on every system.
 *
 * No register counts in hardware.  Each has a source that the kernel maintains anyway
 * and that only grows.  While a register counts, its value in memory is the count less
 * the source, so nothing has to be done between start and end, and a read adds the
 * source as of now.  Sums wrap modulo 2^64, so the results are right.
 */
#include <linux/compiler.h>
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>
#include <perfmon/pmu.h>
#include <perfmon/release.h>

#include "../compat.h"

/* The sources of a thread's counts are 64 bits wide on 64-bit kernels only. */
static_assert(sizeof(((struct task_struct *)NULL)->min_flt) == sizeof(u64));

enum soft_reg {
	CPU_TIME_NS = PFM_REG_VIRT_BASE,

	WALL_TIME_NS = PFM_REG_TASK_BASE,
	CONTEXT_SWITCHES,
	MIGRATIONS,
	MINOR_FAULTS,
	MAJOR_FAULTS,
	PAGE_FAULTS,
	FREE_MEMORY_BYTES = 356,
	SOFT_REG_END,
};

/*
 * The clock of all times that perfmon shows, so that time on a CPU, wall-clock time and
 * the times in records can be compared.  Unlike ktime_get_ns(), it may be read under
 * the runqueue lock, and in an NMI that interrupted the timekeeper's update.
 * sched_clock() would be no cheaper, and differs from CLOCK_MONOTONIC by NTP's
 * corrections.
 */
static u64 soft_clock(void)
{
	return ktime_get_mono_fast_ns();
}

/*
 * Time on a CPU: the clock runs only between restore and save.  The register class has
 * one register, so there is one value.
 */

static DEFINE_PER_CPU(u64, soft_latest);

/*
 * The clock may step back by some ns when the kernel adjusts its speed.  A value must not:
 * a short time on the CPU would become one of centuries.  So the clock of each CPU stands
 * still until it has caught up.  A set with this register has no overflows in NMIs, and
 * interrupts are off in everything else that uses it.
 */
static u64 soft_cpu_clock(void)
{
	const u64 now = soft_clock(), latest = this_cpu_read(soft_latest);

	if (unlikely(now < latest))
		return latest;
	this_cpu_write(soft_latest, now);
	return now;
}

/**
 * struct soft_timer - the timer of a value
 * @timer: expires when the value reaches 2^64, or after the shortest time that the policy
 *	allows.  It is started under the runqueue lock, hence hard and pinned
 * @run: where the value counts
 *
 * There is one for each place of each CPU.
 */
struct soft_timer {
	struct hrtimer timer;
	struct pfm_run *run;
};

static DEFINE_PER_CPU(struct soft_timer[PFM_RUNS], soft_timers);

static enum hrtimer_restart soft_timer_fn(struct hrtimer *timer)
{
	struct pfm_run *run =
		container_of(timer, struct soft_timer, timer)->run;

	/* The core starts the timer again if another overflow may follow. */
	pfm_cpu_overflow_run(run, get_irq_regs());
	return HRTIMER_NORESTART;
}

static struct soft_timer *soft_timer_of(const struct pfm_run *run)
{
	return &(*this_cpu_ptr(&soft_timers))[run->index];
}

static void soft_cpu_restore(const struct pfm_prog *prog, u64 *vals,
			     struct pfm_run *run, bool loaded)
{
	/*
	 * A value in the upper half will overflow, so set the timer.  It may expire late: the
	 * value tells how many periods have passed.
	 */
	if ((s64)vals[0] < 0) {
		const u64 ns = max(-vals[0], pfm_policy_timer_min());
		struct soft_timer *timer = soft_timer_of(run);

		timer->run = run;
		hrtimer_start(&timer->timer, ns_to_ktime(ns),
			      HRTIMER_MODE_REL_PINNED_HARD);
	}
	vals[0] -= soft_cpu_clock();
}

static void soft_cpu_save(const struct pfm_prog *prog, u64 *vals,
			  struct pfm_run *run)
{
	/* lockdep does not see this lock in an NMI. */
	if (IS_ENABLED(CONFIG_PROVE_LOCKING))
		WARN_ON_ONCE(in_nmi());
	vals[0] += soft_cpu_clock();
	/*
	 * Interrupts are off and the timer is pinned, so if its function runs now, it
	 * is the caller, and there is nothing to wait for.
	 */
	hrtimer_try_to_cancel(&soft_timer_of(run)->timer);
}

static void soft_cpu_read(const struct pfm_prog *prog, const u64 *vals,
			  u64 *copy, struct pfm_run *run)
{
	copy[0] = vals[0] + soft_cpu_clock();
}

static const struct pfm_pmu_ops soft_cpu_ops = {
	.restore = soft_cpu_restore,
	.save = soft_cpu_save,
	.read = soft_cpu_read,
};

static const struct pfm_reg_desc soft_cpu_pmds[] = {
	[CPU_TIME_NS - PFM_REG_VIRT_BASE] = {
		.name = "CPU_TIME_NS",
		.width = 64,
		.ctl = PFM_REG_NONE,
		.flags = PFM_REGI_COUNTER | PFM_REGI_VIRTUAL |
			 PFM_REGI_OVERFLOW,
	},
};

static_assert(ARRAY_SIZE(soft_cpu_pmds) == 1);

static const struct pfm_pmu soft_cpu = {
	.name = "soft_cpu",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_CPU,
	.base = PFM_REG_VIRT_BASE,
	.npmds = ARRAY_SIZE(soft_cpu_pmds),
	.pmds = soft_cpu_pmds,
	.ops = &soft_cpu_ops,
};

/*
 * The thread's counts since its creation, as the kernel keeps them.  The scheduler and
 * the fault handler write these counts without a lock, on the thread's CPU.  Read on
 * another CPU they may be a moment old, but they are never torn and never decrease.
 */
static u64 soft_task_source(u16 num, const struct task_struct *task)
{
	switch (num) {
	case WALL_TIME_NS:
		/*
		 * Started on one CPU and read on another, so soft_cpu_clock() would not help.
		 * A value that is read within microseconds of its start may be negative if the
		 * kernel changes its clock source just then.
		 */
		return soft_clock();
	case CONTEXT_SWITCHES:
		return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
	case MIGRATIONS:
		return READ_ONCE(task->se.nr_migrations);
	case MINOR_FAULTS:
		return READ_ONCE(task->min_flt);
	case MAJOR_FAULTS:
		return READ_ONCE(task->maj_flt);
	case PAGE_FAULTS:
		/* Both only grow, so their sum does, whatever happens between the two reads. */
		return READ_ONCE(task->min_flt) + READ_ONCE(task->maj_flt);
	default:
		/* A gauge has no start value; see soft_task_gauge(). */
		return 0;
	}
}

static void soft_task_restore(const struct pfm_prog *prog, u64 *vals,
			      struct pfm_run *run, bool loaded)
{
	u16 i;

	for (i = 0; i < prog->npmds; i++)
		vals[i] -= soft_task_source(prog->pmds[i], run->task);
}

static void soft_task_save(const struct pfm_prog *prog, u64 *vals,
			   struct pfm_run *run)
{
	u16 i;

	for (i = 0; i < prog->npmds; i++)
		vals[i] += soft_task_source(prog->pmds[i], run->task);
}

static void soft_task_read(const struct pfm_prog *prog, const u64 *vals,
			   u64 *copy, struct pfm_run *run)
{
	u16 i;

	for (i = 0; i < prog->npmds; i++)
		copy[i] = vals[i] + soft_task_source(prog->pmds[i], run->task);
}

static u64 soft_task_gauge(u16 num)
{
	struct sysinfo info;

	if (num != FREE_MEMORY_BYTES)
		return 0;
	si_meminfo(&info);
	return (u64)info.freeram * info.mem_unit;
}

static const struct pfm_pmu_ops soft_task_ops = {
	.restore = soft_task_restore,
	.save = soft_task_save,
	.read = soft_task_read,
	.gauge = soft_task_gauge,
};

#define TASK_REG(reg, extra)						\
	[(reg) - PFM_REG_TASK_BASE] = {				\
		.name = #reg,						\
		.width = 64,						\
		.ctl = PFM_REG_NONE,					\
		.flags = PFM_REGI_VIRTUAL | (extra),			\
	}

/* Numbers without an entry do not exist. */
static const struct pfm_reg_desc soft_task_pmds[] = {
	TASK_REG(WALL_TIME_NS, PFM_REGI_COUNTER),
	TASK_REG(CONTEXT_SWITCHES, PFM_REGI_COUNTER | PFM_REGI_THREAD),
	TASK_REG(MIGRATIONS, PFM_REGI_COUNTER | PFM_REGI_THREAD),
	TASK_REG(MINOR_FAULTS, PFM_REGI_COUNTER | PFM_REGI_THREAD),
	TASK_REG(MAJOR_FAULTS, PFM_REGI_COUNTER | PFM_REGI_THREAD),
	TASK_REG(PAGE_FAULTS, PFM_REGI_COUNTER | PFM_REGI_THREAD),
	TASK_REG(FREE_MEMORY_BYTES, PFM_REGI_READONLY | PFM_REGI_GAUGE),
};

static_assert(ARRAY_SIZE(soft_task_pmds) == SOFT_REG_END - PFM_REG_TASK_BASE);

static const struct pfm_pmu soft_task = {
	.name = "soft_task",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_TASK,
	.base = PFM_REG_TASK_BASE,
	.npmds = ARRAY_SIZE(soft_task_pmds),
	.pmds = soft_task_pmds,
	.ops = &soft_task_ops,
};

static int __init soft_init(void)
{
	int cpu, i, ret;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < PFM_RUNS; i++)
			pfm_hrtimer_setup(&per_cpu(soft_timers, cpu)[i].timer,
					  soft_timer_fn, CLOCK_MONOTONIC,
					  HRTIMER_MODE_REL_PINNED_HARD);
	}

	ret = pfm_pmu_register(&soft_cpu);
	if (ret)
		return ret;
	ret = pfm_pmu_register(&soft_task);
	if (ret)
		pfm_pmu_unregister(&soft_cpu);
	return ret;
}
module_init(soft_init);

static void __exit soft_exit(void)
{
	int cpu, i;

	pfm_pmu_unregister(&soft_task);
	pfm_pmu_unregister(&soft_cpu);
	for_each_possible_cpu(cpu) {
		for (i = 0; i < PFM_RUNS; i++)
			hrtimer_cancel(&per_cpu(soft_timers, cpu)[i].timer);
	}
}
module_exit(soft_exit);

MODULE_DESCRIPTION("perfmon: virtual registers (times, faults, switches)");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);

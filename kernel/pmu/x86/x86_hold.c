// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: reserving them, and changing their owner.
 *
 * While no context is loaded the counters are perf's, and nothing here touches them.
 * While one is loaded, they are ours on all CPUs.  perf and the NMI watchdog reserve all
 * counters with the kernel as long as they have events, and so does this file: whoever
 * comes second is refused.  Fixed counters have no reservation of their own; perf does
 * not use one without having reserved the general ones.
 *
 * perf keeps copies of what it has written to some registers, so all that is changed is
 * put back as it was found.
 */
#include "x86_hold.h"

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <perfmon/critical.h>
#include <perfmon/hold.h>
#include <perfmon/pmu.h>

#include "x86_holder.h"
#include "x86_lbr.h"
#include "x86_msr.h"
#include "x86_nmi.h"
#include "x86_state.h"
#include "x86_user.h"

/*
 * Counters and their controls, fixed control, extra, off, debugctl, global control,
 * metrics.
 */
#define SAVED_MAX                                              \
	(2 * X86_GENERAL_MAX + X86_FIXED_MAX + X86_EXTRA_MAX + \
	 ARRAY_SIZE(x86.off) + 4)

/**
 * struct saved - registers of a CPU as they were found
 * @put_back: they are to be put back
 * @values: the registers of saved_msrs
 */
struct saved {
	bool put_back;
	u64 values[SAVED_MAX];
};

static DEFINE_PER_CPU(struct saved, saved_regs);

/*
 * Registers that are put back as they were found.  They are zeroed in this order, so the
 * controls come first, and put back in the opposite order.  Constant while the counters
 * are ours.
 */
static u32 saved_msrs[SAVED_MAX];
static unsigned int nsaved;

/* The counters are reserved, and ours. */
static struct pfm_hold hold;

static void save_msr(u32 msr)
{
	u32 low, high;

	/* Not every processor, and not every hypervisor, has all of them. */
	if (msr && !rdmsr_safe(msr, &low, &high))
		saved_msrs[nsaved++] = msr;
}

/* Fill in saved_msrs.  All CPUs are alike. */
static void find_msrs(void)
{
	u64 counters;
	unsigned int i, n;

	nsaved = 0;
	save_msr(x86.global_ctrl);
	for (counters = x86.counters; counters; counters &= counters - 1) {
		n = __ffs64(counters);
		if (n < X86_FIXED_FIRST)
			save_msr(x86_sel_msr(n));
	}
	save_msr(x86.fixed_ctrl);
	for (i = 0; i < ARRAY_SIZE(x86.off); i++)
		save_msr(x86.off[i]);
	save_msr(x86.debugctl);
	for (i = 0; i < X86_EXTRA_MAX; i++)
		save_msr(x86.extra[i]);
	/* Its fields are shares of fixed counter 3, which has to be put back before it. */
	save_msr(x86.metrics);
	for (counters = x86.counters; counters; counters &= counters - 1)
		save_msr(x86.counter[__ffs64(counters)].msr);
}

/*
 * Clear what the status tells of, whoever it is about.  A bit that somebody else has left may keep
 * all counters from running: that of counters frozen by an overflow.  Bits that are set can be
 * cleared; others may be reserved.
 */
static void clear_status(struct x86_cpu *cpu)
{
	const u64 status = x86_rdmsr(x86.global_status);

	if (status & x86.overflows)
		x86_expect_late(cpu);
	x86_wrmsr(x86.global_ack, status & ~X86_STATUS_TRACE);
}

/*
 * Stop and zero this CPU's counters, and let their overflows be NMIs.  Earlier overflows
 * are forgotten.  The NMI of one of them may still be on its way.  With a status register
 * it finds its bit until that is acknowledged; without one, it finds nothing from the
 * first write on.
 */
static void reset_here(void)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	unsigned int i;

	if (x86.late_nmis)
		x86_expect_late(cpu);
	WRITE_ONCE(cpu->armed, 0);
	WRITE_ONCE(cpu->ctrl, 0);
	x86_lbr_reset_here(cpu);
	for (i = 0; i < nsaved; i++) {
		const u32 msr = saved_msrs[i];

		if (msr == x86.debugctl)
			x86_wrmsr(msr, x86_rdmsr(msr) & ~x86.debugctl_off);
		else
			x86_wrmsr(msr, 0);
	}
	if (x86.global_status)
		clear_status(cpu);
	memset(cpu->sel, 0, sizeof(cpu->sel));
	memset(cpu->extra, 0, sizeof(cpu->extra));
	memset(cpu->behind, 0, sizeof(cpu->behind));
	cpu->careful = x86.global_ctrl ? X86_METRICS_BIT : U64_MAX;
	cpu->fixed_ctrl = 0;
	cpu->noted = 0;
	cpu->slots_wrapped = false;
	cpu->slots_taken = false;
	cpu->shared = false;
	x86_nmi_unmask();
}

/* Changes of the owner: on the CPU concerned, interrupts off. */

static void save_here(struct saved *saved)
{
	unsigned int i;

	this_cpu_write(x86_cpus.lvtpc, apic->read(APIC_LVTPC));
	x86_lbr_take_here();
	for (i = 0; i < nsaved; i++)
		saved->values[i] = x86_rdmsr(saved_msrs[i]);
	saved->put_back = true;
}

static void take_here(void *unused)
{
	struct saved *saved = this_cpu_ptr(&saved_regs);

	/* A CPU that was offline when they were to be put back has what is ours. */
	pfm_critical_enter();
	if (!saved->put_back)
		save_here(saved);
	this_cpu_write(x86_cpus.ours, true);
	reset_here();
	/* perf has used the counters since we last had them. */
	pfm_cpu_forget(x86.pmu);
	pfm_critical_exit();
}

/* Not where a CPU comes online: it is barred until that is done. */
static void take_unless_barred(void *unused)
{
	if (!pfm_cpu_barred(x86.pmu))
		take_here(NULL);
}

static void give_here(void *unused)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	struct saved *saved = this_cpu_ptr(&saved_regs);
	unsigned int i;

	if (!saved->put_back)
		return;
	pfm_critical_enter();
	reset_here();
	x86_lbr_give_here();
	/* What lets counters run comes last. */
	for (i = nsaved; i--;) {
		u64 value = saved->values[i];

		/* Other bits of this register belong to tasks and to the kernel. */
		if (saved_msrs[i] == x86.debugctl)
			value = x86_rdmsr(x86.debugctl) |
				(value & x86.debugctl_off);
		/* An NMI writes @ctrl as long as the counters are ours. */
		if (saved_msrs[i] == x86.global_ctrl)
			WRITE_ONCE(cpu->ctrl, value);
		x86_wrmsr(saved_msrs[i], value);
	}
	saved->put_back = false;
	/* In this order: an NMI unmasks the entry as long as the counters are ours. */
	WRITE_ONCE(cpu->ours, false);
	apic->write(APIC_LVTPC, cpu->lvtpc);
	pfm_critical_exit();
}

static u32 counter_msr(unsigned int n)
{
	return x86.reserve_counter + n * x86.sel_step;
}

static void release_counter(unsigned int n)
{
	release_evntsel_nmi(x86_sel_msr(n));
	release_perfctr_nmi(counter_msr(n));
}

static bool reserve_counter(unsigned int n)
{
	if (!reserve_perfctr_nmi(counter_msr(n)))
		return false;
	if (reserve_evntsel_nmi(x86_sel_msr(n)))
		return true;
	release_perfctr_nmi(counter_msr(n));
	return false;
}

static void unreserve(void)
{
	unsigned int n;

	for (n = 0; n < X86_GENERAL_MAX; n++) {
		if (x86.counters & BIT_ULL(n))
			release_counter(n);
	}
}

/* Reserve all counters.  Returns false if somebody has reserved one. */
static bool reserve(void)
{
	unsigned int n;

	for (n = 0; n < X86_GENERAL_MAX; n++) {
		if (x86.counters & BIT_ULL(n) && !reserve_counter(n))
			break;
	}
	if (n == X86_GENERAL_MAX)
		return true;
	while (n--) {
		if (x86.counters & BIT_ULL(n))
			release_counter(n);
	}
	return false;
}

static int prepare(void)
{
	return x86_holder_guests() ? -EBUSY : x86_nmi_begin();
}

static int take(void)
{
	/* A CPU that comes online reserves the counters for a moment, too. */
	if (!reserve())
		return -EBUSY;
	on_each_cpu(take_unless_barred, NULL, 1);
	return 0;
}

static void taken(void)
{
	x86_user_report();
	x86_user_clear_dirty();
}

/* The counters of CPUs that are offline are ours no more, either. */
static void leave_offline(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (!cpu_online(cpu))
			per_cpu(x86_cpus.ours, cpu) = false;
	}
}

static void give(void)
{
	on_each_cpu(give_here, NULL, 1);
	leave_offline();
	unreserve();
}

static void left(int err)
{
	if (err)
		x86_holder_report();
}

/*
 * Take or leave the counters of a CPU that comes online.
 *
 * A CPU that went offline while the counters were ours may come back with its registers
 * as they were, or as after a reset.  If the counters are not ours any more, it is put
 * in the state in which it was found.  If perf has reserved them again, perf may be
 * using them here: then they are left alone.  perf writes the control register of each
 * counter that it uses, and the global and the fixed control before it first counts.  A
 * counter that perf does not use may go on counting for nobody.
 */
static void own_or_leave(void)
{
	struct saved *saved = this_cpu_ptr(&saved_regs);
	unsigned long flags;

	local_irq_save(flags);
	if (pfm_hold_held(&hold)) {
		take_here(NULL);
	} else {
		if (saved->put_back && reserve()) {
			give_here(NULL);
			unreserve();
		}
		saved->put_back = false;
	}
	local_irq_restore(flags);
}

/* Leave the counters of a CPU that comes online alone. */
static void bar_here(void)
{
	pfm_cpu_bar(x86.pmu);
	this_cpu_write(x86_cpus.ours, false);
	this_cpu_write(saved_regs.put_back, false);
}

/*
 * The module is being loaded, so online() is called for CPUs that are online already.  CPU hot-plug
 * is locked meanwhile.  It is not known which of two CPUs that differ is described, as the
 * description was made on any of them.
 */
static bool loading;

static int online(unsigned int cpu)
{
	if (!x86.same()) {
		if (loading) {
			pr_err("CPU %u has other counters than those before it; the module can be loaded while it is offline\n",
			       cpu);
			return -ENODEV;
		}
		pr_warn("CPU %u is not used: its counters are not as the others'\n",
			cpu);
		bar_here();
		return 0;
	}
	own_or_leave();
	pfm_cpu_admit(x86.pmu);
	return 0;
}

static void suspend(void)
{
	if (this_cpu_read(x86_cpus.ours))
		pfm_cpu_sleep();
}

static void resume(void)
{
	if (!this_cpu_read(x86_cpus.ours))
		return;
	pfm_critical_enter();
	reset_here();
	pfm_cpu_forget(x86.pmu);
	pfm_critical_exit();
	pfm_cpu_wake();
}

/*
 * True if a counter keeps what is written to it, and RDPMC reads that.  Some hypervisors
 * let the registers be read and written, and do nothing.  Interrupts are off, and the
 * counter is reserved.
 */
static bool is_counter(const struct x86_counter *c)
{
	const u32 bits = GENMASK(23, 16);
	u32 low, high, now;
	bool kept;

	if (rdmsr_safe(c->msr, &low, &high) ||
	    wrmsr_safe(c->msr, low ^ bits, high))
		return false;
	kept = !rdmsr_safe(c->msr, &now, &high) &&
	       ((now ^ low) & bits) == bits &&
	       ((x86_rdpmc(c->rdpmc) ^ low) & bits) == bits;
	wrmsr_safe(c->msr, low, high);
	return kept;
}

/* True if the counters exist.  Those that somebody uses do. */
static bool are_there(void)
{
	unsigned long flags;
	bool there;

	if (!reserve())
		return true;
	local_irq_save(flags);
	there = is_counter(&x86.counter[__ffs64(x86.counters)]);
	local_irq_restore(flags);
	unreserve();
	return there;
}

/*
 * Stop the counters.  What they hold stays right.  The next kernel would take counters that run
 * for a fault of the firmware.
 */
static void quiet(void *unused)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	unsigned int n;

	if (!cpu->ours)
		return;
	pfm_critical_enter();
	x86_lbr_stop(cpu);
	if (x86.global_ctrl)
		x86_write_ctrl(cpu, 0);
	for (n = 0; n < X86_GENERAL_MAX; n++) {
		if (x86.counters & BIT_ULL(n))
			x86_wrmsr(x86_sel_msr(n), 0);
	}
	if (x86.fixed_ctrl)
		x86_wrmsr(x86.fixed_ctrl, 0);
	pfm_critical_exit();
}

static const struct pfm_hold_ops hold_ops = {
	.prepare = prepare,
	.take = take,
	.taken = taken,
	.give = give,
	.left = left,
	.online = online,
	.suspend = suspend,
	.resume = resume,
	.quiet = quiet,
};

/** x86_hold_acquire - see pfm_pmu_ops.acquire; -EBUSY: somebody else has them, which is logged */
int x86_hold_acquire(void)
{
	return pfm_hold_acquire(&hold);
}

/** x86_hold_release - see pfm_pmu_ops.release */
void x86_hold_release(void)
{
	pfm_hold_release(&hold);
}

/** x86_hold_settle - see pfm_pmu_ops.settle */
void x86_hold_settle(void)
{
	pfm_hold_settle(&hold);
}

/**
 * x86_hold_begin - let the counters that x86 describes be taken
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV when they do not exist, or when a CPU has others, which is logged; or the
 * kernel's error.
 */
int x86_hold_begin(void)
{
	int ret;

	if (!x86.counters || !are_there()) {
		pr_info("the counters keep no values; the hypervisor seems to have none\n");
		return -ENODEV;
	}
	find_msrs();
	loading = true;
	ret = pfm_hold_begin(&hold, &hold_ops, "perfmon/x86:online");
	loading = false;
	if (ret)
		pfm_cpu_undecided(x86.pmu);
	return ret;
}

/**
 * x86_hold_end - undo x86_hold_begin(); no context is loaded, and none will be
 *
 * Context: process; may sleep.
 */
void x86_hold_end(void)
{
	pfm_hold_end(&hold);
	pfm_cpu_undecided(x86.pmu);
	x86_user_end();
	x86_nmi_end();
}

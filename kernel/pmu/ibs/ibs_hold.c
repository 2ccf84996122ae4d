// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: taking it, and giving it back.
 *
 * While no context that uses it is loaded, IBS is perf's, and nothing here touches it.
 * While one is, it is ours on all CPUs.  There is no reservation in the kernel.  perf keeps
 * one of its events on a CPU at a time from being used twice, but only among its own, and
 * an event of ours in that place would have perf write the registers.  So perf is asked
 * whether it has events, and made to refuse new ones (pfm_x86_perf_exclude()); and engines
 * that run for somebody else are found by their enable bits.
 *
 * The interrupt is an entry of the local APIC that the firmware has chosen.  perf's driver
 * unmasks it when the kernel boots, if it is built in.
 */
#include "ibs_hold.h"

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/msr-index.h>
#include <asm/msr.h>
#include <perfmon/critical.h>
#include <perfmon/hold.h>
#include <perfmon/pmu.h>

#include "ibs_hidden.h"
#include "ibs_nmi.h"
#include "ibs_ops.h"
#include "ibs_state.h"
#include "pmu/x86/x86_holder.h"
#include "pmu/x86/x86_msr.h"

/* Register of the local APIC: the entry of extended interrupt n; APM volume 2, chapter 16. */
#define EXTENDED_LVT(n) (0x500 + 0x10 * (n))

/* Microseconds after which a sample is one that nobody takes; an NMI comes at once. */
#define LEFT_US 100

/* IBS_CTL: number of the local APIC's entry. */
#define CTL_OFFSET GENMASK_ULL(3, 0)
#define CTL_VALID  BIT_ULL(8)

/* perf's PMUs.  Found when IBS is taken; NULL where perf has none. */
static const char *const perf_names[] = { "ibs_fetch", "ibs_op" };
static struct pmu *perf_pmus[ARRAY_SIZE(perf_names)];

/* IBS is ours. */
static struct pfm_hold hold;

/**
 * struct taking - why IBS cannot be taken, of all CPUs
 * @running: number of CPUs whose engines run for somebody else
 * @broken: number of CPUs on which the interrupt cannot be set up
 */
struct taking {
	atomic_t running;
	atomic_t broken;
};

/*
 * Number of the local APIC's entry on this CPU; -1 if the firmware has chosen none that
 * there is.
 */
static int entry_here(void)
{
	u32 low, high;

	if (rdmsr_safe(MSR_AMD64_IBSCTL, &low, &high) || !(low & CTL_VALID))
		return -1;
	low &= CTL_OFFSET;
	return low < APIC_EILVT_NR_MAX ? low : -1;
}

/* Remember whether the entry is masked: IBS becomes ours. */
static void find_entry(void)
{
	const int entry = entry_here();

	/* apic_read() is no function for modules on later kernels. */
	this_cpu_write(ibs_cpus.masked,
		       entry >= 0 && apic->read(EXTENDED_LVT(entry)) &
					     APIC_LVT_MASKED);
}

/*
 * Let samples of this CPU be NMIs.  The kernel logs why it refuses to.  Returns false if it
 * cannot be done.
 */
static bool unmask(void)
{
	const int entry = entry_here();

	return entry >= 0 && !setup_APIC_eilvt(entry, 0, APIC_DELIVERY_MODE_NMI, 0);
}

/* Leave the entry as it was found.  perf does not unmask it again. */
static void unmask_end(void)
{
	const int entry = entry_here();

	if (entry >= 0 && this_cpu_read(ibs_cpus.masked))
		setup_APIC_eilvt(entry, 0, APIC_DELIVERY_MODE_FIXED, 1);
}

/*
 * True if an engine runs for somebody else.  One that keeps its sample is nobody's: a driver takes
 * it in an NMI.  An earlier kernel has left it so, which this one has followed by kexec.
 */
static bool engine_runs(const struct ibs_flavour *flavour)
{
	unsigned int us;
	u64 ctl;

	for (us = 0; us < LEFT_US; us++) {
		ctl = x86_rdmsr(flavour->msr);
		if (!(ctl & flavour->en))
			return false;
		if (!(ctl & flavour->valid))
			return true;
		udelay(1);
	}
	return false;
}

static bool engines_run(void)
{
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		const struct ibs_flavour *flavour = &ibs.flavour[f];

		if (flavour->msr && engine_runs(flavour))
			return true;
	}
	return false;
}

/* Stop this CPU's engines, and forget what they had. */
static void reset_here(void)
{
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		struct ibs_engine *engine = this_cpu_ptr(&ibs_cpus.engine[f]);

		if (!ibs.flavour[f].msr)
			continue;
		/* On a CPU that comes online it may run already. */
		if (engine->started && !READ_ONCE(engine->noted))
			ibs_expect_late(engine);
		WRITE_ONCE(engine->started, false);
		barrier();
		ibs_stop(&ibs.flavour[f], 0);
		engine->noted = false;
		engine->record = false;
		engine->waits = false;
		engine->random = 0;
		engine->filter = 0;
		if (ibs.flavour[f].msr2)
			x86_wrmsr(ibs.flavour[f].msr2, 0);
	}
}

/* Changes of the owner: on the CPU concerned, interrupts off. */

/* Returns false if the interrupt cannot be set up. */
static bool own_here(void)
{
	if (!unmask())
		return false;
	pfm_critical_enter();
	ibs_hidden_use();
	this_cpu_write(ibs_cpus.ours, true);
	reset_here();
	/* perf has used the engines since we last had them. */
	pfm_cpu_forget(ibs.pmu);
	pfm_critical_exit();
	return true;
}

static void take_here(void *data)
{
	struct taking *taking = data;

	if (pfm_cpu_barred(ibs.pmu))
		return;
	if (engines_run()) {
		atomic_inc(&taking->running);
		return;
	}
	find_entry();
	if (!own_here())
		atomic_inc(&taking->broken);
}

static void give_here(void *unused)
{
	if (!this_cpu_read(ibs_cpus.ours))
		return;
	pfm_critical_enter();
	reset_here();
	unmask_end();
	ibs_hidden_unuse();
	this_cpu_write(ibs_cpus.ours, false);
	pfm_critical_exit();
}

/* Let perf open events of its first n PMUs again. */
static void admit_perf(unsigned int n)
{
	while (n--)
		pfm_x86_perf_admit(perf_pmus[n]);
}

static int exclude_perf(void)
{
	unsigned int n;
	int ret;

	for (n = 0; n < ARRAY_SIZE(perf_pmus); n++) {
		struct pmu *pmu = pfm_x86_perf_find(perf_names[n]);

		ret = PTR_ERR_OR_ZERO(pmu);
		if (!ret)
			ret = pfm_x86_perf_exclude(pmu);
		if (ret) {
			admit_perf(n);
			return ret;
		}
		perf_pmus[n] = pmu;
	}
	return 0;
}

static int report(const struct taking *taking)
{
	if (atomic_read(&taking->running)) {
		pfm_refusal_notice("context not loaded: another driver uses IBS; stop or unload it first.  If there is none, an earlier kernel (kexec) has left it running: try again after its period, with the CPUs busy\n");
		return -EBUSY;
	}
	if (atomic_read(&taking->broken)) {
		pfm_refusal_notice("context not loaded: the interrupt of IBS cannot be set up on each CPU\n");
		return -EIO;
	}
	return 0;
}

static int prepare(void)
{
	const int ret = ibs_nmi_begin();

	return ret ? ret : exclude_perf();
}

static int take(void)
{
	struct taking taking = {
		.running = ATOMIC_INIT(0),
		.broken = ATOMIC_INIT(0),
	};
	int ret;

	on_each_cpu(take_here, &taking, 1);
	ret = report(&taking);
	if (ret)
		on_each_cpu(give_here, NULL, 1);
	return ret;
}

/* A CPU that is offline gives it back when it comes online. */
static void give(void)
{
	on_each_cpu(give_here, NULL, 1);
}

static void left(int err)
{
	admit_perf(ARRAY_SIZE(perf_pmus));
}

/* Leave IBS of a CPU that comes online alone. */
static void bar_here(void)
{
	pfm_cpu_bar(ibs.pmu);
	this_cpu_write(ibs_cpus.ours, false);
}

/*
 * Take IBS of a CPU that comes online while it is ours, or give it back.  Returns false if it
 * cannot interrupt there.
 *
 * perf's driver unmasks the entry earlier, when a CPU starts, and masks it when the CPU
 * dies; so where there is perf's driver, the entry is never found masked.
 */
static bool own_or_leave(void)
{
	unsigned long flags;
	bool ok;

	local_irq_save(flags);
	ok = entry_here() >= 0;
	if (ok && pfm_hold_held(&hold)) {
		/* A CPU that went offline while IBS was ours is known. */
		if (!this_cpu_read(ibs_cpus.ours))
			find_entry();
		ok = own_here();
	} else if (ok) {
		/* It went offline while IBS was ours, perhaps with a sample that waits. */
		give_here(NULL);
	}
	local_irq_restore(flags);
	return ok;
}

static int online(unsigned int cpu)
{
	if (!ibs_hidden_shown()) {
		bar_here();
	} else if (!own_or_leave()) {
		pr_warn("CPU %u is not used: IBS cannot interrupt there\n", cpu);
		bar_here();
	} else {
		pfm_cpu_admit(ibs.pmu);
	}
	return 0;
}

static void suspend(void)
{
	if (this_cpu_read(ibs_cpus.ours))
		pfm_cpu_sleep();
}

static void resume(void)
{
	ibs_hidden_resume();
	if (!this_cpu_read(ibs_cpus.ours))
		return;
	if (!own_here())
		pr_err("IBS does not interrupt any more\n");
	pfm_cpu_wake();
}

/* The next kernel would not claim the NMIs of engines that run. */
static void quiet(void *unused)
{
	if (!this_cpu_read(ibs_cpus.ours))
		return;
	pfm_critical_enter();
	reset_here();
	pfm_critical_exit();
}

static const struct pfm_hold_ops hold_ops = {
	.prepare = prepare,
	.take = take,
	.give = give,
	.left = left,
	.online = online,
	.suspend = suspend,
	.resume = resume,
	.quiet = quiet,
};

/**
 * ibs_hold_acquire - see pfm_pmu_ops.acquire; -EBUSY: somebody else uses IBS, -EIO: it cannot
 * interrupt; both are logged
 */
int ibs_hold_acquire(void)
{
	return pfm_hold_acquire(&hold);
}

/** ibs_hold_release - see pfm_pmu_ops.release */
void ibs_hold_release(void)
{
	pfm_hold_release(&hold);
}

/** ibs_hold_settle - see pfm_pmu_ops.settle */
void ibs_hold_settle(void)
{
	pfm_hold_settle(&hold);
}

/**
 * ibs_hold_begin - let IBS be taken
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV when the firmware has chosen no entry of the local APIC, which is
 * logged; or the kernel's error.
 */
int ibs_hold_begin(void)
{
	int ret;

	/*
	 * On family 10h the kernel's own driver chooses one; only if it is not built in
	 * there is none.
	 */
	if (entry_here() < 0) {
		pr_err(FW_BUG "the firmware has set up no interrupt for IBS\n");
		return -ENODEV;
	}
	ret = pfm_hold_begin(&hold, &hold_ops, "perfmon/ibs:online");
	if (ret)
		pfm_cpu_undecided(ibs.pmu);
	return ret;
}

/**
 * ibs_hold_end - undo ibs_hold_begin(); no context is loaded, and none will be
 *
 * Context: process; may sleep.
 */
void ibs_hold_end(void)
{
	pfm_hold_end(&hold);
	pfm_cpu_undecided(ibs.pmu);
	ibs_nmi_end();
}

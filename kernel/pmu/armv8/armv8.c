// SPDX-License-Identifier: GPL-2.0-only
/*
 * Armv8 PMUv3: the description of the PMU, and the state of each CPU's PMU.
 *
 * The kernel's own driver is built in and takes the PMU's interrupt when it starts.  If
 * that driver was kept from starting, this module owns the interrupt and all counters.
 * Otherwise it refuses to load, or shares both with the driver: armv8_takeover.c.
 *
 * A CPU's PMU is reset when perfmon gets it, when the CPU comes online, and when the
 * CPU leaves a power state that loses registers.  From then on PMCR_EL0.E stays set: a
 * counter runs when its bit in PMCNTENSET_EL0 is set, and only armv8_ops.c changes
 * those bits.
 */
#include <linux/acpi.h>
#include <linux/bitfield.h>
#include <linux/cpu.h>
#include <linux/cpu_pm.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include <perfmon/hold.h>
#include <perfmon/pmu.h>
#include <perfmon/release.h>

#include "armv8.h"
#include "armv8_takeover.h"

u32 armv8_counters __ro_after_init;
u64 armv8_event_mask __ro_after_init;

/* Value of PMCR_EL0 while counters may run, without the bit E. */
static u64 armv8_pmcr __ro_after_init;
static int armv8_irq __ro_after_init;

struct pfm_hold armv8_hold;

/*
 * Only the address is used: it tells our claim on the interrupt from those of others.
 */
static DEFINE_PER_CPU(u8, armv8_irq_id);

/* Encodings as struct pfm_reg_info.addr gives them: sys_reg() without Rt. */
#define ADDR(crn, crm, op2) (sys_reg(3, 3, crn, crm, op2) >> 5)

#define PMC(n)								\
	[n] = { .name = "PMEVTYPER" #n "_EL0" }
#define PMD(n)								\
	[n] = { .name = "PMEVCNTR" #n "_EL0" }

/* Event counters; set_tables() fills in the other fields. */
static struct pfm_reg_desc armv8_pmcs[ARMV8_REGS] __ro_after_init = {
	PMC(0), PMC(1), PMC(2), PMC(3), PMC(4), PMC(5), PMC(6), PMC(7),
	PMC(8), PMC(9), PMC(10), PMC(11), PMC(12), PMC(13), PMC(14), PMC(15),
	PMC(16), PMC(17), PMC(18), PMC(19), PMC(20), PMC(21), PMC(22), PMC(23),
	PMC(24), PMC(25), PMC(26), PMC(27), PMC(28), PMC(29), PMC(30),
	[ARMV8_CYCLES] = {
		.name = "PMCCFILTR_EL0",
		.addr = ADDR(14, 15, 7),
	},
};

static struct pfm_reg_desc armv8_pmds[ARMV8_REGS] __ro_after_init = {
	PMD(0), PMD(1), PMD(2), PMD(3), PMD(4), PMD(5), PMD(6), PMD(7),
	PMD(8), PMD(9), PMD(10), PMD(11), PMD(12), PMD(13), PMD(14), PMD(15),
	PMD(16), PMD(17), PMD(18), PMD(19), PMD(20), PMD(21), PMD(22), PMD(23),
	PMD(24), PMD(25), PMD(26), PMD(27), PMD(28), PMD(29), PMD(30),
	[ARMV8_CYCLES] = {
		.name = "PMCCNTR_EL0",
		.addr = ADDR(9, 13, 0),
		.ctl = ARMV8_CYCLES,
		.index = ARMV8_CYCLES,
		.width = 64,
		.flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW |
			 PFM_REGI_CYCLES,
	},
};

/*
 * The events for which PMCEID<n>_EL0 has a bit.  Not constant: bits are cleared when a
 * CPU comes online that does not implement an event that the CPUs before it implement.
 */
static struct pfm_pmu_events armv8_events[ARMV8_CEIDS] = {
	{ .first = 0x0000 },
	{ .first = 0x4000 },
};

struct pfm_pmu armv8_pmu __ro_after_init = {
	.name = "armv8_pmuv3",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_HW,
	.base = 0,
	.npmcs = ARRAY_SIZE(armv8_pmcs),
	.npmds = ARRAY_SIZE(armv8_pmds),
	.pmcs = armv8_pmcs,
	.pmds = armv8_pmds,
	.ops = &armv8_ops,
	.events = armv8_events,
};

/**
 * struct armv8_id - properties of a CPU's PMU
 * @version: ID_AA64DFR0_EL1.PMUVer
 * @events: number of event counters that firmware and hypervisor leave us
 * @wide: event counters can be made to wrap at 2^64
 * @ceid: bitmap of the common events that the CPU implements, as in armv8_events
 */
struct armv8_id {
	unsigned int version;
	unsigned int events;
	bool wide;
	u64 ceid[ARMV8_CEIDS];
};

/*
 * For each property, the least of all CPUs that were online when the module was loaded.
 */
static struct armv8_id armv8_least __ro_after_init;

static bool is_pmuv3(unsigned int version)
{
	return version != ARMV8_PMUVER_NONE && version != ARMV8_PMUVER_IMP_DEF;
}

/*
 * Read which common events the CPU implements.  The lower half of each register has a
 * bit for 32 events from 0x00 on.  From PMUv3p1 on the upper half has one for 32 events
 * from 0x4000 on (Arm ARM, "PMCEID0_EL0").
 */
static void read_ceid(struct armv8_id *id)
{
	const u64 ceid0 = read_sysreg(pmceid0_el0);
	const u64 ceid1 = read_sysreg(pmceid1_el0);

	id->ceid[0] = lower_32_bits(ceid0) | (u64)lower_32_bits(ceid1) << 32;
	if (id->version >= ARMV8_PMUVER_V3P1)
		id->ceid[1] = upper_32_bits(ceid0) |
			      (u64)upper_32_bits(ceid1) << 32;
}

/*
 * Read the properties of this CPU's PMU.  If its interrupt is ours, no counter runs.
 * If it is the driver's, PMCR_EL0 is the driver's as well: the driver has set LP if
 * possible.
 */
static void read_id(void *arg)
{
	const u64 dfr0 = read_sysreg(id_aa64dfr0_el1);
	struct armv8_id *id = arg;
	u64 pmcr;

	*id = (struct armv8_id) { .version = dfr0 >> 8 & 0xf };
	if (!is_pmuv3(id->version))
		return;
	id->events = FIELD_GET(ARMV8_PMCR_N, read_sysreg(pmcr_el0));
	read_ceid(id);
	/* PMCR_EL0.LP exists from PMUv3p5 on; a hypervisor may force it to 0. */
	if (id->version >= ARMV8_PMUVER_V3P5) {
		if (!armv8_shared) {
			write_sysreg(ARMV8_PMCR_LC | ARMV8_PMCR_LP, pmcr_el0);
			isb();
		}
		pmcr = read_sysreg(pmcr_el0);
		id->wide = pmcr & ARMV8_PMCR_LP;
	}
}

/**
 * armv8_stop - stop all counters of this CPU, and clear their interrupts and flags
 *
 * Context: on the CPU concerned.
 */
void armv8_stop(void)
{
	const u64 all = GENMASK(31, 0);

	write_sysreg(all, pmcntenclr_el0);
	write_sysreg(all, pmintenclr_el1);
	isb();
	write_sysreg(all, pmovsclr_el0);
	/* User mode must not access the counters until the core lets it. */
	write_sysreg(0, pmuserenr_el0);
	isb();
}

/**
 * armv8_reset - zero and stop all counters of this CPU; each runs once it is enabled
 *
 * After a reset of the CPU most of these registers have unknown content (Arm ARM:
 * "resets to an architecturally UNKNOWN value").
 *
 * Context: on the CPU concerned.
 */
void armv8_reset(void)
{
	armv8_stop();
	write_sysreg(armv8_pmcr | ARMV8_PMCR_P | ARMV8_PMCR_C, pmcr_el0);
	isb();
	write_sysreg(armv8_pmcr | ARMV8_PMCR_E, pmcr_el0);
	isb();
}

/*
 * Remove the events that this CPU does not implement, because it does not count them.
 * Only the hotplug callbacks call this, and they run one at a time.
 */
static void narrow_events(const struct armv8_id *id)
{
	unsigned int i;

	for (i = 0; i < ARMV8_CEIDS; i++)
		WRITE_ONCE(armv8_events[i].implemented,
			   armv8_events[i].implemented & id->ceid[i]);
}

/* True if this CPU lacks nothing that armv8_pmu describes. */
static bool has_all(const struct armv8_id *id)
{
	return is_pmuv3(id->version) && id->version >= armv8_least.version &&
	       id->events >= armv8_least.events && id->wide >= armv8_least.wide;
}

/*
 * Let nothing count on this CPU: access to a counter that does not exist would be an undefined
 * instruction.
 */
static void bar(unsigned int cpu, const struct armv8_id *id)
{
	pr_warn("CPU %u is not used: its PMU has less than the others'\n", cpu);
	pfm_cpu_bar(&armv8_pmu);
	if (armv8_shared)
		armv8_takeover_bar();
	else if (is_pmuv3(id->version))
		armv8_stop();
}

static int armv8_online(unsigned int cpu)
{
	unsigned long flags;
	struct armv8_id id;

	read_id(&id);
	if (!has_all(&id) || (armv8_shared && !armv8_takeover_serves(cpu))) {
		bar(cpu, &id);
		return 0;
	}
	narrow_events(&id);
	if (armv8_shared) {
		armv8_takeover_online();
	} else {
		local_irq_save(flags);
		armv8_reset();
		pfm_cpu_forget(&armv8_pmu);
		local_irq_restore(flags);
		enable_percpu_irq(armv8_irq, IRQ_TYPE_NONE);
	}
	pfm_cpu_admit(&armv8_pmu);
	return 0;
}

/* The switch of the last user task finds wraps without an interrupt. */
static void armv8_offline(unsigned int cpu)
{
	if (!armv8_shared && !pfm_cpu_barred(&armv8_pmu))
		disable_percpu_irq(armv8_irq);
}

/* The operations that take and give are for armv8_shared only. */
static const struct pfm_hold_ops hold_ops = {
	.prepare = armv8_takeover_prepare,
	.take = armv8_takeover_take,
	.give = armv8_takeover_give,
	.left = armv8_takeover_left,
	.online = armv8_online,
	.offline = armv8_offline,
};

/*
 * Stop the counters of this CPU; the module is being unloaded, and no context exists.
 */
static void stop_here(void *unused)
{
	if (pfm_cpu_barred(&armv8_pmu))
		return;
	armv8_stop();
	write_sysreg(armv8_pmcr, pmcr_el0);
	isb();
}

/*
 * Power management notifier, on the CPU, interrupts off.  The task that suspends the
 * system may be monitored itself, so there may be counts to save.
 */
static int armv8_pm_notify(struct notifier_block *block, unsigned long action,
			   void *data)
{
	if (!armv8_takeover_ours())
		return NOTIFY_DONE;
	switch (action) {
	case CPU_PM_ENTER:
		pfm_cpu_suspend(&armv8_pmu);
		return NOTIFY_OK;
	case CPU_PM_ENTER_FAILED:
	case CPU_PM_EXIT:
		armv8_reset();
		pfm_cpu_forget(&armv8_pmu);
		return NOTIFY_OK;
	default:
		return NOTIFY_DONE;
	}
}

static struct notifier_block armv8_pm_block = {
	.notifier_call = armv8_pm_notify,
	/* Run after the kernel's own driver, which resets the PMU as well. */
	.priority = -1,
};

static int __init find_least(void)
{
	struct armv8_id id = {}, least = {
		.version = UINT_MAX, .events = ARMV8_EVENTS_MAX, .wide = true,
	};
	unsigned int cpu, i;
	int ret = 0;

	memset(least.ceid, 0xff, sizeof(least.ceid));
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		ret = smp_call_function_single(cpu, read_id, &id, 1);
		if (!ret && !is_pmuv3(id.version)) {
			pr_err("CPU %u has no PMUv3\n", cpu);
			ret = -ENODEV;
		}
		if (ret)
			break;
		least.version = min(least.version, id.version);
		least.events = min(least.events, id.events);
		least.wide = least.wide && id.wide;
		for (i = 0; i < ARMV8_CEIDS; i++)
			least.ceid[i] &= id.ceid[i];
	}
	cpus_read_unlock();
	armv8_least = least;
	return ret;
}

static void __init set_tables(void)
{
	const u64 levels = ARMV8_TYPE_P | ARMV8_TYPE_U | ARMV8_TYPE_NSH;
	const u64 event = armv8_least.version < ARMV8_PMUVER_V3P1 ?
			  ARMV8_TYPE_EVENT_V3 : ARMV8_TYPE_EVENT;
	unsigned int n;

	for (n = 0; n < ARMV8_REGS; n++) {
		struct pfm_reg_desc *pmc = &armv8_pmcs[n];
		struct pfm_reg_desc *pmd = &armv8_pmds[n];

		pmc->holds = BIT(n);
		pmd->holds = BIT(n);
		pmc->dfl = ARMV8_TYPE_P | ARMV8_TYPE_U;
		pmc->rsvd = ~levels;
		pmc->priv = ARMV8_TYPE_P | ARMV8_TYPE_NSH;
		pmc->priv_safe = ARMV8_TYPE_P;
		if (n == ARMV8_CYCLES)
			continue;
		pmc->rsvd &= ~event;
		pmc->addr = ADDR(14, 12 + n / 8, n % 8);
		pmd->addr = ADDR(14, 8 + n / 8, n % 8);
		pmd->ctl = n;
		pmd->index = n;
		pmd->width = armv8_least.wide ? 64 : 32;
		pmd->flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
		if (n >= armv8_least.events) {
			pmc->name = NULL;
			pmd->name = NULL;
		}
	}
	armv8_counters = BIT(ARMV8_CYCLES) | (BIT(armv8_least.events) - 1);
	armv8_event_mask = armv8_least.wide ? U64_MAX : U32_MAX;
	armv8_pmcr = ARMV8_PMCR_LC | (armv8_least.wide ? ARMV8_PMCR_LP : 0);
}

/* Before PMUv3p1 event codes have 10 bits, so nothing is known of 0x4000 and above. */
static void __init set_events(void)
{
	unsigned int i;

	armv8_pmu.nevents = armv8_least.version < ARMV8_PMUVER_V3P1 ?
			    1 : ARMV8_CEIDS;
	for (i = 0; i < armv8_pmu.nevents; i++) {
		armv8_events[i].known = U64_MAX;
		armv8_events[i].implemented = armv8_least.ceid[i];
	}
}

static int __init claim_irq(void)
{
	int irq, ret;

	irq = armv8_irq_find();
	if (irq < 0)
		return irq;
	ret = armv8_takeover_find(irq);
	if (ret || armv8_shared)
		return ret;
	ret = request_percpu_irq(irq, armv8_interrupt, "perfmon",
				 &armv8_irq_id);
	/* Another driver has the interrupt: -EBUSY, on later kernels -EINVAL. */
	if (ret == -EBUSY || ret == -EINVAL) {
		pr_err("the kernel's own driver holds the PMU; to leave it to perfmon, boot with initcall_blacklist=armv8_pmu_driver_init%s, or load this module with takeover=1\n",
		       acpi_disabled ? "" : ",arm_pmu_acpi_init");
		return -EBUSY;
	}
	armv8_irq = irq;
	return ret;
}

/* Undo claim_irq(). */
static void release_irq(void)
{
	if (armv8_shared)
		armv8_takeover_end();
	else
		free_percpu_irq(armv8_irq, &armv8_irq_id);
}

/* Stop the counters if they are ours, and undo claim_irq(). */
static void let_go(void)
{
	if (!armv8_shared)
		on_each_cpu(stop_here, NULL, 1);
	release_irq();
	pfm_cpu_undecided(&armv8_pmu);
}

static int __init armv8_init(void)
{
	int ret;

	/*
	 * The owner of the interrupt owns the PMU, so claim it before touching
	 * anything.
	 */
	ret = claim_irq();
	if (ret)
		return ret;
	/* If it fails, there may be a CPU without the registers that let_go() writes. */
	ret = find_least();
	if (ret)
		goto out_irq;
	set_tables();
	set_events();
	ret = pfm_hold_begin(&armv8_hold, &hold_ops, "perfmon/armv8:online");
	if (ret)
		goto out_let_go;
	ret = cpu_pm_register_notifier(&armv8_pm_block);
	if (ret)
		goto out_hold;
	ret = armv8_takeover_begin();
	if (ret)
		goto out_pm;
	ret = pfm_pmu_register(&armv8_pmu);
	if (ret)
		goto out_pm;
	return 0;

out_pm:
	cpu_pm_unregister_notifier(&armv8_pm_block);
out_hold:
	pfm_hold_end(&armv8_hold);
out_let_go:
	let_go();
	return ret;

out_irq:
	release_irq();
	return ret;
}
module_init(armv8_init);

static void __exit armv8_exit(void)
{
	pfm_pmu_unregister(&armv8_pmu);
	cpu_pm_unregister_notifier(&armv8_pm_block);
	pfm_hold_end(&armv8_hold);
	let_go();
}
module_exit(armv8_exit);

MODULE_DESCRIPTION("perfmon: Armv8 PMUv3");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);

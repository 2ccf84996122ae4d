// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's core counters: the four that all families have, the core extension, and
 * PerfMonV2.
 *
 * "APM" is the AMD64 Architecture Programmer's Manual; volume 2 describes the counters in
 * the chapter "Debug and Performance Resources".
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>
#include <perfmon/pmu.h>
#include <perfmon/release.h>

#include "compat.h"
#include "x86.h"
#include "x86_msr.h"

/* The four counters; and those of the core extension, where each control comes first. */
#define MSR_OLD_CTL0 0xc0010000
#define MSR_OLD_CTR0 0xc0010004
#define MSR_CTL0     0xc0010200
#define MSR_CTR0     0xc0010201
/* PerfMonV2 */
#define MSR_STATUS  0xc0000300
#define MSR_CONTROL 0xc0000301
#define MSR_ACK	    0xc0000302

#define OLD_COUNTERS  4
#define CORE_COUNTERS 6
#define WIDTH	      48

/* Bits of a control register that Intel does not have. */
#define SEL_EVENT_HIGH GENMASK_ULL(35, 32)
#define SEL_GUEST      BIT_ULL(40)
#define SEL_HOST       BIT_ULL(41)

/* Event 0xfff: the counter holds the upper bits of the one before it. */
#define SEL_MERGE (SEL_EVENT_HIGH | X86_SEL_EVENT)

/* From here on a control register has bits above the lower 32. */
#define FAMILY_10H 0x10
#define FAMILY_ZEN 0x17

/* CPUID leaf 0x80000022 */
#define LEAF	     0x80000022
#define EAX_V2	     BIT(0)
#define EAX_BRANCHES BIT(1)
#define EAX_FREEZE   BIT(2)
#define EBX_COUNTERS GENMASK(3, 0)
#define EBX_BRANCHES GENMASK(9, 4)

/* The register that selects branches, and that of the last of them */
#define MSR_BRANCH_SELECT 0xc000010e
#define MSR_BRANCH_TO	  0xc0010301

/**
 * struct amd_id - properties of a CPU's counters
 * @counters: number of counters
 * @core: the processor has the core extension
 * @v2: the processor has PerfMonV2
 * @freeze: an overflow can stop counters and branch records
 * @branches: number of branch records
 */
struct amd_id {
	u8 counters;
	bool core;
	bool v2;
	bool freeze;
	u8 branches;
};

static struct amd_id id __ro_after_init;

#define PMC(n)							\
	[n] = { .name = "PERF_CTL" #n }
#define PMD(n)							\
	[n] = { .name = "PERF_CTR" #n }

/* set_tables() fills in the other fields, and removes what does not exist. */
static struct pfm_reg_desc pmcs[X86_REGS] __ro_after_init = {
	PMC(0), PMC(1), PMC(2),	 PMC(3),  PMC(4),  PMC(5),  PMC(6),  PMC(7),
	PMC(8), PMC(9), PMC(10), PMC(11), PMC(12), PMC(13), PMC(14), PMC(15),
	[X86_BRANCHES] = { .name = "BRANCH_FILTER" },
};

static struct pfm_reg_desc pmds[X86_GENERAL_MAX] __ro_after_init = {
	PMD(0), PMD(1), PMD(2),	 PMD(3),  PMD(4),  PMD(5),  PMD(6),  PMD(7),
	PMD(8), PMD(9), PMD(10), PMD(11), PMD(12), PMD(13), PMD(14), PMD(15),
};

static struct pfm_pmu pmu __ro_after_init = {
	.name = "amd",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_HW,
	.base = 0,
	.npmcs = ARRAY_SIZE(pmcs),
	.npmds = ARRAY_SIZE(pmds),
	.pmcs = pmcs,
	.pmds = pmds,
	.ops = &pfm_x86_ops,
	.user_all = true,
	.old_model = "amd64",
};

static void read_id(struct amd_id *here)
{
	u32 eax = 0;

	*here = (struct amd_id){ .counters = OLD_COUNTERS };
	if (boot_cpu_has(X86_FEATURE_PERFCTR_CORE)) {
		here->core = true;
		here->counters = CORE_COUNTERS;
	}
	if (cpuid_eax(0x80000000) >= LEAF)
		eax = cpuid_eax(LEAF);
	if (eax & EAX_V2) {
		here->v2 = true;
		here->freeze = eax & EAX_FREEZE;
		/*
		 * A hypervisor may leave the number out.  RDPMC reads other counters
		 * with the numbers from 6 on: those of the data fabric and the L3 cache.
		 */
		here->counters = FIELD_GET(EBX_COUNTERS, cpuid_ebx(LEAF));
		if (!here->counters || here->counters > CORE_COUNTERS)
			here->counters = CORE_COUNTERS;
		if (here->freeze && eax & EAX_BRANCHES)
			here->branches =
				FIELD_GET(EBX_BRANCHES, cpuid_ebx(LEAF));
	}
}

static bool same(void)
{
	struct amd_id here;

	read_id(&here);
	return !memcmp(&here, &id, sizeof(id));
}

/*
 * Refuse events of the northbridge.  Before family 17h core counters can count them, but
 * the cores of a node must not do so with the same counter at the same time, and nobody
 * here makes them take turns.
 */
static int check(const struct pfm_prog *prog)
{
	u16 i;

	if (boot_cpu_data.x86 >= FAMILY_ZEN)
		return 0;
	for (i = 0; i < prog->npmcs; i++) {
		const u64 value = prog->pmcs[i].value;

		if ((value & 0xe0) != 0xe0 || (value & SEL_MERGE) == SEL_MERGE)
			continue;
		/* A format may change PMCs in an overflow, where logging is not safe. */
		if (irqs_disabled())
			return -EOPNOTSUPP;
		pfm_refusal_notice("event 0x%llx belongs to the northbridge, which the cores share; it cannot be counted\n",
				   value & X86_SEL_EVENT);
		return -EOPNOTSUPP;
	}
	return 0;
}

static void __init set_counter(struct x86_desc *desc, unsigned int n)
{
	const u32 step = desc->sel_step,
		  ctr = id.core ? MSR_CTR0 : MSR_OLD_CTR0;
	struct pfm_reg_desc *pmc = &pmcs[n], *pmd = &pmds[n];
	u64 used = X86_SEL_EVENT | X86_SEL_UMASK | X86_SEL_USR | X86_SEL_OS |
		   X86_SEL_EDGE | X86_SEL_INV | X86_SEL_CMASK;

	pmc->holds = x86_holds_pmc(n);
	pmd->holds = x86_holds_pmd(n);
	if (n >= id.counters || !x86_rdpmc_works(n)) {
		pmc->name = NULL;
		pmd->name = NULL;
		return;
	}
	pmc->addr = desc->sel + n * step;
	if (boot_cpu_data.x86 >= FAMILY_10H)
		used |= SEL_EVENT_HIGH | SEL_GUEST | SEL_HOST;
	pmc->rsvd = ~used;
	/* The bits for guest and host leave out events: they need no privilege. */
	pmc->priv = X86_SEL_OS;
	desc->counters |= BIT_ULL(n);
	desc->counter[n] = (struct x86_counter){
		.msr = ctr + n * step,
		.rdpmc = n,
		.upper = -BIT_ULL(WIDTH - 1),
		.sign = BIT_ULL(WIDTH - 1),
		.mask = GENMASK_ULL(WIDTH - 1, 0),
	};
	pmd->addr = ctr + n * step;
	pmd->ctl = n;
	pmd->index = n;
	pmd->width = WIDTH - 1;
	pmd->min_period = X86_SHORTEST;
	pmd->flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
}

static void __init set_branches(struct x86_desc *desc)
{
	struct pfm_reg_desc *pmc = &pmcs[X86_BRANCHES];
	u32 low, high;

	if (!id.branches || id.branches > X86_LBR_DEPTH_MAX ||
	    rdmsr_safe(MSR_BRANCH_SELECT, &low, &high) ||
	    rdmsr_safe(MSR_BRANCH_TO + 2 * (id.branches - 1), &low, &high)) {
		pmc->name = NULL;
		return;
	}
	desc->lbr.format = X86_LBR_AMD;
	desc->lbr.depth = id.branches;
	pmc->addr = MSR_BRANCH_SELECT;
	pmc->rsvd = ~(u64)(PFM_BRANCH_USER | PFM_BRANCH_KERNEL |
			   PFM_BRANCH_KINDS);
	pmc->priv = PFM_BRANCH_KERNEL;
	pmc->holds = x86_holds_pmc(X86_BRANCHES);
	pmc->width = id.branches;
	pmc->flags = PFM_REGI_BRANCHES;
}

static void __init set_desc(struct x86_desc *desc)
{
	unsigned int n;

	desc->pmu = &pmu;
	desc->sel = id.core ? MSR_CTL0 : MSR_OLD_CTL0;
	desc->sel_step = id.core ? 2 : 1;
	desc->reserve_counter = id.core ? MSR_CTR0 : MSR_OLD_CTR0;
	desc->shortest = X86_SHORTEST;
	desc->late_nmis = true;
	desc->host_only = SEL_HOST;
	desc->host_guest = SEL_HOST | SEL_GUEST;
	desc->check = check;
	desc->same = same;
	/*
	 * The processor does not mask the local APIC's entry, but some hypervisors do.
	 */
	desc->unmask = boot_cpu_has(X86_FEATURE_HYPERVISOR) ? X86_UNMASK_EARLY
							    : X86_UNMASK_NEVER;
	if (boot_cpu_data.x86 >= FAMILY_ZEN)
		desc->merge = SEL_MERGE;
	if (id.v2) {
		desc->global_ctrl = MSR_CONTROL;
		desc->global_status = MSR_STATUS;
		desc->global_ack = MSR_ACK;
	}
	if (id.freeze) {
		desc->debugctl = X86_DEBUGCTL;
		desc->debugctl_off = X86_DEBUGCTL_FREEZE;
	}
	for (n = 0; n < X86_GENERAL_MAX; n++)
		set_counter(desc, n);
	set_branches(desc);
}

static int __init amd_init(void)
{
	static struct x86_desc desc __initdata;

	/* modprobe perfmon tries the modules of all vendors, so this is no error. */
	if (boot_cpu_data.x86_vendor != X86_VENDOR_AMD &&
	    boot_cpu_data.x86_vendor != X86_VENDOR_HYGON)
		return -ENODEV;
	read_id(&id);
	set_desc(&desc);
	return pfm_x86_register(&desc);
}
module_init(amd_init);

static void __exit amd_exit(void)
{
	pfm_x86_unregister();
}
module_exit(amd_exit);

MODULE_DESCRIPTION("perfmon: core counters of AMD's processors");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling (IBS): which of its registers there are.
 *
 * "PPR" is the Processor Programming Reference of a family, "BKDG" that of older ones;
 * both describe the registers.  The numbers are in <linux/perfmon_ibs.h>.
 */
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/msr.h>
#include <asm/processor.h>
#include <asm/tsc.h>
#include <perfmon/pmu.h>
#include <perfmon/release.h>

#include "compat.h"
#include "ibs_hidden.h"
#include "ibs_hold.h"
#include "ibs_nmi.h"
#include "ibs_ops.h"
#include "ibs_record.h"
#include "ibs_state.h"

#define LEAF 0x8000001b

#define PMCS 2
#define PMDS (PFM_IBS_PMD_OP_TSC - PFM_REG_UNIT_BASE + 1)

#define FETCH_MIN 0x10
#define OP_MIN	  0x90
#define MAX_20	  0xffff0 /* the longest period in 20 bits */
#define MAX_27	  0x7fffff0

static bool unprivileged;
module_param(unprivileged, bool, 0444);
MODULE_PARM_DESC(unprivileged,
		 "let users without CAP_PERFMON sample their own code; counts tell them of the kernel's (0)");

#define REG(number) ((number) - PFM_REG_UNIT_BASE)

#define COUNTER(number, pmc, text)      \
	[REG(number)] = { .name = text, \
			  .ctl = pmc,   \
			  .flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW }
/* msr: 0 for what the module computes */
#define SNAPSHOT(number, msr)                                        \
	[REG(PFM_IBS_PMD_##number)] = { .name = "IBS_" #number,      \
					.addr = msr,                 \
					.ctl = PFM_REG_NONE,         \
					.width = 64,                 \
					.flags = PFM_REGI_SNAPSHOT | \
						 PFM_REGI_READONLY }

/* set_flavour() fills in the other fields, and removes what does not exist. */
static struct pfm_reg_desc pmcs[PMCS] __ro_after_init = {
	[REG(PFM_IBS_PMC_FETCH_CTL)] = { .name = "IBS_FETCH_CTL" },
	[REG(PFM_IBS_PMC_OP_CTL)] = { .name = "IBS_OP_CTL" },
};

static struct pfm_reg_desc pmds[PMDS] __ro_after_init = {
	COUNTER(PFM_IBS_PMD_FETCH, PFM_IBS_PMC_FETCH_CTL, "IBS_FETCH"),
	COUNTER(PFM_IBS_PMD_OP, PFM_IBS_PMC_OP_CTL, "IBS_OP"),
	SNAPSHOT(FETCH_CTL, MSR_AMD64_IBSFETCHCTL),
	SNAPSHOT(FETCH_LINAD, MSR_AMD64_IBSFETCHLINAD),
	SNAPSHOT(FETCH_PHYSAD, MSR_AMD64_IBSFETCHPHYSAD),
	SNAPSHOT(FETCH_EXTD, MSR_AMD64_ICIBSEXTDCTL),
	SNAPSHOT(FETCH_PERIOD, 0),
	SNAPSHOT(FETCH_TSC, 0),
	SNAPSHOT(OP_CTL, MSR_AMD64_IBSOPCTL),
	SNAPSHOT(OP_RIP, MSR_AMD64_IBSOPRIP),
	SNAPSHOT(OP_DATA, MSR_AMD64_IBSOPDATA),
	SNAPSHOT(OP_DATA2, MSR_AMD64_IBSOPDATA2),
	SNAPSHOT(OP_DATA3, MSR_AMD64_IBSOPDATA3),
	SNAPSHOT(OP_DC_LINAD, MSR_AMD64_IBSDCLINAD),
	SNAPSHOT(OP_DC_PHYSAD, MSR_AMD64_IBSDCPHYSAD),
	SNAPSHOT(OP_BR_TARGET, MSR_AMD64_IBSBRTARGET),
	SNAPSHOT(OP_DATA4, MSR_AMD64_IBSOPDATA4),
	SNAPSHOT(OP_PERIOD, 0),
	SNAPSHOT(OP_TSC, 0),
};

/*
 * perfmon2's module for AMD's counters had these behind the counters, of which there were four.
 * Its PMDs 4 and 7 counted as well.
 */
static const struct pfm_old_regs old_pmcs[] = {
	{ 4, PFM_IBS_PMC_FETCH_CTL, 1 },
	{ 5, PFM_IBS_PMC_OP_CTL, 1 },
};

static const struct pfm_old_regs old_pmds[] = {
	{ 4, PFM_IBS_PMD_FETCH_CTL, 3 },
	{ 7, PFM_IBS_PMD_OP_CTL, 7 },
};

static const struct pfm_pmu_ops ops = {
	.prepare = ibs_prepare,
	.restore = ibs_restore,
	.save = ibs_save,
	.read = ibs_read,
	.fold = ibs_fold,
	.sample = ibs_sample,
	.acquire = ibs_hold_acquire,
	.release = ibs_hold_release,
	.settle = ibs_hold_settle,
};

static struct pfm_pmu pmu __ro_after_init = {
	.name = "ibs",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_UNIT,
	.base = PFM_REG_UNIT_BASE,
	.npmcs = ARRAY_SIZE(pmcs),
	.npmds = ARRAY_SIZE(pmds),
	.pmcs = pmcs,
	.pmds = pmds,
	.ops = &ops,
	.old_pmcs = old_pmcs,
	.old_pmds = old_pmds,
	.nold_pmcs = ARRAY_SIZE(old_pmcs),
	.nold_pmds = ARRAY_SIZE(old_pmds),
};

/**
 * struct erratum - processors with an erratum
 * @first_family: first family
 * @last_family: last family
 * @first_model: first model of each
 * @last_model: last model of each
 * @bits: IBS_ERRATUM_*, IBS_FETCH_EDGE
 */
struct erratum {
	u8 first_family;
	u8 last_family;
	u8 first_model;
	u8 last_model;
	u32 bits;
};

static const struct erratum errata[] __initconst = {
	{ 0x10, 0x10, 0x00, 0xff, IBS_ERRATUM_420 },
	{ 0x15, 0x15, 0x00, 0x1f, IBS_ERRATUM_718 },
	{ 0x15, 0x18, 0x00, 0xff, IBS_FETCH_EDGE },
	{ 0x17, 0x17, 0x30, 0x3f, IBS_ERRATUM_1215 },
	{ 0x19, 0x19, 0x00, 0x0f, IBS_ERRATUM_1197 },
	{ 0x1a, 0x1a, 0x00, 0x0f, IBS_ERRATUM_1606 },
};

static u32 __init find_errata(void)
{
	u32 bits = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errata); i++) {
		const struct erratum *e = &errata[i];

		if (boot_cpu_data.x86 >= e->first_family &&
		    boot_cpu_data.x86 <= e->last_family &&
		    boot_cpu_data.x86_model >= e->first_model &&
		    boot_cpu_data.x86_model <= e->last_model)
			bits |= e->bits;
	}
	return bits;
}

static u32 __init find_caps(void)
{
	u32 caps = 0;

	if (cpuid_eax(0x80000000) >= LEAF)
		caps = cpuid_eax(LEAF);
	/* The first processors with IBS do not have the leaf. */
	return caps & IBS_CAP_AVAIL ? caps : IBS_CAP_FETCH | IBS_CAP_OP;
}

static bool __init msr_works(u32 msr)
{
	u32 low, high;

	return !rdmsr_safe(msr, &low, &high);
}

static void __init set_fetch(struct ibs_flavour *flavour)
{
	flavour->msr = MSR_AMD64_IBSFETCHCTL;
	flavour->en = IBS_FETCH_EN;
	flavour->valid = IBS_FETCH_VALID;
	flavour->min = FETCH_MIN;
	flavour->max = MAX_20;
	flavour->conf = IBS_FETCH_RAND;
	if (ibs.caps & IBS_CAP_L3MISS)
		flavour->conf |= IBS_FETCH_L3MISS;
	if (ibs.caps & IBS_CAP_FETCHLAT) {
		flavour->msr2 = IBS_MSR_FETCH_CTL2;
		flavour->filter = PFM_IBS_FETCH_LATENCY;
		flavour->shift = __ffs(PFM_IBS_FETCH_LATENCY) -
				 __ffs(IBS_FETCH2_LATENCY);
	}
	pmds[REG(PFM_IBS_PMD_FETCH)].width = 20;
}

static void __init set_op(struct ibs_flavour *flavour)
{
	const bool ext = ibs.caps & IBS_CAP_OPCNTEXT;

	ibs.cur = ext ? IBS_OP_CUR : IBS_OP_CUR_OLD;
	flavour->msr = MSR_AMD64_IBSOPCTL;
	flavour->en = IBS_OP_EN;
	flavour->valid = IBS_OP_VALID;
	flavour->min = OP_MIN;
	flavour->max = ext ? MAX_27 : MAX_20;
	if (ibs.caps & IBS_CAP_OPCNT)
		flavour->conf |= IBS_OP_COUNT_OPS;
	if (ibs.caps & IBS_CAP_L3MISS)
		flavour->conf |= IBS_OP_L3MISS;
	if (ibs.caps & IBS_CAP_LDLAT)
		flavour->conf |= IBS_OP_LATENCY | IBS_OP_LATENCY_EN;
	if (ibs.caps & IBS_CAP_STREAMING) {
		flavour->msr2 = IBS_MSR_OP_CTL2;
		flavour->filter = PFM_IBS_OP_STREAMING;
		flavour->shift = __ffs(PFM_IBS_OP_STREAMING) -
				 __ffs(IBS_OP2_STREAMING);
	}
	pmds[REG(PFM_IBS_PMD_OP)].width = ext ? 27 : 20;
}

/*
 * The PMC of a flavour.  IBS counts the kernel whatever the PMC says: that only tells of
 * which samples are left out.  So the right to count the kernel is needed for each value,
 * unless the administrator has decided otherwise: no value has the reserved bit of
 * @priv_safe.
 */
static void __init set_pmc(struct pfm_reg_desc *pmc,
			   const struct ibs_flavour *flavour)
{
	pmc->addr = flavour->msr;
	pmc->dfl = IBS_EXCLUDE;
	pmc->rsvd = ~(flavour->conf | flavour->filter | IBS_EXCLUDE);
	pmc->priv = PFM_IBS_EXCLUDE_KERNEL;
	if (!unprivileged)
		pmc->priv |= flavour->en;
	pmc->priv_safe = pmc->priv;
}

/* Fill in the descriptions of a flavour, or remove those of its registers. */
static void __init set_flavour(unsigned int f, bool exists, u16 first, u16 last)
{
	u16 i;

	pmcs[f].holds = IBS_HOLDS(f);
	pmds[f].holds = IBS_HOLDS(f);
	for (i = REG(first); i <= REG(last); i++)
		pmds[i].holds = IBS_HOLDS(f);
	if (exists) {
		set_pmc(&pmcs[f], &ibs.flavour[f]);
		pmds[f].addr = ibs.flavour[f].msr;
		return;
	}
	ibs.flavour[f].msr = 0;
	pmcs[f].name = NULL;
	pmds[f].name = NULL;
	for (i = REG(first); i <= REG(last); i++)
		pmds[i].name = NULL;
}

/*
 * NMIs of samples come microseconds late, but by milliseconds if the firmware has interrupted
 * the CPU (SMI), or the host of a virtual machine has taken it away.  One that comes within
 * this time is taken for such a one.
 */
#define LATE_MS	     100
#define LATE_UNKNOWN 1000000000ULL /* ticks: where the rate is not known */

/* Returns false if there is no flavour. */
static bool __init set_tables(void)
{
	bool fetch, op;

	ibs.pmu = &pmu;
	ibs.caps = find_caps();
	ibs.errata = find_errata();
	ibs.late = tsc_khz ? (u64)tsc_khz * LATE_MS : LATE_UNKNOWN;
	fetch = ibs.caps & IBS_CAP_FETCH && msr_works(MSR_AMD64_IBSFETCHCTL);
	op = ibs.caps & IBS_CAP_OP && msr_works(MSR_AMD64_IBSOPCTL);
	set_fetch(&ibs.flavour[IBS_FETCH]);
	set_op(&ibs.flavour[IBS_OP]);
	set_flavour(IBS_FETCH, fetch, PFM_IBS_PMD_FETCH_CTL,
		    PFM_IBS_PMD_FETCH_TSC);
	set_flavour(IBS_OP, op, PFM_IBS_PMD_OP_CTL, PFM_IBS_PMD_OP_TSC);
	return fetch || op;
}

static int __init begin(void)
{
	int ret;

	pmu.pmi = pfm_pmi_create(ibs_nmi_overflow);
	if (!pmu.pmi)
		return -ENOMEM;
	ret = ibs_hold_begin();
	if (ret)
		goto out_pmi;
	ret = pfm_pmu_register(&pmu);
	if (ret)
		goto out_hold;
	return 0;

out_hold:
	ibs_hold_end();
out_pmi:
	pfm_pmi_destroy(pmu.pmi);
	return ret;
}

static int __init ibs_init(void)
{
	int ret;

	/* modprobe perfmon tries this module everywhere, so this is no error. */
	if (boot_cpu_data.x86_vendor != X86_VENDOR_AMD &&
	    boot_cpu_data.x86_vendor != X86_VENDOR_HYGON)
		return -ENODEV;
	if (!boot_cpu_has(X86_FEATURE_APIC) || boot_cpu_has(X86_FEATURE_XENPV))
		return -ENODEV;
	if (!boot_cpu_has(X86_FEATURE_IBS)) {
		ret = ibs_hidden_begin();
		if (ret)
			return ret;
	}
	ret = set_tables() ? begin() : -ENODEV;
	if (ret)
		ibs_hidden_end();
	return ret;
}
module_init(ibs_init);

static void __exit ibs_exit(void)
{
	pfm_pmu_unregister(&pmu);
	ibs_hold_end();
	ibs_hidden_end();
	pfm_pmi_destroy(pmu.pmi);
}
module_exit(ibs_exit);

MODULE_DESCRIPTION("perfmon: AMD's instruction-based sampling");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);

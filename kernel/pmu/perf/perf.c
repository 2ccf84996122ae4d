// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of the kernel's perf subsystem: for machines where perf must keep the PMU, whose
 * processor no other module knows, or whose PMU belongs to a hypervisor.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/perfmon_perf.h>
#include <linux/rcupdate.h>
#include <perfmon/pmu.h>
#include <perfmon/release.h>

#include "perf_cpus.h"
#include "perf_ops.h"
#include "perf_rights.h"
#include "perf_source.h"

#define TYPE_BITS                                                              \
	(GENMASK_ULL(63, PFM_PERF_TYPE_SHIFT) | PFM_PERF_ENABLE |              \
	 PFM_PERF_EXCLUDE_USER | PFM_PERF_EXCLUDE_KERNEL |                     \
	 PFM_PERF_EXCLUDE_HV | PFM_PERF_EXCLUDE_IDLE | PFM_PERF_EXCLUDE_HOST | \
	 PFM_PERF_EXCLUDE_GUEST)

/* An event has one PMD, its count, and four PMCs. */
#define PMDS PFM_PERF_EVENTS
#define PMCS (4 * PFM_PERF_EVENTS)

/* The longest name is PERF_CONFIG1_15. */
#define NAME_SIZE 16

static struct pfm_reg_desc pmcs[PMCS] __ro_after_init;
static struct pfm_reg_desc pmds[PMDS] __ro_after_init;
static char pmc_names[PMCS][NAME_SIZE] __ro_after_init;
static char pmd_names[PMDS][NAME_SIZE] __ro_after_init;

static_assert(PFM_PERF_PMD(0) == PFM_REG_SHARED_BASE);
static_assert(PFM_REG_SHARED_BASE + PMCS == PFM_REG_UNIT_BASE);

static struct pfm_reg_desc *__init name_pmc(u16 num, const char *word, u16 n)
{
	const u16 i = num - PFM_REG_SHARED_BASE;

	snprintf(pmc_names[i], NAME_SIZE, "PERF_%s%u", word, n);
	pmcs[i].name = pmc_names[i];
	return &pmcs[i];
}

/* Fill in the descriptions of the registers, which differ in their numbers only. */
static void __init describe(void)
{
	struct pfm_reg_desc *type;
	u16 n;

	for (n = 0; n < PFM_PERF_EVENTS; n++) {
		type = name_pmc(PFM_PERF_PMC_TYPE(n), "TYPE", n);
		type->dfl = PFM_PERF_EXCLUDE_KERNEL;
		type->rsvd = ~TYPE_BITS;
		type->priv = PFM_PERF_EXCLUDE_KERNEL;
		type->priv_safe = PFM_PERF_EXCLUDE_KERNEL;
		name_pmc(PFM_PERF_PMC_CONFIG(n), "CONFIG_", n);
		name_pmc(PFM_PERF_PMC_CONFIG1(n), "CONFIG1_", n);
		name_pmc(PFM_PERF_PMC_CONFIG2(n), "CONFIG2_", n);
		snprintf(pmd_names[n], NAME_SIZE, "PERF_COUNT%u", n);
		pmds[n].name = pmd_names[n];
		pmds[n].width = 64;
		pmds[n].ctl = PFM_PERF_PMC_TYPE(n);
		pmds[n].flags = PFM_REGI_COUNTER;
	}
}

const struct pfm_pmu perf_pmu = {
	.name = "perf",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_SHARED,
	.base = PFM_REG_SHARED_BASE,
	.npmcs = ARRAY_SIZE(pmcs),
	.npmds = ARRAY_SIZE(pmds),
	.pmcs = pmcs,
	.pmds = pmds,
	.ops = &perf_ops,
};

static int __init perf_init(void)
{
	int ret;

	describe();
	ret = perf_source_begin();
	if (ret)
		return ret;
	perf_rights_begin();
	ret = perf_cpus_begin();
	if (ret)
		goto out_rights;
	ret = pfm_pmu_register(&perf_pmu);
	if (ret)
		goto out_cpus;
	return 0;

out_cpus:
	perf_cpus_end();
out_rights:
	perf_rights_end();
	perf_source_end();
	return ret;
}
module_init(perf_init);

static void __exit perf_exit(void)
{
	pfm_pmu_unregister(&perf_pmu);
	/* The callbacks that free the last layouts call unprepare. Y5 */
	rcu_barrier();
	perf_cpus_end();
	perf_source_end();
	perf_rights_end();
}
module_exit(perf_exit);

MODULE_DESCRIPTION("perfmon: counters of perf");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);

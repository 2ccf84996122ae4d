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

#define INDEX(num) ((num)-PFM_REG_SHARED_BASE)

#define PMC_TYPE(n)                                   \
	[INDEX(PFM_PERF_PMC_TYPE(n))] = {             \
		.name = "PERF_TYPE" #n,               \
		.dfl = PFM_PERF_EXCLUDE_KERNEL,       \
		.rsvd = ~TYPE_BITS,                   \
		.priv = PFM_PERF_EXCLUDE_KERNEL,      \
		.priv_safe = PFM_PERF_EXCLUDE_KERNEL, \
	}

#define PMC_WORD(word, n) \
	[INDEX(PFM_PERF_PMC_##word(n))] = { .name = "PERF_" #word "_" #n }

#define PMCS(n)                                                 \
	PMC_TYPE(n), PMC_WORD(CONFIG, n), PMC_WORD(CONFIG1, n), \
		PMC_WORD(CONFIG2, n)

#define PMD(n)                               \
	[n] = {                              \
		.name = "PERF_COUNT" #n,     \
		.width = 64,                 \
		.ctl = PFM_PERF_PMC_TYPE(n), \
		.flags = PFM_REGI_COUNTER,   \
	}

#define ALL(what)                                                        \
	what(0), what(1), what(2), what(3), what(4), what(5), what(6),   \
		what(7), what(8), what(9), what(10), what(11), what(12), \
		what(13), what(14), what(15)

static const struct pfm_reg_desc pmcs[] = { ALL(PMCS) };
static const struct pfm_reg_desc pmds[] = { ALL(PMD) };

static_assert(PFM_PERF_PMD(0) == PFM_REG_SHARED_BASE);
static_assert(ARRAY_SIZE(pmds) == PFM_PERF_EVENTS);
static_assert(PFM_REG_SHARED_BASE + ARRAY_SIZE(pmcs) == PFM_REG_UNIT_BASE);

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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: what the counters of Intel and AMD have in common.
 *
 * A vendor's module finds out which counters there are and describes them in a struct
 * x86_desc.  This module does everything else.
 */
#include "x86.h"

#include <linux/errno.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#include <perfmon/pmu.h>
#include <perfmon/release.h>

#include "x86_hold.h"
#include "x86_lbr.h"
#include "x86_nmi.h"
#include "x86_ops.h"
#include "x86_user.h"

/* One vendor's module uses this one at a time. */
static DEFINE_MUTEX(register_lock);
static bool registered;

const struct pfm_pmu_ops pfm_x86_ops = {
	.prepare = x86_prepare,
	.restore = x86_restore,
	.save = x86_save,
	.resume = x86_resume,
	.pass = x86_pass,
	.read = x86_read,
	.fold = x86_fold,
	.take = x86_take,
	.put = x86_put,
	.sample = x86_lbr_sample,
	.acquire = x86_hold_acquire,
	.release = x86_hold_release,
	.settle = x86_hold_settle,
	.user_possible = x86_user_possible,
	.user_allow = x86_user_allow,
	.user_deny = x86_user_deny,
	.user_until = x86_user_until,
};
EXPORT_SYMBOL_GPL(pfm_x86_ops);

/*
 * NMIs of overflows come microseconds late, but by milliseconds if the firmware has interrupted the
 * CPU (SMI), or the host of a virtual machine has taken it away.
 */
#define LATE_MS	     100
#define LATE_UNKNOWN 1000000000ULL /* ticks: where the rate is not known */

static int begin(const struct x86_desc *desc)
{
	struct pfm_pmu *pmu = desc->pmu;
	int ret;

	x86 = *desc;
	x86.overflows = x86.counters | (x86.metrics ? X86_METRICS_BIT : 0);
	x86.acked = x86.overflows | (x86.lbr.depth ? X86_STATUS_FROZEN : 0);
	x86.late = tsc_khz ? (u64)tsc_khz * LATE_MS : LATE_UNKNOWN;
	pmu->pmi = pfm_pmi_create(x86_nmi_overflow);
	if (!pmu->pmi)
		return -ENOMEM;
	ret = x86_hold_begin();
	if (ret)
		goto out_pmi;
	ret = pfm_pmu_register(pmu);
	if (ret)
		goto out_hold;
	return 0;

out_hold:
	x86_hold_end();
out_pmi:
	pfm_pmi_destroy(pmu->pmi);
	return ret;
}

/**
 * pfm_x86_register - make the counters of the machine available to contexts
 * @desc: the counters; it is copied
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV when the counters cannot be used, which is logged; -EBUSY when the
 * counters are registered already; -ENOMEM; or another error of the kernel.
 */
int pfm_x86_register(const struct x86_desc *desc)
{
	int ret = -EBUSY;

	if (!boot_cpu_has(X86_FEATURE_APIC)) {
		pr_info("the counters cannot interrupt without a local APIC\n");
		return -ENODEV;
	}
	/* Such a kernel has to ask the hypervisor for each access. */
	if (boot_cpu_has(X86_FEATURE_XENPV)) {
		pr_info("the counters cannot be used in a paravirtualized guest of Xen\n");
		return -ENODEV;
	}
	mutex_lock(&register_lock);
	if (!registered) {
		ret = begin(desc);
		registered = !ret;
	}
	mutex_unlock(&register_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pfm_x86_register);

/**
 * pfm_x86_unregister - make the counters unavailable; no context exists
 *
 * Context: process; may sleep.
 */
void pfm_x86_unregister(void)
{
	mutex_lock(&register_lock);
	pfm_pmu_unregister(x86.pmu);
	x86_hold_end();
	pfm_pmi_destroy(x86.pmu->pmi);
	registered = false;
	mutex_unlock(&register_lock);
}
EXPORT_SYMBOL_GPL(pfm_x86_unregister);

MODULE_DESCRIPTION("perfmon: what the counters of Intel and AMD have in common");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);

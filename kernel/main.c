// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfmon: performance monitoring contexts, sets and formats.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <perfmon/release.h>

#include "abi/device.h"
#include "attach/probes.h"
#include "core/format.h"
#include "core/hold.h"
#include "core/interrupt.h"
#include "core/sysfs.h"
#include "cpu/bar.h"
#include "cpu/cpu.h"
#include "cpu/system_wide.h"
#include "cpu/tracepoints.h"
#include "sampling/buffer.h"
#include "target/policy.h"
#include "target/session.h"
#include "target/table.h"

static const struct attribute_group *groups[] = {
	&pfm_buffer_group,
	&pfm_session_group,
	&pfm_policy_group,
	NULL,
};

static int __init perfmon_init(void)
{
	int ret;

	/*
	 * Probes allocate and free memory with interrupts off; there those are sleeping
	 * locks.
	 */
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		pr_err("PREEMPT_RT kernels are not supported\n");
		return -EOPNOTSUPP;
	}
	ret = pfm_probes_init();
	if (ret)
		return ret;
	ret = pfm_table_init();
	if (ret)
		return ret;
	pfm_interrupt_init();
	pfm_cpu_init();
	pfm_hold_init();
	ret = pfm_system_wide_init();
	if (ret)
		goto out_hold;
	ret = pfm_bar_init();
	if (ret)
		goto out_system_wide;
	ret = pfm_sysfs_init(groups);
	if (ret)
		goto out_bar;
	ret = pfm_register_format(&pfm_format_default);
	if (ret)
		goto out_sysfs;
	ret = pfm_device_init();
	if (ret)
		goto out_format;
	return 0;

out_format:
	pfm_unregister_format(&pfm_format_default);
out_sysfs:
	pfm_sysfs_exit();
out_bar:
	pfm_bar_exit();
out_system_wide:
	pfm_system_wide_exit();
out_hold:
	pfm_hold_exit();
	pfm_table_exit();
	return ret;
}

/* No descriptor is open and no PMU module is loaded: both hold this module. */
static void __exit perfmon_exit(void)
{
	pfm_device_exit();
	pfm_unregister_format(&pfm_format_default);
	pfm_sysfs_exit();
	pfm_tracepoints_exit();
	pfm_system_wide_settle();
	pfm_bar_exit();
	pfm_system_wide_exit();
	pfm_hold_exit();
	pfm_cpu_exit();
	pfm_interrupt_exit();
	pfm_table_exit();
	/* Wait until the last task work has returned: see block.c. */
	synchronize_rcu_tasks();
	/* Wait for callbacks that free layouts, as they are code of this module. F2 */
	rcu_barrier();
}

module_init(perfmon_init);
module_exit(perfmon_exit);

/* modprobe perfmon also loads the PMU descriptions that fit the architecture. */
#ifdef CONFIG_ARM64
MODULE_SOFTDEP("post: perfmon_soft perfmon_armv8");
#elif defined(CONFIG_X86_64)
MODULE_SOFTDEP("post: perfmon_soft perfmon_intel perfmon_amd perfmon_ibs");
#else
MODULE_SOFTDEP("post: perfmon_soft");
#endif
MODULE_DESCRIPTION("Performance monitoring contexts");
MODULE_AUTHOR("perfmon developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);

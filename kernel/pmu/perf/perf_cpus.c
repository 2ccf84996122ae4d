// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come and go, and the suspend of the machine.
 *
 * perf drops the events of a CPU that goes offline, and on some processors a suspend loses the
 * counters.  So a CPU is barred when it comes online, and after a suspend, until work has given it
 * new events.
 */
#include "perf_cpus.h"

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/syscore_ops.h>
#include <linux/workqueue.h>
#include <perfmon/pmu.h>

#include "compat.h"
#include "perf_ops.h"
#include "perf_source.h"

static enum cpuhp_state hotplug;

/* CPUs that need new events. */
static struct cpumask waiting;

static void renew_fn(struct work_struct *work)
{
	unsigned int cpu;
	int ret;

	for_each_cpu(cpu, &waiting) {
		if (!cpumask_test_and_clear_cpu(cpu, &waiting))
			continue;
		ret = perf_source_renew(cpu, &perf_pmu);
		if (ret && ret != -ESTALE)
			pr_warn("CPU %u is not used: perf has no counters left there (error %d)\n",
				cpu, ret);
	}
}

static DECLARE_WORK(renew_work, renew_fn);

/*
 * Hotplug callback: a CPU comes online, or the module is being loaded.  Runs on the CPU, with
 * hotplug locked, so it cannot create events.
 */
static int online(unsigned int cpu)
{
	pfm_cpu_bar(&perf_pmu);
	perf_source_arrive();
	cpumask_set_cpu(cpu, &waiting);
	schedule_work(&renew_work);
	return 0;
}

/*
 * Hotplug callback: a CPU goes offline.  Tasks that run there still are counted until perf drops
 * the events; save notices if that was too early.
 */
static int offline(unsigned int cpu)
{
	perf_source_leave();
	pfm_cpu_bar(&perf_pmu);
	return 0;
}

static PFM_SYSCORE_SUSPEND(suspend)
{
	pfm_cpu_sleep();
	return 0;
}

static PFM_SYSCORE_RESUME(resume)
{
	online(smp_processor_id());
	pfm_cpu_wake();
}

PFM_SYSCORE_DEFINE(syscore, suspend, resume);

/**
 * perf_cpus_begin - admit all CPUs, and those that come online later
 *
 * Return: 0 or -errno.
 */
int perf_cpus_begin(void)
{
	int ret;

	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perfmon/perf:online",
				online, offline);
	if (ret < 0)
		return ret;
	hotplug = ret;
	pfm_syscore_register(&syscore);
	flush_work(&renew_work);
	return 0;
}

/** perf_cpus_end - undo perf_cpus_begin(); the PMU is not registered any more */
void perf_cpus_end(void)
{
	pfm_syscore_unregister(&syscore);
	cpuhp_remove_state_nocalls(hotplug);
	cancel_work_sync(&renew_work);
	pfm_cpu_undecided(&perf_pmu);
}

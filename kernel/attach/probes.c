// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of the probes on the scheduler's tracepoints.
 *
 * The compiler checks the probes' prototypes against the kernel's headers.
 */
#include "attach/probes.h"

#include <linux/kernel.h>
/* Headers of newer kernels name struct folio, and leave it to others to declare it. */
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <trace/events/cgroup.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "attach/follow.h"
#include "compat.h"
#include "cpu/sched_switch.h"
#include "cpu/system_wide.h"
#include "cpu/tracepoints.h"
#include "sampling/maps_change.h"
#include "user/user_page.h"

#ifndef PFM_MM_CHANGE
#include <trace/events/mmap.h>
#endif

/*
 * In the order of registration: when sched_switch begins to load targets, the probes
 * that follow tasks are already there.
 */
static struct pfm_tracepoint probes[] = {
	{ "sched_process_exit", pfm_follow_exit },
	{ "sched_process_exec", pfm_follow_exec },
	{ "task_newtask", pfm_follow_fork },
	{ "sched_switch", pfm_sched_switch },
#ifdef CONFIG_CGROUPS
	{ "cgroup_attach_task", pfm_system_wide_moved },
#endif
#ifndef PFM_MM_CHANGE
	{ "vma_store", pfm_maps_stored },
#endif
};

static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_sched_process_exit(pfm_follow_exit);
	check_trace_callback_type_sched_process_exec(pfm_follow_exec);
	check_trace_callback_type_task_newtask(pfm_follow_fork);
	check_trace_callback_type_sched_switch(pfm_sched_switch);
#ifdef CONFIG_CGROUPS
	check_trace_callback_type_cgroup_attach_task(pfm_system_wide_moved);
#endif
#ifndef PFM_MM_CHANGE
	check_trace_callback_type_vma_store(pfm_maps_stored);
#endif
}

/**
 * pfm_probes_init - find the tracepoints for our probes
 *
 * Return: 0; -EOPNOTSUPP when this kernel lacks one of them.
 */
int pfm_probes_init(void)
{
	/*
	 * Without the switch probe, user mode's access to counters would not change at
	 * switches between processes, so all access ends with the probes.
	 */
	return pfm_tracepoints_init(probes, ARRAY_SIZE(probes),
				    pfm_user_page_deny_all);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of the probes on tracepoints of the kernel.
 *
 * The compiler checks the probes' prototypes against the kernel's headers.
 */
#include "attach/probes.h"

#include <linux/kernel.h>
/* Headers of newer kernels name struct folio, and leave it to others to declare it. */
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <trace/events/cgroup.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "attach/follow.h"
#include "compat.h"
#include "cpu/intr.h"
#include "cpu/sched_switch.h"
#include "cpu/system_wide.h"
#include "cpu/tracepoints.h"
#include "sampling/maps_change.h"
#include "user/user_page.h"

#ifndef PFM_MM_CHANGE
#include <trace/events/mmap.h>
#endif

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/trace/irq_vectors.h>
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

#define VECTOR_EXIT(name)                                            \
	{                                                            \
		name "_exit", pfm_intr_vector_exit, .optional = true \
	}
#define VECTOR_ENTRY(name)                                             \
	{                                                              \
		name "_entry", pfm_intr_vector_entry, .optional = true \
	}

/*
 * All probes at the end of handlers come before those at the begin, and are unregistered after
 * them. Z2
 */
static struct pfm_tracepoint intr_probes[] = {
	{ "irq_handler_exit", pfm_intr_hard_exit },
	{ "softirq_exit", pfm_intr_soft_exit },
#ifdef CONFIG_X86_LOCAL_APIC
	VECTOR_EXIT("local_timer"),
	VECTOR_EXIT("reschedule"),
	VECTOR_EXIT("call_function"),
	VECTOR_EXIT("call_function_single"),
	VECTOR_EXIT("irq_work"),
	VECTOR_EXIT("x86_platform_ipi"),
	VECTOR_EXIT("spurious_apic"),
	VECTOR_EXIT("error_apic"),
	VECTOR_EXIT("thermal_apic"),
	VECTOR_EXIT("threshold_apic"),
	VECTOR_EXIT("deferred_error_apic"),
	VECTOR_ENTRY("local_timer"),
	VECTOR_ENTRY("reschedule"),
	VECTOR_ENTRY("call_function"),
	VECTOR_ENTRY("call_function_single"),
	VECTOR_ENTRY("irq_work"),
	VECTOR_ENTRY("x86_platform_ipi"),
	VECTOR_ENTRY("spurious_apic"),
	VECTOR_ENTRY("error_apic"),
	VECTOR_ENTRY("thermal_apic"),
	VECTOR_ENTRY("threshold_apic"),
	VECTOR_ENTRY("deferred_error_apic"),
#endif
	{ "softirq_entry", pfm_intr_soft_entry },
	{ "irq_handler_entry", pfm_intr_hard_entry },
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
	check_trace_callback_type_irq_handler_entry(pfm_intr_hard_entry);
	check_trace_callback_type_irq_handler_exit(pfm_intr_hard_exit);
	check_trace_callback_type_softirq_entry(pfm_intr_soft_entry);
	check_trace_callback_type_softirq_exit(pfm_intr_soft_exit);
#ifdef CONFIG_X86_LOCAL_APIC
	check_trace_callback_type_local_timer_entry(pfm_intr_vector_entry);
	check_trace_callback_type_local_timer_exit(pfm_intr_vector_exit);
#endif
}

/**
 * pfm_probes_init - find the tracepoints for our probes
 *
 * Return: 0; -EOPNOTSUPP when this kernel lacks one that tasks are followed by.
 */
int pfm_probes_init(void)
{
	int ret;

	/*
	 * Without the switch probe, user mode's access to counters would not change at
	 * switches between processes, so all access ends with the probes.
	 */
	ret = pfm_tracepoints_init(PFM_PROBES_TASKS, probes, ARRAY_SIZE(probes),
				   false, pfm_user_page_deny_all);
	if (ret) {
		pr_err("this kernel lacks the scheduler's tracepoints (CONFIG_TRACEPOINTS)\n");
		return ret;
	}
	/* Without these, LOAD refuses sets that take a side of interrupts. */
	pfm_tracepoints_init(PFM_PROBES_INTR, intr_probes,
			     ARRAY_SIZE(intr_probes), true, pfm_intr_forget);
	return 0;
}

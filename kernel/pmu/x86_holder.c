// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: who else has them.
 *
 * A reservation has no name.  perf reserves all counters as long as any of its events of
 * the processor's PMU exists, so perf's events tell who the holder is.
 */
#include "x86_holder.h"

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/string.h>

/* The function that the NMI watchdog's event calls when the counter overflows. */
#define WATCHDOG "watchdog_overflow_callback"

/* A module of KVM, and the parameter that has it give the PMU to guests. */
static const char *const kvm_modules[] = { "kvm_intel", "kvm_amd" };
#define KVM_PARAMETER "enable_mediated_pmu"

/* The value of a bool parameter of a module; false if there is none. */
static bool parameter_set(const struct module *mod, const char *name)
{
	unsigned int i;

	for (i = 0; i < mod->num_kp; i++) {
		const struct kernel_param *kp = &mod->kp[i];

		if (!strcmp(kp->name, name) && kp->ops == &param_ops_bool)
			return READ_ONCE(*(bool *)kp->arg);
	}
	return false;
}

/**
 * x86_holder_guests - tell whether KVM gives the counters to guests directly
 *
 * At each entry of such a guest KVM writes the guest's values to the counters, and asks
 * nobody who has reserved them.  The parameter does not change while KVM is loaded.
 *
 * Context: process; may sleep.
 * Return: true if it does, which is logged.
 */
bool x86_holder_guests(void)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	bool guests = false;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kvm_modules) && !guests; i++) {
		struct kobject *kobj = kset_find_obj(modules, kvm_modules[i]);
		const struct module *mod;

		if (!kobj)
			continue;
		/* A module is not freed while its kobject has references. */
		mod = container_of(kobj, struct module_kobject, kobj)->mod;
		guests = mod && parameter_set(mod, KVM_PARAMETER);
		kobject_put(kobj);
		if (guests)
			pr_notice_ratelimited("context not loaded: KVM gives the counters to its guests; load %s with %s=0\n",
					      kvm_modules[i], KVM_PARAMETER);
	}
	return guests;
}

#ifdef PFM_HAVE_PMU_CTX_LIST
/* True if perf has an event of the PMU for a thread, whether it counts or not. */
static bool events_of(const struct pmu *pmu, struct task_struct *task)
{
	struct perf_event_context *ctx = READ_ONCE(task->perf_event_ctxp);
	struct perf_event_pmu_context *part;
	unsigned long flags;
	bool found = false;

	if (!ctx)
		return false;
	raw_spin_lock_irqsave(&ctx->lock, flags);
	list_for_each_entry(part, &ctx->pmu_ctx_list, pmu_ctx_entry)
		found |= part->pmu == pmu && part->nr_events;
	raw_spin_unlock_irqrestore(&ctx->lock, flags);
	return found;
}

/*
 * perf's events of a CPU, of all PMUs; NULL if none of them is of this PMU.  The context
 * is never freed.
 */
static struct perf_event_context *cpu_events(const struct pmu *pmu,
					     unsigned int cpu)
{
	struct perf_cpu_pmu_context *part;
	struct perf_event_context *ctx;

	rcu_read_lock();
#ifdef PFM_HAVE_CPU_CTX_POINTER
	part = READ_ONCE(*per_cpu_ptr(pmu->cpu_pmu_context, cpu));
#else
	part = per_cpu_ptr(pmu->cpu_pmu_context, cpu);
#endif
	ctx = part ? READ_ONCE(part->epc.ctx) : NULL;
	rcu_read_unlock();
	return ctx;
}
#else
static bool events_of(const struct pmu *pmu, struct task_struct *task)
{
	struct perf_event_context *ctx =
		READ_ONCE(task->perf_event_ctxp[perf_hw_context]);

	return ctx && ctx->pmu == pmu && READ_ONCE(ctx->nr_events);
}

static struct perf_event_context *cpu_events(const struct pmu *pmu,
					     unsigned int cpu)
{
	return &per_cpu_ptr(pmu->pmu_cpu_context, cpu)->ctx;
}
#endif

static bool is_watchdog(const struct perf_event *event)
{
	char text[64];

	snprintf(text, sizeof(text), "%ps", event->overflow_handler);
	return strstarts(text, WATCHDOG);
}

/* Describe the holder: a CPU's events. */
static void report_cpu(unsigned int cpu, bool watchdog)
{
	if (watchdog)
		pr_notice_ratelimited("context not loaded: the NMI watchdog has a counter of CPU %u; switch it off: sysctl kernel.nmi_watchdog=0\n",
				      cpu);
	else
		pr_notice_ratelimited("context not loaded: perf has events of CPU %u open; they must be closed first\n",
				      cpu);
}

/* Report perf's events of a CPU.  Returns true if there are any. */
static bool events_on(const struct pmu *pmu, unsigned int cpu)
{
	struct perf_event_context *ctx = cpu_events(pmu, cpu);
	bool watchdog = false, others = false;
	struct perf_event *event;
	unsigned long flags;

	if (!ctx)
		return false;
	raw_spin_lock_irqsave(&ctx->lock, flags);
	list_for_each_entry(event, &ctx->event_list, event_entry) {
		if (event->pmu != pmu)
			continue;
		if (is_watchdog(event))
			watchdog = true;
		else
			others = true;
	}
	raw_spin_unlock_irqrestore(&ctx->lock, flags);
	if (watchdog || others)
		report_cpu(cpu, !others);
	return watchdog || others;
}

/*
 * perf's description of the processor's PMU, from an event that is made for that.  NULL
 * if there is none, because somebody else has the counters.  The description is never
 * freed.
 */
static const struct pmu *perf_pmu(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
	};
	struct perf_event *event;
	const struct pmu *pmu;

	event = perf_event_create_kernel_counter(&attr, -1, current, NULL,
						 NULL);
	if (IS_ERR(event))
		return NULL;
	pmu = event->pmu;
	perf_event_release_kernel(event);
	return pmu;
}

/**
 * x86_holder_report - log who has reserved the counters, and what to do about it
 *
 * The holder may have gone meanwhile.
 *
 * Context: process; may sleep.
 */
void x86_holder_report(void)
{
	const struct pmu *pmu = perf_pmu();
	struct task_struct *group, *task;
	unsigned int cpu;

	if (!pmu) {
		pr_notice_ratelimited("context not loaded: another driver has reserved the counters; unload it first\n");
		return;
	}
	for_each_online_cpu(cpu) {
		if (events_on(pmu, cpu))
			return;
	}
	rcu_read_lock();
	for_each_process_thread(group, task) {
		if (events_of(pmu, task)) {
			pr_notice_ratelimited("context not loaded: perf has events of thread %d (%s) open; they must be closed first\n",
					      task->pid, task->comm);
			rcu_read_unlock();
			return;
		}
	}
	rcu_read_unlock();
	pr_notice_ratelimited("context not loaded: perf has the counters; close its events of CPUs, and switch off the NMI watchdog: sysctl kernel.nmi_watchdog=0\n");
}

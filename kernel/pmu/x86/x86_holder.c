// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: who else has them.
 *
 * A reservation has no name.  perf reserves all counters as long as any of its events of
 * the processor's PMU exists, so perf's events tell who the holder is.
 *
 * perf's other PMUs have no reservation at all.  For them perf's events tell as well, and
 * perf is made to refuse new ones.
 */
#include "x86_holder.h"

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/device/bus.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
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
#include <asm/nmi.h>
#include <perfmon/pmu.h>

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
			pfm_refusal_notice("context not loaded: KVM gives the counters to its guests; load %s with %s=0\n",
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
		pfm_refusal_notice("context not loaded: the NMI watchdog has a counter of CPU %u; switch it off: sysctl kernel.nmi_watchdog=0\n",
				   cpu);
	else
		pfm_refusal_notice("context not loaded: perf has events of CPU %u open; they must be closed first\n",
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

/* An event of perf for this thread, which does not count. */
static struct perf_event *open_event(u32 type, u64 config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.disabled = 1,
	};

	return perf_event_create_kernel_counter(&attr, -1, current, NULL, NULL);
}

/*
 * perf's description of the PMU of an event, which is made for that.  NULL if there is
 * none, for the processor's PMU because somebody else has the counters.  The description
 * is never freed.
 */
static const struct pmu *perf_pmu(u32 type, u64 config)
{
	struct perf_event *event = open_event(type, config);
	const struct pmu *pmu;

	if (IS_ERR(event))
		return NULL;
	pmu = event->pmu;
	perf_event_release_kernel(event);
	return pmu;
}

/*
 * Report the first event of the PMU that perf has, of a CPU or of a thread.  Returns true
 * if there is one.
 */
static bool report_events(const struct pmu *pmu)
{
	struct task_struct *group, *task;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (events_on(pmu, cpu))
			return true;
	}
	rcu_read_lock();
	for_each_process_thread(group, task) {
		if (events_of(pmu, task)) {
			pfm_refusal_notice("context not loaded: perf has events of thread %d (%s) open; they must be closed first\n",
					   task->pid, task->comm);
			rcu_read_unlock();
			return true;
		}
	}
	rcu_read_unlock();
	return false;
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
	const struct pmu *pmu =
		perf_pmu(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	if (!pmu)
		pfm_refusal_notice("context not loaded: another driver has reserved the counters; unload it first\n");
	else if (!report_events(pmu))
		pfm_refusal_notice("context not loaded: perf has the counters; close its events of CPUs, and switch off the NMI watchdog: sysctl kernel.nmi_watchdog=0\n");
}

/**
 * pfm_x86_perf_reserves - tell whether perf reserves the control register of a counter
 * @sel: the register
 *
 * perf reserves all counters while it has an event, but those of the registers that it uses itself.
 * So an event is opened for a moment.
 *
 * Context: process; may sleep.
 * Return: true if the register is reserved then; also if perf has no counters at all.
 */
bool pfm_x86_perf_reserves(u32 sel)
{
	struct perf_event *event =
		open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	bool reserved;

	if (IS_ERR(event))
		return PTR_ERR(event) == -ENOENT;
	reserved = !reserve_evntsel_nmi(sel);
	if (!reserved)
		release_evntsel_nmi(sel);
	perf_event_release_kernel(event);
	return reserved;
}
EXPORT_SYMBOL_GPL(pfm_x86_perf_reserves);

/**
 * pfm_x86_perf_find - find one of perf's PMUs by its name
 * @name: the name, of a PMU that is built into the kernel: its description is never freed
 *
 * perf makes a device for each PMU, all on one bus.  The dummy event is there on each
 * kernel, and its PMU leads to the bus.
 *
 * Context: process; may sleep.
 * Return: perf's description; NULL if there is no such PMU; -ENOMEM.
 */
struct pmu *pfm_x86_perf_find(const char *name)
{
	const struct pmu *any =
		perf_pmu(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	struct device *dev;
	struct pmu *pmu;

	if (!any)
		return ERR_PTR(-ENOMEM);
	/* Without the bus perf lists no PMU: it is for those that sysfs knows. */
	if (!any->dev)
		return NULL;
	dev = bus_find_device_by_name(any->dev->bus, NULL, name);
	if (!dev)
		return NULL;
	pmu = dev_get_drvdata(dev);
	put_device(dev);
	return pmu;
}
EXPORT_SYMBOL_GPL(pfm_x86_perf_find);

/**
 * pfm_x86_perf_exclude - keep perf from a PMU of its own that has no reservation
 * @pmu: perf's description, from pfm_x86_perf_find(), or NULL.  All events of the PMU sample
 *
 * From now on perf_event_open(2) gives EOPNOTSUPP for events of the PMU, as for one that
 * cannot interrupt: the kernel looks at this flag when an event that samples is opened,
 * and nowhere else.  Events that are open already are found.
 *
 * Limits: an event that is being opened at this moment, and that has passed the look at the
 * flag but is in no list yet, is not found.
 *
 * Context: process; may sleep.
 * Return: 0: perf has no event of the PMU; pfm_x86_perf_admit() must follow.  -EBUSY: it
 * has one, which is logged.
 */
int pfm_x86_perf_exclude(struct pmu *pmu)
{
	if (!pmu)
		return 0;
	pmu->capabilities |= PERF_PMU_CAP_NO_INTERRUPT;
	/* The flag comes before the look at the lists; see Limits. */
	smp_mb();
	if (!report_events(pmu))
		return 0;
	pfm_x86_perf_admit(pmu);
	return -EBUSY;
}
EXPORT_SYMBOL_GPL(pfm_x86_perf_exclude);

/**
 * pfm_x86_perf_admit - undo pfm_x86_perf_exclude()
 * @pmu: perf's description, or NULL
 *
 * Context: any.
 */
void pfm_x86_perf_admit(struct pmu *pmu)
{
	if (pmu)
		pmu->capabilities &= ~PERF_PMU_CAP_NO_INTERRUPT;
}
EXPORT_SYMBOL_GPL(pfm_x86_perf_admit);

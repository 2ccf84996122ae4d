// SPDX-License-Identifier: GPL-2.0-only
/*
 * Armv8 PMUv3: what this module relies on in the kernel's own driver.
 *
 * The driver's description (struct arm_pmu) is found through the interrupt that the
 * driver requested.  The structures come from the kernel's headers, but nothing
 * guarantees that their meaning stays the same.  So the module refuses to load if
 * anything is not as expected.
 */
#include <linux/bitfield.h>
#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/kernel.h>
#include <linux/perf/arm_pmu.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/sysreg.h>
#include <perfmon/pmu.h>

#include "armv8.h"
#include "armv8_driver.h"

/*
 * Name of a function, offset in it and module, as in a trace of the stack.  The kernel exports
 * nothing else that tells them.  Without a table of symbols this is a number.
 */
static void __init describe(char *text, size_t size, const void *fn)
{
	if (snprintf(text, size, "%pS", fn) >= size)
		*text = '\0';
}

/*
 * True if the text goes on as it does for the beginning of a function of the kernel itself.  The
 * compiler may have added a suffix to the name.
 */
static bool __init is_begin(const char *text)
{
	if (*text == '.')
		text = strchrnul(text, '+');
	return strstarts(text, "+0x0/") && !strchr(text, '[');
}

/* True if fn is the kernel's function of that name, and not a replacement of it. */
static bool __init is_function(const void *fn, const char *name)
{
	char text[128];

	describe(text, sizeof(text), fn);
	return strstarts(text, name) && is_begin(text + strlen(name));
}

/*
 * True if fn is one of the driver's map_event functions; many processors have their
 * own.
 */
static bool __init is_map(const void *fn)
{
	static const char end[] = "_map_event";
	char text[128];
	const char *p;

	describe(text, sizeof(text), fn);
	p = strstr(text, end);
	return strstarts(text, "armv8_") && p && is_begin(p + strlen(end));
}

/* True if all functions are the driver's own: those to replace, and those that perf calls. */
static bool __init functions_agree(const struct arm_pmu *pmu)
{
	const struct {
		const void *fn;
		const char *name;
	} expected[] = {
		{ pmu->handle_irq, "armv8pmu_handle_irq" },
		{ pmu->enable, "armv8pmu_enable_event" },
		{ pmu->disable, "armv8pmu_disable_event" },
		{ pmu->get_event_idx, "armv8pmu_get_event_idx" },
		{ pmu->clear_event_idx, "armv8pmu_clear_event_idx" },
		{ pmu->read_counter, "armv8pmu_read_counter" },
		{ pmu->write_counter, "armv8pmu_write_counter" },
		{ pmu->start, "armv8pmu_start" },
		{ pmu->stop, "armv8pmu_stop" },
		{ pmu->reset, "armv8pmu_reset" },
		{ pmu->pmu.pmu_enable, "armpmu_enable" },
		{ pmu->pmu.pmu_disable, "armpmu_disable" },
		{ pmu->pmu.add, "armpmu_add" },
		{ pmu->pmu.del, "armpmu_del" },
		{ pmu->pmu.start, "armpmu_start" },
		{ pmu->pmu.stop, "armpmu_stop" },
		{ pmu->pmu.read, "armpmu_read" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		if (!is_function(expected[i].fn, expected[i].name))
			return false;
	}
	return is_map(pmu->map_event);
}

/* Find the description in the interrupt's per-CPU pointers; all have to be the same. */
static struct arm_pmu *__init pmu_of(const struct irqaction *action)
{
	struct arm_pmu *pmu = NULL, *other;
	unsigned int cpu;
	void *slot;

	for_each_online_cpu(cpu) {
		slot = per_cpu_ptr(action->percpu_dev_id, cpu);
		if (copy_from_kernel_nofault(&other, slot, sizeof(other)))
			return NULL;
		if (pmu && other != pmu)
			return NULL;
		pmu = other;
	}
	return pmu;
}

static bool __init counters_agree(const struct arm_pmu *pmu)
{
	const unsigned int events =
		FIELD_GET(ARMV8_PMCR_N, read_sysreg(pmcr_el0));

#ifdef PFM_HAVE_CNTR_MASK
	return bitmap_weight(pmu->cntr_mask, ARMV8_CYCLES) == events &&
	       test_bit(ARMV8_CYCLES, pmu->cntr_mask);
#else
	return pmu->num_events == events + 1;
#endif
}

/*
 * Return what is not as expected, or NULL.  This looks at everything that the module
 * uses, and at fields before, between and after it, some of which would not fit if the
 * structure had another layout.
 */
static const char *__init pmu_surprise(const struct arm_pmu *pmu)
{
	static struct arm_pmu copy __initdata;
	const u64 version = read_sysreg(id_aa64dfr0_el1) >> 8 & 0xf;
	struct pmu_hw_events *hw;
	struct arm_pmu *back;
	unsigned int cpu;
	char name[6] = "";

	if (!pmu || copy_from_kernel_nofault(&copy, pmu, sizeof(copy)))
		return "it has no description";
	if (copy_from_kernel_nofault(name, copy.name, sizeof(name) - 1) ||
	    (strcmp(name, "armv8") && strcmp(name, "armv9")))
		return "it does not name a PMUv3";
	if (copy.pmuver != version)
		return "it knows another PMU version";
	if (!counters_agree(&copy))
		return "it knows another number of counters";
	if (!functions_agree(&copy))
		return "its functions are others";
	for_each_online_cpu(cpu) {
		hw = per_cpu_ptr(copy.hw_events, cpu);
		if (copy_from_kernel_nofault(&back, &hw->percpu_pmu,
					     sizeof(back)) ||
		    back != pmu)
			return "its data of the CPUs do not fit";
		if (!cpumask_test_cpu(cpu, &copy.supported_cpus))
			return "it does not serve all CPUs";
	}
	return NULL;
}

/* Return what is not as expected of the interrupt, or NULL. */
static const char *__init irq_surprise(int irq, const struct irqaction *action)
{
	if (!irq_check_status_bit(irq, IRQ_PER_CPU_DEVID) || action->next)
		return "its interrupt is not one for each CPU";
	if (!action->name || strcmp(action->name, "arm-pmu") ||
	    !is_function(action->handler, "armpmu_dispatch_irq"))
		return "another driver has its interrupt";
	if (action->flags & IRQF_NOBALANCING)
		return "its interrupt cannot be masked (pseudo-NMI)";
	return NULL;
}

/**
 * armv8_driver_find - find the driver that has the PMU's interrupt
 * @irq: number of the PMU's interrupt
 * @action: out: the driver's claim on the interrupt, or NULL
 *
 * Context: process; may sleep.
 * Return: the driver's description; NULL when no driver has the interrupt; -EOPNOTSUPP
 * when the driver is not as expected, which is logged.
 */
struct arm_pmu *__init armv8_driver_find(int irq, struct irqaction **action)
{
	struct irq_data *data = irq_get_irq_data(irq);
	struct arm_pmu *pmu = NULL;
	const char *surprise;

	/* The driver is built in, so its claim on the interrupt stays. */
	*action = data ? READ_ONCE(irq_data_to_desc(data)->action) : NULL;
	if (!*action)
		return NULL;
	surprise = irq_surprise(irq, *action);
	if (!surprise) {
		cpus_read_lock();
		pmu = pmu_of(*action);
		surprise = pmu_surprise(pmu);
		cpus_read_unlock();
	}
	if (surprise) {
		pr_err("takeover=1 refused, this kernel's PMU driver is not as expected: %s\n",
		       surprise);
		return ERR_PTR(-EOPNOTSUPP);
	}
	return pmu;
}

#ifdef PFM_HAVE_PMU_CTX_LIST
/* Number of events that perf has for a thread, whether they count or not. */
static int events_of(const struct arm_pmu *pmu, struct task_struct *task)
{
	struct perf_event_context *ctx = READ_ONCE(task->perf_event_ctxp);
	struct perf_event_pmu_context *part;
	unsigned long flags;
	int n = 0;

	if (!ctx)
		return 0;
	raw_spin_lock_irqsave(&ctx->lock, flags);
	list_for_each_entry(part, &ctx->pmu_ctx_list, pmu_ctx_entry) {
		if (part->pmu == &pmu->pmu)
			n += part->nr_events;
	}
	raw_spin_unlock_irqrestore(&ctx->lock, flags);
	return n;
}

/* Number of events that perf has for a CPU.  The driver is built in, so its data stays. */
static int events_on(const struct arm_pmu *pmu, unsigned int cpu)
{
	const struct perf_cpu_pmu_context *part;

#ifdef PFM_HAVE_CPU_CTX_POINTER
	part = READ_ONCE(*per_cpu_ptr(pmu->pmu.cpu_pmu_context, cpu));
#else
	part = per_cpu_ptr(pmu->pmu.cpu_pmu_context, cpu);
#endif
	return part ? READ_ONCE(part->epc.nr_events) : 0;
}
#else
static int events_of(const struct arm_pmu *pmu, struct task_struct *task)
{
	struct perf_event_context *ctx =
		READ_ONCE(task->perf_event_ctxp[perf_hw_context]);

	return ctx ? READ_ONCE(ctx->nr_events) : 0;
}

static int events_on(const struct arm_pmu *pmu, unsigned int cpu)
{
	const struct perf_cpu_context *ctx =
		per_cpu_ptr(pmu->pmu.pmu_cpu_context, cpu);

	return READ_ONCE(ctx->ctx.nr_events);
}
#endif

/**
 * armv8_driver_idle - check that perf has no event of the PMU open
 * @pmu: the driver's description
 *
 * No user of perf may lose counts without notice, even if none of the events counts
 * right now, for example because a thread sleeps.  Events that are opened after this
 * check have to wait.
 *
 * Context: process; the caller holds the hotplug lock.
 * Return: 0; -EBUSY, and the log says where an open event was found.
 */
int armv8_driver_idle(const struct arm_pmu *pmu)
{
	struct task_struct *group, *task;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (events_on(pmu, cpu)) {
			pfm_refusal_notice("context not loaded: perf has events of CPU %u open; they must be closed first\n",
					   cpu);
			return -EBUSY;
		}
	}
	rcu_read_lock();
	for_each_process_thread(group, task) {
		if (events_of(pmu, task)) {
			pfm_refusal_notice("context not loaded: perf has events of thread %d (%s) open; they must be closed first\n",
					   task->pid, task->comm);
			rcu_read_unlock();
			return -EBUSY;
		}
	}
	rcu_read_unlock();
	return 0;
}

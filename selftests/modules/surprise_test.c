// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes one thing about the kernel's own PMU driver (arm_pmu), for as long as it
 * is loaded: what perfmon_armv8 with takeover=1 does not expect.  The parameter
 * "what" says which.  perf goes on counting with all but "cpus".
 *
 * The driver's description is found as perfmon_armv8 finds it, in what has exported
 * names.  For one CPU, or one that is online: what changes is used on that CPU only, and
 * interrupts are off meanwhile.
 */
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/of.h>
#include <linux/of_irq.h>
#include <linux/percpu.h>
#include <linux/perf/arm_pmu.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

static char *what;
module_param(what, charp, 0444);
MODULE_PARM_DESC(what, "what is changed");

/* The driver does not serve CPU 1, which is offline. */
#define OFFLINE "cpu1"

static int irq;
static struct irqaction *action;
static struct arm_pmu **slot; /* what the interrupt was requested with */
static struct arm_pmu *pmu;

/* The memory that was changed, and its content before. */
static void *place;
static size_t size;
static u8 before[sizeof(u64)];
static bool irq_status;

/* The driver's functions, by others that do the same. */
static typeof_member(struct arm_pmu, handle_irq) driver_irq;
static typeof_member(struct arm_pmu, get_event_idx) driver_idx;
static typeof_member(struct arm_pmu, map_event) driver_map;
static typeof_member(struct arm_pmu, stop) driver_stop;
static typeof_member(struct arm_pmu, reset) driver_reset;
static typeof_member(struct arm_pmu, start) driver_start;
static typeof_member(struct pmu, add) driver_add;
static irq_handler_t driver_dispatch;

/* A module may have a function of the same name. */
static irqreturn_t armv8pmu_handle_irq(struct arm_pmu *armpmu)
{
	return driver_irq(armpmu);
}

static int other_idx(struct pmu_hw_events *hw, struct perf_event *event)
{
	return driver_idx(hw, event);
}

/* Of another module's, too. */
static int armv8_other_map_event(struct perf_event *event)
{
	return driver_map(event);
}

static void other_stop(struct arm_pmu *armpmu)
{
	driver_stop(armpmu);
}

static void other_reset(void *armpmu)
{
	driver_reset(armpmu);
}

static void other_start(struct arm_pmu *armpmu)
{
	driver_start(armpmu);
}

static int other_add(struct perf_event *event, int flags)
{
	return driver_add(event, flags);
}

static irqreturn_t other_dispatch(int number, void *dev)
{
	return driver_dispatch(number, dev);
}

static struct irqaction other_action = { .name = "surprise_test" };

static void put(void *at, const void *value, size_t bytes)
{
	unsigned long flags;

	local_irq_save(flags);
	memcpy(at, value, bytes);
	local_irq_restore(flags);
}

static void change(void *at, const void *value, size_t bytes)
{
	place = at;
	size = bytes;
	memcpy(before, at, bytes);
	put(at, value, bytes);
}

#define CHANGE(field, to)                                    \
	do {                                                 \
		const typeof(field) __value = (to);          \
		static_assert(sizeof(field) <= sizeof(u64)); \
		change(&(field), &__value, sizeof(__value)); \
	} while (0)

static int change_irq(void)
{
	if (!strcmp(what, "irq_status")) {
		irq_clear_status_flags(irq, IRQ_PER_CPU_DEVID);
		irq_status = true;
	} else if (!strcmp(what, "irq_next")) {
		CHANGE(action->next, &other_action);
	} else if (!strcmp(what, "irq_name")) {
		CHANGE(action->name, "other-pmu");
	} else if (!strcmp(what, "irq_handler")) {
		driver_dispatch = action->handler;
		CHANGE(action->handler, other_dispatch);
	} else if (!strcmp(what, "irq_flags")) {
		CHANGE(action->flags, action->flags | IRQF_NOBALANCING);
	} else if (!strcmp(what, "irq_data")) {
		CHANGE(*slot, NULL);
	} else {
		return -EINVAL;
	}
	return 0;
}

static int change_pmu(void)
{
	struct pmu_hw_events *hw = per_cpu_ptr(pmu->hw_events, 0);

	if (!strcmp(what, "name")) {
		CHANGE(pmu->name, "armv7_cortex_a15");
	} else if (!strcmp(what, "version")) {
		CHANGE(pmu->pmuver, pmu->pmuver + 1);
	} else if (!strcmp(what, "counters")) {
#ifdef PFM_HAVE_CNTR_MASK
		CHANGE(pmu->cntr_mask[0], pmu->cntr_mask[0] & ~BIT(0));
#else
		CHANGE(pmu->num_events, pmu->num_events - 1);
#endif
	} else if (!strcmp(what, "handle_irq")) {
		driver_irq = pmu->handle_irq;
		CHANGE(pmu->handle_irq, armv8pmu_handle_irq);
	} else if (!strcmp(what, "get_event_idx")) {
		driver_idx = pmu->get_event_idx;
		CHANGE(pmu->get_event_idx, other_idx);
	} else if (!strcmp(what, "map_event")) {
		driver_map = pmu->map_event;
		CHANGE(pmu->map_event, armv8_other_map_event);
	} else if (!strcmp(what, "stop")) {
		driver_stop = pmu->stop;
		CHANGE(pmu->stop, other_stop);
	} else if (!strcmp(what, "reset")) {
		driver_reset = pmu->reset;
		CHANGE(pmu->reset, other_reset);
	} else if (!strcmp(what, "start")) {
		driver_start = pmu->start;
		CHANGE(pmu->start, other_start);
	} else if (!strcmp(what, "add")) {
		driver_add = pmu->pmu.add;
		CHANGE(pmu->pmu.add, other_add);
	} else if (!strcmp(what, "cpu_data")) {
		CHANGE(hw->percpu_pmu, NULL);
	} else if (!strcmp(what, "cpus")) {
		CHANGE(cpumask_bits(&pmu->supported_cpus)[0], 0);
	} else if (!strcmp(what, OFFLINE)) {
		CHANGE(cpumask_bits(&pmu->supported_cpus)[0], BIT(0));
	} else {
		return -EINVAL;
	}
	return 0;
}

static int find_driver(void)
{
	struct device_node *node;
	struct irq_data *data;

	node = of_find_compatible_node(NULL, NULL, "arm,armv8-pmuv3");
	irq = node ? irq_of_parse_and_map(node, 0) : 0;
	of_node_put(node);
	data = irq ? irq_get_irq_data(irq) : NULL;
	action = data ? irq_data_to_desc(data)->action : NULL;
	if (!action || strcmp(action->name, "arm-pmu"))
		return -ENODEV;
	slot = per_cpu_ptr(action->percpu_dev_id, 0);
	pmu = *slot;
	return pmu ? 0 : -ENODEV;
}

static int __init surprise_init(void)
{
	int ret;

	if (!what || num_online_cpus() != 1 ||
	    (num_possible_cpus() != 1 && strcmp(what, OFFLINE))) {
		pr_err("needs the parameter what, and a machine with one CPU, or one that is online\n");
		return -EINVAL;
	}
	ret = find_driver();
	if (ret) {
		pr_err("the kernel's driver has no PMU\n");
		return ret;
	}
	if (change_irq() && change_pmu()) {
		pr_err("there is no '%s' to change\n", what);
		return -EINVAL;
	}
	return 0;
}
module_init(surprise_init);

static void nothing_here(void *unused)
{
}

/* As in armv8_takeover_end(): no task sleeps in a function of this module. */
static void __exit surprise_exit(void)
{
	if (irq_status)
		irq_set_status_flags(irq, IRQ_PER_CPU_DEVID);
	else
		put(place, before, size);
	on_each_cpu(nothing_here, NULL, 1);
	synchronize_rcu_tasks();
}
module_exit(surprise_exit);

MODULE_DESCRIPTION("perfmon: a PMU driver with surprises, for tests");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Armv8 PMUv3: finding the interrupt of the counters.
 *
 * Firmware describes it, by device tree or ACPI.  Only a per-CPU interrupt that is the
 * same on all CPUs is supported.
 */
#include <linux/acpi.h>
#include <linux/errno.h>
#include <linux/of.h>
#include <linux/of_irq.h>
#include <linux/printk.h>

#include "armv8.h"

/*
 * Names by which the kernel's own driver recognises a PMUv3.  They are not in a
 * MODULE_DEVICE_TABLE, so that the module is not loaded automatically: it takes the PMU
 * away from perf, and the administrator has to decide that.
 */
static const struct of_device_id armv8_of_ids[] = {
	{ .compatible = "arm,armv8-pmuv3" },
	{ .compatible = "arm,cortex-a34-pmu" },
	{ .compatible = "arm,cortex-a35-pmu" },
	{ .compatible = "arm,cortex-a53-pmu" },
	{ .compatible = "arm,cortex-a55-pmu" },
	{ .compatible = "arm,cortex-a57-pmu" },
	{ .compatible = "arm,cortex-a65-pmu" },
	{ .compatible = "arm,cortex-a72-pmu" },
	{ .compatible = "arm,cortex-a73-pmu" },
	{ .compatible = "arm,cortex-a75-pmu" },
	{ .compatible = "arm,cortex-a76-pmu" },
	{ .compatible = "arm,cortex-a77-pmu" },
	{ .compatible = "arm,cortex-a78-pmu" },
	{ .compatible = "arm,cortex-a510-pmu" },
	{ .compatible = "arm,cortex-a520-pmu" },
	{ .compatible = "arm,cortex-a710-pmu" },
	{ .compatible = "arm,cortex-a715-pmu" },
	{ .compatible = "arm,cortex-a720-pmu" },
	{ .compatible = "arm,cortex-a725-pmu" },
	{ .compatible = "arm,cortex-x1-pmu" },
	{ .compatible = "arm,cortex-x2-pmu" },
	{ .compatible = "arm,cortex-x3-pmu" },
	{ .compatible = "arm,cortex-x4-pmu" },
	{ .compatible = "arm,cortex-x925-pmu" },
	{ .compatible = "arm,neoverse-e1-pmu" },
	{ .compatible = "arm,neoverse-n1-pmu" },
	{ .compatible = "arm,neoverse-n2-pmu" },
	{ .compatible = "arm,neoverse-n3-pmu" },
	{ .compatible = "arm,neoverse-v1-pmu" },
	{ .compatible = "arm,neoverse-v2-pmu" },
	{ .compatible = "arm,neoverse-v3-pmu" },
	{ .compatible = "arm,neoverse-v3ae-pmu" },
	{ .compatible = "arm,rainier-pmu" },
	{ .compatible = "brcm,vulcan-pmu" },
	{ .compatible = "cavium,thunder-pmu" },
	{ .compatible = "nvidia,carmel-pmu" },
	{ .compatible = "nvidia,denver-pmu" },
	{}
};

static int irq_from_tree(void)
{
	struct device_node *node, *second;
	int irq;

	node = of_find_matching_node(NULL, armv8_of_ids);
	if (!node) {
		pr_err("no PMUv3 in the device tree\n");
		return -ENODEV;
	}
	/* of_find_matching_node() drops the reference on its first argument. */
	second = of_find_matching_node(of_node_get(node), armv8_of_ids);
	if (second) {
		pr_err("machines with several kinds of processor are not supported\n");
		of_node_put(second);
		of_node_put(node);
		return -ENODEV;
	}
	irq = irq_of_parse_and_map(node, 0);
	of_node_put(node);
	if (!irq) {
		pr_err("the PMU has no interrupt\n");
		return -ENODEV;
	}
	return irq;
}

#ifdef CONFIG_ACPI
/*
 * Look through the GIC CPU interface structures of the table "APIC" (ACPI specification
 * 5.2.12.14).  The kernel's iterator over them is not exported.
 */
static int irq_from_acpi(void)
{
	const struct acpi_madt_generic_interrupt *gicc = NULL;
	const struct acpi_subtable_header *entry;
	struct acpi_table_header *table;
	int gsi = 0, trigger = 0;
	unsigned long pos, end;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_MADT, 0, &table))) {
		pr_err("no MADT\n");
		return -ENODEV;
	}
	pos = (unsigned long)table + sizeof(struct acpi_table_madt);
	end = (unsigned long)table + table->length;
	for (; pos + sizeof(*entry) <= end; pos += entry->length) {
		entry = (const struct acpi_subtable_header *)pos;
		if (entry->length < sizeof(*entry) || pos + entry->length > end)
			break;
		if (entry->type != ACPI_MADT_TYPE_GENERIC_INTERRUPT ||
		    entry->length < offsetofend(typeof(*gicc),
						performance_interrupt))
			continue;
		gicc = (const struct acpi_madt_generic_interrupt *)pos;
		if (!(gicc->flags & ACPI_MADT_ENABLED))
			continue;
		if (gsi && gsi != gicc->performance_interrupt) {
			pr_err("processors with different PMU interrupts are not supported\n");
			gsi = 0;
			break;
		}
		gsi = gicc->performance_interrupt;
		trigger = gicc->flags & ACPI_MADT_PERFORMANCE_IRQ_MODE ?
			  ACPI_EDGE_SENSITIVE : ACPI_LEVEL_SENSITIVE;
	}
	acpi_put_table(table);
	if (!gsi) {
		pr_err("no usable PMU interrupt in the MADT\n");
		return -ENODEV;
	}
	return acpi_register_gsi(NULL, gsi, trigger, ACPI_ACTIVE_HIGH);
}
#else
static int irq_from_acpi(void)
{
	return -ENODEV;
}
#endif

/**
 * armv8_irq_find - find the interrupt of the counters
 *
 * The mapping from the hardware's interrupt number is never undone: all users get the
 * same mapping, and another user may need it.
 *
 * Context: process; may sleep.
 * Return: interrupt number, or -errno, which has been logged.
 */
int armv8_irq_find(void)
{
	return acpi_disabled ? irq_from_tree() : irq_from_acpi();
}

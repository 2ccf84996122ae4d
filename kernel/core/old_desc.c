// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/perfmon/pmu_desc: the registers as tools for perfmon2 read them, under the numbers
 * that they had.
 *
 * perfmon2 had one PMU description, that of the processor's counters.  So the folder exists while
 * there is such a description.  It has each register of all descriptions once: a link to its folder
 * in pmu/, named after the old number where there was another one.
 */
#include "core/old_desc.h"

#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/sysfs.h>
#include <perfmon/pmu.h>

#include "core/reg_folder.h"
#include "core/reg_kind.h"

/* The letters before the number, and the number. */
#define NAME_LEN 16

/* NULL while there is no folder.  Protected by registry_lock of pmu.c, as all that follows. */
static struct kobject *old_top;

/* Description of the processor's counters; valid while the folder exists. */
static const struct pfm_pmu *counters;

/* Folders of registers that perfmon2 had and that today are several. */
static LIST_HEAD(own_folders);

static ssize_t model_show(struct kobject *kobj, struct kobj_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%s\n", counters->old_model ?: counters->name);
}

static struct kobj_attribute model_attr = __ATTR_RO(model);

static bool has_reg(const struct pfm_pmu *pmu, enum pfm_reg_kind kind, u16 num)
{
	const struct pfm_reg_desc *table;
	const u16 n = kind == PFM_PMC ? pmu->npmcs : pmu->npmds;

	table = kind == PFM_PMC ? pmu->pmcs : pmu->pmds;
	return num >= pmu->base && num - pmu->base < n &&
	       table[num - pmu->base].name;
}

static const struct pfm_old_regs *old_regs(const struct pfm_pmu *pmu,
					   enum pfm_reg_kind kind, u16 *n)
{
	*n = kind == PFM_PMC ? pmu->nold_pmcs : pmu->nold_pmds;
	return kind == PFM_PMC ? pmu->old_pmcs : pmu->old_pmds;
}

static bool are_free(const struct pfm_pmu *pmu, enum pfm_reg_kind kind)
{
	const struct pfm_old_regs *old;
	u16 n, i, k;

	old = old_regs(pmu, kind, &n);
	for (i = 0; i < n; i++) {
		for (k = 0; k < (old[i].desc ? 1 : old[i].count); k++) {
			if (has_reg(counters, kind, old[i].old + k))
				return false;
		}
	}
	return true;
}

/*
 * Old numbers are valid together or not at all: a program that finds a counter under one of
 * them does not look for another register under the next.
 */
static bool has_old_numbers(const struct pfm_pmu *pmu)
{
	return are_free(pmu, PFM_PMC) && are_free(pmu, PFM_PMD);
}

/* The old number of a register; PFM_REG_NONE if it was a part of another register. */
static u16 old_number(const struct pfm_pmu *pmu,
		      const struct pfm_reg_folder *reg)
{
	const struct pfm_old_regs *old;
	u16 n, i;

	old = old_regs(pmu, reg->kind, &n);
	for (i = 0; has_old_numbers(pmu) && i < n; i++) {
		if (reg->num < old[i].num ||
		    reg->num - old[i].num >= old[i].count)
			continue;
		return old[i].desc ? PFM_REG_NONE
				   : reg->num - old[i].num + old[i].old;
	}
	return reg->num;
}

/* False if the register has no link. */
static bool link_name(const struct pfm_pmu *pmu,
		      const struct pfm_reg_folder *reg, char name[NAME_LEN])
{
	const u16 num = old_number(pmu, reg);

	snprintf(name, NAME_LEN, "%s%u", pfm_reg_folder_kind(reg->kind), num);
	return num != PFM_REG_NONE;
}

/* The registers that perfmon2 had, and that are several today. */
static int add_own(const struct pfm_pmu *pmu, enum pfm_reg_kind kind)
{
	const struct pfm_old_regs *old;
	u16 n, i, k;
	int ret;

	old = old_regs(pmu, kind, &n);
	for (i = 0; has_old_numbers(pmu) && i < n; i++) {
		if (!old[i].desc)
			continue;
		k = 0;
		while (k < old[i].count && !has_reg(pmu, kind, old[i].num + k))
			k++;
		if (k == old[i].count)
			continue;
		ret = pfm_reg_folder_add(old_top, &own_folders, old[i].desc,
					 kind, old[i].old);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * pfm_old_desc_begin - create the folder
 * @top: folder that it is in
 * @pmu: description of the processor's counters
 *
 * Links are added by pfm_old_desc_add().  After an error pfm_old_desc_end() must be called, too.
 *
 * Context: process, registry_lock of pmu.c held; may sleep.
 * Return: 0 or -errno.
 */
int pfm_old_desc_begin(struct kobject *top, const struct pfm_pmu *pmu)
{
	int ret;

	counters = pmu;
	old_top = kobject_create_and_add("pmu_desc", top);
	if (!old_top)
		return -ENOMEM;
	ret = sysfs_create_file(old_top, &model_attr.attr);
	if (!ret)
		ret = add_own(pmu, PFM_PMC);
	if (!ret)
		ret = add_own(pmu, PFM_PMD);
	return ret;
}

/**
 * pfm_old_desc_end - remove the folder, with all links
 *
 * Removing a file waits for the processes that are reading it.
 *
 * Context: process, registry_lock of pmu.c held; may sleep.
 */
void pfm_old_desc_end(void)
{
	pfm_reg_folders_remove(&own_folders);
	kobject_put(old_top);
	old_top = NULL;
}

/**
 * pfm_old_desc_add - add links to the registers of a description
 * @pmu: the description
 * @regs: folders of its registers
 *
 * Does nothing while there is no folder.  After an error pfm_old_desc_remove() or
 * pfm_old_desc_end() must be called, too.
 *
 * Context: process, registry_lock of pmu.c held; may sleep.
 * Return: 0 or -errno.
 */
int pfm_old_desc_add(const struct pfm_pmu *pmu, struct list_head *regs)
{
	struct pfm_reg_folder *reg;
	char name[NAME_LEN];
	int ret;

	if (!old_top)
		return 0;
	list_for_each_entry(reg, regs, node) {
		if (!link_name(pmu, reg, name))
			continue;
		ret = sysfs_create_link(old_top, &reg->kobj, name);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * pfm_old_desc_remove - remove the links to the registers of a description
 * @pmu: the description, which is not that of the processor's counters
 * @regs: folders of its registers
 *
 * Context: process, registry_lock of pmu.c held; may sleep.
 */
void pfm_old_desc_remove(const struct pfm_pmu *pmu, struct list_head *regs)
{
	struct pfm_reg_folder *reg;
	char name[NAME_LEN];

	if (!old_top)
		return;
	list_for_each_entry(reg, regs, node) {
		if (link_name(pmu, reg, name))
			sysfs_remove_link(old_top, name);
	}
}

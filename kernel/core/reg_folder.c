// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folders of registers in /sys/kernel/perfmon: what a register is called, and which bits it has.
 */
#include "core/reg_folder.h"

#include <linux/slab.h>
#include <linux/sysfs.h>

/* Bits that every PMC has: user space writes values of 64 bits, some of which are reserved. */
#define PMC_WIDTH 64

static const struct pfm_reg_folder *folder_of(const struct kobject *kobj)
{
	return container_of(kobj, struct pfm_reg_folder, kobj);
}

static ssize_t name_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%s\n", folder_of(kobj)->desc->name);
}

static ssize_t addr_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "0x%llx\n", folder_of(kobj)->desc->addr);
}

static ssize_t dfl_val_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "0x%llx\n", folder_of(kobj)->desc->dfl);
}

static ssize_t rsvd_msk_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	return sysfs_emit(buf, "0x%llx\n", folder_of(kobj)->desc->rsvd);
}

static ssize_t width_show(struct kobject *kobj, struct kobj_attribute *attr,
			  char *buf)
{
	const struct pfm_reg_folder *folder = folder_of(kobj);

	return sysfs_emit(buf, "%u\n",
			  folder->kind == PFM_PMC ? PMC_WIDTH
						  : folder->desc->width);
}

static struct kobj_attribute name_attr = __ATTR_RO(name);
static struct kobj_attribute addr_attr = __ATTR_RO(addr);
static struct kobj_attribute dfl_val_attr = __ATTR_RO(dfl_val);
static struct kobj_attribute rsvd_msk_attr = __ATTR_RO(rsvd_msk);
static struct kobj_attribute width_attr = __ATTR_RO(width);

static struct attribute *reg_attrs[] = {
	&name_attr.attr,     &addr_attr.attr,  &dfl_val_attr.attr,
	&rsvd_msk_attr.attr, &width_attr.attr, NULL,
};

static const struct attribute_group reg_group = { .attrs = reg_attrs };

static void folder_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct pfm_reg_folder, kobj));
}

static const struct kobj_type folder_type = {
	.release = folder_release,
	.sysfs_ops = &kobj_sysfs_ops,
};

/**
 * pfm_reg_folder_kind - tell what the names of the folders of a kind begin with
 * @kind: PFM_PMC or PFM_PMD
 *
 * Return: "pmc" or "pmd".
 */
const char *pfm_reg_folder_kind(enum pfm_reg_kind kind)
{
	return kind == PFM_PMC ? "pmc" : "pmd";
}

/**
 * pfm_reg_folder_add - create the folder of a register
 * @parent: folder that it is in
 * @list: list that it is added to
 * @desc: description of the register, which has a name
 * @kind: PFM_PMC or PFM_PMD
 * @num: number of the register
 *
 * Context: process, registry_lock of pmu.c held; may sleep.
 * Return: 0 or -errno.
 */
int pfm_reg_folder_add(struct kobject *parent, struct list_head *list,
		       const struct pfm_reg_desc *desc, enum pfm_reg_kind kind,
		       u16 num)
{
	struct pfm_reg_folder *folder;
	int ret;

	folder = kzalloc(sizeof(*folder), GFP_KERNEL);
	if (!folder)
		return -ENOMEM;
	folder->desc = desc;
	folder->kind = kind;
	folder->num = num;
	ret = kobject_init_and_add(&folder->kobj,
				   (struct kobj_type *)&folder_type, parent,
				   "%s%u", pfm_reg_folder_kind(kind), num);
	if (!ret)
		ret = sysfs_create_group(&folder->kobj, &reg_group);
	if (ret) {
		kobject_put(&folder->kobj);
		return ret;
	}
	list_add_tail(&folder->node, list);
	return 0;
}

/**
 * pfm_reg_folders_remove - remove the folders of registers
 * @list: the folders; empty afterwards
 *
 * Context: process, registry_lock of pmu.c held; may sleep.
 */
void pfm_reg_folders_remove(struct list_head *list)
{
	struct pfm_reg_folder *folder, *next;

	list_for_each_entry_safe(folder, next, list, node) {
		list_del(&folder->node);
		kobject_put(&folder->kobj);
	}
}

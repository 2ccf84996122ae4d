// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/perfmon: version, sessions, and the registers and events of each PMU
 * description, so that the tables can be compared with the processor's manual.
 */
#include "core/sysfs.h"

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <perfmon/format.h>
#include <perfmon/pmu.h>

#include "core/cpu_state.h"
#include "core/old_desc.h"
#include "core/reg_folder.h"
#include "core/reg_kind.h"

static struct kobject *top;
static struct kobject *pmu_top;
static struct kobject *fmt_top;

/* Folders of the registered descriptions; protected by registry_lock of pmu.c. */
static LIST_HEAD(pmu_folders);

/* Folders of the registered formats; protected by formats_lock of format.c. */
static LIST_HEAD(fmt_folders);

/**
 * struct folder - folder of a PMU description or of a format
 * @kobj: the folder
 * @node: entry in pmu_folders or in fmt_folders
 * @regs: description: folders of its registers
 * @pmu: description
 * @fmt: format
 * @text: format: its description, owned by the folder; NULL if it has none
 */
struct folder {
	struct kobject kobj;
	struct list_head node;
	struct list_head regs;
	const struct pfm_pmu *pmu;
	const struct pfm_format *fmt;
	const char *text;
};

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%u.%u\n", PFM_ABI_VERSION >> 16,
			  PFM_ABI_VERSION & 0xffff);
}

static struct kobj_attribute version_attr = __ATTR_RO(version);

static struct attribute *top_attrs[] = {
	&version_attr.attr,
	NULL,
};

static const struct attribute_group top_group = { .attrs = top_attrs };

/*
 * Each line describes 64 event codes: the first code, a bitmap of known codes, and a
 * bitmap of implemented codes.
 */
static ssize_t events_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	const struct pfm_pmu *pmu = container_of(kobj, struct folder, kobj)->pmu;
	int at = 0;
	u16 i;

	for (i = 0; i < pmu->nevents; i++)
		at += sysfs_emit_at(buf, at, "0x%llx 0x%016llx 0x%016llx\n",
				    pmu->events[i].first, pmu->events[i].known,
				    READ_ONCE(pmu->events[i].implemented));
	return at;
}

/* The CPUs that are online and lack something of the description: see pfm_cpu_bar(). */
static ssize_t barred_cpus_show(struct kobject *kobj,
				struct kobj_attribute *attr, char *buf)
{
	const struct pfm_pmu *pmu = container_of(kobj, struct folder, kobj)->pmu;
	cpumask_var_t mask;
	unsigned int cpu;
	ssize_t len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for_each_online_cpu(cpu) {
		if (READ_ONCE(per_cpu(pfm_cpus, cpu).barred) &
		    BIT(pmu->reg_class))
			cpumask_set_cpu(cpu, mask);
	}
	len = sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return len;
}

static struct kobj_attribute events_attr = __ATTR_RO(events);
static struct kobj_attribute barred_cpus_attr = __ATTR_RO(barred_cpus);

static struct attribute *pmu_attrs[] = {
	&events_attr.attr,
	&barred_cpus_attr.attr,
	NULL,
};

static umode_t pmu_attr_visible(struct kobject *kobj, struct attribute *attr,
				int n)
{
	const struct pfm_pmu *pmu = container_of(kobj, struct folder, kobj)->pmu;

	return attr == &events_attr.attr && !pmu->nevents ? 0 : attr->mode;
}

static const struct attribute_group pmu_group = {
	.attrs = pmu_attrs,
	.is_visible = pmu_attr_visible,
};

static const struct pfm_format *fmt_of(struct kobject *kobj)
{
	return container_of(kobj, struct folder, kobj)->fmt;
}

static ssize_t uuid_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%pUb\n", fmt_of(kobj)->uuid);
}

static ssize_t fmt_version_show(struct kobject *kobj,
				struct kobj_attribute *attr, char *buf)
{
	u32 version = fmt_of(kobj)->version;

	return sysfs_emit(buf, "%u.%u\n", version >> 16, version & 0xffff);
}

static struct kobj_attribute uuid_attr = __ATTR_RO(uuid);
static struct kobj_attribute fmt_version_attr =
	__ATTR(version, 0444, fmt_version_show, NULL);

/* The description, as it was when the format was registered. */
static ssize_t format_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%s\n",
			  container_of(kobj, struct folder, kobj)->text);
}

static struct kobj_attribute format_attr = __ATTR_RO(format);

static struct attribute *fmt_attrs[] = {
	&uuid_attr.attr,
	&fmt_version_attr.attr,
	&format_attr.attr,
	NULL,
};

static umode_t fmt_attr_visible(struct kobject *kobj, struct attribute *attr,
				int n)
{
	const char *text = container_of(kobj, struct folder, kobj)->text;

	return attr == &format_attr.attr && !text ? 0 : attr->mode;
}

static const struct attribute_group fmt_group = {
	.attrs = fmt_attrs,
	.is_visible = fmt_attr_visible,
};

static void folder_release(struct kobject *kobj)
{
	struct folder *folder = container_of(kobj, struct folder, kobj);

	kfree(folder->text);
	kfree(folder);
}

static const struct kobj_type folder_type = {
	.release = folder_release,
	.sysfs_ops = &kobj_sysfs_ops,
};

static struct folder *folder_create(void)
{
	struct folder *folder = kzalloc(sizeof(*folder), GFP_KERNEL);

	if (!folder)
		return NULL;
	INIT_LIST_HEAD(&folder->node);
	INIT_LIST_HEAD(&folder->regs);
	return folder;
}

static int add_regs(struct folder *parent, const struct pfm_reg_desc *table,
		    u16 n, enum pfm_reg_kind kind)
{
	u16 i;
	int ret;

	for (i = 0; i < n; i++) {
		if (!table[i].name)
			continue;
		ret = pfm_reg_folder_add(&parent->kobj, &parent->regs,
					 &table[i], kind,
					 parent->pmu->base + i);
		if (ret)
			return ret;
	}
	return 0;
}

static void folder_remove(struct folder *folder)
{
	pfm_reg_folders_remove(&folder->regs);
	kobject_put(&folder->kobj);
}

/*
 * The description of the processor's counters begins the folder of the old tools, with the
 * registers of all descriptions; a later one adds its own.
 */
static int add_old_names(struct folder *added)
{
	struct folder *folder;
	int ret = 0;

	if (added->pmu->reg_class != PFM_CLASS_HW)
		return pfm_old_desc_add(added->pmu, &added->regs);
	ret = pfm_old_desc_begin(top, added->pmu);
	list_for_each_entry(folder, &pmu_folders, node) {
		if (!ret)
			ret = pfm_old_desc_add(folder->pmu, &folder->regs);
	}
	return ret;
}

static void remove_old_names(struct folder *removed)
{
	if (removed->pmu->reg_class == PFM_CLASS_HW)
		pfm_old_desc_end();
	else
		pfm_old_desc_remove(removed->pmu, &removed->regs);
}

/**
 * pfm_sysfs_add_pmu - create the folder of a PMU description and its registers
 * @pmu: the description
 *
 * Context: process, registry_lock held; may sleep.
 * Return: 0 or -errno.
 */
int pfm_sysfs_add_pmu(const struct pfm_pmu *pmu)
{
	struct folder *folder;
	int ret;

	folder = folder_create();
	if (!folder)
		return -ENOMEM;
	folder->pmu = pmu;
	ret = kobject_init_and_add(&folder->kobj,
				   (struct kobj_type *)&folder_type, pmu_top,
				   "%s", pmu->name);
	if (!ret)
		ret = sysfs_create_group(&folder->kobj, &pmu_group);
	if (!ret)
		ret = add_regs(folder, pmu->pmcs, pmu->npmcs, PFM_PMC);
	if (!ret)
		ret = add_regs(folder, pmu->pmds, pmu->npmds, PFM_PMD);
	if (ret)
		goto out_remove;
	list_add_tail(&folder->node, &pmu_folders);
	ret = add_old_names(folder);
	if (ret)
		goto out_old_names;
	return 0;

out_old_names:
	remove_old_names(folder);
	list_del(&folder->node);
out_remove:
	folder_remove(folder);
	return ret;
}

/**
 * pfm_sysfs_remove_pmu - remove the folder of a PMU description
 * @pmu: description that was added
 *
 * Removing a file waits for the processes that are reading it, so no file of the
 * description is read after this has returned.
 *
 * Context: process, registry_lock held; may sleep.
 */
void pfm_sysfs_remove_pmu(const struct pfm_pmu *pmu)
{
	struct folder *folder, *next;

	list_for_each_entry_safe(folder, next, &pmu_folders, node) {
		if (folder->pmu == pmu) {
			remove_old_names(folder);
			list_del(&folder->node);
			folder_remove(folder);
		}
	}
}

/**
 * pfm_sysfs_add_format - create the folder of a sampling format
 * @fmt: the format
 * @text: its description, which the folder frees; NULL if it has none.  Freed as well
 *	when this fails
 *
 * Context: process, formats_lock held; may sleep.
 * Return: 0 or -errno.
 */
int pfm_sysfs_add_format(const struct pfm_format *fmt, const char *text)
{
	struct folder *folder;
	int ret;

	folder = folder_create();
	if (!folder) {
		kfree(text);
		return -ENOMEM;
	}
	folder->fmt = fmt;
	folder->text = text;
	ret = kobject_init_and_add(&folder->kobj,
				   (struct kobj_type *)&folder_type, fmt_top,
				   "%s", fmt->name);
	if (!ret)
		ret = sysfs_create_group(&folder->kobj, &fmt_group);
	if (ret) {
		kobject_put(&folder->kobj);
		return ret;
	}
	list_add_tail(&folder->node, &fmt_folders);
	return 0;
}

/**
 * pfm_sysfs_remove_format - remove the folder of a sampling format
 * @fmt: format that was added
 *
 * Context: process, formats_lock held; may sleep.
 */
void pfm_sysfs_remove_format(const struct pfm_format *fmt)
{
	struct folder *folder, *next;

	list_for_each_entry_safe(folder, next, &fmt_folders, node) {
		if (folder->fmt == fmt) {
			list_del(&folder->node);
			folder_remove(folder);
		}
	}
}

/**
 * pfm_sysfs_init - create /sys/kernel/perfmon
 * @groups: attribute groups to add to the folder beside the file "version"; ends with
 *	NULL
 *
 * Context: process; may sleep.
 * Return: 0 or -errno.
 */
int pfm_sysfs_init(const struct attribute_group **groups)
{
	int ret = -ENOMEM;

	top = kobject_create_and_add("perfmon", kernel_kobj);
	if (!top)
		return -ENOMEM;
	pmu_top = kobject_create_and_add("pmu", top);
	if (!pmu_top)
		goto out_put_top;
	fmt_top = kobject_create_and_add("formats", top);
	if (!fmt_top)
		goto out_put_pmu;
	ret = sysfs_create_group(top, &top_group);
	if (!ret)
		ret = sysfs_create_groups(top, groups);
	if (ret)
		goto out_put_fmt;
	return 0;

out_put_fmt:
	kobject_put(fmt_top);
out_put_pmu:
	kobject_put(pmu_top);
out_put_top:
	kobject_put(top);
	return ret;
}

/** pfm_sysfs_exit - remove /sys/kernel/perfmon; no description is registered */
void pfm_sysfs_exit(void)
{
	kobject_put(fmt_top);
	kobject_put(pmu_top);
	kobject_put(top);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Policy: the rights that the administrator gives to users without CAP_PERFMON, and how often they
 * may interrupt the machine by a timer.  Each ioctl asks for the present rights, so a change
 * affects only what is loaded or written afterwards.
 */
#include "target/policy.h"

#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/export.h>
#include <linux/kobject.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/nsproxy.h>
#include <linux/perfmon.h>
#include <linux/security.h>
#include <linux/sysfs.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <perfmon/pmu.h>

#include "core/context.h"
#include "core/interrupt.h"
#include "core/pmu.h"

/* Groups whose members may monitor CPUs, and threads; -1 stands for no group. */
static gid_t sys_group = -1;
static gid_t task_group = -1;

/* Group whose members take registers from others as a caller with CAP_PERFMON does; -1: none. */
static gid_t take_group = -1;

/* PMDs that are for contexts of CPUs only. */
static DECLARE_BITMAP(reserved, PFM_REGS_MAX);
/* Protects the bitmap above; process context. */
static DEFINE_MUTEX(reserved_lock);

/* All users may count kernel code. */
static bool kernel_level;

/* Processes of a container may monitor its cgroup on any CPU. */
static bool own_cgroup;

/*
 * Shortest time from where a timer is set until it expires, ns, and the range of that.  The
 * default is that of perf's clocks.
 */
#define TIMER_MIN_DEFAULT 10000
#define TIMER_MIN_LOW	  1000
#define TIMER_MIN_HIGH	  1000000
static unsigned int timer_min = TIMER_MIN_DEFAULT;
/* The least that it is, in interrupts. */
#define TIMER_MIN_COSTS 4

static bool in_group(gid_t gid)
{
	return gid != (gid_t)-1 && in_egroup_p(KGIDT_INIT(gid));
}

/**
 * pfm_policy_cpus - check whether the caller may monitor CPUs, that is, all users'
 * tasks
 *
 * Context: process.
 * Return: true for a caller with CAP_PERFMON or in the group sys_group.
 */
bool pfm_policy_cpus(void)
{
	return in_group(READ_ONCE(sys_group)) || perfmon_capable();
}

/**
 * pfm_policy_cgroup - check whether the caller may monitor a cgroup on all CPUs because it is in a
 * container that has this cgroup
 * @cgroup: the cgroup; NULL stands for all tasks
 *
 * A container has the cgroup below which its cgroup namespace shows the hierarchy, and all cgroups
 * below that one.
 *
 * Context: process.
 * Return: true if the policy says so, the caller may monitor threads, and the cgroup is not that of
 * the whole system.
 */
bool pfm_policy_cgroup(struct cgroup *cgroup)
{
#ifdef CONFIG_CGROUPS
	struct cgroup *top;

	if (!cgroup || !READ_ONCE(own_cgroup) || !pfm_policy_threads())
		return false;
	/* The caller's own namespace, which it keeps meanwhile, and which keeps the css_set. */
	top = current->nsproxy->cgroup_ns->root_cset->dfl_cgrp;
	return top->level && cgroup_is_descendant(cgroup, top);
#else
	return false;
#endif
}

/**
 * pfm_policy_threads - check whether the caller may monitor any threads at all
 *
 * Context: process.
 * Return: true when task_group is not set, or for a caller in that group or with
 * CAP_PERFMON.
 */
bool pfm_policy_threads(void)
{
	gid_t gid = READ_ONCE(task_group);

	return gid == (gid_t)-1 || in_group(gid) || perfmon_capable();
}

/**
 * pfm_policy_take - check whether the caller may take registers from sessions of others
 *
 * Context: process.
 * Return: true for a caller with CAP_PERFMON or in the group take_group.
 */
bool pfm_policy_take(void)
{
	return in_group(READ_ONCE(take_group)) || perfmon_capable();
}

/**
 * pfm_policy_get_reserved - tell which registers contexts of threads may not use
 * @pmds: out: numbers of PMDs
 *
 * Context: process; may sleep.
 */
void pfm_policy_get_reserved(unsigned long *pmds)
{
	mutex_lock(&reserved_lock);
	bitmap_copy(pmds, reserved, PFM_REGS_MAX);
	mutex_unlock(&reserved_lock);
}

/**
 * pfm_policy_reserved - check whether registers are for contexts of CPUs only
 * @holds: parts of the hardware, see struct pfm_layout
 *
 * Context: process; may sleep.
 * Return: true if one of the PMDs that occupy these parts is.
 */
bool pfm_policy_reserved(const u64 *holds)
{
	DECLARE_BITMAP(pmds, PFM_REGS_MAX) = {};
	bool any = false;

	mutex_lock(&reserved_lock);
	/* Mostly none is, so the PMDs need not be found. */
	if (!bitmap_empty(reserved, PFM_REGS_MAX)) {
		pfm_pmu_occupants(holds, pmds);
		any = bitmap_intersects(reserved, pmds, PFM_REGS_MAX);
	}
	mutex_unlock(&reserved_lock);
	return any;
}

/**
 * pfm_policy_kernel - check whether the caller may count more than user-level code
 *
 * Context: process.
 * Return: true for a caller with CAP_PERFMON, or when all users may.
 */
bool pfm_policy_kernel(void)
{
	return READ_ONCE(kernel_level) || perfmon_capable();
}

/**
 * pfm_policy_kernel_open - check whether all users may count kernel code
 *
 * For handlers of formats, which run on behalf of no caller.
 *
 * Context: any.
 * Return: true when the policy says so.
 */
bool pfm_policy_kernel_open(void)
{
	return READ_ONCE(kernel_level);
}

/**
 * pfm_policy_sees_kernel - check whether the caller's contexts may show the kernel's state
 *
 * The state is what a sample has of the kernel: registers, addresses, call stack, and physical
 * addresses.  Where the kernel is locked down for confidentiality nobody may see it.  The kernel
 * logs the name of a caller with CAP_PERFMON then.
 *
 * Context: process.
 * Return: true for a caller with CAP_PERFMON, unless the kernel is locked down.
 */
bool pfm_policy_sees_kernel(void)
{
	return perfmon_capable() && !security_locked_down(LOCKDOWN_PERF);
}

/**
 * pfm_policy_samples_locked - check whether only lockdown hides the kernel in a context's samples
 * @ctx: the context
 *
 * Such a context is refused samples of kernel code: its creator expects addresses, and would get
 * zeros.
 *
 * Context: any.
 * Return: true if the context samples, and its creator has CAP_PERFMON but may not see the kernel.
 */
bool pfm_policy_samples_locked(const struct pfm_context *ctx)
{
	return ctx->fmt && ctx->privileged && !ctx->sees_kernel;
}

u64 pfm_policy_timer_min(void)
{
	/* On a slow machine an interrupt would be late for the one that it has set. */
	return max(READ_ONCE(timer_min), TIMER_MIN_COSTS * pfm_interrupt_least());
}
EXPORT_SYMBOL_GPL(pfm_policy_timer_min);

/*
 * Root in a container may have write permission, but must not set the system's policy.
 */
static int check_writer(void)
{
	return capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

static ssize_t group_show(gid_t gid, char *buf)
{
	if (gid == (gid_t)-1)
		return sysfs_emit(buf, "-1\n");
	return sysfs_emit(buf, "%u\n", gid);
}

static ssize_t group_store(gid_t *gid, const char *buf, size_t size)
{
	long long number;
	int ret;

	ret = check_writer();
	if (!ret)
		ret = kstrtoll(buf, 0, &number);
	if (ret)
		return ret;
	if (number < -1 || number >= U32_MAX)
		return -ERANGE;
	WRITE_ONCE(*gid, number);
	return size;
}

static ssize_t sys_group_show(struct kobject *kobj, struct kobj_attribute *attr,
			      char *buf)
{
	return group_show(READ_ONCE(sys_group), buf);
}

static ssize_t sys_group_store(struct kobject *kobj,
			       struct kobj_attribute *attr, const char *buf,
			       size_t size)
{
	return group_store(&sys_group, buf, size);
}

static ssize_t task_group_show(struct kobject *kobj,
			       struct kobj_attribute *attr, char *buf)
{
	return group_show(READ_ONCE(task_group), buf);
}

static ssize_t task_group_store(struct kobject *kobj,
				struct kobj_attribute *attr, const char *buf,
				size_t size)
{
	return group_store(&task_group, buf, size);
}

static ssize_t take_group_show(struct kobject *kobj,
			       struct kobj_attribute *attr, char *buf)
{
	return group_show(READ_ONCE(take_group), buf);
}

static ssize_t take_group_store(struct kobject *kobj,
				struct kobj_attribute *attr, const char *buf,
				size_t size)
{
	return group_store(&take_group, buf, size);
}

static ssize_t reserved_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	DECLARE_BITMAP(pmds, PFM_REGS_MAX);

	pfm_policy_get_reserved(pmds);
	return sysfs_emit(buf, "%*pbl\n", PFM_REGS_MAX, pmds);
}

/* Sessions that hold such a register already keep it. */
static ssize_t reserved_store(struct kobject *kobj, struct kobj_attribute *attr,
			      const char *buf, size_t size)
{
	DECLARE_BITMAP(pmds, PFM_REGS_MAX);
	int ret;

	ret = check_writer();
	if (!ret)
		ret = bitmap_parselist(buf, pmds, PFM_REGS_MAX);
	if (ret)
		return ret;
	mutex_lock(&reserved_lock);
	bitmap_copy(reserved, pmds, PFM_REGS_MAX);
	mutex_unlock(&reserved_lock);
	return size;
}

static ssize_t kernel_level_show(struct kobject *kobj,
				 struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(kernel_level));
}

static ssize_t bool_store(bool *to, const char *buf, size_t size)
{
	bool value;
	int ret;

	ret = check_writer();
	if (!ret)
		ret = kstrtobool(buf, &value);
	if (ret)
		return ret;
	WRITE_ONCE(*to, value);
	return size;
}

static ssize_t kernel_level_store(struct kobject *kobj,
				  struct kobj_attribute *attr, const char *buf,
				  size_t size)
{
	return bool_store(&kernel_level, buf, size);
}

static ssize_t own_cgroup_show(struct kobject *kobj,
			       struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(own_cgroup));
}

static ssize_t own_cgroup_store(struct kobject *kobj,
				struct kobj_attribute *attr, const char *buf,
				size_t size)
{
	return bool_store(&own_cgroup, buf, size);
}

static ssize_t timer_min_ns_show(struct kobject *kobj,
				 struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(timer_min));
}

static ssize_t timer_min_ns_store(struct kobject *kobj,
				  struct kobj_attribute *attr, const char *buf,
				  size_t size)
{
	unsigned int value;
	int ret;

	ret = check_writer();
	if (!ret)
		ret = kstrtouint(buf, 0, &value);
	if (ret)
		return ret;
	if (value < TIMER_MIN_LOW || value > TIMER_MIN_HIGH)
		return -ERANGE;
	WRITE_ONCE(timer_min, value);
	return size;
}

static struct kobj_attribute sys_group_attr = __ATTR_RW(sys_group);
static struct kobj_attribute task_group_attr = __ATTR_RW(task_group);
static struct kobj_attribute take_group_attr = __ATTR_RW(take_group);
static struct kobj_attribute reserved_attr = __ATTR_RW(reserved);
static struct kobj_attribute kernel_level_attr = __ATTR_RW(kernel_level);
static struct kobj_attribute own_cgroup_attr = __ATTR_RW(own_cgroup);
static struct kobj_attribute timer_min_ns_attr = __ATTR_RW(timer_min_ns);

static struct attribute *policy_attrs[] = {
	&sys_group_attr.attr,
	&task_group_attr.attr,
	&take_group_attr.attr,
	&reserved_attr.attr,
	&kernel_level_attr.attr,
	&own_cgroup_attr.attr,
	&timer_min_ns_attr.attr,
	NULL,
};

/* The folder /sys/kernel/perfmon/policy. */
const struct attribute_group pfm_policy_group = {
	.name = "policy",
	.attrs = policy_attrs,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probes on tracepoints of the kernel, registered while a context needs them.
 *
 * The tracepoints are not exported, so a module cannot name them.  But it may walk over
 * all tracepoints of the kernel and register its probes on those with the right names.
 *
 * Registering patches kernel code.  So the probes stay registered for LINGER jiffies after
 * their last user has gone (or less, if the delay began when an earlier last user had
 * gone).  A program that measures in a loop does not cause a patch each time.
 */
#include "cpu/tracepoints.h"

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#define LINGER HZ

/**
 * struct group - probes that are registered together
 * @table: the probes, in the order of their registration; constant once set
 * @n: number of elements of @table
 * @gone: called in process context after the probes were unregistered; constant
 * @found: the kernel has all tracepoints that it must have; constant
 * @settle: what is going on in interrupts when the probes have been registered must end before
 *	a user relies on them; constant
 * @registered: the probes are registered; probes_lock
 * @users: number of claims on the probes
 * @linger_work: unregisters the probes
 */
struct group {
	struct pfm_tracepoint *table;
	size_t n;
	void (*gone)(void);
	bool found;
	bool settle;
	bool registered;
	atomic_t users;
	struct delayed_work linger_work;
};

static struct group groups[PFM_PROBES];

/* Process context, taken below pfm_context.lock. */
static DEFINE_MUTEX(probes_lock);

static void unregister_first(const struct group *group, size_t n)
{
	const struct pfm_tracepoint *table = group->table;

	while (n--) {
		if (table[n].tp)
			tracepoint_probe_unregister(table[n].tp, table[n].probe,
						    NULL);
	}
}

static int register_all(const struct group *group)
{
	const struct pfm_tracepoint *table = group->table;
	size_t i;
	int ret;

	if (!group->found)
		return -EOPNOTSUPP;
	for (i = 0; i < group->n; i++) {
		ret = table[i].tp
			      ? tracepoint_probe_register(table[i].tp,
							  table[i].probe, NULL)
			      : 0;
		if (ret) {
			unregister_first(group, i);
			return ret;
		}
	}
	return 0;
}

static void unregister_unused(struct group *group)
{
	mutex_lock(&probes_lock);
	if (group->registered && !atomic_read(&group->users)) {
		unregister_first(group, group->n);
		group->registered = false;
		/* Each CPU must be past its last probe. */
		tracepoint_synchronize_unregister();
		group->gone();
	}
	mutex_unlock(&probes_lock);
}

static void linger_over(struct work_struct *work)
{
	struct delayed_work *linger = to_delayed_work(work);

	unregister_unused(container_of(linger, struct group, linger_work));
}

/**
 * pfm_tracepoints_get - register probes, or keep them registered
 * @which: the probes
 *
 * Context: process; may sleep.
 * Return: 0, and pfm_tracepoints_put() has to be called later; -EOPNOTSUPP when this kernel lacks
 * one of the tracepoints; or -errno of the kernel's tracepoint functions.
 */
int pfm_tracepoints_get(enum pfm_probes which)
{
	struct group *group = &groups[which];
	int ret = 0;

	mutex_lock(&probes_lock);
	if (!group->registered) {
		ret = register_all(group);
		/* Z2 */
		if (!ret && group->settle)
			synchronize_rcu();
	}
	if (!ret) {
		group->registered = true;
		atomic_inc(&group->users);
	}
	mutex_unlock(&probes_lock);
	return ret;
}

/**
 * pfm_tracepoints_put - drop a claim on probes
 * @which: the probes
 *
 * Context: any but NMI; also under pfm_context.targets_lock, in a probe.
 */
void pfm_tracepoints_put(enum pfm_probes which)
{
	struct group *group = &groups[which];

	if (atomic_dec_and_test(&group->users))
		schedule_delayed_work(&group->linger_work, LINGER);
}

static void match(struct tracepoint *tp, void *arg)
{
	const struct group *group = arg;
	size_t i;

	for (i = 0; i < group->n; i++) {
		if (!strcmp(tp->name, group->table[i].name))
			group->table[i].tp = tp;
	}
}

/**
 * pfm_tracepoints_init - find the tracepoints for probes
 * @which: the probes
 * @table: the probes, in the order of their registration; stays in use
 * @n: number of elements of @table
 * @settle: after their registration, wait until all interrupts have ended that came before
 * @gone: called in process context after the probes were unregistered
 *
 * Return: 0; -EOPNOTSUPP when this kernel lacks one of the tracepoints that are not optional.
 */
int pfm_tracepoints_init(enum pfm_probes which, struct pfm_tracepoint *table,
			 size_t n, bool settle, void (*gone)(void))
{
	struct group *group = &groups[which];
	size_t i;

	group->table = table;
	group->n = n;
	group->settle = settle;
	group->gone = gone;
	INIT_DELAYED_WORK(&group->linger_work, linger_over);
	for_each_kernel_tracepoint(match, group);
	for (i = 0; i < n; i++) {
		if (!table[i].tp && !table[i].optional)
			return -EOPNOTSUPP;
	}
	group->found = true;
	return 0;
}

/**
 * pfm_tracepoints_exit - unregister all probes; none runs any more when this returns
 */
void pfm_tracepoints_exit(void)
{
	enum pfm_probes which;

	for (which = 0; which < PFM_PROBES; which++) {
		cancel_delayed_work_sync(&groups[which].linger_work);
		unregister_unused(&groups[which]);
	}
	tracepoint_synchronize_unregister();
}

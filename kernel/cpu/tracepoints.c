// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probes on the scheduler's tracepoints, registered while a context needs them.
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
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#define LINGER HZ

static struct pfm_tracepoint *probes;
static size_t nprobes;
static void (*gone)(void);

/* Protects registered; process context, taken below pfm_context.lock. */
static DEFINE_MUTEX(probes_lock);
static bool registered;
static atomic_t users;

static void unregister_first(size_t n)
{
	while (n--)
		tracepoint_probe_unregister(probes[n].tp, probes[n].probe,
					    NULL);
}

static int register_all(void)
{
	size_t i;
	int ret;

	for (i = 0; i < nprobes; i++) {
		ret = tracepoint_probe_register(probes[i].tp, probes[i].probe,
						NULL);
		if (ret) {
			unregister_first(i);
			return ret;
		}
	}
	return 0;
}

static void linger_over(struct work_struct *work)
{
	mutex_lock(&probes_lock);
	if (registered && !atomic_read(&users)) {
		unregister_first(nprobes);
		registered = false;
		/* Each CPU must be past its last probe. */
		tracepoint_synchronize_unregister();
		gone();
	}
	mutex_unlock(&probes_lock);
}

static DECLARE_DELAYED_WORK(linger_work, linger_over);

/**
 * pfm_tracepoints_get - register the probes, or keep them registered
 *
 * Context: process; may sleep.
 * Return: 0, and pfm_tracepoints_put() has to be called later; or -errno of the
 * kernel's tracepoint functions.
 */
int pfm_tracepoints_get(void)
{
	int ret = 0;

	mutex_lock(&probes_lock);
	if (!registered)
		ret = register_all();
	if (!ret) {
		registered = true;
		atomic_inc(&users);
	}
	mutex_unlock(&probes_lock);
	return ret;
}

/**
 * pfm_tracepoints_put - drop a claim on the probes
 *
 * Context: any but NMI; also under pfm_context.targets_lock, in a probe.
 */
void pfm_tracepoints_put(void)
{
	if (atomic_dec_and_test(&users))
		schedule_delayed_work(&linger_work, LINGER);
}

static void match(struct tracepoint *tp, void *found)
{
	size_t i;

	for (i = 0; i < nprobes; i++) {
		if (!strcmp(tp->name, probes[i].name)) {
			probes[i].tp = tp;
			++*(size_t *)found;
		}
	}
}

/**
 * pfm_tracepoints_init - find the tracepoints for the probes
 * @table: the probes, in the order of their registration; stays in use
 * @n: number of elements of @table
 * @unregistered: called in process context after the probes were unregistered
 *
 * Return: 0; -EOPNOTSUPP when this kernel lacks one of the tracepoints.
 */
int pfm_tracepoints_init(struct pfm_tracepoint *table, size_t n,
			 void (*unregistered)(void))
{
	size_t found = 0;

	probes = table;
	nprobes = n;
	gone = unregistered;
	for_each_kernel_tracepoint(match, &found);
	if (found != nprobes) {
		pr_err("this kernel lacks the scheduler's tracepoints (CONFIG_TRACEPOINTS)\n");
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * pfm_tracepoints_exit - unregister the probes; none runs any more when this returns
 */
void pfm_tracepoints_exit(void)
{
	cancel_delayed_work_sync(&linger_work);
	linger_over(NULL);
	tracepoint_synchronize_unregister();
}

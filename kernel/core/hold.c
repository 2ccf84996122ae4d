// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware that perfmon takes from its owner while contexts use it: see perfmon/hold.h.
 */
#include "hold.h"

#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/reboot.h>
#include <linux/smp.h>
#include <linux/syscore_ops.h>
#include <perfmon/hold.h>

#include "compat.h"

/*
 * Holds in the order in which they began.  A suspend walks over the list with interrupts off, and
 * no lock: it stops the other CPUs and freezes all tasks before.
 */
static LIST_HEAD(suspends);
static DEFINE_MUTEX(suspends_lock);

static void give_back(struct pfm_hold *hold)
{
	mutex_lock(&hold->lock);
	if (hold->held && !atomic_read(&hold->holders)) {
		cpus_read_lock();
		hold->ops->give();
		hold->held = false;
		cpus_read_unlock();
		if (hold->ops->left)
			hold->ops->left(0);
	}
	mutex_unlock(&hold->lock);
}

static void give_back_fn(struct work_struct *work)
{
	give_back(container_of(work, struct pfm_hold, give_back));
}

static int take(struct pfm_hold *hold)
{
	const struct pfm_hold_ops *ops = hold->ops;
	int ret;

	ret = ops->prepare ? ops->prepare() : 0;
	if (ret)
		return ret;
	cpus_read_lock();
	ret = ops->take();
	hold->held = !ret;
	cpus_read_unlock();
	if (ret && ops->left)
		ops->left(ret);
	if (!ret && ops->taken)
		ops->taken();
	return ret;
}

int pfm_hold_acquire(struct pfm_hold *hold)
{
	int ret = 0;

	mutex_lock(&hold->lock);
	if (!hold->held)
		ret = take(hold);
	if (!ret)
		atomic_inc(&hold->holders);
	mutex_unlock(&hold->lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pfm_hold_acquire);

void pfm_hold_release(struct pfm_hold *hold)
{
	if (atomic_dec_and_test(&hold->holders))
		schedule_work(&hold->give_back);
}
EXPORT_SYMBOL_GPL(pfm_hold_release);

void pfm_hold_settle(struct pfm_hold *hold)
{
	/* K3 */
	cancel_work(&hold->give_back);
	give_back(hold);
}
EXPORT_SYMBOL_GPL(pfm_hold_settle);

static int online(unsigned int cpu, struct hlist_node *node)
{
	return hlist_entry(node, struct pfm_hold, node)->ops->online(cpu);
}

static int offline(unsigned int cpu, struct hlist_node *node)
{
	const struct pfm_hold *hold = hlist_entry(node, struct pfm_hold, node);

	if (hold->ops->offline)
		hold->ops->offline(cpu);
	return 0;
}

static int going_down(struct notifier_block *block, unsigned long event,
		      void *data)
{
	const struct pfm_hold *hold =
		container_of(block, struct pfm_hold, reboot);

	if (hold->ops->quiet)
		on_each_cpu(hold->ops->quiet, NULL, 1);
	return NOTIFY_DONE;
}

static PFM_SYSCORE_SUSPEND(suspend)
{
	const struct pfm_hold *hold;

	list_for_each_entry_reverse(hold, &suspends, suspend) {
		if (hold->ops->suspend)
			hold->ops->suspend();
	}
	return 0;
}

static PFM_SYSCORE_RESUME(resume)
{
	const struct pfm_hold *hold;

	list_for_each_entry(hold, &suspends, suspend) {
		if (hold->ops->resume)
			hold->ops->resume();
	}
}

PFM_SYSCORE_DEFINE(syscore, suspend, resume);

static void suspends_add(struct pfm_hold *hold)
{
	mutex_lock(&suspends_lock);
	list_add_tail(&hold->suspend, &suspends);
	mutex_unlock(&suspends_lock);
}

static void suspends_del(struct pfm_hold *hold)
{
	mutex_lock(&suspends_lock);
	list_del(&hold->suspend);
	mutex_unlock(&suspends_lock);
}

int pfm_hold_begin(struct pfm_hold *hold, const struct pfm_hold_ops *ops,
		   const char *name)
{
	int ret;

	*hold = (struct pfm_hold){
		.ops = ops,
		.holders = ATOMIC_INIT(0),
		.reboot = { .notifier_call = going_down, .priority = INT_MIN },
	};
	mutex_init(&hold->lock);
	INIT_WORK(&hold->give_back, give_back_fn);
	ret = register_reboot_notifier(&hold->reboot);
	if (ret)
		return ret;
	ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, name, online,
				      offline);
	if (ret < 0)
		goto out_reboot;
	hold->hotplug = ret;
	ret = cpuhp_state_add_instance(hold->hotplug, &hold->node);
	if (ret)
		goto out_state;
	suspends_add(hold);
	return 0;

out_state:
	cpuhp_remove_multi_state(hold->hotplug);
out_reboot:
	unregister_reboot_notifier(&hold->reboot);
	return ret;
}
EXPORT_SYMBOL_GPL(pfm_hold_begin);

void pfm_hold_end(struct pfm_hold *hold)
{
	suspends_del(hold);
	/* A CPU that comes online needs the callback as long as this is not done. */
	pfm_hold_settle(hold);
	cpuhp_state_remove_instance(hold->hotplug, &hold->node);
	cpuhp_remove_multi_state(hold->hotplug);
	flush_work(&hold->give_back);
	unregister_reboot_notifier(&hold->reboot);
}
EXPORT_SYMBOL_GPL(pfm_hold_end);

/** pfm_hold_init - prepare for holds; no PMU module is loaded */
void pfm_hold_init(void)
{
	pfm_syscore_register(&syscore);
}

/** pfm_hold_exit - undo pfm_hold_init(); no PMU module is loaded */
void pfm_hold_exit(void)
{
	pfm_syscore_unregister(&syscore);
}

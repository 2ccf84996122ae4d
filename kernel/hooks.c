// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's scheduler tracepoints, while somebody needs them.
 *
 * Modules cannot name these tracepoints, as they are not exported, but may walk
 * all of the kernel's and register a probe on the ones with the right names.
 * The compiler checks the probes' prototypes against the kernel's headers.
 *
 * Registering patches kernel code, so the probes stay for LINGER after their
 * last user (or the one before): a program that measures in a loop does not pay for
 * it each time.
 */
#include "hooks.h"

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "follow.h"
#include "page.h"
#include "probe.h"

#define LINGER HZ

/**
 * struct hook - a tracepoint and our probe on it
 * @name: the tracepoint's
 * @probe: our function
 * @tp: the tracepoint, once found; constant from then on
 */
struct hook {
	const char *name;
	void *probe;
	struct tracepoint *tp;
};

/*
 * In order of registration: when sched_switch brings counts in, the probes that
 * end a task's life are there already.
 */
static struct hook hooks[] = {
	{ "sched_process_exit", pfm_follow_exit },
	{ "sched_process_exec", pfm_follow_exec },
	{ "task_newtask", pfm_follow_fork },
	{ "sched_switch", pfm_probe_switch },
};

/* Protects registered; taken below pfm_context.lock. */
static DEFINE_MUTEX(hooks_lock);
static bool registered;
static atomic_t users;

static void unregister_first(size_t n)
{
	while (n--)
		tracepoint_probe_unregister(hooks[n].tp, hooks[n].probe, NULL);
}

static int register_all(void)
{
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		ret = tracepoint_probe_register(hooks[i].tp, hooks[i].probe,
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
	mutex_lock(&hooks_lock);
	if (registered && !atomic_read(&users)) {
		unregister_first(ARRAY_SIZE(hooks));
		registered = false;
		pfm_page_deny_all();
	}
	mutex_unlock(&hooks_lock);
}

static DECLARE_DELAYED_WORK(linger_work, linger_over);

/**
 * pfm_hooks_get - have the probes registered
 *
 * Return: 0 or the tracepoint code's error; balance with pfm_hooks_put().
 */
int pfm_hooks_get(void)
{
	int ret = 0;

	mutex_lock(&hooks_lock);
	if (!registered)
		ret = register_all();
	if (!ret) {
		registered = true;
		atomic_inc(&users);
	}
	mutex_unlock(&hooks_lock);
	return ret;
}

/**
 * pfm_hooks_put - the probes are not needed any more
 *
 * Context: any but NMI; also under pfm_context.links_lock, in a probe.
 */
void pfm_hooks_put(void)
{
	if (atomic_dec_and_test(&users))
		schedule_delayed_work(&linger_work, LINGER);
}

static void match(struct tracepoint *tp, void *found)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!strcmp(tp->name, hooks[i].name)) {
			hooks[i].tp = tp;
			++*(size_t *)found;
		}
	}
}

static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_sched_process_exit(pfm_follow_exit);
	check_trace_callback_type_sched_process_exec(pfm_follow_exec);
	check_trace_callback_type_task_newtask(pfm_follow_fork);
	check_trace_callback_type_sched_switch(pfm_probe_switch);
}

/**
 * pfm_hooks_init - find the tracepoints
 *
 * Return: 0; -EOPNOTSUPP when this kernel has none of a name that we need.
 */
int pfm_hooks_init(void)
{
	size_t found = 0;

	for_each_kernel_tracepoint(match, &found);
	if (found != ARRAY_SIZE(hooks)) {
		pr_err("this kernel lacks the scheduler's tracepoints (CONFIG_TRACEPOINTS)\n");
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * pfm_hooks_exit - no probe runs any more when this returns
 */
void pfm_hooks_exit(void)
{
	cancel_delayed_work_sync(&linger_work);
	linger_over(NULL);
	tracepoint_synchronize_unregister();
}

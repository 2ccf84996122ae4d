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
#include "cpu/tracepoints.h"

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "attach/follow.h"
#include "cpu/sched_switch.h"
#include "user/user_page.h"

#define LINGER HZ

/**
 * struct probe - a tracepoint and our probe on it
 * @name: the tracepoint's
 * @probe: our function
 * @tp: the tracepoint, once found; constant from then on
 */
struct probe {
	const char *name;
	void *probe;
	struct tracepoint *tp;
};

/*
 * In order of registration: when sched_switch brings counts in, the probes that
 * end a task's life are there already.
 */
static struct probe probes[] = {
	{ "sched_process_exit", pfm_follow_exit },
	{ "sched_process_exec", pfm_follow_exec },
	{ "task_newtask", pfm_follow_fork },
	{ "sched_switch", pfm_sched_switch },
};

/* Protects registered; taken below pfm_context.lock. */
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

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
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
		unregister_first(ARRAY_SIZE(probes));
		registered = false;
		pfm_user_page_deny_all();
	}
	mutex_unlock(&probes_lock);
}

static DECLARE_DELAYED_WORK(linger_work, linger_over);

/**
 * pfm_tracepoints_get - have the probes registered
 *
 * Return: 0 or the tracepoint code's error; balance with pfm_tracepoints_put().
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
 * pfm_tracepoints_put - the probes are not needed any more
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

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!strcmp(tp->name, probes[i].name)) {
			probes[i].tp = tp;
			++*(size_t *)found;
		}
	}
}

static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_sched_process_exit(pfm_follow_exit);
	check_trace_callback_type_sched_process_exec(pfm_follow_exec);
	check_trace_callback_type_task_newtask(pfm_follow_fork);
	check_trace_callback_type_sched_switch(pfm_sched_switch);
}

/**
 * pfm_tracepoints_init - find the tracepoints
 *
 * Return: 0; -EOPNOTSUPP when this kernel has none of a name that we need.
 */
int pfm_tracepoints_init(void)
{
	size_t found = 0;

	for_each_kernel_tracepoint(match, &found);
	if (found != ARRAY_SIZE(probes)) {
		pr_err("this kernel lacks the scheduler's tracepoints (CONFIG_TRACEPOINTS)\n");
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * pfm_tracepoints_exit - no probe runs any more when this returns
 */
void pfm_tracepoints_exit(void)
{
	cancel_delayed_work_sync(&linger_work);
	linger_over(NULL);
	tracepoint_synchronize_unregister();
}

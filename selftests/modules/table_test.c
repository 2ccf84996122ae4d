// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of targets by task, on its own: how long its chains are with many targets, and
 * that targets which stay are found at any moment while others come and go and the table
 * is replaced.
 *
 * Writing a number of targets to /sys/module/table_test/parameters/targets runs the test and
 * fails with EUCLEAN when something is wrong; the log says what.  What was seen is
 * in the other parameters.
 *
 * Context: process.  The targets are of tasks that do not exist: nobody looks at them but
 * the table.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

/* With its own copy of the functions under test: the core exports none. */
#include "target/table.c"

/* The core's is not exported.  No target here is in a further slot. */
atomic64_t pfm_switch_watch;

#define LINKS_MAX 1000000
/* The distance of tasks in memory, about. */
#define TASK_SIZE_TEST 4736
#define LOOKUPS	       20000
/* Targets that stay while the others come and go. */
#define STAY 16

static unsigned int longest;
module_param(longest, uint, 0444);
MODULE_PARM_DESC(longest, "links in the longest chain");

static unsigned int steps;
module_param(steps, uint, 0444);
MODULE_PARM_DESC(steps,
		 "links looked at to find one, a thousand times the mean");

static unsigned int buckets;
module_param(buckets, uint, 0444);
MODULE_PARM_DESC(buckets, "buckets at the most links");

static unsigned int miss_ns;
module_param(miss_ns, uint, 0444);
MODULE_PARM_DESC(miss_ns,
		 "nanoseconds of 1,000 look-ups of tasks without a link");

static unsigned int missed;
module_param(missed, uint, 0444);
MODULE_PARM_DESC(missed, "look-ups that did not find a link that was there");

/* The context of all targets; only its lock is used. */
static struct pfm_context *ctx;

/* A task that does not exist; only its address is used. */
static struct task_struct *task_at(unsigned long i)
{
	return (struct task_struct *)(PAGE_OFFSET + i * TASK_SIZE_TEST);
}

static void insert(struct pfm_target *target, unsigned long i)
{
	memset(target, 0, sizeof(*target));
	target->task = task_at(i);
	target->ctx = ctx;
	raw_spin_lock_irq(&ctx->targets_lock);
	if (pfm_table_insert(target))
		missed++;
	raw_spin_unlock_irq(&ctx->targets_lock);
}

static void take_out(struct pfm_target *target)
{
	local_irq_disable();
	pfm_table_remove(target);
	local_irq_enable();
}

static bool found(unsigned long i)
{
	bool ret;

	rcu_read_lock();
	ret = pfm_target_in_slot(task_at(i), 0);
	rcu_read_unlock();
	return ret;
}

/* Measure the lengths of the chains. */
static void look_at_chains(unsigned int n)
{
	const struct hlist_node *node;
	unsigned int i, length;
	u64 sum = 0;

	longest = 0;
	for (i = 0; i < table->size; i++) {
		length = 0;
		for (node = table->heads[i].first; node; node = node->next)
			sum += ++length;
		longest = max(longest, length);
	}
	steps = div_u64(sum * 1000, n);
	buckets = table->size;
}

static void time_misses(unsigned int n)
{
	unsigned long i;
	u64 begin;

	begin = ktime_get_ns();
	for (i = 0; i < LOOKUPS; i++) {
		if (found(n + i))
			missed++;
	}
	miss_ns = div_u64((ktime_get_ns() - begin) * 1000, LOOKUPS);
}

/* Looks for the targets that stay, until it is to stop. */
static int look(void *arg)
{
	unsigned long i;

	while (!kthread_should_stop()) {
		for (i = 0; i < STAY; i++) {
			if (!found(i))
				WRITE_ONCE(missed, missed + 1);
		}
		cond_resched();
	}
	return 0;
}

static int run(struct pfm_target *targets, unsigned int n)
{
	struct task_struct *looker;
	unsigned int i, round;

	for (i = 0; i < STAY; i++)
		insert(&targets[i], i);
	looker = kthread_run(look, NULL, "table_test");
	if (IS_ERR(looker))
		return PTR_ERR(looker);
	/* Twice: what is entered again has been in another table. */
	for (round = 0; round < 2; round++) {
		for (i = STAY; i < n; i++) {
			insert(&targets[i], i);
			if (!(i % 1024))
				cond_resched();
		}
		flush_work(&resize_work);
		look_at_chains(n);
		for (i = 0; i < n; i += 7) {
			if (!found(i))
				missed++;
		}
		time_misses(n);
		for (i = STAY; i < n; i++) {
			/* Not in the order in which they came. */
			take_out(&targets[i % 2 ? i : n - 1 - (i - STAY)]);
			if (!(i % 1024))
				cond_resched();
		}
		/* Those of odd numbers may be left, or those of even ones. */
		for (i = STAY; i < n; i++)
			take_out(&targets[i]);
		flush_work(&resize_work);
		for (i = STAY; i < n; i += 7) {
			if (found(i))
				missed++;
		}
		/* The look-ups may still be at targets that are about to be new. */
		synchronize_rcu();
	}
	kthread_stop(looker);
	for (i = 0; i < STAY; i++)
		take_out(&targets[i]);
	flush_work(&resize_work);
	return 0;
}

static int targets_set(const char *val, const struct kernel_param *kp)
{
	struct pfm_target *targets;
	unsigned int n;
	int ret;

	ret = kstrtouint(val, 0, &n);
	if (ret)
		return ret;
	if (n <= STAY || n > LINKS_MAX)
		return -ERANGE;
	targets = vmalloc(array_size(n, sizeof(*targets)));
	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);
	ret = -ENOMEM;
	if (!targets || !ctx)
		goto out_free;
	raw_spin_lock_init(&ctx->targets_lock);
	ret = pfm_table_init();
	if (ret)
		goto out_free;
	missed = 0;
	ret = run(targets, n);
	if (!ret && (missed || count || table->size != SIZE_MIN)) {
		pr_err("%u look-ups went wrong; %u links and %u buckets are left\n",
		       missed, count, table->size);
		ret = -EUCLEAN;
	}
	pfm_table_exit();
	/* Look-ups of the thread that was stopped. */
	synchronize_rcu();
out_free:
	kfree(ctx);
	vfree(targets);
	return ret;
}

static const struct kernel_param_ops targets_ops = { .set = targets_set };
module_param_cb(targets, &targets_ops, NULL, 0200);
MODULE_PARM_DESC(targets, "links to enter, now");

MODULE_DESCRIPTION("perfmon: test of the table of links");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling formats that do what a test tells them, wrong things included.
 *
 * A test makes a context with one of them, and the argument says what each
 * callback does; the buffer shows what the callbacks saw.  Commands written to
 * /sys/module/fmt_test/parameters/command register and unregister formats; a
 * write gives the error that the registry gave.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/perfmon_default.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <perfmon/format.h>

#include "fmt_test.h"

static_assert(FMT_TEST_NOTIFY == PFM_CTRL_NOTIFY);
static_assert(FMT_TEST_RESET == PFM_CTRL_RESET);
static_assert(FMT_TEST_MASK == PFM_CTRL_MASK);

/* Lanes that init made and exit did not take down. */
static atomic_t lanes;

/* The state of a lane; tests without a buffer count here. */
struct test_lane {
	struct fmt_test_arg arg;
	struct fmt_test_buf own;
};

static struct fmt_test_buf *buf_of(const struct pfm_lane *lane)
{
	struct test_lane *test = lane->priv;

	return lane->buf ?: &test->own;
}

static int test_validate(u32 flags, const void *arg)
{
	const struct fmt_test_arg *test = arg;

	if (test->nregs > FMT_TEST_REGS)
		return -EINVAL;
	if (test->size && test->size < sizeof(struct fmt_test_buf))
		return -EINVAL;
	return test->validate_ret;
}

static int test_getsize(u32 flags, const void *arg, size_t *size)
{
	const struct fmt_test_arg *test = arg;

	*size = test->size;
	return test->getsize_ret;
}

static int test_init(struct pfm_lane *lane, const void *arg)
{
	const struct fmt_test_arg *from = arg;
	struct test_lane *test;
	struct fmt_test_buf *buf;

	if (from->init_ret && lane->index == from->init_lane)
		return from->init_ret;
	test = kzalloc(sizeof(*test), GFP_KERNEL);
	if (!test)
		return -ENOMEM;
	test->arg = *from;
	lane->priv = test;
	buf = buf_of(lane);
	buf->size = lane->size;
	buf->index = lane->index;
	buf->nlanes = lane->nlanes;
	buf->flags = lane->flags;
	buf->kernel_ok = lane->kernel_ok;
	atomic_inc(&lanes);
	return 0;
}

static void test_exit(struct pfm_lane *lane)
{
	kfree(lane->priv);
	atomic_dec(&lanes);
}

static int do_op(const struct pfm_ovfl *ovfl, const struct fmt_test_arg *arg,
		 struct fmt_test_buf *buf)
{
	switch (arg->op) {
	case FMT_TEST_OP_READ_PMDS:
		memcpy(buf->regs, arg->regs, sizeof(buf->regs));
		return pfm_mod_read_pmds(ovfl, buf->regs, arg->nregs);
	case FMT_TEST_OP_WRITE_PMDS:
		return pfm_mod_write_pmds(ovfl, arg->regs, arg->nregs);
	case FMT_TEST_OP_WRITE_PMCS:
		return pfm_mod_write_pmcs(ovfl, arg->regs, arg->nregs);
	default:
		return 0;
	}
}

static int test_handler(const struct pfm_ovfl *ovfl)
{
	const struct test_lane *test = ovfl->lane->priv;
	struct fmt_test_buf *buf = buf_of(ovfl->lane);
	unsigned int us;

	buf->calls++;
	buf->max_regs = ovfl->lane->max_regs;
	buf->nvals = ovfl->nvals;
	if (!ovfl->regs)
		buf->regs_null++;
	if (ovfl->task == current)
		buf->same_task++;
	buf->ip = ovfl->ip;
	buf->tid = ovfl->tid;
	buf->pid = ovfl->pid;
	buf->tstamp = ovfl->tstamp;
	buf->cpu = ovfl->cpu;
	buf->set = ovfl->set;
	buf->pmd = ovfl->pmd;
	buf->last_reset = ovfl->last_reset;
	buf->eventid = ovfl->eventid;
	memcpy(buf->vals, ovfl->vals,
	       min_t(size_t, ovfl->nvals, FMT_TEST_REGS) * sizeof(u64));
	buf->op_ret = do_op(ovfl, &test->arg, buf);
	/* In pieces that udelay() can do. */
	for (us = test->arg.busy_us; us; us -= min(us, 1000U))
		udelay(min(us, 1000U));
	if (test->arg.every && buf->calls % test->arg.every == 0)
		return test->arg.every_ret;
	return test->arg.handler_ret;
}

static int test_restart(struct pfm_lane *lane, u64 arg, u32 *ctrl)
{
	const struct test_lane *test = lane->priv;
	struct fmt_test_buf *buf = buf_of(lane);

	buf->restarts++;
	buf->restart_arg = arg;
	*ctrl = test->arg.restart_ctrl;
	return test->arg.restart_ret;
}

static int bare_handler(const struct pfm_ovfl *ovfl)
{
	return PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
}

#define TEST_FORMAT(fmt_name, fmt_uuid)                             \
	{                                                           \
		.name = fmt_name, .uuid = fmt_uuid,                 \
		.version = FMT_TEST_VERSION,                        \
		.arg_size = sizeof(struct fmt_test_arg),            \
		.validate = test_validate, .getsize = test_getsize, \
		.init = test_init, .handler = test_handler,         \
		.restart = test_restart, .exit = test_exit,         \
		.owner = THIS_MODULE,                               \
	}

static struct pfm_format test_format = TEST_FORMAT("test", FMT_TEST_UUID);
static struct pfm_format extra_format =
	TEST_FORMAT("test-extra", FMT_TEST_EXTRA_UUID);
/* With PFM_FORMAT_SIMPLE; FMT_TEST_OP_* are not for it. */
static struct pfm_format simple_format =
	TEST_FORMAT("test-simple", FMT_TEST_SIMPLE_UUID);
static struct pfm_format bare_format = {
	.name = "test-bare",
	.uuid = FMT_TEST_BARE_UUID,
	.handler = bare_handler,
	.owner = THIS_MODULE,
};

/* Register something that is to be refused; undone if it is not. */
static int try_register(struct pfm_format *fmt)
{
	const int ret = pfm_register_format(fmt);

	if (!ret)
		pfm_unregister_format(fmt);
	return ret;
}

static int try_changed(const char *what)
{
	static const u8 default_uuid[] = PFM_DEFAULT_UUID;
	struct pfm_format fmt = TEST_FORMAT("test-other", FMT_TEST_EXTRA_UUID);

	fmt.uuid[PFM_UUID_LEN - 1] = 0xff;
	if (!strcmp(what, "nothing"))
		return try_register(&fmt);
	if (!strcmp(what, "name-null"))
		fmt.name = NULL;
	else if (!strcmp(what, "name-empty"))
		fmt.name = "";
	else if (!strcmp(what, "name-slash"))
		fmt.name = "../test";
	else if (!strcmp(what, "name-taken"))
		fmt.name = test_format.name;
	else if (!strcmp(what, "name-default"))
		fmt.name = "default";
	else if (!strcmp(what, "uuid-zero"))
		memset(fmt.uuid, 0, sizeof(fmt.uuid));
	else if (!strcmp(what, "uuid-taken"))
		memcpy(fmt.uuid, test_format.uuid, sizeof(fmt.uuid));
	else if (!strcmp(what, "uuid-default"))
		memcpy(fmt.uuid, default_uuid, sizeof(fmt.uuid));
	else if (!strcmp(what, "no-handler"))
		fmt.handler = NULL;
	else if (!strcmp(what, "arg-page"))
		fmt.arg_size = PAGE_SIZE;
	else if (!strcmp(what, "arg-beyond"))
		fmt.arg_size = PAGE_SIZE + 1;
	else
		return -ENOTTY;
	return try_register(&fmt);
}

/* Have the module's init fail after it registered its formats. */
static bool fail;
module_param(fail, bool, 0);
MODULE_PARM_DESC(fail, "wait for the command \"fail\", and do");
static DECLARE_COMPLETION(fail_now);

static int command_set(const char *val, const struct kernel_param *kp)
{
	char text[32];
	const char *what;

	strscpy(text, val, sizeof(text));
	what = strim(text);
	if (!strcmp(what, "register"))
		return pfm_register_format(&extra_format);
	if (!strcmp(what, "unregister"))
		return pfm_unregister_format(&extra_format);
	/* In use or not: the module's own is never given back before its exit. */
	if (!strcmp(what, "unregister-twin")) {
		struct pfm_format twin = test_format;

		return pfm_unregister_format(&twin);
	}
	if (!strncmp(what, "try-", 4))
		return try_changed(what + 4);
	if (!strcmp(what, "fail")) {
		complete(&fail_now);
		return 0;
	}
	return -ENOTTY;
}

static const struct kernel_param_ops command_ops = { .set = command_set };
module_param_cb(command, &command_ops, NULL, 0200);
MODULE_PARM_DESC(command, "what to register");

static int lanes_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&lanes));
}

static const struct kernel_param_ops lanes_ops = { .get = lanes_get };
module_param_cb(lanes, &lanes_ops, NULL, 0444);
MODULE_PARM_DESC(lanes, "lanes that exist");

static int __init fmt_test_init(void)
{
	int ret;

	ret = pfm_register_format(&test_format);
	if (ret)
		return ret;
	simple_format.flags = PFM_FORMAT_SIMPLE;
	ret = pfm_register_format(&simple_format);
	if (ret)
		goto out;
	ret = pfm_register_format(&bare_format);
	if (ret)
		goto out_simple;
	if (!fail)
		return 0;
	wait_for_completion_killable(&fail_now);
	/* Somebody uses what should not be his: better stay. */
	if (pfm_unregister_format(&bare_format))
		return 0;
	ret = -ENODEV;
out_simple:
	pfm_unregister_format(&simple_format);
out:
	pfm_unregister_format(&test_format);
	return ret;
}
module_init(fmt_test_init);

static void __exit fmt_test_exit(void)
{
	/* -ENOENT when no command registered it. */
	pfm_unregister_format(&extra_format);
	WARN_ON(pfm_unregister_format(&bare_format));
	WARN_ON(pfm_unregister_format(&simple_format));
	WARN_ON(pfm_unregister_format(&test_format));
	WARN_ON(atomic_read(&lanes));
}
module_exit(fmt_test_exit);

MODULE_ALIAS("perfmon-format-7e57f0a7-0000-4000-8000-000000000001");
MODULE_DESCRIPTION("perfmon: sampling formats for its tests");
MODULE_LICENSE("GPL");

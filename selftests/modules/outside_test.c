// SPDX-License-Identifier: GPL-2.0-only
/*
 * An NMI that is nobody's of the PMU: of a watchdog or a button, which nothing tells of, or of the
 * chipset, which then has a reason for the kernel to ask for.
 *
 * It claims those that nobody else has claimed, so that the kernel does not complain of them.
 *
 * Parameters, in /sys/module/outside_test/parameters:
 *   send     written: the CPU of the writer gets an NMI.  The number is the chipset's reason
 *            for it: 0 none, 128 an error of a bus (SERR)
 *   unknown  NMIs without a reason that the kernel did not find the owner of
 *   errors   NMIs for an error of a bus that the kernel was told of
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/mach_traps.h>
#include <asm/nmi.h>

static unsigned int reason;
static unsigned int unknown;
static unsigned int errors;
/* NMIs that the kernel has handled. */
static unsigned int handled;

/* Instead of the kernel's function that asks the chipset. */
static noinline unsigned char reason_instead(void)
{
	return READ_ONCE(reason);
}

static int asked(struct kprobe *probe, struct pt_regs *regs)
{
	regs->ip = (unsigned long)reason_instead;
	return 1;
}

/* With it the probe is one that may change where the kernel goes on. */
static void after(struct kprobe *probe, struct pt_regs *regs,
		  unsigned long flags)
{
}

static struct kprobe probe = {
	.symbol_name = "default_get_nmi_reason",
	.pre_handler = asked,
	.post_handler = after,
};

static int claim_unknown(unsigned int type, struct pt_regs *regs)
{
	WRITE_ONCE(unknown, unknown + 1);
	return NMI_HANDLED;
}

static int claim_error(unsigned int type, struct pt_regs *regs)
{
	WRITE_ONCE(errors, errors + 1);
	/* The chipset's is acknowledged, as the kernel does. */
	WRITE_ONCE(reason, 0);
	return NMI_HANDLED;
}

/* The first handler that the kernel calls. */
static int count(unsigned int type, struct pt_regs *regs)
{
	WRITE_ONCE(handled, handled + 1);
	return NMI_DONE;
}

static int send(const char *text, const struct kernel_param *kp)
{
	unsigned int before;
	u8 value;
	int ret;

	ret = kstrtou8(text, 0, &value);
	if (ret)
		return ret;
	preempt_disable();
	WRITE_ONCE(reason, value);
	before = READ_ONCE(handled);
	apic->send_IPI(smp_processor_id(), NMI_VECTOR);
	while (READ_ONCE(handled) == before)
		cpu_relax();
	WRITE_ONCE(reason, 0);
	preempt_enable();
	return 0;
}

static const struct kernel_param_ops send_ops = { .set = send };

module_param_cb(send, &send_ops, NULL, 0200);
MODULE_PARM_DESC(send,
		 "send an NMI to this CPU, with this reason of the chipset");
module_param(unknown, uint, 0444);
MODULE_PARM_DESC(unknown, "NMIs that nobody claimed, without a reason");
module_param(errors, uint, 0444);
MODULE_PARM_DESC(errors, "NMIs for an error of a bus");

static int __init outside_test_init(void)
{
	int ret;

	ret = register_nmi_handler(NMI_UNKNOWN, claim_unknown, 0,
				   "outside_test");
	if (ret)
		return ret;
	ret = register_nmi_handler(NMI_SERR, claim_error, 0, "outside_test");
	if (ret)
		goto out_unknown;
	ret = register_nmi_handler(NMI_LOCAL, count, NMI_FLAG_FIRST,
				   "outside_test");
	if (ret)
		goto out_error;
	ret = register_kprobe(&probe);
	if (ret)
		goto out_count;
	return 0;

out_count:
	unregister_nmi_handler(NMI_LOCAL, "outside_test");
out_error:
	unregister_nmi_handler(NMI_SERR, "outside_test");
out_unknown:
	unregister_nmi_handler(NMI_UNKNOWN, "outside_test");
	return ret;
}
module_init(outside_test_init);

static void __exit outside_test_exit(void)
{
	unregister_kprobe(&probe);
	unregister_nmi_handler(NMI_LOCAL, "outside_test");
	unregister_nmi_handler(NMI_SERR, "outside_test");
	unregister_nmi_handler(NMI_UNKNOWN, "outside_test");
}
module_exit(outside_test_exit);

MODULE_DESCRIPTION("perfmon: NMIs that are not the PMU's");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Others that write to the global control of x86 counters while perfmon has them.
 *
 * Parameters, in /sys/module/control_test/parameters:
 *   handler       on Intel's processors: do in each NMI what perf's handler does while perf has
 *                 an event of Intel PT: stop all counters, acknowledge all overflows, let all
 *                 counters run.  perf registers its handler when the kernel boots, so this
 *                 module has to be loaded before perfmon_intel
 *   run           written: let all counters of all CPUs run, as perf does on AMD's processors
 *                 when KVM switches virtualization on or off
 *   calls         calls of the handler that did this
 *   acknowledged  overflows that the handler has acknowledged
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <asm/processor.h>

#include "compat.h"

#define INTEL_STATUS  0x38e
#define INTEL_CONTROL 0x38f
#define INTEL_ACK     0x390
#define AMD_CONTROL   0xc0000301

static u32 control;
static u64 counters;
static bool handler;
static atomic_long_t calls;
static atomic_long_t acknowledged;

/* wrmsrl() has another name on later kernels. */
static void write(u32 msr, u64 value)
{
	wrmsr(msr, (u32)value, (u32)(value >> 32));
}

static int as_perf(unsigned int type, struct pt_regs *regs)
{
	unsigned int reads = 16;
	int handled = 0;

	if (!READ_ONCE(handler))
		return NMI_DONE;
	write(control, 0);
	while (reads--) {
		u32 low, high;
		u64 status;

		rdmsr(INTEL_STATUS, low, high);
		status = low | (u64)high << 32;
		if (!status)
			break;
		write(INTEL_ACK, status);
		handled += hweight64(status);
	}
	write(control, counters);
	/* As on Haswell and later: last. */
	apic->write(APIC_LVTPC, APIC_DM_NMI);
	atomic_long_inc(&calls);
	atomic_long_add(handled, &acknowledged);
	return handled;
}

static void run_here(void *unused)
{
	write(control, counters);
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	on_each_cpu(run_here, NULL, 1);
	return 0;
}

static int count_get(char *buf, const struct kernel_param *kp)
{
	return scnprintf(buf, PAGE_SIZE, "%ld\n", atomic_long_read(kp->arg));
}

static const struct kernel_param_ops run_ops = { .set = run_set };
static const struct kernel_param_ops count_ops = { .get = count_get };

module_param(handler, bool, 0644);
MODULE_PARM_DESC(handler, "do what perf's handler does");
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "let all counters run");
module_param_cb(calls, &count_ops, &calls, 0444);
MODULE_PARM_DESC(calls, "calls of the handler");
module_param_cb(acknowledged, &count_ops, &acknowledged, 0444);
MODULE_PARM_DESC(acknowledged, "overflows that the handler acknowledged");

/* The global control and all counters in it; -ENODEV where there is none. */
static int find_control(void)
{
	unsigned int a, b, c, d;

	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL) {
		cpuid(10, &a, &b, &c, &d);
		if ((a & 0xff) < 2)
			return -ENODEV;
		control = INTEL_CONTROL;
		counters = (BIT_ULL(a >> 8 & 0xff) - 1) |
			   (BIT_ULL(d & 0x1f) - 1) << 32;
		return 0;
	}
	if (cpuid_eax(0x80000000) < 0x80000022)
		return -ENODEV;
	cpuid(0x80000022, &a, &b, &c, &d);
	if (!(a & 1))
		return -ENODEV;
	control = AMD_CONTROL;
	counters = BIT_ULL(b & 0xf) - 1;
	return 0;
}

static int __init control_test_init(void)
{
	const int ret = find_control();

	if (ret || control != INTEL_CONTROL)
		return ret;
	return register_nmi_handler(NMI_LOCAL, as_perf, 0, "control_test");
}
module_init(control_test_init);

static void __exit control_test_exit(void)
{
	if (control == INTEL_CONTROL)
		unregister_nmi_handler(NMI_LOCAL, "control_test");
}
module_exit(control_test_exit);

MODULE_DESCRIPTION("perfmon: others that write to the global control");
MODULE_LICENSE("GPL");

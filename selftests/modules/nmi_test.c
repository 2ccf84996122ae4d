// SPDX-License-Identifier: GPL-2.0-only
/*
 * NMIs at random instructions: the hammer of the emulator with an x86 PMU, see
 * Documentation/change/testing.rst. Loaded, it hammers all CPUs, those that come online later too.
 *
 * It claims the NMIs that nobody else did, but on each CPU no more of them than the emulator
 * injected there.  Any other one is unknown to the kernel, which says so: somebody has lost an
 * interrupt, or has claimed one too few.
 *
 * Parameters, in /sys/module/nmi_test/parameters:
 *   from, to   instructions from the end of an NMI to the next one, at random between both
 *   kind       1 interrupts of the PMU, 2 NMIs that are not the PMU's, 3 either, by chance
 *   delay      so many instructions late come the interrupts of the PMU; 0 leaves that to
 *              the emulator's options
 *   claimed    NMIs that were claimed here
 *   refused    NMIs that nobody claimed, and were not injected
 */
#include <linux/atomic.h>
#include <linux/cpuhotplug.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <asm/processor.h>

#include "compat.h"

/* src/totals.c and src/interrupts.c of the emulator */
#define LEAF 0x4000f000
#define LEAF_TAKEN \
	7 /* EDX:ECX: NMIs taken that were injected, and nothing else */
#define MSR_DELAY	0x4000f002
#define MSR_HAMMER	0x4000f005
#define MSR_HAMMER_KIND 0x4000f006

static unsigned int from = 50;
static unsigned int to = 5000;
static unsigned int kind = 3;
static unsigned int delay;
static atomic_long_t claimed;
static atomic_long_t refused;

/* NMIs injected and taken on this CPU that were not claimed here; only its NMIs change it. */
static DEFINE_PER_CPU(u64, settled);

static u64 injected_here(void)
{
	unsigned int a, b, c, d;

	cpuid_count(LEAF, LEAF_TAKEN, &a, &b, &c, &d);
	return c | (u64)d << 32;
}

static int claim(unsigned int type, struct pt_regs *regs)
{
	if (__this_cpu_read(settled) == injected_here()) {
		atomic_long_inc(&refused);
		return NMI_DONE;
	}
	__this_cpu_inc(settled);
	atomic_long_inc(&claimed);
	return NMI_HANDLED;
}

static int cpu_begin(unsigned int cpu)
{
	__this_cpu_write(settled, injected_here());
	if (delay)
		wrmsr(MSR_DELAY, delay, 0);
	wrmsr(MSR_HAMMER_KIND, kind, 0);
	wrmsr(MSR_HAMMER, from, to);
	return 0;
}

static int cpu_end(unsigned int cpu)
{
	wrmsr(MSR_HAMMER, 0, 0);
	if (delay)
		wrmsr(MSR_DELAY, 0, 0);
	return 0;
}

static int count_get(char *buf, const struct kernel_param *kp)
{
	return scnprintf(buf, PAGE_SIZE, "%ld\n", atomic_long_read(kp->arg));
}

static const struct kernel_param_ops count_ops = { .get = count_get };

module_param(from, uint, 0444);
MODULE_PARM_DESC(from, "fewest instructions between two NMIs");
module_param(to, uint, 0444);
MODULE_PARM_DESC(to, "most instructions between two NMIs");
module_param(kind, uint, 0444);
MODULE_PARM_DESC(kind, "1 interrupts of the PMU, 2 other NMIs, 3 both");
module_param(delay, uint, 0444);
MODULE_PARM_DESC(delay, "instructions that the PMU's are late, 0: as they are");
module_param_cb(claimed, &count_ops, &claimed, 0444);
MODULE_PARM_DESC(claimed, "injected NMIs that nobody else claimed");
module_param_cb(refused, &count_ops, &refused, 0444);
MODULE_PARM_DESC(refused, "NMIs that nobody claimed, and were not injected");

static bool emulated(void)
{
	unsigned int a, name[3];

	cpuid_count(LEAF, 0, &a, &name[0], &name[1], &name[2]);
	return a >= LEAF_TAKEN && !memcmp(name, "perfPMU ", 8);
}

static int online;

static int __init nmi_test_init(void)
{
	int ret;

	if (!emulated())
		return -ENODEV;
	if (!from || from > to || !kind || kind > 3)
		return -EINVAL;
	ret = register_nmi_handler(NMI_UNKNOWN, claim, 0, "nmi_test");
	if (ret)
		return ret;
	online = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN,
				   "perfmon/nmi_test:online", cpu_begin,
				   cpu_end);
	if (online < 0) {
		unregister_nmi_handler(NMI_UNKNOWN, "nmi_test");
		return online;
	}
	return 0;
}
module_init(nmi_test_init);

static void __exit nmi_test_exit(void)
{
	cpuhp_remove_state(online);
	unregister_nmi_handler(NMI_UNKNOWN, "nmi_test");
}
module_exit(nmi_test_exit);

MODULE_DESCRIPTION("perfmon: NMIs at random instructions");
MODULE_LICENSE("GPL");

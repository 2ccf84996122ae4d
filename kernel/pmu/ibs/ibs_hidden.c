// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: making it visible where the firmware has hidden it.
 *
 * On the first generation of Zen, firmware may hide IBS from CPUID, as samples are wrong in some
 * states of the core.  AMD's research toolkit makes it visible again, and keeps the cores out of
 * these states while it samples, which slows them.  No manual describes the registers for this:
 * the source of each number here is the toolkit's driver.  So nothing of this happens unless the
 * administrator asks for it.
 *
 * Some of the registers belong to a thread, and some to a core whose threads share them.  Bits
 * are set or cleared, whatever they are, and later become again what they were on the CPU that
 * loaded the module.  So it does not matter which thread of a core is first or last.
 */
#include "ibs_hidden.h"

#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/types.h>
#include <asm/msr.h>
#include <asm/processor.h>

static bool unhide;
module_param(unhide, bool, 0444);
MODULE_PARM_DESC(unhide,
		 "first Zen: use IBS that the firmware hides, by undocumented registers; slows the CPUs while contexts are loaded (0)");

/**
 * struct change - bits of a register that differ from what the firmware has set up
 * @msr: the register
 * @mask: the bits
 * @bits: their values while they are changed
 * @found: their values before
 * @alone: written only while no other thread of the core is online
 */
struct change {
	u32 msr;
	u64 mask;
	u64 bits;
	u64 found;
	bool alone;
};

/* While the module is loaded: the bit of CPUID leaf 0x80000001 ECX, and IBS itself. */
static struct change visible[] = {
	{ .msr = 0xc0011005, .mask = BIT_ULL(42), .bits = BIT_ULL(42) },
	{ .msr = 0xc0011029,
	  .mask = BIT_ULL(19),
	  .bits = BIT_ULL(19),
	  .alone = true },
};

/* While IBS is ours. */
static struct change used[] = {
	{ .msr = 0xc0011020, .mask = BIT_ULL(54), .bits = BIT_ULL(54) },
	{ .msr = 0xc0010296, .mask = BIT_ULL(6) | BIT_ULL(14) | BIT_ULL(22) },
};

/* There is something to change.  Constant while CPUs call ibs_hidden_use(). */
static bool active;
static enum cpuhp_state hotplug;

static bool is_hidden_model(void)
{
	const struct cpuinfo_x86 *cpu = &boot_cpu_data;

	return cpu->x86 == 0x17 &&
	       (cpu->x86_model <= 0x2f ||
		(cpu->x86_model >= 0x50 && cpu->x86_model <= 0x5e));
}

static int read_msr(u32 msr, u64 *value)
{
	u32 low, high;

	if (rdmsr_safe(msr, &low, &high))
		return -EIO;
	*value = low | (u64)high << 32;
	return 0;
}

/* Give the bits of a register of this CPU these values. */
static int set_bits(const struct change *change, u64 bits)
{
	u64 value, wanted;
	int ret;

	ret = read_msr(change->msr, &value);
	if (ret)
		return ret;
	wanted = (value & ~change->mask) | bits;
	/* The other thread of the core has written a shared register already. */
	if (wanted == value)
		return 0;
	if (change->alone &&
	    cpumask_weight(topology_sibling_cpumask(smp_processor_id())) > 1)
		return -EBUSY;
	return wrmsr_safe(change->msr, (u32)wanted, (u32)(wanted >> 32)) ? -EIO
									 : 0;
}

/* Change registers of this CPU, or all of them back.  Returns the first error. */
static int set_all(const struct change *changes, size_t count, bool back)
{
	int ret, first = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		ret = set_bits(&changes[i],
			       back ? changes[i].found : changes[i].bits);
		if (ret && !first)
			first = ret;
	}
	return first;
}

/* IBS cannot be used on this CPU, although others have it; on that CPU. */
static DEFINE_PER_CPU(bool, hidden);

/*
 * Hotplug callback: a CPU comes online, or the module is being loaded; on the CPU.  The module
 * is not loaded if it fails; a CPU is online without IBS.
 */
static int show_here(unsigned int cpu)
{
	const int ret = set_all(visible, ARRAY_SIZE(visible), false);

	if (ret == -EBUSY)
		pr_err("CPU %u: hidden IBS cannot be made visible while another thread of the core is online; turn SMT off until the module is loaded (/sys/devices/system/cpu/smt/control)\n",
		       cpu);
	else if (ret)
		pr_err("CPU %u: hidden IBS cannot be made visible: the registers for it do not exist\n",
		       cpu);
	this_cpu_write(hidden, ret);
	return active ? 0 : ret;
}

static void hide_here(void *unused)
{
	set_all(visible, ARRAY_SIZE(visible), true);
}

/*
 * Remember what the firmware has set up on this CPU.  Fails where the registers do not exist.
 */
static int find(struct change *changes, size_t count)
{
	u64 value;
	size_t i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = read_msr(changes[i].msr, &value);
		if (ret) {
			pr_err("hidden IBS cannot be made visible: the processor has no register 0x%x\n",
			       changes[i].msr);
			return ret;
		}
		changes[i].found = value & changes[i].mask;
	}
	return 0;
}

/*
 * Undo show_here() on all CPUs.  On one that is offline IBS stays visible, as on a core whose
 * threads are both online a part of it does: that changes nothing until somebody uses IBS.
 */
static void hide_all(void)
{
	cpus_read_lock();
	on_each_cpu(hide_here, NULL, 1);
	cpus_read_unlock();
}

/**
 * ibs_hidden_begin - make IBS visible that the firmware has hidden
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV if nobody has asked for it, or the processor is not of the first Zen;
 * -EBUSY when a core has two threads online, -EIO when the registers do not exist; both are
 * logged.
 */
int ibs_hidden_begin(void)
{
	int ret;

	if (!unhide || !is_hidden_model())
		return -ENODEV;
	/* All registers of one CPU: they may differ between CPUs. */
	get_cpu();
	ret = find(visible, ARRAY_SIZE(visible));
	if (!ret)
		ret = find(used, ARRAY_SIZE(used));
	put_cpu();
	if (ret)
		return ret;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perfmon/ibs:hidden",
				show_here, NULL);
	if (ret < 0) {
		hide_all();
		return ret;
	}
	hotplug = ret;
	active = true;
	pr_info("IBS that the firmware hides is used; CPUs are slower while contexts are loaded\n");
	return 0;
}

/**
 * ibs_hidden_end - undo ibs_hidden_begin(), if it did something
 *
 * Context: process; may sleep.  IBS is not ours any more.
 */
void ibs_hidden_end(void)
{
	if (!active)
		return;
	cpuhp_remove_state_nocalls(hotplug);
	active = false;
	hide_all();
}

/**
 * ibs_hidden_shown - tell whether this CPU has IBS that can be used
 *
 * Context: hotplug callback, on the CPU.
 * Return: false when the firmware hides it, and it could not be made visible.
 */
bool ibs_hidden_shown(void)
{
	return !active || !this_cpu_read(hidden);
}

/**
 * ibs_hidden_resume - make IBS of this CPU visible again, which may have lost its state
 *
 * Context: interrupts off; the other CPUs are offline.
 */
void ibs_hidden_resume(void)
{
	if (active)
		show_here(smp_processor_id());
}

/**
 * ibs_hidden_use - keep this CPU out of the states in which samples are wrong
 *
 * Context: interrupts off.
 */
void ibs_hidden_use(void)
{
	if (active)
		set_all(used, ARRAY_SIZE(used), false);
}

/**
 * ibs_hidden_unuse - undo ibs_hidden_use()
 *
 * Context: interrupts off.
 */
void ibs_hidden_unuse(void)
{
	if (active)
		set_all(used, ARRAY_SIZE(used), true);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Armv8 PMUv3: the overflow interrupt.
 */
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <asm/barrier.h>
#include <asm/irq_regs.h>
#include <asm/sysreg.h>
#include <perfmon/pmu.h>

#include "armv8.h"
#include "armv8_one.h"

/*
 * Handle a wrap of the only counter that samples, see struct pfm_solo.  If another
 * counter wraps before all of them stop, its flag stays set and interrupts again.
 * Returns false when nothing was done.
 */
static __always_inline bool handle_solo(u64 wraps)
{
	const struct pfm_solo *solo = this_cpu_ptr(&pfm_solo);
	const struct pfm_prog *prog = solo->prog;
	struct pt_regs *regs;
	unsigned int num;
	u64 mask;
	u32 what;

	if (!prog)
		return false;
	num = solo->num;
	if (unlikely(wraps != BIT(num)))
		return false;
	write_sysreg(prog->priv[PRIV_PMDS], pmcntenclr_el0);
	/* Counters and flags stand still from here. */
	isb();
	mask = num == ARMV8_CYCLES ? U64_MAX : prog->priv[PRIV_MASK];
	*solo->val =
		(*solo->val & ~mask) + mask + 1 + (armv8_read_one(num) & mask);
	write_sysreg(wraps, pmovsclr_el0);
	regs = get_irq_regs();
	what = pfm_overflow_solo(solo, regs);
	armv8_write_one(num, *solo->val);
	/* The value must be there before the counter runs: see armv8_restore(). */
	isb();
	if (unlikely(what)) {
		pfm_cpu_overflow_more(solo, what, regs);
		return true;
	}
	write_sysreg(prog->priv[PRIV_PMDS], pmcntenset_el0);
	isb();
	return true;
}

/**
 * armv8_interrupt - handle the interrupt of the counters
 * @irq: not used
 * @dev: not used
 *
 * The flags of counters in use are left to the core, which calls armv8_fold(): until
 * then a flag is a part of the value.  A flag that is still set afterwards, of a
 * counter that does not run, belongs to no value.  It is cleared, or it would interrupt
 * for ever.
 *
 * Return: IRQ_HANDLED; IRQ_NONE when no counter wrapped.
 */
irqreturn_t armv8_interrupt(int irq, void *dev)
{
	u64 wraps = read_sysreg(pmovsclr_el0) & armv8_counters;

	if (likely(handle_solo(wraps)))
		return IRQ_HANDLED;
	if (!wraps)
		return IRQ_NONE;
	pfm_cpu_overflow(&armv8_pmu, wraps, get_irq_regs());
	wraps &= read_sysreg(pmovsclr_el0) & ~read_sysreg(pmcntenset_el0);
	if (unlikely(wraps))
		write_sysreg(wraps, pmovsclr_el0);
	return IRQ_HANDLED;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Armv8 PMUv3: fields of programs, and access to single counters.
 */
#ifndef _PFM_ARMV8_ONE_H
#define _PFM_ARMV8_ONE_H

#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>

#include "armv8.h"

/* Elements of pfm_prog.priv. */
enum {
	PRIV_PMDS, /* bitmap of the counters in use, as in PMCNTENSET_EL0 */
	PRIV_PMCS, /* bitmap of the type registers in use, same bits */
	PRIV_MASK, /* armv8_event_mask, kept next to the others */
};

/*
 * Access to a counter by its number.  This is slower than an instruction that names the
 * register, but pays off where few of many counters are concerned.
 */
static __always_inline u64 armv8_read_one(unsigned int n)
{
	if (n == ARMV8_CYCLES)
		return read_sysreg(pmccntr_el0);
	write_sysreg((u64)n, pmselr_el0);
	isb();
	return read_sysreg(pmxevcntr_el0);
}

static __always_inline void armv8_write_one(unsigned int n, u64 value)
{
	if (n == ARMV8_CYCLES) {
		write_sysreg(value, pmccntr_el0);
		return;
	}
	write_sysreg((u64)n, pmselr_el0);
	isb();
	write_sysreg(value & armv8_event_mask, pmxevcntr_el0);
}

#endif /* _PFM_ARMV8_ONE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel's counters: what differs between models and CPUID does not tell.
 */
#ifndef _PFM_INTEL_MODELS_H
#define _PFM_INTEL_MODELS_H

#include <linux/bits.h>
#include <linux/types.h>

#include "x86_state.h"

/*
 * Errata AAK100, AAP53, BD53: counters may count wrong events unless some event codes are
 * written to the control registers before they are programmed.
 */
#define INTEL_MAGIC_CODES BIT(0)
/* The threads of a core share the registers of the offcore response events. */
#define INTEL_SHARED_RSP BIT(1)
/*
 * Errata BJ122, BV98, HSD29: with two threads on a core, counting a memory event on one
 * may change the counts of the same counter on the other.
 */
#define INTEL_THREADS_BUG BIT(2)
/*
 * A counter that is written with fewer than 32 events to its overflow may interrupt without end:
 * Linux, nhm_limit_period() and hsw_limit_period().
 */
#define INTEL_PERIOD_32 BIT(3)
/* Errata HSW11, BDM11: the same for INST_RETIRED.PREC_DIST, and fewer than 128. */
#define INTEL_PREC_DIST_128 BIT(4)

/**
 * struct intel_model - models that are alike
 * @unmask: when the local APIC's entry is unmasked in an NMI
 * @flags: INTEL_*
 * @valid: for each PMC from X86_EXTRA_FIRST on, the bits that its register has; 0: the
 *	model does not have the register
 */
struct intel_model {
	enum x86_unmask unmask;
	u32 flags;
	u64 valid[X86_EXTRA_MAX];
};

const struct intel_model *intel_model_find(unsigned int family,
					   unsigned int model,
					   unsigned int version);

#endif /* _PFM_INTEL_MODELS_H */

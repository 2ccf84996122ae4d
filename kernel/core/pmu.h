/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registry of PMU descriptions.
 */
#ifndef _PFM_PMU_H
#define _PFM_PMU_H

#include <linux/static_call.h>
#include <perfmon/pmu.h>

#include "core/reg_kind.h"

struct pfm_context;

/* First register number of a class; for PFM_CLASSES: one past the last number. */
static inline u16 pfm_class_begin(enum pfm_reg_class class)
{
	switch (class) {
	case PFM_CLASS_HW:
		return 0;
	case PFM_CLASS_SHARED:
		return PFM_REG_SHARED_BASE;
	case PFM_CLASS_UNIT:
		return PFM_REG_UNIT_BASE;
	case PFM_CLASS_CPU:
		return PFM_REG_VIRT_BASE;
	case PFM_CLASS_TASK:
		return PFM_REG_TASK_BASE;
	default:
		return PFM_REGS_MAX;
	}
}

/**
 * pfm_pmu_beyond_user - tell whether a PMC value counts more than user-level code
 * @desc: the PMC
 * @value: value of the PMC
 *
 * Return: true when the value counts code of a higher privilege level.
 */
static inline bool pfm_pmu_beyond_user(const struct pfm_reg_desc *desc,
				       u64 value)
{
	return (value ^ desc->priv_safe) & desc->priv;
}

/* True for registers of the processor, which another subsystem may use as well. */
static inline bool pfm_class_is_hardware(enum pfm_reg_class class)
{
	return class == PFM_CLASS_HW || class == PFM_CLASS_UNIT;
}

/**
 * pfm_pmu_holds - tell which parts of the hardware a register occupies
 * @pmu: the PMU
 * @desc: the register
 *
 * Return: see pfm_reg_desc.holds; 0 for a register of which there may be any number of users.
 */
static inline u64 pfm_pmu_holds(const struct pfm_pmu *pmu,
				const struct pfm_reg_desc *desc)
{
	if (!pfm_class_is_hardware(pmu->reg_class))
		return 0;
	return desc->holds ?: PFM_HOLDS_ALL;
}

/*
 * The operations of the hardware counters' PMU that context switches, reads and overflows
 * use.  An indirect call is dear where the processor must not predict it, and there is one
 * such PMU at a time, so these are static calls.  Used only while a context exists that has
 * the PMU.  Whether the PMU has an optional operation is to be asked of its pfm_pmu_ops.
 */
#define PFM_HW_OP(op) (*(typeof_member(struct pfm_pmu_ops, op))NULL)

DECLARE_STATIC_CALL(pfm_hw_restore, PFM_HW_OP(restore));
DECLARE_STATIC_CALL(pfm_hw_save, PFM_HW_OP(save));
DECLARE_STATIC_CALL(pfm_hw_resume, PFM_HW_OP(resume));
DECLARE_STATIC_CALL(pfm_hw_pass, PFM_HW_OP(pass));
DECLARE_STATIC_CALL(pfm_hw_read, PFM_HW_OP(read));
DECLARE_STATIC_CALL(pfm_hw_fold, PFM_HW_OP(fold));
DECLARE_STATIC_CALL(pfm_hw_put, PFM_HW_OP(put));
DECLARE_STATIC_CALL(pfm_hw_take, PFM_HW_OP(take));

void pfm_pmu_occupants(const u64 *holds, unsigned long *pmds);
int pfm_pmu_pin(const struct pfm_pmu **pmus);
void pfm_pmu_unpin(const struct pfm_pmu **pmus);
int pfm_pmu_acquire(struct pfm_context *ctx, enum pfm_reg_class class);
void pfm_pmu_release(struct pfm_context *ctx);
void pfm_pmu_settle(struct pfm_context *ctx);
const struct pfm_pmu *pfm_pmu_of(const struct pfm_context *ctx, u16 num);

const struct pfm_reg_desc *pfm_pmu_reg(const struct pfm_context *ctx,
				       enum pfm_reg_kind kind, u16 num);

#endif /* _PFM_PMU_H */

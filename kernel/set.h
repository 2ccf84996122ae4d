/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event set: the registers that user space wrote.
 */
#ifndef _PFM_SET_H
#define _PFM_SET_H

#include <linux/types.h>
#include <perfmon/pmu.h>

struct pfm_context;

/**
 * struct pfm_regvec - registers of one kind with their values
 * @n: elements
 * @v: elements in ascending order of register number
 */
struct pfm_regvec {
	u16 n;
	struct pfm_prog_reg *v;
};

/**
 * struct pfm_attrvec - sampling attributes of registers
 * @n: elements
 * @v: elements in ascending order of register number
 */
struct pfm_attrvec {
	u16 n;
	struct pfm_pmd_attr *v;
};

/**
 * struct pfm_set - one event set
 * @pmcs: configuration registers in use
 * @pmds: data registers in use, with their values while the context is not
 *	loaded
 * @attrs: data registers that sample
 *
 * Protected by pfm_context.lock.  Memory grows with the registers in use.
 */
struct pfm_set {
	struct pfm_regvec pmcs;
	struct pfm_regvec pmds;
	struct pfm_attrvec attrs;
};

int pfm_set_write_pmcs(struct pfm_context *ctx, const struct pfm_reg *regs,
		       u32 count, u32 *failed);
int pfm_set_write_pmds(struct pfm_context *ctx, const struct pfm_reg *regs,
		       u32 count, u32 *failed);
int pfm_set_use_pmds(struct pfm_context *ctx, const unsigned long *mask);
struct pfm_prog_reg *pfm_regvec_find(const struct pfm_regvec *vec, u16 num);
void pfm_set_free(struct pfm_set *set);

#endif /* _PFM_SET_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of registers.
 */
#ifndef _PFM_REG_KIND_H
#define _PFM_REG_KIND_H

/**
 * enum pfm_reg_kind - the two kinds of registers
 * @PFM_PMC: configuration register
 * @PFM_PMD: data register
 */
enum pfm_reg_kind {
	PFM_PMC,
	PFM_PMD,
};

#endif /* _PFM_REG_KIND_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of the registers of AMD's instruction-based sampling (IBS).
 *
 * AMD64 Architecture Programmer's Manual, volume 2, section 13.3 "Instruction-Based
 * Sampling"; for what each processor has, its Processor Programming Reference (PPR) or
 * BIOS and Kernel Developer's Guide (BKDG), MSRC001_1030 to MSRC001_103D, and CPUID
 * Fn8000_001B.
 */
#ifndef PFMON_IBS_IBS_BITS_H
#define PFMON_IBS_IBS_BITS_H

#include <stdint.h>

/**
 * struct ibs_field - some bits of a register
 * @low: number of the lowest bit
 * @bits: how many bits, 1 to 63
 */
struct ibs_field {
	uint8_t low;
	uint8_t bits;
};

/* clang-format off */
#define IBS_FIELD(high, low)	((struct ibs_field){ (low), (high) - (low) + 1 })
#define IBS_BIT(bit)		IBS_FIELD(bit, bit)

/* IBS_FETCH_CTL, MSR C001_1030 */
#define IBS_FETCH_MAX_CNT	IBS_FIELD(15, 0)	/* period / 16 */
#define IBS_FETCH_LAT		IBS_FIELD(47, 32)
#define IBS_FETCH_COMP		IBS_BIT(50)
#define IBS_FETCH_IC_MISS	IBS_BIT(51)
#define IBS_FETCH_PHYSAD_VALID	IBS_BIT(52)
#define IBS_FETCH_L1_TLB_PG_SZ	IBS_FIELD(54, 53)
#define IBS_FETCH_L1_TLB_MISS	IBS_BIT(55)
#define IBS_FETCH_L2_TLB_MISS	IBS_BIT(56)
#define IBS_FETCH_L2_MISS	IBS_BIT(58)	/* family 15h models 60h on, 17h on */
#define IBS_FETCH_OC_MISS	IBS_BIT(60)	/* Zen 4 extensions */
#define IBS_FETCH_L3_MISS	IBS_BIT(61)	/* Zen 4 extensions */

/* IC_IBS_EXTD_CTL, MSR C001_103C */
#define IBS_FETCH_ITLB_LAT	IBS_FIELD(15, 0)

/* IBS_OP_CTL, MSR C001_1033 */
#define IBS_OP_MAX_CNT		IBS_FIELD(15, 0)	/* bits 19:4 of the period */
#define IBS_OP_MAX_CNT_EXT	IBS_FIELD(26, 20)	/* bits 26:20 of the period */

/* IBS_OP_DATA, MSR C001_1035 */
#define IBS_OP_COMP_TO_RET	IBS_FIELD(15, 0)
#define IBS_OP_TAG_TO_RET	IBS_FIELD(31, 16)
#define IBS_OP_BRN_RESYNC	IBS_BIT(32)
#define IBS_OP_MISP_RETURN	IBS_BIT(33)
#define IBS_OP_RETURN		IBS_BIT(34)
#define IBS_OP_BRN_TAKEN	IBS_BIT(35)
#define IBS_OP_BRN_MISP		IBS_BIT(36)
#define IBS_OP_BRN_RET		IBS_BIT(37)	/* a branch retired */
#define IBS_OP_RIP_INVALID	IBS_BIT(38)
#define IBS_OP_BRN_FUSE		IBS_BIT(39)
#define IBS_OP_MICROCODE	IBS_BIT(40)

/* IBS_OP_DATA2, MSR C001_1036 */
#define IBS_OP_SOURCE		IBS_FIELD(2, 0)
#define IBS_OP_REMOTE_NODE	IBS_BIT(4)
#define IBS_OP_HIT_STATE	IBS_BIT(5)	/* the line was owned, not modified */
#define IBS_OP_SOURCE_HIGH	IBS_FIELD(7, 6)	/* Zen 4 extensions */

/* IBS_OP_DATA3, MSR C001_1037 */
#define IBS_OP_LOAD		IBS_BIT(0)
#define IBS_OP_STORE		IBS_BIT(1)
#define IBS_OP_L1_TLB_MISS	IBS_BIT(2)
#define IBS_OP_L2_TLB_MISS	IBS_BIT(3)
#define IBS_OP_L1_TLB_HIT_2M	IBS_BIT(4)
#define IBS_OP_L1_TLB_HIT_1G	IBS_BIT(5)
#define IBS_OP_L2_TLB_HIT_2M	IBS_BIT(6)
#define IBS_OP_DC_MISS		IBS_BIT(7)
#define IBS_OP_MISALIGNED	IBS_BIT(8)
#define IBS_OP_LD_BANK_CON	IBS_BIT(9)
#define IBS_OP_ST_BANK_CON	IBS_BIT(10)
#define IBS_OP_ST_TO_LD_FWD	IBS_BIT(11)
#define IBS_OP_ST_TO_LD_CAN	IBS_BIT(12)
#define IBS_OP_WC		IBS_BIT(13)	/* write-combining memory */
#define IBS_OP_UC		IBS_BIT(14)	/* uncacheable memory */
#define IBS_OP_LOCKED		IBS_BIT(15)
#define IBS_OP_MAB		IBS_BIT(16)	/* MAB hit; later: miss without MAB */
#define IBS_OP_LINAD_VALID	IBS_BIT(17)
#define IBS_OP_PHYSAD_VALID	IBS_BIT(18)
#define IBS_OP_L2_TLB_HIT_1G	IBS_BIT(19)
#define IBS_OP_L2_MISS		IBS_BIT(20)
#define IBS_OP_SW_PREFETCH	IBS_BIT(21)
#define IBS_OP_MEM_WIDTH	IBS_FIELD(25, 22)
#define IBS_OP_OPEN_MEM_REQS	IBS_FIELD(31, 26)
#define IBS_OP_DC_MISS_LAT	IBS_FIELD(47, 32)
#define IBS_OP_TLB_REFILL_LAT	IBS_FIELD(63, 48)

/* IBS_OP_DATA4, MSR C001_103D */
#define IBS_OP_LD_RESYNC	IBS_BIT(0)

/* CPUID Fn8000_001B EAX */
#define IBS_CAPS_VALID		(1U << 0)	/* without it the others say nothing */
#define IBS_CAPS_BR_TARGET	(1U << 5)
#define IBS_CAPS_OP_CNT_EXT	(1U << 6)
#define IBS_CAPS_RIP_INVALID	(1U << 7)
#define IBS_CAPS_BRN_FUSE	(1U << 8)
#define IBS_CAPS_FETCH_EXTD	(1U << 9)
#define IBS_CAPS_OP_DATA4	(1U << 10)
#define IBS_CAPS_ZEN4		(1U << 11)
/* clang-format on */

static inline uint64_t ibs_field(uint64_t value, struct ibs_field field)
{
	return value >> field.low & ((1ULL << field.bits) - 1);
}

#endif

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Register numbers of perfmon2's PMU modules, and those of today's kernel.
 *
 * On Intel the fixed counters were PMD16 and up, and PMC16 controlled all of them, with four
 * bits each; today they are PMD32 and up with a PMC each.  On AMD's processors with four counters
 * instruction-based sampling (IBS) had PMC4 and PMC5, and PMD4 to PMD13.  All other numbers are the
 * same.  An old number that the kernel has a register for is that register: so programs may use
 * today's numbers as well.
 */
#ifndef COMPAT_NUMBERS_H
#define COMPAT_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

#define PFMI_OLD_FIXED_CTRL 16 /* PMC of all fixed counters */
#define PFMI_OLD_FIXED	    16 /* PMD of fixed counter 0 */
#define PFMI_NEW_FIXED	    32 /* PMC and PMD of fixed counter 0 */
#define PFMI_FIXED_MAX	    4
#define PFMI_OLD_IBS_FETCH  4 /* PMC; PMD of the first fetch register */
#define PFMI_OLD_IBS_OP	    5 /* PMC */
#define PFMI_OLD_IBS_OP_PMD 7 /* PMD of the first op register */
#define PFMI_OLD_IBS_END    14

/* Bits of PMC16 for fixed counter n, to be shifted by 4 * n: levels, any thread, interrupt. */
#define PFMI_FIXED_BITS 0x7ULL
#define PFMI_FIXED_PMI	0x8ULL

/**
 * struct pfmi_numbers - which old numbers mean other registers on this machine
 * @fixed: number of fixed counters that have old numbers
 * @ibs: the old numbers of IBS are valid
 */
struct pfmi_numbers {
	unsigned int fixed;
	bool ibs;
};

void pfmi_numbers_init(struct pfmi_numbers *numbers, const char *pmu,
		       const uint64_t *impl_pmcs, const uint64_t *impl_pmds);
void pfmi_numbers_from_map(struct pfmi_numbers *numbers,
			   const struct pfm_reg_map *map);

/* The PMD that counts and overflows; other numbers are returned as they are. */
uint16_t pfmi_numbers_new_pmd(const struct pfmi_numbers *numbers, uint16_t num);
uint16_t pfmi_numbers_old_pmd(const struct pfmi_numbers *numbers, uint16_t num);

/* PMCs, except for the one of the fixed counters. */
uint16_t pfmi_numbers_new_pmc(const struct pfmi_numbers *numbers, uint16_t num);
uint16_t pfmi_numbers_old_pmc(const struct pfmi_numbers *numbers, uint16_t num);

bool pfmi_numbers_is_fixed_ctrl(const struct pfmi_numbers *numbers,
				uint16_t num);

/*
 * Bitmaps of PMDs of 5 words: those of a program to the kernel's @new, of PFM_BV_WORDS words,
 * and @words words of the kernel's back.
 */
void pfmi_numbers_new_bitmap(const struct pfmi_numbers *numbers,
			     const uint64_t *old, unsigned int words,
			     __u64 *new);
void pfmi_numbers_old_bitmap(const struct pfmi_numbers *numbers,
			     const __u64 *new, unsigned int words,
			     uint64_t *old);

#endif

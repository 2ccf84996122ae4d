// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Register numbers of perfmon2's PMU modules, and those of today's kernel.
 */
#include "numbers.h"

#include <stdlib.h>
#include <string.h>

static bool has(const uint64_t *bits, unsigned int num)
{
	return bits[num / 64] >> num % 64 & 1;
}

static void add(uint64_t *bits, unsigned int num)
{
	bits[num / 64] |= 1ULL << num % 64;
}

void pfmi_numbers_init(struct pfmi_numbers *numbers, const char *pmu,
		       const uint64_t *impl_pmcs, const uint64_t *impl_pmds)
{
	unsigned int i;

	memset(numbers, 0, sizeof(*numbers));
	for (i = 0; !strcmp(pmu, "intel") && i < PFMI_FIXED_MAX; i++)
		if (has(impl_pmds, PFMI_NEW_FIXED + i) &&
		    !has(impl_pmds, PFMI_OLD_FIXED + i))
			numbers->fixed = i + 1;
	numbers->ibs = (has(impl_pmcs, PFM_IBS_PMC_FETCH_CTL) ||
			has(impl_pmcs, PFM_IBS_PMC_OP_CTL)) &&
		       !has(impl_pmcs, PFMI_OLD_IBS_FETCH);
}

void pfmi_numbers_from_map(struct pfmi_numbers *numbers,
			   const struct pfm_reg_map *map)
{
	uint64_t pmcs[PFM_BV_WORDS] = { 0 }, pmds[PFM_BV_WORDS] = { 0 };
	const struct pfm_reg_info *info = NULL;

	while ((info = pfm_reg_map_next_pmc(map, info)))
		add(pmcs, info->num);
	while ((info = pfm_reg_map_next_pmd(map, info)))
		add(pmds, info->num);
	pfmi_numbers_init(numbers, pfm_reg_map_pmu(map), pmcs, pmds);
}

uint16_t pfmi_numbers_new_pmd(const struct pfmi_numbers *numbers, uint16_t num)
{
	if (num >= PFMI_OLD_FIXED && num < PFMI_OLD_FIXED + numbers->fixed)
		return num - PFMI_OLD_FIXED + PFMI_NEW_FIXED;
	if (numbers->ibs && num == PFMI_OLD_IBS_FETCH)
		return PFM_IBS_PMD_FETCH;
	if (numbers->ibs && num == PFMI_OLD_IBS_OP_PMD)
		return PFM_IBS_PMD_OP;
	return num;
}

uint16_t pfmi_numbers_old_pmd(const struct pfmi_numbers *numbers, uint16_t num)
{
	if (num >= PFMI_NEW_FIXED && num < PFMI_NEW_FIXED + numbers->fixed)
		return num - PFMI_NEW_FIXED + PFMI_OLD_FIXED;
	if (numbers->ibs && num == PFM_IBS_PMD_FETCH)
		return PFMI_OLD_IBS_FETCH;
	if (numbers->ibs && num == PFM_IBS_PMD_OP)
		return PFMI_OLD_IBS_OP_PMD;
	return num;
}

uint16_t pfmi_numbers_new_pmc(const struct pfmi_numbers *numbers, uint16_t num)
{
	if (numbers->ibs && num == PFMI_OLD_IBS_FETCH)
		return PFM_IBS_PMC_FETCH_CTL;
	if (numbers->ibs && num == PFMI_OLD_IBS_OP)
		return PFM_IBS_PMC_OP_CTL;
	return num;
}

uint16_t pfmi_numbers_old_pmc(const struct pfmi_numbers *numbers, uint16_t num)
{
	if (num >= PFMI_NEW_FIXED && num < PFMI_NEW_FIXED + numbers->fixed)
		return PFMI_OLD_FIXED_CTRL;
	if (numbers->ibs && num == PFM_IBS_PMC_FETCH_CTL)
		return PFMI_OLD_IBS_FETCH;
	if (numbers->ibs && num == PFM_IBS_PMC_OP_CTL)
		return PFMI_OLD_IBS_OP;
	return num;
}

bool pfmi_numbers_is_fixed_ctrl(const struct pfmi_numbers *numbers,
				uint16_t num)
{
	return numbers->fixed && num == PFMI_OLD_FIXED_CTRL;
}

/* A PMD that is read, not one that overflows: of IBS the registers that a sample has. */
static unsigned int new_read(const struct pfmi_numbers *numbers,
			     unsigned int num)
{
	if (numbers->ibs && num >= PFMI_OLD_IBS_FETCH &&
	    num < PFMI_OLD_IBS_OP_PMD)
		return num - PFMI_OLD_IBS_FETCH + PFM_IBS_PMD_FETCH_CTL;
	if (numbers->ibs && num >= PFMI_OLD_IBS_OP_PMD &&
	    num < PFMI_OLD_IBS_END)
		return num - PFMI_OLD_IBS_OP_PMD + PFM_IBS_PMD_OP_CTL;
	return pfmi_numbers_new_pmd(numbers, num);
}

void pfmi_numbers_new_bitmap(const struct pfmi_numbers *numbers,
			     const uint64_t *old, unsigned int words,
			     __u64 *new)
{
	unsigned int num, to;

	memset(new, 0, PFM_BV_WORDS * sizeof(*new));
	for (num = 0; num < words * 64; num++) {
		to = new_read(numbers, num);
		if (has(old, num))
			new[to / 64] |= 1ULL << to % 64;
	}
}

void pfmi_numbers_old_bitmap(const struct pfmi_numbers *numbers,
			     const __u64 *new, unsigned int words,
			     uint64_t *old)
{
	unsigned int num, to;

	memset(old, 0, words * sizeof(*old));
	for (num = 0; num < words * 64; num++) {
		to = pfmi_numbers_old_pmd(numbers, num);
		if (new[num / 64] >> num % 64 & 1 && to < words * 64)
			add(old, to);
	}
}

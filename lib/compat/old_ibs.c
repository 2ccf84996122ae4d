// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Registers of AMD's instruction-based sampling, for pfm_dispatch_events() of libpfm 3.
 *
 * A flavour has a control register with the period (MaxCnt), and PMDs of which the first
 * overflows.  On processors with four counters they have the numbers of perfmon2's module.  On
 * those with six, PMC4 and PMC5 are counters, and IBS has today's numbers.
 */
#include "old_ibs.h"

#define MAX_CNT	   0xffffU
#define FETCH_EN   (1ULL << 48)
#define FETCH_RAND (1ULL << 57)
#define OP_EN	   (1ULL << 17)
#define OP_CNT_CTL (1ULL << 19)

/**
 * struct flavour - IBS fetch or op
 * @use: flag of the input
 * @pmc: old number of the control register
 * @new_pmc: today's number, also that of the PMD that overflows
 * @pmd: old number of the first PMD
 * @new_pmd: today's number of the PMD that has its value in a sample
 * @pmds: number of PMDs
 * @enable: bit that enables it
 * @option: bit that its option stands for
 */
struct flavour {
	uint32_t use;
	uint16_t pmc;
	uint16_t new_pmc;
	uint16_t pmd;
	uint16_t new_pmd;
	uint16_t pmds;
	uint64_t enable;
	uint64_t option;
};

static const struct flavour fetch = {
	PFMLIB_AMD64_USE_IBSFETCH,
	PFMI_OLD_IBS_FETCH,
	PFM_IBS_PMC_FETCH_CTL,
	PFMI_OLD_IBS_FETCH,
	PFM_IBS_PMD_FETCH_CTL,
	3,
	FETCH_EN,
	FETCH_RAND,
};

static const struct flavour op = {
	PFMLIB_AMD64_USE_IBSOP,
	PFMI_OLD_IBS_OP,
	PFM_IBS_PMC_OP_CTL,
	PFMI_OLD_IBS_OP_PMD,
	PFM_IBS_PMD_OP_CTL,
	7,
	OP_EN,
	OP_CNT_CTL,
};

static int put(const struct pfmi_old_machine *machine,
	       const struct flavour *flavour, const ibs_param_t *in,
	       pfmlib_output_param_t *out, uint32_t *base)
{
	const bool old = machine->numbers.ibs;
	pfmlib_reg_t *pmc = &out->pfp_pmcs[out->pfp_pmc_count];
	unsigned int i;

	if (!pfm_reg_map_pmc(machine->map, flavour->new_pmc))
		return PFMLIB_ERR_NOTSUPP;
	if (!in->maxcnt || in->maxcnt > MAX_CNT)
		return PFMLIB_ERR_INVAL;
	out->pfp_pmc_count++;
	pmc->reg_num = old ? flavour->pmc : flavour->new_pmc;
	pmc->reg_addr = pfm_reg_map_pmc(machine->map, flavour->new_pmc)->addr;
	pmc->reg_value = in->maxcnt | flavour->enable |
			 (in->options & 1 ? flavour->option : 0);
	*base = out->pfp_pmd_count;
	for (i = 0; i < flavour->pmds; i++)
		out->pfp_pmds[out->pfp_pmd_count++].reg_num =
			old ? flavour->pmd + i
			: i ? flavour->new_pmd + i
			    : flavour->new_pmc;
	return PFMLIB_SUCCESS;
}

int pfmi_old_ibs_put(const struct pfmi_old_machine *machine,
		     const pfmlib_amd64_input_param_t *in,
		     pfmlib_output_param_t *out,
		     pfmlib_amd64_output_param_t *to)
{
	pfmlib_amd64_output_param_t own = { 0 };
	int ret = PFMLIB_SUCCESS;

	if (in->flags & ~(fetch.use | op.use))
		return PFMLIB_ERR_INVAL;
	if (in->flags & fetch.use)
		ret = put(machine, &fetch, &in->ibsfetch, out,
			  &own.ibsfetch_base);
	if (!ret && in->flags & op.use)
		ret = put(machine, &op, &in->ibsop, out, &own.ibsop_base);
	if (!ret && to)
		*to = own;
	return ret;
}

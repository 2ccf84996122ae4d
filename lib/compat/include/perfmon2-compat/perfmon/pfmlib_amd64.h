/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: what is special in AMD64 processors: thresholds of events, and instruction-based sampling (IBS).
 */
#ifndef PERFMON2_COMPAT_PFMLIB_AMD64_H
#define PERFMON2_COMPAT_PFMLIB_AMD64_H

#include "pfmlib.h"

#define PMU_AMD64_MAX_COUNTERS		PFM3_MODEL_COUNTERS
#define PMU_AMD64_NUM_COUNTERS		4
#define PMU_AMD64_CNT_MASK_MAX		4

#define PFM_AMD64_SEL_INV		PFM3_SEL_INV
#define PFM_AMD64_SEL_EDGE		PFM3_SEL_EDGE
#define PFM_AMD64_SEL_GUEST		PFM3_SEL_GUEST
#define PFM_AMD64_SEL_HOST		PFM3_SEL_HOST

/* Flags of the input: which flavour of IBS is used. */
#define PFMLIB_AMD64_USE_IBSFETCH	0x1
#define PFMLIB_AMD64_USE_IBSOP		0x2

/* Options of ibsfetch and ibsop. */
#define IBS_OPTIONS_RANDEN		0x1
#define IBS_OPTIONS_UOPS		0x1

typedef pfm3_counter_t pfmlib_amd64_counter_t;

/* maxcnt has units of 16: fetches, or cycles or ops. */
typedef struct {
	unsigned int maxcnt;
	unsigned int options;
} ibs_param_t;

typedef struct {
	pfmlib_amd64_counter_t pfp_amd64_counters[PMU_AMD64_MAX_COUNTERS];
	uint32_t flags;
	uint32_t reserved1;
	ibs_param_t ibsfetch;
	ibs_param_t ibsop;
	uint64_t reserved2;
} pfmlib_amd64_input_param_t;

/* Indices of the first PMD of each flavour in pfp_pmds; pfp_pmcs has its control register. */
typedef struct {
	uint32_t ibsfetch_base;
	uint32_t ibsop_base;
	uint64_t reserved[7];
} pfmlib_amd64_output_param_t;

#endif /* PERFMON2_COMPAT_PFMLIB_AMD64_H */

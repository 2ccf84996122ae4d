/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: what is special in processors with the architectural PMU of Intel: thresholds of events.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_GEN_IA32_H
#define PERFMON2_COMPAT_PFMLIB_GEN_IA32_H

#include "pfmlib.h"

#define PMU_GEN_IA32_MAX_COUNTERS	PFM3_MODEL_COUNTERS

#define PFMLIB_GEN_IA32_SEL_INV		PFM3_SEL_INV
#define PFMLIB_GEN_IA32_SEL_EDGE	PFM3_SEL_EDGE
#define PFMLIB_GEN_IA32_SEL_ANYTHR	PFM3_SEL_ANYTHR

typedef pfm3_counter_t pfmlib_gen_ia32_counter_t;

typedef struct {
	pfmlib_gen_ia32_counter_t pfp_gen_ia32_counters[PMU_GEN_IA32_MAX_COUNTERS];
	uint64_t reserved[5];
} pfmlib_gen_ia32_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_gen_ia32_output_param_t;

#endif /* PERFMON2_COMPAT_PFMLIB_GEN_IA32_H */

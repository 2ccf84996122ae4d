/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: what is special in Intel P6 and Pentium M: thresholds of events.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_I386_P6_H
#define PERFMON2_COMPAT_PFMLIB_I386_P6_H

#include "pfmlib.h"

#define PMU_I386_P6_NUM_COUNTERS	PFM3_MODEL_COUNTERS

#define PFM_I386_P6_SEL_INV		PFM3_SEL_INV
#define PFM_I386_P6_SEL_EDGE		PFM3_SEL_EDGE

typedef pfm3_counter_t pfmlib_i386_p6_counter_t;

typedef struct {
	pfmlib_i386_p6_counter_t pfp_i386_p6_counters[PMU_I386_P6_NUM_COUNTERS];
	uint64_t reserved[5];
} pfmlib_i386_p6_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_i386_p6_output_param_t;

#endif /* PERFMON2_COMPAT_PFMLIB_I386_P6_H */

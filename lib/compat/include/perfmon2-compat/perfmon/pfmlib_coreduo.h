/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: what is special in Intel Core Duo and Solo: thresholds of events.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_COREDUO_H
#define PERFMON2_COMPAT_PFMLIB_COREDUO_H

#include "pfmlib.h"

#define PMU_COREDUO_NUM_COUNTERS	PFM3_MODEL_COUNTERS

#define PFMLIB_COREDUO_SEL_INV		PFM3_SEL_INV
#define PFMLIB_COREDUO_SEL_EDGE		PFM3_SEL_EDGE

typedef pfm3_counter_t pfmlib_coreduo_counter_t;

typedef struct {
	pfmlib_coreduo_counter_t pfp_coreduo_counters[PMU_COREDUO_NUM_COUNTERS];
	uint64_t reserved[5];
} pfmlib_coreduo_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_coreduo_output_param_t;

#endif /* PERFMON2_COMPAT_PFMLIB_COREDUO_H */

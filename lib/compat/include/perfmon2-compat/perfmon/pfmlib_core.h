/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: what is special in Intel Core 2: thresholds of events.  PEBS is refused.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_CORE_H
#define PERFMON2_COMPAT_PFMLIB_CORE_H

#include "pfmlib.h"

#define PMU_CORE_NUM_COUNTERS	PFM3_MODEL_COUNTERS

#define PFMLIB_CORE_SEL_INV	PFM3_SEL_INV
#define PFMLIB_CORE_SEL_EDGE	PFM3_SEL_EDGE

typedef pfm3_counter_t pfmlib_core_counter_t;

typedef struct {
	unsigned int pebs_used;
} pfmlib_core_pebs_t;

typedef struct {
	pfmlib_core_counter_t pfp_core_counters[PMU_CORE_NUM_COUNTERS];
	pfmlib_core_pebs_t pfp_core_pebs;
	unsigned int reserved1;
	uint64_t reserved[4];
} pfmlib_core_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_core_output_param_t;

/* No event can use PEBS here. */
#define pfm_core_is_pebs(event)	((void)(event), 0)

#endif /* PERFMON2_COMPAT_PFMLIB_CORE_H */

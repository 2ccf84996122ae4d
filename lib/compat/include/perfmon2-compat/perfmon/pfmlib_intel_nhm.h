/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: what is special in Intel Nehalem and Westmere: thresholds of events.  PEBS and LBR are refused.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_INTEL_NHM_H
#define PERFMON2_COMPAT_PFMLIB_INTEL_NHM_H

#include "pfmlib.h"

#define PMU_NHM_NUM_COUNTERS	PFM3_MODEL_COUNTERS

#define PFM_NHM_SEL_INV		PFM3_SEL_INV
#define PFM_NHM_SEL_EDGE	PFM3_SEL_EDGE
#define PFM_NHM_SEL_ANYTHR	PFM3_SEL_ANYTHR
#define PFM_NHM_SEL_OCC_RST	PFM3_SEL_OCCRST

typedef pfm3_counter_t pfmlib_nhm_counter_t;

typedef struct {
	unsigned int pebs_used;
} pfmlib_nhm_pebs_t;

typedef struct {
	unsigned int lbr_used;
	unsigned int lbr_plm;
	unsigned int lbr_filter;
} pfmlib_nhm_lbr_t;

typedef struct {
	pfmlib_nhm_counter_t pfp_nhm_counters[PMU_NHM_NUM_COUNTERS];
	pfmlib_nhm_pebs_t pfp_nhm_pebs;
	pfmlib_nhm_lbr_t pfp_nhm_lbr;
	uint64_t reserved[4];
} pfmlib_nhm_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_nhm_output_param_t;

/* No event can use PEBS here. */
#define pfm_nhm_is_pebs(event)	((void)(event), 0)
/* No sample tells a source of data. */
#define pfm_nhm_data_src_desc(value, desc) \
	((void)(value), (void)(desc), PFMLIB_ERR_NOTSUPP)

#endif /* PERFMON2_COMPAT_PFMLIB_INTEL_NHM_H */

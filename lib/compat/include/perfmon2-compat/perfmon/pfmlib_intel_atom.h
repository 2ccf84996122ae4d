/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libpfm 3: what is special in Intel Atom: thresholds of events.  PEBS is refused.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_INTEL_ATOM_H
#define PERFMON2_COMPAT_PFMLIB_INTEL_ATOM_H

#include "pfmlib.h"

#define PMU_INTEL_ATOM_NUM_COUNTERS	PFM3_MODEL_COUNTERS

#define PFMLIB_INTEL_ATOM_SEL_INV	PFM3_SEL_INV
#define PFMLIB_INTEL_ATOM_SEL_EDGE	PFM3_SEL_EDGE
#define PFMLIB_INTEL_ATOM_SEL_ANYTHR	PFM3_SEL_ANYTHR

typedef pfm3_counter_t pfmlib_intel_atom_counter_t;

typedef struct {
	pfmlib_intel_atom_counter_t pfp_intel_atom_counters[PMU_INTEL_ATOM_NUM_COUNTERS];
	unsigned int pfp_intel_atom_pebs_used;
	unsigned int reserved1;
	uint64_t reserved[4];
} pfmlib_intel_atom_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_intel_atom_output_param_t;

/* No event can use PEBS here. */
#define pfm_intel_atom_has_pebs(event)	((void)(event), 0)

#endif /* PERFMON2_COMPAT_PFMLIB_INTEL_ATOM_H */

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Regions: what their begin and end add to the counts.
 */
#ifndef PERFMON_REGIONS_REGION_COST_H
#define PERFMON_REGIONS_REGION_COST_H

#include <stdint.h>

#include "regions/region_thread.h"

/**
 * struct pfmi_region_cost - what places add that were compiled together
 * @empty: counts of an empty region
 * @slow: the same, if its end is read by a system call although most are not
 * @nested: what an empty region adds to the one that it is in, beside what is measured each time
 */
struct pfmi_region_cost {
	uint64_t empty[PFMI_REGION_REGS];
	uint64_t slow[PFMI_REGION_REGS];
	uint64_t nested[PFMI_REGION_REGS];
};

/*
 * Number of the cost of @region.  Measures it if it is not known, which begins and ends regions
 * in the calling thread.
 */
uint32_t pfmi_region_cost_number(struct pfmi_region_thread *thread,
				 const struct pfm_region *region);

/* The cost of a number; 0: none. */
const struct pfmi_region_cost *pfmi_region_cost(uint32_t number);

#endif

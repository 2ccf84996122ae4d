// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Events that the processor implements: those that the kernel has named to the map of registers.
 */
#include "registers/reg_map.h"

int pfm_event_implemented(const struct pfm_reg_map *map, uint64_t code)
{
	const uint64_t bit = 1ULL << code % PFM_EVENTS_PER_WORD;
	const struct pfm_event_info *info = NULL;
	unsigned int i, count = 0;

	if (map)
		info = pfmi_reg_map_events(map, &count);
	for (i = 0; i < count; i++, info++) {
		if (code - code % PFM_EVENTS_PER_WORD == info->first &&
		    info->known & bit)
			return info->implemented & bit ? PFM_IMPLEMENTED_YES :
							 PFM_IMPLEMENTED_NO;
	}
	return PFM_IMPLEMENTED_UNKNOWN;
}

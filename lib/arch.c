// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Choice of struct pfm_arch_ops for a register map.
 */
#include "arch.h"

#include <string.h>

static const struct pfm_arch_ops *const archs[] = {
	&pfmi_arch_armv8,
	&pfmi_arch_intel,
	&pfmi_arch_amd,
};

const struct pfm_arch_ops *pfmi_arch_find(const struct pfm_reg_map *map)
{
	const char *pmu;
	size_t i;

	if (!map) {
#ifdef __aarch64__
		return &pfmi_arch_armv8;
#else
		return NULL;
#endif
	}
	pmu = pfm_reg_map_pmu(map);
	for (i = 0; i < ARRAY_SIZE(archs); i++)
		if (!strcmp(pmu, archs[i]->name))
			return archs[i];
	return NULL;
}

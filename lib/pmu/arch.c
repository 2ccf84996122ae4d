// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Choice of struct pfm_arch_ops by the name of the PMU.
 */
#include "pmu/arch.h"

#include "base/array.h"

#include <string.h>

static const struct pfm_arch_ops *const archs[] = {
	&pfmi_arch_armv8,
	&pfmi_arch_intel,
	&pfmi_arch_amd,
	&pfmi_arch_perf,
};

const struct pfm_arch_ops *pfmi_arch_find(const char *pmu)
{
	size_t i;

	if (!pmu) {
#ifdef __aarch64__
		return &pfmi_arch_armv8;
#else
		return NULL;
#endif
	}
	for (i = 0; i < ARRAY_SIZE(archs); i++)
		if (!strcmp(pmu, archs[i]->name))
			return archs[i];
	return NULL;
}

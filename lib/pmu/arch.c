// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Choice of struct pfm_arch_ops by the name of the PMU, and of the event that a generic name
 * stands for.
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

const struct pfm_arch_name *pfmi_arch_name(const struct pfm_arch_ops *ops,
					   enum pfmi_generic_event generic,
					   unsigned int choice)
{
	const struct pfm_arch_name *name;
	unsigned int i;

	for (i = 0; (name = ops->names(i)); i++)
		for (; name->generic != PFMI_GENERICS; name++)
			if (name->generic == generic && !choice--)
				return name;
	return NULL;
}

uint64_t pfmi_arch_cycles(const struct pfm_arch_ops *ops)
{
	const struct pfm_arch_name *name =
		pfmi_arch_name(ops, PFMI_GENERIC_CYCLES, 0);

	return name ? name->code : PFM_ARCH_NO_CODE;
}

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

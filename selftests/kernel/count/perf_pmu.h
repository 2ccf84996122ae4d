/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of the PMU "perf", and the modules that these tests need: not those of the
 * processor's counters, which perf keeps.
 */
#ifndef _SELFTESTS_PERF_PMU_H
#define _SELFTESTS_PERF_PMU_H

#include <linux/perfmon_perf.h>

#include "context.h"
#include "perf.h"

/* modprobe would load the other modules as well.  Returns 0 when all are loaded. */
static inline int perf_pmu_load(void)
{
	return system("for m in perfmon perfmon_soft perfmon_perf; do "
		      "[ -d /sys/module/$m ] || insmod \"$(modinfo -n $m)\" || exit 1; "
		      "done >&2");
}

/* perf's names of type and level in the PMC. */
#define PERF_PMU_TYPE(type, flags) \
	((uint64_t)(type) << PFM_PERF_TYPE_SHIFT | PFM_PERF_ENABLE | (flags))
#define PERF_PMU_USER (PFM_PERF_EXCLUDE_KERNEL | PFM_PERF_EXCLUDE_HV)

/* Have register n count an event, from value on.  Returns 0 or -errno. */
static inline int perf_reg_setup(int fd, unsigned int n, uint32_t type,
				 uint64_t config, uint64_t flags)
{
	const struct pfm_reg pmcs[] = {
		{ .num = PFM_PERF_PMC_TYPE(n),
		  .value = PERF_PMU_TYPE(type, flags) },
		{ .num = PFM_PERF_PMC_CONFIG(n), .value = config },
	};
	int ret = vector(fd, PFM_IOC_WRITE_PMCS, pmcs, ARRAY_LEN(pmcs), NULL);

	return ret ? ret : pmd_write(fd, PFM_PERF_PMD(n), 0);
}

#endif /* _SELFTESTS_PERF_PMU_H */

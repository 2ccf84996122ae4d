/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Names of hardware events that are the same on every machine.
 */
#ifndef PERFMON_PMU_GENERIC_H
#define PERFMON_PMU_GENERIC_H

enum pfmi_generic_event {
	PFMI_GENERIC_CYCLES,
	PFMI_GENERIC_INSTRUCTIONS,
	PFMI_GENERIC_REF_CYCLES,
	PFMI_GENERIC_BRANCHES,
	PFMI_GENERIC_BRANCH_MISSES,
	PFMI_GENERIC_CACHE_REFERENCES,
	PFMI_GENERIC_CACHE_MISSES,
	/* From here on in the order of the fields of Intel's PERF_METRICS. */
	PFMI_GENERIC_SLOTS,
	PFMI_GENERIC_TOPDOWN_RETIRING,
	PFMI_GENERIC_TOPDOWN_BAD_SPEC,
	PFMI_GENERIC_TOPDOWN_FE_BOUND,
	PFMI_GENERIC_TOPDOWN_BE_BOUND,
	PFMI_GENERIC_TOPDOWN_HEAVY_OPS,
	PFMI_GENERIC_TOPDOWN_BR_MISPREDICT,
	PFMI_GENERIC_TOPDOWN_FETCH_LAT,
	PFMI_GENERIC_TOPDOWN_MEM_BOUND,
	PFMI_GENERICS
};

/**
 * struct pfmi_generic - a generic name of a hardware event
 * @name: its name
 * @desc: what it counts
 */
struct pfmi_generic {
	const char *name;
	const char *desc;
};

extern const struct pfmi_generic pfmi_generics[PFMI_GENERICS];

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operations on counters of perf.
 */
#ifndef _PFM_PERF_OPS_H
#define _PFM_PERF_OPS_H

#include <perfmon/pmu.h>

extern const struct pfm_pmu_ops perf_ops;
/* Defined in perf.c. */
extern const struct pfm_pmu perf_pmu;

#endif /* _PFM_PERF_OPS_H */

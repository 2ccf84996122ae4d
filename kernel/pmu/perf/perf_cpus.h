/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that come and go, and the suspend of the machine.
 */
#ifndef _PFM_PERF_CPUS_H
#define _PFM_PERF_CPUS_H

int perf_cpus_begin(void);
void perf_cpus_end(void);

#endif /* _PFM_PERF_CPUS_H */

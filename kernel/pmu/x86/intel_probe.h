/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel's counters: registers that CPUID does not tell of, or that a hypervisor may lack.
 */
#ifndef _PFM_INTEL_PROBE_H
#define _PFM_INTEL_PROBE_H

#include <linux/types.h>

/* Registers that are written here, and by the counters' module */
#define INTEL_FIXED0	    0x309
#define INTEL_METRICS	    0x329
#define INTEL_FIXED_CONTROL 0x38d
#define INTEL_CONTROL	    0x38f

bool intel_probe_keeps(u32 msr, u64 bits);
unsigned int intel_probe_fields(void);

#endif /* _PFM_INTEL_PROBE_H */

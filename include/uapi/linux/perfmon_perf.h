/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Registers of the PMU "perf": counters of the kernel's perf subsystem.
 *
 * PMD n counts the event that four PMCs describe, in the terms of perf_event_open(2): the type
 * and the exclude bits, config, config1 and config2.
 */
#ifndef _UAPI_LINUX_PERFMON_PERF_H
#define _UAPI_LINUX_PERFMON_PERF_H

/* Number of events of an event set. */
#define PFM_PERF_EVENTS		 16

/* Register numbers of event n. */
#define PFM_PERF_PMD(n)		 (128 + (n))
#define PFM_PERF_PMC_TYPE(n)	 (128 + (n))
#define PFM_PERF_PMC_CONFIG(n)	 (144 + (n))
#define PFM_PERF_PMC_CONFIG1(n)	 (160 + (n))
#define PFM_PERF_PMC_CONFIG2(n)	 (176 + (n))

/*
 * Bits of PFM_PERF_PMC_TYPE(n).  Without PFM_PERF_ENABLE nothing counts.  The others are those
 * of struct perf_event_attr that have the same name; attr.type is in bits 63:32.
 */
#define PFM_PERF_ENABLE		 0x01
#define PFM_PERF_EXCLUDE_USER	 0x02
#define PFM_PERF_EXCLUDE_KERNEL	 0x04
#define PFM_PERF_EXCLUDE_HV	 0x08
#define PFM_PERF_EXCLUDE_IDLE	 0x10
#define PFM_PERF_EXCLUDE_HOST	 0x20
#define PFM_PERF_EXCLUDE_GUEST	 0x40
#define PFM_PERF_TYPE_SHIFT	 32

#endif /* _UAPI_LINUX_PERFMON_PERF_H */

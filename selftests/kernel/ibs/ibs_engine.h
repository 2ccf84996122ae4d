/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two engines of AMD's instruction-based sampling: their registers, and what the processor's
 * can do.
 */
#ifndef _SELFTESTS_IBS_ENGINE_H
#define _SELFTESTS_IBS_ENGINE_H

#include <linux/perfmon_ibs.h>

#include "context.h"
#include "emulator.h"

#define OP    PFM_IBS_PMD_OP
#define FETCH PFM_IBS_PMD_FETCH

/* Bits of the control registers */
#define COUNT_OPS     (1ULL << 19)
#define RANDOM	      (1ULL << 57)
#define USER_ONLY     PFM_IBS_EXCLUDE_KERNEL
#define OP_L3_ONLY    (1ULL << 16)
#define FETCH_L3_ONLY (1ULL << 59)

/* The filter of ops for loads that take longer than that many cycles: a multiple of 128 */
#define OP_LATENCY(cycles) (1ULL << 63 | ((cycles) / 128ULL - 1) << 59)

/* Bits of EAX of CPUID leaf 0x8000001b */
#define CAP_AVAIL (1U << 0)
#define CAP_READ  (1U << 3) /* the count of ops can be read, and written */
#define CAP_OPS	  (1U << 4) /* not only cycles can be counted */

/* The capabilities of IBS that the processor tells; the first ones tell none. */
static inline uint32_t ibs_caps(void)
{
	uint32_t a = 0x80000000, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if (a < 0x8000001b)
		return 0;
	a = 0x8000001b;
	c = 0;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return a & CAP_AVAIL ? a : 0;
}

/* True if the count can be read before there is a sample */
static inline bool is_readable(uint16_t num)
{
	return num == FETCH || ibs_caps() & CAP_READ;
}

/* True if this processor is of the family, and its model not above the last one. */
static inline bool is_of(uint32_t family, uint32_t last_model)
{
	uint32_t a = 1, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return (a >> 8 & 0xf) + (a >> 20 & 0xff) == family &&
	       ((a >> 4 & 0xf) | (a >> 12 & 0xf0)) <= last_model;
}

/* Erratum 1606: the filter for latencies is refused without that for L3 misses. */
static inline bool needs_l3_filter(void)
{
	return is_of(0x1a, 0x0f);
}

#define NEED_ENGINE(num)                                                    \
	do {                                                                \
		if (!emulator_present())                                    \
			SKIP(return, "needs the emulator with an x86 PMU"); \
		if (!has_register(num))                                     \
			SKIP(return, "no IBS here");                        \
	} while (0)

#endif /* _SELFTESTS_IBS_ENGINE_H */

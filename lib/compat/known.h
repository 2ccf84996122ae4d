/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Notes of the library about contexts that the old interface has created: the generation of the
 * interface, and what the kernel does not know of.
 *
 * The table is written at creation only, and read without a lock, because programs call the library
 * in signal handlers.
 */
#ifndef COMPAT_KNOWN_H
#define COMPAT_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "numbers.h"

enum pfmi_generation {
	PFMI_V20 = 20,
	PFMI_V22 = 22,
	PFMI_V28 = 28,
	PFMI_V30 = 30,
};

/* Most PMDs that sample, as in the kernel. */
#define PFMI_SAMPLERS_MAX 64

/* A PMD that samples, under the kernel's number, and the number of values in its samples. */
struct pfmi_sampler {
	uint16_t num;
	uint16_t set;
	uint16_t vals;
};

/**
 * struct pfmi_known - a context
 * @generation: of the calls that have created it
 * @flags: PFM_CTX_* of today's kernel
 * @numbers: old register numbers
 * @numbers_known: @numbers was read
 * @old_pmds: bitmap of PMDs that the program has written under old numbers, PMD 0 to 63
 * @fixed: fixed counters that PMC16 has enabled: a bit each
 * @samples: a PMD got attributes of sampling
 * @ibs_period: sampling period of IBS fetch and op, from MaxCnt of their PMCs; 0: none
 * @samplers: PMDs that sample
 * @num_samplers: number of elements of @samplers
 * @translate: samples have old numbers, so the program gets a copy of the buffer
 * @mapped: where the program has the buffer, or its copy; NULL: it has not mapped it
 * @buffer: the kernel's buffer behind a copy; NULL: @mapped is the kernel's
 * @size: bytes of both
 */
struct pfmi_known {
	enum pfmi_generation generation;
	uint32_t flags;
	struct pfmi_numbers numbers;
	bool numbers_known;
	uint64_t old_pmds;
	unsigned int fixed;
	bool samples;
	uint64_t ibs_period[2];
	struct pfmi_sampler samplers[PFMI_SAMPLERS_MAX];
	unsigned int num_samplers;
	bool translate;
	void *mapped;
	void *buffer;
	size_t size;
};

/* Remember a new context; forgets one that had the descriptor.  -ENOMEM. */
int pfmi_known_add(int fd, enum pfmi_generation generation, uint32_t flags);

/* NULL: the library has not created it. */
struct pfmi_known *pfmi_known_find(int fd);

/*
 * The context of a descriptor; a context that was created elsewhere is of v2.8.  NULL and *@err: it is
 * no context.
 */
struct pfmi_known *pfmi_known_get(int fd, int *err);

/* Old register numbers of the machine: asks the kernel once for each context. */
const struct pfmi_numbers *pfmi_known_numbers(int fd, struct pfmi_known *known,
					      int *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The truth about the CPUs of the emulator with an x86 PMU (emulator/x86-pmu/), from its
 * own totals: the truth that counts are compared with. CPUID shows the totals of the CPU that
 * executes it, to user mode as well.
 */
#ifndef _SELFTESTS_EMULATOR_H
#define _SELFTESTS_EMULATOR_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "cpu.h"

/* The general counters from 0 on, the fixed ones from 32 on */
#define EMULATED_COUNTERS 36

struct emulated {
	uint64_t user, kernel; /* instructions */
	uint64_t overflows, pmis; /* PMIs: asked for by overflows */
	uint64_t delivered, masked; /* of these */
	uint64_t nmis; /* taken */
	uint64_t nmis_of_overflows, nmis_injected;
	uint64_t injected_nmis, injected_pmis;
	uint64_t ops, op_samples; /* of IBS: ops or cycles that were counted */
	uint64_t fetches, fetch_samples;
	uint64_t ops_dropped, fetches_dropped; /* samples, by filters */
	uint64_t ibs_nmis, ibs_masked;
	uint64_t ibs_unhidden; /* bitmap: what was changed to use IBS that was hidden */
	uint64_t ibs_unknown; /* samples of an instruction that the emulator lost: always 0 */
	uint64_t ibs_stuck; /* stops after which the interrupt of ops goes on, by erratum 420 */
	uint64_t ibs_spoiled; /* samples that are wrong by other errata */
	uint64_t counted[EMULATED_COUNTERS]; /* never reset */
	uint64_t wraps[EMULATED_COUNTERS];
};

#ifdef __x86_64__
static inline void emulated_pair(uint32_t subleaf, uint64_t *first,
				 uint64_t *second)
{
	uint32_t a = 0x4000f000, b, c = subleaf, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	*first = a | (uint64_t)b << 32;
	*second = c | (uint64_t)d << 32;
}
#else
static inline void emulated_pair(uint32_t subleaf, uint64_t *first,
				 uint64_t *second)
{
	*first = 0;
	*second = 0;
}
#endif

static inline bool emulator_present(void)
{
	uint64_t first, second;

	emulated_pair(0, &first, &second);
	return !memcmp((char *)&first + 4, "perf", 4) &&
	       !memcmp(&second, "PMU ", 4);
}

/* Of the CPU that this thread is on; it has to stay there. */
static inline void emulated_here(struct emulated *e)
{
	emulated_pair(3, &e->overflows, &e->pmis);
	emulated_pair(4, &e->delivered, &e->masked);
	emulated_pair(5, &e->nmis, &(uint64_t){ 0 });
	emulated_pair(6, &e->injected_nmis, &e->injected_pmis);
	emulated_pair(7, &e->nmis_of_overflows, &e->nmis_injected);
	emulated_pair(8, &e->ops, &e->op_samples);
	emulated_pair(9, &e->fetches, &e->fetch_samples);
	emulated_pair(10, &e->ops_dropped, &e->fetches_dropped);
	emulated_pair(11, &e->ibs_nmis, &e->ibs_masked);
	emulated_pair(12, &e->ibs_unknown, &(uint64_t){ 0 });
	emulated_pair(13, &e->ibs_unhidden, &(uint64_t){ 0 });
	emulated_pair(14, &e->ibs_stuck, &e->ibs_spoiled);
	for (int i = 0; i < EMULATED_COUNTERS; i++)
		emulated_pair(0x100 + i, &e->counted[i], &e->wraps[i]);
	emulated_pair(1, &e->user, &e->kernel);
}

static inline void emulated_on(int cpu, struct emulated *e)
{
	cpu_set_t before;

	if (sched_getaffinity(0, sizeof(before), &before))
		abort();
	pin_to(cpu);
	emulated_here(e);
	if (sched_setaffinity(0, sizeof(before), &before))
		abort();
}

static inline void emulated_add(struct emulated *sum, const struct emulated *e)
{
	const uint64_t *from = (const uint64_t *)e;
	uint64_t *to = (uint64_t *)sum;

	for (size_t i = 0; i < sizeof(*e) / sizeof(*to); i++)
		to[i] += from[i];
}

/* Of all CPUs that are online */
static inline void emulated_all(struct emulated *sum)
{
	struct emulated e;
	cpu_set_t online;

	memset(sum, 0, sizeof(*sum));
	if (sched_getaffinity(1, sizeof(online), &online))
		abort();
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &online))
			continue;
		emulated_on(cpu, &e);
		emulated_add(sum, &e);
	}
}

#endif /* _SELFTESTS_EMULATOR_H */

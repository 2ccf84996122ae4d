// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: counters, whoever's registers control them.
 *
 * An event with a rate of so many a thousand instructions happens at instructions that are
 * fixed by their number on the CPU: floor(n * rate / 1000) have happened by the n-th. All
 * counters of one event agree, therefore, and counts of parts add up to that of the whole.
 */

#include "pmu.h"

static uint64_t increments_by(uint64_t rate, uint64_t n)
{
	return n / X86_PMU_THOUSAND * rate +
	       n % X86_PMU_THOUSAND * rate / X86_PMU_THOUSAND;
}

uint64_t x86_pmu_increments(uint64_t rate, uint64_t from, uint64_t to)
{
	return increments_by(rate, to) - increments_by(rate, from);
}

/* The instruction by which there have been left more increments than by instruction from */
static uint64_t instruction_of(uint64_t rate, uint64_t from, uint64_t left)
{
	uint64_t target;

	if (!rate)
		return X86_PMU_NEVER;
	if (__builtin_mul_overflow(increments_by(rate, from) + left,
				   X86_PMU_THOUSAND, &target))
		return X86_PMU_NEVER;
	return DIV_ROUND_UP(target, rate);
}

void x86_pmu_counters_reset(struct x86_pmu *pmu)
{
	memset(pmu->counters, 0, sizeof(pmu->counters));
	memset(pmu->running, 0, sizeof(pmu->running));
	pmu->interrupting = 0;
}

uint64_t x86_pmu_counters_advance(struct x86_pmu *pmu, uint64_t from)
{
	uint64_t left, overflowed = 0;

	for (left = pmu->running[pmu->mode]; left; left &= left - 1) {
		int i = ctz64(left);
		struct x86_pmu_counter *counter = &pmu->counters[i];
		uint64_t n =
			x86_pmu_increments(counter->rate, from, pmu->now);

		counter->value += n;
		pmu->totals.counted[i] += n;
		if (counter->value <= pmu->value_mask)
			continue;
		counter->value &= pmu->value_mask;
		overflowed |= BIT_ULL(i);
		pmu->totals.wraps[i]++;
	}
	pmu->totals.overflows += ctpop64(overflowed);
	return overflowed;
}

/* Only the overflow that interrupts has to be noticed at once. */
uint64_t x86_pmu_counters_next(struct x86_pmu *pmu)
{
	uint64_t left, next = X86_PMU_NEVER;

	for (left = pmu->running[pmu->mode] & pmu->interrupting; left;
	     left &= left - 1) {
		struct x86_pmu_counter *counter = &pmu->counters[ctz64(left)];

		next = MIN(next, instruction_of(counter->rate, pmu->now,
						pmu->value_mask + 1 -
							counter->value));
	}
	return next;
}

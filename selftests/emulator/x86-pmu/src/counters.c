// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: counters, whoever's registers control them.
 *
 * An event with a rate happens at instructions that are fixed by their number on the CPU:
 * floor(i * rate) have happened by the i-th. All counters of one event on a CPU agree,
 * therefore, and there counts of parts add up to that of the whole.
 */

#include "pmu.h"

/* Both products fit: the instructions of a CPU do not reach 2^62. */
static uint64_t increments_by(struct x86_pmu_rate rate, uint64_t instruction)
{
	return (unsigned __int128)instruction * rate.n / rate.d;
}

uint64_t x86_pmu_increments(struct x86_pmu_rate rate, uint64_t from,
			    uint64_t to)
{
	return increments_by(rate, to) - increments_by(rate, from);
}

uint64_t x86_pmu_instruction_of(struct x86_pmu_rate rate, uint64_t from,
				uint64_t left)
{
	unsigned __int128 instruction;

	if (!rate.n)
		return X86_PMU_NEVER;
	instruction = DIV_ROUND_UP(
		((unsigned __int128)increments_by(rate, from) + left) * rate.d,
		rate.n);
	return instruction < X86_PMU_NEVER ? instruction : X86_PMU_NEVER;
}

void x86_pmu_counters_reset(struct x86_pmu *pmu)
{
	memset(pmu->counters, 0, sizeof(pmu->counters));
	for (int i = 0; i < X86_PMU_COUNTERS; i++)
		pmu->counters[i].rate.d = 1;
	memset(pmu->running, 0, sizeof(pmu->running));
	pmu->interrupting = 0;
	pmu->merged = 0;
}

/*
 * Errata of several processors, and of none: the overflow of a counter that is written with too
 * little to it sets no status and interrupts nobody. Real ones do that, or interrupt without end.
 */
void x86_pmu_counter_write(struct x86_pmu *pmu, int i, uint64_t value)
{
	pmu->counters[i].value = value & pmu->value_mask;
	pmu->counters[i].mute = pmu->value_mask + 1 - pmu->counters[i].value <
				pmu->config.min_period;
}

/* A counter has no more bits. Those of a pair go on in the next one, which has 16 of them. */
static bool overflows(struct x86_pmu *pmu, int i)
{
	if (!(pmu->merged & BIT_ULL(i)))
		return true;
	pmu->counters[i + 1].value =
		extract64(pmu->counters[i + 1].value + 1, 0, 16);
	return !pmu->counters[i + 1].value;
}

uint64_t x86_pmu_counters_advance(struct x86_pmu *pmu, uint64_t from)
{
	uint64_t left, overflowed = 0;

	for (left = pmu->running[pmu->mode]; left; left &= left - 1) {
		int i = ctz64(left);
		struct x86_pmu_counter *counter = &pmu->counters[i];
		uint64_t n = x86_pmu_increments(counter->rate, from, pmu->now);

		counter->value += n;
		pmu->totals.counted[i] += n;
		if (counter->value <= pmu->value_mask)
			continue;
		counter->value &= pmu->value_mask;
		if (!overflows(pmu, i))
			continue;
		if (counter->mute) {
			counter->mute = false;
			continue;
		}
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

		next = MIN(next, x86_pmu_instruction_of(
					 counter->rate, pmu->now,
					 pmu->value_mask + 1 - counter->value));
	}
	return next;
}

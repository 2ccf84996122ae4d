// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: what really happened on this CPU, for tests to compare with what
 * was counted. CPUID shows it, as that can be executed in user mode as well:
 *
 *     leaf 0x4000f000, ECX = subleaf      EBX:EAX                    EDX:ECX
 *     0  the last subleaf in EAX          "perf"  in EBX             "PMU " in ECX
 *     1  instructions                     in user mode               in the kernel
 *     2  the same in the guest mode of SVM
 *     3  overflows                        of counters                that asked for an interrupt
 *     4  these interrupts                 delivered                  lost as LVTPC was masked
 *     5  NMIs taken in EBX:EAX
 *     6  injected                         NMIs                       interrupts of the PMU
 *     7  NMIs taken that were asked for   by an overflow             by injections alone
 *     8  IBS: ops or cycles               that were counted          samples
 *     9  IBS: fetches                     that were counted          samples
 *    10  IBS: samples dropped by filters  of ops                     of fetches
 *    11  IBS: interrupts                  delivered                  lost as their entry was masked
 *    12  IBS: samples whose instruction is not known, a fault of the emulator, in EBX:EAX
 *    13  IBS that was hidden: what was changed so that it can be used, a bitmap, in EBX:EAX
 *    14  IBS: errata                      stops in the wrong order   samples that are wrong
 *    15  branch records                   made                       of mispredicted branches
 *
 *     0x100 + i, counter i                its increments             its overflows
 *
 * i is that of IA32_PERF_GLOBAL_CTRL: 32 + k is fixed counter k. Neither a write of the
 * counter nor a reset changes its number of increments, so what was counted between two
 * moments is known however often the counter was written, switched and read.
 */

#include "pmu.h"

#define LEAF	     0x4000f000
#define LAST_SUBLEAF 15
#define COUNTERS     0x100 /* the subleaf of the first */

static void put(uint32_t *regs, uint64_t first, uint64_t second)
{
	regs[0] = first;
	regs[1] = first >> 32;
	regs[2] = second;
	regs[3] = second >> 32;
}

static void totals_cpuid(struct x86_pmu *pmu, uint32_t leaf, uint32_t subleaf,
			 uint32_t *regs)
{
	struct x86_pmu_total_state *totals = &pmu->totals;
	uint64_t *instructions = totals->instructions;

	if (leaf != LEAF)
		return;
	switch (subleaf) {
	case 0:
		put(regs, LAST_SUBLEAF | (uint64_t)ldl_le_p("perf") << 32,
		    ldl_le_p("PMU "));
		break;
	case 1:
		put(regs, instructions[X86_PMU_USER], instructions[0]);
		break;
	case 2:
		put(regs, instructions[X86_PMU_GUEST | X86_PMU_USER],
		    instructions[X86_PMU_GUEST]);
		break;
	case 3:
		put(regs, totals->overflows, totals->pmis);
		break;
	case 4:
		put(regs, totals->pmis_delivered, totals->pmis_masked);
		break;
	case 5:
		put(regs, totals->nmis, 0);
		break;
	case 6:
		put(regs, totals->injected_nmis, totals->injected_pmis);
		break;
	case 7:
		put(regs, totals->nmis_of_overflows, totals->nmis_injected);
		break;
	case 8:
		put(regs, pmu->ibs.op.counted, pmu->ibs.op.samples);
		break;
	case 9:
		put(regs, pmu->ibs.fetch.counted, pmu->ibs.fetch.samples);
		break;
	case 10:
		put(regs, pmu->ibs.op.dropped, pmu->ibs.fetch.dropped);
		break;
	case 11:
		put(regs, pmu->ibs.delivered, pmu->ibs.masked);
		break;
	case 12:
		put(regs, pmu->ibs.untagged, 0);
		break;
	case 13:
		put(regs, x86_pmu_ibs_unhidden(pmu), 0);
		break;
	case 14:
		put(regs, pmu->ibs.stuck_stops, pmu->ibs.spoiled);
		break;
	case 15:
		put(regs, pmu->lbr.records, pmu->lbr.mispredicted);
		break;
	case COUNTERS ... COUNTERS + X86_PMU_COUNTERS - 1:
		put(regs, totals->counted[subleaf - COUNTERS],
		    totals->wraps[subleaf - COUNTERS]);
		break;
	default:
		put(regs, 0, 0);
	}
}

static void totals_advance(struct x86_pmu *pmu, uint64_t from)
{
	pmu->totals.instructions[pmu->mode] += pmu->now - from;
}

const struct x86_pmu_unit x86_pmu_totals = {
	.advance = totals_advance,
	.cpuid = totals_cpuid,
};

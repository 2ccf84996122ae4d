// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's counters: registers that CPUID does not tell of, or that a hypervisor may lack.
 *
 * What is written is put back with interrupts off, so that nobody finds it but an NMI.
 */
#include "intel_probe.h"

#include <linux/init.h>
#include <linux/irqflags.h>
#include <asm/msr.h>

#include "x86_msr.h"
#include "x86_state.h"

/* Fields of PERF_METRICS that every processor with the register has */
#define LEVEL_1 4

/**
 * intel_probe_keeps - tell whether this CPU has a register
 * @msr: the register
 * @bits: bits that it has
 *
 * Some hypervisors let each register be read as 0 and forget what is written (ignore_msrs of KVM).
 * A register that holds something is there, and perf may be using it: then nothing is written.
 *
 * Return: true if the register is there, and holds what is written to it.
 */
bool __init intel_probe_keeps(u32 msr, u64 bits)
{
	u32 low, high;
	unsigned long flags;
	bool kept = false;

	local_irq_save(flags);
	if (rdmsr_safe(msr, &low, &high))
		goto out;
	kept = low | high;
	if (kept || wrmsr_safe(msr, (u32)bits, bits >> 32))
		goto out;
	kept = x86_rdmsr(msr) == bits;
	x86_wrmsr(msr, 0);
out:
	local_irq_restore(flags);
	return kept;
}

/* What four fields of PERF_METRICS are written with, and the slots that they share. */
#define PROBE_LEVEL 0x33333333
#define PROBE_SLOTS 0xff

/*
 * Number of fields of PERF_METRICS, by what it keeps.  The registers are put back.  They must not
 * count meanwhile: perf counts with them only while the global control has their bit.
 */
static unsigned int __init probe_fields(void)
{
	const u64 slots = x86_rdmsr(INTEL_FIXED0 + 3);
	const u64 metrics = x86_rdmsr(INTEL_METRICS);
	u64 seen;

	/* The fields are shares of the counter, which comes first. */
	x86_wrmsr(INTEL_FIXED0 + 3, PROBE_SLOTS);
	if (wrmsr_safe(INTEL_METRICS, PROBE_LEVEL, PROBE_LEVEL))
		wrmsr_safe(INTEL_METRICS, PROBE_LEVEL, 0);
	seen = x86_rdmsr(INTEL_METRICS);
	x86_wrmsr(INTEL_FIXED0 + 3, slots);
	wrmsr_safe(INTEL_METRICS, (u32)metrics, metrics >> 32);
	if (seen == (PROBE_LEVEL | (u64)PROBE_LEVEL << 32))
		return X86_METRIC_FIELDS;
	return seen == PROBE_LEVEL ? LEVEL_1 : 0;
}

/* True if the counter of slots, or the metrics, run on this CPU. */
static bool __init are_used(void)
{
	return x86_rdmsr(INTEL_CONTROL) & (X86_SLOTS_BIT | X86_METRICS_BIT) &&
	       x86_rdmsr(INTEL_FIXED_CONTROL) >> 3 * X86_FIXED_WIDTH &
		       (X86_FIXED_OS | X86_FIXED_USR);
}

/**
 * intel_probe_fields - find out which fields PERF_METRICS has
 *
 * The processor says that it has the register, and fixed counter 3 exists.  A hypervisor may
 * lack it all the same, or keep nothing that is written.
 *
 * Return: number of fields; 0 if the register cannot be used as x86_metrics.c does.
 */
unsigned int __init intel_probe_fields(void)
{
	unsigned int fields = LEVEL_1;
	unsigned long flags;
	u32 low, high;

	if (rdmsr_safe(INTEL_METRICS, &low, &high) ||
	    !x86_rdpmc_works(X86_METRICS_RDPMC))
		return 0;
	local_irq_save(flags);
	/* While perf counts with them, all that is known is that they are there. */
	if (!are_used())
		fields = probe_fields();
	local_irq_restore(flags);
	return fields;
}

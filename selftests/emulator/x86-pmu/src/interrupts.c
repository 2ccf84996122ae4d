// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: how the PMU's interrupt gets to the CPU, late if the user wants it,
 * and interrupts that nothing asked for.
 */

#include "pmu.h"
#include "exec/cpu-common.h"
#include "hw/core/cpu.h"
#include "hw/i386/apic_internal.h"
#include "qemu/main-loop.h"

/*
 * The hammer injects interrupts whose distance is counted in instructions outside of NMIs: so
 * many of them are executed between two NMIs, however long the handler takes.
 */

/* For tests: model-specific registers that no processor has */
enum {
	MSR_PMI_EVERY = 0x4000f000,
	MSR_NMI_EVERY,
	MSR_PMI_DELAY,
	MSR_PMI_DELAY_RANDOM,
	MSR_INJECT, /* written: 1 an NMI, 2 the PMU's interrupt */
	MSR_HAMMER, /* from | to << 32 */
	MSR_HAMMER_KIND,
};

#define INJECT_NMI 1
#define INJECT_PMI 2

/* The sources of the NMI that is pending */
#define SOURCE_OVERFLOW BIT(0)
#define SOURCE_INJECTED BIT(1)
#define SOURCE_IBS	BIT(2)

uint64_t x86_pmu_random_below(struct x86_pmu *pmu, uint64_t limit)
{
	uint64_t x = pmu->interrupt.random;

	/* xorshift64*, by Vigna */
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	pmu->interrupt.random = x;
	return (x * 0x2545f4914f6cdd1dULL >> 11) % limit;
}

/* The next of events that are so many instructions apart, on average */
static uint64_t random_instruction(struct x86_pmu *pmu, uint64_t every)
{
	return every ? pmu->now + 1 + x86_pmu_random_below(pmu, 2 * every - 1)
		     : X86_PMU_NEVER;
}

static uint64_t hammer_instruction(struct x86_pmu *pmu)
{
	struct x86_pmu_config *config = &pmu->config;

	if (!config->hammer_from || pmu->interrupt.blocked)
		return X86_PMU_NEVER;
	return pmu->now + config->hammer_from +
	       x86_pmu_random_below(pmu, config->hammer_to -
						 config->hammer_from + 1);
}

/* Without an instruction between two NMIs the interrupted program would stand still. */
bool x86_pmu_hammer_valid(uint64_t from, uint64_t to, uint64_t kind)
{
	return from <= to && !from == !to && kind >= X86_PMU_HAMMER_PMI &&
	       kind <= X86_PMU_HAMMER_BOTH;
}

/* Firmware, and a system that boots, have no handler for NMIs. */
static bool system_takes_nmis(struct x86_pmu *pmu)
{
	uint32_t lvt = APIC_COMMON(pmu->cpu->apic_state)->lvt[APIC_LVT_PERFORM];

	return (lvt & APIC_LVT_DELIV_MOD) >> APIC_LVT_DELIV_MOD_SHIFT ==
	       APIC_DM_NMI;
}

void x86_pmu_interrupt_nmi(struct x86_pmu *pmu)
{
	pmu->interrupt.sources |= SOURCE_IBS;
	BQL_LOCK_GUARD();
	cpu_interrupt(CPU(pmu->cpu), CPU_INTERRUPT_NMI);
}

/* Processors of Intel mask the interrupt when they deliver it. */
static bool deliver(struct x86_pmu *pmu, unsigned int source)
{
	APICCommonState *apic = APIC_COMMON(pmu->cpu->apic_state);

	BQL_LOCK_GUARD();
	if (apic->lvt[APIC_LVT_PERFORM] & APIC_LVT_MASKED)
		return false;
	apic_local_deliver(apic, APIC_LVT_PERFORM);
	if (system_takes_nmis(pmu))
		pmu->interrupt.sources |= source;
	if (IS_INTEL_CPU(&pmu->cpu->env))
		apic->lvt[APIC_LVT_PERFORM] |= APIC_LVT_MASKED;
	pmu->interrupt.handled = true;
	return true;
}

static void deliver_pmi(struct x86_pmu *pmu)
{
	if (deliver(pmu, SOURCE_OVERFLOW))
		pmu->totals.pmis_delivered++;
	else
		pmu->totals.pmis_masked++;
}

static void inject_nmi(struct x86_pmu *pmu)
{
	if (!system_takes_nmis(pmu))
		return;
	pmu->totals.injected_nmis++;
	pmu->interrupt.sources |= SOURCE_INJECTED;
	BQL_LOCK_GUARD();
	cpu_interrupt(CPU(pmu->cpu), CPU_INTERRUPT_NMI);
}

static void inject_pmi(struct x86_pmu *pmu)
{
	if (system_takes_nmis(pmu) && deliver(pmu, SOURCE_INJECTED))
		pmu->totals.injected_pmis++;
}

static void hammer(struct x86_pmu *pmu)
{
	unsigned int kind = pmu->config.hammer_kind;

	if (kind == X86_PMU_HAMMER_BOTH)
		kind = x86_pmu_random_below(pmu, 2) ? X86_PMU_HAMMER_PMI
						    : X86_PMU_HAMMER_NMI;
	if (kind == X86_PMU_HAMMER_PMI)
		inject_pmi(pmu);
	else
		inject_nmi(pmu);
}

/*
 * From Haswell on the handler of an interrupt has to unmask it after the counters run again. Linux does
 * that since an earlier write sends an interrupt for nothing, and so does this processor. The manuals
 * do not say so.
 */
void x86_pmu_interrupt_running(struct x86_pmu *pmu)
{
	struct x86_pmu_interrupt_state *interrupt = &pmu->interrupt;
	uint32_t lvt = APIC_COMMON(pmu->cpu->apic_state)->lvt[APIC_LVT_PERFORM];

	if (!interrupt->handled || !interrupt->blocked)
		return;
	interrupt->handled = false;
	if (pmu->config.unmask_late && !(lvt & APIC_LVT_MASKED))
		deliver(pmu, SOURCE_OVERFLOW);
}

/* An NMI of another CPU or of the chipset has no source here. */
void x86_pmu_interrupt_taken(struct x86_pmu *pmu)
{
	struct x86_pmu_interrupt_state *interrupt = &pmu->interrupt;

	pmu->totals.nmis++;
	if (interrupt->sources & SOURCE_OVERFLOW)
		pmu->totals.nmis_of_overflows++;
	else if (interrupt->sources & SOURCE_INJECTED)
		pmu->totals.nmis_injected++;
	interrupt->sources = 0;
	interrupt->blocked = true;
	interrupt->next_hammer = X86_PMU_NEVER;
}

void x86_pmu_interrupt_unblocked(struct x86_pmu *pmu)
{
	pmu->interrupt.blocked = false;
	pmu->interrupt.handled = false;
	pmu->interrupt.next_hammer = hammer_instruction(pmu);
}

/* One that is under way is not overtaken: there is one line to the local APIC. */
void x86_pmu_interrupt_raise(struct x86_pmu *pmu)
{
	uint64_t delay = pmu->config.pmi_delay;

	pmu->totals.pmis++;
	if (pmu->interrupt.delayed != X86_PMU_NEVER)
		return;
	if (delay && pmu->config.pmi_delay_random)
		delay = x86_pmu_random_below(pmu, delay + 1);
	if (delay)
		pmu->interrupt.delayed = pmu->now + delay;
	else
		deliver_pmi(pmu);
}

static void interrupts_advance(struct x86_pmu *pmu, uint64_t from)
{
	struct x86_pmu_interrupt_state *interrupt = &pmu->interrupt;

	if (interrupt->delayed <= pmu->now) {
		interrupt->delayed = X86_PMU_NEVER;
		deliver_pmi(pmu);
	}
	if (interrupt->next_pmi <= pmu->now) {
		interrupt->next_pmi =
			random_instruction(pmu, pmu->config.pmi_every);
		inject_pmi(pmu);
	}
	if (interrupt->next_nmi <= pmu->now) {
		interrupt->next_nmi =
			random_instruction(pmu, pmu->config.nmi_every);
		inject_nmi(pmu);
	}
	if (interrupt->next_hammer <= pmu->now) {
		interrupt->next_hammer = hammer_instruction(pmu);
		hammer(pmu);
	}
}

static uint64_t interrupts_next(struct x86_pmu *pmu)
{
	struct x86_pmu_interrupt_state *interrupt = &pmu->interrupt;

	return MIN(MIN(interrupt->delayed, interrupt->next_hammer),
		   MIN(interrupt->next_pmi, interrupt->next_nmi));
}

/* Each waits its whole distance, whatever was left of the one before. */
static void interrupts_begin(struct x86_pmu *pmu)
{
	struct x86_pmu_interrupt_state *interrupt = &pmu->interrupt;

	interrupt->next_pmi = random_instruction(pmu, pmu->config.pmi_every);
	interrupt->next_nmi = random_instruction(pmu, pmu->config.nmi_every);
	interrupt->next_hammer = hammer_instruction(pmu);
}

static void interrupts_reset(struct x86_pmu *pmu)
{
	/* Each CPU has other random numbers; none of them may be zero. */
	pmu->interrupt.random = (pmu->config.seed + CPU(pmu->cpu)->cpu_index +
				 1) * 0x9e3779b97f4a7c15ULL |
				1;
	pmu->interrupt.delayed = X86_PMU_NEVER;
	pmu->interrupt.blocked = false;
	pmu->interrupt.handled = false;
	pmu->interrupt.sources = 0;
	interrupts_begin(pmu);
}

static uint64_t *control(struct x86_pmu *pmu, uint32_t msr)
{
	switch (msr) {
	case MSR_PMI_EVERY:
		return &pmu->config.pmi_every;
	case MSR_NMI_EVERY:
		return &pmu->config.nmi_every;
	case MSR_PMI_DELAY:
		return &pmu->config.pmi_delay;
	case MSR_PMI_DELAY_RANDOM:
		return &pmu->config.pmi_delay_random;
	case MSR_HAMMER_KIND:
		return &pmu->config.hammer_kind;
	}
	return NULL;
}

static enum x86_pmu_access interrupts_rdmsr(struct x86_pmu *pmu, uint32_t msr,
					    uint64_t *value)
{
	uint64_t *at = control(pmu, msr);

	if (msr == MSR_HAMMER)
		*value = pmu->config.hammer_from | pmu->config.hammer_to << 32;
	else if (at)
		*value = *at;
	else
		return X86_PMU_NOT_MINE;
	return X86_PMU_DONE;
}

static enum x86_pmu_access inject(struct x86_pmu *pmu, uint64_t what)
{
	switch (what) {
	case INJECT_NMI:
		inject_nmi(pmu);
		return X86_PMU_DONE;
	case INJECT_PMI:
		inject_pmi(pmu);
		return X86_PMU_DONE;
	}
	return X86_PMU_FAULT;
}

static enum x86_pmu_access hammer_write(struct x86_pmu *pmu, uint64_t from,
					uint64_t to, uint64_t kind)
{
	if (!x86_pmu_hammer_valid(from, to, kind))
		return X86_PMU_FAULT;
	pmu->config.hammer_from = from;
	pmu->config.hammer_to = to;
	pmu->config.hammer_kind = kind;
	pmu->interrupt.next_hammer = hammer_instruction(pmu);
	return X86_PMU_DONE;
}

static enum x86_pmu_access interrupts_wrmsr(struct x86_pmu *pmu, uint32_t msr,
					    uint64_t value)
{
	uint64_t *at = control(pmu, msr);

	if (msr == MSR_INJECT)
		return inject(pmu, value);
	if (msr == MSR_HAMMER)
		return hammer_write(pmu, extract64(value, 0, 32),
				    extract64(value, 32, 32),
				    pmu->config.hammer_kind);
	if (msr == MSR_HAMMER_KIND)
		return hammer_write(pmu, pmu->config.hammer_from,
				    pmu->config.hammer_to, value);
	if (!at)
		return X86_PMU_NOT_MINE;
	if (value > UINT32_MAX)
		return X86_PMU_FAULT;
	*at = value;
	interrupts_begin(pmu);
	return X86_PMU_DONE;
}

const struct x86_pmu_unit x86_pmu_interrupts = {
	.reset = interrupts_reset,
	.advance = interrupts_advance,
	.next = interrupts_next,
	.rdmsr = interrupts_rdmsr,
	.wrmsr = interrupts_wrmsr,
};

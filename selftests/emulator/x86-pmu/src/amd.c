// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: the registers of AMD's core counters: the four of old, the six of
 * the core extension, and PerfMonV2. Facts are from AMD's manual, volume 2, "Performance
 * Monitoring Counters", and the processor programming references.
 */

#include "pmu.h"

#define MSR_DEBUGCTL	      0x1d9
#define MSR_LEGACY_CTL0	      0xc0010000
#define MSR_LEGACY_CTR0	      0xc0010004
#define LEGACY_COUNTERS	      4
#define MSR_CORE_CTL0	      0xc0010200 /* counters alternate with their controls */
#define MSR_GLOBAL_STATUS     0xc0000300
#define MSR_GLOBAL_CTL	      0xc0000301
#define MSR_GLOBAL_STATUS_CLR 0xc0000302
#define MSR_GLOBAL_STATUS_SET 0xc0000303
#define CORE_COUNTERS_MAX     6

#define EVTSEL_GUEST BIT_ULL(40)
#define EVTSEL_HOST  BIT_ULL(41)
/* Bits 19 and 21, 36 to 39 and 42 up are reserved; they cannot be set. */
#define EVTSEL_VALID                                                           \
	((MAKE_64BIT_MASK(0, 36) & ~(EVTSEL_PC | EVTSEL_ANY)) | EVTSEL_GUEST | \
	 EVTSEL_HOST)

#define EVENT_MERGE 0xf000000ffULL

#define CPUID_PERFMON_V2 BIT(0)
#define CPUID_LBR_V2	 BIT(1)
#define CPUID_FREEZE	 BIT(2)

/* LBR, BTF, and the freezes of branch records and counters on an interrupt */
#define DEBUGCTL_FREEZE_LBR BIT_ULL(11)
#define DEBUGCTL_FREEZE_PMU BIT_ULL(12)
#define DEBUGCTL_VALID	    (MAKE_64BIT_MASK(0, 2) | MAKE_64BIT_MASK(11, 2))
#define STATUS_LBR_FROZEN   X86_PMU_STATUS_LBR_FROZEN
#define STATUS_FROZEN	    BIT_ULL(59)

enum { VERSION_LEGACY, VERSION_CORE, VERSION_V2 };

static uint64_t general_mask(struct x86_pmu *pmu)
{
	return MAKE_64BIT_MASK(0, pmu->config.general);
}

/* Neither bit or both: host and guest. Without SVM the bits mean nothing. */
static bool counts_in(struct x86_pmu *pmu, uint64_t evtsel, unsigned int mode)
{
	uint64_t who = evtsel & (EVTSEL_GUEST | EVTSEL_HOST);

	if (!(evtsel & (mode & X86_PMU_USER ? EVTSEL_USR : EVTSEL_OS)))
		return false;
	if (!pmu->amd.svme || !who)
		return true;
	return evtsel & (mode & X86_PMU_GUEST ? EVTSEL_GUEST : EVTSEL_HOST);
}

/*
 * Events with large increments: the next counter has the merge event, and is the upper part
 * of this one.
 */
static bool is_merged(struct x86_pmu *pmu, int i)
{
	uint64_t next = i % 2 || i + 1 >= pmu->config.general
				? 0
				: pmu->amd.evtsel[i + 1];

	return pmu->config.version >= VERSION_CORE && (next & EVTSEL_EN) &&
	       (next & (EVTSEL_CODE | EVTSEL_CODE_HIGH)) == EVENT_MERGE;
}

static void update_counter(struct x86_pmu *pmu, int i)
{
	uint64_t evtsel = pmu->amd.evtsel[i];

	if (!(evtsel & EVTSEL_EN))
		return;
	pmu->counters[i].rate = x86_pmu_event_rate(pmu, evtsel, 0);
	if (is_merged(pmu, i))
		pmu->merged |= BIT_ULL(i);
	for (unsigned int mode = 0; mode < X86_PMU_MODES; mode++) {
		if (counts_in(pmu, evtsel, mode))
			pmu->running[mode] |= BIT_ULL(i);
	}
	if (evtsel & EVTSEL_INT)
		pmu->interrupting |= BIT_ULL(i);
}

static void update(struct x86_pmu *pmu)
{
	memset(pmu->running, 0, sizeof(pmu->running));
	pmu->interrupting = 0;
	pmu->merged = 0;
	for (int i = 0; i < pmu->config.general; i++)
		update_counter(pmu, i);
	if (pmu->config.version < VERSION_V2)
		return;
	for (int mode = 0; mode < X86_PMU_MODES; mode++)
		pmu->running[mode] &= pmu->amd.global_status & STATUS_FROZEN
					      ? 0
					      : pmu->amd.global_ctrl;
}

static void freeze(struct x86_pmu *pmu)
{
	if (pmu->amd.debugctl & DEBUGCTL_FREEZE_LBR)
		pmu->amd.global_status |= STATUS_LBR_FROZEN;
	if (pmu->amd.debugctl & DEBUGCTL_FREEZE_PMU)
		pmu->amd.global_status |= STATUS_FROZEN;
	update(pmu);
	x86_pmu_lbr_update(pmu);
}

static void amd_advance(struct x86_pmu *pmu, uint64_t from)
{
	uint64_t overflowed = x86_pmu_counters_advance(pmu, from);

	if (pmu->config.version >= VERSION_V2)
		pmu->amd.global_status |= overflowed;
	if (overflowed & pmu->interrupting) {
		freeze(pmu);
		x86_pmu_interrupt_raise(pmu);
	}
}

static void amd_reset(struct x86_pmu *pmu)
{
	x86_pmu_counters_reset(pmu);
	pmu->amd =
		(struct x86_pmu_amd_state){ .global_ctrl = general_mask(pmu) };
	update(pmu);
}

static void amd_svme(struct x86_pmu *pmu, bool svme)
{
	pmu->amd.svme = svme;
	update(pmu);
}

static void amd_cpuid(struct x86_pmu *pmu, uint32_t leaf, uint32_t subleaf,
		      uint32_t *regs)
{
	bool v2 = pmu->config.version >= VERSION_V2;

	switch (leaf) {
	case 0x80000000:
		if (v2)
			regs[0] = MAX(regs[0], 0x80000022);
		break;
	case 0x80000001:
		regs[2] &= ~CPUID_EXT3_PERFCORE;
		if (pmu->config.version >= VERSION_CORE)
			regs[2] |= CPUID_EXT3_PERFCORE;
		break;
	case 0x80000022:
		memset(regs, 0, 4 * sizeof(*regs));
		if (v2) {
			regs[0] = CPUID_PERFMON_V2 | CPUID_FREEZE;
			regs[1] = pmu->config.general;
			if (pmu->config.lbr) {
				regs[0] |= CPUID_LBR_V2;
				regs[1] |= pmu->config.lbr_depth << 4;
			}
		}
		break;
	}
}

struct place {
	bool control;
	int counter;
};

/* The control or counter that msr is; the first four have two addresses each. */
static bool find(uint32_t msr, struct place *place)
{
	if (msr >= MSR_LEGACY_CTL0 && msr < MSR_LEGACY_CTR0 + LEGACY_COUNTERS) {
		place->control = msr < MSR_LEGACY_CTR0;
		place->counter = (msr - MSR_LEGACY_CTL0) % LEGACY_COUNTERS;
		return true;
	}
	if (msr >= MSR_CORE_CTL0 &&
	    msr < MSR_CORE_CTL0 + 2 * CORE_COUNTERS_MAX) {
		place->control = !((msr - MSR_CORE_CTL0) % 2);
		place->counter = (msr - MSR_CORE_CTL0) / 2;
		return true;
	}
	return false;
}

static bool is_global(uint32_t msr)
{
	return msr >= MSR_GLOBAL_STATUS && msr <= MSR_GLOBAL_STATUS_SET;
}

/* Registers of Intel's processors, and of AMD's with more than this one has */
static bool is_absent(struct x86_pmu *pmu, uint32_t msr)
{
	struct place place;

	if (find(msr, &place))
		return place.counter >= pmu->config.general ||
		       (msr >= MSR_CORE_CTL0 &&
			pmu->config.version < VERSION_CORE);
	if (is_global(msr))
		return pmu->config.version < VERSION_V2;
	return (msr >= 0x0c1 && msr <= 0x0c8) ||
	       (msr >= 0x186 && msr <= 0x18d) ||
	       (msr >= 0x309 && msr <= 0x30c) || (msr >= 0x38d && msr <= 0x392);
}

static enum x86_pmu_access amd_rdmsr(struct x86_pmu *pmu, uint32_t msr,
				     uint64_t *value)
{
	struct place place;

	if (is_absent(pmu, msr))
		return X86_PMU_FAULT;
	if (find(msr, &place)) {
		*value = place.control ? pmu->amd.evtsel[place.counter]
				       : pmu->counters[place.counter].value;
		return X86_PMU_DONE;
	}
	if (msr == MSR_DEBUGCTL && pmu->config.version >= VERSION_V2) {
		*value = pmu->amd.debugctl;
		return X86_PMU_DONE;
	}
	switch (msr) {
	case MSR_GLOBAL_STATUS:
		*value = pmu->amd.global_status;
		return X86_PMU_DONE;
	case MSR_GLOBAL_CTL:
		*value = pmu->amd.global_ctrl;
		return X86_PMU_DONE;
	case MSR_GLOBAL_STATUS_CLR:
	case MSR_GLOBAL_STATUS_SET:
		*value = 0;
		return X86_PMU_DONE;
	}
	return X86_PMU_NOT_MINE;
}

static enum x86_pmu_access global_write(struct x86_pmu *pmu, uint32_t msr,
					uint64_t value)
{
	switch (msr) {
	case MSR_GLOBAL_CTL:
		pmu->amd.global_ctrl = value & general_mask(pmu);
		return X86_PMU_DONE;
	case MSR_GLOBAL_STATUS_CLR:
		pmu->amd.global_status &= ~value;
		return X86_PMU_DONE;
	case MSR_GLOBAL_STATUS_SET:
		pmu->amd.global_status |=
			value &
			(general_mask(pmu) | STATUS_LBR_FROZEN | STATUS_FROZEN);
		return X86_PMU_DONE;
	}
	/* AMD's manual: writes to the status, a read-only register, are ignored. */
	return X86_PMU_DONE;
}

static enum x86_pmu_access register_write(struct x86_pmu *pmu, uint32_t msr,
					  uint64_t value)
{
	struct place place;

	if (is_global(msr))
		return global_write(pmu, msr, value);
	if (msr == MSR_DEBUGCTL && pmu->config.version >= VERSION_V2) {
		if (value & ~DEBUGCTL_VALID)
			return X86_PMU_FAULT;
		pmu->amd.debugctl = value;
		return X86_PMU_DONE;
	}
	if (!find(msr, &place))
		return X86_PMU_NOT_MINE;
	if (place.control)
		pmu->amd.evtsel[place.counter] = value & EVTSEL_VALID;
	else
		x86_pmu_counter_write(pmu, place.counter, value);
	return X86_PMU_DONE;
}

static enum x86_pmu_access amd_wrmsr(struct x86_pmu *pmu, uint32_t msr,
				     uint64_t value)
{
	enum x86_pmu_access access;

	if (is_absent(pmu, msr))
		return X86_PMU_FAULT;
	access = register_write(pmu, msr, value);
	if (access == X86_PMU_DONE)
		update(pmu);
	return access;
}

static enum x86_pmu_access amd_rdpmc(struct x86_pmu *pmu, uint32_t index,
				     uint64_t *value)
{
	if (index >= pmu->config.general)
		return X86_PMU_FAULT;
	*value = pmu->counters[index].value;
	return X86_PMU_DONE;
}

const struct x86_pmu_unit x86_pmu_amd = {
	.reset = amd_reset,
	.advance = amd_advance,
	.next = x86_pmu_counters_next,
	.cpuid = amd_cpuid,
	.rdmsr = amd_rdmsr,
	.wrmsr = amd_wrmsr,
	.rdpmc = amd_rdpmc,
	.svme = amd_svme,
};

/* Family 15h has the core extension, Zen 4 PerfMonV2. */
static uint64_t version_of(uint32_t version)
{
	uint32_t family = extract32(version, 8, 4) + extract32(version, 20, 8);
	uint32_t model = extract32(version, 4, 4) | extract32(version, 16, 4)
							    << 4;

	if (family >= 0x1a ||
	    (family == 0x19 &&
	     ((model >= 0x10 && model < 0x20) || model >= 0x60)))
		return VERSION_V2;
	return family >= 0x15 ? VERSION_CORE : VERSION_LEGACY;
}

bool x86_pmu_amd_configure(struct x86_pmu *pmu, Error **errp)
{
	struct x86_pmu_config *config = &pmu->config;
	uint64_t most;

	x86_pmu_default(pmu, version, version_of(pmu->cpu->env.cpuid_version));
	most = config->version >= VERSION_CORE ? CORE_COUNTERS_MAX
					       : LEGACY_COUNTERS;
	x86_pmu_default(pmu, general, most);
	x86_pmu_default(pmu, width, 48);
	x86_pmu_default(pmu, cycles, X86_PMU_THOUSAND);
	x86_pmu_default(pmu, ref_cycles, config->cycles);
	x86_pmu_default(pmu, slots, 6);
	x86_pmu_default(pmu, lbr, config->version >= VERSION_V2);
	x86_pmu_default(pmu, lbr_depth, 16);
	if (config->version > VERSION_V2) {
		error_setg(
			errp,
			"pmu-version: 0, 1 (core extension) or 2 (PerfMonV2) on AMD");
		return false;
	}
	if (config->version < VERSION_V2 && config->lbr) {
		error_setg(errp, "pmu-lbr needs pmu-version=2 on AMD");
		return false;
	}
	if (config->version < VERSION_V2 && config->general != most) {
		error_setg(errp, "pmu-counters: always %d before PerfMonV2",
			   (int)most);
		return false;
	}
	if (config->general > most) {
		error_setg(errp, "pmu-counters: not more than %d on AMD",
			   (int)most);
		return false;
	}
	return true;
}

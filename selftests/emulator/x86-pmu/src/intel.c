// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: the registers of Intel's architectural performance monitoring,
 * versions 1 to 6, and PERF_METRICS. Facts are from Intel's manual, volume 3, chapters
 * "Performance Monitoring" and "Model-Specific Registers".
 */

#include "pmu.h"

#define MSR_PMC0		0x0c1
#define MSR_PERFEVTSEL0		0x186
#define MSR_MISC_ENABLE		0x1a0
#define MSR_OFFCORE_RSP0	0x1a6
#define MSR_DEBUGCTL		0x1d9
#define MSR_FIXED_CTR0		0x309
#define MSR_METRICS		0x329
#define MSR_PERF_CAPABILITIES	0x345
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_PEBS_ENABLE		0x3f1
#define MSR_LOAD_LATENCY	0x3f6
#define MSR_FRONTEND		0x3f7
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_STATUS_RESET 0x390 /* until version 3: GLOBAL_OVF_CTRL */
#define MSR_GLOBAL_STATUS_SET	0x391
#define MSR_GLOBAL_INUSE	0x392
#define MSR_FULL_PMC0		0x4c1
/* Those of AMD's processors */
#define MSR_AMD_FIRST	   0xc0010000
#define MSR_AMD_LAST	   0xc0010007
#define MSR_AMD_CORE_FIRST 0xc0010200
#define MSR_AMD_CORE_LAST  0xc001020b

#define MISC_ENABLE_PERFMON BIT_ULL(7)
#define MISC_ENABLE_NO_BTS  BIT_ULL(11)
#define MISC_ENABLE_NO_PEBS BIT_ULL(12)

#define DEBUGCTL_LBR	    BIT_ULL(0)
#define DEBUGCTL_FREEZE_LBR BIT_ULL(11)
#define DEBUGCTL_FREEZE_PMU BIT_ULL(12)
/* LBR, BTF, TR, BTS, BTINT, BTS_OFF_OS, BTS_OFF_USR, the freezes, and that in SMM */
#define DEBUGCTL_VALID                                                 \
	(MAKE_64BIT_MASK(0, 2) | MAKE_64BIT_MASK(6, 7) | BIT_ULL(14) | \
	 BIT_ULL(13))

#define CAPABILITY_FULL_WIDTH BIT_ULL(13)
#define CAPABILITY_METRICS    BIT_ULL(15)

#define FIXED_OS    BIT_ULL(0)
#define FIXED_USR   BIT_ULL(1)
#define FIXED_ANY   BIT_ULL(2)
#define FIXED_PMI   BIT_ULL(3)
#define FIXED_FIELD 4 /* bits */

#define GLOBAL_METRICS	  BIT_ULL(48)
#define STATUS_LBR_FROZEN X86_PMU_STATUS_LBR_FROZEN
#define STATUS_FROZEN	  BIT_ULL(59)
#define STATUS_ASCI	  BIT_ULL(60)
#define STATUS_UNCORE	  BIT_ULL(61)
#define STATUS_DS	  BIT_ULL(62)
#define STATUS_CHANGED	  BIT_ULL(63)
#define INUSE_PMI	  BIT_ULL(63)

#define RDPMC_FIXED   BIT(30)
#define RDPMC_METRICS BIT(29)

#define EVTSEL_VALID MAKE_64BIT_MASK(0, 32)
/* Of the generations with the most bits */
#define OFFCORE_VALID	   (MAKE_64BIT_MASK(0, 52) | BIT_ULL(63))
#define LOAD_LATENCY_VALID MAKE_64BIT_MASK(0, 16)
#define FRONTEND_VALID	   MAKE_64BIT_MASK(0, 23)

/* IA32_PEBS_ENABLE: general counter n records, and records loads that take long */
#define PEBS_COUNTERS 4
#define PEBS_ON(n)    BIT_ULL(n)
#define PEBS_LOADS(n) BIT_ULL(32 + (n))
#define PEBS_VALID \
	(MAKE_64BIT_MASK(0, PEBS_COUNTERS) | MAKE_64BIT_MASK(32, PEBS_COUNTERS))

#define SLOTS_COUNTER (X86_PMU_FIXED0 + 3)
#define METRICS_SUM   255

static uint64_t general_mask(struct x86_pmu *pmu)
{
	return MAKE_64BIT_MASK(0, pmu->config.general);
}

static uint64_t counter_mask(struct x86_pmu *pmu)
{
	return general_mask(pmu) | pmu->config.fixed << X86_PMU_FIXED0;
}

static bool has_anythread(struct x86_pmu *pmu)
{
	return pmu->config.version >= 3 && !pmu->config.anythread_deprecated;
}

/* Bits of GLOBAL_CTRL and, with the metrics' overflow, of GLOBAL_STATUS */
static uint64_t global_mask(struct x86_pmu *pmu)
{
	return counter_mask(pmu) | (pmu->config.metrics ? GLOBAL_METRICS : 0);
}

static uint64_t status_mask(struct x86_pmu *pmu)
{
	uint64_t mask = global_mask(pmu) | STATUS_DS | STATUS_CHANGED;

	if (pmu->config.version >= 3)
		mask |= STATUS_UNCORE;
	if (pmu->config.version >= 4)
		mask |= STATUS_LBR_FROZEN | STATUS_FROZEN | STATUS_ASCI;
	return mask;
}

static uint64_t enabled(struct x86_pmu *pmu)
{
	if (pmu->config.version < 2)
		return general_mask(pmu);
	if (pmu->intel.global_status & STATUS_FROZEN)
		return 0;
	return pmu->intel.global_ctrl;
}

/* Loads are timed for a counter that records them: without PEBS the threshold means nothing. */
static uint64_t load_latency(struct x86_pmu *pmu, int counter)
{
	uint64_t both = PEBS_ON(counter) | PEBS_LOADS(counter);

	return counter < PEBS_COUNTERS && (pmu->intel.pebs & both) == both
		       ? pmu->intel.load_latency
		       : 0;
}

/* The value of the second register of a counter's event, if the event has one */
static uint64_t response_of(struct x86_pmu *pmu, int counter, uint64_t evtsel)
{
	switch (evtsel & EVTSEL_CODE) {
	case 0x01b7:
		return pmu->intel.offcore[0];
	case 0x01bb:
		return pmu->intel.offcore[1];
	case 0x01c6:
		return pmu->intel.frontend;
	case 0x100b:
	case 0x01cd:
	case 0x05d0:
		return load_latency(pmu, counter);
	}
	return 0;
}

static void run(struct x86_pmu *pmu, int counter, bool os, bool user,
		bool interrupt)
{
	for (unsigned int mode = 0; mode < X86_PMU_MODES; mode++) {
		if (mode & X86_PMU_USER ? user : os)
			pmu->running[mode] |= BIT_ULL(counter);
	}
	if (interrupt)
		pmu->interrupting |= BIT_ULL(counter);
}

static void update_general(struct x86_pmu *pmu, int i)
{
	uint64_t evtsel = pmu->intel.evtsel[i];

	if (!(evtsel & EVTSEL_EN))
		return;
	pmu->counters[i].rate =
		x86_pmu_event_rate(pmu, evtsel, response_of(pmu, i, evtsel));
	run(pmu, i, evtsel & EVTSEL_OS, evtsel & EVTSEL_USR,
	    evtsel & EVTSEL_INT);
}

static struct x86_pmu_rate fixed_rate(struct x86_pmu *pmu, int i)
{
	struct x86_pmu_config *config = &pmu->config;
	const uint64_t thousand[X86_PMU_FIXED_MAX] = {
		X86_PMU_THOUSAND,
		config->cycles,
		config->ref_cycles,
		config->cycles * config->slots,
	};

	return (struct x86_pmu_rate){ thousand[i], X86_PMU_THOUSAND };
}

static void update_fixed(struct x86_pmu *pmu, int i)
{
	uint64_t ctrl = pmu->intel.fixed_ctrl >> (FIXED_FIELD * i);

	pmu->counters[X86_PMU_FIXED0 + i].rate = fixed_rate(pmu, i);
	run(pmu, X86_PMU_FIXED0 + i, ctrl & FIXED_OS, ctrl & FIXED_USR,
	    ctrl & FIXED_PMI);
}

/* Finds the counters that count, from all registers together */
static void update(struct x86_pmu *pmu)
{
	memset(pmu->running, 0, sizeof(pmu->running));
	pmu->interrupting = 0;
	for (int i = 0; i < pmu->config.general; i++)
		update_general(pmu, i);
	for (int i = 0; i < X86_PMU_FIXED_MAX; i++)
		update_fixed(pmu, i);
	for (int mode = 0; mode < X86_PMU_MODES; mode++)
		pmu->running[mode] &= enabled(pmu) & counter_mask(pmu);
}

/* Freezing on a PMI: the old way clears the enables, that of version 4 has a state. */
static void freeze(struct x86_pmu *pmu)
{
	if (pmu->intel.debugctl & DEBUGCTL_FREEZE_LBR) {
		if (pmu->config.version >= 4)
			pmu->intel.global_status |= STATUS_LBR_FROZEN;
		else
			pmu->intel.debugctl &= ~DEBUGCTL_LBR;
		x86_pmu_lbr_update(pmu);
	}
	if (!(pmu->intel.debugctl & DEBUGCTL_FREEZE_PMU) ||
	    pmu->config.version < 2)
		return;
	if (pmu->config.version >= 4)
		pmu->intel.global_status |= STATUS_FROZEN;
	else
		pmu->intel.global_ctrl = 0;
	update(pmu);
}

static bool metrics_run(struct x86_pmu *pmu)
{
	return pmu->config.metrics &&
	       (pmu->intel.global_ctrl & GLOBAL_METRICS) &&
	       (pmu->running[pmu->mode] & BIT_ULL(SLOTS_COUNTER));
}

static void metrics_advance(struct x86_pmu *pmu, uint64_t from)
{
	uint64_t slots = x86_pmu_increments(fixed_rate(pmu, 3), from, pmu->now);
	uint64_t fields = pmu->mode & X86_PMU_USER ? pmu->config.metrics
						   : pmu->config.metrics_os;

	for (int i = 0; i < ARRAY_SIZE(pmu->intel.share); i++)
		pmu->intel.share[i] += extract64(fields, 8 * i, 8) * slots;
	pmu->intel.slots += slots;
}

static uint64_t metrics_read(struct x86_pmu *pmu)
{
	uint64_t value = 0;

	if (!pmu->intel.slots)
		return 0;
	for (int i = 0; i < ARRAY_SIZE(pmu->intel.share); i++)
		value |= (pmu->intel.share[i] + pmu->intel.slots / 2) /
				 pmu->intel.slots
			 << 8 * i;
	return value;
}

/* Four fields, or eight; the others are reserved. */
static bool has_fields(struct x86_pmu *pmu, uint64_t value)
{
	return value <= UINT32_MAX ||
	       (pmu->config.metrics | pmu->config.metrics_os) > UINT32_MAX;
}

/* The fields are shares of what the slots' counter shows: that is written first. */
static void metrics_write(struct x86_pmu *pmu, uint64_t value)
{
	pmu->intel.slots = pmu->counters[SLOTS_COUNTER].value;
	for (int i = 0; i < ARRAY_SIZE(pmu->intel.share); i++)
		pmu->intel.share[i] =
			extract64(value, 8 * i, 8) * pmu->intel.slots;
}

static void intel_advance(struct x86_pmu *pmu, uint64_t from)
{
	bool metrics = metrics_run(pmu);
	uint64_t overflowed = x86_pmu_counters_advance(pmu, from);

	if (metrics)
		metrics_advance(pmu, from);
	/* A counter that records tells of its buffer only, which does not get full here. */
	overflowed &= ~(pmu->intel.pebs & MAKE_64BIT_MASK(0, PEBS_COUNTERS));
	if (pmu->config.version >= 2)
		pmu->intel.global_status |= overflowed;
	if (overflowed & pmu->interrupting) {
		freeze(pmu);
		x86_pmu_interrupt_raise(pmu);
	}
}

static void intel_reset(struct x86_pmu *pmu)
{
	x86_pmu_counters_reset(pmu);
	pmu->intel = (struct x86_pmu_intel_state){
		.global_ctrl = pmu->config.version >= 2 ? general_mask(pmu) : 0,
	};
	update(pmu);
}

static uint64_t capabilities(struct x86_pmu *pmu)
{
	return pmu->config.lbr |
	       (pmu->config.full_width ? CAPABILITY_FULL_WIDTH : 0) |
	       (pmu->config.metrics ? CAPABILITY_METRICS : 0);
}

/* Architectural events: seven, and the slots' where there is a counter for them */
static unsigned int event_count(struct x86_pmu *pmu)
{
	return pmu->config.fixed & BIT(3) ? 8 : 7;
}

static void leaf_0xa(struct x86_pmu *pmu, uint32_t *regs)
{
	struct x86_pmu_config *config = &pmu->config;
	uint64_t general = config->general;

	memset(regs, 0, 4 * sizeof(*regs));
	if (!config->version)
		return;
	if (config->lesser >> CPU(pmu->cpu)->cpu_index & 1)
		general--;
	regs[0] = config->version | general << 8 | config->width << 16 |
		  event_count(pmu) << 24;
	regs[1] = config->unavailable & MAKE_64BIT_MASK(0, event_count(pmu));
	if (config->version >= 5)
		regs[2] = config->fixed;
	if (config->version >= 2)
		regs[3] = cto32(config->fixed) | config->width << 5;
	if (config->anythread_deprecated)
		regs[3] |= BIT(15);
}

/* Each two CPUs share a core: the lowest bit of the APIC's number is that of the thread. */
static void topology(uint32_t leaf, uint32_t subleaf, uint32_t *regs)
{
	if (leaf == 1) {
		regs[3] |= CPUID_HT;
		regs[1] = deposit32(regs[1], 16, 8, 2);
	} else if (leaf == 0xb && subleaf < 2) {
		regs[0] = 1;
		regs[1] = 2;
		regs[2] = subleaf | (subleaf + 1) << 8;
	}
}

static void intel_cpuid(struct x86_pmu *pmu, uint32_t leaf, uint32_t subleaf,
			uint32_t *regs)
{
	if (pmu->config.threads)
		topology(leaf, subleaf, regs);
	switch (leaf) {
	case 0:
		regs[0] = MAX(regs[0], 0xa);
		break;
	case 1:
		if (capabilities(pmu))
			regs[2] |= CPUID_EXT_PDCM;
		/* There is PEBS, but IA32_MISC_ENABLE says that it cannot be used. */
		if (pmu->config.version >= 3)
			regs[3] |= CPUID_DTS;
		break;
	case 0xa:
		leaf_0xa(pmu, regs);
		break;
	}
}

/* A range of registers, one a counter, that tells which one msr is */
static bool in_range(uint32_t msr, uint32_t first, int number, int *index)
{
	if (msr < first || msr >= first + number)
		return false;
	*index = msr - first;
	return true;
}

static bool of_version(uint32_t msr, uint64_t version)
{
	switch (msr) {
	case MSR_GLOBAL_STATUS_SET:
	case MSR_GLOBAL_INUSE:
		return version >= 4;
	default:
		return version >= 2;
	}
}

/* A register of the PMU that this processor does not have */
static bool is_absent(struct x86_pmu *pmu, uint32_t msr)
{
	struct x86_pmu_config *config = &pmu->config;
	int i;

	if (in_range(msr, MSR_PMC0, X86_PMU_GENERAL_MAX, &i) ||
	    in_range(msr, MSR_PERFEVTSEL0, X86_PMU_GENERAL_MAX, &i))
		return i >= config->general;
	if (in_range(msr, MSR_FULL_PMC0, X86_PMU_GENERAL_MAX, &i))
		return !config->full_width || i >= config->general;
	if (in_range(msr, MSR_FIXED_CTR0, X86_PMU_FIXED_MAX, &i))
		return !(config->fixed & BIT(i));
	if (in_range(msr, MSR_FIXED_CTR_CTRL,
		     MSR_GLOBAL_INUSE - MSR_FIXED_CTR_CTRL + 1, &i))
		return !of_version(msr, config->version);
	if (msr == MSR_METRICS)
		return !config->metrics;
	if (msr == MSR_PERF_CAPABILITIES)
		return !capabilities(pmu);
	if (msr == MSR_PEBS_ENABLE || msr == MSR_LOAD_LATENCY)
		return config->version < 3;
	if (msr == MSR_FRONTEND)
		return config->version < 4;
	return (msr >= MSR_AMD_FIRST && msr <= MSR_AMD_LAST) ||
	       (msr >= MSR_AMD_CORE_FIRST && msr <= MSR_AMD_CORE_LAST);
}

/* A hypervisor may have none of these. */
static bool is_additional(uint32_t msr)
{
	return msr == MSR_OFFCORE_RSP0 || msr == MSR_OFFCORE_RSP0 + 1 ||
	       msr == MSR_METRICS || msr == MSR_LOAD_LATENCY ||
	       msr == MSR_FRONTEND;
}

/* The register that msr is, where it is no more than a word; valid are its bits. */
static uint64_t *word(struct x86_pmu *pmu, uint32_t msr, uint64_t *valid)
{
	struct x86_pmu_intel_state *intel = &pmu->intel;
	uint64_t field = FIXED_OS | FIXED_USR | FIXED_PMI |
			 (has_anythread(pmu) ? FIXED_ANY : 0);
	int i;

	if (in_range(msr, MSR_PERFEVTSEL0, X86_PMU_GENERAL_MAX, &i)) {
		*valid = EVTSEL_VALID & ~(has_anythread(pmu) ? 0 : EVTSEL_ANY);
		return &intel->evtsel[i];
	}
	if (in_range(msr, MSR_FULL_PMC0, X86_PMU_GENERAL_MAX, &i)) {
		*valid = pmu->value_mask;
		return &pmu->counters[i].value;
	}
	if (in_range(msr, MSR_FIXED_CTR0, X86_PMU_FIXED_MAX, &i)) {
		*valid = pmu->value_mask;
		return &pmu->counters[X86_PMU_FIXED0 + i].value;
	}
	if (in_range(msr, MSR_OFFCORE_RSP0, 2, &i) &&
	    pmu->config.version >= 3) {
		*valid = OFFCORE_VALID;
		return &intel->offcore[i];
	}
	switch (msr) {
	case MSR_PEBS_ENABLE:
		*valid = PEBS_VALID;
		return &intel->pebs;
	case MSR_LOAD_LATENCY:
		*valid = LOAD_LATENCY_VALID;
		return &intel->load_latency;
	case MSR_FRONTEND:
		*valid = FRONTEND_VALID;
		return &intel->frontend;
	case MSR_DEBUGCTL:
		*valid = DEBUGCTL_VALID;
		return &intel->debugctl;
	case MSR_FIXED_CTR_CTRL:
		*valid = 0;
		for (i = 0; i < X86_PMU_FIXED_MAX; i++) {
			if (pmu->config.fixed & BIT(i))
				*valid |= field << (FIXED_FIELD * i);
		}
		return &intel->fixed_ctrl;
	case MSR_GLOBAL_CTRL:
		*valid = global_mask(pmu);
		return &intel->global_ctrl;
	}
	return NULL;
}

static uint64_t inuse(struct x86_pmu *pmu)
{
	uint64_t value = 0;

	for (int i = 0; i < pmu->config.general; i++) {
		if (pmu->intel.evtsel[i] & 0xff)
			value |= BIT_ULL(i);
		if (pmu->intel.evtsel[i] & EVTSEL_INT)
			value |= INUSE_PMI;
	}
	for (int i = 0; i < X86_PMU_FIXED_MAX; i++) {
		uint64_t ctrl = pmu->intel.fixed_ctrl >> (FIXED_FIELD * i);

		if (ctrl & (FIXED_OS | FIXED_USR))
			value |= BIT_ULL(X86_PMU_FIXED0 + i);
		if (ctrl & FIXED_PMI)
			value |= INUSE_PMI;
	}
	return value;
}

static enum x86_pmu_access intel_rdmsr(struct x86_pmu *pmu, uint32_t msr,
				       uint64_t *value)
{
	uint64_t valid, *at;
	int i;

	if (is_absent(pmu, msr))
		return X86_PMU_FAULT;
	if (pmu->config.lacking && is_additional(msr)) {
		*value = 0;
		return X86_PMU_DONE;
	}
	at = word(pmu, msr, &valid);
	if (at)
		*value = *at;
	else if (in_range(msr, MSR_PMC0, X86_PMU_GENERAL_MAX, &i))
		*value = pmu->counters[i].value;
	else if (msr == MSR_GLOBAL_STATUS)
		*value = pmu->intel.global_status;
	else if (msr == MSR_GLOBAL_STATUS_RESET || msr == MSR_GLOBAL_STATUS_SET)
		*value = 0;
	else if (msr == MSR_GLOBAL_INUSE)
		*value = inuse(pmu);
	else if (msr == MSR_METRICS)
		*value = metrics_read(pmu);
	else if (msr == MSR_PERF_CAPABILITIES)
		*value = capabilities(pmu);
	else if (msr == MSR_MISC_ENABLE)
		*value = pmu->cpu->env.msr_ia32_misc_enable |
			 MISC_ENABLE_PERFMON | MISC_ENABLE_NO_BTS |
			 MISC_ENABLE_NO_PEBS;
	else
		return X86_PMU_NOT_MINE;
	return X86_PMU_DONE;
}

/* GLOBAL_STATUS can only be changed by the registers beside it. */
static enum x86_pmu_access status_write(struct x86_pmu *pmu, uint32_t msr,
					uint64_t value)
{
	if (value & ~status_mask(pmu))
		return X86_PMU_FAULT;
	if (msr == MSR_GLOBAL_STATUS_SET)
		pmu->intel.global_status |= value;
	else
		pmu->intel.global_status &= ~value;
	return X86_PMU_DONE;
}

static enum x86_pmu_access register_write(struct x86_pmu *pmu, uint32_t msr,
					  uint64_t value)
{
	uint64_t valid, *at = word(pmu, msr, &valid);
	int i;

	if (at) {
		if (value & ~valid)
			return X86_PMU_FAULT;
		*at = value;
		if (in_range(msr, MSR_FULL_PMC0, X86_PMU_GENERAL_MAX, &i))
			x86_pmu_counter_write(pmu, i, value);
		else if (in_range(msr, MSR_FIXED_CTR0, X86_PMU_FIXED_MAX, &i))
			x86_pmu_counter_write(pmu, X86_PMU_FIXED0 + i, value);
		return X86_PMU_DONE;
	}
	if (in_range(msr, MSR_PMC0, X86_PMU_GENERAL_MAX, &i)) {
		x86_pmu_counter_write(pmu, i, (int32_t)value);
		return X86_PMU_DONE;
	}
	switch (msr) {
	case MSR_GLOBAL_STATUS_RESET:
	case MSR_GLOBAL_STATUS_SET:
		return status_write(pmu, msr, value);
	case MSR_METRICS:
		if (!has_fields(pmu, value))
			return X86_PMU_FAULT;
		metrics_write(pmu, value);
		return X86_PMU_DONE;
	case MSR_GLOBAL_STATUS:
	case MSR_GLOBAL_INUSE:
	case MSR_PERF_CAPABILITIES:
		return X86_PMU_FAULT;
	}
	return X86_PMU_NOT_MINE;
}

static enum x86_pmu_access intel_wrmsr(struct x86_pmu *pmu, uint32_t msr,
				       uint64_t value)
{
	enum x86_pmu_access access;

	if (is_absent(pmu, msr))
		return X86_PMU_FAULT;
	if (pmu->config.lacking && is_additional(msr))
		return pmu->config.lacking == X86_PMU_LACKING_FORGET
			       ? X86_PMU_DONE
			       : X86_PMU_FAULT;
	access = register_write(pmu, msr, value);
	if (access == X86_PMU_DONE)
		update(pmu);
	if (access == X86_PMU_DONE && msr == MSR_GLOBAL_CTRL && value)
		x86_pmu_interrupt_running(pmu);
	return access;
}

static enum x86_pmu_access intel_rdpmc(struct x86_pmu *pmu, uint32_t index,
				       uint64_t *value)
{
	if (index == RDPMC_METRICS && pmu->config.metrics)
		*value = metrics_read(pmu);
	else if (index < pmu->config.general)
		*value = pmu->counters[index].value;
	else if (index >= RDPMC_FIXED &&
		 index < RDPMC_FIXED + X86_PMU_FIXED_MAX &&
		 (pmu->config.fixed & BIT(index - RDPMC_FIXED)))
		*value = pmu->counters[X86_PMU_FIXED0 + index - RDPMC_FIXED]
				 .value;
	else
		return X86_PMU_FAULT;
	return X86_PMU_DONE;
}

const struct x86_pmu_unit x86_pmu_intel = {
	.reset = intel_reset,
	.advance = intel_advance,
	.next = x86_pmu_counters_next,
	.cpuid = intel_cpuid,
	.rdmsr = intel_rdmsr,
	.wrmsr = intel_wrmsr,
	.rdpmc = intel_rdpmc,
};

/* Counters of the processors with one thread a core. The last one is all others. */
static const struct generation {
	uint32_t models[10]; /* of family 6; ends with 0 */
	uint8_t version, general, fixed, width;
	bool full_width;
	bool anythread_deprecated;
	uint64_t metrics;
	uint8_t slots;
	bool unmask_late;
	uint8_t lbr, lbr_depth;
} generations[] = {
	{
		/* Core 2 */
		.models = { 0x0f, 0x16, 0x17, 0x1d },
		.version = 2,
		.general = 2,
		.fixed = 7,
		.width = 40,
		.slots = 4,
	},
	{
		/* Nehalem */
		.models = { 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f },
		.version = 3,
		.general = 4,
		.fixed = 7,
		.width = 48,
		.slots = 4,
		.lbr = 3,
		.lbr_depth = 16,
	},
	{
		/* Sandy Bridge */
		.models = { 0x2a, 0x2d },
		.version = 3,
		.general = 4,
		.fixed = 7,
		.width = 48,
		.slots = 4,
		.lbr = 3,
		.lbr_depth = 16,
	},
	{
		/* Haswell, Broadwell */
		.models = { 0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56 },
		.version = 3,
		.general = 4,
		.fixed = 7,
		.width = 48,
		.full_width = true,
		.slots = 4,
		.unmask_late = true,
		.lbr = 4,
		.lbr_depth = 16,
	},
	{
		/* Skylake */
		.models = { 0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6 },
		.version = 4,
		.general = 4,
		.fixed = 7,
		.width = 48,
		.full_width = true,
		.slots = 4,
		.unmask_late = true,
		.lbr = 5,
		.lbr_depth = 32,
	},
	{
		/* Ice Lake */
		.models = { 0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0xa7 },
		.version = 5,
		.general = 8,
		.fixed = 15,
		.width = 48,
		.full_width = true,
		.anythread_deprecated = true,
		.metrics = 0x334d334c,
		.slots = 5,
		.unmask_late = true,
		.lbr = 5,
		.lbr_depth = 32,
	},
	{
		/* Sapphire Rapids, and Alder and Raptor Lake with its cores alone */
		.models = { 0x8f, 0xcf, 0xad, 0x97, 0x9a, 0xb7, 0xba, 0xbf },
		.version = 5,
		.general = 8,
		.fixed = 15,
		.width = 48,
		.full_width = true,
		.anythread_deprecated = true,
		.metrics = 0x1a1a0d0d334d334c,
		.slots = 6,
		.unmask_late = true,
		.lbr = 63,
		.lbr_depth = 32,
	},
	{
		/* Ivy Bridge, and whatever is not here */
		.version = 3,
		.general = 4,
		.fixed = 7,
		.width = 48,
		.full_width = true,
		.slots = 4,
		.lbr = 3,
		.lbr_depth = 16,
	},
};

static bool is_of(const struct generation *generation, uint32_t family,
		  uint32_t model)
{
	for (const uint32_t *m = generation->models; *m; m++) {
		if (family == 6 && *m == model)
			return true;
	}
	return !generation->models[0];
}

static const struct generation *generation_of(uint32_t version)
{
	uint32_t family = extract32(version, 8, 4);
	uint32_t model = extract32(version, 4, 4) | extract32(version, 16, 4)
							    << 4;
	const struct generation *generation = generations;

	while (!is_of(generation, family, model))
		generation++;
	return generation;
}

bool x86_pmu_intel_configure(struct x86_pmu *pmu, Error **errp)
{
	const struct generation *generation =
		generation_of(pmu->cpu->env.cpuid_version);
	struct x86_pmu_config *config = &pmu->config;

	x86_pmu_default(pmu, version, generation->version);
	x86_pmu_default(pmu, general, generation->general);
	x86_pmu_default(pmu, fixed,
			config->version < 2 ? 0 : generation->fixed);
	x86_pmu_default(pmu, width, generation->width);
	x86_pmu_default(pmu, full_width, generation->full_width);
	x86_pmu_default(pmu, anythread_deprecated,
			generation->anythread_deprecated &&
				config->version >= 5);
	x86_pmu_default(pmu, metrics,
			config->fixed & BIT(3) ? generation->metrics : 0);
	x86_pmu_default(pmu, metrics_os, config->metrics);
	x86_pmu_default(pmu, cycles, X86_PMU_THOUSAND);
	x86_pmu_default(pmu, ref_cycles, config->cycles);
	x86_pmu_default(pmu, slots, generation->slots);
	x86_pmu_default(pmu, unmask_late, generation->unmask_late);
	x86_pmu_default(pmu, lbr, config->version < 2 ? 0 : generation->lbr);
	x86_pmu_default(pmu, lbr_depth, generation->lbr_depth ?: 16);
	if (config->fixed && config->version < 2) {
		error_setg(errp, "pmu-fixed needs pmu-version=2 or higher");
		return false;
	}
	if (config->version < 5 && (config->fixed & (config->fixed + 1))) {
		error_setg(errp, "pmu-fixed: gaps need pmu-version=5");
		return false;
	}
	if (config->metrics && !(config->fixed & BIT(3))) {
		error_setg(errp, "pmu-metrics needs fixed counter 3");
		return false;
	}
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: AMD's instruction-based sampling (IBS). Facts are from AMD's manual,
 * volume 2, section 13.3, "Instruction-Based Sampling", and the processor programming
 * references.
 *
 * Here an instruction is one op and one fetch. A period of n counts takes the n-th instruction
 * as its sample: the CPU stops before it, and the instruction is tagged; the CPU stops behind
 * it, and the sample is complete. An interrupt or a fault in between puts another instruction
 * in its place, which is tagged then. Tag and end of a sample need a CPU between two
 * instructions, where its instruction pointer and its registers are known: ibs_boundary().
 *
 * Cache misses, TLB misses and latencies are made up. They follow from the address and from the
 * options, so a test can compute them.
 */

#include "pmu.h"
#include "exec/cpu-common.h"
#include "hw/core/cpu.h"
#include "hw/i386/apic_internal.h"
#include "qemu/main-loop.h"

enum {
	MSR_FETCH_CTL = 0xc0011030,
	MSR_FETCH_LINAD,
	MSR_FETCH_PHYSAD,
	MSR_OP_CTL,
	MSR_OP_RIP,
	MSR_OP_DATA,
	MSR_OP_DATA2,
	MSR_OP_DATA3,
	MSR_DC_LINAD,
	MSR_DC_PHYSAD,
	MSR_IBS_CTL,
	MSR_BR_TARGET,
	MSR_FETCH_EXTD,
	MSR_OP_DATA4,
	MSR_OP_CTL2,
	MSR_FETCH_CTL2,
};

#define IBS_CTL_VALID BIT_ULL(8)

#define CAPS_VALID	   BIT(0)
#define CAPS_FETCH	   BIT(1)
#define CAPS_OP		   BIT(2)
#define CAPS_RDWR_OP_COUNT BIT(3)
#define CAPS_OP_COUNT	   BIT(4)
#define CAPS_BR_TARGET	   BIT(5)
#define CAPS_OP_EXT	   BIT(6)
#define CAPS_RIP_INVALID   BIT(7)
#define CAPS_FUSED	   BIT(8)
#define CAPS_FETCH_EXTD	   BIT(9)
#define CAPS_OP_DATA4	   BIT(10)
#define CAPS_ZEN4	   BIT(11)
#define CAPS_LOAD_LATENCY  BIT(12)
#define CAPS_FETCH_LATENCY BIT(14)
#define CAPS_STREAMING	   BIT(16)

#define FETCH_MAX	MAKE_64BIT_MASK(0, 16)
#define FETCH_COUNT	MAKE_64BIT_MASK(16, 16)
#define FETCH_EN	BIT_ULL(48)
#define FETCH_VAL	BIT_ULL(49)
#define FETCH_COMPLETE	BIT_ULL(50)
#define FETCH_IC_MISS	BIT_ULL(51)
#define FETCH_PHYSICAL	BIT_ULL(52)
#define FETCH_TLB1_MISS BIT_ULL(55)
#define FETCH_TLB2_MISS BIT_ULL(56)
#define FETCH_RANDOM	BIT_ULL(57)
#define FETCH_L2_MISS	BIT_ULL(58)
#define FETCH_L3_ONLY	BIT_ULL(59)
#define FETCH_L3_MISS	BIT_ULL(61)

#define OP_MAX	      MAKE_64BIT_MASK(0, 16)
#define OP_L3_ONLY    BIT_ULL(16)
#define OP_EN	      BIT_ULL(17)
#define OP_VAL	      BIT_ULL(18)
#define OP_COUNT_OPS  BIT_ULL(19)
#define OP_MAX_EXT    MAKE_64BIT_MASK(20, 7)
#define OP_COUNT      MAKE_64BIT_MASK(32, 27)
#define OP_LATENCY    MAKE_64BIT_MASK(59, 4)
#define OP_LATENCY_EN BIT_ULL(63)

/* The second control registers */
#define FETCH2_LATENCY MAKE_64BIT_MASK(1, 4) /* 128 cycles each */
#define OP2_STREAMING  BIT_ULL(3)

#define DATA_RETURN	 BIT_ULL(34)
#define DATA_TAKEN	 BIT_ULL(35)
#define DATA_BRANCH	 BIT_ULL(37)
#define DATA_RIP_INVALID BIT_ULL(38)

#define DATA3_LOAD	   BIT_ULL(0)
#define DATA3_STORE	   BIT_ULL(1)
#define DATA3_TLB1_MISS	   BIT_ULL(2)
#define DATA3_TLB2_MISS	   BIT_ULL(3)
#define DATA3_MISS	   BIT_ULL(7)
#define DATA3_MISALIGNED   BIT_ULL(8)
#define DATA3_LOCKED	   BIT_ULL(15)
#define DATA3_LINEAR_VALID BIT_ULL(17)
#define DATA3_PHYSICAL	   BIT_ULL(18)
#define DATA3_L2_MISS	   BIT_ULL(20)
#define DATA3_HINT	   BIT_ULL(21)

/* Bits of the count that the processor makes random when it takes a sample */
#define RANDOM_OP    128
#define RANDOM_FETCH 16

/* The extended registers of the local APIC, by address / 16 */
#define APIC_FEATURES 0x40
#define APIC_CONTROL  0x41
#define APIC_LVT0     0x50
#define APIC_DM_MASK  0x700

/* Instructions between two interrupts that no write ends */
#define STUCK_EVERY 100000

/* A sample cannot be of an instruction that is under way already. */
#define LEAST_LEFT 2

static uint64_t caps(struct x86_pmu *pmu)
{
	return pmu->config.ibs_caps;
}

/*
 * The bits that software changes on processors of the first Zen to use IBS that the firmware
 * has hidden. The registers keep what is written; the bits are those that matter. Source: the
 * driver of AMD's research toolkit.
 */
static const struct {
	uint32_t msr;
	uint64_t bits;
	bool cleared; /* not set */
} unhiding[X86_PMU_UNHIDING] = {
	{ 0xc0011005, BIT_ULL(42), false }, /* CPUID leaf 0x80000001 ECX */
	{ 0xc0011029, BIT_ULL(19), false },
	{ 0xc0011020, BIT_ULL(54), false },
	{ 0xc0010296, BIT_ULL(6) | BIT_ULL(14) | BIT_ULL(22), true },
};

uint64_t x86_pmu_ibs_unhidden(struct x86_pmu *pmu)
{
	uint64_t changed = 0;

	for (int i = 0; i < X86_PMU_UNHIDING; i++) {
		uint64_t bits = pmu->ibs.unhiding[i] & unhiding[i].bits;

		if (bits == (unhiding[i].cleared ? 0 : unhiding[i].bits))
			changed |= BIT_ULL(i);
	}
	return pmu->config.ibs_hidden ? changed : 0;
}

static bool is_hidden(struct x86_pmu *pmu)
{
	return pmu->config.ibs_hidden && !(x86_pmu_ibs_unhidden(pmu) & 1);
}

/* The register that msr is, or NULL */
static uint64_t *unhiding_register(struct x86_pmu *pmu, uint32_t msr)
{
	for (int i = 0; pmu->config.ibs_hidden && i < X86_PMU_UNHIDING; i++)
		if (unhiding[i].msr == msr)
			return &pmu->ibs.unhiding[i];
	return NULL;
}

static bool is_op(const struct x86_pmu_ibs_flavour *flavour,
		  struct x86_pmu *pmu)
{
	return flavour == &pmu->ibs.op;
}

static uint64_t op_period(uint64_t ctl)
{
	return (ctl & OP_MAX) << 4 | (ctl & OP_MAX_EXT);
}

static uint64_t period_of(struct x86_pmu *pmu,
			  const struct x86_pmu_ibs_flavour *flavour)
{
	return is_op(flavour, pmu) ? op_period(flavour->ctl)
				   : (flavour->ctl & FETCH_MAX) << 4;
}

static bool is_counting(struct x86_pmu *pmu,
			const struct x86_pmu_ibs_flavour *flavour)
{
	uint64_t enable = is_op(flavour, pmu) ? OP_EN : FETCH_EN;
	uint64_t valid = is_op(flavour, pmu) ? OP_VAL : FETCH_VAL;

	return (flavour->ctl & (enable | valid)) == enable &&
	       period_of(pmu, flavour);
}

/* Ops and fetches are instructions; otherwise op sampling counts cycles. */
static struct x86_pmu_rate rate_of(struct x86_pmu *pmu,
				   const struct x86_pmu_ibs_flavour *flavour)
{
	if (!is_op(flavour, pmu) || flavour->ctl & OP_COUNT_OPS)
		return (struct x86_pmu_rate){ 1, 1 };
	return (struct x86_pmu_rate){ pmu->config.cycles, X86_PMU_THOUSAND };
}

/* The instruction by which the period is over: the sample */
static uint64_t sample_at(struct x86_pmu *pmu,
			  const struct x86_pmu_ibs_flavour *flavour)
{
	uint64_t period = period_of(pmu, flavour);

	if (flavour->count >= period)
		return pmu->now;
	return x86_pmu_instruction_of(rate_of(pmu, flavour), pmu->now,
				      period - flavour->count);
}

static void flavour_advance(struct x86_pmu *pmu,
			    struct x86_pmu_ibs_flavour *flavour, uint64_t from)
{
	uint64_t n;

	if (!is_counting(pmu, flavour))
		return;
	n = x86_pmu_increments(rate_of(pmu, flavour), from, pmu->now);
	flavour->count += n;
	flavour->counted += n;
	/* ibs_boundary() must come before the next instruction. */
	if (!pmu->between && sample_at(pmu, flavour) <= pmu->now + 1)
		cpu_exit(CPU(pmu->cpu));
}

static void deliver(struct x86_pmu *pmu)
{
	uint32_t entry = pmu->ibs.lvt[pmu->config.ibs_lvt];

	if (entry & APIC_LVT_MASKED ||
	    (entry & APIC_DM_MASK) >> APIC_LVT_DELIV_MOD_SHIFT != APIC_DM_NMI) {
		pmu->ibs.masked++;
		return;
	}
	pmu->ibs.delivered++;
	x86_pmu_interrupt_nmi(pmu);
}

static void raise_interrupt(struct x86_pmu *pmu)
{
	uint64_t delay = pmu->config.pmi_delay;

	if (pmu->ibs.due != X86_PMU_NEVER)
		return;
	if (delay && pmu->config.pmi_delay_random)
		delay = x86_pmu_random_below(pmu, delay + 1);
	if (delay)
		pmu->ibs.due = pmu->now + delay;
	else
		deliver(pmu);
}

static void ibs_advance(struct x86_pmu *pmu, uint64_t from)
{
	flavour_advance(pmu, &pmu->ibs.op, from);
	flavour_advance(pmu, &pmu->ibs.fetch, from);
	if (pmu->ibs.due <= pmu->now) {
		pmu->ibs.due = X86_PMU_NEVER;
		deliver(pmu);
	}
	if (pmu->ibs.stuck <= pmu->now) {
		pmu->ibs.stuck = pmu->now + STUCK_EVERY;
		deliver(pmu);
	}
}

static uint64_t flavour_next(struct x86_pmu *pmu,
			     const struct x86_pmu_ibs_flavour *flavour)
{
	uint64_t at;

	if (!is_counting(pmu, flavour))
		return X86_PMU_NEVER;
	at = sample_at(pmu, flavour);
	return at > pmu->now + 1 ? at - 1 : at;
}

static uint64_t ibs_next(struct x86_pmu *pmu)
{
	return MIN(MIN(pmu->ibs.due, pmu->ibs.stuck),
		   MIN(flavour_next(pmu, &pmu->ibs.op),
		       flavour_next(pmu, &pmu->ibs.fetch)));
}

/* An address is in a made-up set if it has all bits of the mask, and the mask has any. */
static bool matches(uint64_t address, uint64_t mask)
{
	return mask && (address & mask) == mask;
}

/* Returns whether the page is there. */
static bool to_physical(struct x86_pmu *pmu, uint64_t linear,
			uint64_t *physical)
{
	hwaddr page = cpu_get_phys_page_debug(CPU(pmu->cpu),
					      linear & TARGET_PAGE_MASK);

	if (page == -1)
		return false;
	*physical = page | (linear & ~TARGET_PAGE_MASK);
	return true;
}

/* Reads what there is of the instruction: the next page may be absent. */
static size_t read_instruction(struct x86_pmu *pmu, uint64_t rip,
			       uint8_t *bytes, size_t size)
{
	size_t first = MIN(size, -(rip | TARGET_PAGE_MASK));

	if (cpu_memory_rw_debug(CPU(pmu->cpu), rip, bytes, first, false))
		return 0;
	if (first < size &&
	    !cpu_memory_rw_debug(CPU(pmu->cpu), rip + first, bytes + first,
				 size - first, false))
		return size;
	return first;
}

static void tag(struct x86_pmu *pmu, struct x86_pmu_ibs_flavour *flavour)
{
	uint8_t bytes[15];
	size_t n;

	flavour->tagged = true;
	flavour->rip = x86_pmu_instruction_pointer(pmu);
	if (!is_op(flavour, pmu))
		return;
	n = read_instruction(pmu, flavour->rip, bytes, sizeof(bytes));
	x86_pmu_decode(&pmu->cpu->env, flavour->rip, bytes, n, &flavour->insn);
}

/* Whether the access misses the data cache, by the options */
static bool data_misses(struct x86_pmu *pmu, const struct x86_pmu_insn *insn)
{
	return insn->has_address &&
	       matches(insn->address, pmu->config.ibs_dc_miss);
}

static uint64_t data3_of(struct x86_pmu *pmu, const struct x86_pmu_insn *insn)
{
	struct x86_pmu_config *config = &pmu->config;
	uint64_t data3 = 0;

	if (!insn->has_address)
		return 0;
	data3 |= insn->load ? DATA3_LOAD : 0;
	data3 |= insn->store ? DATA3_STORE : 0;
	data3 |= insn->locked ? DATA3_LOCKED : 0;
	if (insn->address & (insn->bytes - 1))
		data3 |= DATA3_MISALIGNED;
	if (matches(insn->address, config->ibs_dtlb_miss)) {
		data3 |= DATA3_TLB1_MISS | DATA3_TLB2_MISS;
		data3 = deposit64(data3, 48, 16, config->ibs_dtlb_latency);
	}
	if (data_misses(pmu, insn)) {
		data3 |= DATA3_MISS;
		data3 = deposit64(data3, 32, 16, config->ibs_dc_latency);
	}
	/* Family 15h, models 60h up, and 17h up know these; older ones leave them 0. */
	if (!(caps(pmu) & CAPS_FETCH_EXTD))
		return data3;
	if (data_misses(pmu, insn))
		data3 |= DATA3_L2_MISS;
	if (insn->hint)
		data3 |= DATA3_HINT;
	return deposit64(data3, 22, 4, ctz32(insn->bytes) + 1);
}

static void record_data(struct x86_pmu *pmu, const struct x86_pmu_insn *insn)
{
	struct x86_pmu_ibs_state *ibs = &pmu->ibs;
	uint64_t source = pmu->config.ibs_data_source;

	ibs->data3 = x86_pmu_ibs_data3(pmu, data3_of(pmu, insn));
	ibs->data2 = 0;
	if (insn->load && data_misses(pmu, insn))
		ibs->data2 =
			(source & 7) |
			(caps(pmu) & CAPS_ZEN4 ? (source >> 3 & 3) << 6 : 0);
	ibs->dc_linad = 0;
	ibs->dc_physad = 0;
	if (!insn->has_address)
		return;
	ibs->dc_linad = insn->address;
	ibs->data3 |= DATA3_LINEAR_VALID;
	if (to_physical(pmu, insn->address, &ibs->dc_physad))
		ibs->data3 |= DATA3_PHYSICAL;
}

static void record_op(struct x86_pmu *pmu, struct x86_pmu_ibs_flavour *op)
{
	struct x86_pmu_ibs_state *ibs = &pmu->ibs;
	const struct x86_pmu_insn *insn = &op->insn;
	uint64_t next = x86_pmu_instruction_pointer(pmu);

	ibs->rip = op->rip;
	ibs->data = pmu->config.ibs_completed | (pmu->config.ibs_retired << 16);
	ibs->br_target = 0;
	if (insn->branch) {
		ibs->data |= DATA_BRANCH;
		ibs->data |= insn->returns ? DATA_RETURN : 0;
		ibs->data |= next != op->rip + insn->length ? DATA_TAKEN : 0;
		ibs->br_target = next;
	}
	if (!op->tagged) {
		ibs->untagged++;
		ibs->rip = 0;
		ibs->data |= caps(pmu) & CAPS_RIP_INVALID ? DATA_RIP_INVALID
							  : 0;
	}
	ibs->data4 = 0;
	record_data(pmu, insn);
}

static void record_fetch(struct x86_pmu *pmu, struct x86_pmu_ibs_flavour *fetch)
{
	struct x86_pmu_config *config = &pmu->config;
	uint64_t ctl = fetch->ctl & (FETCH_MAX | FETCH_COUNT | FETCH_EN |
				     FETCH_RANDOM | FETCH_L3_ONLY);

	ctl |= FETCH_COMPLETE;
	ctl = deposit64(ctl, 32, 16, config->ibs_fetch_latency);
	pmu->ibs.fetch_extd = 0;
	if (matches(fetch->rip, config->ibs_ic_miss)) {
		ctl |= FETCH_IC_MISS;
		if (caps(pmu) & CAPS_FETCH_EXTD)
			ctl |= FETCH_L2_MISS;
		if (caps(pmu) & CAPS_ZEN4)
			ctl |= FETCH_L3_MISS;
	}
	if (matches(fetch->rip, config->ibs_itlb_miss)) {
		ctl |= FETCH_TLB1_MISS | FETCH_TLB2_MISS;
		pmu->ibs.fetch_extd = config->ibs_itlb_latency;
	}
	pmu->ibs.fetch_linad = x86_pmu_ibs_fetch_address(pmu, fetch->rip);
	pmu->ibs.fetch_physad = 0;
	if (to_physical(pmu, fetch->rip, &pmu->ibs.fetch_physad))
		ctl |= FETCH_PHYSICAL;
	fetch->ctl = ctl;
}

/* Whether the sample passes the filters: what does not is dropped, and counting goes on. */
static bool is_wanted(struct x86_pmu *pmu,
		      const struct x86_pmu_ibs_flavour *flavour)
{
	const struct x86_pmu_insn *insn = &flavour->insn;

	if (!is_op(flavour, pmu)) {
		if (pmu->config.ibs_fetch_latency <=
			    extract64(flavour->ctl2, 1, 4) * 128 &&
		    flavour->ctl2 & FETCH2_LATENCY)
			return false;
		return !(flavour->ctl & FETCH_L3_ONLY) ||
		       matches(flavour->rip, pmu->config.ibs_ic_miss);
	}
	if (flavour->ctl2 & OP2_STREAMING && !insn->streaming)
		return false;
	if (flavour->ctl & OP_L3_ONLY && !data_misses(pmu, insn))
		return false;
	if (!(flavour->ctl & OP_LATENCY_EN))
		return true;
	return insn->load && data_misses(pmu, insn) &&
	       pmu->config.ibs_dc_latency >
		       (extract64(flavour->ctl, 59, 4) + 1) * 128;
}

/* Erratum 1606: the filter for latencies needs that for L3 misses. */
static bool is_unfiltered(struct x86_pmu *pmu,
			  const struct x86_pmu_ibs_flavour *flavour)
{
	return is_op(flavour, pmu) && flavour->ctl & OP_LATENCY_EN &&
	       !(flavour->ctl & OP_L3_ONLY) &&
	       x86_pmu_ibs_has(pmu, X86_PMU_IBS_1606);
}

static uint64_t random_start(struct x86_pmu *pmu,
			     const struct x86_pmu_ibs_flavour *flavour)
{
	if (!pmu->config.ibs_random)
		return 0;
	if (is_op(flavour, pmu))
		return caps(pmu) & CAPS_RDWR_OP_COUNT
			       ? x86_pmu_random_below(pmu, RANDOM_OP)
			       : 0;
	return flavour->ctl & FETCH_RANDOM
		       ? x86_pmu_random_below(pmu, RANDOM_FETCH)
		       : 0;
}

static void complete(struct x86_pmu *pmu, struct x86_pmu_ibs_flavour *flavour)
{
	bool wanted = is_wanted(pmu, flavour);

	if (!wanted && is_unfiltered(pmu, flavour)) {
		pmu->ibs.spoiled++;
		wanted = true;
	}
	if (wanted) {
		if (is_op(flavour, pmu))
			record_op(pmu, flavour);
		else
			record_fetch(pmu, flavour);
		flavour->ctl |= is_op(flavour, pmu) ? OP_VAL : FETCH_VAL;
		flavour->samples++;
	} else {
		flavour->dropped++;
	}
	/* Software takes a fetch sample's count for the number of fetches. */
	if (is_op(flavour, pmu) || !wanted)
		flavour->count = random_start(pmu, flavour);
	flavour->tagged = false;
	flavour->insn = (struct x86_pmu_insn){};
	if (wanted)
		raise_interrupt(pmu);
}

static void flavour_boundary(struct x86_pmu *pmu,
			     struct x86_pmu_ibs_flavour *flavour)
{
	uint64_t at;

	if (!is_counting(pmu, flavour))
		return;
	at = sample_at(pmu, flavour);
	if (at == pmu->now)
		complete(pmu, flavour);
	else if (at == pmu->now + 1)
		tag(pmu, flavour);
}

static void ibs_boundary(struct x86_pmu *pmu)
{
	flavour_boundary(pmu, &pmu->ibs.fetch);
	flavour_boundary(pmu, &pmu->ibs.op);
}

static void ibs_reset(struct x86_pmu *pmu)
{
	struct x86_pmu_ibs_state kept = pmu->ibs;

	pmu->ibs = (struct x86_pmu_ibs_state){
		.due = X86_PMU_NEVER,
		.stuck = X86_PMU_NEVER,
		.stuck_stops = kept.stuck_stops,
		.spoiled = kept.spoiled,
		.delivered = kept.delivered,
		.masked = kept.masked,
		.untagged = kept.untagged,
		.op = { .counted = kept.op.counted,
			.samples = kept.op.samples,
			.dropped = kept.op.dropped },
		.fetch = { .counted = kept.fetch.counted,
			   .samples = kept.fetch.samples,
			   .dropped = kept.fetch.dropped },
	};
	for (int i = 0; i < X86_PMU_EXTENDED_LVTS; i++)
		pmu->ibs.lvt[i] = APIC_LVT_MASKED;
	for (int i = 0; i < X86_PMU_UNHIDING; i++)
		pmu->ibs.unhiding[i] = unhiding[i].cleared ? unhiding[i].bits
							   : 0;
}

static void ibs_cpuid(struct x86_pmu *pmu, uint32_t leaf, uint32_t subleaf,
		      uint32_t *regs)
{
	if (!caps(pmu))
		return;
	switch (leaf) {
	case 0x80000000:
		/* The first processors with IBS do not have the leaf. */
		if (caps(pmu) & CAPS_VALID)
			regs[0] = MAX(regs[0], 0x8000001b);
		break;
	case 0x80000001:
		/* Linux looks at the extended entries of the local APIC as well. */
		regs[2] |= CPUID_EXT3_EXTAPIC;
		regs[2] |= is_hidden(pmu) ? 0 : CPUID_EXT3_IBS;
		break;
	case 0x8000001b:
		memset(regs, 0, 4 * sizeof(*regs));
		regs[0] = is_hidden(pmu) ? 0 : caps(pmu);
		break;
	}
}

/* The register that msr is, or NULL if this processor does not have it */
static uint64_t *sample_register(struct x86_pmu *pmu, uint32_t msr)
{
	struct x86_pmu_ibs_state *ibs = &pmu->ibs;
	bool fetch = caps(pmu) & CAPS_FETCH, op = caps(pmu) & CAPS_OP;

	switch (msr) {
	case MSR_FETCH_LINAD:
		return fetch ? &ibs->fetch_linad : NULL;
	case MSR_FETCH_PHYSAD:
		return fetch ? &ibs->fetch_physad : NULL;
	case MSR_FETCH_EXTD:
		return caps(pmu) & CAPS_FETCH_EXTD ? &ibs->fetch_extd : NULL;
	case MSR_OP_RIP:
		return op ? &ibs->rip : NULL;
	case MSR_OP_DATA:
		return op ? &ibs->data : NULL;
	case MSR_OP_DATA2:
		return op ? &ibs->data2 : NULL;
	case MSR_OP_DATA3:
		return op ? &ibs->data3 : NULL;
	case MSR_DC_LINAD:
		return op ? &ibs->dc_linad : NULL;
	case MSR_DC_PHYSAD:
		return op ? &ibs->dc_physad : NULL;
	case MSR_BR_TARGET:
		return caps(pmu) & CAPS_BR_TARGET ? &ibs->br_target : NULL;
	case MSR_OP_DATA4:
		return caps(pmu) & CAPS_OP_DATA4 ? &ibs->data4 : NULL;
	}
	return NULL;
}

static bool is_mine(uint32_t msr)
{
	return msr >= MSR_FETCH_CTL && msr <= MSR_FETCH_CTL2;
}

static uint64_t fetch_valid(struct x86_pmu *pmu)
{
	return FETCH_MAX | FETCH_COUNT | MAKE_64BIT_MASK(32, 16) | FETCH_EN |
	       FETCH_VAL | MAKE_64BIT_MASK(50, 7) | FETCH_RANDOM |
	       FETCH_L2_MISS | (caps(pmu) & CAPS_ZEN4 ? FETCH_L3_ONLY : 0);
}

static uint64_t op_valid(struct x86_pmu *pmu)
{
	uint64_t valid = OP_MAX | OP_EN | OP_VAL;

	if (caps(pmu) & CAPS_OP_COUNT)
		valid |= OP_COUNT_OPS;
	if (caps(pmu) & CAPS_OP_EXT)
		valid |= OP_MAX_EXT;
	if (caps(pmu) & CAPS_ZEN4)
		valid |= OP_L3_ONLY;
	if (caps(pmu) & CAPS_LOAD_LATENCY)
		valid |= OP_LATENCY | OP_LATENCY_EN;
	return valid;
}

/* The second control register that msr is, or NULL, and the bits that it has */
static uint64_t *second_register(struct x86_pmu *pmu, uint32_t msr,
				 uint64_t *valid)
{
	if (msr == MSR_FETCH_CTL2 && caps(pmu) & CAPS_FETCH_LATENCY) {
		*valid = FETCH2_LATENCY;
		return &pmu->ibs.fetch.ctl2;
	}
	if (msr == MSR_OP_CTL2 && caps(pmu) & CAPS_STREAMING) {
		*valid = OP2_STREAMING;
		return &pmu->ibs.op.ctl2;
	}
	return NULL;
}

static uint64_t op_count_mask(struct x86_pmu *pmu)
{
	return MAKE_64BIT_MASK(0, caps(pmu) & CAPS_OP_EXT ? 27 : 20);
}

static uint64_t read_op_ctl(struct x86_pmu *pmu)
{
	uint64_t count = 0;

	if (caps(pmu) & CAPS_RDWR_OP_COUNT)
		count = pmu->ibs.op.count & op_count_mask(pmu);
	return pmu->ibs.op.ctl | count << 32;
}

static uint64_t read_fetch_ctl(struct x86_pmu *pmu)
{
	return (pmu->ibs.fetch.ctl & ~FETCH_COUNT) |
	       (pmu->ibs.fetch.count >> 4 << 16 & FETCH_COUNT);
}

/* Counting begins with the next instruction, which cannot be the sample. */
static void begin(struct x86_pmu *pmu, struct x86_pmu_ibs_flavour *flavour)
{
	uint64_t period = period_of(pmu, flavour);

	flavour->tagged = false;
	flavour->insn = (struct x86_pmu_insn){};
	if (is_counting(pmu, flavour) &&
	    sample_at(pmu, flavour) < pmu->now + LEAST_LEFT)
		flavour->count = period - MIN(period, LEAST_LEFT);
}

static void write_op_ctl(struct x86_pmu *pmu, uint64_t value)
{
	struct x86_pmu_ibs_flavour *op = &pmu->ibs.op;

	if (value & OP_EN)
		pmu->ibs.stuck = X86_PMU_NEVER;
	else if (op->ctl & OP_EN && op_period(op->ctl) &&
		 x86_pmu_ibs_has(pmu, X86_PMU_IBS_420))
		x86_pmu_ibs_stick(pmu);
	op->ctl = value & op_valid(pmu);
	op->count = 0;
	if (caps(pmu) & CAPS_RDWR_OP_COUNT)
		op->count = value >> 32 & op_count_mask(pmu);
	begin(pmu, op);
}

/* On families 16h to 18h only a write that sets the enable bit begins a new period. */
static void write_fetch_ctl(struct x86_pmu *pmu, uint64_t value)
{
	struct x86_pmu_ibs_flavour *fetch = &pmu->ibs.fetch;
	bool edge_only = x86_pmu_family(pmu) >= 0x16 &&
			 x86_pmu_family(pmu) <= 0x18;

	value &= fetch_valid(pmu);
	if (edge_only && value & FETCH_EN && fetch->ctl & FETCH_EN) {
		fetch->ctl = (value & ~FETCH_VAL) | (fetch->ctl & FETCH_VAL);
		return;
	}
	fetch->ctl = value;
	fetch->count = (value & FETCH_COUNT) >> 16 << 4;
	if (value & FETCH_EN)
		fetch->count += random_start(pmu, fetch);
	begin(pmu, fetch);
}

static uint64_t read_ibs_ctl(struct x86_pmu *pmu)
{
	int cpu = CPU(pmu->cpu)->cpu_index;

	return pmu->config.ibs_lvt_valid >> cpu & 1
		       ? IBS_CTL_VALID | pmu->config.ibs_lvt
		       : 0;
}

static enum x86_pmu_access ibs_rdmsr(struct x86_pmu *pmu, uint32_t msr,
				     uint64_t *value)
{
	uint64_t *reg = sample_register(pmu, msr);
	uint64_t *hiding = unhiding_register(pmu, msr);
	uint64_t valid, *second = second_register(pmu, msr, &valid);

	if (hiding) {
		*value = *hiding;
		return X86_PMU_DONE;
	}
	if (!is_mine(msr))
		return X86_PMU_NOT_MINE;
	if (is_hidden(pmu))
		return X86_PMU_FAULT;
	if (reg)
		*value = *reg;
	else if (second)
		*value = *second;
	else if (msr == MSR_OP_CTL && caps(pmu) & CAPS_OP)
		*value = read_op_ctl(pmu);
	else if (msr == MSR_FETCH_CTL && caps(pmu) & CAPS_FETCH)
		*value = read_fetch_ctl(pmu);
	else if (msr == MSR_IBS_CTL && caps(pmu))
		*value = read_ibs_ctl(pmu);
	else
		return X86_PMU_FAULT;
	return X86_PMU_DONE;
}

static enum x86_pmu_access ibs_wrmsr(struct x86_pmu *pmu, uint32_t msr,
				     uint64_t value)
{
	uint64_t *reg = sample_register(pmu, msr);
	uint64_t *hiding = unhiding_register(pmu, msr);
	uint64_t valid, *second = second_register(pmu, msr, &valid);

	if (hiding) {
		*hiding = value;
		return X86_PMU_DONE;
	}
	if (!is_mine(msr))
		return X86_PMU_NOT_MINE;
	if (is_hidden(pmu))
		return X86_PMU_FAULT;
	if (reg)
		*reg = value;
	else if (second && !(value & ~valid))
		*second = value;
	else if (msr == MSR_OP_CTL && caps(pmu) & CAPS_OP)
		write_op_ctl(pmu, value);
	else if (msr == MSR_FETCH_CTL && caps(pmu) & CAPS_FETCH)
		write_fetch_ctl(pmu, value);
	else
		return X86_PMU_FAULT;
	return X86_PMU_DONE;
}

const struct x86_pmu_unit x86_pmu_ibs = {
	.reset = ibs_reset,
	.advance = ibs_advance,
	.next = ibs_next,
	.boundary = ibs_boundary,
	.cpuid = ibs_cpuid,
	.rdmsr = ibs_rdmsr,
	.wrmsr = ibs_wrmsr,
};

bool x86_pmu_ibs_apic_read(struct x86_pmu *pmu, int index, uint32_t *value)
{
	if (!caps(pmu))
		return false;
	switch (index) {
	case APIC_FEATURES:
		*value = X86_PMU_EXTENDED_LVTS << 16;
		return true;
	case APIC_CONTROL:
		*value = 0;
		return true;
	case APIC_LVT0 ... APIC_LVT0 + X86_PMU_EXTENDED_LVTS - 1:
		*value = pmu->ibs.lvt[index - APIC_LVT0];
		return true;
	}
	return false;
}

bool x86_pmu_ibs_apic_write(struct x86_pmu *pmu, int index, uint32_t value)
{
	uint32_t dummy;

	if (!x86_pmu_ibs_apic_read(pmu, index, &dummy))
		return false;
	if (index >= APIC_LVT0)
		pmu->ibs.lvt[index - APIC_LVT0] =
			value & (APIC_LVT_MASKED | APIC_DM_MASK | 0xff);
	return true;
}

/* Linux's message at boot on processors of these families */
static uint64_t caps_of(struct x86_pmu *pmu)
{
	uint32_t family = x86_pmu_family(pmu);
	uint32_t model = x86_pmu_model(pmu);
	uint64_t base = CAPS_VALID | CAPS_FETCH | CAPS_OP | CAPS_RDWR_OP_COUNT |
			CAPS_OP_COUNT;

	if (family < 0x10)
		return 0;
	if (family < 0x15)
		return base;
	base |= CAPS_BR_TARGET | CAPS_OP_EXT | CAPS_RIP_INVALID;
	if (family == 0x15)
		return model < 0x60 ? base
				    : base | CAPS_FETCH_EXTD | CAPS_OP_DATA4;
	base |= CAPS_FUSED | CAPS_FETCH_EXTD;
	if (family < 0x19)
		return base;
	if (family == 0x19 && model < 0x10)
		return base;
	base |= CAPS_ZEN4;
	return family >= 0x1a ? base | CAPS_LOAD_LATENCY : base;
}

bool x86_pmu_ibs_configure(struct x86_pmu *pmu, Error **errp)
{
	x86_pmu_default(pmu, ibs_caps, caps_of(pmu));
	x86_pmu_default(pmu, ibs_lvt_valid, UINT64_MAX);
	x86_pmu_default(pmu, ibs_random, 1);
	x86_pmu_default(pmu, ibs_retired, 20);
	x86_pmu_default(pmu, ibs_completed, 5);
	x86_pmu_default(pmu, ibs_fetch_latency, 3);
	x86_pmu_default(pmu, ibs_dc_latency, 100);
	x86_pmu_default(pmu, ibs_dtlb_latency, 30);
	x86_pmu_default(pmu, ibs_itlb_latency, 30);
	x86_pmu_default(pmu, ibs_data_source, 3);
	if (caps(pmu) && !(caps(pmu) & (CAPS_FETCH | CAPS_OP))) {
		error_setg(errp, "pmu-ibs-caps: neither fetch nor op sampling");
		return false;
	}
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG: records of taken branches. Facts are from Intel's manual, volume 3,
 * chapters "Last Branch Records" and "Debug, Branch Profile, TSC, and Intel Resource Director
 * Technology Features", from AMD's manual, volume 2, "Debug and Performance Resources", and from
 * the processor programming references.
 *
 * There are three sets of registers: that of Intel's processors before Sapphire Rapids (a ring
 * with a pointer to its youngest record), the architectural one (record 0 is the youngest), and
 * AMD's LbrExtV2 (the same, with other bits).
 *
 * While a CPU records, each instruction is a translation block of its own and calls
 * x86_pmu_insn() before it is executed: a branch is pending then, and is taken or not when it is
 * known what the CPU executes next. While no CPU records, nothing of this is in the translation.
 *
 * An interrupt and a fault are far branches from the instruction that follows and from the one
 * that faults. Whether a branch was mispredicted is made up: each n-th time that a branch whose
 * outcome is predicted is taken from the same address.
 */

#include "pmu.h"
#include "exec/helper-proto.h"
#include "exec/translation-block.h"
#include "hw/core/cpu.h"

#define MSR_SELECT	    0x1c8
#define MSR_TOS		    0x1c9
#define MSR_FROM	    0x680
#define MSR_TO		    0x6c0
#define MSR_INFO	    0xdc0
#define MSR_ARCH_INFO	    0x1200
#define MSR_ARCH_CTL	    0x14ce
#define MSR_ARCH_DEPTH	    0x14cf
#define MSR_ARCH_FROM	    0x1500
#define MSR_ARCH_TO	    0x1600
#define MSR_AMD_SELECT	    0xc000010e
#define MSR_AMD_EXTN_CFG    0xc000010f
#define MSR_AMD_FROM	    0xc0010300 /* they alternate with the targets */
#define AMD_EXTN_CFG_ENABLE BIT_ULL(6)

/* Formats that IA32_PERF_CAPABILITIES has: of the ring, and for the architectural set */
#define FORMAT_FLAGS  3 /* mispredicted in the source */
#define FORMAT_FLAGS2 4 /* transactions there as well */
#define FORMAT_INFO   5 /* a third register */
#define FORMAT_INFO2  7
#define FORMAT_ARCH   63
/* AMD: the option has no more values. */
#define FORMAT_AMD 1

/* MSR_SELECT and that of AMD: what is not recorded */
#define SELECT_OS	  BIT_ULL(0)
#define SELECT_USR	  BIT_ULL(1)
#define SELECT_VALID	  MAKE_64BIT_MASK(0, 9)
#define SELECT_CALL_STACK BIT_ULL(9)

/* IA32_LBR_CTL: what is recorded */
#define CTL_ENABLE     BIT_ULL(0)
#define CTL_OS	       BIT_ULL(1)
#define CTL_USR	       BIT_ULL(2)
#define CTL_CALL_STACK BIT_ULL(3)
#define CTL_VALID      (MAKE_64BIT_MASK(0, 4) | MAKE_64BIT_MASK(16, 7))

#define DEBUGCTL_LBR BIT_ULL(0)

#define INFO_CYCLES	  MAKE_64BIT_MASK(0, 16)
#define INFO_CYCLES_VALID BIT_ULL(60)
#define INFO_MISPREDICTED BIT_ULL(63)
#define INFO_VALID	  (INFO_CYCLES | MAKE_64BIT_MASK(61, 3))
#define INFO_ARCH_VALID	  (INFO_CYCLES | MAKE_64BIT_MASK(56, 8))
#define TYPE_SHIFT	  56

#define FROM_MISPREDICTED BIT_ULL(63)
#define AMD_TO_VALID	  BIT_ULL(63)

/* CPUID leaf 0x1c */
#define LEAF_DEEP_RESET BIT(30)
#define LEAF_ALL	7 /* the three bits each of EBX and ECX that this PMU has */

/* Branches by kind: the bits of the two select registers and of IA32_LBR_CTL, and the type */
static const struct {
	uint8_t select, ctl, type;
	bool predicted;
} kinds[] = {
	[X86_PMU_BRANCH_CONDITIONAL] = { 2, 16, 0, true },
	[X86_PMU_BRANCH_JUMP_INDIRECT] = { 6, 18, 1, true },
	[X86_PMU_BRANCH_JUMP] = { 7, 17, 2, false },
	[X86_PMU_BRANCH_CALL_INDIRECT] = { 4, 20, 3, true },
	[X86_PMU_BRANCH_CALL] = { 3, 19, 4, false },
	[X86_PMU_BRANCH_RETURN] = { 5, 21, 5, true },
	[X86_PMU_BRANCH_FAR] = { 8, 22, 8, false },
};

/* A branch that was taken */
struct taken {
	enum x86_pmu_branch kind;
	uint64_t from, to;
	bool from_user, to_user;
	uint64_t at; /* instruction */
	bool nowhere; /* it goes to the next instruction */
	bool mispredicted;
};

static bool is_amd(struct x86_pmu *pmu)
{
	return IS_AMD_CPU(&pmu->cpu->env);
}

static bool is_arch(struct x86_pmu *pmu)
{
	return pmu->config.lbr == FORMAT_ARCH;
}

static bool has_info(struct x86_pmu *pmu)
{
	return pmu->config.lbr >= FORMAT_INFO;
}

static bool is_ring(struct x86_pmu *pmu)
{
	return pmu->config.lbr && !is_arch(pmu) && !is_amd(pmu);
}

/* Records that there are: software may have chosen fewer. */
static unsigned int depth(struct x86_pmu *pmu)
{
	return is_arch(pmu) ? pmu->lbr.depth : pmu->config.lbr_depth;
}

static bool is_enabled(struct x86_pmu *pmu)
{
	if (!pmu->config.lbr)
		return false;
	if (is_amd(pmu))
		return pmu->lbr.extn_cfg & AMD_EXTN_CFG_ENABLE &&
		       !(pmu->amd.global_status & X86_PMU_STATUS_LBR_FROZEN);
	if (pmu->intel.global_status & X86_PMU_STATUS_LBR_FROZEN)
		return false;
	return is_arch(pmu) ? pmu->lbr.ctl & CTL_ENABLE
			    : pmu->intel.debugctl & DEBUGCTL_LBR;
}

/* A branch that is under way when the records freeze has yet to be recorded. */
static void set_translation(struct x86_pmu *pmu)
{
	CPUState *cs = CPU(pmu->cpu);

	cs->tcg_cflags &= ~(X86_PMU_CF_BRANCHES | CF_COUNT_MASK);
	if (pmu->lbr.on || pmu->lbr.pending.kind != X86_PMU_BRANCH_NONE)
		cs->tcg_cflags |= X86_PMU_CF_BRANCHES | 1;
}

void x86_pmu_lbr_update(struct x86_pmu *pmu)
{
	bool on = is_enabled(pmu);

	if (on == pmu->lbr.on)
		return;
	pmu->lbr.on = on;
	pmu->lbr.timed = false;
	set_translation(pmu);
}

static bool is_call_stack(struct x86_pmu *pmu)
{
	if (is_arch(pmu))
		return pmu->lbr.ctl & CTL_CALL_STACK;
	return is_ring(pmu) && pmu->lbr.select & SELECT_CALL_STACK;
}

/* The older registers have the privilege level at the branch's end. */
static bool is_selected(struct x86_pmu *pmu, const struct taken *taken)
{
	uint64_t select = pmu->lbr.select;

	if (select & BIT_ULL(kinds[taken->kind].select))
		return false;
	return !(select & (taken->to_user ? SELECT_USR : SELECT_OS));
}

static bool level_on(struct x86_pmu *pmu, bool user)
{
	return pmu->lbr.ctl & (user ? CTL_USR : CTL_OS);
}

/* Of a branch between a level that is recorded and one that is not, the latter's address is 0. */
static bool is_selected_arch(struct x86_pmu *pmu, struct taken *taken)
{
	bool from = level_on(pmu, taken->from_user);
	bool to = level_on(pmu, taken->to_user);

	if (!(pmu->lbr.ctl & BIT_ULL(kinds[taken->kind].ctl)) || !(from || to))
		return false;
	if (!from)
		taken->from = 0;
	if (!to)
		taken->to = 0;
	return true;
}

static bool is_mispredicted(struct x86_pmu *pmu, const struct taken *taken)
{
	uint64_t every = pmu->config.lbr_mispredict;
	gpointer key = (gpointer)(uintptr_t)taken->from;
	uint64_t times;

	if (!every || !kinds[taken->kind].predicted)
		return false;
	if (!pmu->lbr.times)
		pmu->lbr.times = g_hash_table_new(NULL, NULL);
	times = (uintptr_t)g_hash_table_lookup(pmu->lbr.times, key) + 1;
	g_hash_table_insert(pmu->lbr.times, key, (gpointer)(uintptr_t)times);
	return times % every == 0;
}

/* Since the record before: none is known for the first one. */
static uint64_t cycles_of(struct x86_pmu *pmu, const struct taken *taken)
{
	struct x86_pmu_rate rate = { pmu->config.cycles, X86_PMU_THOUSAND };

	if (!pmu->lbr.timed)
		return 0;
	return MIN(x86_pmu_increments(rate, pmu->lbr.last, taken->at),
		   INFO_CYCLES);
}

static uint64_t info_of(struct x86_pmu *pmu, const struct taken *taken)
{
	uint64_t info = cycles_of(pmu, taken);

	if (taken->mispredicted)
		info |= INFO_MISPREDICTED;
	if (is_arch(pmu))
		info |= (uint64_t)kinds[taken->kind].type << TYPE_SHIFT |
			(pmu->lbr.timed ? INFO_CYCLES_VALID : 0);
	return info;
}

static struct x86_pmu_lbr_entry entry_of(struct x86_pmu *pmu,
					 const struct taken *taken)
{
	struct x86_pmu_lbr_entry entry = { .from = taken->from,
					   .to = taken->to };

	if (has_info(pmu)) {
		entry.info = info_of(pmu, taken);
		return entry;
	}
	/* Without transactions the processor leaves their two bits 0, whatever the address is. */
	entry.from &=
		MAKE_64BIT_MASK(0, pmu->config.lbr == FORMAT_FLAGS2 ? 61 : 63);
	entry.from |= taken->mispredicted ? FROM_MISPREDICTED : 0;
	if (is_amd(pmu))
		entry.to = (entry.to & MAKE_64BIT_MASK(0, 61)) | AMD_TO_VALID;
	return entry;
}

static void push(struct x86_pmu *pmu, struct x86_pmu_lbr_entry entry)
{
	struct x86_pmu_lbr_state *lbr = &pmu->lbr;

	if (is_ring(pmu)) {
		lbr->tos = (lbr->tos + 1) % depth(pmu);
		lbr->entries[lbr->tos] = entry;
		return;
	}
	memmove(&lbr->entries[1], &lbr->entries[0],
		(depth(pmu) - 1) * sizeof(entry));
	lbr->entries[0] = entry;
}

/* A ring keeps what its pointer has left. */
static void pop(struct x86_pmu *pmu)
{
	struct x86_pmu_lbr_state *lbr = &pmu->lbr;
	unsigned int last = depth(pmu) - 1;

	if (is_ring(pmu)) {
		lbr->tos = (lbr->tos + last) % depth(pmu);
		return;
	}
	memmove(&lbr->entries[0], &lbr->entries[1],
		last * sizeof(lbr->entries[0]));
	lbr->entries[last] = (struct x86_pmu_lbr_entry){};
}

static void record(struct x86_pmu *pmu, struct taken *taken)
{
	struct x86_pmu_lbr_state *lbr = &pmu->lbr;
	bool call_stack = is_call_stack(pmu);

	taken->mispredicted = is_mispredicted(pmu, taken);
	if (is_arch(pmu) ? !is_selected_arch(pmu, taken)
			 : !is_selected(pmu, taken))
		return;
	/* A call of the next instruction only finds out where it is. */
	if (call_stack && taken->kind == X86_PMU_BRANCH_CALL && taken->nowhere)
		return;
	if (call_stack && taken->kind == X86_PMU_BRANCH_RETURN) {
		pop(pmu);
	} else {
		push(pmu, entry_of(pmu, taken));
		lbr->records++;
		lbr->mispredicted += taken->mispredicted;
	}
	lbr->last = taken->at;
	lbr->timed = true;
}

static bool in_user(struct x86_pmu *pmu)
{
	return pmu->cpu->env.hflags & HF_CPL_MASK;
}

/* The last one may have been all that was still wanted of the translation. */
static void end_pending(struct x86_pmu *pmu)
{
	pmu->lbr.pending.kind = X86_PMU_BRANCH_NONE;
	if (!pmu->lbr.on)
		set_translation(pmu);
}

void x86_pmu_lbr_settle(struct x86_pmu *pmu)
{
	struct x86_pmu_lbr_pending *pending = &pmu->lbr.pending;
	struct taken taken = {
		.kind = pending->kind,
		.from = pending->rip,
		.from_user = pending->user,
		.at = pending->at,
		.to = x86_pmu_instruction_pointer(pmu),
		.to_user = in_user(pmu),
	};

	if (pending->kind == X86_PMU_BRANCH_NONE)
		return;
	taken.nowhere = taken.to == taken.from + pending->length;
	if (taken.kind != X86_PMU_BRANCH_CONDITIONAL || !taken.nowhere)
		record(pmu, &taken);
	end_pending(pmu);
}

static void begin(struct x86_pmu *pmu, enum x86_pmu_branch kind,
		  unsigned int length)
{
	if (!pmu->lbr.on)
		return;
	pmu->lbr.pending = (struct x86_pmu_lbr_pending){
		.kind = kind,
		.length = length,
		.rip = x86_pmu_instruction_pointer(pmu),
		.user = in_user(pmu),
		.at = x86_pmu_executed(pmu),
	};
}

/* Called by the translation of each instruction before it is executed */
void helper_x86_pmu_insn(CPUX86State *env, uint32_t insn)
{
	struct x86_pmu *pmu = env_archcpu(env)->pmu;

	x86_pmu_lbr_settle(pmu);
	begin(pmu, insn & MAKE_64BIT_MASK(0, X86_PMU_BRANCH_BITS),
	      insn >> X86_PMU_BRANCH_BITS);
}

/*
 * An interrupt comes between two instructions. A fault ends the branch that is pending if that is
 * what faults; otherwise it is one of the instruction behind, which could not even be fetched.
 */
void x86_pmu_lbr_vectoring(struct x86_pmu *pmu, bool interrupt)
{
	struct x86_pmu_lbr_pending *pending = &pmu->lbr.pending;

	if (!interrupt && pending->kind != X86_PMU_BRANCH_NONE &&
	    pending->rip == x86_pmu_instruction_pointer(pmu))
		end_pending(pmu);
	x86_pmu_lbr_settle(pmu);
	begin(pmu, X86_PMU_BRANCH_FAR, 0);
}

static void lbr_reset(struct x86_pmu *pmu)
{
	struct x86_pmu_lbr_state kept = pmu->lbr;

	pmu->lbr = (struct x86_pmu_lbr_state){
		.depth = pmu->config.lbr_depth,
		.times = kept.times,
		.records = kept.records,
		.mispredicted = kept.mispredicted,
	};
	set_translation(pmu);
}

static void lbr_cpuid(struct x86_pmu *pmu, uint32_t leaf, uint32_t subleaf,
		      uint32_t *regs)
{
	if (!is_arch(pmu) || is_amd(pmu))
		return;
	switch (leaf) {
	case 0:
		regs[0] = MAX(regs[0], 0x1c);
		break;
	case 7:
		if (subleaf == 0)
			regs[3] |= CPUID_7_0_EDX_ARCH_LBR;
		break;
	case 0x1c:
		regs[0] = MAKE_64BIT_MASK(0, pmu->config.lbr_depth / 8) |
			  LEAF_DEEP_RESET;
		regs[1] = LEAF_ALL;
		regs[2] = LEAF_ALL;
		regs[3] = 0;
		break;
	}
}

/* A register as software sees it */
struct place {
	uint64_t *at;
	uint64_t valid; /* bits that can be set */
	unsigned int address_bits; /* of an address in it; 0: there is none */
};

/* Registers of one field of all records follow each other. */
static uint64_t *field(struct x86_pmu *pmu, uint32_t msr, uint32_t first,
		       size_t offset)
{
	if (msr < first || msr - first >= pmu->config.lbr_depth)
		return NULL;
	return (void *)&pmu->lbr.entries[msr - first] + offset;
}

#define ENTRY_FIELD(first, name) \
	field(pmu, msr, first, offsetof(struct x86_pmu_lbr_entry, name))

static struct place amd_place(struct x86_pmu *pmu, uint32_t msr)
{
	struct place place = { .valid = UINT64_MAX };
	uint32_t number = msr - MSR_AMD_FROM;

	switch (msr) {
	case MSR_AMD_SELECT:
		return (struct place){ &pmu->lbr.select, SELECT_VALID, 0 };
	case MSR_AMD_EXTN_CFG:
		return (struct place){ &pmu->lbr.extn_cfg, AMD_EXTN_CFG_ENABLE,
				       0 };
	}
	if (msr < MSR_AMD_FROM || number >= 2 * pmu->config.lbr_depth)
		return place;
	place.at = number % 2 ? &pmu->lbr.entries[number / 2].to
			      : &pmu->lbr.entries[number / 2].from;
	return place;
}

static struct place arch_place(struct x86_pmu *pmu, uint32_t msr)
{
	struct place place = { .valid = UINT64_MAX, .address_bits = 64 };

	switch (msr) {
	case MSR_ARCH_CTL:
		return (struct place){ &pmu->lbr.ctl, CTL_VALID, 0 };
	case MSR_ARCH_DEPTH:
		return (struct place){ &pmu->lbr.depth, UINT64_MAX, 0 };
	}
	place.at = ENTRY_FIELD(MSR_ARCH_INFO, info);
	if (place.at)
		return (struct place){ place.at, INFO_ARCH_VALID, 0 };
	place.at = ENTRY_FIELD(MSR_ARCH_FROM, from)
			   ?: ENTRY_FIELD(MSR_ARCH_TO, to);
	return place;
}

static struct place ring_place(struct x86_pmu *pmu, uint32_t msr)
{
	struct place place = { .valid = UINT64_MAX, .address_bits = 64 };
	bool call_stack = pmu->config.lbr >= FORMAT_FLAGS2;

	switch (msr) {
	case MSR_SELECT:
		return (struct place){
			&pmu->lbr.select,
			SELECT_VALID | (call_stack ? SELECT_CALL_STACK : 0), 0
		};
	case MSR_TOS:
		return (struct place){ &pmu->lbr.tos, pmu->config.lbr_depth - 1,
				       0 };
	}
	place.at = has_info(pmu) ? ENTRY_FIELD(MSR_INFO, info) : NULL;
	if (place.at)
		return (struct place){ place.at, INFO_VALID, 0 };
	place.at = ENTRY_FIELD(MSR_TO, to);
	if (place.at)
		return place;
	/* The last bit is a flag where there is no register for it. */
	place.at = ENTRY_FIELD(MSR_FROM, from);
	place.address_bits = has_info(pmu) ? 64 : 63;
	return place;
}

/* The register that msr is; not there if this processor does not have it */
static struct place place_of(struct x86_pmu *pmu, uint32_t msr)
{
	if (!pmu->config.lbr)
		return (struct place){};
	if (is_amd(pmu))
		return amd_place(pmu, msr);
	return is_arch(pmu) ? arch_place(pmu, msr) : ring_place(pmu, msr);
}

/* An address is the sign extension of 48 bits, up to the bit where flags are. */
static bool is_valid(const struct place *place, uint64_t value)
{
	if (place->address_bits &&
	    sextract64(value, 0, 48) !=
		    sextract64(value, 0, place->address_bits))
		return false;
	return !(value & ~place->valid);
}

static bool in_range(uint32_t msr, uint32_t first, uint32_t number)
{
	return msr >= first && msr - first < number;
}

/* A register of records, of any processor */
static bool is_mine(uint32_t msr)
{
	return in_range(msr, MSR_SELECT, 2) ||
	       in_range(msr, MSR_FROM, X86_PMU_LBR_MAX) ||
	       in_range(msr, MSR_TO, X86_PMU_LBR_MAX) ||
	       in_range(msr, MSR_INFO, X86_PMU_LBR_MAX) ||
	       in_range(msr, MSR_ARCH_INFO, X86_PMU_LBR_MAX) ||
	       in_range(msr, MSR_ARCH_CTL, 2) ||
	       in_range(msr, MSR_ARCH_FROM, X86_PMU_LBR_MAX) ||
	       in_range(msr, MSR_ARCH_TO, X86_PMU_LBR_MAX) ||
	       in_range(msr, MSR_AMD_SELECT, 2) ||
	       in_range(msr, MSR_AMD_FROM, 2 * X86_PMU_LBR_MAX);
}

static enum x86_pmu_access lbr_rdmsr(struct x86_pmu *pmu, uint32_t msr,
				     uint64_t *value)
{
	struct place place;

	if (!is_mine(msr))
		return X86_PMU_NOT_MINE;
	place = place_of(pmu, msr);
	if (!place.at)
		return X86_PMU_FAULT;
	*value = *place.at;
	return X86_PMU_DONE;
}

static bool is_depth(struct x86_pmu *pmu, uint64_t value)
{
	return value && !(value % 8) && value <= pmu->config.lbr_depth;
}

/* A write of the depth clears the records, whatever it was. */
static enum x86_pmu_access lbr_wrmsr(struct x86_pmu *pmu, uint32_t msr,
				     uint64_t value)
{
	struct place place;

	if (!is_mine(msr))
		return X86_PMU_NOT_MINE;
	place = place_of(pmu, msr);
	if (!place.at || !is_valid(&place, value))
		return X86_PMU_FAULT;
	if (place.at == &pmu->lbr.depth) {
		if (!is_depth(pmu, value))
			return X86_PMU_FAULT;
		memset(pmu->lbr.entries, 0, sizeof(pmu->lbr.entries));
	}
	*place.at = value;
	return X86_PMU_DONE;
}

const struct x86_pmu_unit x86_pmu_lbr = {
	.reset = lbr_reset,
	.cpuid = lbr_cpuid,
	.rdmsr = lbr_rdmsr,
	.wrmsr = lbr_wrmsr,
};

static bool is_format(struct x86_pmu *pmu)
{
	switch (pmu->config.lbr) {
	case 0:
		return true;
	case FORMAT_AMD:
		return is_amd(pmu);
	case FORMAT_FLAGS:
	case FORMAT_FLAGS2:
	case FORMAT_INFO:
	case FORMAT_INFO2:
	case FORMAT_ARCH:
		return !is_amd(pmu);
	}
	return false;
}

bool x86_pmu_lbr_configure(struct x86_pmu *pmu, Error **errp)
{
	struct x86_pmu_config *config = &pmu->config;

	if (!is_format(pmu)) {
		error_setg(errp, "pmu-lbr: 0, 3, 4, 5, 7 or 63 on Intel, "
				 "0 or 1 on AMD");
		return false;
	}
	if (is_arch(pmu) ? config->lbr_depth % 8
			 : !is_power_of_2(config->lbr_depth)) {
		error_setg(errp,
			   "pmu-lbr-depth: 8, 16, 24 or 32 with pmu-lbr=63, "
			   "otherwise a power of 2");
		return false;
	}
	return true;
}

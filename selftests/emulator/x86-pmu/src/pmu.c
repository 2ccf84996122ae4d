// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 PMU for QEMU's TCG under -icount: one CPU's PMU as a whole.
 *
 * Everything is derived from the number of instructions that the CPU has executed. The units
 * are brought up to date (advance()) before anything changes that decides what they count:
 * their registers, the CPL, and whether the CPU is in the guest mode of SVM.
 *
 * A CPU stops at the instruction that a unit asks for, such as the next overflow. The limit is
 * the CPU's own and in its own instructions. A timer of the virtual clock cannot do this: all
 * CPUs drive that clock, so the timer would go off before this CPU has got to its instruction,
 * and another CPU could use up the instructions before the timer each time.
 */

#include "pmu.h"
#include "qemu/error-report.h"
#include "system/cpu-timers.h"
#include "system/reset.h"

#define for_each_unit(pmu, unit)                                         \
	for (const struct x86_pmu_unit *const *_u = (pmu)->units, *unit; \
	     (unit = *_u); _u++)

/* The PMU of a CPU, or NULL: there may be options for a PMU that is off. */
static struct x86_pmu *pmu_of(CPUX86State *env)
{
	struct x86_pmu *pmu = env_archcpu(env)->pmu;

	return pmu && pmu->present ? pmu : NULL;
}

uint64_t x86_pmu_instruction_pointer(struct x86_pmu *pmu)
{
	CPUX86State *env = &pmu->cpu->env;

	return env->segs[R_CS].base + env->eip;
}

uint64_t x86_pmu_executed(struct x86_pmu *pmu)
{
	CPUState *cs = CPU(pmu->cpu);

	return cs->icount_total + cs->icount_budget -
	       (cs->neg.icount_decr.u16.low + cs->icount_extra);
}

static void catch_up(struct x86_pmu *pmu)
{
	uint64_t from = pmu->now;

	pmu->now = x86_pmu_executed(pmu);
	if (pmu->now == from)
		return;
	for_each_unit(pmu, unit) {
		if (unit->advance)
			unit->advance(pmu, from);
	}
}

/*
 * The stop must be later than now, or the CPU would execute nothing in its next turn. Within a
 * turn the function takes the same number off the budget and off what is left of it: their
 * difference, the number of executed instructions, does not change. QEMU has taken the current
 * translation block off what is left, so the next block begins with the new limit.
 */
static void stop_at(CPUState *cs, uint64_t now, uint64_t stop)
{
	uint64_t left = cs->neg.icount_decr.u16.low + cs->icount_extra;
	uint64_t wanted = stop - now;

	cs->icount_stop = MIN(stop, INT64_MAX);
	if (wanted >= left)
		return;
	cs->icount_budget -= left - wanted;
	if (wanted < cs->neg.icount_decr.u16.low)
		cs->neg.icount_decr.u16.low = wanted;
	cs->icount_extra = wanted - cs->neg.icount_decr.u16.low;
}

static void rearm(struct x86_pmu *pmu)
{
	uint64_t next = X86_PMU_NEVER;

	for_each_unit(pmu, unit) {
		if (unit->next)
			next = MIN(next, unit->next(pmu));
	}
	stop_at(CPU(pmu->cpu), pmu->now, MAX(next, pmu->now + 1));
}

static void between_instructions(struct x86_pmu *pmu)
{
	pmu->between = true;
	x86_pmu_lbr_settle(pmu);
	catch_up(pmu);
	for_each_unit(pmu, unit) {
		if (unit->boundary)
			unit->boundary(pmu);
	}
	pmu->between = false;
	rearm(pmu);
}

static void mode_change(struct x86_pmu *pmu, unsigned int mode)
{
	if (mode == pmu->mode)
		return;
	catch_up(pmu);
	pmu->mode = mode;
	rearm(pmu);
}

static void unblocked(struct x86_pmu *pmu)
{
	if (!pmu->interrupt.blocked)
		return;
	catch_up(pmu);
	x86_pmu_interrupt_unblocked(pmu);
	rearm(pmu);
}

/* A reset changes the guest mode and unblocks NMIs, and RSM does the latter, unheard. */
void x86_pmu_exec_enter(X86CPU *cpu)
{
	struct x86_pmu *pmu = pmu_of(&cpu->env);

	if (!pmu)
		return;
	if (!(cpu->env.hflags2 & HF2_NMI_MASK))
		unblocked(pmu);
	mode_change(pmu,
		    (cpu->env.hflags & HF_CPL_MASK ? X86_PMU_USER : 0) |
			    (cpu->env.hflags & HF_GUEST_MASK ? X86_PMU_GUEST
							     : 0));
}

/*
 * This delivers an interrupt that is due. A CPU that stops at a HLT does not enter its execution
 * loop again before the interrupt has woken it, so x86_pmu_exec_enter() would be too late.
 */
void x86_pmu_exec_exit(X86CPU *cpu)
{
	struct x86_pmu *pmu = pmu_of(&cpu->env);

	if (pmu)
		between_instructions(pmu);
}

void x86_pmu_vectoring(CPUX86State *env, bool interrupt)
{
	struct x86_pmu *pmu = pmu_of(env);

	if (pmu)
		x86_pmu_lbr_vectoring(pmu, interrupt);
}

void x86_pmu_vectored(CPUX86State *env)
{
	struct x86_pmu *pmu = pmu_of(env);

	if (pmu)
		between_instructions(pmu);
}

void x86_pmu_cpl_change(CPUX86State *env, int cpl)
{
	struct x86_pmu *pmu = pmu_of(env);

	if (pmu)
		mode_change(pmu, (pmu->mode & ~X86_PMU_USER) |
					 (cpl ? X86_PMU_USER : 0));
}

void x86_pmu_guest_change(CPUX86State *env, bool guest)
{
	struct x86_pmu *pmu = pmu_of(env);

	if (pmu)
		mode_change(pmu, (pmu->mode & ~X86_PMU_GUEST) |
					 (guest ? X86_PMU_GUEST : 0));
}

void x86_pmu_nmi_taken(CPUX86State *env)
{
	struct x86_pmu *pmu = pmu_of(env);

	if (!pmu)
		return;
	x86_pmu_interrupt_taken(pmu);
	catch_up(pmu);
}

void x86_pmu_nmi_unblocked(CPUX86State *env)
{
	struct x86_pmu *pmu = pmu_of(env);

	if (pmu)
		unblocked(pmu);
}

void x86_pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf,
		   uint32_t *regs)
{
	struct x86_pmu *pmu = pmu_of(env);

	if (!pmu)
		return;
	catch_up(pmu);
	for_each_unit(pmu, unit) {
		if (unit->cpuid)
			unit->cpuid(pmu, leaf, subleaf, regs);
	}
}

enum x86_pmu_access x86_pmu_rdmsr(CPUX86State *env, uint32_t msr,
				  uint64_t *value)
{
	struct x86_pmu *pmu = pmu_of(env);
	enum x86_pmu_access access = X86_PMU_NOT_MINE;

	if (!pmu)
		return access;
	catch_up(pmu);
	for_each_unit(pmu, unit) {
		if (unit->rdmsr)
			access = unit->rdmsr(pmu, msr, value);
		if (access != X86_PMU_NOT_MINE)
			break;
	}
	return access;
}

/* EFER stays QEMU's own; the units only hear of it. */
static void efer_written(struct x86_pmu *pmu, uint64_t value)
{
	if (!(pmu->cpu->env.features[FEAT_8000_0001_ECX] & CPUID_EXT3_SVM))
		return;
	for_each_unit(pmu, unit) {
		if (unit->svme)
			unit->svme(pmu, value & MSR_EFER_SVME);
	}
}

enum x86_pmu_access x86_pmu_wrmsr(CPUX86State *env, uint32_t msr,
				  uint64_t value)
{
	struct x86_pmu *pmu = pmu_of(env);
	enum x86_pmu_access access = X86_PMU_NOT_MINE;

	if (!pmu)
		return access;
	catch_up(pmu);
	if (msr == MSR_EFER)
		efer_written(pmu, value);
	for_each_unit(pmu, unit) {
		if (unit->wrmsr)
			access = unit->wrmsr(pmu, msr, value);
		if (access != X86_PMU_NOT_MINE)
			break;
	}
	x86_pmu_lbr_update(pmu);
	rearm(pmu);
	return access;
}

static enum x86_pmu_access counter_read(struct x86_pmu *pmu, uint32_t index,
					uint64_t *value)
{
	enum x86_pmu_access access = X86_PMU_NOT_MINE;

	for_each_unit(pmu, unit) {
		if (unit->rdpmc)
			access = unit->rdpmc(pmu, index, value);
		if (access != X86_PMU_NOT_MINE)
			break;
	}
	return access;
}

/*
 * An RDPMC that faults does not count: QEMU takes it out of the executed instructions again.
 * catch_up() therefore waits until it is certain that this one does not. A counter that had
 * overflowed by it would overflow a second time after it.
 */
enum x86_pmu_access x86_pmu_rdpmc(CPUX86State *env, uint32_t index,
				  uint64_t *value)
{
	struct x86_pmu *pmu = pmu_of(env);
	enum x86_pmu_access access;

	if (!pmu)
		return X86_PMU_NOT_MINE;
	access = counter_read(pmu, index, value);
	if (access != X86_PMU_DONE)
		return access;
	catch_up(pmu);
	return counter_read(pmu, index, value);
}

/* Bit 31 says that there are extended registers. */
uint32_t x86_pmu_apic_version(X86CPU *cpu)
{
	struct x86_pmu *pmu = pmu_of(&cpu->env);

	return pmu && pmu->config.ibs_caps ? BIT(31) : 0;
}

bool x86_pmu_apic_read(X86CPU *cpu, int index, uint32_t *value)
{
	struct x86_pmu *pmu = pmu_of(&cpu->env);

	return pmu && x86_pmu_ibs_apic_read(pmu, index, value);
}

bool x86_pmu_apic_write(X86CPU *cpu, int index, uint32_t value)
{
	struct x86_pmu *pmu = pmu_of(&cpu->env);

	return pmu && x86_pmu_ibs_apic_write(pmu, index, value);
}

/* A reset changes nothing that has been executed, so the totals go on. */
static void pmu_reset(void *opaque)
{
	struct x86_pmu *pmu = opaque;

	catch_up(pmu);
	pmu->mode = 0;
	for_each_unit(pmu, unit) {
		if (unit->reset)
			unit->reset(pmu);
	}
	rearm(pmu);
}

struct x86_pmu *x86_pmu_of(X86CPU *cpu)
{
	if (!cpu->pmu) {
		cpu->pmu = g_new0(struct x86_pmu, 1);
		cpu->pmu->cpu = cpu;
	}
	return cpu->pmu;
}

static bool configure(struct x86_pmu *pmu, Error **errp)
{
	CPUX86State *env = &pmu->cpu->env;

	if (IS_INTEL_CPU(env)) {
		pmu->units[0] = &x86_pmu_intel;
		pmu->units[3] = &x86_pmu_lbr;
		pmu->config.ibs_caps = 0;
		return x86_pmu_intel_configure(pmu, errp) &&
		       x86_pmu_lbr_configure(pmu, errp) &&
		       x86_pmu_events_init(pmu, x86_pmu_intel_events, errp);
	}
	if (IS_AMD_CPU(env)) {
		pmu->units[0] = &x86_pmu_amd;
		pmu->units[3] = &x86_pmu_lbr;
		pmu->units[4] = &x86_pmu_ibs;
		return x86_pmu_amd_configure(pmu, errp) &&
		       x86_pmu_lbr_configure(pmu, errp) &&
		       x86_pmu_ibs_configure(pmu, errp) &&
		       x86_pmu_events_init(pmu, x86_pmu_amd_events, errp);
	}
	error_setg(
		errp,
		"pmu=on: there are PMUs of Intel's and AMD's processors only");
	return false;
}

bool x86_pmu_realize(X86CPU *cpu, Error **errp)
{
	struct x86_pmu *pmu;

	if (!cpu->enable_pmu)
		return true;
	if (icount_enabled() != ICOUNT_PRECISE) {
		error_setg(errp, "pmu=on needs -icount shift=N");
		return false;
	}
	pmu = x86_pmu_of(cpu);
	if (!configure(pmu, errp))
		return false;
	x86_pmu_default(pmu, hammer_kind, X86_PMU_HAMMER_BOTH);
	if (!x86_pmu_hammer_valid(pmu->config.hammer_from,
				  pmu->config.hammer_to,
				  pmu->config.hammer_kind)) {
		error_setg(errp, "pmu-hammer-from, pmu-hammer-to: "
				 "1 <= from <= to, or both 0");
		return false;
	}
	if (pmu->config.slice)
		icount_slice = pmu->config.slice;
	pmu->units[1] = &x86_pmu_interrupts;
	pmu->units[2] = &x86_pmu_totals;
	pmu->value_mask = MAKE_64BIT_MASK(0, pmu->config.width);
	pmu->present = true;
	qemu_register_reset(pmu_reset, pmu);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The most frequent overflows, written out: a single value samples, for a format, and no
 * other value is involved.  Either it is a hardware counter, or one of a unit whose overflows
 * come with a record, and which an NMI handles at once.  struct pfm_solo holds what is known
 * in advance; it is filled when the CPU begins to count.
 *
 * Everything unusual is left to overflow.c, which handles all overflows.  What is said
 * there about the execution context holds here as well.
 */
#include "sampling/overflow_fast.h"

#include <linux/bitops.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <perfmon/critical.h>
#include <perfmon/pmu.h>

#include "core/cpu_state.h"
#include "sampling/lane.h"
#include "sampling/overflow.h"
#include "sampling/period.h"
#include "sampling/pmi.h"
#include "sampling/throttle.h"
#include "sampling/visible.h"
#include "set/layout.h"
#include "target/target.h"

DEFINE_PER_CPU(struct pfm_solo, pfm_solo);
EXPORT_PER_CPU_SYMBOL_GPL(pfm_solo);
DEFINE_PER_CPU(struct pfm_solo, pfm_unit_solo);
EXPORT_PER_CPU_SYMBOL_GPL(pfm_unit_solo);

static __always_inline void fill(struct pfm_solo *solo, struct pfm_slot *slot,
				 enum pfm_reg_class class)
{
	const struct pfm_cset *cset = slot->cset;
	const struct pfm_smpl *smpl = cset->smpls;
	struct pfm_pmis __percpu *pmis = cset->pmis[class];
	struct pfm_lane_state *lane = pfm_lane_here(slot->target->ctx);

	lane->ovfl.pmd = smpl->num;
	lane->ovfl.eventid = smpl->eventid;
	lane->ovfl.nvals = 0;
	solo->run = &slot->run;
	solo->lane = lane;
	solo->pstate = &lane->periods[cset->smpl0];
	solo->smpl = smpl;
	solo->pmi = pmis ? &this_cpu_ptr(pmis)->notes[slot->run.index] : NULL;
	solo->val = &slot->target->vals[cset->solo_at];
	solo->base = &slot->target->vals[cset->base];
	solo->num = smpl->num;
	solo->paths = cset->paths;
	solo->prog = &cset->progs[class];
}

static __always_inline void fill_any(struct pfm_slot *slot)
{
	/* Only pfm_overflow_end() leaves out overflows that no handler is to be told of. E1 */
	if (unlikely(slot->target->blind))
		return;
	if (likely(slot->cset->paths & PFM_PATH_SOLO))
		fill(this_cpu_ptr(&pfm_solo), slot, PFM_CLASS_HW);
	else if (slot->cset->paths & PFM_PATH_UNIT_SOLO)
		fill(this_cpu_ptr(&pfm_unit_solo), slot, PFM_CLASS_UNIT);
}

static __always_inline void empty(void)
{
	this_cpu_write(pfm_solo.prog, NULL);
	this_cpu_write(pfm_unit_solo.prog, NULL);
}

/**
 * pfm_overflow_fast_begin - fill struct pfm_solo: this CPU begins to count with a set
 * @slot: slot of this CPU, with its target's values in place; its set samples
 *
 * If another slot samples as well, all overflows go the general way.
 *
 * Context: interrupts off.
 */
void pfm_overflow_fast_begin(struct pfm_slot *slot)
{
	struct pfm_cpu *cpu = slot->cpu;

	empty();
	cpu->sampling |= BIT(slot->run.index);
	if (likely(is_power_of_2(cpu->sampling)))
		fill_any(slot);
}

/**
 * pfm_overflow_fast_end - empty struct pfm_solo: this CPU stopped counting with a set
 * @slot: slot of this CPU; its set samples
 *
 * Another slot that samples is the only one from now on.  It may never begin again, if a
 * context of the CPU has it, so the structure is filled for it here.
 *
 * Context: interrupts off.
 */
void pfm_overflow_fast_end(struct pfm_slot *slot)
{
	struct pfm_cpu *cpu = slot->cpu;

	empty();
	cpu->sampling &= ~BIT(slot->run.index);
	if (unlikely(is_power_of_2(cpu->sampling)))
		fill_any(&cpu->slots[__ffs(cpu->sampling)]);
}

static void empty_if_blind(struct pfm_solo *solo)
{
	if (solo->prog && pfm_slot_of(solo->run)->target->blind)
		solo->prog = NULL;
}

/**
 * pfm_overflow_fast_blind - have the general way deal with overflows of targets that became blind
 *
 * Context: interrupts off, in a critical section.
 */
void pfm_overflow_fast_blind(void)
{
	pfm_critical_assert();
	empty_if_blind(this_cpu_ptr(&pfm_solo));
	empty_if_blind(this_cpu_ptr(&pfm_unit_solo));
}

/* Reset the value.  Returns true when it has overflowed again. */
static __always_inline bool reset(const struct pfm_solo *solo)
{
	struct pfm_period_state *pstate = solo->pstate;
	u64 value, period;

	period = pfm_period_draw(solo->smpl, pstate, *solo->val,
				 solo->smpl->short_reset);
	pstate->last_reset = period;
	value = *solo->val + period;
	*solo->val = value;
	/*
	 * Value and base value together make the count, so the count does not change.
	 */
	*solo->base -= period;
	return pfm_period_wrapped(period, value);
}

/* Account for an overflow that was handled.  Returns what pfm_overflow_solo() returns. */
static __always_inline u32 account(struct pfm_lane_state *lane, u64 now)
{
	if (likely(!pfm_throttle_account(lane, now)))
		return 0;
	pfm_throttle_pause(lane);
	return PFM_OVERFLOW_PAUSE;
}

/* Do what the format asks for, and account for the overflow. */
static __always_inline u32 finish(const struct pfm_solo *solo, int ctrl,
				  u64 now)
{
	struct pfm_lane_state *lane = solo->lane;

	if (unlikely(ctrl != PFM_CTRL_RESET))
		return pfm_overflow_ctrl(pfm_slot_of(solo->run), ctrl);
	if (unlikely(reset(solo)))
		return pfm_overflow_again(pfm_slot_of(solo->run));
	return account(lane, now);
}

/*
 * Take the note of the NMI.  Without one, the wrap was found before its NMI came.  Then the
 * interrupt may have registers of its own.  If it has none, as the irq_work on x86, the
 * overflow is left to pfm_overflow_end(), which needs none.
 */
static noinline struct pfm_pmi *take_note(const struct pfm_solo *solo)
{
	struct pfm_lane_state *lane = solo->lane;
	struct pfm_pmi *pmi = pfm_pmi_take(solo->pmi);

	lane->handled = 0;
	lane->ovfl.frames = pmi ? &pmi->frames : NULL;
	return pmi;
}

u32 pfm_overflow_solo(const struct pfm_solo *solo, struct pt_regs *regs)
{
	struct pfm_lane_state *lane = solo->lane;
	const struct pfm_context *ctx = lane->ctx;
	struct pfm_ovfl *ovfl = &lane->ovfl;
	struct pfm_pmi *pmi = solo->pmi;
	u64 now;

	/*
	 * A user page needs all values, and a value that user space wrote has no carry.
	 */
	if (unlikely(READ_ONCE(ctx->user_page) || lane->pending))
		return PFM_OVERFLOW_ALL;
	if (unlikely(pmi)) {
		pmi = take_note(solo);
		if (pmi)
			regs = &pmi->regs;
		else if (!regs)
			return PFM_OVERFLOW_ALL;
	}
	if (unlikely(!pfm_period_over(solo->pstate, *solo->val)))
		return 0;
	pfm_visible_regs(lane, regs);
	ovfl->last_reset = solo->pstate->last_reset;
	now = ktime_get_mono_fast_ns();
	ovfl->tstamp = now;
	if (unlikely(pmi)) {
		ovfl->tstamp = pmi->tstamp;
		now = pfm_throttle_begin_nmi(pmi->tstamp, now);
		lane->handled = now;
	} else if (unlikely(solo->pmi)) {
		now -= PFM_THROTTLE_DIRECT_AROUND;
		lane->handled = now;
	}
	if (unlikely(lane->pub.flags & (PFM_CTX_SYSTEM_WIDE | PFM_CTX_MAPS)))
		pfm_overflow_whose(lane, pmi ? pmi->task : current);
	lane->overflows++;
	return finish(solo, ctx->fmt->handler(ovfl), now);
}
EXPORT_SYMBOL_GPL(pfm_overflow_solo);

/*
 * True if the format may be called where interrupts are off.  An owner who must not see the
 * kernel learns nothing of such places.
 */
static noinline bool goes_anywhere(const struct pfm_lane *lane)
{
	return lane->anywhere && lane->kernel_ok;
}

bool pfm_overflow_direct(const struct pfm_solo *solo, bool irqs_on)
{
	/* The code that was interrupted may be changing all that follows. */
	if (pfm_critical_interrupted())
		return false;
	/* What an earlier NMI has noted comes first.  A user page needs all values. */
	return solo->prog && (solo->paths & PFM_PATH_DIRECT) &&
	       !READ_ONCE(solo->pmi->noted) && !solo->lane->pending &&
	       !READ_ONCE(solo->lane->ctx->user_page) &&
	       (likely(irqs_on) || goes_anywhere(&solo->lane->pub));
}
EXPORT_SYMBOL_GPL(pfm_overflow_direct);

/*
 * Take the record of an overflow.  The registers are handed to the format where they are.
 */
static __always_inline enum pfm_sample take_record(const struct pfm_solo *solo,
						   const struct pfm_cset *cset)
{
	struct pfm_ovfl *ovfl = &solo->lane->ovfl;
	u64 *vals = solo->val - (solo->smpl->at - cset->off[PFM_CLASS_UNIT]);
	struct pfm_hw_sample sample = pfm_visible_ask(solo->lane);
	enum pfm_sample ret;

	ret = solo->prog->pmu->ops->sample(solo->prog, vals, solo->num,
					   &sample);
	if (likely(ret == PFM_SAMPLE_RECORD))
		pfm_visible_record(ovfl, &sample);
	return ret;
}

/* Clear the registers of the record, as they belong to no other overflow. */
static __always_inline void clear_record(const struct pfm_solo *solo,
					 const struct pfm_cset *cset)
{
	u64 *vals = solo->val - solo->smpl->at;

	memset(vals + cset->snap, 0, cset->nsnaps * sizeof(*vals));
}

/* Record the overflow, unless it is left out.  Returns what the format asks for. */
static __always_inline int record(const struct pfm_solo *solo,
				  const struct pfm_cset *cset)
{
	struct pfm_lane_state *lane = solo->lane;
	struct pfm_ovfl *ovfl = &lane->ovfl;
	const enum pfm_sample taken = take_record(solo, cset);
	int ctrl;

	if (unlikely(taken != PFM_SAMPLE_RECORD)) {
		clear_record(solo, cset);
		if (taken != PFM_SAMPLE_NONE)
			return PFM_CTRL_RESET;
	}
	lane->overflows++;
	ovfl->last_reset = solo->pstate->last_reset;
	ovfl->nvals = solo->smpl->nsmpl;
	if (ovfl->nvals)
		ovfl->vals = solo->val - solo->smpl->at + solo->smpl->smpl[0];
	ctrl = lane->ctx->fmt->handler(ovfl);
	ovfl->vals = lane->vals;
	/* The values of tasks are added up, and these are no counts. */
	if (pfm_context_follows(lane->ctx))
		clear_record(solo, cset);
	return ctrl;
}

u32 pfm_overflow_unit(const struct pfm_solo *solo, struct pt_regs *regs)
{
	const struct pfm_cset *cset = container_of(solo->prog, struct pfm_cset,
						   progs[PFM_CLASS_UNIT]);
	struct pfm_lane_state *lane = solo->lane;
	struct pfm_ovfl *ovfl = &lane->ovfl;
	u64 now;
	u32 what;

	if (unlikely(!pfm_period_over(solo->pstate, *solo->val)))
		return 0;
	now = ktime_get_mono_fast_ns();
	ovfl->tstamp = now;
	ovfl->frames = NULL;
	lane->handled = now - PFM_THROTTLE_DIRECT_AROUND;
	pfm_visible_regs(lane, regs);
	/* For the case that the value overflows again when it is reset. */
	lane->intr_ip = ovfl->ip;
	lane->intr_tstamp = now;
	if (unlikely(lane->pub.flags & (PFM_CTX_SYSTEM_WIDE | PFM_CTX_MAPS)))
		pfm_overflow_whose(lane, current);
	what = finish(solo, record(solo, cset), lane->handled);
	lane->dropped = 0;
	return what;
}
EXPORT_SYMBOL_GPL(pfm_overflow_unit);

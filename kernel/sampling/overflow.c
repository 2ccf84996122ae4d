// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflows: from a wrapped value to a sample, a notification and a reset.
 *
 * All of this runs with the counters stopped and interrupts off, on the CPU that counts
 * for the target: in the PMU's interrupt; where that is an NMI, there if it may handle the
 * overflow, else in the irq_work that it has queued; or in the switch probe for a wrap whose
 * interrupt comes too late.  It takes no lock and does nothing that sleeps or wakes a task;
 * irq_work wakes the consumer.
 */
#include "sampling/overflow.h"

#include <linux/bitops.h>
#include <linux/irq_work.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "sampling/block.h"
#include "sampling/lane.h"
#include "sampling/maps.h"
#include "sampling/message.h"
#include "sampling/period.h"
#include "sampling/pmi.h"
#include "sampling/throttle.h"
#include "sampling/visible.h"
#include "set/layout.h"
#include "target/sight.h"
#include "target/target.h"

/*
 * Consecutive overflows of one register that an interrupt handles at most, and ns after which it
 * begins with no more of them.  The rest is skipped.
 */
#define ROUNDS_MAX 8
#define ROUNDS_NS  5000

/* Value number s of those that sample. */
static u64 *value_of(struct pfm_target *target, const struct pfm_cset *cset,
		     u16 s)
{
	return &target->vals[cset->at + cset->smpls[s].at];
}

/* Base value number s: value and base value together are the count, see pfm_cset.base. */
static u64 *base_of(struct pfm_target *target, const struct pfm_cset *cset,
		    u16 s)
{
	return &target->vals[cset->base + s];
}

static struct pfm_period_state *period_of(const struct pfm_lane_state *lane,
					  const struct pfm_cset *cset, u16 s)
{
	return &lane->periods[cset->smpl0 + s];
}

/* Have the time measured for which values count that have a frequency. */
static noinline void
for_frequencies(const struct pfm_lane_state *lane, const struct pfm_cset *cset,
		void (*note)(struct pfm_period_state *pstate))
{
	u16 s;

	for (s = 0; s < cset->nsmpls; s++) {
		if (cset->smpls[s].interval)
			note(period_of(lane, cset, s));
	}
}

/**
 * pfm_overflow_begin - prepare the values that sample: a CPU begins to count
 * @target: the target
 * @cset: the active set
 *
 * In a context that follows, the values take over the period states that the previous
 * task on this CPU left; the target's own counts are kept in the base values.
 *
 * Context: on the CPU that is about to count, interrupts off.
 * Return: true; false, and nothing is done, when the lane pauses because overflows have
 * used up their share of the millisecond.
 */
bool pfm_overflow_begin(struct pfm_target *target, const struct pfm_cset *cset)
{
	struct pfm_lane_state *lane = pfm_lane_here(target->ctx);
	struct pfm_ovfl *ovfl = &lane->ovfl;
	u16 s;

	if (unlikely(lane->pause) && pfm_throttle_paused(lane))
		return false;
	/* These are the same for all overflows until the CPU stops counting. */
	ovfl->task = target->task;
	ovfl->tid = target->tid;
	ovfl->pid = target->pid;
	ovfl->cpu = smp_processor_id();
	ovfl->set = cset->set;
	ovfl->target = target;
	lane->handled = 0;
	/* Those of the last note may belong to another set, or another CPU. */
	ovfl->frames = NULL;
	if (unlikely(cset->paths & PFM_PATH_FREQUENCY))
		for_frequencies(lane, cset, pfm_period_begin);
	if (!pfm_context_follows(target->ctx))
		return true;
	for (s = 0; s < cset->nsmpls; s++) {
		u64 *val = value_of(target, cset, s);

		*base_of(target, cset, s) =
			*val - period_of(lane, cset, s)->value;
		*val = period_of(lane, cset, s)->value;
	}
	/*
	 * The values were replaced, so the counters do not hold them, even if this target
	 * was the last that the counters counted for.
	 */
	target->last_cpu = -1;
	return true;
}

/**
 * pfm_overflow_park - store the period states: a CPU stops counting for a target
 * @target: the target
 * @cset: the active set
 *
 * In a context that follows, the values become the target's counts again.
 */
void pfm_overflow_park(struct pfm_target *target, const struct pfm_cset *cset)
{
	struct pfm_lane_state *lane = pfm_lane_here(target->ctx);
	u16 s;

	if (unlikely(cset->paths & PFM_PATH_FREQUENCY))
		for_frequencies(lane, cset, pfm_period_park);
	if (!pfm_context_follows(target->ctx))
		return;
	for (s = 0; s < cset->nsmpls; s++) {
		u64 *val = value_of(target, cset, s);

		period_of(lane, cset, s)->value = *val;
		*val += *base_of(target, cset, s);
	}
}

/**
 * pfm_overflow_counts - convert period values to counts, in a context that follows
 * @target: target that this CPU counts for
 * @cset: the active set
 * @vals: values that were read; those that sample become counts
 */
void pfm_overflow_counts(const struct pfm_target *target,
			 const struct pfm_cset *cset, u64 *vals)
{
	u16 s;

	if (!pfm_context_follows(target->ctx))
		return;
	for (s = 0; s < cset->nsmpls; s++)
		vals[cset->at + cset->smpls[s].at] +=
			*base_of((struct pfm_target *)target, cset, s);
}

/* Bitmap of the values that have overflowed. */
static u64 find_wrapped(struct pfm_target *target, const struct pfm_cset *cset,
			const struct pfm_lane_state *lane)
{
	u64 wrapped = 0;
	u16 s;

	for (s = 0; s < cset->nsmpls; s++) {
		u64 val = *value_of(target, cset, s);

		if (pfm_period_over(period_of(lane, cset, s), val))
			wrapped |= BIT_ULL(s);
	}
	return wrapped;
}

static void set_value(struct pfm_target *target, const struct pfm_cset *cset,
		      u16 s, u64 value)
{
	u64 *val = value_of(target, cset, s);

	*base_of(target, cset, s) += *val - value;
	*val = value;
}

/**
 * pfm_overflow_due - tell whether a value has overflowed and was not handled yet
 * @target: the target
 * @cset: the active set
 *
 * Return: true when pfm_overflow_end() has work to do.
 */
bool pfm_overflow_due(struct pfm_target *target, const struct pfm_cset *cset)
{
	return find_wrapped(target, cset, pfm_lane_here(target->ctx));
}

/*
 * Reset one value that overflowed; carry is what it has counted since the overflow.
 * Returns true when that exceeds the new period.
 */
static __always_inline bool reset_one(struct pfm_target *target,
				      const struct pfm_cset *cset,
				      struct pfm_lane_state *lane, u16 s,
				      bool is_long, u64 carry)
{
	const struct pfm_smpl *smpl = &cset->smpls[s];
	struct pfm_period_state *pstate = period_of(lane, cset, s);
	u64 reset = is_long ? smpl->long_reset : smpl->short_reset;
	const u64 val = *value_of(target, cset, s);

	pstate->last_reset = pfm_period_draw(smpl, pstate, val, reset);
	if (unlikely(pstate->written))
		carry = 0;
	pstate->written = false;
	set_value(target, cset, s, pstate->last_reset + carry);
	return pfm_period_over(pstate, pstate->last_reset + carry);
}

/* Reset the values that are to be reset together with one that overflowed. */
static void reset_others(struct pfm_target *target, const struct pfm_cset *cset,
			 struct pfm_lane_state *lane,
			 const struct pfm_smpl *smpl, u64 wrapped, bool is_long)
{
	u16 i;

	for (i = 0; i < smpl->nreset; i++) {
		u16 at = smpl->reset[i];
		int other = pfm_cset_smpl(cset, at);

		if (other < 0)
			target->vals[cset->at + at] = 0;
		else if (!(wrapped & BIT_ULL(other)))
			reset_one(target, cset, lane, other, is_long, 0);
	}
}

/*
 * Reset all values that overflowed, and the others that go with them.  Returns the
 * bitmap of those that have overflowed again.
 */
static __always_inline u64 reset_all(struct pfm_target *target,
				     const struct pfm_cset *cset,
				     struct pfm_lane_state *lane, u64 wrapped,
				     bool is_long)
{
	u64 left, again = 0;

	for (left = (cset->paths & PFM_PATH_LEAN) ? 0 : wrapped; left;
	     left &= left - 1)
		reset_others(target, cset, lane, &cset->smpls[__ffs64(left)],
			     wrapped, is_long);
	for (left = wrapped; left; left &= left - 1) {
		u16 s = __ffs64(left);

		if (reset_one(target, cset, lane, s, is_long,
			      *value_of(target, cset, s)))
			again |= BIT_ULL(s);
	}
	return again;
}

/*
 * Number of attempts to read a task register that another CPU is starting or stopping.
 */
#define TASK_TRIES 1000

/*
 * Read a register that follows the task.  It belongs to the holder of the target's
 * lock, which is not taken here: see Documentation/change/locking/sampling.rst.
 */
static u64 task_value(const struct pfm_target *target,
		      const struct pfm_prog *prog, u16 i, const u64 *at)
{
	struct pfm_run run = { .task = target->task };
	struct pfm_prog one = *prog;
	unsigned int tries;
	u64 val, now;
	bool on;

	for (tries = 0; tries < TASK_TRIES; tries++) {
		/* Pairs with task_regs_changed(). */
		const u32 seq = smp_load_acquire(&target->task_seq);

		on = READ_ONCE(target->task_on);
		val = READ_ONCE(*at);
		/* Pairs with task_regs_change(). */
		smp_rmb();
		if (!(seq & 1) && READ_ONCE(target->task_seq) == seq)
			break;
		cpu_relax();
	}
	/* The CPU that starts or stops the register was held up meanwhile. */
	if (unlikely(tries == TASK_TRIES))
		return PFM_VALUE_NOT_READ;
	if (!on)
		return val;
	/* The register runs, so read what it has counted up to now. */
	one.npmds = 1;
	one.pmds += i;
	prog->pmu->ops->read(&one, &val, &now, &run);
	return now;
}

/* Collect the values that go into a sample. */
static void collect(struct pfm_target *target, const struct pfm_cset *cset,
		    const struct pfm_smpl *smpl, u64 *vals)
{
	const u16 task_off = cset->off[PFM_CLASS_TASK];
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_TASK];
	const u64 *all = target->vals + cset->at;
	u16 i;

	for (i = 0; i < smpl->nsmpl; i++) {
		u16 at = smpl->smpl[i];

		vals[i] = at < task_off ? all[at]
					: task_value(target, prog,
						     at - task_off, &all[at]);
	}
}

/* Without a format, mask and notify if the consumer asked for that, otherwise reset. */
static u32 plain_ctrl(const struct pfm_smpl *smpl)
{
	if (smpl->flags & PFM_PMDF_NOTIFY)
		return PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
	return PFM_CTRL_RESET;
}

/**
 * struct answer - what is to be done about the overflows of one round
 * @ctrl: what the format, or the consumer, asked for: PFM_CTRL_*
 * @slice_over: the time slice ends
 * @more: the hardware recorded an overflow, and each of its records is one: the core goes on while
 *	there are overflows
 */
struct answer {
	u32 ctrl;
	bool slice_over;
	bool more;
};

/* Count an overflow down; true when no overflow is left until the time slice ends. */
static bool trigger(struct pfm_period_state *pstate)
{
	if (pstate->to_switch)
		pstate->to_switch--;
	return !pstate->to_switch;
}

/* Clear the registers that overflows come with. */
static void clear_snapshots(struct pfm_target *target,
			    const struct pfm_cset *cset)
{
	static const enum pfm_reg_class classes[] = { PFM_CLASS_HW,
						      PFM_CLASS_UNIT };
	unsigned int c;
	u16 i;

	for (c = 0; c < ARRAY_SIZE(classes); c++) {
		const struct pfm_prog *prog = &cset->progs[classes[c]];
		u64 *vals = target->vals + cset->at + cset->off[classes[c]];

		for (i = 0; i < prog->npmds; i++) {
			const u16 num = prog->pmds[i] - prog->pmu->base;

			if (prog->pmu->pmds[num].flags & PFM_REGI_SNAPSHOT)
				vals[i] = 0;
		}
	}
}

/*
 * Take what the hardware recorded of an overflow: registers, and in place of those of the
 * interrupt an address and a time.
 */
static noinline enum pfm_sample take_sample(struct pfm_target *target,
					    const struct pfm_cset *cset,
					    struct pfm_lane_state *lane,
					    const struct pfm_smpl *smpl)
{
	const enum pfm_reg_class class = smpl->at < cset->off[PFM_CLASS_UNIT]
						 ? PFM_CLASS_HW
						 : PFM_CLASS_UNIT;
	const struct pfm_prog *prog = &cset->progs[class];
	struct pfm_ovfl *ovfl = &lane->ovfl;
	struct pfm_hw_sample sample = pfm_visible_ask(lane);
	enum pfm_sample ret;

	ovfl->ip = lane->intr_ip;
	ovfl->tstamp = lane->intr_tstamp;
	ovfl->nbranches = 0;
	/* Registers that another overflow came with do not belong to this one. */
	clear_snapshots(target, cset);
	if (smpl->at >= cset->off[PFM_CLASS_CPU] || !prog->sample)
		return PFM_SAMPLE_NONE;
	ret = prog->pmu->ops->sample(prog,
				     target->vals + cset->at + cset->off[class],
				     smpl->num, &sample);
	if (ret == PFM_SAMPLE_RECORD)
		pfm_visible_record(ovfl, &sample);
	if (sample.nbranches)
		pfm_visible_branches(lane, &sample);
	return ret;
}

/*
 * Ask the PMU module for the overflow of value number s.  Returns true if it is to be recorded;
 * false if it is left out, and only its value is reset.
 */
static noinline bool ask_sample(struct pfm_target *target,
				const struct pfm_cset *cset,
				struct pfm_lane_state *lane, u16 s,
				struct answer *answer)
{
	const enum pfm_sample taken =
		take_sample(target, cset, lane, &cset->smpls[s]);

	if (taken == PFM_SAMPLE_RECORD || taken == PFM_SAMPLE_DROP)
		answer->more = true;
	if (taken == PFM_SAMPLE_DROP || taken == PFM_SAMPLE_VOID) {
		lane->dropped |= BIT_ULL(s);
		return false;
	}
	return true;
}

/* Hand an overflow to the format.  Returns what that asks for. */
static u32 hand_over(struct pfm_target *target, const struct pfm_cset *cset,
		     struct pfm_lane_state *lane, const struct pfm_smpl *smpl,
		     const struct pfm_period_state *pstate)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;
	int ret;

	ovfl->pmd = smpl->num;
	ovfl->last_reset = pstate->last_reset;
	ovfl->eventid = smpl->eventid;
	ovfl->nvals = smpl->nsmpl;
	if (smpl->nsmpl)
		collect(target, cset, smpl, lane->vals);
	/* E2 */
	ret = target->ctx->fmt->handler(ovfl);
	ovfl->again = true;
	if (likely(ret >= 0))
		return ret;
	lane->fmt_errors++;
	return PFM_CTRL_RESET;
}

/* Have the format record the overflows, one after the other. */
static struct answer record(struct pfm_target *target,
			    const struct pfm_cset *cset,
			    struct pfm_lane_state *lane, u64 wrapped)
{
	const bool sample = cset->paths & PFM_PATH_SAMPLE;
	struct answer answer = {};

	if (unlikely(sample))
		lane->dropped = 0;
	do {
		u16 s = __ffs64(wrapped);
		const struct pfm_smpl *smpl = &cset->smpls[s];
		struct pfm_period_state *pstate = period_of(lane, cset, s);

		if (unlikely(sample) &&
		    !ask_sample(target, cset, lane, s, &answer))
			continue;
		lane->overflows++;
		if (unlikely(smpl->switch_cnt) && trigger(pstate))
			answer.slice_over = true;
		if (target->ctx->fmt)
			answer.ctrl |=
				hand_over(target, cset, lane, smpl, pstate);
		else
			answer.ctrl |= plain_ctrl(smpl);
	} while (wrapped &= wrapped - 1);
	return answer;
}

static bool notify_wanted(const struct pfm_cset *cset, u64 wrapped)
{
	u16 s;

	for (s = 0; s < cset->nsmpls; s++) {
		if ((wrapped & BIT_ULL(s)) &&
		    (cset->smpls[s].flags & PFM_PMDF_NOTIFY))
			return true;
	}
	return false;
}

/**
 * pfm_overflow_notify - notify the consumer
 * @ctx: the context
 * @ovfl: overflow or entry of the slice log that the message is about
 * @cset: the active set
 * @wrapped: bitmap of the values that overflowed, 0 for the slice log
 *
 * The consumer is notified in any case: by a message of its own, or by an earlier one
 * about the same lane that still waits.
 *
 * Context: interrupts off, on the CPU that counts.
 * Return: 0; PFM_CTRL_MASK when the queue has no room for another message.
 */
u32 pfm_overflow_notify(struct pfm_context *ctx, const struct pfm_ovfl *ovfl,
			const struct pfm_cset *cset, u64 wrapped)
{
	struct pfm_msg_ovfl msg = {
		.type = PFM_MSG_OVFL,
		.tid = ovfl->tid,
		.set = ovfl->set,
		.cpu = ovfl->cpu,
		.pid = ovfl->pid,
		.ip = wrapped ? ovfl->ip : 0,
	};
	struct pfm_lane_state *lane =
		container_of(ovfl->lane, struct pfm_lane_state, pub);
	u32 ctrl = 0;
	u16 s;

	for (s = 0; s < cset->nsmpls; s++) {
		u16 num = cset->smpls[s].num;

		if (wrapped & BIT_ULL(s))
			msg.ovfl_pmds[num / 64] |= BIT_ULL(num % 64);
	}
	if (!(ctx->flags & PFM_CTX_NO_MSG) &&
	    !pfm_message_push(ctx, lane->pub.index, &msg)) {
		lane->msgs_merged++;
		ctrl = PFM_CTRL_MASK;
	}
	pfm_lane_notified(lane, true);
	if (wrapped && (ctx->flags & PFM_CTX_NOTIFY_BLOCK))
		pfm_block_request(ovfl->target);
	irq_work_queue(&ctx->wake);
	return ctrl;
}

/*
 * Count overflows as skipped and begin the period that the value is in by now.  Those that are
 * left out are in no number.
 */
static void skip(struct pfm_target *target, const struct pfm_cset *cset,
		 struct pfm_lane_state *lane, u64 wrapped)
{
	u16 s;

	for (s = 0; s < cset->nsmpls; s++) {
		u64 val = *value_of(target, cset, s);
		u64 period = -period_of(lane, cset, s)->last_reset;

		if (!(wrapped & BIT_ULL(s)))
			continue;
		if (likely(!(lane->dropped & BIT_ULL(s))))
			lane->skipped += val / period + 1;
		set_value(target, cset, s, val % period - period);
	}
}

/* A thread that just ended, or that is not in this namespace, has no id in it. */
static u32 id_of(pid_t in_namespace, pid_t global,
		 const struct pfm_context *ctx)
{
	if (in_namespace)
		return in_namespace;
	return ctx->pidns == &init_pid_ns ? global : PFM_TID_UNKNOWN;
}

/* Process and thread id of a task, in the namespace of the context's creator. */
static void ids_of(struct task_struct *task, const struct pfm_context *ctx,
		   u32 *pid, u32 *tid)
{
	if (is_idle_task(task)) {
		*pid = 0;
		*tid = 0;
		return;
	}
	*pid = id_of(task_tgid_nr_ns(task, ctx->pidns), task->tgid, ctx);
	*tid = id_of(task_pid_nr_ns(task, ctx->pidns), task->pid, ctx);
}

/**
 * pfm_overflow_whose - determine the task of an overflow, and request its mappings
 * @lane: the lane; needed when the context monitors a CPU or reports mappings
 * @task: task that was current at the overflow
 *
 * Context: interrupts off, on the CPU that counts.
 */
void pfm_overflow_whose(struct pfm_lane_state *lane, struct task_struct *task)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;

	/* In a system-wide context the overflow belongs to the task that ran then. */
	if (unlikely(!ovfl->target->task)) {
		ovfl->task = task;
		ids_of(task, lane->ctx, &ovfl->pid, &ovfl->tid);
	}
	if ((lane->ctx->flags & PFM_CTX_MAPS) && ovfl->user_ok)
		pfm_maps_request(ovfl->target, lane);
}

/*
 * Take from the NMI's note what overflows have in common.  Without a note the wrap was
 * found before its NMI came.  Then the sample has the registers that the caller knows: on
 * x86 none.
 */
static struct task_struct *note_nmi(struct pfm_lane_state *lane,
				    const struct pfm_pmi *pmi)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;

	ovfl->frames = NULL;
	if (!pmi)
		return current;
	lane->handled = pfm_throttle_begin_nmi(pmi->tstamp, ovfl->tstamp);
	ovfl->tstamp = pmi->tstamp;
	ovfl->frames = &pmi->frames;
	return pmi->task;
}

/* Fill in what is the same for all overflows that are found now. */
static void note(struct pfm_lane_state *lane, const struct pfm_cset *cset,
		 struct pt_regs *regs, const struct pfm_pmi *pmi)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;
	struct task_struct *task = current;

	pfm_visible_regs(lane, regs);
	ovfl->tstamp = ktime_get_mono_fast_ns();
	if (unlikely(cset->paths & (PFM_PATH_NMI | PFM_PATH_SAMPLE)))
		lane->handled = ovfl->tstamp;
	if (unlikely(cset->paths & PFM_PATH_NMI))
		task = note_nmi(lane, pmi);
	if (unlikely(cset->paths & PFM_PATH_SAMPLE)) {
		lane->intr_ip = ovfl->ip;
		lane->intr_tstamp = ovfl->tstamp;
	}
	pfm_overflow_whose(lane, task);
}

/* Remember which values have to be reset, and have the overflows recorded. */
static struct answer begin_round(struct pfm_target *target,
				 const struct pfm_cset *cset,
				 struct pfm_lane_state *lane, u64 wrapped)
{
	lane->pending = wrapped;
	lane->pending_cset = lane->slice.cset;
	return record(target, cset, lane, wrapped);
}

/* From when on the present overflows are accounted for, ns of CLOCK_MONOTONIC. */
static u64 handled_since(const struct pfm_lane_state *lane)
{
	/* ovfl.tstamp may be the hardware's, or that of an NMI which had to wait long. */
	return lane->handled ?: lane->ovfl.tstamp;
}

/*
 * Tell whether overflows that follow so many rounds are left to skip().  Interrupts are off, so
 * time counts as well.
 */
static bool rounds_over(const struct pfm_lane_state *lane, unsigned int rounds)
{
	return rounds >= ROUNDS_MAX ||
	       ktime_get_mono_fast_ns() - handled_since(lane) >= ROUNDS_NS;
}

/*
 * Do what the format asks for, and repeat that while values overflow again.  Returns
 * what pfm_overflow_end() returns.
 */
static noinline u32 conclude(struct pfm_target *target,
			     const struct pfm_cset *cset,
			     struct pfm_lane_state *lane, bool interrupt,
			     u64 wrapped, struct answer answer)
{
	struct pfm_context *ctx = target->ctx;
	unsigned int round = 0, n = 0;
	u32 what = 0;
	bool throttled;
	u64 now;

	for (;;) {
		u32 ctrl = answer.ctrl;

		lane->fmt_masked = ctrl & PFM_CTRL_MASK;
		/* The consumer is not told of overflows that are left out. */
		if ((ctrl & PFM_CTRL_NOTIFY) &&
		    notify_wanted(cset, wrapped & ~lane->dropped))
			ctrl |= pfm_overflow_notify(ctx, &lane->ovfl, cset,
						    wrapped & ~lane->dropped);
		/*
		 * A context that follows is never masked, as this CPU cannot stop all
		 * its tasks at once. G2
		 */
		if ((ctrl & PFM_CTRL_MASK) && !pfm_context_follows(ctx)) {
			lane->slice.due = answer.slice_over;
			lane->ovfl.again = false;
			WRITE_ONCE(ctx->masked, true);
			return PFM_OVERFLOW_PAUSE;
		}
		if (answer.slice_over)
			what = PFM_OVERFLOW_SWITCH;
		n += hweight64(wrapped);
		wrapped = reset_all(target, cset, lane, wrapped, false);
		lane->pending = 0;
		if (!wrapped || (!answer.more && rounds_over(lane, ++round)))
			break;
		answer = begin_round(target, cset, lane, wrapped);
	}
	lane->ovfl.again = false;
	if (wrapped)
		skip(target, cset, lane, wrapped);
	now = handled_since(lane);
	throttled = likely(n == 1) ? pfm_throttle_account(lane, now)
				   : pfm_throttle_measure(lane, now, n);
	/*
	 * At a context switch counting ends anyway; pfm_overflow_begin() begins the
	 * pause.
	 */
	if (throttled && interrupt) {
		pfm_throttle_pause(lane);
		what |= PFM_OVERFLOW_PAUSE;
	}
	return what;
}

/**
 * pfm_overflow_ctrl - handle the answer of a format that asks for more than a reset
 * @slot: slot of this CPU; its only value that samples overflowed in an interrupt
 * @ctrl: answer of the handler, PFM_CTRL_* or -errno
 *
 * Context: PMU interrupt, an NMI included, or irq_work of an NMI.
 * Return: see pfm_overflow_end().
 */
u32 pfm_overflow_ctrl(struct pfm_slot *slot, int ctrl)
{
	struct pfm_lane_state *lane = pfm_lane_here(slot->target->ctx);

	if (ctrl < 0) {
		lane->fmt_errors++;
		ctrl = PFM_CTRL_RESET;
	}
	lane->pending = 1;
	lane->pending_cset = lane->slice.cset;
	lane->ovfl.again = true;
	return conclude(slot->target, slot->cset, lane, true, 1,
			(struct answer){ .ctrl = ctrl });
}

/**
 * pfm_overflow_again - handle a value that overflowed again when it was reset
 * @slot: slot of this CPU, the only value of which that samples it is
 *
 * Context: PMU interrupt, an NMI included, or irq_work of an NMI.
 * Return: see pfm_overflow_end().
 */
u32 pfm_overflow_again(struct pfm_slot *slot)
{
	struct pfm_lane_state *lane = pfm_lane_here(slot->target->ctx);

	lane->ovfl.again = true;
	return conclude(slot->target, slot->cset, lane, true, 1,
			begin_round(slot->target, slot->cset, lane, 1));
}

/**
 * pfm_overflow_end - handle the overflows found after the counters were stopped
 * @slot: slot of this CPU; its target's values are up to date
 * @regs: interrupted registers, or NULL.  If an NMI has noted the overflow, its registers
 *	are used instead
 * @interrupt: the counters run again after this, unless it returns otherwise; false where
 *	counting ends anyway.  This does not follow from @regs: the irq_work of an NMI has
 *	none on x86
 *
 * Context: interrupts off, on the CPU that counted.
 * Return: 0, or a combination of PFM_OVERFLOW_PAUSE: the counters must stay stopped,
 * because the context is masked now or because the lane is throttled; and
 * PFM_OVERFLOW_SWITCH: the time slice ends.
 */
u32 pfm_overflow_end(struct pfm_slot *slot, struct pt_regs *regs,
		     bool interrupt)
{
	struct pfm_target *target = slot->target;
	const struct pfm_cset *cset = slot->cset;
	struct pfm_lane_state *lane = pfm_lane_here(target->ctx);
	struct pfm_pmi *pmi = NULL;
	u64 wrapped;
	u32 what;

	if (unlikely(cset->paths & PFM_PATH_NMI))
		pmi = pfm_pmi_take_first(slot);
	wrapped = find_wrapped(target, cset, lane);
	if (!wrapped)
		return 0;
	if (unlikely(target->blind)) {
		skip(target, cset, lane, wrapped);
		return 0;
	}
	note(lane, cset, pmi ? &pmi->regs : regs, pmi);
	what = conclude(target, cset, lane, interrupt, wrapped,
			begin_round(target, cset, lane, wrapped));
	if (unlikely(cset->paths & PFM_PATH_SAMPLE)) {
		lane->dropped = 0;
		/* The next overflow may be of a set without branches, which does not clear this. */
		lane->ovfl.nbranches = 0;
		/* The values of tasks are added up, and these are no counts. */
		if (pfm_context_follows(target->ctx))
			clear_snapshots(target, cset);
	}
	return what;
}

/**
 * pfm_overflow_defer - leave the overflows that are found to RESTART
 * @target: target of a context that an overflow has just masked; its values are up to date
 * @cset: the active set, the one whose overflow masked the context
 *
 * The counters ran between the overflow that masked the context and the stop, so another
 * value may have wrapped.  The consumer was notified and owns the buffer, so nothing is
 * recorded: the overflow counts as skipped.  If RESTART did not reset the value, the next
 * overflow of the set would reset it from a value that the counter has left.
 *
 * Context: interrupts off, on the CPU that counted.
 */
void pfm_overflow_defer(struct pfm_target *target, const struct pfm_cset *cset)
{
	struct pfm_lane_state *lane = pfm_lane_here(target->ctx);
	const u64 wrapped = find_wrapped(target, cset, lane) & ~lane->pending;

	/* An NMI's note about them is dropped by pfm_pmi_begin(). */
	lane->skipped += hweight64(wrapped);
	lane->pending |= wrapped;
}

/**
 * pfm_overflow_written - adapt the period state to a value that was written
 * @target: target of a context that does not follow; the caller owns its values
 * @layout: layout of the target
 * @index: index of the value's compiled set
 * @at: index of the value in the compiled set
 *
 * The new value determines the length of the period that begins.  If a reset is
 * pending, the reset will overwrite the value.  Nothing is done for a value that does
 * not sample.
 */
void pfm_overflow_written(struct pfm_target *target,
			  const struct pfm_layout *layout, u32 index, u16 at)
{
	const struct pfm_cset *cset = &layout->csets[index];
	struct pfm_lane_state *lane = target->ctx->lanes[0];
	int s = cset->nsmpls ? pfm_cset_smpl(cset, at) : -1;
	struct pfm_period_state *pstate;

	if (s < 0)
		return;
	pstate = period_of(lane, cset, s);
	pstate->last_reset = *value_of(target, cset, s);
	pstate->written = index == lane->pending_cset &&
			  (lane->pending & BIT_ULL(s));
}

/**
 * pfm_overflow_rearm - reset the overflowed values with their long values, at RESTART
 * @target: target of a masked context; its lock is held
 * @layout: layout of the target
 *
 * The set whose values overflowed need not be the active one any more.
 */
void pfm_overflow_rearm(struct pfm_target *target,
			const struct pfm_layout *layout)
{
	struct pfm_lane_state *lane = target->ctx->lanes[0];
	const struct pfm_cset *cset = &layout->csets[lane->pending_cset];
	u64 wrapped;

	wrapped = reset_all(target, cset, lane, lane->pending, true);
	lane->pending = 0;
	if (wrapped)
		skip(target, cset, lane, wrapped);
	target->last_cpu = -1;
}

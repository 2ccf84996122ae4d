// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflows: from a wrapped value to a sample, a notification and a reset.
 *
 * All of it runs with the counters stopped and interrupts off, on the CPU that
 * counts for the link: in the PMU's interrupt (NMI on x86), or in the switch
 * hook for a wrap that the interrupt comes too late for.  No locks, nothing that
 * sleeps or wakes; readers are woken by irq_work.
 */
#include "overflow.h"

#include <linux/bitops.h>
#include <linux/irq_work.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>

#include "block.h"
#include "context.h"
#include "cpu.h"
#include "lane.h"
#include "layout.h"
#include "link.h"
#include "machine.h"
#include "maps.h"
#include "message.h"
#include "sample.h"

/* Overflows of one register that one interrupt takes; more are skipped. */
#define ROUNDS_MAX 8

/* A value that samples. */
static u64 *value_of(struct pfm_link *link, const struct pfm_bank *bank, u16 s)
{
	return &link->vals[bank->at + bank->smpls[s].at];
}

/* What was counted for it beyond the value: value and base make the count. */
static u64 *base_of(struct pfm_link *link, const struct pfm_bank *bank, u16 s)
{
	return &link->vals[bank->base + s];
}

static struct pfm_phase *phase_of(const struct pfm_lane_state *lane,
				  const struct pfm_bank *bank, u16 s)
{
	return &lane->phases[bank->smpl0 + s];
}

/**
 * pfm_overflow_begin - a CPU begins to count for a link
 * @link: the link
 * @bank: the active set
 *
 * In a context that follows, periods go on where the last task on this CPU left
 * them; the link keeps its own counts aside.
 *
 * Return: false, and nothing is done, when the lane pauses: overflows have spent
 * what they may of a millisecond.
 */
bool pfm_overflow_begin(struct pfm_link *link, const struct pfm_bank *bank)
{
	struct pfm_lane_state *lane = pfm_lane_here(link->ctx);
	struct pfm_ovfl *ovfl = &lane->ovfl;
	u16 s;

	if (unlikely(lane->pause) && pfm_sample_paused(lane))
		return false;
	/* What is the same for all overflows until the CPU is done. */
	ovfl->task = link->task;
	ovfl->tid = link->tid;
	ovfl->pid = link->pid;
	ovfl->cpu = smp_processor_id();
	ovfl->set = bank->set;
	ovfl->link = link;
	if (!pfm_context_follows(link->ctx))
		return true;
	for (s = 0; s < bank->nsmpls; s++) {
		u64 *val = value_of(link, bank, s);

		*base_of(link, bank, s) = *val - phase_of(lane, bank, s)->value;
		*val = phase_of(lane, bank, s)->value;
	}
	/* The counters hold another task's phase by now. */
	link->last_cpu = -1;
	return true;
}

/**
 * pfm_overflow_park - a CPU is done counting for a link
 * @link: the link
 * @bank: the active set
 */
void pfm_overflow_park(struct pfm_link *link, const struct pfm_bank *bank)
{
	struct pfm_lane_state *lane = pfm_lane_here(link->ctx);
	u16 s;

	if (!pfm_context_follows(link->ctx))
		return;
	for (s = 0; s < bank->nsmpls; s++) {
		u64 *val = value_of(link, bank, s);

		phase_of(lane, bank, s)->value = *val;
		*val += *base_of(link, bank, s);
	}
}

/**
 * pfm_overflow_counts - turn phases into counts
 * @link: link that is counted for on this CPU, of a context that follows
 * @bank: the active set
 * @vals: values as they were read
 */
void pfm_overflow_counts(const struct pfm_link *link,
			 const struct pfm_bank *bank, u64 *vals)
{
	u16 s;

	if (!pfm_context_follows(link->ctx))
		return;
	for (s = 0; s < bank->nsmpls; s++)
		vals[bank->at + bank->smpls[s].at] +=
			*base_of((struct pfm_link *)link, bank, s);
}

/* Which of the values that sample overflowed. */
static u64 find_wrapped(struct pfm_link *link, const struct pfm_bank *bank,
			const struct pfm_lane_state *lane)
{
	u64 wrapped = 0;
	u16 s;

	for (s = 0; s < bank->nsmpls; s++) {
		u64 val = *value_of(link, bank, s);

		if (pfm_phase_over(phase_of(lane, bank, s), val))
			wrapped |= BIT_ULL(s);
	}
	return wrapped;
}

static void set_value(struct pfm_link *link, const struct pfm_bank *bank, u16 s,
		      u64 value)
{
	u64 *val = value_of(link, bank, s);

	*base_of(link, bank, s) += *val - value;
	*val = value;
}

/**
 * pfm_overflow_due - whether a value overflowed that nobody has dealt with
 * @link: the link
 * @bank: the active set
 *
 * Return: true when pfm_overflow_end() has something to do.
 */
bool pfm_overflow_due(struct pfm_link *link, const struct pfm_bank *bank)
{
	return find_wrapped(link, bank, pfm_lane_here(link->ctx));
}

/*
 * Reset one value; carry is what it counted since it overflowed.  Returns
 * whether that is more than the new period.
 */
static __always_inline bool reset_one(struct pfm_link *link,
				      const struct pfm_bank *bank,
				      struct pfm_lane_state *lane, u16 s,
				      bool is_long, u64 carry)
{
	const struct pfm_smpl *smpl = &bank->smpls[s];
	struct pfm_phase *phase = phase_of(lane, bank, s);
	u64 reset = is_long ? smpl->long_reset : smpl->short_reset;

	phase->last_reset = pfm_overflow_draw(smpl, phase, reset);
	if (unlikely(phase->written))
		carry = 0;
	phase->written = false;
	set_value(link, bank, s, phase->last_reset + carry);
	return pfm_phase_over(phase, phase->last_reset + carry);
}

/* Reset what goes with a value that overflowed. */
static void reset_others(struct pfm_link *link, const struct pfm_bank *bank,
			 struct pfm_lane_state *lane,
			 const struct pfm_smpl *smpl, u64 wrapped, bool is_long)
{
	u16 i;

	for (i = 0; i < smpl->nreset; i++) {
		u16 at = smpl->reset[i];
		int other = pfm_bank_smpl(bank, at);

		if (other < 0)
			link->vals[bank->at + at] = 0;
		else if (!(wrapped & BIT_ULL(other)))
			reset_one(link, bank, lane, other, is_long, 0);
	}
}

/*
 * Reset all values that overflowed, and those that go with them.  Returns those
 * that have overflowed once more.
 */
static __always_inline u64 reset_all(struct pfm_link *link,
				     const struct pfm_bank *bank,
				     struct pfm_lane_state *lane, u64 wrapped,
				     bool is_long)
{
	u64 left, again = 0;

	for (left = bank->lean ? 0 : wrapped; left; left &= left - 1)
		reset_others(link, bank, lane, &bank->smpls[__ffs64(left)],
			     wrapped, is_long);
	for (left = wrapped; left; left &= left - 1) {
		u16 s = __ffs64(left);

		if (reset_one(link, bank, lane, s, is_long,
			      *value_of(link, bank, s)))
			again |= BIT_ULL(s);
	}
	return again;
}

/* Looks at a register that another CPU is starting or stopping. */
#define TASK_TRIES 1000

/*
 * A register that follows the task.  It belongs to the holder of the link's lock,
 * which is not taken here: see Documentation/locking.rst.
 */
static u64 task_value(const struct pfm_link *link, const struct pfm_prog *prog,
		      u16 i, const u64 *at)
{
	struct pfm_prog one = *prog;
	unsigned int tries;
	u64 val, now;
	bool on;

	for (tries = 0; tries < TASK_TRIES; tries++) {
		/* Pairs with task_part_changed(). */
		const u32 seq = smp_load_acquire(&link->task_seq);

		on = READ_ONCE(link->task_on);
		val = READ_ONCE(*at);
		/* Pairs with task_part_changes(). */
		smp_rmb();
		if (!(seq & 1) && READ_ONCE(link->task_seq) == seq)
			break;
		cpu_relax();
	}
	/* It begins to count just now, and whoever starts it was held up. */
	if (unlikely(tries == TASK_TRIES))
		return 0;
	if (!on)
		return val;
	/* It runs on: have it read as it is now. */
	one.npmds = 1;
	one.pmds += i;
	prog->pmu->ops->read(&one, &val, &now, link->task);
	return now;
}

/* Values of the registers that go into a sample. */
static void collect(struct pfm_link *link, const struct pfm_bank *bank,
		    const struct pfm_smpl *smpl, u64 *vals)
{
	const u16 task_off = bank->off[PFM_CLASS_TASK];
	const struct pfm_prog *prog = &bank->parts[PFM_CLASS_TASK];
	const u64 *all = link->vals + bank->at;
	u16 i;

	for (i = 0; i < smpl->nsmpl; i++) {
		u16 at = smpl->smpl[i];

		vals[i] = at < task_off ? all[at]
					: task_value(link, prog, at - task_off,
						     &all[at]);
	}
}

/* Without a format an overflow is for the reader, if it asked for that. */
static u32 plain_ctrl(const struct pfm_smpl *smpl)
{
	if (smpl->flags & PFM_PMDF_NOTIFY)
		return PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
	return PFM_CTRL_RESET;
}

/* The set is to be left: for the core, beside what handlers answer. */
#define CTRL_SWITCH BIT(31)

/* Whether the set has had as many overflows of a value as it is to have. */
static bool trigger(struct pfm_phase *phase)
{
	if (phase->to_switch)
		phase->to_switch--;
	return !phase->to_switch;
}

/* Have the format record one overflow after the other. */
static u32 record(struct pfm_link *link, const struct pfm_bank *bank,
		  struct pfm_lane_state *lane, u64 wrapped)
{
	const struct pfm_format *fmt = link->ctx->fmt;
	struct pfm_ovfl *ovfl = &lane->ovfl;
	u32 ctrl = 0;
	int ret;

	do {
		u16 s = __ffs64(wrapped);
		const struct pfm_smpl *smpl = &bank->smpls[s];
		struct pfm_phase *phase = phase_of(lane, bank, s);

		lane->overflows++;
		if (unlikely(smpl->switch_cnt) && trigger(phase))
			ctrl |= CTRL_SWITCH;
		if (!fmt) {
			ctrl |= plain_ctrl(smpl);
			continue;
		}
		ovfl->pmd = smpl->num;
		ovfl->last_reset = phase->last_reset;
		ovfl->eventid = smpl->eventid;
		ovfl->nvals = smpl->nsmpl;
		if (smpl->nsmpl)
			collect(link, bank, smpl, lane->vals);
		ret = fmt->handler(ovfl);
		if (unlikely(ret < 0)) {
			lane->fmt_errors++;
			ctrl |= PFM_CTRL_RESET;
		} else {
			ctrl |= ret & ~CTRL_SWITCH;
		}
	} while (wrapped &= wrapped - 1);
	return ctrl;
}

static bool notify_wanted(const struct pfm_bank *bank, u64 wrapped)
{
	u16 s;

	for (s = 0; s < bank->nsmpls; s++) {
		if ((wrapped & BIT_ULL(s)) &&
		    (bank->smpls[s].flags & PFM_PMDF_NOTIFY))
			return true;
	}
	return false;
}

/**
 * pfm_overflow_notify - tell the reader
 * @ctx: the context
 * @ovfl: what the message is about
 * @bank: the active set
 * @wrapped: values of it that overflowed; none for the slice log
 *
 * Return: PFM_CTRL_MASK when the reader has too much to read, or 0.  It is told of
 * the lane in any case: by a message of its own, or by one that waits.
 */
u32 pfm_overflow_notify(struct pfm_context *ctx, const struct pfm_ovfl *ovfl,
			const struct pfm_bank *bank, u64 wrapped)
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

	for (s = 0; s < bank->nsmpls; s++) {
		u16 num = bank->smpls[s].num;

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
		pfm_block_request(ovfl->link);
	irq_work_queue(&ctx->wake);
	return ctrl;
}

/* Overflows that nobody takes: go on behind them. */
static void skip(struct pfm_link *link, const struct pfm_bank *bank,
		 struct pfm_lane_state *lane, u64 wrapped)
{
	u16 s;

	for (s = 0; s < bank->nsmpls; s++) {
		u64 val = *value_of(link, bank, s);
		u64 period = -phase_of(lane, bank, s)->last_reset;

		if (!(wrapped & BIT_ULL(s)))
			continue;
		lane->skipped += val / period + 1;
		set_value(link, bank, s, val % period - period);
	}
}

/**
 * pfm_overflow_whose - whose overflow it is
 * @lane: the lane, of a context that monitors a CPU or reports mappings
 */
void pfm_overflow_whose(struct pfm_lane_state *lane)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;

	/* On a CPU that is monitored as a whole it is whoever runs now. */
	if (unlikely(!ovfl->link->task)) {
		ovfl->task = current;
		pfm_machine_ids(lane->ctx, &ovfl->pid, &ovfl->tid);
	}
	if ((lane->ctx->flags & PFM_CTX_MAPS) && ovfl->user_ok)
		pfm_maps_request(ovfl->link, lane);
}

/**
 * pfm_overflow_look - what the owner of a context without CAP_PERFMON may see
 * @lane: the lane
 * @regs: interrupted registers, or NULL
 *
 * Of kernel code nothing, of the user's only what the right was checked for.
 */
void pfm_overflow_look(struct pfm_lane_state *lane, struct pt_regs *regs)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;

	ovfl->user_ok = pfm_sight_open(&ovfl->link->sight);
	if (regs && user_mode(regs) && !ovfl->user_ok)
		regs = NULL;
	ovfl->regs = regs;
	ovfl->ip = regs && user_mode(regs) ? instruction_pointer(regs) : 0;
}

/* What the format is told of all overflows that are found now. */
static void note(struct pfm_lane_state *lane, struct pt_regs *regs)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;

	if (lane->pub.kernel_ok) {
		ovfl->regs = regs;
		ovfl->ip = regs ? instruction_pointer(regs) : 0;
	} else {
		pfm_overflow_look(lane, regs);
	}
	ovfl->tstamp = ktime_get_mono_fast_ns();
	pfm_overflow_whose(lane);
}

/* Remember what is to be reset, and have it recorded. */
static u32 begin_round(struct pfm_link *link, const struct pfm_bank *bank,
		       struct pfm_lane_state *lane, u64 wrapped)
{
	lane->pending = wrapped;
	lane->pending_bank = lane->turn.bank;
	return record(link, bank, lane, wrapped);
}

/*
 * Do what the format asks for, and so on while values overflow again.  Returns
 * what pfm_overflow_end() does.
 */
static noinline u32 conclude(struct pfm_link *link, const struct pfm_bank *bank,
			     struct pfm_lane_state *lane, bool interrupt,
			     u64 wrapped, u32 ctrl)
{
	struct pfm_context *ctx = link->ctx;
	unsigned int round = 0, n = 0;
	u32 what = 0;
	bool storms;

	for (;;) {
		lane->fmt_masked = ctrl & PFM_CTRL_MASK;
		if ((ctrl & PFM_CTRL_NOTIFY) && notify_wanted(bank, wrapped))
			ctrl |= pfm_overflow_notify(ctx, &lane->ovfl, bank,
						    wrapped);
		/* Nobody stops all the tasks of a session at once. */
		if ((ctrl & PFM_CTRL_MASK) && !pfm_context_follows(ctx)) {
			lane->turn.due = ctrl & CTRL_SWITCH;
			WRITE_ONCE(ctx->masked, true);
			return PFM_OVERFLOW_PAUSE;
		}
		if (ctrl & CTRL_SWITCH)
			what = PFM_OVERFLOW_SWITCH;
		n += hweight64(wrapped);
		wrapped = reset_all(link, bank, lane, wrapped, false);
		lane->pending = 0;
		if (!wrapped || ++round == ROUNDS_MAX)
			break;
		ctrl = begin_round(link, bank, lane, wrapped);
	}
	if (wrapped)
		skip(link, bank, lane, wrapped);
	storms = likely(n == 1)
			 ? pfm_sample_storms(lane, lane->ovfl.tstamp)
			 : pfm_sample_measure(lane, lane->ovfl.tstamp, n);
	/* At a switch counting ends anyway; pfm_overflow_begin() does not let it on. */
	if (storms && interrupt) {
		pfm_sample_pause(lane);
		what |= PFM_OVERFLOW_PAUSE;
	}
	return what;
}

/**
 * pfm_overflow_ctrl - a format's handler asks for more than a reset
 * @lane: lane of the value that samples alone, which overflowed in an interrupt
 * @ctrl: what the handler returned
 *
 * Return: see pfm_overflow_end().
 */
u32 pfm_overflow_ctrl(struct pfm_lane_state *lane, int ctrl)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	if (ctrl < 0) {
		lane->fmt_errors++;
		ctrl = PFM_CTRL_RESET;
	}
	lane->pending = 1;
	lane->pending_bank = lane->turn.bank;
	return conclude(cpu->link, cpu->bank, lane, true, 1,
			ctrl & ~CTRL_SWITCH);
}

/**
 * pfm_overflow_again - a value that was reset has overflowed once more
 * @lane: lane of the value that samples alone
 *
 * Return: see pfm_overflow_end().
 */
u32 pfm_overflow_again(struct pfm_lane_state *lane)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	return conclude(cpu->link, cpu->bank, lane, true, 1,
			begin_round(cpu->link, cpu->bank, lane, 1));
}

/**
 * pfm_overflow_end - the counters were stopped: deal with what overflowed
 * @link: the link that they counted for; values are up to date
 * @bank: the active set
 * @regs: interrupted registers; NULL at a switch
 *
 * Return: PFM_OVERFLOW_PAUSE: they are to stay stopped, as the context is masked
 * now or there is a storm of interrupts; PFM_OVERFLOW_SWITCH: the set is to be
 * left; or 0.
 */
u32 pfm_overflow_end(struct pfm_link *link, const struct pfm_bank *bank,
		     struct pt_regs *regs)
{
	struct pfm_lane_state *lane = pfm_lane_here(link->ctx);
	u64 wrapped;

	wrapped = find_wrapped(link, bank, lane);
	if (!wrapped)
		return 0;
	if (unlikely(link->blind)) {
		skip(link, bank, lane, wrapped);
		return 0;
	}
	note(lane, regs);
	return conclude(link, bank, lane, !!regs, wrapped,
			begin_round(link, bank, lane, wrapped));
}

/**
 * pfm_overflow_written - a value was written that may sample
 * @link: link of a context that does not follow; the caller owns its values
 * @layout: its layout
 * @index: the value's bank
 * @at: index of the value in it
 *
 * The period that began is as long as the new value says.  If a reset is due, it
 * overwrites the value.
 */
void pfm_overflow_written(struct pfm_link *link,
			  const struct pfm_layout *layout, u32 index, u16 at)
{
	const struct pfm_bank *bank = &layout->banks[index];
	struct pfm_lane_state *lane = link->ctx->lanes[0];
	int s = bank->nsmpls ? pfm_bank_smpl(bank, at) : -1;
	struct pfm_phase *phase;

	if (s < 0)
		return;
	phase = phase_of(lane, bank, s);
	phase->last_reset = *value_of(link, bank, s);
	phase->written = index == lane->pending_bank &&
			 (lane->pending & BIT_ULL(s));
}

/**
 * pfm_overflow_rearm - the reader is done: reset with the long values
 * @link: link of a masked context; its lock is held
 * @layout: its layout
 *
 * The set that overflowed need not be the active one any more.
 */
void pfm_overflow_rearm(struct pfm_link *link, const struct pfm_layout *layout)
{
	struct pfm_lane_state *lane = link->ctx->lanes[0];
	const struct pfm_bank *bank = &layout->banks[lane->pending_bank];
	u64 wrapped;

	wrapped = reset_all(link, bank, lane, lane->pending, true);
	lane->pending = 0;
	if (wrapped)
		skip(link, bank, lane, wrapped);
	link->last_cpu = -1;
}

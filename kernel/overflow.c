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

#include <linux/irq_work.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>

#include "block.h"
#include "context.h"
#include "lane.h"
#include "layout.h"
#include "link.h"
#include "maps.h"
#include "message.h"

/* Overflows of one register that one interrupt takes; more are skipped. */
#define ROUNDS_MAX 8

/* Overflows in a millisecond beyond which counting pauses until its end. */
#define STORM_MAX    500
#define STORM_WINDOW NSEC_PER_MSEC

/* What was counted in a link of a context that follows, less the phase. */
static u64 *base_of(struct pfm_link *link, const struct pfm_layout *layout,
		    u16 s)
{
	return &link->vals[layout->nvals + s];
}

/* A step of xorshift64*; the state is never 0. */
static u64 next_random(u64 *state)
{
	u64 x = *state ?: 0x9e3779b97f4a7c15ULL;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dULL;
}

/**
 * pfm_overflow_draw - the next reset value
 * @smpl: how the value samples
 * @phase: its phase
 * @reset: long or short reset value
 *
 * Return: the value with randomisation: the period gets longer by a number
 * drawn from the bits of random_mask.
 */
u64 pfm_overflow_draw(const struct pfm_smpl *smpl, struct pfm_phase *phase,
		      u64 reset)
{
	if (smpl->random_mask)
		reset -= next_random(&phase->random) & smpl->random_mask;
	return reset;
}

/**
 * pfm_overflow_begin - a CPU begins to count for a link
 * @link: the link
 * @layout: its layout
 *
 * In a context that follows, periods go on where the last task on this CPU left
 * them; the link keeps its own counts aside.
 */
void pfm_overflow_begin(struct pfm_link *link, const struct pfm_layout *layout)
{
	struct pfm_lane_state *lane = pfm_lane_here(link->ctx);
	u16 s;

	if (lane->storm_begin) {
		u64 pause = ktime_get_mono_fast_ns() - lane->storm_begin;

		/* After that the task did not run, or was not to count. */
		lane->throttled_ns += min_t(u64, pause, STORM_WINDOW);
		lane->storm_begin = 0;
	}
	if (!pfm_context_follows(link->ctx))
		return;
	for (s = 0; s < layout->nsmpls; s++) {
		u64 *val = &link->vals[layout->smpls[s].at];

		*base_of(link, layout, s) = *val - lane->phases[s].value;
		*val = lane->phases[s].value;
	}
	/* The counters hold another task's phase by now. */
	link->last_cpu = -1;
}

/**
 * pfm_overflow_park - a CPU is done counting for a link
 * @link: the link
 * @layout: its layout
 */
void pfm_overflow_park(struct pfm_link *link, const struct pfm_layout *layout)
{
	struct pfm_lane_state *lane = pfm_lane_here(link->ctx);
	u16 s;

	if (!pfm_context_follows(link->ctx))
		return;
	for (s = 0; s < layout->nsmpls; s++) {
		u64 *val = &link->vals[layout->smpls[s].at];

		lane->phases[s].value = *val;
		*val += *base_of(link, layout, s);
	}
}

/**
 * pfm_overflow_counts - turn phases into counts
 * @link: link that is counted for on this CPU, of a context that follows
 * @layout: its layout
 * @vals: values as they were read
 */
void pfm_overflow_counts(const struct pfm_link *link,
			 const struct pfm_layout *layout, u64 *vals)
{
	u16 s;

	if (!pfm_context_follows(link->ctx))
		return;
	for (s = 0; s < layout->nsmpls; s++)
		vals[layout->smpls[s].at] +=
			*base_of((struct pfm_link *)link, layout, s);
}

/* Which of the values that sample overflowed. */
static u64 find_wrapped(const struct pfm_link *link,
			const struct pfm_layout *layout,
			const struct pfm_lane_state *lane)
{
	u64 wrapped = 0;
	u16 s;

	for (s = 0; s < layout->nsmpls; s++) {
		u64 val = link->vals[layout->smpls[s].at];

		if (lane->phases[s].armed && (s64)val >= 0)
			wrapped |= BIT_ULL(s);
	}
	return wrapped;
}

static void set_value(struct pfm_link *link, const struct pfm_layout *layout,
		      u16 s, u64 value)
{
	u64 *val = &link->vals[layout->smpls[s].at];

	*base_of(link, layout, s) += *val - value;
	*val = value;
}

/* Reset one value; carry is what it counted since it overflowed. */
static void reset_one(struct pfm_link *link, const struct pfm_layout *layout,
		      struct pfm_lane_state *lane, u16 s, bool is_long,
		      u64 carry)
{
	const struct pfm_smpl *smpl = &layout->smpls[s];
	struct pfm_phase *phase = &lane->phases[s];
	u64 reset = is_long ? smpl->long_reset : smpl->short_reset;

	phase->last_reset = pfm_overflow_draw(smpl, phase, reset);
	phase->armed = (s64)phase->last_reset < 0;
	if (phase->written)
		carry = 0;
	phase->written = false;
	set_value(link, layout, s, phase->last_reset + carry);
}

/* Reset all values that overflowed, and those that go with them. */
static void reset_all(struct pfm_link *link, const struct pfm_layout *layout,
		      struct pfm_lane_state *lane, u64 wrapped, bool is_long)
{
	u16 i, s, other;

	for (s = 0; s < layout->nsmpls; s++) {
		const struct pfm_smpl *smpl = &layout->smpls[s];

		if (!(wrapped & BIT_ULL(s)))
			continue;
		for (i = 0; i < smpl->nreset; i++) {
			u16 at = smpl->reset[i];

			other = pfm_layout_smpl(layout, at);
			if (other == (u16)-1)
				link->vals[at] = 0;
			else if (!(wrapped & BIT_ULL(other)))
				reset_one(link, layout, lane, other, is_long,
					  0);
		}
	}
	for (s = 0; s < layout->nsmpls; s++) {
		if (wrapped & BIT_ULL(s))
			reset_one(link, layout, lane, s, is_long,
				  link->vals[layout->smpls[s].at]);
	}
}

/* Values of the registers that go into a sample. */
static void collect(struct pfm_link *link, const struct pfm_layout *layout,
		    const struct pfm_smpl *smpl, u64 *vals)
{
	const u16 task_off = layout->off[PFM_PART_TASK];
	const struct pfm_prog *prog = &layout->parts[PFM_PART_TASK];
	u64 one[1];
	u16 i;

	for (i = 0; i < smpl->nsmpl; i++) {
		u16 at = smpl->smpl[i];

		vals[i] = link->vals[at];
		if (at >= task_off && link->task_on) {
			struct pfm_prog single = *prog;

			/* These run on: have this one read as it is now. */
			single.npmds = 1;
			single.pmds = prog->pmds + (at - task_off);
			prog->pmu->ops->read(&single, &link->vals[at], one,
					     link->task);
			vals[i] = one[0];
		}
	}
}

static u64 visible_ip(const struct pfm_context *ctx, struct pt_regs *regs)
{
	if (!regs || (!user_mode(regs) && !ctx->privileged))
		return 0;
	return instruction_pointer(regs);
}

static void fill_ovfl(struct pfm_ovfl *ovfl, struct pfm_link *link,
		      struct pfm_lane_state *lane, struct pt_regs *regs)
{
	memset(ovfl, 0, sizeof(*ovfl));
	ovfl->lane = &lane->pub;
	ovfl->task = link->task;
	ovfl->regs = regs;
	ovfl->ip = visible_ip(link->ctx, regs);
	ovfl->tid = link->tid;
	ovfl->pid = link->pid;
	ovfl->tstamp = ktime_get_mono_fast_ns();
	ovfl->cpu = smp_processor_id();
	ovfl->vals = lane->vals;
	ovfl->link = link;
}

/* Without a format an overflow is for the reader, if it asked for that. */
static u32 plain_ctrl(const struct pfm_smpl *smpl)
{
	if (smpl->flags & PFM_PMDF_NOTIFY)
		return PFM_CTRL_NOTIFY | PFM_CTRL_MASK;
	return PFM_CTRL_RESET;
}

/* Have the format record one overflow after the other. */
static u32 record(struct pfm_ovfl *ovfl, struct pfm_link *link,
		  const struct pfm_layout *layout, struct pfm_lane_state *lane,
		  u64 wrapped)
{
	const struct pfm_format *fmt = link->ctx->fmt;
	u32 ctrl = 0;
	int ret;
	u16 s;

	for (s = 0; s < layout->nsmpls; s++) {
		const struct pfm_smpl *smpl = &layout->smpls[s];

		if (!(wrapped & BIT_ULL(s)))
			continue;
		lane->overflows++;
		if (!fmt) {
			ctrl |= plain_ctrl(smpl);
			continue;
		}
		ovfl->pmd = smpl->num;
		ovfl->last_reset = lane->phases[s].last_reset;
		ovfl->eventid = smpl->eventid;
		ovfl->nvals = smpl->nsmpl;
		collect(link, layout, smpl, lane->vals);
		ret = fmt->handler(ovfl);
		if (ret < 0) {
			lane->fmt_errors++;
			ctrl |= PFM_CTRL_RESET;
		} else {
			ctrl |= ret;
		}
	}
	return ctrl;
}

static bool notify_wanted(const struct pfm_layout *layout, u64 wrapped)
{
	u16 s;

	for (s = 0; s < layout->nsmpls; s++) {
		if ((wrapped & BIT_ULL(s)) &&
		    (layout->smpls[s].flags & PFM_PMDF_NOTIFY))
			return true;
	}
	return false;
}

/* Tell the reader.  Returns PFM_CTRL_MASK when it has too much to read. */
static u32 notify(struct pfm_context *ctx, const struct pfm_ovfl *ovfl,
		  const struct pfm_layout *layout, u64 wrapped)
{
	struct pfm_msg_ovfl msg = {
		.type = PFM_MSG_OVFL,
		.tid = ovfl->tid,
		.set = ovfl->set,
		.cpu = ovfl->cpu,
		.pid = ovfl->pid,
		.ip = ovfl->ip,
	};
	u32 ctrl = 0;
	u16 s;

	for (s = 0; s < layout->nsmpls; s++) {
		u16 num = layout->smpls[s].num;

		if (wrapped & BIT_ULL(s))
			msg.ovfl_pmds[num / 64] |= BIT_ULL(num % 64);
	}
	if (!(ctx->flags & PFM_CTX_NO_MSG) && !pfm_message_push(ctx, &msg))
		ctrl = PFM_CTRL_MASK;
	WRITE_ONCE(ctx->notified, true);
	if (ctx->flags & PFM_CTX_NOTIFY_BLOCK)
		pfm_block_request(ctx, ovfl->task);
	irq_work_queue(&ctx->wake);
	return ctrl;
}

/* More overflows than one interrupt can take: go on behind them. */
static void skip(struct pfm_link *link, const struct pfm_layout *layout,
		 struct pfm_lane_state *lane, u64 wrapped)
{
	u16 s;

	for (s = 0; s < layout->nsmpls; s++) {
		u64 val = link->vals[layout->smpls[s].at];
		u64 period = -lane->phases[s].last_reset;

		if (!(wrapped & BIT_ULL(s)))
			continue;
		lane->skipped += val / period + 1;
		set_value(link, layout, s, val % period - period);
	}
}

/* Whether overflows come so fast that the program gets nowhere. */
static bool storming(struct pfm_lane_state *lane, u64 now)
{
	if (now - lane->window >= STORM_WINDOW) {
		lane->window = now;
		lane->window_count = 0;
	}
	if (++lane->window_count <= STORM_MAX)
		return false;
	lane->throttled++;
	lane->storm_begin = now;
	return true;
}

/**
 * pfm_overflow_end - the counters were stopped: deal with what overflowed
 * @link: the link that they counted for; values are up to date
 * @layout: its layout
 * @regs: interrupted registers; NULL at a switch
 *
 * Return: whether they are to stay stopped: the context is masked now, or there
 * is a storm of interrupts.
 */
bool pfm_overflow_end(struct pfm_link *link, const struct pfm_layout *layout,
		      struct pt_regs *regs)
{
	struct pfm_context *ctx = link->ctx;
	struct pfm_lane_state *lane = pfm_lane_here(ctx);
	u64 wrapped = find_wrapped(link, layout, lane);
	struct pfm_ovfl ovfl;
	unsigned int round;
	u32 ctrl;

	if (!wrapped)
		return false;
	fill_ovfl(&ovfl, link, lane, regs);
	if (ctx->flags & PFM_CTX_MAPS)
		pfm_maps_request(link, lane);
	for (round = 0; wrapped && round < ROUNDS_MAX; round++) {
		lane->pending = wrapped;
		ctrl = record(&ovfl, link, layout, lane, wrapped);
		if ((ctrl & PFM_CTRL_NOTIFY) && notify_wanted(layout, wrapped))
			ctrl |= notify(ctx, &ovfl, layout, wrapped);
		/* Nobody stops all the tasks of a session at once. */
		if ((ctrl & PFM_CTRL_MASK) && !pfm_context_follows(ctx)) {
			WRITE_ONCE(ctx->masked, true);
			return true;
		}
		reset_all(link, layout, lane, wrapped, false);
		lane->pending = 0;
		wrapped = find_wrapped(link, layout, lane);
	}
	if (wrapped)
		skip(link, layout, lane, wrapped);
	/* At a switch the task pauses anyway. */
	return regs && storming(lane, ovfl.tstamp);
}

/**
 * pfm_overflow_written - a value was written that may sample
 * @link: link of a context that does not follow; the caller owns its values
 * @layout: its layout
 * @at: index of the value
 *
 * The period that began is as long as the new value says.  If a reset is due, it
 * overwrites the value.
 */
void pfm_overflow_written(struct pfm_link *link,
			  const struct pfm_layout *layout, u16 at)
{
	int s = pfm_layout_smpl(layout, at);
	struct pfm_lane_state *lane = link->ctx->lanes[0];
	struct pfm_phase *phase;

	if (s < 0)
		return;
	phase = &lane->phases[s];
	phase->last_reset = link->vals[at];
	phase->armed = (s64)link->vals[at] < 0;
	phase->written = lane->pending & BIT_ULL(s);
}

/**
 * pfm_overflow_rearm - the reader is done: reset with the long values
 * @link: link of a masked context; its lock is held
 * @layout: its layout
 */
void pfm_overflow_rearm(struct pfm_link *link, const struct pfm_layout *layout)
{
	struct pfm_lane_state *lane = link->ctx->lanes[0];
	u64 wrapped;

	reset_all(link, layout, lane, lane->pending, true);
	lane->pending = 0;
	wrapped = find_wrapped(link, layout, lane);
	if (wrapped)
		skip(link, layout, lane, wrapped);
	link->last_cpu = -1;
}

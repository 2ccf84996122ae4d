// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets taking turns: who is active, for how long, and since when.
 *
 * Whose turn it is, is kept in the lane: pfm_turn.  All of this runs where the
 * lane's overflows are handled: on the CPU that counts, interrupts off, the
 * counters stopped; or, when no CPU counts for the lane, under the lock of the
 * link or of the context.  No clock is read for a context whose sets were never
 * described.
 */
#include "rotate.h"

#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "context.h"
#include "cpu.h"
#include "lane.h"
#include "layout.h"
#include "link.h"
#include "overflow.h"

/* May be read under the runqueue lock and in an NMI, unlike ktime_get(). */
static u64 clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

/* A timeout with its jitter: the mean is the timeout. */
static u64 draw_timeout(const struct pfm_bank *bank, struct pfm_turn *turn)
{
	u64 random;

	if (!bank->jitter)
		return bank->timeout;
	/* The product's high half is a number from 0 to jitter. */
	random = mul_u64_u64_shr(bank->jitter + 1,
				 pfm_overflow_random(&turn->random), 64);
	return bank->timeout - bank->jitter / 2 + random;
}

/**
 * pfm_rotate_enter - a set becomes active
 * @lane: lane whose turn it is about
 * @layout: the layout
 * @bank: index of the set
 *
 * It is not counted as active before it is loaded.
 */
void pfm_rotate_enter(struct pfm_lane_state *lane,
		      const struct pfm_layout *layout, u32 bank)
{
	const struct pfm_bank *to = &layout->banks[bank];
	struct pfm_turn *turn = &lane->turn;
	u16 s;

	turn->bank = bank;
	turn->fresh = true;
	turn->blank = true;
	turn->due = false;
	turn->remain = draw_timeout(to, turn);
	turn->spent = 0;
	if (!lane->phases)
		return;
	for (s = 0; s < to->nsmpls; s++)
		lane->phases[to->smpl0 + s].to_switch = to->smpls[s].switch_cnt;
}

/* What a value counted, whatever it was reset to: see overflow.c. */
static u64 counted(const struct pfm_link *link, const struct pfm_bank *bank,
		   u16 i)
{
	int s = pfm_bank_smpl(bank, i);
	u64 val = link->vals[bank->at + i];

	return s < 0 ? val : val + link->vals[bank->base + s];
}

/* The slice log: one entry for each time that a set was active. */
static void log_turn(struct pfm_link *link, const struct pfm_bank *bank,
		     struct pfm_lane_state *lane)
{
	struct pfm_context *ctx = link->ctx;
	const struct pfm_turn *turn = &lane->turn;
	struct pfm_ovfl *log = &lane->log;
	int ret;

	/* Never loaded: it was passed over. */
	if (turn->fresh)
		return;
	log->task = link->task ?: current;
	log->ip = turn->begun;
	log->tid = link->tid;
	log->pid = link->pid;
	log->tstamp = turn->ended;
	log->cpu = smp_processor_id();
	log->set = bank->set;
	log->nvals = pfm_bank_nregs(bank);
	log->last_reset = turn->spent;
	log->link = link;
	ret = ctx->fmt->handler(log);
	if (likely(ret == PFM_CTRL_RESET))
		return;
	if (ret < 0)
		lane->fmt_errors++;
	else if (ret & PFM_CTRL_NOTIFY)
		/* A full log is the reader's affair, and stops nothing. */
		pfm_overflow_notify(ctx, log, bank, 0);
}

/**
 * pfm_rotate_next - the active set is left for the next one
 * @link: link that it counted for
 * @layout: the layout
 * @lane: lane whose turn it is about
 */
void pfm_rotate_next(struct pfm_link *link, const struct pfm_layout *layout,
		     struct pfm_lane_state *lane)
{
	const struct pfm_bank *bank = &layout->banks[lane->turn.bank];

	if (bank->flags & PFM_SETFL_LOG)
		log_turn(link, bank, lane);
	pfm_rotate_enter(lane, layout, bank->next);
}

/*
 * The slice log counts from these values on.  They are subtracted at once, and
 * those at the end are added: what a turn counted needs no second array, nor zeros
 * to begin with.
 */
static void mark(struct pfm_turn *turn, const struct pfm_link *link,
		 const struct pfm_bank *bank)
{
	const u64 *vals = link->vals + bank->at;
	/* All ones, or none. */
	const u64 keep = (u64)turn->blank - 1;
	const u16 n = pfm_bank_nregs(bank);
	u64 *delta = turn->delta;
	u16 i;

	turn->blank = false;
	for (i = 0; i < n; i++)
		delta[i] = (delta[i] & keep) - vals[i];
}

/* Add what was counted since mark(). */
static void sum(struct pfm_turn *turn, const struct pfm_link *link,
		const struct pfm_bank *bank)
{
	const u64 *vals = link->vals + bank->at;
	const u16 n = pfm_bank_nregs(bank);
	u64 *delta = turn->delta;
	u16 i;

	for (i = 0; i < n; i++)
		delta[i] += vals[i];
}

/* Whether values are reset meanwhile: then it is to be asked what they counted. */
static bool is_reset(const struct pfm_bank *bank)
{
	return bank->nsmpls;
}

/**
 * pfm_rotate_mark_reset - as mark(), for a set whose values are reset
 * @cpu: this CPU, about to count
 */
void pfm_rotate_mark_reset(struct pfm_cpu *cpu)
{
	struct pfm_turn *turn = &pfm_lane_here(cpu->link->ctx)->turn;
	const u64 keep = (u64)turn->blank - 1;
	u16 i;

	turn->blank = false;
	for (i = 0; i < pfm_bank_nregs(cpu->bank); i++)
		turn->delta[i] = (turn->delta[i] & keep) -
				 counted(cpu->link, cpu->bank, i);
}

/**
 * pfm_rotate_sum_reset - as sum(), for a set whose values are reset
 * @cpu: this CPU, which counts no more
 */
void pfm_rotate_sum_reset(struct pfm_cpu *cpu)
{
	struct pfm_turn *turn = &pfm_lane_here(cpu->link->ctx)->turn;
	u16 i;

	for (i = 0; i < pfm_bank_nregs(cpu->bank); i++)
		turn->delta[i] += counted(cpu->link, cpu->bank, i);
}

/**
 * pfm_rotate_load - the CPU is about to count with the active set
 * @cpu: this CPU, with link and layout
 *
 * Sets the bank and, if it has a timeout, the deadline; the caller starts the
 * timer.
 */
void pfm_rotate_load(struct pfm_cpu *cpu)
{
	struct pfm_turn *turn = &pfm_lane_here(cpu->link->ctx)->turn;
	const struct pfm_bank *bank = &cpu->layout->banks[turn->bank];

	cpu->bank = bank;
	if (unlikely(cpu->layout->sparse))
		pfm_link_use(cpu->link, turn->bank);
	cpu->since = clock_ns();
	cpu->deadline = cpu->since + turn->remain;
	if (turn->fresh) {
		turn->fresh = false;
		turn->begun = cpu->since;
		cpu->link->vals[pfm_bank_runs_at(bank)]++;
	}
	if ((bank->flags & PFM_SETFL_LOG) && likely(!is_reset(bank)))
		mark(turn, cpu->link, bank);
}

/**
 * pfm_rotate_stop - the counters of the active set were stopped
 * @cpu: this CPU
 *
 * The time that the switch to another set takes is enabled time in which no set
 * is active.
 */
void pfm_rotate_stop(struct pfm_cpu *cpu)
{
	struct pfm_turn *turn = &pfm_lane_here(cpu->link->ctx)->turn;
	const struct pfm_bank *bank = cpu->bank;
	u64 *vals = cpu->link->vals;
	u64 now = clock_ns();
	u64 spent = now - cpu->since;

	turn->spent += spent;
	turn->ended = now;
	vals[pfm_bank_active_at(bank)] += spent;
	vals[pfm_layout_enabled_at(cpu->layout)] += now - cpu->loaded;
	cpu->loaded = now;
	turn->remain = cpu->deadline > now ? cpu->deadline - now : 0;
	if ((bank->flags & PFM_SETFL_LOG) && likely(!is_reset(bank)))
		sum(turn, cpu->link, bank);
}

/**
 * pfm_rotate_times - bring times up to date while the CPU counts
 * @cpu: this CPU
 * @vals: values of its link that were read
 * @active: those of the active set are among them
 * @enabled: those of the first set are
 */
void pfm_rotate_times(const struct pfm_cpu *cpu, u64 *vals, bool active,
		      bool enabled)
{
	u64 now = clock_ns();

	if (active)
		vals[pfm_bank_active_at(cpu->bank)] += now - cpu->since;
	if (enabled)
		vals[pfm_layout_enabled_at(cpu->layout)] += now - cpu->loaded;
}

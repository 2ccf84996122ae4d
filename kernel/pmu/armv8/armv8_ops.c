// SPDX-License-Identifier: GPL-2.0-only
/*
 * Armv8 PMUv3: moving values between counters and memory.
 *
 * Values in memory have 64 bits, but an event counter has 32 unless PMCR_EL0.LP makes
 * it wrap at 2^64.  Memory keeps the upper bits.  The hardware keeps a wrap that memory
 * does not include yet: the counter's bit in PMOVSCLR_EL0.  All functions here follow
 * one rule: the bit is cleared when, and only when, the wrap has been added to the
 * value in memory or the counter gets a new value.  This works as long as a wrap is
 * noticed within the next 2^31 events, which the interrupt ensures.
 *
 * After armv8_restore() a counter holds the low bits of its value.  After armv8_pass()
 * it goes on from what it has counted for another target, and the value is the sum of
 * memory and counter.  pfm_run.keep tells which of the two is the case: it is a mask of the
 * bits in memory to which the counter is added, in addition to those above the counter's.
 * It is 0 when the counter holds the low bits, and U64_MAX after a pass, when all bits in
 * memory count.
 *
 * All functions run on the CPU concerned, with interrupts off.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include <asm/virt.h>
#include <perfmon/pmu.h>
#include <vdso/time64.h>

#include "armv8.h"
#include "armv8_one.h"
#include "armv8_takeover.h"

/* Counters as armv8_pass() reads them, in the order of the values; used by that only. */
static DEFINE_PER_CPU(u64[ARMV8_EVENTS_MAX], armv8_lows);

/*
 * Do ONE(n) for each event counter in "events".  The number of a counter is part of the
 * register's name and hence of the instruction, so a loop would need a jump table.
 * This is the loop written out.  Counters are handed out from 0 on, so it mostly ends
 * early.  Where it does not, the first four are all in use: FOUR handles those without
 * checking each, and moves values in pairs.
 */
#define ALL_FOUR	0xfU
#define ONE_BY_ONE							\
	do {								\
		if (likely((events & ALL_FOUR) == ALL_FOUR)) {		\
			FOUR;						\
		} else {						\
			ONE(0); ONE(1); ONE(2); ONE(3);			\
		}							\
		if (!(events >> 4))					\
			break;						\
		ONE(4); ONE(5); ONE(6); ONE(7);				\
		if (!(events >> 8))					\
			break;						\
		ONE(8); ONE(9); ONE(10); ONE(11);			\
		ONE(12); ONE(13); ONE(14); ONE(15);			\
		if (!(events >> 16))					\
			break;						\
		ONE(16); ONE(17); ONE(18); ONE(19);			\
		ONE(20); ONE(21); ONE(22); ONE(23);			\
		ONE(24); ONE(25); ONE(26); ONE(27);			\
		ONE(28); ONE(29); ONE(30);				\
	} while (0)

static u32 events_of(u32 counters)
{
	return counters & ~BIT(ARMV8_CYCLES);
}

/**
 * armv8_prepare - compute what the other operations need
 * @prog: the program
 *
 * User space clears P to count the kernel, and need not know at which exception level
 * the kernel runs.  If that is EL2 (VHE), NSH is set in such registers as well.  P is
 * bit 31 and NSH bit 27, hence the shift.
 *
 * Return: 0; -EINVAL when a counter would run with an event left by another program.
 */
static int armv8_prepare(struct pfm_prog *prog)
{
	const u64 nsh = is_kernel_in_hyp_mode() ? ARMV8_TYPE_NSH : 0;
	u32 pmcs = 0, pmds = 0;
	u16 i;

	static_assert(ARMV8_TYPE_P >> 4 == ARMV8_TYPE_NSH);
	for (i = 0; i < prog->npmcs; i++) {
		pmcs |= BIT(prog->pmcs[i].num);
		prog->pmcs[i].value |= ~prog->pmcs[i].value >> 4 & nsh;
	}
	for (i = 0; i < prog->npmds; i++)
		pmds |= BIT(prog->pmds[i]);
	if (pmds & ~pmcs)
		return -EINVAL;

	prog->priv[PRIV_PMDS] = pmds;
	prog->priv[PRIV_PMCS] = pmcs;
	prog->priv[PRIV_MASK] = armv8_event_mask;
	return 0;
}

static void write_types(const struct pfm_prog *prog)
{
	const u32 pmcs = prog->priv[PRIV_PMCS], events = events_of(pmcs);
	const struct pfm_prog_reg *pmc = prog->pmcs;

#define ONE(n)								\
	do {								\
		if (events & BIT(n))					\
			write_sysreg((pmc++)->value, pmevtyper##n##_el0);\
	} while (0)
#define FOUR								\
	do {								\
		write_sysreg(pmc[0].value, pmevtyper0_el0);		\
		write_sysreg(pmc[1].value, pmevtyper1_el0);		\
		write_sysreg(pmc[2].value, pmevtyper2_el0);		\
		write_sysreg(pmc[3].value, pmevtyper3_el0);		\
		pmc += 4;						\
	} while (0)
	ONE_BY_ONE;
#undef FOUR
#undef ONE
	if (pmcs & BIT(ARMV8_CYCLES))
		write_sysreg(pmc->value, pmccfiltr_el0);
}

static void write_counters(const struct pfm_prog *prog, const u64 *vals)
{
	const u32 pmds = prog->priv[PRIV_PMDS], events = events_of(pmds);
	const u64 mask = prog->priv[PRIV_MASK];

#define ONE(n)								\
	do {								\
		if (events & BIT(n))					\
			write_sysreg(*vals++ & mask, pmevcntr##n##_el0);\
	} while (0)
#define FOUR								\
	do {								\
		write_sysreg(vals[0] & mask, pmevcntr0_el0);		\
		write_sysreg(vals[1] & mask, pmevcntr1_el0);		\
		write_sysreg(vals[2] & mask, pmevcntr2_el0);		\
		write_sysreg(vals[3] & mask, pmevcntr3_el0);		\
		vals += 4;						\
	} while (0)
	ONE_BY_ONE;
#undef FOUR
#undef ONE
	if (pmds & BIT(ARMV8_CYCLES))
		write_sysreg(*vals, pmccntr_el0);
}

/* The bits of event counter n. */
#define COUNTER(n) (read_sysreg(pmevcntr##n##_el0) & mask)

/* Read two neighbouring counters.  All loads come first, because @to may be @from. */
static __always_inline void read_two(const u64 *from, u64 *to, u64 keep,
				     u64 low0, u64 low1)
{
	const u64 from0 = from[0], from1 = from[1];

	to[0] = (from0 & keep) + low0;
	to[1] = (from1 & keep) + low1;
}

/*
 * Read the values: add the counters to what memory has.  Wraps that are still in
 * PMOVSCLR_EL0 are not included.
 */
static __always_inline void read_counters(const struct pfm_prog *prog,
					  const u64 *from, u64 *to,
					  const struct pfm_run *run)
{
	const u32 pmds = prog->priv[PRIV_PMDS], events = events_of(pmds);
	const u64 mask = prog->priv[PRIV_MASK];
	const u64 all = run->keep, keep = all | ~mask;

#define ONE(n)								\
	do {								\
		if (events & BIT(n)) {					\
			u64 low = read_sysreg(pmevcntr##n##_el0) & mask;\
									\
			*to = (*from & keep) + low;			\
			from++;						\
			to++;						\
		}							\
	} while (0)
#define FOUR								\
	do {								\
		read_two(from, to, keep, COUNTER(0), COUNTER(1));	\
		read_two(from + 2, to + 2, keep, COUNTER(2), COUNTER(3));\
		from += 4;						\
		to += 4;						\
	} while (0)
	ONE_BY_ONE;
#undef FOUR
#undef ONE
	if (pmds & BIT(ARMV8_CYCLES))
		*to = (*from & all) + read_sysreg(pmccntr_el0);
}

/* Add the wraps in a bitmap as in PMOVSCLR_EL0; for a 64-bit counter that adds 0. O1 */
static void add_wraps(const struct pfm_prog *prog, u32 wraps, u64 *vals)
{
	const u32 pmds = prog->priv[PRIV_PMDS];

	for (; wraps; wraps &= wraps - 1) {
		unsigned int n = __ffs(wraps);
		u64 mask = n == ARMV8_CYCLES ? U64_MAX : prog->priv[PRIV_MASK];

		vals[hweight32(pmds & (BIT(n) - 1))] += mask + 1;
	}
}

static u32 wraps_of(const struct pfm_prog *prog)
{
	return read_sysreg(pmovsclr_el0) & prog->priv[PRIV_PMDS];
}

/**
 * armv8_restore - write the counters and let them run
 * @prog: the program
 * @vals: values
 * @run: place of the program
 * @loaded: the type registers hold the program already
 *
 * The counters concerned do not run, because armv8_save() stopped them.
 */
static void armv8_restore(const struct pfm_prog *prog, u64 *vals,
			  struct pfm_run *run, bool loaded)
{
	const u64 pmds = prog->priv[PRIV_PMDS];

	if (!loaded) {
		/*
		 * None of the program's counters runs after a save or a reset.  If one
		 * did, it must not count with another event.  The other counters may
		 * run, for another slot, and nobody's go on unnoticed otherwise.  PMINTENSET_EL1
		 * may keep bits of earlier programs: a counter that does not run does not wrap.
		 * J3
		 */
		write_sysreg(run->beside ? prog->priv[PRIV_PMCS]
					 : (u64)armv8_counters,
			     pmcntenclr_el0);
		isb();
		write_types(prog);
		/* O2 */
		write_sysreg(pmds, pmintenset_el1);
	}
	write_counters(prog, vals);
	run->keep = 0;
	write_sysreg(pmds, pmovsclr_el0);
	/*
	 * Writes to different registers need not take effect in order, but a counter
	 * must not run before it has its event and value.
	 */
	isb();
	write_sysreg(pmds, pmcntenset_el0);
	isb();
}

/**
 * armv8_resume - let the counters run on after armv8_save()
 * @prog: the program that armv8_save() stopped
 * @run: place of the program; not used
 */
static void armv8_resume(const struct pfm_prog *prog, struct pfm_run *run)
{
	write_sysreg(prog->priv[PRIV_PMDS], pmcntenset_el0);
	isb();
}

/**
 * armv8_save - stop the counters and update the values
 * @prog: the program
 * @vals: values
 * @run: place of the program
 *
 * Leaves no wrap in PMOVSCLR_EL0, so a pending interrupt goes away: it does not concern
 * the task that runs next on this CPU.
 */
static void armv8_save(const struct pfm_prog *prog, u64 *vals,
		       struct pfm_run *run)
{
	u64 wraps;

	write_sysreg(prog->priv[PRIV_PMDS], pmcntenclr_el0);
	/* Counters and flags stand still from here. */
	isb();
	read_counters(prog, vals, vals, run);
	wraps = wraps_of(prog);
	if (unlikely(wraps)) {
		add_wraps(prog, wraps, vals);
		write_sysreg(wraps, pmovsclr_el0);
	}
}

/**
 * armv8_read - read the values while the counters run
 * @prog: the program
 * @vals: values as of the last restore, save or fold
 * @copy: out: values as of now
 * @run: place of the program
 *
 * A wrap may come between the read of a counter and the read of the flags.  Then it is
 * not known whether the counter includes it, so everything is read again.
 */
static void armv8_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
		       struct pfm_run *run)
{
	u32 wraps, before;

	read_counters(prog, vals, copy, run);
	isb();
	wraps = wraps_of(prog);
	/*
	 * No wrap was pending when the flags were read, hence none at the earlier
	 * counter reads.
	 */
	if (likely(!wraps))
		return;
	do {
		before = wraps;
		isb();
		read_counters(prog, vals, copy, run);
		isb();
		wraps = wraps_of(prog);
	} while (unlikely(wraps != before));
	add_wraps(prog, wraps, copy);
}

/**
 * armv8_fold - add the wraps so far to the values while the counters run
 * @prog: the program
 * @vals: values
 */
static void armv8_fold(const struct pfm_prog *prog, u64 *vals)
{
	u64 wraps = wraps_of(prog);

	add_wraps(prog, wraps, vals);
	write_sysreg(wraps, pmovsclr_el0);
}

/*
 * Handle counters that wrapped before armv8_pass() read them, or since.  If a counter
 * had a small value when it was read, its wrap came before, because no wrap stays
 * unnoticed for half of the counter's range. P2
 */
static noinline void pass_wraps(const struct pfm_prog *prog, u32 wraps,
				u64 *from, const u64 *lows)
{
	const u32 pmds = prog->priv[PRIV_PMDS];
	const u64 mask = prog->priv[PRIV_MASK];
	u64 before = 0;

	/* The cycle counter is left out: it has 64 bits and does not wrap. */
	for (wraps = events_of(wraps); wraps; wraps &= wraps - 1) {
		unsigned int n = __ffs(wraps), i = hweight32(pmds & (BIT(n) - 1));

		if (lows[i] > mask / 2)
			continue;
		from[i] += mask + 1;
		before |= BIT(n);
	}
	write_sysreg(before, pmovsclr_el0);
}

/* Pass on two neighbouring counters. */
static __always_inline void pass_two(u64 *from, u64 *to, u64 *lows, u64 keep,
				     u64 low0, u64 low1)
{
	const u64 from0 = from[0], from1 = from[1];
	const u64 to0 = to[0], to1 = to[1];

	from[0] = (from0 & keep) + low0;
	from[1] = (from1 & keep) + low1;
	to[0] = to0 - low0;
	to[1] = to1 - low1;
	lows[0] = low0;
	lows[1] = low1;
}

/* @all is pfm_run.keep, and a constant: after a pass no bits are masked out. */
static __always_inline void pass_counters(const struct pfm_prog *prog,
					  u64 *from, u64 *to, u64 *lows, u64 all)
{
	const u32 pmds = prog->priv[PRIV_PMDS], events = events_of(pmds);
	const u64 mask = prog->priv[PRIV_MASK], keep = all | ~mask;

#define ONE(n)								\
	do {								\
		if (events & BIT(n)) {					\
			u64 low = read_sysreg(pmevcntr##n##_el0) & mask;\
									\
			*from = (*from & keep) + low;			\
			*to -= low;					\
			*lows = low;					\
			from++;						\
			to++;						\
			lows++;						\
		}							\
	} while (0)
#define FOUR								\
	do {								\
		pass_two(from, to, lows, keep, COUNTER(0), COUNTER(1));	\
		pass_two(from + 2, to + 2, lows + 2, keep, COUNTER(2),	\
			 COUNTER(3));					\
		from += 4;						\
		to += 4;						\
		lows += 4;						\
	} while (0)
	ONE_BY_ONE;
#undef FOUR
#undef ONE
	if (pmds & BIT(ARMV8_CYCLES)) {
		u64 low = read_sysreg(pmccntr_el0);

		*from = (*from & all) + low;
		*to -= low;
	}
}

/**
 * armv8_pass - let the running counters count for another target
 * @prog: the program, which both targets use
 * @from: values of the target so far; updated
 * @to: values of the other target
 * @run: place of the program
 *
 * Each counter is read once.  What was read is added to @from and subtracted from @to.
 * So no count is lost or counted twice, and no counter stops.  A wrap before that read
 * belongs to @from, a later one to @to.
 */
static void armv8_pass(const struct pfm_prog *prog, u64 *from, u64 *to,
		       struct pfm_run *run)
{
	u64 *lows = *this_cpu_ptr(&armv8_lows);
	u32 wraps;

	if (likely(run->keep == U64_MAX)) {
		pass_counters(prog, from, to, lows, U64_MAX);
	} else {
		pass_counters(prog, from, to, lows, 0);
		run->keep = U64_MAX;
	}
	isb();
	wraps = wraps_of(prog);
	if (unlikely(wraps))
		pass_wraps(prog, wraps, from, lows);
}

/**
 * armv8_take - stop the counters and update the values of those that wrapped
 * @prog: the program
 * @vals: values
 * @run: place of the program; not used
 *
 * Return: bitmap of the values that were updated.
 */
static u64 armv8_take(const struct pfm_prog *prog, u64 *vals,
		      struct pfm_run *run)
{
	u64 wraps, taken = 0;
	u16 i;

	write_sysreg(prog->priv[PRIV_PMDS], pmcntenclr_el0);
	/* Counters and flags stand still from here. */
	isb();
	wraps = wraps_of(prog);
	for (i = 0; i < prog->npmds; i++) {
		unsigned int n = prog->pmds[i];
		u64 mask = n == ARMV8_CYCLES ? U64_MAX : prog->priv[PRIV_MASK];

		if (!(wraps & BIT(n)))
			continue;
		vals[i] = (vals[i] & ~mask) + mask + 1 + (armv8_read_one(n) & mask);
		taken |= BIT(i);
	}
	write_sysreg(wraps, pmovsclr_el0);
	return taken;
}

/**
 * armv8_put - write the counters that armv8_take() took, and let all run
 * @prog: the program
 * @vals: values
 * @taken: bitmap that armv8_take() returned
 * @run: place of the program; not used
 *
 * No flag has to be cleared: armv8_take() cleared them, and no counter has run since.
 */
static void armv8_put(const struct pfm_prog *prog, const u64 *vals, u64 taken,
		      struct pfm_run *run)
{
	for (; taken; taken &= taken - 1) {
		unsigned int i = __ffs(taken);

		armv8_write_one(prog->pmds[i], vals[i]);
	}
	/* The values must be there before the counters run: see armv8_restore(). */
	isb();
	write_sysreg(prog->priv[PRIV_PMDS], pmcntenset_el0);
	isb();
}

/*
 * Not while the PMU is shared, because then perf may write to PMUSERENR_EL0 at any
 * time.
 */
static bool armv8_user_possible(void)
{
	return !armv8_shared;
}

/**
 * armv8_user_allow - let EL0 read counters
 * @prog: the program that uses counters, or NULL
 * @clear: the other counters may hold counts
 *
 * A counter that is zeroed stays zero because it does not run.  PMUSERENR_EL0 takes
 * effect on the return to EL0, so no barrier is needed.
 */
static void armv8_user_allow(const struct pfm_prog *prog, bool clear)
{
	const u32 used = prog ? prog->priv[PRIV_PMDS] : 0;
	const u32 rest = armv8_counters & ~used, events = events_of(rest);

	if (clear) {
#define ONE(n)								\
	do {								\
		if (events & BIT(n))					\
			write_sysreg(0, pmevcntr##n##_el0);		\
	} while (0)
#define FOUR do { ONE(0); ONE(1); ONE(2); ONE(3); } while (0)
		ONE_BY_ONE;
#undef FOUR
#undef ONE
		if (rest & BIT(ARMV8_CYCLES))
			write_sysreg(0, pmccntr_el0);
	}
	write_sysreg(ARMV8_USER_CR | ARMV8_USER_ER, pmuserenr_el0);
}

static void armv8_user_deny(void)
{
	write_sysreg(0, pmuserenr_el0);
}

/*
 * Nanoseconds in which a counter can count through no more than half of its 32 bits, as
 * no counter counts 64 events in a nanosecond.  The other half of the range covers the
 * time between user mode's reads of the clock and of the counter. W3
 */
#define USER_NS (BIT_ULL(31) / 64)

static u64 armv8_user_until(const struct pfm_prog *prog)
{
	if (prog->priv[PRIV_MASK] == U64_MAX ||
	    !events_of(prog->priv[PRIV_PMDS]))
		return U64_MAX;
	return read_sysreg(cntvct_el0) +
	       USER_NS * read_sysreg(cntfrq_el0) / NSEC_PER_SEC;
}

const struct pfm_pmu_ops armv8_ops = {
	.prepare = armv8_prepare,
	.restore = armv8_restore,
	.save = armv8_save,
	.resume = armv8_resume,
	.pass = armv8_pass,
	.read = armv8_read,
	.fold = armv8_fold,
	.take = armv8_take,
	.put = armv8_put,
	.acquire = armv8_takeover_acquire,
	.release = armv8_takeover_release,
	.settle = armv8_takeover_settle,
	.user_possible = armv8_user_possible,
	.user_allow = armv8_user_allow,
	.user_deny = armv8_user_deny,
	.user_until = armv8_user_until,
};

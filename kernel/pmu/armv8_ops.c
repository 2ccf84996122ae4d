// SPDX-License-Identifier: GPL-2.0-only
/*
 * Armv8 PMUv3: moving values between counters and memory.
 *
 * An event counter is 32 bits wide unless PMCR_EL0.LP makes it wrap at 2^64,
 * but values in memory have 64 bits.  The bits above the counter's are kept in
 * memory, and a wrap that they do not include yet is kept by the hardware: it
 * is the counter's bit in PMOVSCLR_EL0.  Everything here holds to that: the bit
 * is cleared when, and only when, the wrap has been added to the value in
 * memory, or when the counter gets a new value.  It works as long as nobody
 * needs 2^31 events to notice a wrap; the interrupt sees to that.
 *
 * After armv8_restore() a counter holds the low bits of its value.  After
 * armv8_pass() it goes on from where it was for somebody else, and the value is
 * the sum of memory and counter; armv8_state.keep tells which of the two it is.
 *
 * All of it runs on the CPU whose counters are meant, with interrupts off.
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

/**
 * struct armv8_state - what a CPU's counters hold
 * @keep: bits of a value in memory that count while its register runs: 0 stands
 *	for none of those that the counter has, U64_MAX is all
 * @lows: what armv8_pass() read
 */
struct armv8_state {
	u64 keep;
	u64 lows[ARMV8_EVENTS_MAX];
};

static DEFINE_PER_CPU(struct armv8_state, armv8_states);

/*
 * ONE(n) for each event counter that "events" may name.  The number of a
 * counter is part of the name of its register and thus of the instruction, so
 * that a loop would have to jump through a table for each.  This is the loop
 * written out; counters are handed out from 0, so it mostly ends early, and where
 * it does not the first four are all in use: FOUR does those without a look at
 * each, and moves values by twos.
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
 * armv8_prepare - work out what the other operations need
 * @prog: the program
 *
 * User space clears P to count the kernel and need not know at which exception
 * level that runs: where it is EL2 (VHE), such a register gets NSH as well.  P is
 * bit 31 and NSH bit 27, hence the shift.
 *
 * Return: 0; -EINVAL when a counter would run with an event left by another
 * program.
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

/* An event counter's bits. */
#define COUNTER(n) (read_sysreg(pmevcntr##n##_el0) & mask)

/* Two that lie side by side.  All loads come first: @to may be @from. */
static __always_inline void read_two(const u64 *from, u64 *to, u64 keep,
				     u64 low0, u64 low1)
{
	const u64 from0 = from[0], from1 = from[1];

	to[0] = (from0 & keep) + low0;
	to[1] = (from1 & keep) + low1;
}

/*
 * Add the counters to what memory has.  Right but for the wraps that
 * PMOVSCLR_EL0 knows of.
 */
static __always_inline void read_counters(const struct pfm_prog *prog,
					  const u64 *from, u64 *to)
{
	const u32 pmds = prog->priv[PRIV_PMDS], events = events_of(pmds);
	const u64 mask = prog->priv[PRIV_MASK];
	const u64 all = __this_cpu_read(armv8_states.keep), keep = all | ~mask;

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

/* Add wraps, as PMOVSCLR_EL0 tells of them; of a 64-bit counter that adds 0. */
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
 * @task: not used
 * @loaded: the type registers hold the program
 *
 * The counters concerned do not run: save stopped them.
 */
static void armv8_restore(const struct pfm_prog *prog, u64 *vals,
			  struct task_struct *task, bool loaded)
{
	const u64 pmds = prog->priv[PRIV_PMDS];

	if (!loaded) {
		/*
		 * Nothing runs after a save or a reset; should anything, it
		 * must not go on unseen beside the new program.  PMINTENSET_EL1
		 * keeps bits of earlier programs: what does not run does not
		 * wrap.
		 */
		write_sysreg((u64)armv8_counters, pmcntenclr_el0);
		isb();
		write_types(prog);
		write_sysreg(pmds, pmintenset_el1);
	}
	write_counters(prog, vals);
	__this_cpu_write(armv8_states.keep, 0);
	write_sysreg(pmds, pmovsclr_el0);
	/*
	 * Writes to different registers need not take effect in order.  The
	 * counters must not run before they have their event and value.
	 */
	isb();
	write_sysreg(pmds, pmcntenset_el0);
	isb();
}

/**
 * armv8_resume - let the counters run on
 * @prog: the program that save stopped
 */
static void armv8_resume(const struct pfm_prog *prog)
{
	write_sysreg(prog->priv[PRIV_PMDS], pmcntenset_el0);
	isb();
}

/**
 * armv8_save - stop the counters and bring the values up to date
 * @prog: the program
 * @vals: values
 * @task: not used
 *
 * No wrap is left behind in PMOVSCLR_EL0, so that an interrupt that is pending
 * goes away: whoever runs next on this CPU has nothing to do with it.
 */
static void armv8_save(const struct pfm_prog *prog, u64 *vals,
		       struct task_struct *task)
{
	u64 wraps;

	write_sysreg(prog->priv[PRIV_PMDS], pmcntenclr_el0);
	/* Counters and flags stand still from here. */
	isb();
	read_counters(prog, vals, vals);
	wraps = wraps_of(prog);
	if (unlikely(wraps)) {
		add_wraps(prog, wraps, vals);
		write_sysreg(wraps, pmovsclr_el0);
	}
}

/**
 * armv8_read - values as they are now, the counters running
 * @prog: the program
 * @vals: values at the last restore, save or fold
 * @copy: where the new ones go
 * @task: not used
 *
 * A wrap may come between reading a counter and reading the flags: then it is
 * not known whether the counter includes it, and all are read again.
 */
static void armv8_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
		       struct task_struct *task)
{
	u32 wraps, before;

	read_counters(prog, vals, copy);
	isb();
	wraps = wraps_of(prog);
	/* None before the flags were read, so none before the counters were. */
	if (likely(!wraps))
		return;
	do {
		before = wraps;
		isb();
		read_counters(prog, vals, copy);
		isb();
		wraps = wraps_of(prog);
	} while (unlikely(wraps != before));
	add_wraps(prog, wraps, copy);
}

/**
 * armv8_fold - have the values include the wraps so far, the counters running
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
 * Counters wrapped before armv8_pass() read them, or since.  One that was read
 * soon after its wrap had that behind it: nobody leaves a wrap for half a range.
 */
static noinline void pass_wraps(const struct pfm_prog *prog, u32 wraps,
				u64 *from, const u64 *lows)
{
	const u32 pmds = prog->priv[PRIV_PMDS];
	const u64 mask = prog->priv[PRIV_MASK];
	u64 before = 0;

	/* 64 bits do not wrap. */
	for (wraps = events_of(wraps); wraps; wraps &= wraps - 1) {
		unsigned int n = __ffs(wraps), i = hweight32(pmds & (BIT(n) - 1));

		if (lows[i] > mask / 2)
			continue;
		from[i] += mask + 1;
		before |= BIT(n);
	}
	write_sysreg(before, pmovsclr_el0);
}

/* As read_two(), of armv8_pass(). */
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

/* @all is armv8_state.keep, and constant: after a pass nothing is masked out. */
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
 * armv8_pass - the counters count for somebody else from now on
 * @prog: the program, which goes on
 * @from: values so far, which are brought up to date
 * @to: values from now on
 *
 * Each counter is read once, and what it has then is added here and owed there:
 * no count is lost or taken twice, and no counter stops.  A wrap belongs to the
 * side of that read on which it happened.
 */
static void armv8_pass(const struct pfm_prog *prog, u64 *from, u64 *to)
{
	struct armv8_state *state = this_cpu_ptr(&armv8_states);
	u32 wraps;

	if (likely(state->keep == U64_MAX)) {
		pass_counters(prog, from, to, state->lows, U64_MAX);
	} else {
		pass_counters(prog, from, to, state->lows, 0);
		state->keep = U64_MAX;
	}
	isb();
	wraps = wraps_of(prog);
	if (unlikely(wraps))
		pass_wraps(prog, wraps, from, state->lows);
}

/**
 * armv8_take - stop the counters and bring those up to date that wrapped
 * @prog: the program
 * @vals: values
 *
 * Return: which of them.
 */
static u64 armv8_take(const struct pfm_prog *prog, u64 *vals)
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
 * armv8_put - go on after armv8_take()
 * @prog: the program
 * @vals: values
 * @taken: those to write
 *
 * No flag is set: armv8_take() cleared them, and nothing ran since.
 */
static void armv8_put(const struct pfm_prog *prog, const u64 *vals, u64 taken)
{
	for (; taken; taken &= taken - 1) {
		unsigned int i = __ffs(taken);

		armv8_write_one(prog->pmds[i], vals[i]);
	}
	/* Values before they run: see armv8_restore(). */
	isb();
	write_sysreg(prog->priv[PRIV_PMDS], pmcntenset_el0);
	isb();
}

/* While it is shared, perf writes to PMUSERENR_EL0 as it likes. */
static bool armv8_user_possible(void)
{
	return !armv8_shared;
}

/**
 * armv8_user_allow - let EL0 read counters
 * @prog: the program that uses counters, or NULL
 * @clear: the other counters may hold something
 *
 * What stops does not count: a counter that is zeroed stays zero.  PMUSERENR_EL0
 * takes effect on the way to EL0.
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
 * No counter counts 64 events a nanosecond, and so none gets around half of its
 * 32 bits before that.  The other half is for the way from a look at the clock
 * to one at the counter.
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

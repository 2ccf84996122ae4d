// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: moving values between counters and memory.
 *
 * A counter of w bits is used as one of w - 1 bits and a flag.  It is written with the
 * low bits of the value and with its highest bit set, and the highest bit is clear once
 * it has wrapped.  So a counter tells by itself of a wrap that memory does not include
 * yet.  All functions here follow one rule: whoever adds a wrap to memory also writes the
 * counter, which sets its highest bit again.  Nobody else writes a running counter.
 *
 * After x86_restore() a counter holds the low bits of its value, less x86_cpu.behind.  After
 * x86_pass() it goes on from what it has counted for another target, and the value is the sum
 * of memory and counter.  pfm_run.keep tells which of the two is the case: it is a mask of
 * further bits of a value that are in memory, none after restore and all after pass.
 *
 * All functions run on the CPU concerned, in a critical section.  An NMI may interrupt
 * them at any instruction.  Why that does no harm: "Overflow as an NMI" in
 * Documentation/change/locking/pmu-x86.rst.
 */
#include "x86_ops.h"

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <asm/msr-index.h>
#include <asm/processor-flags.h>
#include <perfmon/critical.h>
#include <perfmon/pmu.h>

#include "x86_beside.h"
#include "x86_lbr.h"
#include "x86_metrics.h"
#include "x86_msr.h"
#include "x86_sels.h"
#include "x86_state.h"

/* Upper bits of a counter pair before it wraps: those in the second counter. */
#define MERGE_UPPER 0xffff

static_assert(X86_PRIV_CAREFUL < PFM_PROG_PRIV);

/* Number of PMDs that are counters.  They come first. */
static __always_inline unsigned int counters_of(const struct pfm_prog *prog)
{
	return prog->priv[X86_PRIV_COUNTERS];
}

static __always_inline bool has_metrics(const struct pfm_prog *prog)
{
	return unlikely(prog->priv[X86_PRIV_MORE] & X86_MORE_METRICS);
}

static __always_inline bool has_lbr(const struct pfm_prog *prog)
{
	return unlikely(prog->priv[X86_PRIV_MORE] & X86_MORE_LBR);
}

/* Prepare what few programs have; the counters stand still. */
static noinline void restore_more(const struct pfm_prog *prog,
				  struct x86_cpu *cpu,
				  const struct pfm_run *run)
{
	if (has_metrics(prog))
		x86_metrics_restore(cpu);
	if (has_lbr(prog))
		x86_lbr_start(prog, cpu, run->again);
}

/* Stop what few programs have, and update the values after those of the counters. */
static noinline void save_more(const struct pfm_prog *prog, struct x86_cpu *cpu,
			       u64 *vals)
{
	if (has_lbr(prog))
		x86_lbr_stop(cpu);
	if (has_metrics(prog))
		x86_metrics_save(prog, cpu, vals);
}

/*
 * True if the short functions may move the program's values: it has no PMD of PERF_METRICS and no
 * branch records, none of its counters is behind, and there is a global control.  One word tells
 * all of that.
 */
static __always_inline bool is_plain(const struct pfm_prog *prog,
				     const struct x86_cpu *cpu)
{
	return likely(!(cpu->careful & prog->priv[X86_PRIV_CAREFUL]));
}

/* None of the program's counters is behind any more: all are about to be written, or have been. */
static void catch_up(const struct pfm_prog *prog, struct x86_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < counters_of(prog); i++)
		cpu->behind[prog->pmds[i]] = 0;
	if (x86.global_ctrl)
		cpu->careful = (cpu->careful & ~prog->priv[X86_PRIV_PMDS]) |
			       X86_METRICS_BIT;
}

/*
 * Write counter n, which is not behind.  It must not be written with less to its wrap than
 * X86_PRIV_FIRST allows.  Then it gets that, and x86_cpu.behind has the rest, which is added
 * whenever the counter is read.
 */
static __always_inline void write_raw(const struct pfm_prog *prog,
				      struct x86_cpu *cpu, unsigned int n,
				      u64 value)
{
	const struct x86_counter *c = &x86.counter[n];
	const u64 first = prog->priv[X86_PRIV_FIRST];
	u64 raw = value | c->upper;

	/* As a signed number raw is what is left to the wrap, negative. */
	if (unlikely(raw > first)) {
		cpu->behind[n] = raw - first;
		cpu->careful |= BIT_ULL(n);
		raw = first;
	}
	x86_wrmsr(c->msr, raw & c->mask);
}

static __always_inline void write_counter(const struct pfm_prog *prog,
					  struct x86_cpu *cpu, unsigned int n,
					  u64 value)
{
	cpu->behind[n] = 0;
	write_raw(prog, cpu, n, value);
	if (unlikely(prog->priv[X86_PRIV_MERGE] & BIT_ULL(n)))
		x86_wrmsr(x86.counter[n + 1].msr, MERGE_UPPER);
}

/* Write the counters that hold the upper bits of others.  All of the program stand still. */
static noinline void write_uppers(const struct pfm_prog *prog)
{
	u64 left;

	for (left = prog->priv[X86_PRIV_MERGE]; left; left &= left - 1)
		x86_wrmsr(x86.counter[__ffs64(left) + 1].msr, MERGE_UPPER);
}

/* Write all counters of the program, none of which is behind. */
static __always_inline void write_all(const struct pfm_prog *prog,
				      struct x86_cpu *cpu, const u64 *vals)
{
	const u16 *pmd = prog->pmds, *end = pmd + counters_of(prog);

	for (; pmd < end; pmd++)
		write_raw(prog, cpu, *pmd, *vals++);
	if (unlikely(prog->priv[X86_PRIV_MERGE]))
		write_uppers(prog);
}

/* What counter n adds to the value when it reads raw. */
static __always_inline u64 low_of(const struct x86_cpu *cpu, unsigned int n,
				  u64 raw)
{
	return x86_low(&x86.counter[n], raw) + cpu->behind[n];
}

/* The value of counter n that reads raw. N3 */
static __always_inline u64 value_of(const struct x86_cpu *cpu, unsigned int n,
				    u64 val, u64 keep, u64 raw)
{
	return (val & (x86.counter[n].upper | keep)) + low_of(cpu, n, raw);
}

static __always_inline bool wrapped(const struct x86_counter *c, u64 raw)
{
	return !(raw & c->sign);
}

/*
 * Counter n has wrapped, and is about to be written.  Its NMI may come after that.  With
 * a status register, that NMI finds its bit there.
 */
static void expect_nmi_of(struct x86_cpu *cpu, unsigned int n)
{
	if (!x86.global_status && !(READ_ONCE(cpu->noted) & BIT_ULL(n)))
		x86_expect_late(cpu);
}

/*
 * True if the counter, which reads raw, does not hold the low bits of its value as it would be
 * written: it has wrapped, or it is behind, so that the value may have wrapped and the counter not.
 */
static __always_inline bool is_off(const struct x86_cpu *cpu, unsigned int n,
				   u64 raw)
{
	return wrapped(&x86.counter[n], raw) || cpu->behind[n];
}

/* A wrap that was added to memory must not be in the counter any more. */
static noinline void write_off(const struct pfm_prog *prog, struct x86_cpu *cpu,
			       unsigned int n, u64 value, u64 raw)
{
	if (wrapped(&x86.counter[n], raw))
		expect_nmi_of(cpu, n);
	write_counter(prog, cpu, n, value);
}

/* Let the counters run; they have been written. */
static __always_inline void let_run(const struct pfm_prog *prog,
				    struct x86_cpu *cpu,
				    const struct pfm_run *run)
{
	if (unlikely(run->beside)) {
		x86_beside_run(prog, cpu);
		return;
	}
	WRITE_ONCE(cpu->armed, prog->priv[X86_PRIV_PMDS]);
	if (likely(x86.global_ctrl))
		x86_write_ctrl(cpu, prog->priv[X86_PRIV_RUN]);
	else
		x86_sels_run(cpu, prog->priv[X86_PRIV_RUN]);
}

/* The same for a program beside which no other one is, where there is a global control, @msr. */
static __always_inline void let_run_alone(const struct pfm_prog *prog,
					  struct x86_cpu *cpu, u32 msr)
{
	const u64 runs = prog->priv[X86_PRIV_RUN];

	WRITE_ONCE(cpu->armed, prog->priv[X86_PRIV_PMDS]);
	/* As x86_write_ctrl() */
	WRITE_ONCE(cpu->ctrl, runs);
	x86_wrmsr(msr, runs);
}

/* Stop the counters.  They stay armed until they have been read: see disarm(). */
static __always_inline void stop(const struct pfm_prog *prog,
				 struct x86_cpu *cpu, const struct pfm_run *run)
{
	if (unlikely(run->beside))
		x86_beside_stop(prog, cpu);
	else if (likely(x86.global_ctrl))
		x86_write_ctrl(cpu, 0);
	else
		x86_sels_stop(cpu, prog->priv[X86_PRIV_RUN]);
}

/* See disarm(); no other program is beside this one. */
static __always_inline void disarm_alone(struct x86_cpu *cpu)
{
	barrier();
	WRITE_ONCE(cpu->armed, 0);
	barrier();
	/* No NMI writes it while no counter is armed. */
	cpu->noted = 0;
}

/*
 * From now on NMIs note nothing: the counters have been read.  Until then an NMI has to
 * find the wrap that it is about.  Without a status register, nothing else tells it that
 * it is the PMU's.
 */
static __always_inline void disarm(const struct pfm_prog *prog,
				   struct x86_cpu *cpu,
				   const struct pfm_run *run)
{
	if (unlikely(run->beside)) {
		x86_beside_disarm(prog, cpu);
		return;
	}
	disarm_alone(cpu);
}

/**
 * x86_prepare - compute what the other operations need
 * @prog: the program
 *
 * Return: 0; -EINVAL when a counter would run with an event left by another program, when
 * one that holds the upper bits of another is not used as such, or when fixed counter 3 is
 * a PMD beside those of PERF_METRICS; or the error of x86_lbr_prepare() or x86_desc.check.
 */
int x86_prepare(struct pfm_prog *prog)
{
	u64 pmds = 0, sels = 0, fixed = 0, fixed_ctrl = 0, merge = 0, host = 0;
	u32 shortest = x86.shortest;
	u64 metrics = 0;
	u16 i, counters;
	int ret = 0;

	prog->priv[X86_PRIV_MORE] = 0;
	for (i = 0; i < prog->npmcs; i++) {
		struct pfm_prog_reg *pmc = &prog->pmcs[i];
		unsigned int n = pmc->num;

		if (n < X86_FIXED_FIRST) {
			sels |= BIT_ULL(n);
			if ((pmc->value & x86.host_guest) == x86.host_guest)
				pmc->value &= ~x86.host_guest;
			host |= pmc->value & x86.host_only;
			pmc->value |= X86_SEL_EN;
			if (x86.merge && pmc->value == (x86.merge | X86_SEL_EN))
				merge |= BIT_ULL(n);
			else
				pmc->value |= X86_SEL_INT;
		} else if (n < X86_EXTRA_FIRST) {
			fixed |= BIT_ULL(n);
			fixed_ctrl |=
				(pmc->value | X86_FIXED_PMI)
				<< X86_FIXED_WIDTH * (n - X86_FIXED_FIRST);
		} else if (n == X86_BRANCHES) {
			ret = x86_lbr_prepare(prog, pmc->value);
		}
	}
	for (i = 0; i < prog->npmds && prog->pmds[i] < X86_METRIC_FIRST; i++)
		pmds |= BIT_ULL(prog->pmds[i]);
	counters = i;
	if (counters < prog->npmds) {
		metrics = X86_SLOTS_BIT | X86_METRICS_BIT;
		/* The counter begins at 0 with them, so it is no PMD beside them. */
		if (pmds & metrics || !(fixed & X86_SLOTS_BIT))
			return -EINVAL;
	}
	/* A counter that holds the upper bits of another one is no PMD. */
	if (pmds & ~(sels | fixed) || pmds & merge || merge & ~(pmds << 1) ||
	    merge & 0x5555)
		return -EINVAL;

	prog->priv[X86_PRIV_PMDS] = pmds | (metrics & X86_METRICS_BIT);
	prog->priv[X86_PRIV_CAREFUL] = prog->priv[X86_PRIV_PMDS] |
				       (has_lbr(prog) ? X86_METRICS_BIT : 0);
	prog->priv[X86_PRIV_RUN] = pmds | merge | metrics;
	prog->priv[X86_PRIV_COUNTERS] = counters;
	if (metrics)
		prog->priv[X86_PRIV_MORE] |= X86_MORE_METRICS;
	prog->priv[X86_PRIV_FIXED] = fixed_ctrl;
	prog->priv[X86_PRIV_MERGE] = merge >> 1;
	prog->priv[X86_PRIV_HOST] = host;
	if (x86.shortest_of)
		shortest = max(shortest, x86.shortest_of(prog));
	prog->priv[X86_PRIV_FIRST] = -(u64)shortest;
	if (ret)
		return ret;
	return x86.check ? x86.check(prog) : 0;
}

/*
 * The value that a control register can be given on this CPU.  While virtualization is
 * off, a counter with the host bit counts nothing.  Without the bit it counts the same:
 * everything is the host.
 */
static u64 sel_here(u64 value)
{
	if (likely(!(value & x86.host_only)) ||
	    x86_rdmsr(MSR_EFER) & BIT_ULL(_EFER_SVME))
		return value;
	return value & ~x86.host_only;
}

/*
 * Have the general counters count nothing for a moment, with the codes that an erratum
 * asks for.  Afterwards the counters are zero.  All of these processors have four.
 */
static noinline void write_magic(struct x86_cpu *cpu)
{
	unsigned int n;

	for (n = 0; n < X86_MAGIC_CODES; n++) {
		x86_wrmsr(x86_sel_msr(n), x86.magic[n]);
		x86_wrmsr(x86.counter[n].msr, 0);
	}
	x86_wrmsr(x86.global_ctrl, GENMASK_ULL(X86_MAGIC_CODES - 1, 0));
	x86_wrmsr(x86.global_ctrl, 0);
	for (n = 0; n < X86_MAGIC_CODES; n++) {
		x86_wrmsr(x86_sel_msr(n), 0);
		cpu->sel[n] = 0;
	}
}

/*
 * Write the additional registers that hold other values.  One that no program has that is in the
 * registers is zeroed, so that counts do not depend on what an earlier program left there.
 */
static void write_extra(const struct pfm_prog_reg *pmc,
			const struct pfm_prog_reg *end, struct x86_cpu *cpu,
			u64 others)
{
	unsigned int n;

	for (n = 0; n < X86_EXTRA_MAX; n++) {
		u64 value = 0;

		if (pmc < end && pmc->num == X86_EXTRA_FIRST + n)
			value = pmc++->value;
		if (cpu->extra[n] == value ||
		    others & BIT_ULL(X86_EXTRA_FIRST + n))
			continue;
		cpu->extra[n] = value;
		x86_wrmsr(x86.extra[n], value);
	}
}

/* Write the control registers that hold other values.  The program's counters stand still. */
static noinline void write_controls(const struct pfm_prog *prog,
				    struct x86_cpu *cpu,
				    const struct pfm_run *run)
{
	const struct pfm_prog_reg *pmc = prog->pmcs;
	const struct pfm_prog_reg *end = pmc + prog->npmcs;
	u64 fixed = prog->priv[X86_PRIV_FIXED];

	if (unlikely(x86.magic[0]))
		write_magic(cpu);
	for (; pmc < end && pmc->num < X86_FIXED_FIRST; pmc++) {
		const u64 value = sel_here(pmc->value);

		if (cpu->sel[pmc->num] == value)
			continue;
		cpu->sel[pmc->num] = value;
		/* Without a global control let_run() does it. */
		if (x86.global_ctrl)
			x86_wrmsr(x86_sel_msr(pmc->num), value);
	}
	/* The fields of unused counters do not matter: the global control stops them. */
	if (fixed && unlikely(run->beside))
		fixed = x86_beside_fixed(prog, cpu);
	if (fixed && cpu->fixed_ctrl != fixed) {
		cpu->fixed_ctrl = fixed;
		x86_wrmsr(x86.fixed_ctrl, fixed);
	}
	while (pmc < end && pmc->num < X86_EXTRA_FIRST)
		pmc++;
	write_extra(pmc, end, cpu, unlikely(run->beside) ? run->others : 0);
}

static noinline void restore_careful(const struct pfm_prog *prog, u64 *vals,
				     struct pfm_run *run, struct x86_cpu *cpu)
{
	catch_up(prog, cpu);
	write_all(prog, cpu, vals);
	run->keep = 0;
	if (prog->priv[X86_PRIV_MORE])
		restore_more(prog, cpu, run);
	let_run(prog, cpu, run);
}

/**
 * x86_restore - write the counters and let them run
 * @prog: the program
 * @vals: values
 * @run: place of the program
 * @loaded: the control registers hold the program already
 *
 * The program's counters stand still, because x86_save() stopped them.
 */
void x86_restore(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run,
		 bool loaded)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);

	pfm_critical_assert();
	/* Virtualization may have been switched on or off since they were written. */
	if (!loaded || unlikely(prog->priv[X86_PRIV_HOST]))
		write_controls(prog, cpu, run);
	if (!is_plain(prog, cpu) || unlikely(run->beside)) {
		restore_careful(prog, vals, run, cpu);
		return;
	}
	write_all(prog, cpu, vals);
	run->keep = 0;
	let_run_alone(prog, cpu, x86.global_ctrl);
}

/*
 * Somebody else has let the counters run since x86_save(): they count for somebody else,
 * or have done so until an NMI.  One RDMSR at each resume finds out.  To clear the enable
 * bits of the control registers when the counters stop, or to write the counters at each
 * resume, would be a WRMSR for each counter, which costs several times as much.  RDPMC
 * and a comparison for each counter would cost more from two counters on.
 */
static __always_inline bool strayed(const struct x86_cpu *cpu, u32 msr)
{
	return x86_rdmsr(msr) || READ_ONCE(cpu->strayed);
}

/* The program is beside others, or there is no global control. */
static noinline void resume_careful(const struct pfm_prog *prog,
				    struct pfm_run *run, struct x86_cpu *cpu)
{
	if (run->beside && x86_beside_strayed(prog, cpu))
		pfm_cpu_restore(run);
	else
		let_run(prog, cpu, run);
}

static noinline void resume_strayed(struct pfm_run *run, struct x86_cpu *cpu)
{
	x86_write_ctrl(cpu, 0);
	cpu->strayed = 0;
	pfm_cpu_restore(run);
}

/**
 * x86_resume - let the counters run on after x86_save()
 * @prog: the program that x86_save() stopped
 * @run: place of the program
 */
void x86_resume(const struct pfm_prog *prog, struct pfm_run *run)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	const u32 msr = x86.global_ctrl;

	pfm_critical_assert();
	if (unlikely(run->beside || !msr))
		resume_careful(prog, run, cpu);
	/* N9 */
	else if (unlikely(strayed(cpu, msr)))
		resume_strayed(run, cpu);
	else
		let_run_alone(prog, cpu, msr);
}

static noinline void save_careful(const struct pfm_prog *prog, u64 *vals,
				  struct pfm_run *run, struct x86_cpu *cpu)
{
	const u16 *pmd = prog->pmds, *end = pmd + counters_of(prog);
	const u64 keep = run->keep;

	stop(prog, cpu, run);
	for (; pmd < end; pmd++, vals++) {
		const u64 raw = x86_rdpmc(x86.counter[*pmd].rdpmc);

		*vals = value_of(cpu, *pmd, *vals, keep, raw);
		if (unlikely(is_off(cpu, *pmd, raw)))
			write_off(prog, cpu, *pmd, *vals, raw);
	}
	if (prog->priv[X86_PRIV_MORE])
		save_more(prog, cpu, vals);
	disarm(prog, cpu, run);
}

/*
 * Write the counters that have wrapped and stand still: the wraps are in their values.  Each is
 * read once more, which tells the same.
 */
static noinline void write_wrapped(const struct pfm_prog *prog, const u64 *vals,
				   struct x86_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < counters_of(prog); i++) {
		const unsigned int n = prog->pmds[i];
		const u64 raw = x86_rdpmc(x86.counter[n].rdpmc);

		if (wrapped(&x86.counter[n], raw))
			write_off(prog, cpu, n, vals[i], raw);
	}
}

/**
 * x86_save - stop the counters and update the values
 * @prog: the program
 * @vals: values
 * @run: place of the program
 *
 * A counter that has wrapped is written, because x86_resume() may let it run on, and the
 * wrap is in memory from now on.  So is one that is behind: the wrap of its value may be.
 */
void x86_save(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	const u16 *pmd = prog->pmds, *end = pmd + counters_of(prog);
	const u64 keep = run->keep;
	u64 *val = vals;
	u64 wraps = 0;

	pfm_critical_assert();
	if (!is_plain(prog, cpu) || unlikely(run->beside)) {
		save_careful(prog, vals, run, cpu);
		return;
	}
	x86_write_ctrl(cpu, 0);
	for (; pmd < end; pmd++, val++) {
		const struct x86_counter *c = &x86.counter[*pmd];
		const u64 raw = x86_rdpmc(c->rdpmc);

		*val = (*val & (c->upper | keep)) + x86_low(c, raw);
		/* The bit is set in one that has wrapped. */
		wraps |= (raw ^ c->sign) & c->sign;
	}
	if (unlikely(wraps))
		write_wrapped(prog, vals, cpu);
	disarm_alone(cpu);
}

/* Add what counters of the program lack that are behind, and the values of PERF_METRICS. */
static noinline void read_careful(const struct pfm_prog *prog, const u64 *vals,
				  u64 *copy, struct x86_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < counters_of(prog); i++)
		copy[i] += cpu->behind[prog->pmds[i]];
	if (has_metrics(prog))
		x86_metrics_read(prog, cpu, vals + i, copy + i);
}

/**
 * x86_read - read the values while the counters run
 * @prog: the program
 * @vals: values as of the last restore, save or fold
 * @copy: out: values as of now
 * @run: place of the program
 */
void x86_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
	      struct pfm_run *run)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	const unsigned int n = counters_of(prog);
	const u64 keep = run->keep;
	unsigned int i;

	pfm_critical_assert();
	for (i = 0; i < n; i++) {
		const struct x86_counter *c = &x86.counter[prog->pmds[i]];

		copy[i] = (vals[i] & (c->upper | keep)) +
			  x86_low(c, x86_rdpmc(c->rdpmc));
	}
	if (!is_plain(prog, cpu))
		read_careful(prog, vals, copy, cpu);
}

/* The first pass after the counters were written, or one of a program that is not plain. */
static noinline void pass_first(const struct pfm_prog *prog, u64 *from, u64 *to,
				struct pfm_run *run)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	const u16 *pmd = prog->pmds, *end = pmd + counters_of(prog);
	const u64 keep = run->keep;

	for (; pmd < end; pmd++, from++, to++) {
		const struct x86_counter *c = &x86.counter[*pmd];
		const u64 low = x86_low(c, x86_rdpmc(c->rdpmc));

		*from = (*from & (c->upper | keep)) + low + cpu->behind[*pmd];
		*to -= low;
	}
	catch_up(prog, cpu);
	run->keep = U64_MAX;
	if (has_metrics(prog))
		x86_metrics_fold(prog, cpu, from);
}

/**
 * x86_pass - let the running counters count for another target
 * @prog: the program, which both targets use
 * @from: values of the target so far; updated
 * @to: values of the other target
 * @run: place of the program
 *
 * Each counter is read once.  What was read is added to @from and subtracted from @to.
 * So no count is lost or counted twice, and no counter stops.  A wrap stays in the
 * counter, and what was subtracted includes it.
 */
void x86_pass(const struct pfm_prog *prog, u64 *from, u64 *to,
	      struct pfm_run *run)
{
	const struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	const size_t n = counters_of(prog);
	const u16 *pmds = prog->pmds;
	size_t i;

	pfm_critical_assert();
	if (!is_plain(prog, cpu) || unlikely(run->keep != U64_MAX)) {
		pass_first(prog, from, to, run);
		return;
	}
	/* All bits of the values are in memory, and no counter is behind. */
	for (i = 0; i < n; i++) {
		const struct x86_counter *c = &x86.counter[pmds[i]];
		u64 low = x86_low(c, x86_rdpmc(c->rdpmc));

		/* Otherwise the compiler computes the negative value, too. */
		OPTIMIZER_HIDE_VAR(low);
		from[i] += low;
		to[i] -= low;
	}
}

/* Add the wrap of a counter to its value, while the other counters run on. */
static void fold_one(const struct pfm_prog *prog, struct x86_cpu *cpu,
		     unsigned int i, u64 *vals)
{
	const struct x86_counter *c = &x86.counter[prog->pmds[i]];
	const unsigned int n = prog->pmds[i];
	const u64 bit = BIT_ULL(n), runs = cpu->ctrl;
	u64 low;

	if (unlikely(cpu->shared) && x86.global_ctrl)
		x86_beside_note_strays(cpu);
	if (x86.global_ctrl)
		x86_write_ctrl(cpu, runs & ~bit);
	else
		x86_sels_stop(cpu, bit);
	low = low_of(cpu, n, x86_rdpmc(c->rdpmc));
	/*
	 * What the counter cannot be written with moves to memory: 2^(w-1), or more if it
	 * has more bits than can be written and was read late.
	 */
	vals[i] += low & c->upper;
	write_counter(prog, cpu, n, low);
	/*
	 * After the write: an NMI before it found the counter wrapped.  One instruction,
	 * because an NMI writes to it too.
	 */
	this_cpu_and(x86_cpus.noted, ~bit);
	if (x86.global_ctrl)
		x86_write_ctrl(cpu, runs);
	else
		x86_sels_run(cpu, bit);
}

/* Add the wraps of all counters but those of the bitmap. */
static __always_inline void fold_but(const struct pfm_prog *prog, u64 *vals,
				     u64 left_out)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	unsigned int i;

	for (i = 0; i < counters_of(prog); i++) {
		const unsigned int n = prog->pmds[i];
		const struct x86_counter *c = &x86.counter[n];

		if (left_out & BIT_ULL(n) ||
		    likely(!wrapped(c, x86_rdpmc(c->rdpmc))))
			continue;
		expect_nmi_of(cpu, n);
		fold_one(prog, cpu, i, vals);
	}
}

/**
 * x86_fold - add the wraps so far to the values while the counters run
 * @prog: the program
 * @vals: values
 */
void x86_fold(const struct pfm_prog *prog, u64 *vals)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);

	pfm_critical_assert();
	fold_but(prog, vals, 0);
	if (has_metrics(prog) && cpu->slots_wrapped)
		x86_metrics_fold(prog, cpu, vals + counters_of(prog));
}

/**
 * x86_take - stop the counters and update the values of those that wrapped
 * @prog: the program
 * @vals: values
 * @run: place of the program
 *
 * Return: bitmap of the values that were updated.
 */
u64 x86_take(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	unsigned int i;
	u64 taken = 0;

	pfm_critical_assert();
	stop(prog, cpu, run);
	for (i = 0; i < counters_of(prog); i++) {
		const unsigned int n = prog->pmds[i];
		const u64 raw = x86_rdpmc(x86.counter[n].rdpmc);

		if (!wrapped(&x86.counter[n], raw))
			continue;
		expect_nmi_of(cpu, n);
		vals[i] = value_of(cpu, n, vals[i], 0, raw);
		taken |= BIT_ULL(i);
	}
	if (has_lbr(prog))
		x86_lbr_stop(cpu);
	disarm(prog, cpu, run);
	return taken;
}

/**
 * x86_put - write counters and let all run
 * @prog: the program
 * @vals: values
 * @taken: bitmap of the values that are written
 * @run: place of the program
 */
void x86_put(const struct pfm_prog *prog, const u64 *vals, u64 taken,
	     struct pfm_run *run)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);

	pfm_critical_assert();
	for (; taken; taken &= taken - 1) {
		unsigned int i = __ffs64(taken);

		write_counter(prog, cpu, prog->pmds[i], vals[i]);
	}
	if (has_lbr(prog))
		x86_lbr_start(prog, cpu, true);
	let_run(prog, cpu, run);
}

/*
 * Add wraps of counters that do not sample.  While the counters stood still an NMI noted
 * nothing; it may have been about one of these.  The counter that samples has been
 * written since.  If it has wrapped again, its NMI has noted that or will: its value must
 * be updated by x86_solo() or x86_take(), or the core would not see the overflow.
 */
static noinline void fold_others(const struct pfm_solo *solo)
{
	const struct pfm_prog *prog = solo->prog;
	u64 *vals = solo->val;
	unsigned int i;

	for (i = 0; prog->pmds[i] != solo->num; i++)
		vals--;
	fold_but(prog, vals, BIT_ULL(solo->num));
}

/**
 * x86_solo - handle a wrap of the only counter that samples, see struct pfm_solo
 * @solo: struct pfm_solo of this CPU
 * @regs: interrupted registers
 *
 * Return: false when nothing was done, because other counters have wrapped or may have.
 */
bool x86_solo(const struct pfm_solo *solo, struct pt_regs *regs)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	const struct pfm_prog *prog = solo->prog;
	const struct pfm_run *run = solo->run;
	const struct x86_counter *c;
	unsigned int num;
	u32 what;

	if (!prog)
		return false;
	num = solo->num;
	if (unlikely(READ_ONCE(cpu->noted) != BIT_ULL(num)))
		return false;
	/*
	 * Another counter may have wrapped just now.  Without a status register its NMI
	 * is claimed only if the counter was read: x86_take() reads all.
	 */
	if (unlikely(!x86.global_status && prog->npmds > 1))
		return false;
	c = &x86.counter[num];
	pfm_critical_assert();
	cpu->unseen = false;
	stop(prog, cpu, run);
	*solo->val = value_of(cpu, num, *solo->val, 0, x86_rdpmc(c->rdpmc));
	disarm(prog, cpu, run);
	what = pfm_overflow_solo(solo, regs);
	write_counter(prog, cpu, num, *solo->val);
	if (unlikely(what)) {
		pfm_cpu_overflow_more(solo, what, regs);
		return true;
	}
	let_run(prog, cpu, run);
	if (unlikely(READ_ONCE(cpu->unseen)))
		fold_others(solo);
	return true;
}

/*
 * The rest of the work stops and perhaps starts the program's counters, which writes the global
 * control.  All others stand still until the end of the NMI, as they would otherwise count it.
 */
static noinline void overflow_more(struct x86_cpu *cpu,
				   const struct pfm_solo *solo, u32 what,
				   struct pt_regs *regs)
{
	const u64 others = cpu->ctrl & ~solo->prog->priv[X86_PRIV_RUN];

	WRITE_ONCE(cpu->ctrl, cpu->ctrl & ~others);
	pfm_cpu_overflow_more(solo, what, regs);
	WRITE_ONCE(cpu->ctrl, cpu->ctrl | others);
}

/**
 * x86_solo_now - the same in an NMI
 * @solo: struct pfm_solo of this CPU, which the interrupted code may be changing
 * @regs: interrupted registers
 *
 * The NMI has stopped the counters by the global control, found this one wrapped and no
 * other.  Afterwards it lets those run that x86_cpu.ctrl tells of.
 *
 * Return: false when nothing was done, because that needs more than an NMI may do.
 */
bool x86_solo_now(const struct pfm_solo *solo, struct pt_regs *regs)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	const struct pfm_prog *prog = solo->prog;
	const unsigned int num = solo->num;
	const struct x86_counter *c;
	u32 what;

	if (cpu->noted ||
	    !pfm_overflow_direct(solo, regs->flags & X86_EFLAGS_IF))
		return false;
	c = &x86.counter[num];
	*solo->val = value_of(cpu, num, *solo->val, 0, x86_rdpmc(c->rdpmc));
	what = pfm_overflow_solo(solo, regs);
	write_counter(prog, cpu, num, *solo->val);
	if (unlikely(what))
		overflow_more(cpu, solo, what, regs);
	return true;
}

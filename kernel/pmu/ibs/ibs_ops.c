// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: arming and stopping the engines.
 *
 * An engine counts from a start value to its period, in multiples of 16, then has a sample,
 * and counts nothing until it is armed again.  The 64-bit value is in memory.  What the
 * engine has counted since it was armed is added when it is stopped.
 *
 * A value that is further from its wrap than the longest period takes several.  Only at the
 * sample of the last one has it wrapped; the core does not hear of the others.  A value
 * that has wrapped keeps what was counted beyond, so totals are exact although the engine
 * counts in multiples of 16.
 *
 * All functions run on the CPU concerned, in a critical section.  An NMI may interrupt them
 * at any instruction.  Why that does no harm: "An NMI of IBS" in
 * Documentation/change/locking/pmu-ibs.rst.
 */
#include "ibs_ops.h"

#include <linux/bitfield.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <asm/msr-index.h>
#include <asm/msr.h>
#include <asm/processor-flags.h>
#include <asm/tsc.h>
#include <perfmon/critical.h>

#include "ibs_record.h"
#include "ibs_state.h"
#include "pmu/x86/x86_msr.h"

static u64 *value_of(const struct pfm_prog *prog, u64 *vals, unsigned int f)
{
	return &vals[prog->priv[IBS_PRIV_AT + f]];
}

/**
 * ibs_prepare - compute what the other operations need
 * @prog: the program
 *
 * Return: 0; -EOPNOTSUPP for a filter that the processor does not apply right.
 */
int ibs_prepare(struct pfm_prog *prog)
{
	u64 conf[IBS_FLAVOURS] = { IBS_EXCLUDE, IBS_EXCLUDE }, op;
	unsigned int f;
	u16 i;

	memset(prog->priv, 0, sizeof(prog->priv));
	prog->sample = false;
	for (i = 0; i < prog->npmcs; i++)
		conf[prog->pmcs[i].num - IBS_NUM(0)] = prog->pmcs[i].value;
	for (f = 0; f < IBS_FLAVOURS; f++)
		prog->priv[IBS_PRIV_CONF + f] = conf[f];
	for (i = 0; i < prog->npmds; i++) {
		f = prog->pmds[i] - IBS_NUM(0);
		if (f >= IBS_FLAVOURS)
			break;
		prog->priv[IBS_PRIV_AT + f] = i;
		prog->sample = true;
		if ((conf[f] & IBS_EXCLUDE) != IBS_EXCLUDE)
			prog->priv[IBS_PRIV_RUN] |= BIT(f);
	}
	ibs_record_prepare(prog);
	op = conf[IBS_OP];
	if (ibs.errata & IBS_ERRATUM_1606 && op & IBS_OP_LATENCY_EN &&
	    !(op & IBS_OP_L3MISS))
		return -EOPNOTSUPP;
	return 0;
}

/* How far a value is from its wrap: 0 is 2^64 away. */
static __always_inline u64 to_wrap(u64 value)
{
	return value ? -value : U64_MAX;
}

/*
 * The stretch that an engine counts for a value with so much left, from the shortest to the
 * longest.  If that is not all, the last but one is made shorter, so that the last
 * one is not: a sample that comes soon after an NMI is one of the NMI.
 */
static __always_inline u64 stretch(const struct ibs_flavour *flavour, u64 left,
				   u64 longest)
{
	if (left > longest)
		left = min(left - longest, longest);
	return max(left, flavour->min);
}

/*
 * Choose period and start value of the engine of ops.  Where the count can be written, a
 * stretch that is no multiple of 16 begins above 0.  If the processor has left random
 * bits in the count of ops, the engine begins with them, as without them samples could
 * be in step with a loop; the period is longer then, so that the stretch is never cut.
 * What is beyond goes to the next one.
 */
static __always_inline void choose_op(struct ibs_engine *engine, u64 conf, u64 stretch, u64 max)
{
	const u64 longer = round_up(stretch + IBS_OP_RANDOM, IBS_UNIT);

	if (!(ibs.caps & IBS_CAP_RDWROPCNT))
		return;
	if (conf & IBS_OP_COUNT_OPS && engine->random && longer <= max) {
		engine->max = longer;
		engine->start = engine->random;
		return;
	}
	engine->start = engine->max - stretch;
}

/*
 * Choose the period of the engine of fetches.  With random bits the processor begins at 0 to
 * 15, and nothing tells at which: the low bits of the count cannot be read.  So the mean is
 * taken for it, 7 and 8 in turn.  The period is longer by that, so that the value has wrapped
 * when there is a sample.
 */
static __always_inline void choose_fetch(struct ibs_engine *engine, u64 conf, u64 stretch)
{
	if (!(conf & IBS_FETCH_RAND))
		return;
	engine->odd = !engine->odd;
	engine->start = IBS_FETCH_MEAN + engine->odd;
	engine->max = round_up(stretch + engine->start, IBS_UNIT);
}

/* The longest stretch.  One of fetches with random bits leaves room for these. */
static __always_inline u64 longest_stretch(unsigned int f, u64 conf)
{
	const u64 max = ibs.flavour[f].max;

	return f == IBS_FETCH && conf & IBS_FETCH_RAND ? max - IBS_UNIT : max;
}

/* Value of the control register that lets the engine run, but for the enable bit. */
static __always_inline u64 encode(unsigned int f, const struct ibs_engine *engine, u64 conf)
{
	const u64 low = (engine->max & GENMASK_ULL(19, 4)) >> 4;

	conf &= ibs.flavour[f].conf;
	if (f == IBS_FETCH)
		return conf | low;
	return conf | low | (engine->max & IBS_OP_MAX_EXT) |
	       FIELD_PREP(IBS_OP_CUR, engine->start);
}

/* Let the engine, which stands still, sample what the PMC's filter lets through. */
static __always_inline void set_filter(const struct ibs_flavour *flavour,
				       struct ibs_engine *engine, u64 conf)
{
	const u64 filter = (conf & flavour->filter) >> flavour->shift;

	if (engine->filter == filter)
		return;
	engine->filter = filter;
	x86_wrmsr(flavour->msr2, filter);
}

/*
 * Let the engine run.  The bit that there is a sample is gone before NMIs look at the
 * engine, and they look at it before it can have one.
 */
static __always_inline void arm(unsigned int f, struct ibs_engine *engine,
				u64 conf, u64 value)
{
	const struct ibs_flavour *flavour = &ibs.flavour[f];
	const u64 left = to_wrap(value);
	const u64 len = stretch(flavour, left, longest_stretch(f, conf));
	u64 ctl;

	engine->most = min(len, left) - 1;
	engine->max = round_up(len, IBS_UNIT);
	engine->start = 0;
	if (f == IBS_OP)
		choose_op(engine, conf, len, flavour->max);
	else
		choose_fetch(engine, conf, len);
	ctl = encode(f, engine, conf);
	if (engine->waits || (f == IBS_FETCH && ibs.errata & IBS_FETCH_EDGE))
		ibs_stop(flavour, conf);
	if (flavour->msr2)
		set_filter(flavour, engine, conf);
	if (f == IBS_OP && ibs.errata & IBS_ERRATUM_718)
		x86_wrmsr(MSR_AMD64_IBSOPDATA3, 0);
	engine->waits = false;
	engine->record = false;
	engine->noted = false;
	engine->unexplained = false;
	barrier();
	WRITE_ONCE(engine->started, true);
	x86_wrmsr(flavour->msr, ctl | flavour->en);
}

static noinline void arm_here(const struct pfm_prog *prog, u64 *vals,
			      unsigned int f)
{
	pfm_critical_assert();
	arm(f, this_cpu_ptr(&ibs_cpus.engine[f]), ibs_conf(prog, f),
	    *value_of(prog, vals, f));
}

/**
 * ibs_stop - stop an engine of this CPU
 * @flavour: its flavour
 * @conf: bits of the control register to leave there
 *
 * Context: on the CPU concerned, any.
 */
void ibs_stop(const struct ibs_flavour *flavour, u64 conf)
{
	conf &= flavour->conf;
	/* Otherwise there may be an interrupt that nothing acknowledges. */
	if (ibs.errata & IBS_ERRATUM_420)
		x86_wrmsr(flavour->msr, conf | flavour->en);
	x86_wrmsr(flavour->msr, conf);
}

/*
 * The count of the engine since it was armed, if its control register reads ctl.  Without a
 * sample it is less than the stretch, so it does not wrap the value: an overflow without a
 * sample would be handled by nothing.  Random bits, or a value that has less left than the shortest
 * period, let the engine count beyond, and the processor may have chosen what it samples, and
 * be waiting for its end.  The low bits of a count of fetches cannot be read.  They are as
 * large on average as those that it began with, if these were random.
 */
static u64 counted(unsigned int f, const struct ibs_engine *engine, u64 ctl)
{
	u64 count;

	if (ctl & ibs.flavour[f].valid)
		return engine->max - engine->start;
	if (f == IBS_FETCH) {
		count = FIELD_GET(IBS_FETCH_CUR, ctl) * IBS_UNIT;
	} else if (ibs.caps & IBS_CAP_RDWROPCNT) {
		count = FIELD_GET(IBS_OP_CUR, ctl & ibs.cur);
		count -= min(count, engine->start);
	} else {
		return 0;
	}
	return min(count, engine->most);
}

/*
 * Stop the engine and return what it has counted.  A sample stays in the registers.
 *
 * NMIs stop to look first.  So what is found here was noted before, or is never noted.  The
 * NMI of a sample that is not noted comes late.  There may be one even if no sample is
 * found here: the engine may have one between the read and the write, and that one is
 * lost, together with the few ops in between.  It is not in the count, either, so it
 * is no overflow.
 */
static u64 collect(unsigned int f, u64 conf)
{
	const struct ibs_flavour *flavour = &ibs.flavour[f];
	struct ibs_engine *engine = this_cpu_ptr(&ibs_cpus.engine[f]);
	u64 ctl;

	pfm_critical_assert();
	if (!engine->started)
		return 0;
	if (!READ_ONCE(engine->noted))
		ibs_expect_late(engine);
	WRITE_ONCE(engine->started, false);
	barrier();
	ctl = x86_rdmsr(flavour->msr);
	/* At once: what is counted meanwhile is in no value. */
	if (!(ctl & flavour->valid))
		ibs_stop(flavour, conf);
	engine->ctl = ctl;
	engine->record = ctl & flavour->valid;
	engine->waits = engine->record;
	engine->random = 0;
	if (!engine->record)
		return counted(f, engine, ctl);
	if (f == IBS_OP)
		engine->random = FIELD_GET(IBS_OP_CUR, ctl) & IBS_OP_RANDOM;
	if (!engine->noted)
		engine->tsc = rdtsc_ordered();
	return counted(f, engine, ctl);
}

/**
 * ibs_restore - arm the engines
 * @prog: the program
 * @vals: values
 * @run: not used
 * @loaded: not used
 *
 * The engines of the program are not started: ibs_save() has stopped them.
 */
void ibs_restore(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run,
		 bool loaded)
{
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		if (ibs_runs(prog, f))
			arm_here(prog, vals, f);
	}
}

/**
 * ibs_save - stop the engines and update the values
 * @prog: the program
 * @vals: values
 * @run: not used
 */
void ibs_save(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run)
{
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		if (ibs_runs(prog, f))
			*value_of(prog, vals, f) +=
				collect(f, ibs_conf(prog, f));
	}
}

static u64 counted_now(unsigned int f)
{
	const struct ibs_engine *engine = this_cpu_ptr(&ibs_cpus.engine[f]);

	pfm_critical_assert();
	if (!engine->started)
		return 0;
	return counted(f, engine, x86_rdmsr(ibs.flavour[f].msr));
}

/**
 * ibs_read - read the values while the engines run
 * @prog: the program
 * @vals: values as of the last restore, save or fold
 * @copy: out: values as of now
 * @run: not used
 */
void ibs_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
	      struct pfm_run *run)
{
	unsigned int f;
	u16 i;

	for (i = 0; i < prog->npmds; i++)
		copy[i] = vals[i];
	for (f = 0; f < IBS_FLAVOURS; f++) {
		if (ibs_runs(prog, f))
			*value_of(prog, copy, f) += counted_now(f);
	}
}

/**
 * ibs_fold - let engines go on that have a sample, of a set that does not sample
 * @prog: the program
 * @vals: values; updated
 */
void ibs_fold(const struct pfm_prog *prog, u64 *vals)
{
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		const struct ibs_flavour *flavour = &ibs.flavour[f];

		if (!ibs_runs(prog, f) ||
		    !(x86_rdmsr(flavour->msr) & flavour->valid))
			continue;
		*value_of(prog, vals, f) += collect(f, ibs_conf(prog, f));
		arm_here(prog, vals, f);
	}
}

/*
 * Take the sample at once: the NMI interrupted no critical section.  The engine stands
 * still, and this NMI is the only one until it returns.  So nothing has to be in an order
 * that another NMI could rely on.  Returns false, and has done nothing, when that needs more
 * than an NMI may do.
 */
static __always_inline bool take_now(unsigned int f, struct ibs_engine *engine,
				     u64 ctl, struct pt_regs *regs)
{
	const struct pfm_solo *solo = this_cpu_ptr(&pfm_unit_solo);
	u32 what;

	if (solo->num != IBS_NUM(f) ||
	    !pfm_overflow_direct(solo, regs->flags & X86_EFLAGS_IF))
		return false;
	engine->ctl = ctl;
	engine->record = true;
	engine->started = false;
	*solo->val += engine->max - engine->start;
	what = pfm_overflow_unit(solo, regs);
	if (f == IBS_OP)
		engine->random = FIELD_GET(IBS_OP_CUR, ctl) & IBS_OP_RANDOM;
	if (likely(!what)) {
		arm(f, engine, ibs_conf(solo->prog, f), *solo->val);
		return true;
	}
	engine->waits = true;
	pfm_cpu_overflow_more(solo, what, regs);
	return true;
}

static __always_inline int look(unsigned int f, struct pt_regs *regs)
{
	struct ibs_engine *engine = this_cpu_ptr(&ibs_cpus.engine[f]);
	u64 ctl;

	if (!READ_ONCE(engine->started) || READ_ONCE(engine->noted))
		return 0;
	ctl = x86_rdmsr(ibs.flavour[f].msr);
	if (!(ctl & ibs.flavour[f].valid))
		return 0;
	engine->tsc = rdtsc_ordered();
	engine->user = user_mode(regs);
	/* No code that this could interrupt reads the other fields before this one. */
	WRITE_ONCE(engine->noted, true);
	if (!take_now(f, engine, ctl, regs))
		pfm_pmi_note(ibs.pmu->pmi, IBS_HOLDS(f), regs);
	return 1;
}

/**
 * ibs_look - look for samples that no NMI has seen, and see to them
 * @regs: interrupted registers
 *
 * Context: NMI.
 * Return: their number.
 */
int ibs_look(struct pt_regs *regs)
{
	return look(IBS_FETCH, regs) + look(IBS_OP, regs);
}

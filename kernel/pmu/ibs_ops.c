// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: arming the engines, and taking their samples.
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
 * All functions run on the CPU concerned, with interrupts off.  An NMI may interrupt them
 * at any instruction.  Why that does no harm: "An NMI of IBS" in Documentation/locking.rst.
 */
#include "ibs_ops.h"

#include <linux/bitfield.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <asm/msr-index.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "ibs_state.h"
#include "x86_msr.h"

/* PMC and PMD that counts, of a flavour: the numbers are the same. */
#define NUM(f) (PFM_IBS_PMD_FETCH + (f))
static_assert(NUM(IBS_FETCH) == PFM_IBS_PMC_FETCH_CTL);
static_assert(NUM(IBS_OP) == PFM_IBS_PMC_OP_CTL);
static_assert(NUM(IBS_OP) == PFM_IBS_PMD_OP);

static u64 conf_of(const struct pfm_prog *prog, unsigned int f)
{
	return prog->priv[IBS_PRIV_CONF + f];
}

static u64 *value_of(const struct pfm_prog *prog, u64 *vals, unsigned int f)
{
	return &vals[prog->priv[IBS_PRIV_AT + f]];
}

static bool runs(const struct pfm_prog *prog, unsigned int f)
{
	return prog->priv[IBS_PRIV_RUN] & BIT(f);
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

	prog->priv[IBS_PRIV_RUN] = 0;
	prog->sample = false;
	for (i = 0; i < prog->npmcs; i++)
		conf[prog->pmcs[i].num - NUM(0)] = prog->pmcs[i].value;
	for (f = 0; f < IBS_FLAVOURS; f++)
		prog->priv[IBS_PRIV_CONF + f] = conf[f];
	for (i = 0; i < prog->npmds; i++) {
		f = prog->pmds[i] - NUM(0);
		if (f >= IBS_FLAVOURS)
			break;
		prog->priv[IBS_PRIV_AT + f] = i;
		prog->sample = true;
		if ((conf[f] & IBS_EXCLUDE) != IBS_EXCLUDE)
			prog->priv[IBS_PRIV_RUN] |= BIT(f);
	}
	op = conf[IBS_OP];
	if (ibs.errata & IBS_ERRATUM_1606 && op & IBS_OP_LATENCY_EN &&
	    !(op & IBS_OP_L3MISS))
		return -EOPNOTSUPP;
	return 0;
}

/*
 * What an engine is to count for a value, from the shortest to the longest period.  If that
 * is not all, the last but one is made shorter, so that the last one is not: a sample that
 * comes soon after an NMI is one of the NMI.
 */
static u64 stretch(const struct ibs_flavour *flavour, u64 value)
{
	/* 0 is 2^64 away from its wrap. */
	u64 left = value ? -value : U64_MAX;

	if (left > flavour->max)
		left = min(left - flavour->max, flavour->max);
	return max(left, flavour->min);
}

/*
 * Choose period and start value of the engine of ops.  Where the count can be written, a
 * stretch that is no multiple of 16 begins above 0.  If the processor has left random
 * bits in the count of ops, the engine begins with them, as without them samples could
 * be in step with a loop; the period is longer then, so that the stretch is never cut.
 * What is beyond goes to the next one.
 */
static void choose_op(struct ibs_engine *engine, u64 conf, u64 stretch, u64 max)
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

/* Value of the control register that lets the engine run, but for the enable bit. */
static u64 encode(unsigned int f, const struct ibs_engine *engine, u64 conf)
{
	const u64 low = (engine->max & GENMASK_ULL(19, 4)) >> 4;

	conf &= ibs.flavour[f].conf;
	if (f == IBS_FETCH)
		return conf | low;
	return conf | low | (engine->max & IBS_OP_MAX_EXT) |
	       FIELD_PREP(IBS_OP_CUR, engine->start);
}

/*
 * Let the engine run.  The bit that there is a sample is gone before NMIs look at the
 * engine, and they look at it before it can have one.
 */
static void arm(unsigned int f, u64 conf, u64 value)
{
	const struct ibs_flavour *flavour = &ibs.flavour[f];
	struct ibs_engine *engine = this_cpu_ptr(&ibs_cpus.engine[f]);
	const u64 len = stretch(flavour, value);
	u64 ctl;

	engine->max = round_up(len, IBS_UNIT);
	engine->start = 0;
	if (f == IBS_OP)
		choose_op(engine, conf, len, flavour->max);
	ctl = encode(f, engine, conf);
	if (engine->waits || (f == IBS_FETCH && ibs.errata & IBS_FETCH_EDGE))
		ibs_stop(flavour, conf);
	if (f == IBS_OP && ibs.errata & IBS_ERRATUM_718)
		x86_wrmsr(MSR_AMD64_IBSOPDATA3, 0);
	engine->waits = false;
	engine->record = false;
	engine->noted = false;
	barrier();
	WRITE_ONCE(engine->started, true);
	x86_wrmsr(flavour->msr, ctl | flavour->en);
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
 * What the engine has counted since it was armed, if its control register reads ctl.  The
 * low bits of a count of fetches cannot be read.  Without a sample it is less than the
 * period: the processor may have chosen what it samples, and be waiting for its end.
 */
static u64 counted(unsigned int f, const struct ibs_engine *engine, u64 ctl)
{
	u64 count;

	if (ctl & ibs.flavour[f].valid)
		return engine->max - engine->start;
	if (f == IBS_FETCH)
		count = FIELD_GET(IBS_FETCH_CUR, ctl) * IBS_UNIT;
	else if (ibs.caps & IBS_CAP_RDWROPCNT)
		count = FIELD_GET(IBS_OP_CUR, ctl & ibs.cur);
	else
		return 0;
	count = min(count, engine->max - 1);
	return count - min(count, engine->start);
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
 * @task: not used
 * @loaded: not used
 *
 * The engines of the program are not started: ibs_save() has stopped them.
 */
void ibs_restore(const struct pfm_prog *prog, u64 *vals,
		 struct task_struct *task, bool loaded)
{
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		if (runs(prog, f))
			arm(f, conf_of(prog, f), *value_of(prog, vals, f));
	}
}

/**
 * ibs_save - stop the engines and update the values
 * @prog: the program
 * @vals: values
 * @task: not used
 */
void ibs_save(const struct pfm_prog *prog, u64 *vals, struct task_struct *task)
{
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		if (runs(prog, f))
			*value_of(prog, vals, f) +=
				collect(f, conf_of(prog, f));
	}
}

static u64 counted_now(unsigned int f)
{
	const struct ibs_engine *engine = this_cpu_ptr(&ibs_cpus.engine[f]);

	if (!engine->started)
		return 0;
	return counted(f, engine, x86_rdmsr(ibs.flavour[f].msr));
}

/**
 * ibs_read - read the values while the engines run
 * @prog: the program
 * @vals: values as of the last restore, save or fold
 * @copy: out: values as of now
 * @task: not used
 */
void ibs_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
	      struct task_struct *task)
{
	unsigned int f;
	u16 i;

	for (i = 0; i < prog->npmds; i++)
		copy[i] = vals[i];
	for (f = 0; f < IBS_FLAVOURS; f++) {
		if (runs(prog, f))
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

		if (!runs(prog, f) ||
		    !(x86_rdmsr(flavour->msr) & flavour->valid))
			continue;
		*value_of(prog, vals, f) += collect(f, conf_of(prog, f));
		arm(f, conf_of(prog, f), *value_of(prog, vals, f));
	}
}

/* What a snapshot register is. */
enum kind {
	PLAIN, /* a register of the processor */
	LINEAR, /* one with an address; the upper half of all belongs to the kernel */
	PHYSICAL, /* one with a physical address */
	ACCESS, /* one that tells what caches and TLBs had of the op's data */
	CTL, /* the control register */
	PERIOD, /* what was counted */
	TSC, /* the time */
};

/**
 * struct snapshot - a snapshot register
 * @msr: where the processor has it
 * @cap: the processor has it only with this IBS_CAP_*; 0: always
 * @kind: what it is
 * @valid_msr: register that tells whether it is valid, or the control register; 0: it is.
 *	Otherwise it may be left from a sample of somebody else
 * @valid: bit of that register
 */
struct snapshot {
	u32 msr;
	u32 cap;
	enum kind kind;
	u32 valid_msr;
	u64 valid;
};

/* Index of a snapshot register. */
#define AT(num) (PFM_IBS_PMD_##num - PFM_IBS_PMD_FETCH_CTL)

static const struct snapshot snapshots[] = {
	[AT(FETCH_CTL)] = { .kind = CTL },
	[AT(FETCH_LINAD)] = {
		.msr = MSR_AMD64_IBSFETCHLINAD,
		.kind = LINEAR,
	},
	[AT(FETCH_PHYSAD)] = {
		.msr = MSR_AMD64_IBSFETCHPHYSAD,
		.kind = PHYSICAL,
		.valid_msr = MSR_AMD64_IBSFETCHCTL,
		.valid = IBS_FETCH_PHYS_VALID,
	},
	[AT(FETCH_EXTD)] = {
		.msr = MSR_AMD64_ICIBSEXTDCTL,
		.cap = IBS_CAP_EXTDCTL,
	},
	[AT(FETCH_PERIOD)] = { .kind = PERIOD },
	[AT(FETCH_TSC)] = { .kind = TSC },
	[AT(OP_CTL)] = { .kind = CTL },
	[AT(OP_RIP)] = { .msr = MSR_AMD64_IBSOPRIP, .kind = LINEAR },
	[AT(OP_DATA)] = { .msr = MSR_AMD64_IBSOPDATA },
	[AT(OP_DATA2)] = { .msr = MSR_AMD64_IBSOPDATA2, .kind = ACCESS },
	[AT(OP_DATA3)] = { .msr = MSR_AMD64_IBSOPDATA3, .kind = ACCESS },
	[AT(OP_DC_LINAD)] = {
		.msr = MSR_AMD64_IBSDCLINAD,
		.kind = LINEAR,
		.valid_msr = MSR_AMD64_IBSOPDATA3,
		.valid = IBS_DATA3_LIN_VALID,
	},
	[AT(OP_DC_PHYSAD)] = {
		.msr = MSR_AMD64_IBSDCPHYSAD,
		.kind = PHYSICAL,
		.valid_msr = MSR_AMD64_IBSOPDATA3,
		.valid = IBS_DATA3_PHYS_VALID,
	},
	[AT(OP_BR_TARGET)] = {
		.msr = MSR_AMD64_IBSBRTARGET,
		.cap = IBS_CAP_BRTARGET,
		.kind = LINEAR,
		.valid_msr = MSR_AMD64_IBSOPDATA,
		.valid = IBS_DATA_BRANCH,
	},
	[AT(OP_DATA4)] = {
		.msr = MSR_AMD64_IBSOPDATA4,
		.cap = IBS_CAP_OPDATA4,
	},
	[AT(OP_PERIOD)] = { .kind = PERIOD },
	[AT(OP_TSC)] = { .kind = TSC },
};

/* The flavour of a snapshot register; IBS_FLAVOURS for a PMD that counts. */
static unsigned int flavour_of(u16 pmd)
{
	if (pmd >= PFM_IBS_PMD_OP_CTL)
		return IBS_OP;
	return pmd >= PFM_IBS_PMD_FETCH_CTL ? IBS_FETCH : IBS_FLAVOURS;
}

static bool is_user(u64 address)
{
	return !(address >> 63);
}

/* An address that may be seen, or 0. */
static u64 seen(u64 address, const struct pfm_hw_sample *sample)
{
	const bool ok = is_user(address) ? sample->user_ok : sample->kernel_ok;

	return ok ? address : 0;
}

static bool is_valid(const struct ibs_engine *engine, const struct snapshot *s)
{
	if (!s->valid_msr)
		return true;
	if (s->valid_msr == MSR_AMD64_IBSFETCHCTL)
		return engine->ctl & s->valid;
	return x86_rdmsr(s->valid_msr) & s->valid;
}

/* True if the address of the sampled op is not known. */
static bool no_rip(void)
{
	return ibs.caps & IBS_CAP_RIPCHECK &&
	       x86_rdmsr(MSR_AMD64_IBSOPDATA) & IBS_DATA_RIP_INVALID;
}

/*
 * True if it may be seen what caches and TLBs had of the op's data.  User code can prefetch
 * any address of the kernel.  What the processor finds there tells where the kernel is, even
 * without the address, which the owner of the program knows.
 */
static bool access_seen(const struct pfm_hw_sample *sample)
{
	u64 data3;

	if (sample->kernel_ok ||
	    (sample->flags & PFM_HW_SAMPLE_IP && !sample->user))
		return true;
	data3 = x86_rdmsr(MSR_AMD64_IBSOPDATA3);
	if (data3 & IBS_DATA3_LIN_VALID)
		return is_user(x86_rdmsr(MSR_AMD64_IBSDCLINAD));
	return !(data3 & IBS_DATA3_PREFETCH);
}

/* The value of a snapshot register, for those who may see what sample says. */
static u64 take(const struct ibs_engine *engine, const struct snapshot *s,
		const struct pfm_hw_sample *sample)
{
	if (s->cap & ~ibs.caps || !is_valid(engine, s))
		return 0;
	switch (s->kind) {
	case CTL:
		return engine->ctl;
	case PERIOD:
		return engine->max - engine->start;
	case TSC:
		return engine->tsc;
	case LINEAR:
		if (s->msr == MSR_AMD64_IBSOPRIP && no_rip())
			return 0;
		return seen(x86_rdmsr(s->msr), sample);
	case PHYSICAL:
		return sample->kernel_ok ? x86_rdmsr(s->msr) : 0;
	case ACCESS:
		return access_seen(sample) ? x86_rdmsr(s->msr) : 0;
	default:
		return x86_rdmsr(s->msr);
	}
}

/*
 * Find out what code was sampled.  If the sample does not tell, it is the one that the NMI
 * interrupted, a few instructions later.  If there was no NMI yet, nobody knows, and the
 * bit for either is left out.  Returns the bits of the PMC that leave out this sample.
 */
static u64 locate(unsigned int f, const struct ibs_engine *engine,
		  struct pfm_hw_sample *sample)
{
	u64 ip;

	if (f == IBS_OP && no_rip()) {
		if (!engine->noted)
			return IBS_EXCLUDE;
		return engine->user ? PFM_IBS_EXCLUDE_USER
				    : PFM_IBS_EXCLUDE_KERNEL;
	}
	ip = x86_rdmsr(f == IBS_FETCH ? MSR_AMD64_IBSFETCHLINAD
				      : MSR_AMD64_IBSOPRIP);
	sample->ip = ip;
	sample->user = is_user(ip);
	sample->flags = PFM_HW_SAMPLE_IP;
	return sample->user ? PFM_IBS_EXCLUDE_USER : PFM_IBS_EXCLUDE_KERNEL;
}

/**
 * ibs_sample - take the sample that an overflow comes with
 * @prog: the program
 * @vals: values; those of the flavour's snapshot registers are stored
 * @num: the PMD that overflowed
 * @sample: who may see what; out: address
 *
 * The registers are those of the sample that ibs_save() has found: no engine is armed
 * before this.
 *
 * Return: PFM_SAMPLE_RECORD.  PFM_SAMPLE_DROP: it is of code that is left out, or it is a
 * wrong one.  PFM_SAMPLE_VOID: there is none, because the value overflowed by what an earlier
 * sample has counted beyond: its period is shorter than the engine's shortest.
 */
enum pfm_sample ibs_sample(const struct pfm_prog *prog, u64 *vals, u16 num,
			   struct pfm_hw_sample *sample)
{
	const unsigned int f = num - NUM(0);
	struct ibs_engine *engine = this_cpu_ptr(&ibs_cpus.engine[f]);
	u16 i;

	/* The record of an engine that does not run may be one of another program. */
	if (!runs(prog, f) || !engine->record)
		return PFM_SAMPLE_VOID;
	engine->record = false;
	if (locate(f, engine, sample) & conf_of(prog, f))
		return PFM_SAMPLE_DROP;
	if (f == IBS_FETCH && ibs.errata & IBS_ERRATUM_1197 && !sample->ip)
		return PFM_SAMPLE_DROP;
	for (i = 0; i < prog->npmds; i++) {
		const u16 pmd = prog->pmds[i];

		if (flavour_of(pmd) == f)
			vals[i] = take(engine,
				       &snapshots[pmd - PFM_IBS_PMD_FETCH_CTL],
				       sample);
	}
	return PFM_SAMPLE_RECORD;
}

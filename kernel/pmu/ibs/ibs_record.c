// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: what a sample consists of.
 *
 * The registers of a sample are read while its engine stands still, with interrupts off, on
 * the CPU that took it.
 */
#include "ibs_record.h"

#include <linux/percpu.h>
#include <asm/msr-index.h>
#include <asm/msr.h>

#include "ibs_state.h"
#include "pmu/x86/x86_msr.h"

/* The flavour of a snapshot register; IBS_FLAVOURS for a PMD that counts. */
static unsigned int flavour_of(u16 pmd)
{
	if (pmd >= PFM_IBS_PMD_OP_CTL)
		return IBS_OP;
	return pmd >= PFM_IBS_PMD_FETCH_CTL ? IBS_FETCH : IBS_FLAVOURS;
}

static u16 snapshots_of(unsigned int f)
{
	return f == IBS_FETCH ? PFM_IBS_FETCH_VALS : PFM_IBS_OP_VALS;
}

/**
 * ibs_record_prepare - find out which snapshot registers a program has
 * @prog: the program; all of a flavour, some of them or none are noted in priv
 */
void ibs_record_prepare(struct pfm_prog *prog)
{
	u16 n[IBS_FLAVOURS] = {};
	unsigned int f;
	u16 i;

	for (i = 0; i < prog->npmds; i++) {
		f = flavour_of(prog->pmds[i]);
		if (f == IBS_FLAVOURS)
			continue;
		prog->priv[IBS_PRIV_SOME] |= BIT(f);
		if (++n[f] == snapshots_of(f))
			prog->priv[IBS_PRIV_ALL + f] = i + 1 - n[f];
	}
}

/* Index of a snapshot register among those of its flavour. */
#define FETCH_AT(reg) (PFM_IBS_PMD_FETCH_##reg - PFM_IBS_PMD_FETCH_CTL)
#define OP_AT(reg)    (PFM_IBS_PMD_OP_##reg - PFM_IBS_PMD_OP_CTL)

/* The upper half of all addresses belongs to the kernel. */
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

/*
 * Find out what code was sampled.  If the sample does not tell, it is the one that the NMI
 * interrupted, a few instructions later.  If there was no NMI yet, nobody knows, and the
 * bit for either is left out.  Returns the bits of the PMC that leave out this sample.
 */
static u64 locate(unsigned int f, const struct ibs_engine *engine,
		  struct pfm_hw_sample *sample)
{
	u64 ip;

	if (f == IBS_OP && ibs.caps & IBS_CAP_RIPCHECK &&
	    x86_rdmsr(MSR_AMD64_IBSOPDATA) & IBS_DATA_RIP_INVALID) {
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

/*
 * True if it may be seen what caches and TLBs had of the op's data.  User code can prefetch
 * any address of the kernel.  What the processor finds there tells where the kernel is, even
 * without the address, which the owner of the program knows.
 */
static bool access_seen(const struct pfm_hw_sample *sample, u64 data3)
{
	if (sample->kernel_ok ||
	    (sample->flags & PFM_HW_SAMPLE_IP && !sample->user))
		return true;
	if (data3 & IBS_DATA3_LIN_VALID)
		return is_user(x86_rdmsr(MSR_AMD64_IBSDCLINAD));
	return !(data3 & IBS_DATA3_PREFETCH);
}

/*
 * Store the registers of a sample of fetches, for those who may see what sample says.  What
 * is not valid is 0: it may be left from a sample of somebody else.  The registers of ops
 * likewise.
 */
static void take_fetch(const struct ibs_engine *engine,
		       const struct pfm_hw_sample *sample, u64 *vals)
{
	u64 physad = 0, extd = 0;

	if (engine->ctl & IBS_FETCH_PHYS_VALID && sample->kernel_ok)
		physad = x86_rdmsr(MSR_AMD64_IBSFETCHPHYSAD);
	if (ibs.caps & IBS_CAP_EXTDCTL)
		extd = x86_rdmsr(MSR_AMD64_ICIBSEXTDCTL);
	vals[FETCH_AT(CTL)] = engine->ctl;
	vals[FETCH_AT(LINAD)] = seen(sample->ip, sample);
	vals[FETCH_AT(PHYSAD)] = physad;
	vals[FETCH_AT(EXTD)] = extd;
	vals[FETCH_AT(PERIOD)] = engine->max - engine->start;
	vals[FETCH_AT(TSC)] = engine->tsc;
}

static void take_op(const struct ibs_engine *engine,
		    const struct pfm_hw_sample *sample, u64 *vals)
{
	const u64 data = x86_rdmsr(MSR_AMD64_IBSOPDATA);
	const u64 data3 = x86_rdmsr(MSR_AMD64_IBSOPDATA3);
	const bool all = access_seen(sample, data3);
	u64 linad = 0, physad = 0, target = 0, data4 = 0;

	if (data3 & IBS_DATA3_LIN_VALID)
		linad = seen(x86_rdmsr(MSR_AMD64_IBSDCLINAD), sample);
	if (data3 & IBS_DATA3_PHYS_VALID && sample->kernel_ok)
		physad = x86_rdmsr(MSR_AMD64_IBSDCPHYSAD);
	if (ibs.caps & IBS_CAP_BRTARGET && data & IBS_DATA_BRANCH)
		target = seen(x86_rdmsr(MSR_AMD64_IBSBRTARGET), sample);
	if (ibs.caps & IBS_CAP_OPDATA4)
		data4 = x86_rdmsr(MSR_AMD64_IBSOPDATA4);
	vals[OP_AT(CTL)] = engine->ctl;
	vals[OP_AT(RIP)] = seen(sample->ip, sample);
	vals[OP_AT(DATA)] = data;
	vals[OP_AT(DATA2)] = all ? x86_rdmsr(MSR_AMD64_IBSOPDATA2) : 0;
	vals[OP_AT(DATA3)] = all ? data3 : 0;
	vals[OP_AT(DC_LINAD)] = linad;
	vals[OP_AT(DC_PHYSAD)] = physad;
	vals[OP_AT(BR_TARGET)] = target;
	vals[OP_AT(DATA4)] = data4;
	vals[OP_AT(PERIOD)] = engine->max - engine->start;
	vals[OP_AT(TSC)] = engine->tsc;
}

/* Store those registers of a sample that the program has. */
static noinline void take_some(const struct pfm_prog *prog, unsigned int f,
			       const struct ibs_engine *engine,
			       const struct pfm_hw_sample *sample, u64 *vals)
{
	const u16 begin = f == IBS_FETCH ? PFM_IBS_PMD_FETCH_CTL
					 : PFM_IBS_PMD_OP_CTL;
	u64 all[PFM_IBS_OP_VALS];
	u16 i;

	static_assert(PFM_IBS_FETCH_VALS <= PFM_IBS_OP_VALS);
	if (f == IBS_FETCH)
		take_fetch(engine, sample, all);
	else
		take_op(engine, sample, all);
	for (i = 0; i < prog->npmds; i++) {
		if (flavour_of(prog->pmds[i]) == f)
			vals[i] = all[prog->pmds[i] - begin];
	}
}

/* Store the registers of a sample. */
static void take(const struct pfm_prog *prog, unsigned int f,
		 const struct ibs_engine *engine,
		 const struct pfm_hw_sample *sample, u64 *vals)
{
	u64 *all = vals + prog->priv[IBS_PRIV_ALL + f];

	if (all == vals) {
		if (prog->priv[IBS_PRIV_SOME] & BIT(f))
			take_some(prog, f, engine, sample, vals);
	} else if (f == IBS_FETCH) {
		take_fetch(engine, sample, all);
	} else {
		take_op(engine, sample, all);
	}
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
	const unsigned int f = num - IBS_NUM(0);
	struct ibs_engine *engine = this_cpu_ptr(&ibs_cpus.engine[f]);

	/* The record of an engine that does not run may be one of another program. */
	if (!ibs_runs(prog, f) || !engine->record)
		return PFM_SAMPLE_VOID;
	engine->record = false;
	if (locate(f, engine, sample) & ibs_conf(prog, f))
		return PFM_SAMPLE_DROP;
	if (f == IBS_FETCH && ibs.errata & IBS_ERRATUM_1197 && !sample->ip)
		return PFM_SAMPLE_DROP;
	take(prog, f, engine, sample, vals);
	return PFM_SAMPLE_RECORD;
}

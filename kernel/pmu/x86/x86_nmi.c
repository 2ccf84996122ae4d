// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: the overflow interrupt, an NMI.
 *
 * The NMI acknowledges and finds out which counters have wrapped.  If it interrupted no critical
 * section, and one counter samples, it handles the overflow.  Otherwise it makes a note, and
 * leaves the rest to irq_work, which calls x86_nmi_overflow(): "Overflow as an NMI" in
 * Documentation/change/locking/pmu-x86.rst.
 */
#include "x86_nmi.h"

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/nmi.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/tsc.h>
#include <perfmon/pmu.h>

#include "x86_chipset.h"
#include "x86_lbr.h"
#include "x86_msr.h"
#include "x86_ops.h"
#include "x86_state.h"

#define NMI_NAME "perfmon"

/*
 * Times that the status is read again.  Nothing counts meanwhile, so it is clear after a
 * few at most.
 */
#define STATUS_READS 16

/**
 * x86_nmi_unmask - have the local APIC deliver overflows as NMIs
 *
 * Context: on the CPU concerned; any, also NMI.
 */
void x86_nmi_unmask(void)
{
	/* apic_write() is no function for modules on later kernels. */
	apic->write(APIC_LVTPC, APIC_DM_NMI);
}

static void unmask_at(enum x86_unmask when)
{
	if (x86.unmask == when)
		x86_nmi_unmask();
}

/* Counters of the bitmap that have wrapped. */
static u64 wrapped_of(u64 counters)
{
	u64 wrapped = 0;

	for (; counters; counters &= counters - 1) {
		const unsigned int n = __ffs64(counters);
		const struct x86_counter *c = &x86.counter[n];

		if (!(x86_rdpmc(c->rdpmc) & c->sign))
			wrapped |= BIT_ULL(n);
	}
	return wrapped;
}

/* Note the wraps of counters that run for programs. */
static void note(struct x86_cpu *cpu, u64 wraps, struct pt_regs *regs)
{
	cpu->noted |= wraps;
	pfm_pmi_note(x86.pmu->pmi, wraps, regs);
}

/* Handle the overflow at once, if only one counter samples, wrapped, and an NMI may do that. */
static bool handled_now(u64 wraps, struct pt_regs *regs)
{
	const struct pfm_solo *solo = this_cpu_ptr(&pfm_solo);

	return solo->prog && wraps == BIT_ULL(solo->num) &&
	       x86_solo_now(solo, regs);
}

/* An NMI that found nothing: true if it may be one that was to be expected. */
static bool is_late(struct x86_cpu *cpu)
{
	const u64 until = READ_ONCE(cpu->late);

	if (!until)
		return false;
	/*
	 * x86_expect_late() may have added 1.  One further ahead is of before the time stamp
	 * counter was set back: by a suspend, or as a virtual machine was restored.
	 */
	if (until - rdtsc() <= x86.late + 1)
		return true;
	WRITE_ONCE(cpu->late, 0);
	return false;
}

/*
 * Acknowledge all overflows.  The counters stand still.  Returns a bitmap of those that
 * were found; stuck: the status does not become clear.
 */
static u64 acknowledge(bool *stuck)
{
	unsigned int reads = STATUS_READS;
	u64 seen = 0;

	*stuck = false;
	while (reads--) {
		const u64 status = x86_rdmsr(x86.global_status) & x86.acked;

		if (!status)
			return seen & x86.overflows;
		x86_wrmsr(x86.global_ack, status);
		seen |= status;
	}
	*stuck = true;
	return seen & x86.overflows;
}

/*
 * The slots' counter of PERF_METRICS begins at 0, so it does not tell by itself of a wrap.
 * The bit of the metrics alone is no reason to add one, but to begin anew at 0.
 */
static noinline void metrics_overflow(struct x86_cpu *cpu, u64 seen,
				      struct pt_regs *regs)
{
	if (seen & X86_SLOTS_BIT && cpu->slots_taken) {
		cpu->slots_taken = false;
		return;
	}
	if (!(cpu->armed & X86_METRICS_BIT))
		return;
	if (seen & X86_SLOTS_BIT)
		cpu->slots_wrapped = true;
	pfm_pmi_note(x86.pmu->pmi, X86_SLOTS_BIT | X86_METRICS_BIT, regs);
}

/*
 * Acknowledge and note the overflows that the status tells of.  The counters are stopped
 * meanwhile, so that the NMI does not count itself.  They are stopped before the entry
 * is unmasked, so that no counter sends an NMI for a bit that is acknowledged here.
 *
 * perf's handler, which comes first, may have acknowledged an overflow of ours, and let
 * all counters run.  So the counters are asked if the status tells of none of them, and
 * afterwards those run that are meant to.  Returns the overflows of the status: whoever
 * acknowledged others has claimed the NMI. N1
 */
static u64 look(struct x86_cpu *cpu, struct pt_regs *regs)
{
	const u64 armed = READ_ONCE(cpu->armed);
	/* N4 */
	const u64 counters = armed & x86.counters;
	/* N11 */
	const u64 lbr = READ_ONCE(cpu->lbr);
	u64 ctrl = READ_ONCE(cpu->ctrl);
	u64 seen, mine, wraps;
	bool stuck;

	if (!ctrl || unlikely(cpu->shared))
		cpu->strayed |= x86_rdmsr(x86.global_ctrl) & ~ctrl;
	x86_wrmsr(x86.global_ctrl, 0);
	/* To acknowledge ends the freeze. */
	if (unlikely(lbr))
		x86_lbr_halt();
	unmask_at(X86_UNMASK_EARLY);
	seen = acknowledge(&stuck);
	mine = seen & counters;
	wraps = wrapped_of(mine ?: counters & ~cpu->noted);
	if (unlikely(seen & (X86_SLOTS_BIT | X86_METRICS_BIT) && x86.metrics))
		metrics_overflow(cpu, seen, regs);
	/*
	 * It may have been about a counter that is not armed at the moment: one of the bits is of
	 * no armed counter, or none is, and another handler has acknowledged it.
	 */
	if (!mine || seen & ~armed & x86.counters)
		cpu->unseen = true;
	if (wraps && handled_now(wraps, regs))
		ctrl = READ_ONCE(cpu->ctrl);
	else if (wraps)
		note(cpu, wraps, regs);
	if (unlikely(lbr) && !(cpu->noted & lbr))
		x86_lbr_go_on();
	unmask_at(X86_UNMASK_MIDDLE);
	/* Counters that run with a bit that stays set would send NMIs without end. */
	if (unlikely(stuck))
		pr_err_once("the overflow status cannot be cleared; counters stay stopped until the next switch\n");
	else if (ctrl)
		x86_wrmsr(x86.global_ctrl, ctrl);
	unmask_at(X86_UNMASK_LATE);
	return seen;
}

/* Returns the number of overflows. */
static int by_status(struct x86_cpu *cpu, struct pt_regs *regs)
{
	u64 seen = look(cpu, regs);
	int handled = hweight64(seen);

	/*
	 * A counter that wrapped before the entry was unmasked has sent no NMI.  If
	 * something is noted, the next NMI may find its bit: until then the wrap waits in
	 * the counter.  Otherwise there may be no next NMI.
	 */
	if (x86.unmask == X86_UNMASK_LATE && !cpu->noted &&
	    x86_rdmsr(x86.global_status) & x86.overflows)
		handled += hweight64(look(cpu, regs));
	if (handled && x86.late_nmis)
		x86_expect_late(cpu);
	return handled;
}

/*
 * Without a status the counters themselves tell.  A counter that is noted already has
 * sent its NMI.  The entry is unmasked first: a counter that wraps later sends an NMI,
 * and one that wraps earlier is found.
 */
static int by_counters(struct x86_cpu *cpu, struct pt_regs *regs)
{
	u64 wraps;

	if (x86.unmask != X86_UNMASK_NEVER)
		x86_nmi_unmask();
	wraps = wrapped_of(READ_ONCE(cpu->armed)) & ~READ_ONCE(cpu->noted);
	if (!wraps)
		return 0;
	/* Each may have sent an NMI, and this one may have been somebody else's. */
	x86_expect_late(cpu);
	note(cpu, wraps, regs);
	return hweight64(wraps);
}

/*
 * The kernel asks each handler.  It lets an NMI that follows at once and that nobody
 * claims go by if the handlers together returned more than 1. N7
 */
static int x86_nmi(unsigned int type, struct pt_regs *regs)
{
	struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	int handled = 0;

	if (likely(READ_ONCE(cpu->ours)))
		handled = x86.global_status ? by_status(cpu, regs)
					    : by_counters(cpu, regs);
	if (handled)
		return handled;
	if (!is_late(cpu))
		return NMI_DONE;
	/*
	 * It came after the counters were given back.  The processor may have masked the
	 * entry.
	 */
	if (!READ_ONCE(cpu->ours))
		apic->write(APIC_LVTPC, cpu->lvtpc);
	/* The kernel reports it only if nobody claims it.  An NMI of the counters may follow. */
	if (x86_chipset_sent_nmi())
		return NMI_DONE;
	/* Where NMIs come late there may be several: see x86_desc.late_nmis. */
	if (!x86.late_nmis)
		WRITE_ONCE(cpu->late, 0);
	return NMI_HANDLED;
}

/* Changed by x86_nmi_begin() and x86_nmi_end(), whose callers exclude each other. */
static bool registered;

/**
 * x86_nmi_begin - let NMIs of the counters be handled, from now on
 *
 * The kernel calls each handler in each NMI, so there is none before the PMU is taken for the
 * first time.  After that it stays, because NMIs may be late.
 *
 * Context: process; may sleep; the PMU is not given back meanwhile.
 * Return: 0, or the kernel's error.
 */
int x86_nmi_begin(void)
{
	int ret;

	if (registered)
		return 0;
	ret = register_nmi_handler(NMI_LOCAL, x86_nmi, 0, NMI_NAME);
	registered = !ret;
	return ret;
}

/**
 * x86_nmi_end - handle no NMIs any more
 *
 * Context: process; waits for NMIs that are being handled.
 */
void x86_nmi_end(void)
{
	if (registered)
		unregister_nmi_handler(NMI_LOCAL, NMI_NAME);
	registered = false;
}

/**
 * x86_nmi_overflow - handle overflows that NMIs have noted
 * @regs: interrupted registers, or NULL
 *
 * Context: irq_work, interrupts off.
 */
void x86_nmi_overflow(struct pt_regs *regs)
{
	const struct x86_cpu *cpu = this_cpu_ptr(&x86_cpus);
	u64 holds = U64_MAX;

	if (likely(x86_solo(this_cpu_ptr(&pfm_solo), regs)))
		return;
	/*
	 * Beside others only those that have wrapped.  The status may have told of another one, so
	 * that the NMI did not look at each: N1.  A wrapped counter sends no other NMI.
	 */
	if (unlikely(cpu->shared))
		holds = READ_ONCE(cpu->noted) |
			wrapped_of(cpu->armed & x86.counters) |
			(cpu->slots_wrapped ? X86_METRICS_BIT : 0);
	pfm_cpu_overflow(x86.pmu, holds, regs);
}

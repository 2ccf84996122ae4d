// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: the interrupt, an NMI.
 *
 * The NMI notes that there is a sample, and leaves it in the registers: nothing is counted,
 * and no register changes, until the engine is armed again, which only code with interrupts
 * off does: "An NMI of IBS" in Documentation/locking.rst.
 */
#include "ibs_nmi.h"

#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <asm/msr.h>
#include <asm/nmi.h>
#include <asm/tsc.h>
#include <perfmon/pmu.h>

#include "ibs_state.h"
#include "x86_msr.h"

#define NMI_NAME "perfmon_ibs"

/*
 * Returns 1 if the engine has a sample that no NMI has seen.  It writes @noted last, though
 * no code that it could interrupt here reads the other fields before @noted.
 */
static int look(const struct ibs_flavour *flavour, struct ibs_engine *engine,
		struct pt_regs *regs)
{
	if (!READ_ONCE(engine->started) || READ_ONCE(engine->noted) ||
	    !(x86_rdmsr(flavour->msr) & flavour->valid))
		return 0;
	engine->tsc = rdtsc_ordered();
	engine->user = user_mode(regs);
	WRITE_ONCE(engine->noted, true);
	pfm_pmi_note(ibs.pmu->pmi, regs);
	return 1;
}

/* An NMI that found nothing: true if the engine's last one has not come yet. */
static bool is_late(struct ibs_engine *engine)
{
	const unsigned long until = READ_ONCE(engine->late);

	if (!until)
		return false;
	WRITE_ONCE(engine->late, 0);
	return time_before(jiffies, until);
}

/*
 * The kernel asks each handler, and lets an NMI that follows at once and that nobody claims
 * go by if the handlers together returned more than 1: both engines may have sent one.
 */
static int ibs_nmi(unsigned int type, struct pt_regs *regs)
{
	struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpus);
	int handled = 0;
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++)
		handled += look(&ibs.flavour[f], &cpu->engine[f], regs);
	for (f = 0; f < IBS_FLAVOURS && !handled; f++)
		handled = is_late(&cpu->engine[f]);
	return handled;
}

/* Changed by ibs_nmi_begin() and ibs_nmi_end(), whose callers exclude each other. */
static bool registered;

/**
 * ibs_nmi_begin - let NMIs of IBS be handled, from now on
 *
 * The kernel calls each handler in each NMI, so there is none before the PMU is taken for the
 * first time.  After that it stays, because NMIs may be late.
 *
 * Context: process; may sleep; the PMU is not given back meanwhile.
 * Return: 0, or the kernel's error.
 */
int ibs_nmi_begin(void)
{
	int ret;

	if (registered)
		return 0;
	ret = register_nmi_handler(NMI_LOCAL, ibs_nmi, 0, NMI_NAME);
	registered = !ret;
	return ret;
}

/**
 * ibs_nmi_end - handle no NMIs any more
 *
 * Context: process; waits for NMIs that are being handled.
 */
void ibs_nmi_end(void)
{
	if (registered)
		unregister_nmi_handler(NMI_LOCAL, NMI_NAME);
	registered = false;
}

/**
 * ibs_nmi_overflow - handle samples that NMIs have noted
 * @regs: interrupted registers, or NULL
 *
 * Context: irq_work, interrupts off.
 */
void ibs_nmi_overflow(struct pt_regs *regs)
{
	pfm_cpu_overflow(regs);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: the interrupt, an NMI.
 *
 * An NMI that interrupted code with interrupts on takes the sample, as an interrupt would.
 * Any other NMI notes that there is one, and leaves it in the registers: nothing is counted,
 * and no register changes, until the engine is armed again, which code with interrupts off
 * does: "An NMI of IBS" in Documentation/locking.rst.
 */
#include "ibs_nmi.h"

#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <asm/nmi.h>
#include <perfmon/pmu.h>

#include "ibs_ops.h"
#include "ibs_state.h"

#define NMI_NAME "perfmon_ibs"

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
	int handled = ibs_look(regs);
	unsigned int f;

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

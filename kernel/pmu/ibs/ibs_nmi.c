// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling: the interrupt, an NMI.
 *
 * An NMI that interrupted no critical section takes the sample, as an interrupt would.
 * Any other NMI notes that there is one, and leaves it in the registers: nothing is counted,
 * and no register changes, until the engine is armed again, which code in a section
 * does: "An NMI of IBS" in Documentation/change/locking/pmu-ibs.rst.
 */
#include "ibs_nmi.h"

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/nmi.h>
#include <asm/tsc.h>
#include <perfmon/pmu.h>

#include "ibs_ops.h"
#include "ibs_state.h"
#include "pmu/x86/x86_chipset.h"

#define NMI_NAME "perfmon_ibs"
/* perf's name for its own. */
#define PERF_NMI_NAME "perf_ibs"

/* An NMI that found nothing: true if the engine's last one has not come yet. */
static bool is_late(struct ibs_engine *engine)
{
	const u64 until = READ_ONCE(engine->late);

	if (!until)
		return false;
	/*
	 * ibs_expect_late() may have added 1.  One further ahead is of before the time stamp
	 * counter was set back: by a suspend, or as a virtual machine was restored.
	 */
	if (until - rdtsc() <= ibs.late + 1)
		return true;
	WRITE_ONCE(engine->late, 0);
	return false;
}

/*
 * An NMI that found nothing: true if a running engine may have sent it and lost the bit that
 * tells of its sample, as the core fell asleep.  One is enough: until it is armed again the
 * engine has no other sample.
 */
static bool is_lost(const struct ibs_engine *engine)
{
	return ibs.errata & IBS_ERRATUM_1215 && READ_ONCE(engine->started) &&
	       !engine->noted && !engine->unexplained;
}

static int claim_late(void)
{
	struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpus);
	unsigned int f;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		struct ibs_engine *engine = &cpu->engine[f];
		const bool late = is_late(engine);

		if (!late && !is_lost(engine))
			continue;
		if (x86_chipset_sent_nmi())
			return 0;
		if (late)
			WRITE_ONCE(engine->late, 0);
		else
			engine->unexplained = true;
		return 1;
	}
	return 0;
}

/*
 * The kernel asks each handler, and lets an NMI that follows at once and that nobody claims
 * go by if the handlers together returned more than 1: both engines may have sent one.
 */
static int ibs_nmi(unsigned int type, struct pt_regs *regs)
{
	return ibs_look(regs) ?: claim_late();
}

/* perf's handler, and its entry in the kernel's list; NULL while nothing was replaced. */
static nmi_handler_t perf_handler;
static struct nmiaction *perf_action;

/*
 * In the place of perf's handler.  The kernel reads the clock before and after each handler
 * in its list, and perf's finds nothing to do while IBS is ours: the two together take longer
 * than our own.  perf's is called for each NMI that is not about a sample of ours.
 */
static int ibs_nmi_for_perf(unsigned int type, struct pt_regs *regs)
{
	return ibs_look(regs) ?: perf_handler(type, regs) + claim_late();
}

static struct nmiaction own = {
	.list = LIST_HEAD_INIT(own.list),
	.handler = ibs_nmi,
	.name = NMI_NAME,
};

static int nothing(unsigned int type, struct pt_regs *regs)
{
	return NMI_DONE;
}

static struct nmiaction first = {
	.list = LIST_HEAD_INIT(first.list),
	.handler = nothing,
	.flags = NMI_FLAG_FIRST,
	.name = NMI_NAME "_first",
};

/*
 * Find perf's entry in the kernel's list.  Modules cannot see the head of the list.  So an
 * entry of ours is put first, and another one is the last of those that were there: between
 * them there is no head.  perf's driver is built in, and its entry is never removed.
 */
static struct nmiaction *find_perf(void)
{
	struct nmiaction *action = &first, *found = NULL;

	if (__register_nmi_handler(NMI_LOCAL, &first))
		return NULL;
	rcu_read_lock();
	while (action != &own && !found) {
		if (!strcmp(action->name, PERF_NMI_NAME))
			found = action;
		action = list_entry_rcu(action->list.next, struct nmiaction,
					list);
	}
	rcu_read_unlock();
	unregister_nmi_handler(NMI_LOCAL, first.name);
	return found;
}

/* Changed by ibs_nmi_begin() and ibs_nmi_end(), whose callers exclude each other. */
static bool registered;

/**
 * ibs_nmi_begin - let NMIs of IBS be handled, from now on
 *
 * The kernel calls each handler in each NMI, so there is none before the PMU is taken for the
 * first time.  After that it stays, because NMIs may be late.  Where perf has a handler for
 * IBS, ours takes its place, and calls it.
 *
 * Context: process; may sleep; the PMU is not given back meanwhile.
 * Return: 0, or the kernel's error.
 */
int ibs_nmi_begin(void)
{
	int ret;

	if (registered)
		return 0;
	ret = __register_nmi_handler(NMI_LOCAL, &own);
	if (ret)
		return ret;
	registered = true;
	perf_action = find_perf();
	if (!perf_action)
		return 0;
	perf_handler = perf_action->handler;
	/* Whoever calls our handler finds perf's. */
	smp_store_release(&perf_action->handler, ibs_nmi_for_perf);
	unregister_nmi_handler(NMI_LOCAL, NMI_NAME);
	return 0;
}

/**
 * ibs_nmi_end - handle no NMIs any more
 *
 * Context: process; waits for NMIs that are being handled.
 */
void ibs_nmi_end(void)
{
	if (perf_action) {
		WRITE_ONCE(perf_action->handler, perf_handler);
		/* The kernel calls handlers in a read-side section. */
		synchronize_rcu();
		perf_action = NULL;
	} else if (registered) {
		unregister_nmi_handler(NMI_LOCAL, NMI_NAME);
	}
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
	const struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpus);
	unsigned int f;
	u64 holds = 0;

	for (f = 0; f < IBS_FLAVOURS; f++) {
		if (READ_ONCE(cpu->engine[f].noted))
			holds |= IBS_HOLDS(f);
	}
	pfm_cpu_overflow(ibs.pmu, holds, regs);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Critical sections: where a CPU is in the middle of a change that an NMI must not see.
 *
 * An NMI may come where interrupts are off, so that does not keep it out.  Code that uses what
 * the handling of an overflow changes is in a section, and an NMI that interrupted one makes
 * a note.  The argument: "Critical sections" in Documentation/change/locking/core.rst.
 */
#ifndef _PERFMON_CRITICAL_H
#define _PERFMON_CRITICAL_H

#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

/*
 * Number of sections that the CPU is in.  Written on that CPU with interrupts off, never in an
 * NMI, and read by its NMIs.
 */
DECLARE_PER_CPU(unsigned int, pfm_critical);

/* Elsewhere no PMU of perfmon's interrupts by an NMI. */
#define PFM_CRITICAL IS_ENABLED(CONFIG_X86)

/**
 * pfm_critical_enter - begin a section
 *
 * An NMI that came before may have changed what the caller has read.  Sections may be nested.
 *
 * Context: interrupts off; not in an NMI.
 */
static __always_inline void pfm_critical_enter(void)
{
	if (!PFM_CRITICAL)
		return;
	this_cpu_inc(pfm_critical);
	/* For an NMI of this CPU the order of the program is enough. */
	barrier();
}

/** pfm_critical_exit - end a section */
static __always_inline void pfm_critical_exit(void)
{
	if (!PFM_CRITICAL)
		return;
	barrier();
	this_cpu_dec(pfm_critical);
}

/**
 * pfm_critical_interrupted - tell whether an NMI has interrupted a section
 *
 * Context: NMI.
 * Return: true if it has.
 */
static __always_inline bool pfm_critical_interrupted(void)
{
	return PFM_CRITICAL && this_cpu_read(pfm_critical);
}

/**
 * pfm_critical_assert - assert that no NMI can handle an overflow here
 *
 * A section that is missing does harm only if an NMI comes at the wrong instruction.  This
 * finds it whenever the code runs, on kernels with lockdep.
 */
static __always_inline void pfm_critical_assert(void)
{
	if (PFM_CRITICAL && IS_ENABLED(CONFIG_PROVE_LOCKING))
		WARN_ON_ONCE(!in_nmi() && !this_cpu_read(pfm_critical));
}

#endif /* _PERFMON_CRITICAL_H */

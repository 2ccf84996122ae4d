/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the PMU of a CPU counts for.
 */
#ifndef _PFM_CPU_STATE_H
#define _PFM_CPU_STATE_H

#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct pfm_cset;
struct pfm_layout;
struct pfm_pmu;
struct pfm_target;

/* All counters are zero, and none runs. */
#define PFM_CPU_ZERO U64_MAX

/**
 * struct pfm_cpu - what a CPU's PMU is used for
 * @nr: its number; constant
 * @target: target that it counts for, or NULL
 * @layout: what @target was loaded with; stays valid while @target is set
 * @cset: the active set, of @layout
 * @prog_id: pfm_cset.prog_id of the program in the configuration registers, 0 none
 * @last: target whose counts the counters still hold; only compared, as the target
 *	may be gone.  It is current when its pfm_target.last_cpu is this CPU
 * @passed: the counters of @prog_id do not hold the low bits of the values since
 *	the probe passed them on, so @last cannot be said
 * @user: PMU that user mode may read now, or NULL: user_page.c
 * @clean: pfm_cset.prog_id of the program beside which all counters are zero, or
 *	PFM_CPU_ZERO; 0 not known
 * @since: when @cset began to count here; only of a layout that is timed, and so
 *	are the next two
 * @loaded: up to when PFM_REG_SET_ENABLED of @target is right
 * @deadline: end of the turn of @cset, if it has a timeout
 * @slice: goes off at @deadline
 * @storm: ends the pause after a storm of overflows
 * @wide: target of the context that monitors this CPU, whatever task runs, or
 *	NULL
 * @away: the CPU is about to go offline: nothing is counted on it for @wide
 *
 * Used on that CPU with interrupts off, and by nobody else.  Times are ns of
 * CLOCK_MONOTONIC.
 */
struct pfm_cpu {
	struct pfm_target *target;
	struct pfm_target *system_wide;
	int nr;
	bool away;
	bool passed;
	const struct pfm_layout *layout;
	const struct pfm_cset *cset;
	u64 prog_id;
	const struct pfm_target *last;
	const struct pfm_pmu *user;
	u64 clean;
	u64 since;
	u64 loaded;
	u64 deadline;
	struct hrtimer slice;
	struct hrtimer storm;
};

DECLARE_PER_CPU(struct pfm_cpu, pfm_cpus);

#endif /* _PFM_CPU_STATE_H */

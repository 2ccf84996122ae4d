/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probe on sched_switch.
 */
#ifndef _PFM_SCHED_SWITCH_H
#define _PFM_SCHED_SWITCH_H

#include <linux/types.h>

struct task_struct;

void pfm_sched_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state);

#endif /* _PFM_SCHED_SWITCH_H */

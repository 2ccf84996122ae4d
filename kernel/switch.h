/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moving counts between tasks and the PMU of a CPU.
 */
#ifndef _PFM_SWITCH_H
#define _PFM_SWITCH_H

#include <linux/types.h>

struct pfm_context;
struct pfm_link;
struct task_struct;

void pfm_switch_probe(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state);
void pfm_switch_in(struct pfm_link *link);
void pfm_switch_out(struct pfm_link *link);
void pfm_switch_start(struct pfm_context *ctx);
void pfm_switch_stop(struct pfm_context *ctx);
void pfm_switch_read(struct pfm_link *link, u64 *vals);
bool pfm_switch_write(struct pfm_link *link, const unsigned long *mask,
		      const u64 *vals);
void pfm_switch_reload(struct pfm_link *link);
int pfm_switch_restart(struct pfm_link *link, u64 arg);
void pfm_switch_init(void);
void pfm_switch_exit(void);

#endif /* _PFM_SWITCH_H */

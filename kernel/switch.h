/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moving counts between tasks and the PMU of a CPU.
 */
#ifndef _PFM_SWITCH_H
#define _PFM_SWITCH_H

#include <linux/types.h>

struct pfm_context;
struct pfm_link;

/**
 * struct pfm_switch_value - a value to write
 * @bank: index of its set in the layout
 * @at: index of the value in the set
 * @value: what to write
 */
struct pfm_switch_value {
	u32 bank;
	u16 at;
	u64 value;
};

void pfm_switch_in(struct pfm_link *link);
void pfm_switch_out(struct pfm_link *link);
void pfm_switch_start(struct pfm_context *ctx);
void pfm_switch_stop(struct pfm_context *ctx);
void pfm_switch_read(struct pfm_link *link, u64 *vals, u32 from, u32 to);
bool pfm_switch_read_own(struct pfm_context *ctx, u64 *vals, u32 from, u32 to);
bool pfm_switch_write(struct pfm_link *link,
		      const struct pfm_switch_value *vals, u32 count);
void pfm_switch_reload(struct pfm_link *link);
int pfm_switch_restart(struct pfm_link *link, u64 arg);

#endif /* _PFM_SWITCH_H */

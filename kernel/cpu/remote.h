/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work on targets that another CPU may be counting for.
 */
#ifndef _PFM_REMOTE_H
#define _PFM_REMOTE_H

#include <linux/types.h>

struct pfm_context;
struct pfm_target;

/**
 * struct pfm_remote_value - a value to write
 * @cset: index of its compiled set in the layout
 * @at: index of the value in the compiled set
 * @value: the new value
 */
struct pfm_remote_value {
	u32 cset;
	u16 at;
	u64 value;
};

void pfm_remote_in(void);
void pfm_remote_out(struct pfm_target *target);
void pfm_remote_start(struct pfm_context *ctx);
void pfm_remote_stop(struct pfm_context *ctx);
void pfm_remote_stop_all(struct pfm_context *ctx);
void pfm_remote_read(struct pfm_target *target, u64 *vals, u32 from, u32 to);
bool pfm_remote_read_own(struct pfm_context *ctx, u64 *vals, u32 from, u32 to);
bool pfm_remote_write(struct pfm_target *target,
		      const struct pfm_remote_value *vals, u32 count);
void pfm_remote_reload(struct pfm_target *target);
int pfm_remote_restart(struct pfm_target *target, u64 arg);

#endif /* _PFM_REMOTE_H */

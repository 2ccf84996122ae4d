/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Retiring and splitting targets: the ways in which counts leave a target.
 */
#ifndef _PFM_RETIRE_H
#define _PFM_RETIRE_H

#include <linux/types.h>

struct pfm_path;
struct pfm_target;

void pfm_target_retire(struct pfm_target *target, u16 reason, u32 status);
struct pfm_target *pfm_target_alloc_split(const struct pfm_target *target);
struct pfm_target *pfm_target_reserve_split(const struct pfm_target *target);
bool pfm_target_split(struct pfm_target *target, struct pfm_target *old,
		      struct pfm_path *path);

#endif /* _PFM_RETIRE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _FORMATS_FRAMES_H
#define _FORMATS_FRAMES_H

#include <linux/types.h>

struct pfm_ovfl;
struct pt_regs;

/**
 * struct frames - a row of addresses that grows
 * @at: where they go
 * @max: room
 * @n: how many there are
 * @cut: there would have been more
 */
struct frames {
	u64 *at;
	u32 max;
	u32 n;
	bool cut;
};

void frames_kernel(struct frames *frames, struct pt_regs *regs);
void frames_user(struct frames *frames, struct pt_regs *regs);
struct pt_regs *frames_user_regs(const struct pfm_ovfl *ovfl);

#endif /* _FORMATS_FRAMES_H */

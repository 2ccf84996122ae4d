/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _FORMATS_FRAMES_H
#define _FORMATS_FRAMES_H

#include <linux/types.h>

struct pfm_ovfl;
struct pt_regs;

/**
 * struct frames - the addresses of a stack that is being walked
 * @at: the addresses
 * @max: most addresses
 * @n: number of addresses
 * @cut: the stack has more frames
 * @want_lr: record the link register behind the interrupted instruction, where there is one
 * @lr: the second address is the link register
 */
struct frames {
	u64 *at;
	u32 max;
	u32 n;
	bool cut;
	bool want_lr;
	bool lr;
};

void frames_kernel(struct frames *frames, struct pt_regs *regs);
void frames_user(struct frames *frames, struct pt_regs *regs);
struct pt_regs *frames_user_regs(const struct pfm_ovfl *ovfl);

#endif /* _FORMATS_FRAMES_H */

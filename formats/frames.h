/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _FORMATS_FRAMES_H
#define _FORMATS_FRAMES_H

#include <linux/types.h>

struct pt_regs;
struct task_struct;

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
struct pt_regs *frames_user_regs(struct task_struct *task,
				 struct pt_regs *regs);

#endif /* _FORMATS_FRAMES_H */

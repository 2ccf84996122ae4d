/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gate of a target, which is open while the task is in one of the context's ranges, and the
 * table of what was counted in each range.
 */
#ifndef _PFM_GATE_H
#define _PFM_GATE_H

#include <linux/types.h>

struct pfm_context;
struct pfm_gate_cpu;
struct pfm_gate_point;
struct pfm_layout;
struct pfm_range_info;
struct pfm_target;

/* In the first element of a frame, beside the stack pointer, which is a multiple of 4. */
#define PFM_FRAME_ALT 1 /* the frame is on the alternate signal stack */
#define PFM_FRAME_PART \
	2 /* the call is that of the parent: fork came in its middle */
#define PFM_FRAME_FLAGS (PFM_FRAME_ALT | PFM_FRAME_PART)
/* Least and greatest stack pointer of a frame that is open. */
#define PFM_FRAME_LEAST ((u64)PFM_FRAME_FLAGS + 1)
#define PFM_FRAME_MOST	(~(u64)PFM_FRAME_FLAGS)
/* The frame of a range that the task entered once, and will not enter any more. */
#define PFM_FRAME_SPENT 1

/**
 * enum pfm_gate_count - what is counted of the calls of a range; see struct pfm_range_info
 * @PFM_GATE_CALLS: calls
 * @PFM_GATE_OUTER: outer
 * @PFM_GATE_RETURNED: returned
 * @PFM_GATE_LEFT: left
 * @PFM_GATE_CUT: cut
 * @PFM_GATE_MISSED: missed
 * @PFM_GATE_COUNTS: number of the counts
 */
enum pfm_gate_count {
	PFM_GATE_CALLS,
	PFM_GATE_OUTER,
	PFM_GATE_RETURNED,
	PFM_GATE_LEFT,
	PFM_GATE_CUT,
	PFM_GATE_MISSED,
	PFM_GATE_COUNTS,
};

/**
 * struct pfm_gates - the ranges of a context, and their table
 * @n: number of ranges; constant once the context has them
 * @once: bitmap of the ranges that each thread enters once; constant likewise
 * @nvals: number of values of the layout that the context was loaded with last; 0: not yet
 * @nums: their register numbers
 * @cpus: the table: a part for each possible CPU; NULL until the context is loaded
 * @points: where probes are; attach/gate_probe.c has them
 * @npoints: number of elements of @points
 *
 * @nvals, @nums and @cpus are changed under pfm_context.lock, while unloaded only.
 */
struct pfm_gates {
	u32 n;
	u32 nvals;
	u64 once;
	u16 *nums;
	struct pfm_gate_cpu **cpus;
	struct pfm_gate_point *points;
	u32 npoints;
};

struct pfm_gates *pfm_gate_create(void);
void pfm_gate_free(struct pfm_gates *gates);
int pfm_gate_load(struct pfm_context *ctx, const struct pfm_layout *layout);
u64 pfm_gate_frame(const struct pfm_target *target, u32 range);
bool pfm_gate_spent(const struct pfm_target *target, u32 range);
void pfm_gate_count(struct pfm_target *target, u32 range,
		    enum pfm_gate_count what);
void pfm_gate_begin(struct pfm_target *target, u32 range, u64 frame);
void pfm_gate_end(struct pfm_target *target, u32 range,
		  enum pfm_gate_count how);
void pfm_gate_cut(struct pfm_target *target);
void pfm_gate_exec(struct pfm_target *target);
void pfm_gate_fork(struct pfm_target *child, const struct pfm_target *parent);
int pfm_gate_info(struct pfm_context *ctx, struct pfm_range_info *info);

#endif /* _PFM_GATE_H */

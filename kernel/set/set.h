/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event set: the registers that user space wrote.
 */
#ifndef _PFM_SET_H
#define _PFM_SET_H

#include <linux/types.h>
#include <perfmon/pmu.h>

struct pfm_context;

/* Registers of each kind that set 0 has room for without an allocation. */
#define PFM_SET_FEW 8

/**
 * struct pfm_regvec - registers of one kind with their values
 * @n: elements
 * @room: elements that @v has room for
 * @v: elements in ascending order of register number
 */
struct pfm_regvec {
	u16 n;
	u16 room;
	struct pfm_prog_reg *v;
};

/**
 * struct pfm_attrvec - sampling attributes of registers
 * @n: elements
 * @v: elements in ascending order of register number
 */
struct pfm_attrvec {
	u16 n;
	struct pfm_pmd_attr *v;
};

/**
 * struct pfm_set - one event set
 * @id: its number
 * @next: see struct pfm_set_desc, also for what follows
 * @flags:
 * @timeout:
 * @jitter:
 * @pmcs: configuration registers in use
 * @pmds: data registers in use, with their values while the context is not
 *	loaded
 * @attrs: data registers that sample
 * @active_ns: PFM_REG_SET_ACTIVE while the context is not loaded
 * @runs: PFM_REG_SET_RUNS likewise
 * @few: room for PFM_SET_FEW PMCs and as many PMDs, what @pmcs.v and @pmds.v are
 *	as long as they fit; NULL but in set 0, as there may be many others;
 *	constant
 *
 * Protected by pfm_context.lock.  Memory grows with the registers in use, and is
 * charged to the caller's memory control group.
 */
struct pfm_set {
	u16 id;
	u16 next;
	u32 flags;
	u64 timeout;
	u64 jitter;
	struct pfm_regvec pmcs;
	struct pfm_regvec pmds;
	struct pfm_attrvec attrs;
	u64 active_ns;
	u64 runs;
	struct pfm_prog_reg *few;
};

/**
 * struct pfm_staged - copies of a set's register lists
 * @set: the set
 * @pmcs: copy of pfm_set.pmcs with room for what is to be written, if asked for
 * @pmds: copy of pfm_set.pmds likewise
 * @attrs: copy of pfm_set.attrs likewise
 */
struct pfm_staged {
	struct pfm_set *set;
	struct pfm_regvec pmcs;
	struct pfm_regvec pmds;
	struct pfm_attrvec attrs;
};

#define PFM_STAGE_PMCS	BIT(0)
#define PFM_STAGE_PMDS	BIT(1)
#define PFM_STAGE_ATTRS BIT(2)

/**
 * struct pfm_stage - copies of all sets that a call changes
 * @n: elements
 * @what: PFM_STAGE_*: lists that are copied
 * @v: one element a set
 * @one: room for one, the common case
 */
struct pfm_stage {
	u32 n;
	u32 what;
	struct pfm_staged *v;
	struct pfm_staged one;
};

struct pfm_prog_reg *pfm_regvec_find(const struct pfm_regvec *vec, u16 num);
void pfm_regvec_set(struct pfm_regvec *vec, u16 num, u64 value);
void pfm_regvec_write(struct pfm_regvec *pmds, struct pfm_regvec *pmcs,
		      const struct pfm_context *ctx, u16 num, u64 value);
struct pfm_set *pfm_set_find(const struct pfm_context *ctx, u16 id);
struct pfm_set *pfm_set_first(const struct pfm_context *ctx, unsigned long *id);
struct pfm_set *pfm_set_next(const struct pfm_context *ctx, unsigned long *id);
bool pfm_set_empty(const struct pfm_context *ctx);
void pfm_set_init(struct pfm_context *ctx);
void pfm_set_exit(struct pfm_context *ctx);
void pfm_set_clear(struct pfm_set *set);
int pfm_set_reserve(struct pfm_set *set, const struct pfm_reg *regs, u32 count,
		    u32 what);
bool pfm_set_same(const struct pfm_reg *regs, u32 count);
int pfm_stage_begin(struct pfm_stage *stage, struct pfm_context *ctx,
		    const struct pfm_reg *regs, u32 count, u32 what);
void pfm_staged_write(struct pfm_staged *to, const struct pfm_context *ctx,
		      u16 num, u64 value);
struct pfm_staged *pfm_stage_find(struct pfm_stage *stage,
				  const struct pfm_set *set);
void pfm_stage_swap(struct pfm_stage *stage);
void pfm_stage_drop(struct pfm_stage *stage);

#endif /* _PFM_SET_H */

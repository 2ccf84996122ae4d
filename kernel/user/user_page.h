/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User pages: what a thread needs to read its own counters in user mode.
 */
#ifndef _PFM_USER_PAGE_H
#define _PFM_USER_PAGE_H

#include <linux/compiler.h>
#include <linux/perfmon.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "user/user_access.h"

struct pfm_context;
struct pfm_cpu;
struct task_struct;

/**
 * struct pfm_user_mapping - the user page of a context
 * @ref: the context and each mapping
 * @ctl: the page itself; constant
 * @pmu: hardware PMU of the context, or NULL; constant
 * @mm: who has it mapped, NULL nobody; only compared; user_pages_lock to change
 * @access: lets @mm read counters of @pmu; NULL neither; user_pages_lock
 * @nmaps: mappings in @mm; user_pages_lock
 * @probes: keeps the probes registered, as the context is unloaded; user_pages_lock
 * @filled: pfm_layout.id of the layout that the table is of, 0 none: from here
 *	on as pfm_target.vals
 * @ncsets: compiled sets that are in the table
 * @cset: the one whose registers are in counters
 * @start: index of the first register of each
 */
struct pfm_user_mapping {
	refcount_t ref;
	struct pfm_user_page *ctl;
	const struct pfm_pmu *pmu;

	const struct mm_struct *mm;
	struct pfm_user_access *access;
	unsigned int nmaps;
	bool probes;

	u64 filled;
	u32 ncsets;
	u32 cset;
	u8 start[PFM_USER_PAGE_REGS];
};

/* Also taken below pfm_context.targets_lock; see locking.rst. */
extern raw_spinlock_t pfm_user_pages_lock;

/* Whether anybody may read counters: all that the switch hook asks mostly. */
static inline bool pfm_user_page_mapped(void)
{
	return unlikely(READ_ONCE(pfm_user_access_pages));
}

bool pfm_user_page_keep_probes(struct pfm_context *ctx);
void pfm_user_page_unloaded(struct pfm_context *ctx);
void pfm_user_page_stale(struct pfm_context *ctx);
void pfm_user_page_run(struct pfm_cpu *cpu);
void pfm_user_page_stop(struct pfm_cpu *cpu);
void pfm_user_page_refresh(struct pfm_cpu *cpu, const u64 *vals);
void pfm_user_page_switch(struct pfm_cpu *cpu, const struct task_struct *task);
void pfm_user_page_deny_all(void);
bool pfm_user_page_allows(const struct task_struct *task);
void pfm_user_page_look(void);

#endif /* _PFM_USER_PAGE_H */

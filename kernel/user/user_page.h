/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User pages, with which a thread reads its own counters in user mode.
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
struct pfm_slot;
struct task_struct;

/**
 * struct pfm_user_mapping - the user page of a context
 * @ref: references of the context and of each mapping
 * @ctl: the page itself; constant
 * @pmu: hardware PMU of the context, or NULL; pins its module; constant
 * @mm: address space that has the page mapped, NULL when none has; only compared;
 *	pfm_user_pages_lock to change
 * @access: entry that lets @mm read counters of @pmu; NULL when @mm or @pmu is NULL;
 *	pfm_user_pages_lock
 * @nmaps: number of mappings in @mm; pfm_user_pages_lock
 * @probes: the page keeps the tracepoint probes registered, because the context is
 *	unloaded; pfm_user_pages_lock
 * @filled: pfm_layout.id of the layout that the table in @ctl describes, 0 for none.
 *	It and the fields below have the same owner as pfm_target.vals
 * @ncsets: number of compiled sets in the table
 * @cset: index of the compiled set whose registers are in counters
 * @start: for each compiled set, index in the table of its first register
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

/* Also taken below pfm_context.targets_lock; see Documentation/change/locking/user.rst. */
extern raw_spinlock_t pfm_user_pages_lock;

/*
 * True when any process may read counters; usually the only thing the switch probe
 * asks.
 */
static inline bool pfm_user_page_mapped(void)
{
	return unlikely(READ_ONCE(pfm_user_access_pages));
}

bool pfm_user_page_keep_probes(struct pfm_context *ctx);
void pfm_user_page_unloaded(struct pfm_context *ctx);
void pfm_user_page_stale(struct pfm_context *ctx);
void pfm_user_page_run(struct pfm_slot *slot);
void pfm_user_page_stop(struct pfm_slot *slot);
void pfm_user_page_refresh(struct pfm_slot *slot, const u64 *vals);
void pfm_user_page_switch(struct pfm_cpu *cpu, const struct task_struct *task);
void pfm_user_page_deny_all(void);
void pfm_user_page_withdraw(const struct pfm_user_mapping *page,
			    const struct mm_struct *mm);
bool pfm_user_page_allows(const struct task_struct *task);
void pfm_user_page_look(void);
void pfm_user_page_beside(struct pfm_cpu *cpu);

#endif /* _PFM_USER_PAGE_H */

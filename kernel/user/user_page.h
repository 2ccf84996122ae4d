/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control pages: what a thread needs to read its own counters in user mode.
 */
#ifndef _PFM_USER_PAGE_H
#define _PFM_USER_PAGE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "user/user_access.h"

struct pfm_context;
struct pfm_cpu;
struct task_struct;
struct vm_area_struct;

/* Whether anybody may read counters: all that the switch hook asks mostly. */
static inline bool pfm_user_page_mapped(void)
{
	return unlikely(READ_ONCE(pfm_user_accesses));
}

int pfm_user_page_map(struct pfm_context *ctx, struct vm_area_struct *vma);
void pfm_user_page_free(struct pfm_context *ctx);
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

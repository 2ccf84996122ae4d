/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mapping and unmapping the user page of a context.
 */
#ifndef _PFM_USER_PAGE_MAP_H
#define _PFM_USER_PAGE_MAP_H

struct pfm_context;
struct vm_area_struct;

int pfm_user_page_map(struct pfm_context *ctx, struct vm_area_struct *vma);
void pfm_user_page_free(struct pfm_context *ctx);

#endif /* _PFM_USER_PAGE_MAP_H */

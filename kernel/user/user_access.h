/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User-access processes: processes that may read counters in user mode.
 */
#ifndef _PFM_USER_ACCESS_H
#define _PFM_USER_ACCESS_H

#include <linux/compiler.h>
#include <linux/types.h>

struct mm_struct;
struct pfm_pmu;
struct pfm_user_access;

extern unsigned int pfm_user_access_pages;

struct pfm_user_access *pfm_user_access_create(const struct mm_struct *mm,
					       const struct pfm_pmu *pmu);
struct pfm_user_access *pfm_user_access_join(struct pfm_user_access *access);
bool pfm_user_access_leave(struct pfm_user_access *access);
void pfm_user_access_left(struct pfm_user_access *access);
const struct pfm_pmu *pfm_user_access_pmu(const struct mm_struct *mm);

#endif /* _PFM_USER_ACCESS_H */

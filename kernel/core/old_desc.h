/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /sys/kernel/perfmon/pmu_desc.
 */
#ifndef _PFM_OLD_DESC_H
#define _PFM_OLD_DESC_H

struct kobject;
struct list_head;
struct pfm_pmu;

int pfm_old_desc_begin(struct kobject *top, const struct pfm_pmu *pmu);
void pfm_old_desc_end(void);
int pfm_old_desc_add(const struct pfm_pmu *pmu, struct list_head *regs);
void pfm_old_desc_remove(const struct pfm_pmu *pmu, struct list_head *regs);

#endif /* _PFM_OLD_DESC_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /sys/kernel/perfmon.
 */
#ifndef _PFM_SYSFS_H
#define _PFM_SYSFS_H

struct attribute_group;
struct pfm_format;
struct pfm_pmu;

int pfm_sysfs_init(const struct attribute_group **groups);
void pfm_sysfs_exit(void);
int pfm_sysfs_add_pmu(const struct pfm_pmu *pmu);
void pfm_sysfs_remove_pmu(const struct pfm_pmu *pmu);
int pfm_sysfs_add_format(const struct pfm_format *fmt, const char *text);
void pfm_sysfs_remove_format(const struct pfm_format *fmt);

#endif /* _PFM_SYSFS_H */

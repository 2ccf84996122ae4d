/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Policy: the rights that the administrator gives to users without CAP_PERFMON.
 */
#ifndef _PFM_POLICY_H
#define _PFM_POLICY_H

#include <linux/types.h>

struct attribute_group;
struct cgroup;
struct pfm_context;

extern const struct attribute_group pfm_policy_group;

bool pfm_policy_cpus(void);
bool pfm_policy_cgroup(struct cgroup *cgroup);
bool pfm_policy_threads(void);
bool pfm_policy_take(void);
void pfm_policy_get_reserved(unsigned long *pmds);
bool pfm_policy_reserved(const u64 *holds);
bool pfm_policy_kernel(void);
bool pfm_policy_kernel_open(void);
bool pfm_policy_sees_kernel(void);
bool pfm_policy_samples_locked(const struct pfm_context *ctx);

#endif /* _PFM_POLICY_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SET_CGROUP: the cgroup that a context of a CPU monitors.
 */
#ifndef _PFM_CGROUP_CTL_H
#define _PFM_CGROUP_CTL_H

struct pfm_cgroup;
struct pfm_context;

int pfm_cgroup_ctl(struct pfm_context *ctx, const struct pfm_cgroup *arg);
void pfm_cgroup_ctl_free(struct pfm_context *ctx);

#endif /* _PFM_CGROUP_CTL_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * SET_CGROUP: the cgroup that a context of a CPU monitors.
 */
#include "abi/cgroup_ctl.h"

#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/perfmon.h>

#include "core/context.h"
#include "core/cpu_state.h"

#ifdef CONFIG_CGROUPS
/* The right to monitor a cgroup is checked by LOAD. */
static struct cgroup *get(int fd)
{
	struct cgroup *cgroup;

	if (fd == -1)
		return NULL;
	cgroup = cgroup_get_from_fd(fd);
	if (!IS_ERR(cgroup) && cgroup->level >= PFM_CGROUP_LEVELS) {
		cgroup_put(cgroup);
		return ERR_PTR(-ERANGE);
	}
	return cgroup;
}

static void put(struct cgroup *cgroup)
{
	if (cgroup)
		cgroup_put(cgroup);
}
#else
static struct cgroup *get(int fd)
{
	return fd == -1 ? NULL : ERR_PTR(-EOPNOTSUPP);
}

static void put(struct cgroup *cgroup)
{
}
#endif

/**
 * pfm_cgroup_ctl - choose the cgroup that a context monitors (PFM_IOC_SET_CGROUP)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of SET_CGROUP in <linux/perfmon.h>.
 */
int pfm_cgroup_ctl(struct pfm_context *ctx, const struct pfm_cgroup *arg)
{
	struct cgroup *cgroup;

	lockdep_assert_held(&ctx->lock);
	if (arg->flags || !pfm_context_is_system_wide(ctx))
		return -EINVAL;
	if (rcu_access_pointer(ctx->layout))
		return -EBUSY;
	cgroup = get(arg->fd);
	if (IS_ERR(cgroup))
		return PTR_ERR(cgroup);
	put(ctx->cgroup);
	ctx->cgroup = cgroup;
	return 0;
}

/**
 * pfm_cgroup_ctl_free - drop the cgroup of a context that nobody uses any more
 * @ctx: the context
 *
 * Context: process.
 */
void pfm_cgroup_ctl_free(struct pfm_context *ctx)
{
	put(ctx->cgroup);
	ctx->cgroup = NULL;
}

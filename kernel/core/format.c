// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registry of sampling formats, and what handlers may call.
 */
#include "core/format.h"

#include <linux/kmod.h>
#include <linux/mutex.h>
#include <linux/uuid.h>

#include "core/context.h"
#include "core/pmu.h"
#include "core/sysfs.h"
#include "sampling/overflow.h"
#include "set/layout.h"
#include "target/policy.h"
#include "target/target.h"
#include "user/user_page.h"

/* Protects formats and the users of each. */
static DEFINE_MUTEX(formats_lock);
static LIST_HEAD(formats);

static struct pfm_format *find_uuid(const u8 *uuid)
{
	struct pfm_format *fmt;

	list_for_each_entry(fmt, &formats, node) {
		if (!memcmp(fmt->uuid, uuid, PFM_UUID_LEN))
			return fmt;
	}
	return NULL;
}

static bool name_taken(const char *name)
{
	struct pfm_format *fmt;

	list_for_each_entry(fmt, &formats, node) {
		if (!strcmp(fmt->name, name))
			return true;
	}
	return false;
}

int pfm_register_format(struct pfm_format *fmt)
{
	int ret;

	if (!fmt->name || !*fmt->name || strchr(fmt->name, '/') ||
	    !fmt->handler || fmt->arg_size > PAGE_SIZE ||
	    !memchr_inv(fmt->uuid, 0, PFM_UUID_LEN))
		return -EINVAL;
	mutex_lock(&formats_lock);
	ret = -EEXIST;
	if (find_uuid(fmt->uuid) || name_taken(fmt->name))
		goto out_unlock;
	ret = pfm_sysfs_add_format(fmt);
	if (ret)
		goto out_unlock;
	fmt->users = 0;
	list_add_tail(&fmt->node, &formats);
out_unlock:
	mutex_unlock(&formats_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pfm_register_format);

int pfm_unregister_format(struct pfm_format *fmt)
{
	int ret = 0;

	mutex_lock(&formats_lock);
	if (find_uuid(fmt->uuid) != fmt)
		ret = -ENOENT;
	else if (fmt->users)
		ret = -EBUSY;
	if (!ret) {
		list_del(&fmt->node);
		pfm_sysfs_remove_format(fmt);
	}
	mutex_unlock(&formats_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pfm_unregister_format);

/* The module of one that is being loaded may yet fail, and go. */
static bool pin(const struct pfm_format *fmt)
{
	if (fmt->owner && fmt->owner->state != MODULE_STATE_LIVE)
		return false;
	return try_module_get(fmt->owner);
}

static const struct pfm_format *get_loaded(const u8 *uuid)
{
	struct pfm_format *fmt;

	mutex_lock(&formats_lock);
	fmt = find_uuid(uuid);
	if (fmt && !pin(fmt))
		fmt = NULL;
	if (fmt)
		fmt->users++;
	mutex_unlock(&formats_lock);
	return fmt;
}

/**
 * pfm_format_get - a format by its UUID, with its module loaded if need be
 * @uuid: from user space
 *
 * Return: the format, pinned; error pointer -ENOENT, or -ENOMEM when there was
 * none to look for its module.
 */
const struct pfm_format *pfm_format_get(const u8 *uuid)
{
	const struct pfm_format *fmt = get_loaded(uuid);
	int ret;

	if (fmt)
		return fmt;
	ret = request_module("perfmon-format-%pUb", uuid);
	if (ret == -ENOMEM)
		return ERR_PTR(ret);
	if (!ret)
		fmt = get_loaded(uuid);
	return fmt ?: ERR_PTR(-ENOENT);
}

/**
 * pfm_format_put - a context is done with a format
 * @fmt: the format
 */
void pfm_format_put(const struct pfm_format *fmt)
{
	mutex_lock(&formats_lock);
	((struct pfm_format *)fmt)->users--;
	mutex_unlock(&formats_lock);
	module_put(fmt->owner);
}

/*
 * For handlers: the context is counted for on this CPU, the counters stand
 * still, and the layout cannot be replaced meanwhile.
 */
static const struct pfm_layout *layout_of(const struct pfm_ovfl *ovfl)
{
	return rcu_dereference_sched(ovfl->target->ctx->layout);
}

/* Find a register's value: 0 or -errno. */
static int find_value(const struct pfm_layout *layout,
		      const struct pfm_reg *reg, const struct pfm_cset **cset,
		      u16 *at)
{
	int index;

	*cset = pfm_layout_cset(layout, reg->set);
	if (!*cset)
		return -ENOENT;
	index = pfm_cset_index(*cset, reg->num, 0);
	if (index < 0 || index >= pfm_cset_nregs(*cset))
		return -ENODATA;
	*at = index;
	return 0;
}

int pfm_mod_read_pmds(const struct pfm_ovfl *ovfl, struct pfm_reg *regs,
		      unsigned int count)
{
	const struct pfm_layout *layout = layout_of(ovfl);
	const struct pfm_cset *cset;
	unsigned int i;
	u16 at;
	int ret;

	for (i = 0; i < count; i++) {
		ret = find_value(layout, &regs[i], &cset, &at);
		if (ret)
			return ret;
		regs[i].value = ovfl->target->vals[cset->at + at];
	}
	return 0;
}
EXPORT_SYMBOL_GPL(pfm_mod_read_pmds);

int pfm_mod_write_pmds(const struct pfm_ovfl *ovfl, const struct pfm_reg *regs,
		       unsigned int count)
{
	const struct pfm_layout *layout = layout_of(ovfl);
	const struct pfm_cset *cset;
	unsigned int i;
	u16 at;
	int ret;

	for (i = 0; i < count; i++) {
		ret = find_value(layout, &regs[i], &cset, &at);
		if (ret)
			return ret;
	}
	for (i = 0; i < count; i++) {
		find_value(layout, &regs[i], &cset, &at);
		pfm_target_use(ovfl->target, cset - layout->csets);
		ovfl->target->vals[cset->at + at] = regs[i].value;
		/* The counters hold another value. */
		ovfl->target->last_cpu = -1;
		if (!pfm_context_follows(ovfl->target->ctx))
			pfm_overflow_written(ovfl->target, layout,
					     cset - layout->csets, at);
	}
	pfm_user_page_stale(ovfl->target->ctx);
	return 0;
}
EXPORT_SYMBOL_GPL(pfm_mod_write_pmds);

static struct pfm_prog_reg *find_pmc(const struct pfm_cset *cset, u16 num)
{
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	u16 i;

	for (i = 0; i < prog->npmcs; i++) {
		if (prog->pmcs[i].num == num)
			return &prog->pmcs[i];
	}
	return NULL;
}

static int check_pmc(struct pfm_context *ctx, const struct pfm_layout *layout,
		     const struct pfm_reg *reg)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMC, reg->num);
	const struct pfm_cset *cset = pfm_layout_cset(layout, reg->set);

	if (!cset)
		return -ENOENT;
	if (!desc || !find_pmc(cset, reg->num))
		return -ENODATA;
	if ((reg->value ^ desc->dfl) & desc->rsvd)
		return -ERANGE;
	/* Who is interrupted is not who asks: it is the creator's right. */
	if (pfm_pmu_beyond_user(desc, reg->value) && !ctx->privileged &&
	    !pfm_policy_kernel_open())
		return -EPERM;
	return 0;
}

/* The one writer that a published layout has: only this CPU uses it. */
static void write_pmc(struct pfm_context *ctx, struct pfm_layout *layout,
		      struct pfm_cset *cset, const struct pfm_reg *reg)
{
	struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];

	find_pmc(cset, reg->num)->value = reg->value;
	if (prog->pmu->ops->prepare)
		prog->pmu->ops->prepare(prog);
	/* No CPU takes its registers for those of the set. */
	pfm_cset_renew(cset);
	if (layout->kernel ||
	    !pfm_pmu_beyond_user(pfm_pmu_reg(ctx, PFM_PMC, reg->num),
				 reg->value))
		return;
	WRITE_ONCE(layout->kernel, true);
	/* The thread may have been let read what was counted up to here. */
	pfm_user_page_look();
}

int pfm_mod_write_pmcs(const struct pfm_ovfl *ovfl, const struct pfm_reg *regs,
		       unsigned int count)
{
	const struct pfm_layout *layout = layout_of(ovfl);
	struct pfm_context *ctx = ovfl->target->ctx;
	const struct pfm_cset *cset;
	unsigned int i;
	int ret;

	if (pfm_context_follows(ctx))
		return -EBUSY;
	for (i = 0; i < count; i++) {
		ret = check_pmc(ctx, layout, &regs[i]);
		if (ret)
			return ret;
	}
	for (i = 0; i < count; i++) {
		cset = pfm_layout_cset(layout, regs[i].set);
		write_pmc(ctx, (struct pfm_layout *)layout,
			  (struct pfm_cset *)cset, &regs[i]);
	}
	return 0;
}
EXPORT_SYMBOL_GPL(pfm_mod_write_pmcs);

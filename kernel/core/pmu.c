// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registry of PMU descriptions, at most one for each register class.
 *
 * A context pins the descriptions that exist when it is created, and uses no
 * other for as long as it lives.
 */
#include "core/pmu.h"

#include <linux/bitops.h>
#include <linux/kmod.h>
#include <linux/mutex.h>
#include <linux/nospec.h>

#include "core/context.h"
#include "core/sysfs.h"

/* Protects registered[]; process context, below all other mutexes of perfmon. */
static DEFINE_MUTEX(registry_lock);
static const struct pfm_pmu *registered[PFM_CLASSES];

DEFINE_STATIC_CALL_NULL(pfm_hw_restore, PFM_HW_OP(restore));
DEFINE_STATIC_CALL_NULL(pfm_hw_save, PFM_HW_OP(save));
DEFINE_STATIC_CALL_NULL(pfm_hw_resume, PFM_HW_OP(resume));
DEFINE_STATIC_CALL_NULL(pfm_hw_pass, PFM_HW_OP(pass));
DEFINE_STATIC_CALL_NULL(pfm_hw_read, PFM_HW_OP(read));
DEFINE_STATIC_CALL_NULL(pfm_hw_fold, PFM_HW_OP(fold));
DEFINE_STATIC_CALL_NULL(pfm_hw_put, PFM_HW_OP(put));
/* NULL is for functions without a result. */
DEFINE_STATIC_CALL_RET0(pfm_hw_take, PFM_HW_OP(take));

/* Have the static calls call the operations of a PMU that is about to be registered. */
static void set_hw_calls(const struct pfm_pmu_ops *ops)
{
	static_call_update(pfm_hw_restore, ops->restore);
	static_call_update(pfm_hw_save, ops->save);
	static_call_update(pfm_hw_resume, ops->resume);
	static_call_update(pfm_hw_pass, ops->pass);
	static_call_update(pfm_hw_read, ops->read);
	static_call_update(pfm_hw_fold, ops->fold);
	static_call_update(pfm_hw_put, ops->put);
	if (ops->take)
		static_call_update(pfm_hw_take, ops->take);
}

/* The module goes away, and no context exists. */
static void clear_hw_calls(void)
{
	static_call_update(pfm_hw_restore, NULL);
	static_call_update(pfm_hw_save, NULL);
	static_call_update(pfm_hw_resume, NULL);
	static_call_update(pfm_hw_pass, NULL);
	static_call_update(pfm_hw_read, NULL);
	static_call_update(pfm_hw_fold, NULL);
	static_call_update(pfm_hw_put, NULL);
	static_call_update(pfm_hw_take, (void *)__static_call_return0);
}

static bool tables_valid(const struct pfm_pmu *pmu)
{
	u16 i;

	if (pmu->reg_class >= PFM_CLASSES || !pmu->name || !pmu->npmds)
		return false;
	if (strlen(pmu->name) >= PFM_NAME_LEN)
		return false;
	if (!pmu->ops->restore || !pmu->ops->save || !pmu->ops->read)
		return false;
	if (pmu->reg_class == PFM_CLASS_HW && !pmu->ops->fold)
		return false;
	if (!pmu->ops->take != !pmu->ops->put)
		return false;
	if (pmu->ops->acquire && (!pfm_class_is_hardware(pmu->reg_class) ||
				  !pmu->ops->release || !pmu->ops->settle))
		return false;
	if (pmu->base < pfm_class_begin(pmu->reg_class) ||
	    pmu->base + pmu->npmds > pfm_class_begin(pmu->reg_class + 1) ||
	    pmu->base + pmu->npmcs > pfm_class_begin(pmu->reg_class + 1))
		return false;
	if (pmu->nevents && pmu->reg_class != PFM_CLASS_HW)
		return false;
	if (pmu->pmi && !pfm_class_is_hardware(pmu->reg_class))
		return false;
	for (i = 0; i < pmu->nevents; i++) {
		const struct pfm_pmu_events *events = &pmu->events[i];

		if (events->first % PFM_EVENTS_PER_WORD ||
		    events->implemented & ~events->known)
			return false;
	}
	for (i = 0; i < pmu->npmds; i++) {
		const struct pfm_reg_desc *desc = &pmu->pmds[i];
		u16 ctl = desc->ctl - pmu->base;

		if (!desc->name || desc->ctl == PFM_REG_NONE)
			continue;
		if (ctl >= pmu->npmcs || !pmu->pmcs[ctl].name)
			return false;
		if (pfm_pmu_holds(pmu, &pmu->pmcs[ctl]) &
		    ~pfm_pmu_holds(pmu, desc))
			return false;
	}
	return true;
}

int pfm_pmu_register(const struct pfm_pmu *pmu)
{
	int ret;

	if (!tables_valid(pmu))
		return -EINVAL;
	mutex_lock(&registry_lock);
	if (registered[pmu->reg_class]) {
		ret = -EBUSY;
		goto out_unlock;
	}
	ret = pfm_sysfs_add_pmu(pmu);
	if (ret)
		goto out_unlock;
	if (pmu->reg_class == PFM_CLASS_HW)
		set_hw_calls(pmu->ops);
	registered[pmu->reg_class] = pmu;
out_unlock:
	mutex_unlock(&registry_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pfm_pmu_register);

void pfm_pmu_unregister(const struct pfm_pmu *pmu)
{
	mutex_lock(&registry_lock);
	if (!WARN_ON_ONCE(registered[pmu->reg_class] != pmu)) {
		registered[pmu->reg_class] = NULL;
		if (pmu->reg_class == PFM_CLASS_HW)
			clear_hw_calls();
		pfm_sysfs_remove_pmu(pmu);
	}
	mutex_unlock(&registry_lock);
}
EXPORT_SYMBOL_GPL(pfm_pmu_unregister);

/**
 * pfm_pmu_pin - take a reference on every registered PMU description
 * @pmus: out: description of each register class, PFM_CLASSES elements; left NULL where
 *	there is none
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV when no description is registered.
 */
int pfm_pmu_pin(const struct pfm_pmu **pmus)
{
	enum pfm_reg_class class;
	int ret = -ENODEV;

	mutex_lock(&registry_lock);
	for (class = 0; class < PFM_CLASSES; class++) {
		const struct pfm_pmu *pmu = registered[class];

		/* A module that is still being loaded may fail and go away. */
		if (!pmu || pmu->owner->state != MODULE_STATE_LIVE ||
		    !try_module_get(pmu->owner))
			continue;
		pmus[class] = pmu;
		ret = 0;
	}
	mutex_unlock(&registry_lock);
	return ret;
}

/**
 * pfm_pmu_unpin - drop the references that pfm_pmu_pin() took
 * @pmus: array that pfm_pmu_pin() filled in
 */
void pfm_pmu_unpin(const struct pfm_pmu **pmus)
{
	enum pfm_reg_class class;

	for (class = 0; class < PFM_CLASSES; class++) {
		if (pmus[class])
			module_put(pmus[class]->owner);
	}
}

/**
 * pfm_pmu_occupants - find the PMDs that occupy parts of the hardware
 * @holds: for each register class, the parts
 * @pmds: the PMDs are added to this, whether or not anybody uses them
 *
 * Context: process; may sleep.
 */
void pfm_pmu_occupants(const u64 *holds, unsigned long *pmds)
{
	enum pfm_reg_class class;
	u16 i;

	mutex_lock(&registry_lock);
	for (class = 0; class < PFM_CLASSES; class++) {
		const struct pfm_pmu *pmu = registered[class];

		for (i = 0; pmu && holds[class] && i < pmu->npmds; i++) {
			if (pmu->pmds[i].name &&
			    pfm_pmu_holds(pmu, &pmu->pmds[i]) & holds[class])
				__set_bit(pmu->base + i, pmds);
		}
	}
	mutex_unlock(&registry_lock);
}

/**
 * pfm_pmu_acquire - acquire a PMU for a context that is about to be loaded
 * @ctx: the context, which uses registers of the class; pfm_context.lock is held
 * @class: class of the PMU, which has pfm_pmu_ops.acquire
 *
 * Context: process; may sleep.
 * Return: 0; -EBUSY when another user of the PMU, such as perf, holds it.
 */
int pfm_pmu_acquire(struct pfm_context *ctx, enum pfm_reg_class class)
{
	int ret = ctx->pmus[class]->ops->acquire();

	ctx->acquired[class] = !ret;
	return ret;
}

/**
 * pfm_pmu_release - begin to release the PMUs after a context has stopped monitoring
 * @ctx: the context; pfm_context.targets_lock is held, or no other thread knows of it
 *
 * The probe that ends the last task calls this too.  It must not sleep, so the release
 * is only begun here; pfm_pmu_settle() completes it.
 */
void pfm_pmu_release(struct pfm_context *ctx)
{
	enum pfm_reg_class class;

	for (class = 0; class < PFM_CLASSES; class++) {
		if (!ctx->acquired[class])
			continue;
		ctx->acquired[class] = false;
		ctx->pmus[class]->ops->release();
	}
}

/**
 * pfm_pmu_settle - complete the release that pfm_pmu_release() began
 * @ctx: the context; pfm_context.lock is held
 *
 * Context: process; may sleep.
 */
void pfm_pmu_settle(struct pfm_context *ctx)
{
	enum pfm_reg_class class;

	for (class = 0; class < PFM_CLASSES; class++) {
		const struct pfm_pmu *pmu = ctx->pmus[class];

		if (pmu && pmu->ops->settle)
			pmu->ops->settle();
	}
}

/**
 * pfm_pmu_of - find the PMU description that a register number belongs to
 * @ctx: the context
 * @num: register number from user space, any value
 *
 * Return: the description; NULL when the number's register class has none.
 */
const struct pfm_pmu *pfm_pmu_of(const struct pfm_context *ctx, u16 num)
{
	if (num < PFM_REG_SHARED_BASE)
		return ctx->pmus[PFM_CLASS_HW];
	if (num < PFM_REG_UNIT_BASE)
		return ctx->pmus[PFM_CLASS_SHARED];
	if (num < PFM_REG_VIRT_BASE)
		return ctx->pmus[PFM_CLASS_UNIT];
	if (num < PFM_REG_TASK_BASE)
		return ctx->pmus[PFM_CLASS_CPU];
	if (num < PFM_REGS_MAX)
		return ctx->pmus[PFM_CLASS_TASK];
	return NULL;
}

/**
 * pfm_pmu_reg - find the description of a register
 * @ctx: the context
 * @kind: PFM_PMC or PFM_PMD
 * @num: register number from user space, any value
 *
 * Return: the description; NULL when there is no register of that number.
 */
const struct pfm_reg_desc *pfm_pmu_reg(const struct pfm_context *ctx,
				       enum pfm_reg_kind kind, u16 num)
{
	const struct pfm_pmu *pmu = pfm_pmu_of(ctx, num);
	const struct pfm_reg_desc *table;
	u16 index, n;

	if (!pmu || num < pmu->base)
		return NULL;
	index = num - pmu->base;
	table = kind == PFM_PMC ? pmu->pmcs : pmu->pmds;
	n = kind == PFM_PMC ? pmu->npmcs : pmu->npmds;
	if (index >= n)
		return NULL;
	index = array_index_nospec(index, n);
	return table[index].name ? &table[index] : NULL;
}

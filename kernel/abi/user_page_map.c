// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mapping and unmapping the user page of a context.
 */
#include "abi/user_page_map.h"

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "compat.h"
#include "core/context.h"
#include "cpu/remote.h"
#include "cpu/tracepoints.h"
#include "target/target.h"
#include "user/user_access.h"
#include "user/user_page.h"

static void put(struct pfm_user_mapping *page)
{
	if (!refcount_dec_and_test(&page->ref))
		return;
	if (page->pmu)
		module_put(page->pmu->owner);
	/* Each mapping has a reference of its own on the memory of the page. */
	free_page((unsigned long)page->ctl);
	kfree(page);
}

/* Take the process's access to counters away if it has no mapping left. */
static void withdraw(struct pfm_user_mapping *page)
{
	struct pfm_user_access *access = NULL;
	const struct mm_struct *mm = NULL;
	unsigned long flags;
	bool probes = false, left = false;

	raw_spin_lock_irqsave(&pfm_user_pages_lock, flags);
	if (page->mm && !page->nmaps) {
		mm = page->mm;
		WRITE_ONCE(page->mm, NULL);
		left = page->access;
		if (left && pfm_user_access_leave(page->access))
			access = page->access;
		page->access = NULL;
		probes = page->probes;
		page->probes = false;
	}
	raw_spin_unlock_irqrestore(&pfm_user_pages_lock, flags);
	/* Without an entry in the table no CPU let the process read. */
	if (left) {
		pfm_user_page_withdraw(page, mm);
		pfm_user_access_left(access);
	}
	if (probes)
		pfm_tracepoints_put(PFM_PROBES_TASKS);
}

/**
 * pfm_user_page_free - drop the user page of a context that is being destroyed
 * @ctx: the context, not loaded
 *
 * A process that still has the page mapped keeps its access to counters until it unmaps
 * the page: a thread that has looked at the page may be about to read a counter.
 *
 * Context: process; may sleep.
 */
void pfm_user_page_free(struct pfm_context *ctx)
{
	if (ctx->user_page)
		put(ctx->user_page);
}

/*
 * Mappings in other address spaces.  The child of a fork(2) gets one if madvise(2) was
 * used to allow that.  Its memory stays, but it gives no access to counters.
 */
static void open_foreign(struct vm_area_struct *vma)
{
	struct pfm_user_mapping *page = vma->vm_private_data;

	refcount_inc(&page->ref);
}

static void close_foreign(struct vm_area_struct *vma)
{
	put(vma->vm_private_data);
}

static const struct vm_operations_struct foreign_ops = {
	.open = open_foreign,
	.close = close_foreign,
};

/*
 * A mapping was copied, for example because it was split.  A copy in the same address
 * space is one more mapping.
 */
static void open_vma(struct vm_area_struct *vma)
{
	struct pfm_user_mapping *page = vma->vm_private_data;
	unsigned long flags;
	bool foreign;

	refcount_inc(&page->ref);
	raw_spin_lock_irqsave(&pfm_user_pages_lock, flags);
	foreign = page->mm != vma->vm_mm;
	if (!foreign)
		page->nmaps++;
	raw_spin_unlock_irqrestore(&pfm_user_pages_lock, flags);
	if (foreign)
		vma->vm_ops = &foreign_ops;
}

static void close_vma(struct vm_area_struct *vma)
{
	struct pfm_user_mapping *page = vma->vm_private_data;
	unsigned long flags;
	bool last;

	raw_spin_lock_irqsave(&pfm_user_pages_lock, flags);
	last = !--page->nmaps;
	raw_spin_unlock_irqrestore(&pfm_user_pages_lock, flags);
	if (last)
		withdraw(page);
	put(page);
}

static const struct vm_operations_struct vma_ops = {
	.open = open_vma,
	.close = close_vma,
};

/* Get the user page of a context; create it when it is first asked for. */
static struct pfm_user_mapping *get(struct pfm_context *ctx)
{
	struct pfm_user_mapping *page = READ_ONCE(ctx->user_page), *other;
	const struct pfm_pmu *pmu = ctx->pmus[PFM_CLASS_HW];

	if (page)
		return page;
	page = kzalloc(sizeof(*page), GFP_KERNEL_ACCOUNT);
	if (!page)
		return NULL;
	page->ctl = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!page->ctl) {
		kfree(page);
		return NULL;
	}
	refcount_set(&page->ref, 1);
	if (pmu && pmu->ops->user_possible && pmu->ops->user_possible()) {
		/* The context pins the module, but a mapping may outlive the context. */
		__module_get(pmu->owner);
		page->pmu = pmu;
	}
	page->ctl->version = PFM_USER_PAGE_VERSION;
	page->ctl->state = pfm_context_loaded(ctx) ? PFM_USER_PAGE_STOPPED
						  : PFM_USER_PAGE_UNLOADED;
	other = cmpxchg(&ctx->user_page, NULL, page);
	if (other) {
		put(page);
		page = other;
	}
	return page;
}

/* Note one more mapping.  Only one process at a time may map the page. */
static int claim(struct pfm_user_mapping *page, const struct mm_struct *mm)
{
	struct pfm_user_access *access = NULL;
	int ret = 0;

	if (page->pmu) {
		access = pfm_user_access_create(mm, page->pmu);
		if (!access)
			return -ENOMEM;
	}
	raw_spin_lock_irq(&pfm_user_pages_lock);
	if (!page->mm) {
		if (access)
			page->access = pfm_user_access_join(access);
		/* A CPU that reads the new mm finds the access entry in the table as well. */
		smp_store_release(&page->mm, mm);
	}
	if (page->mm == mm)
		page->nmaps++;
	else
		ret = -EBUSY;
	if (access && page->access == access)
		access = NULL;
	raw_spin_unlock_irq(&pfm_user_pages_lock);
	kfree(access);
	return ret;
}

/*
 * Have the CPU that counts for the context, if any does, fill the page.  Nothing but the
 * page depends on it: what others may read becomes no less.
 */
static void begin(struct pfm_context *ctx, struct pfm_user_mapping *page)
{
	struct pfm_target *target;

	if (pfm_context_follows(ctx)) {
		/* Never valid.  If the context is unloaded meanwhile, that is the reason. */
		cmpxchg(&page->ctl->state, PFM_USER_PAGE_STOPPED,
			PFM_USER_PAGE_FOLLOWS);
		return;
	}
	rcu_read_lock();
	target = pfm_target_only(ctx);
	if (target && target->task)
		pfm_remote_reload(target);
	rcu_read_unlock();
}

/**
 * pfm_user_page_map - map the user page (mmap(2) at PFM_USER_PAGE_OFFSET)
 * @ctx: the context
 * @vma: the mapping
 *
 * The mapping is read-only for good, as in pfm_buffer_map().  Children do not inherit
 * it, because the page tells nothing about their counters.
 *
 * Context: process; may sleep.
 * Return: 0; -EACCES for a mapping that is writable or executable; -EINVAL for more
 * than a page; -EBUSY when another process has mapped the page; -ENOMEM.
 */
int pfm_user_page_map(struct pfm_context *ctx, struct vm_area_struct *vma)
{
	struct pfm_user_mapping *page;
	int ret;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	if (vma->vm_end - vma->vm_start > PAGE_SIZE)
		return -EINVAL;
	page = get(ctx);
	if (!page)
		return -ENOMEM;
	ret = claim(page, vma->vm_mm);
	if (ret)
		return ret;
	refcount_inc(&page->ref);
	pfm_vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
			 VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = page;
	ret = vm_insert_page(vma, vma->vm_start, virt_to_page(page->ctl));
	if (ret) {
		close_vma(vma);
		return ret;
	}
	vma->vm_ops = &vma_ops;
	begin(ctx, page);
	return 0;
}

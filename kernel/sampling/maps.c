// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executable mappings of tasks that are sampled.
 *
 * A reader that resolves addresses needs to know what was mapped where, and by
 * then the process may be gone.  So a task that is sampled reports its mappings
 * itself: overflow -> irq_work -> task work, which walks them before the task
 * returns to user mode.  It does so at its first sample, and again when the
 * number of executable pages has changed since, so a running program pays for a
 * comparison a sample.
 */
#include "sampling/maps.h"

#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kdev_t.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perfmon.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/uaccess.h>

#include "core/context.h"
#include "sampling/lane.h"
#include "target/sight.h"
#include "target/target.h"

/**
 * struct map - a mapping that waits
 * @node: in pfm_maps.list
 * @rec: what the reader gets
 */
struct map {
	struct list_head node;
	struct pfm_map rec;
};

/**
 * pfm_maps_init - prepare a new context
 * @ctx: the context
 */
void pfm_maps_init(struct pfm_context *ctx)
{
	spin_lock_init(&ctx->maps.lock);
	INIT_LIST_HEAD(&ctx->maps.list);
}

/**
 * pfm_maps_discard - nobody reads what waits
 * @ctx: the context, whose descriptor or last reference is gone
 *
 * Context: process: memory from vmalloc() is not freed under a spinlock.
 */
void pfm_maps_discard(struct pfm_context *ctx)
{
	struct map *map, *next;
	LIST_HEAD(list);

	spin_lock(&ctx->maps.lock);
	list_splice_init(&ctx->maps.list, &list);
	ctx->maps.count = 0;
	spin_unlock(&ctx->maps.lock);
	list_for_each_entry_safe(map, next, &list, node)
		kvfree(map);
}

/**
 * pfm_maps_stats - what waits, what was lost
 * @ctx: the context
 * @cfg: filled in
 */
void pfm_maps_stats(struct pfm_context *ctx, struct pfm_config *cfg)
{
	cfg->maps = READ_ONCE(ctx->maps.count);
	cfg->maps_lost = READ_ONCE(ctx->maps.lost);
}

#ifdef PFM_HAVE_TASK_WORK_ADD

/**
 * struct report - task work that reports the mappings of its task
 * @work: the task work
 * @ctx: the context, a reference
 * @sight: what its owner may see of the task, when the report was asked for
 */
struct report {
	struct callback_head work;
	struct pfm_context *ctx;
	struct pfm_sight sight;
};

static void lose(struct pfm_context *ctx)
{
	spin_lock(&ctx->maps.lock);
	ctx->maps.lost++;
	spin_unlock(&ctx->maps.lock);
}

static const char *path_of(const struct vm_area_struct *vma, char *buf)
{
	const char *path;

	if (!vma->vm_file)
		return "[vdso]";
	path = file_path(vma->vm_file, buf, PATH_MAX);
	return IS_ERR(path) ? "" : path;
}

static void report_one(struct pfm_context *ctx,
		       const struct vm_area_struct *vma, char *buf)
{
	const char *path = path_of(vma, buf);
	size_t len = strlen(path), size;
	struct map *map;

	size = ALIGN(sizeof(map->rec) + len + 1, 8);
	map = kvzalloc(offsetof(struct map, rec) + size, GFP_KERNEL_ACCOUNT);
	if (!map) {
		lose(ctx);
		return;
	}
	map->rec.size = size;
	map->rec.pid = task_tgid_nr_ns(current, ctx->pidns);
	map->rec.tstamp = ktime_get_ns();
	map->rec.start = vma->vm_start;
	map->rec.end = vma->vm_end;
	map->rec.path_len = len;
	memcpy(map->rec.path, path, len);
	if (vma->vm_file) {
		const struct inode *inode = file_inode(vma->vm_file);

		map->rec.offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
		map->rec.ino = inode->i_ino;
		map->rec.dev = new_encode_dev(inode->i_sb->s_dev);
	}
	spin_lock(&ctx->maps.lock);
	if (ctx->maps.count < PFM_MAPS_MAX) {
		list_add_tail(&map->node, &ctx->maps.list);
		ctx->maps.count++;
		map = NULL;
	} else {
		ctx->maps.lost++;
	}
	spin_unlock(&ctx->maps.lock);
	kvfree(map);
}

static bool is_vdso(const struct mm_struct *mm,
		    const struct vm_area_struct *vma)
{
	return vma->vm_start == (unsigned long)mm->context.vdso;
}

static void report_all(struct pfm_context *ctx, struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	char *buf;

	buf = kmalloc(PATH_MAX, GFP_KERNEL);
	if (!buf) {
		lose(ctx);
		return;
	}
	if (!mmap_read_lock_killable(mm)) {
		VMA_ITERATOR(vmi, mm, 0);

		for_each_vma(vmi, vma)
		{
			if (!(vma->vm_flags & VM_EXEC))
				continue;
			if (vma->vm_file || is_vdso(mm, vma))
				report_one(ctx, vma, buf);
		}
		mmap_read_unlock(mm);
	}
	kfree(buf);
}

/*
 * In the task, before it returns to user mode.  That may be in another program than
 * the one that was sampled.
 */
static void report_here(struct callback_head *work)
{
	struct report *report = container_of(work, struct report, work);

	if (current->mm && !(current->flags & PF_EXITING) &&
	    pfm_sight_open(&report->sight))
		report_all(report->ctx, current->mm);
	pfm_context_put(report->ctx);
	kfree(report);
	/* Module exit waits for the way out of here: see perfmon_exit(). */
	module_put(THIS_MODULE);
}

static bool queue_report(struct pfm_lane_state *lane)
{
	struct pfm_context *ctx = lane->ctx;
	struct report *report;

	report = kmalloc(sizeof(*report), GFP_ATOMIC | __GFP_NOWARN);
	if (!report)
		return false;
	init_task_work(&report->work, report_here);
	report->ctx = ctx;
	report->sight = lane->maps_sight;
	refcount_inc(&ctx->ref);
	__module_get(THIS_MODULE);
	if (!task_work_add(lane->maps_task, &report->work, TWA_RESUME))
		return true;
	/* It exits: what it has mapped is known or does not matter. */
	module_put(THIS_MODULE);
	pfm_context_put(ctx);
	kfree(report);
	return true;
}

/**
 * pfm_maps_work - irq_work of a lane: have the task report
 * @work: the lane's
 */
void pfm_maps_work(struct irq_work *work)
{
	struct pfm_lane_state *lane =
		container_of(work, struct pfm_lane_state, maps_work);

	if (!queue_report(lane))
		WRITE_ONCE(lane->ctx->maps.lost, lane->ctx->maps.lost + 1);
	put_task_struct(lane->maps_task);
	/* Pairs with the cmpxchg in pfm_maps_request(). */
	smp_store_release(&lane->maps_queued, 0);
}

/**
 * pfm_maps_request - a task is sampled: report its mappings if they changed
 * @target: target of the task
 * @lane: lane that the sample goes to
 *
 * Context: overflow, NMI included.
 */
void pfm_maps_request(struct pfm_target *target, struct pfm_lane_state *lane)
{
	const struct mm_struct *mm = current->mm;
	unsigned long exec_vm;

	if (!mm || target->task != current)
		return;
	exec_vm = READ_ONCE(mm->exec_vm);
	if (target->maps_exec == current->self_exec_id &&
	    target->exec_vm == exec_vm)
		return;
	/* If the last request is still on its way, the next sample asks. */
	if (cmpxchg(&lane->maps_queued, 0, 1))
		return;
	target->maps_exec = current->self_exec_id;
	target->exec_vm = exec_vm;
	lane->maps_sight = target->sight;
	lane->maps_task = get_task_struct(current);
	irq_work_queue(&lane->maps_work);
}

#else

void pfm_maps_work(struct irq_work *work)
{
}

void pfm_maps_request(struct pfm_target *target, struct pfm_lane_state *lane)
{
}

#endif /* PFM_HAVE_TASK_WORK_ADD */

/* Take the oldest mapping that fits.  *fits tells why there is none. */
static struct map *pop_map(struct pfm_context *ctx, u32 room, bool *fits)
{
	struct map *map;

	spin_lock(&ctx->maps.lock);
	map = list_first_entry_or_null(&ctx->maps.list, struct map, node);
	*fits = !map || map->rec.size <= room;
	if (map && *fits) {
		list_del(&map->node);
		ctx->maps.count--;
	} else {
		map = NULL;
	}
	spin_unlock(&ctx->maps.lock);
	return map;
}

/**
 * pfm_maps_read - PFM_IOC_READ_MAPS
 * @ctx: the context; pfm_context.lock is held
 * @arg: from the caller; count and used are filled in
 *
 * Return: 0; -ENOSPC when not even one fits, -EFAULT, -EINVAL.
 */
int pfm_maps_read(struct pfm_context *ctx, struct pfm_read_records *arg)
{
	struct map *map;
	bool fits;
	int ret = 0;

	lockdep_assert_held(&ctx->lock);
	if (arg->flags || !IS_ALIGNED(arg->buf, 8))
		return -EINVAL;
	arg->count = 0;
	arg->used = 0;
	while ((map = pop_map(ctx, arg->size - arg->used, &fits))) {
		void __user *to = u64_to_user_ptr(arg->buf + arg->used);

		if (copy_to_user(to, &map->rec, map->rec.size)) {
			spin_lock(&ctx->maps.lock);
			list_add(&map->node, &ctx->maps.list);
			ctx->maps.count++;
			spin_unlock(&ctx->maps.lock);
			ret = -EFAULT;
			break;
		}
		arg->count++;
		arg->used += map->rec.size;
		kvfree(map);
	}
	if (!fits && !ret)
		ret = -ENOSPC;
	/* What was copied counts. */
	return arg->count ? 0 : ret;
}

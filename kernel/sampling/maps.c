// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executable mappings of tasks that are sampled.
 *
 * A consumer that resolves addresses has to know which file was mapped where, and when
 * it looks, the process may be gone.  So a task that is sampled reports its mappings
 * itself: the overflow queues irq_work, which queues task work, which walks the mappings
 * before the task returns to user mode.  This happens at the first sample of the task,
 * and again when its number of executable pages has changed.  Any other sample only
 * compares that number.
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

#include "compat.h"
#include "core/context.h"
#include "sampling/lane.h"
#include "target/sight.h"
#include "target/target.h"

/**
 * struct map - a mapping that waits for the consumer
 * @node: entry in pfm_maps.list
 * @rec: the record that the consumer reads
 */
struct map {
	struct list_head node;
	struct pfm_map rec;
};

/**
 * pfm_maps_init - initialise the list of mappings of a new context
 * @ctx: the context
 */
void pfm_maps_init(struct pfm_context *ctx)
{
	spin_lock_init(&ctx->maps.lock);
	INIT_LIST_HEAD(&ctx->maps.list);
}

/**
 * pfm_maps_discard - free the mappings that no consumer will read
 * @ctx: the context, whose descriptor or last reference is gone
 *
 * Context: process.
 */
void pfm_maps_discard(struct pfm_context *ctx)
{
	struct map *map, *next;
	LIST_HEAD(list);

	spin_lock(&ctx->maps.lock);
	list_splice_init(&ctx->maps.list, &list);
	ctx->maps.count = 0;
	ctx->maps.bytes = 0;
	spin_unlock(&ctx->maps.lock);
	list_for_each_entry_safe(map, next, &list, node)
		kfree(map);
}

/**
 * pfm_maps_stats - fill in how many mappings wait and how many were lost
 * @ctx: the context
 * @cfg: out: maps and maps_lost are set
 */
void pfm_maps_stats(struct pfm_context *ctx, struct pfm_config *cfg)
{
	cfg->maps = READ_ONCE(ctx->maps.count);
	cfg->maps_lost = atomic64_read(&ctx->maps.lost);
}

/* Put a record into the list, behind the others or before them. */
static void push(struct pfm_context *ctx, struct map *map, bool first)
{
	lockdep_assert_held(&ctx->maps.lock);
	if (first)
		list_add(&map->node, &ctx->maps.list);
	else
		list_add_tail(&map->node, &ctx->maps.list);
	ctx->maps.count++;
	WRITE_ONCE(ctx->maps.bytes, ctx->maps.bytes + map->rec.size);
}

#ifdef PFM_HAVE_TASK_WORK_ADD

/**
 * struct report - task work that reports the mappings of its task
 * @work: the task work
 * @ctx: the context; a reference
 * @sight: what the context's owner may see of the task, as of the request
 */
struct report {
	struct callback_head work;
	struct pfm_context *ctx;
	struct pfm_sight sight;
};

/*
 * Memory for reports.  The monitored task waits for one attempt to reclaim at most, and no
 * process is killed for a report.
 */
#define GFP_REPORT (GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

static void lose(struct pfm_context *ctx)
{
	atomic64_inc(&ctx->maps.lost);
}

/* True if one more record of that size may wait. */
static bool fits(const struct pfm_context *ctx, size_t size)
{
	return READ_ONCE(ctx->maps.bytes) + size <= PFM_MAPS_BYTES_MAX;
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
	map = fits(ctx, size) ? kzalloc(offsetof(struct map, rec) + size,
					GFP_REPORT)
			      : NULL;
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
	/* Another task may have taken the room meanwhile. */
	if (fits(ctx, size)) {
		push(ctx, map, false);
		map = NULL;
	}
	spin_unlock(&ctx->maps.lock);
	if (map)
		lose(ctx);
	kfree(map);
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

	buf = kmalloc(PATH_MAX, GFP_REPORT);
	if (!buf) {
		lose(ctx);
		return;
	}
	if (!mmap_read_lock_killable(mm)) {
		VMA_ITERATOR(vmi, mm, 0);

		for_each_vma(vmi, vma) {
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
 * Report the mappings in the task, before it returns to user mode.  The task may have
 * executed another program since the sample.
 */
static void report_here(struct callback_head *work)
{
	struct report *report = container_of(work, struct report, work);
	struct mem_cgroup *old;

	if (current->mm && !(current->flags & PF_EXITING) &&
	    pfm_sight_open(&report->sight)) {
		/* The context's owner pays, not the task that happens to be sampled. */
		old = pfm_memcg_enter(report->ctx->memcg);
		report_all(report->ctx, current->mm);
		pfm_memcg_leave(old);
	}
	pfm_context_put(report->ctx);
	kfree(report);
	/* Module exit waits until this function has returned: see perfmon_exit(). */
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
	/*
	 * The task is exiting.  Its mappings were reported earlier, or do not matter any
	 * more.
	 */
	module_put(THIS_MODULE);
	pfm_context_put(ctx);
	kfree(report);
	return true;
}

/**
 * pfm_maps_work - irq_work of a lane: have the task report its mappings
 * @work: pfm_lane_state.maps_work
 */
void pfm_maps_work(struct irq_work *work)
{
	struct pfm_lane_state *lane =
		container_of(work, struct pfm_lane_state, maps_work);

	if (!queue_report(lane))
		atomic64_inc(&lane->ctx->maps.lost);
	put_task_struct(lane->maps_task);
	/* Pairs with the cmpxchg in pfm_maps_request(). */
	smp_store_release(&lane->maps_queued, 0);
}

/**
 * pfm_maps_request - request a sampled task's mappings if they have changed
 * @target: target of the task
 * @lane: lane that the sample goes to
 *
 * Context: overflow, interrupts off, on the CPU that counts.
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
	/* If the previous request is still under way, the next sample asks again. */
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

/* Take the oldest mapping off the list if it fits; *fits is false when it does not. */
static struct map *pop_map(struct pfm_context *ctx, u32 room, bool *fits)
{
	struct map *map;

	spin_lock(&ctx->maps.lock);
	map = list_first_entry_or_null(&ctx->maps.list, struct map, node);
	*fits = !map || map->rec.size <= room;
	if (map && *fits) {
		list_del(&map->node);
		ctx->maps.count--;
		WRITE_ONCE(ctx->maps.bytes, ctx->maps.bytes - map->rec.size);
	} else {
		map = NULL;
	}
	spin_unlock(&ctx->maps.lock);
	return map;
}

/**
 * pfm_maps_read - copy mappings to user space (PFM_IOC_READ_MAPS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; count and used are filled in
 *
 * Context: process; may sleep.
 * Return: 0; -ENOSPC when not even one mapping fits; -EFAULT; -EINVAL.
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
			/* It may exceed the limit, by this one record. */
			spin_lock(&ctx->maps.lock);
			push(ctx, map, true);
			spin_unlock(&ctx->maps.lock);
			ret = -EFAULT;
			break;
		}
		arg->count++;
		arg->used += map->rec.size;
		kfree(map);
	}
	if (!fits && !ret)
		ret = -ENOSPC;
	/* Mappings that were copied are reported even if a later one failed. */
	return arg->count ? 0 : ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports of the executable mappings of tasks that are sampled.
 *
 * A consumer that resolves addresses has to know which file was mapped where, and when
 * it looks, the process may be gone.  So a task that is sampled reports its mappings
 * itself: the overflow queues irq_work, which queues task work, which walks the mappings
 * before the task returns to user mode.  This happens at the first sample of the task,
 * and again when its mappings may have changed (maps_change.c).  Any other sample only
 * compares numbers.  Only what has changed is reported (space.c).  A report has the time of
 * the sample that asked for it, so that this sample, too, belongs to the mappings that are
 * new.
 */
#include "sampling/maps.h"

#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perfmon.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/task_work.h>

#include "compat.h"
#include "core/context.h"
#include "sampling/lane.h"
#include "sampling/maps_change.h"
#include "sampling/space.h"
#include "target/sight.h"
#include "target/table.h"
#include "target/target.h"

#ifdef PFM_HAVE_TASK_WORK_ADD

/**
 * struct report - task work that reports the mappings of its task
 * @work: the task work
 * @ctx: the context; a reference
 * @sight: what the context's owner may see of the task, as of the request
 * @since: time of the first sample that found the mappings changed
 * @change: pfm_maps_change() at the request
 * @user: the sample that made the request was in user mode
 * @late: more samples came before the request, see WALK_FREE
 */
struct report {
	struct callback_head work;
	struct pfm_context *ctx;
	struct pfm_sight sight;
	u64 since;
	unsigned long change;
	bool user;
	bool late;
};

/*
 * A walk over the mappings that takes longer is not repeated before three times its length
 * has passed, so that it takes a quarter of the time at most.
 */
#define WALK_FREE (100 * NSEC_PER_USEC)

static void describe(const struct mm_struct *mm,
		     const struct vm_area_struct *vma, struct pfm_known *known)
{
	*known = (struct pfm_known){
		.start = vma->vm_start,
		.end = vma->vm_end,
	};
	if (vma->vm_file) {
		const struct inode *inode = file_inode(vma->vm_file);

		known->pgoff = vma->vm_pgoff;
		known->ino = inode->i_ino;
		known->dev = inode->i_sb->s_dev;
		known->generation = inode->i_generation;
	} else if (vma->vm_start == (unsigned long)mm->context.vdso) {
		known->generation = 1;
	}
}

/* List the executable mappings.  Returns NULL without memory. */
static struct pfm_known *list_all(struct mm_struct *mm, u32 *n)
{
	struct pfm_known *maps;
	struct vm_area_struct *vma;
	struct vma_iterator vmi;
	u32 count = 0, i = 0;

	mmap_assert_locked(mm);
	vma_iter_init(&vmi, mm, 0);
	for_each_vma(vmi, vma) {
		if (vma->vm_flags & VM_EXEC)
			count++;
	}
	maps = kvmalloc_array(count + 1, sizeof(*maps), PFM_MAPS_GFP);
	if (!maps)
		return NULL;
	vma_iter_init(&vmi, mm, 0);
	for_each_vma(vmi, vma) {
		if (vma->vm_flags & VM_EXEC)
			describe(mm, vma, &maps[i++]);
	}
	*n = count;
	return maps;
}

/*
 * Report that mappings have gone: with an empty path, before those that are new, because
 * these may be at the same addresses.  Returns whether there were any.
 */
static bool report_gone(struct pfm_context *ctx, u64 since,
			const struct pfm_space *space,
			const struct pfm_known *maps, u32 n)
{
	struct pfm_known gone = {};
	bool any = false;
	u32 i, k = 0;

	if (!space->looked) {
		/* Others may have had the process id, and it another program. */
		gone.end = ULONG_MAX;
		pfm_maps_add(ctx, &gone, since, "");
		return false;
	}
	for (i = 0; i < space->n; i++) {
		const struct pfm_known *old = &space->maps[i];

		while (k < n && maps[k].start < old->start)
			k++;
		/* What is at the very same addresses now is reported instead. */
		if (!old->since || (k < n && maps[k].start == old->start &&
				    maps[k].end == old->end))
			continue;
		gone.start = old->start;
		gone.end = old->end;
		pfm_maps_add(ctx, &gone, since, "");
		any = true;
	}
	return any;
}

static const char *path_of(const struct vm_area_struct *vma,
			   const struct pfm_known *known, char *buf)
{
	const char *path;

	if (!vma->vm_file)
		return known->generation ? "[vdso]" : "";
	path = file_path(vma->vm_file, buf, PATH_MAX);
	return IS_ERR(path) ? "" : path;
}

/*
 * Report the mappings that are new, and set their since.  One that another thread has
 * reported is reported again if this thread's sample found it earlier.  Returns whether
 * any was new.
 */
static bool report_new(struct pfm_context *ctx, u64 since, struct mm_struct *mm,
		       const struct pfm_space *space, struct pfm_known *maps,
		       u32 n)
{
	const struct vm_area_struct *vma;
	const struct pfm_known *known;
	char *buf = NULL;
	bool any = false;
	u32 i;

	for (i = 0; i < n; i++) {
		known = pfm_space_find(space, &maps[i]);
		if (known && known->since <= since) {
			maps[i].since = known->since;
			continue;
		}
		any |= !known;
		if (!buf)
			buf = kmalloc(PATH_MAX, PFM_MAPS_GFP);
		vma = vma_lookup(mm, maps[i].start);
		if (!buf || !vma) {
			pfm_maps_lose(ctx);
			continue;
		}
		if (pfm_maps_add(ctx, &maps[i], since,
				 path_of(vma, &maps[i], buf)))
			maps[i].since = since;
	}
	kfree(buf);
	return any;
}

/* The target of a task, if it belongs to the context; in an RCU section. */
static struct pfm_target *target_of(const struct pfm_context *ctx,
				    const struct task_struct *task)
{
	return pfm_target_of(task, ctx);
}

/*
 * The report that begins here covers the samples up to now, so the next report has the time
 * of a sample that is still to come.  Overflows of this task may interrupt this function,
 * and do so as a whole: @maps_asked is cleared last, so none of them requests a report with
 * a time that is about to be cleared.
 */
static void begin_report(const struct pfm_context *ctx)
{
	struct pfm_target *target;

	rcu_read_lock();
	target = target_of(ctx, current);
	if (target) {
		WRITE_ONCE(target->maps_since, 0);
		barrier();
		WRITE_ONCE(target->maps_asked, false);
	}
	rcu_read_unlock();
}

/* The report cannot be queued; the next change is to request one again. */
static void lose_report(struct pfm_context *ctx, const struct task_struct *task)
{
	struct pfm_target *target;

	pfm_maps_lose(ctx);
	rcu_read_lock();
	target = target_of(ctx, task);
	if (target)
		WRITE_ONCE(target->maps_asked, false);
	rcu_read_unlock();
}

/*
 * Time from which the mappings were as they are now, although they have changed since the
 * sample that requested the report: the time of the first later sample that found them so.
 * Overflows of this task write the number and the time.  One that comes between the two
 * reads leaves a time after @now.
 */
static u64 seen_since(const struct pfm_context *ctx, unsigned long change)
{
	const struct pfm_target *target;
	u64 now = ktime_get_ns();

	rcu_read_lock();
	target = target_of(ctx, current);
	if (target && READ_ONCE(target->maps_seen) == change) {
		barrier();
		now = min(now, READ_ONCE(target->maps_seen_since));
	}
	rcu_read_unlock();
	return now;
}

static unsigned long nr_switches(void)
{
	return current->nvcsw + current->nivcsw;
}

/*
 * Note how long a walk took.  The time of one in which the CPU was given to another task says
 * nothing, but a walk that takes so long that this always happens must not escape the limit.
 */
static void note_walk(struct pfm_context *ctx, u64 ns, bool switched)
{
	if (!switched || READ_ONCE(ctx->maps.walk_switched))
		WRITE_ONCE(ctx->maps.walk_ns, ns);
	WRITE_ONCE(ctx->maps.walk_switched, switched);
}

/* Compare the mappings with those that were reported, and report what differs. */
static void report_changes(const struct report *report, struct pfm_space *space)
{
	struct pfm_context *ctx = report->ctx;
	struct mm_struct *mm = current->mm;
	const unsigned long change = pfm_maps_change(mm);
	const unsigned long exec_vm = READ_ONCE(mm->exec_vm);
	u64 since = report->since, begin;
	bool unsure = report->late, differs;
	unsigned long switches;
	struct pfm_known *maps;
	u32 n;

	lockdep_assert_held(&space->lock);
	/*
	 * The mappings have changed once more since the sample.  So what is there now may
	 * not have been there then.  A sample in the kernel is not in a mapping, and the
	 * thread may have slept in the kernel for long. G9
	 */
	if (space->looked && change != report->change) {
		since = seen_since(ctx, change);
		unsure |= report->user;
	}
	/* Another thread may have looked. */
	if (space->looked && space->change == change &&
	    space->exec_vm == exec_vm && space->since <= since)
		return;
	if (mmap_read_lock_killable(mm))
		return;
	switches = nr_switches();
	begin = ktime_get_ns();
	maps = list_all(mm, &n);
	if (!maps) {
		pfm_maps_lose(ctx);
		goto out_unlock;
	}
	differs = report_gone(ctx, since, space, maps, n);
	differs |= report_new(ctx, since, mm, space, maps, n) && space->looked;
	/* Samples may belong to mappings that came and went. */
	if (differs && unsure)
		pfm_maps_lose(ctx);
	pfm_space_replace(ctx, space, maps, n);
	space->change = change;
	space->exec_vm = exec_vm;
	space->since = max(space->since, since);
out_unlock:
	mmap_read_unlock(mm);
	note_walk(ctx, ktime_get_ns() - begin, switches != nr_switches());
}

static void report_process(const struct report *report)
{
	struct pfm_space *space = pfm_space_get(report->ctx);

	if (!space) {
		pfm_maps_lose(report->ctx);
		return;
	}
	if (!mutex_lock_killable(&space->lock)) {
		report_changes(report, space);
		mutex_unlock(&space->lock);
	}
	pfm_space_put(space);
}

/*
 * Report the mappings in the task, before it returns to user mode.  The task may have
 * executed another program since the sample. G8
 */
static void report_here(struct callback_head *work)
{
	struct report *report = container_of(work, struct report, work);
	struct mem_cgroup *old;

	begin_report(report->ctx);
	if (current->mm && !(current->flags & PF_EXITING) &&
	    pfm_sight_open(&report->sight)) {
		/* The context's owner pays, not the task that happens to be sampled. */
		old = pfm_memcg_enter(report->ctx->memcg);
		report_process(report);
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
	report->since = lane->maps_since;
	report->change = lane->maps_change;
	report->user = lane->maps_user;
	report->late = lane->maps_late;
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
		lose_report(lane->ctx, lane->maps_task);
	put_task_struct(lane->maps_task);
	/* Pairs with the cmpxchg in pfm_maps_request(). */
	smp_store_release(&lane->maps_queued, 0);
}

/**
 * pfm_maps_request - request a sampled task's mappings if they have changed
 * @target: target of the task
 * @lane: lane that the sample goes to; its ovfl.tstamp is the time of the sample
 *
 * Context: overflow, interrupts off, on the CPU that counts.
 */
void pfm_maps_request(struct pfm_target *target, struct pfm_lane_state *lane)
{
	const struct mm_struct *mm = current->mm;
	const u64 now = lane->ovfl.tstamp;
	unsigned long exec_vm, change;
	u64 walk;

	if (!mm || target->task != current || pfm_user_worker(current))
		return;
	exec_vm = READ_ONCE(mm->exec_vm);
	change = pfm_maps_change(mm);
	if (target->maps_exec == current->self_exec_id &&
	    target->exec_vm == exec_vm && target->maps_change == change)
		return;
	if (target->maps_seen != change) {
		WRITE_ONCE(target->maps_seen, change);
		WRITE_ONCE(target->maps_seen_since, now);
	}
	if (!target->maps_since ||
	    target->maps_since_exec != current->self_exec_id) {
		target->maps_since = now;
		target->maps_since_exec = current->self_exec_id;
		target->maps_late = false;
	}
	/* That report covers this sample, too. */
	if (READ_ONCE(target->maps_asked))
		return;
	/* Then, and while the previous request is under way, the next sample asks again. */
	if (now < target->maps_after &&
	    target->maps_exec == current->self_exec_id) {
		target->maps_late = true;
		return;
	}
	if (cmpxchg(&lane->maps_queued, 0, 1))
		return;
	walk = READ_ONCE(lane->ctx->maps.walk_ns);
	target->maps_exec = current->self_exec_id;
	target->exec_vm = exec_vm;
	target->maps_change = change;
	target->maps_after = walk > WALK_FREE ? now + 3 * walk : 0;
	lane->maps_sight = target->sight;
	lane->maps_since = target->maps_since;
	lane->maps_change = change;
	lane->maps_user = lane->ovfl.regs && user_mode(lane->ovfl.regs);
	lane->maps_late = target->maps_late;
	target->maps_since = 0;
	target->maps_late = false;
	WRITE_ONCE(target->maps_asked, true);
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

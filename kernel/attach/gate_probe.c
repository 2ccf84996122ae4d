// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes in programs, at the begin and the end of ranges.  They open and shut the gate of the
 * current task's target, and let its CPU begin and stop counting.
 *
 * The argument in full: Documentation/change/locking/ranges.rst.
 */
#include "attach/gate_probe.h"

#include <linux/bitops.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/perfmon.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <perfmon/critical.h>

#include "compat.h"
#include "core/context.h"
#include "cpu/remote.h"
#include "set/layout.h"
#include "target/gate.h"
#include "target/table.h"
#include "target/target.h"

/**
 * enum happening - what a task has come to
 * @ENTERED: the first instruction of a function, or the begin of a stretch of code
 * @RETURNED: it has returned from a function
 * @EXITED: it is about to leave a function, or what that has called
 * @ENDED: the end of a stretch of code
 * @UNWOUND: a place where frames of the stack have gone
 */
enum happening {
	ENTERED,
	RETURNED,
	EXITED,
	ENDED,
	UNWOUND,
};

#ifdef PFM_HAVE_UPROBES
/**
 * struct pfm_gate_point - a place that has a probe while the context is loaded
 * @consumer: the kernel calls its functions
 * @ctx: the context
 * @file: the file, a reference
 * @offset: place in the file
 * @uprobe: handle of the probe, where the kernel has that
 * @range: number of the range; not used in a place where frames have gone
 * @what: what it means to come here; the consumer of a function may have the return, too
 * @any_stack: the frame is not dropped, wherever the stack is: TRIGGER
 * @registered: the probe is registered; pfm_context.lock
 *
 * Constant but for @uprobe and @registered.
 */
struct pfm_gate_point {
	struct uprobe_consumer consumer;
	struct pfm_context *ctx;
	struct file *file;
	loff_t offset;
	struct uprobe *uprobe;
	u32 range;
	enum happening what;
	bool any_stack;
	bool registered;
};

/* Bytes that a call pushes on the stack, and the return pops */
static unsigned int pushed(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return user_64bit_mode((struct pt_regs *)regs) ? 8 : 4;
#else
	return 0;
#endif
}

/* Stack pointer at the entry of the function that the task is in, or has just left. */
static u64 stack_here(struct pt_regs *regs, enum happening what)
{
	const unsigned long sp = user_stack_pointer(regs);
	const u64 here = what == RETURNED ? sp - pushed(regs) : sp;

	/* A program may have any stack pointer, and a frame of 0 is none. */
	return max_t(u64, here & ~(u64)PFM_FRAME_FLAGS, PFM_FRAME_LEAST) |
	       (on_sig_stack(sp) ? PFM_FRAME_ALT : 0);
}

/* True if the part of the stack that has a frame is gone, as the task is here. */
static bool is_gone(u64 frame, u64 here, enum happening what)
{
	const bool alt = here & PFM_FRAME_ALT;
	const u64 sp = here & ~(u64)PFM_FRAME_FLAGS;

	if (alt != !!(frame & PFM_FRAME_ALT))
		return !alt;
	frame &= ~(u64)PFM_FRAME_FLAGS;
	return what == UNWOUND ? sp >= frame : sp > frame;
}

/* End the frames of what the task has left without a return. */
static void drop_gone(struct pfm_target *target, u64 here, enum happening what)
{
	u32 i;

	/* I5 */
	for (i = 0; target->frames && i < target->layout->ngates; i++) {
		const u64 frame = pfm_gate_frame(target, i);

		if (frame && is_gone(frame, here, what))
			pfm_gate_end(target, i, PFM_GATE_LEFT);
	}
}

/* True if the kernel will not report the return of a function that the task enters. */
static bool will_miss(const struct pfm_gate_point *point)
{
	return point->consumer.ret_handler && current->utask &&
	       current->utask->depth >= MAX_URETPROBE_DEPTH;
}

static void enter(struct pfm_target *target, const struct pfm_gate_point *point,
		  u64 here)
{
	const u32 range = point->range;

	if (!pfm_context_started(target->ctx) || pfm_gate_spent(target, range))
		return;
	pfm_gate_count(target, range, PFM_GATE_CALLS);
	if (pfm_gate_frame(target, range))
		return;
	if (will_miss(point))
		pfm_gate_count(target, range, PFM_GATE_MISSED);
	else
		pfm_gate_begin(target, range,
			       point->any_stack ? PFM_FRAME_MOST : here);
}

/* The frame is that of an outer call if the task returns further down the stack. */
static void leave(struct pfm_target *target, const struct pfm_gate_point *point,
		  u64 here)
{
	const u64 frame = pfm_gate_frame(target, point->range);

	if (!frame || ((frame ^ here) & PFM_FRAME_ALT))
		return;
	if ((frame & ~(u64)PFM_FRAME_FLAGS) <= (here & ~(u64)PFM_FRAME_FLAGS))
		pfm_gate_end(target, point->range, PFM_GATE_RETURNED);
}

/* Start the registers that follow the task, if those of all tasks run, or are about to. */
static void start_task_regs(struct pfm_target *target)
{
	struct pfm_context *ctx = target->ctx;

	if (!pfm_layout_task(target->layout)->npmds)
		return;
	raw_spin_lock(&ctx->targets_lock);
	if (pfm_context_started(ctx) || ctx->state == PFM_CTX_STARTING)
		pfm_target_start(target);
	raw_spin_unlock(&ctx->targets_lock);
}

/* Change the gate of current's target.  Interrupts are off, in a critical section. */
static void change(struct pfm_target *target,
		   const struct pfm_gate_point *point, u64 here,
		   enum happening what)
{
	pfm_remote_out(target);
	pfm_target_stop(target);
	raw_spin_lock(&target->lock);
	/* Else whoever ends the session ends the frames. I3 */
	if (!target->dead) {
		/* The stack may be different at the begin and at the end of a stretch of code. */
		if (what == ENDED && pfm_gate_frame(target, point->range))
			pfm_gate_end(target, point->range, PFM_GATE_RETURNED);
		drop_gone(target, here, what);
		if (what == ENTERED)
			enter(target, point, here);
		else if (what == RETURNED || what == EXITED)
			leave(target, point, here);
		target->shut = !target->frames;
	}
	raw_spin_unlock(&target->lock);
	if (!target->frames)
		return;
	start_task_regs(target);
	pfm_remote_in();
}

/* The current task has come to a point. */
static void happened(struct uprobe_consumer *consumer, struct pt_regs *regs,
		     enum happening what)
{
	const struct pfm_gate_point *point =
		container_of(consumer, struct pfm_gate_point, consumer);
	struct pfm_target *target;
	unsigned long flags;

	local_irq_save(flags);
	/* Q1 */
	pfm_critical_enter();
	target = pfm_target_of(current, point->ctx);
	/* Without a frame only an entry changes anything.  Targets of others are left alone. I7 */
	if (target && (target->frames || what == ENTERED))
		change(target, point, stack_here(regs, what), what);
	pfm_critical_exit();
	local_irq_restore(flags);
}

static PFM_UPROBE_HANDLER(on_point)
{
	happened(self, regs,
		 container_of(self, struct pfm_gate_point, consumer)->what);
	return 0;
}

static PFM_UPROBE_RET_HANDLER(on_return)
{
	happened(self, regs, RETURNED);
	return 0;
}

/* True if any thread of the process that an address space belongs to is monitored. */
static bool owner_has_target(const struct pfm_context *ctx,
			     const struct mm_struct *mm)
{
#ifdef CONFIG_MEMCG
	struct task_struct *owner = rcu_dereference(mm->owner);
	struct task_struct *task;

	if (!owner)
		return false;
	for_each_thread(owner, task) {
		if (pfm_target_of(task, ctx))
			return true;
	}
	return false;
#else
	return true;
#endif
}

/* Which address spaces get a probe. I6 */
static PFM_UPROBE_FILTER(filter)
{
	const struct pfm_gate_point *point =
		container_of(self, struct pfm_gate_point, consumer);
	bool wanted;

	rcu_read_lock();
	wanted = (current->mm == mm && pfm_target_of(current, point->ctx)) ||
		 owner_has_target(point->ctx, mm);
	rcu_read_unlock();
	return wanted;
}

static int register_point(struct pfm_gate_point *point)
{
	struct uprobe *uprobe;

	uprobe = pfm_uprobe_register(d_real_inode(point->file->f_path.dentry),
				     point->offset, &point->consumer);
	/* This one is none of user space. */
	if (uprobe == ERR_PTR(-ENOTSUPP))
		return -EOPNOTSUPP;
	if (IS_ERR(uprobe))
		return PTR_ERR(uprobe);
	point->uprobe = uprobe;
	point->registered = true;
	return 0;
}

/* Add a point, with a reference on the file. */
static void add_point(struct pfm_context *ctx, struct pfm_gates *gates,
		      struct file *file, loff_t offset, enum happening what)
{
	struct pfm_gate_point *point = &gates->points[gates->npoints++];

	point->consumer.handler = on_point;
	point->consumer.filter = filter;
	point->ctx = ctx;
	point->file = get_file(file);
	point->offset = offset;
	point->range = gates->n - 1;
	point->what = what;
}

static int check_element(const struct pfm_range *range)
{
	const u32 kinds = PFM_RANGE_SPAN | PFM_RANGE_UNWIND | PFM_RANGE_EXIT |
			  PFM_RANGE_TRIGGER;
	u32 flags = range->flags;

	if (flags & PFM_RANGE_TRIGGER)
		flags &= ~PFM_RANGE_ONCE;
	if (range->reserved || (flags & ~kinds) || hweight32(flags) > 1)
		return -EINVAL;
	if (flags & PFM_RANGE_TRIGGER)
		return range->end != range->start ? 0 : -EINVAL;
	if (range->flags & PFM_RANGE_SPAN)
		return range->end > range->start ? 0 : -EINVAL;
	return range->end ? -EINVAL : 0;
}

static int check_file(const struct pfm_range *range, struct file *file)
{
	const struct inode *inode = d_real_inode(file->f_path.dentry);
	const u64 size = i_size_read(inode);

	if (!(file->f_mode & FMODE_READ))
		return -EBADF;
	if (!S_ISREG(inode->i_mode))
		return -ENOEXEC;
	return range->start < size && range->end < size ? 0 : -ERANGE;
}

/*
 * True if an EXIT belongs to a function, and is not its first instruction: the kernel calls the
 * consumers of a place in any order.
 */
static bool is_exit(const struct pfm_range *ranges, u32 i)
{
	const u64 start = ranges[i].start;

	while (i--) {
		if (!(ranges[i].flags & PFM_RANGE_EXIT))
			return !ranges[i].flags && ranges[i].start != start;
	}
	return false;
}

/* Add what an element of SET_RANGES says, which was checked. */
static int add_points(struct pfm_context *ctx, struct pfm_gates *gates,
		      const struct pfm_range *range, struct file *file,
		      bool has_exits)
{
	if (range->flags & PFM_RANGE_EXIT) {
		add_point(ctx, gates, file, range->start, EXITED);
		return 0;
	}
	if (range->flags & PFM_RANGE_UNWIND) {
		add_point(ctx, gates, file, range->start, UNWOUND);
		return 0;
	}
	if (gates->n == PFM_RANGES_MAX)
		return -E2BIG;
	gates->n++;
	add_point(ctx, gates, file, range->start, ENTERED);
	if (range->flags & PFM_RANGE_TRIGGER) {
		gates->points[gates->npoints - 1].any_stack = true;
		if (range->flags & PFM_RANGE_ONCE)
			gates->once |= BIT_ULL(gates->n - 1);
		if (range->end)
			add_point(ctx, gates, file, range->end, ENDED);
	} else if (range->flags & PFM_RANGE_SPAN) {
		add_point(ctx, gates, file, range->end, ENDED);
	} else if (!has_exits) {
		gates->points[gates->npoints - 1].consumer.ret_handler =
			on_return;
	}
	return 0;
}

/* Add element i of n. */
static int add_element(struct pfm_context *ctx, struct pfm_gates *gates,
		       const struct pfm_range *ranges, u32 n, u32 i)
{
	const struct pfm_range *range = &ranges[i];
	struct file *file;
	int ret;

	ret = check_element(range);
	if (!ret && (range->flags & PFM_RANGE_EXIT) && !is_exit(ranges, i))
		ret = -EINVAL;
	if (ret)
		return ret;
	file = fget(range->fd);
	if (!file)
		return -EBADF;
	ret = check_file(range, file);
	if (!ret)
		ret = add_points(ctx, gates, range, file,
				 i + 1 < n && (ranges[i + 1].flags &
					       PFM_RANGE_EXIT));
	fput(file);
	return ret;
}

static void free_all(struct pfm_gates *gates)
{
	u32 i;

	for (i = 0; i < gates->npoints; i++)
		fput(gates->points[i].file);
	kvfree(gates->points);
	pfm_gate_free(gates);
}

/** pfm_gate_probe_possible - tell whether this kernel has probes for ranges */
bool pfm_gate_probe_possible(void)
{
	return true;
}

/**
 * pfm_gate_probe_create - make ranges from what SET_RANGES was given
 * @ctx: the context that will have them
 * @ranges: the elements, not checked yet
 * @n: their number, 1 to PFM_RANGE_POINTS_MAX
 * @failed: out: index of an element that is refused; unchanged otherwise
 *
 * Context: process; may sleep.
 * Return: the ranges, for pfm_gate_probe_set(); or an error pointer with one of the errors of
 * SET_RANGES in <linux/perfmon.h>.
 */
struct pfm_gates *pfm_gate_probe_create(struct pfm_context *ctx,
					const struct pfm_range *ranges, u32 n,
					u32 *failed)
{
	struct pfm_gates *gates = pfm_gate_create();
	int ret = 0;
	u32 i;

	if (!gates)
		return ERR_PTR(-ENOMEM);
	/* A stretch of code has two. */
	gates->points =
		kvcalloc(2 * n, sizeof(*gates->points), GFP_KERNEL_ACCOUNT);
	if (!gates->points) {
		free_all(gates);
		return ERR_PTR(-ENOMEM);
	}
	for (i = 0; i < n && !ret; i++) {
		ret = add_element(ctx, gates, ranges, n, i);
		if (ret)
			*failed = i;
	}
	/* Places where frames have gone, and nothing to count. */
	if (!ret && !gates->n)
		ret = -EINVAL;
	if (!ret)
		return gates;
	free_all(gates);
	return ERR_PTR(ret);
}

/**
 * pfm_gate_probe_set - give a context other ranges
 * @ctx: the context, not loaded; pfm_context.lock is held
 * @gates: the ranges; NULL: none
 */
void pfm_gate_probe_set(struct pfm_context *ctx, struct pfm_gates *gates)
{
	lockdep_assert_held(&ctx->lock);
	pfm_gate_probe_free(ctx);
	ctx->gates = gates;
	ctx->nranges = gates ? gates->n : 0;
}

/**
 * pfm_gate_probe_register - have the kernel call this at the points of a context
 * @ctx: the context, loaded on threads; pfm_context.lock is held
 *
 * Context: process; may sleep.
 * Return: 0, also if the context has no ranges; or an error of the kernel's, and
 * pfm_gate_probe_unregister() may follow.
 */
int pfm_gate_probe_register(struct pfm_context *ctx)
{
	struct pfm_gates *gates = ctx->gates;
	int ret = 0;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	for (i = 0; gates && !ret && i < gates->npoints; i++)
		ret = register_point(&gates->points[i]);
	return ret;
}

/**
 * pfm_gate_probe_unregister - take back all probes of a context
 * @ctx: the context; no CPU counts for it, and pfm_context.lock is held
 *
 * When this returns, no probe of the context runs.
 *
 * Context: process; may sleep.
 */
void pfm_gate_probe_unregister(struct pfm_context *ctx)
{
	struct pfm_gates *gates = ctx->gates;
	bool any = false;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	for (i = 0; gates && i < gates->npoints; i++) {
		struct pfm_gate_point *point = &gates->points[i];

		if (!point->registered)
			continue;
		pfm_uprobe_unregister(d_real_inode(point->file->f_path.dentry),
				      point->offset, point->uprobe,
				      &point->consumer);
		point->registered = false;
		any = true;
	}
	if (any)
		pfm_uprobe_sync();
}

/**
 * pfm_gate_probe_free - free the ranges of a context
 * @ctx: the context, not loaded
 *
 * Context: process; may sleep.
 */
void pfm_gate_probe_free(struct pfm_context *ctx)
{
	if (ctx->gates)
		free_all(ctx->gates);
	ctx->gates = NULL;
	ctx->nranges = 0;
}
#else
bool pfm_gate_probe_possible(void)
{
	return false;
}

struct pfm_gates *pfm_gate_probe_create(struct pfm_context *ctx,
					const struct pfm_range *ranges, u32 n,
					u32 *failed)
{
	return ERR_PTR(-EOPNOTSUPP);
}

void pfm_gate_probe_set(struct pfm_context *ctx, struct pfm_gates *gates)
{
}

int pfm_gate_probe_register(struct pfm_context *ctx)
{
	return 0;
}

void pfm_gate_probe_unregister(struct pfm_context *ctx)
{
}

void pfm_gate_probe_free(struct pfm_context *ctx)
{
}
#endif

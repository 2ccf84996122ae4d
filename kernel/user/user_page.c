// SPDX-License-Identifier: GPL-2.0-only
/*
 * User pages, with which a thread reads its own counters in user mode.
 *
 * A page tells where the values of a context's registers are: in a counter that began
 * with a given value, or in the page itself.  The page is written on the CPU that
 * counts for the thread, with interrupts off, whenever counters are written or stopped.
 * The thread reads it on that same CPU.  So the page never changes while the thread
 * executes an instruction, only between two instructions, as if by a signal handler.
 *
 * Access to the counters is a separate matter.  All threads of a process that has a
 * page mapped may read counters, even when no page is valid.  The reason: a page may
 * become invalid after a thread has looked at it and before the thread reads the
 * counter.  The thread must then get some value, which it throws away, and not a
 * signal.  That value is never a count that the thread must not see: counters that are
 * not in use are zeroed, and while a context of another process counts kernel code for
 * the thread, the thread may read no counter.  On x86 the kernel decides who may read
 * counters, and the page only tells.
 *
 * The arguments in full: Documentation/change/locking/user.rst.
 */
#include "user/user_page.h"

#include <linux/bits.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <perfmon/critical.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "set/layout.h"
#include "target/target.h"
#include "user/user_access.h"

DEFINE_RAW_SPINLOCK(pfm_user_pages_lock);

/* Counters have been zeroed, so no slot but the first one can go on from what they held. X2 */
static void forget_further(struct pfm_cpu *cpu)
{
	unsigned int s;

	for (s = 1; s < PFM_SLOTS; s++)
		cpu->slots[s].last = NULL;
}

/* Let user mode read counters, unless it may already and nothing has changed. */
static void allow_counters(struct pfm_cpu *cpu, const struct pfm_pmu *pmu)
{
	struct pfm_slot *slot = &cpu->slots[0];
	const struct pfm_prog *prog = NULL;
	u64 prog_id = PFM_CPU_ZERO;

	/* The kernel lets everybody read all of them, so nothing is zeroed. */
	if (pmu->user_all) {
		cpu->user = pmu;
		return;
	}
	if (slot->target && slot->cset->progs[PFM_CLASS_HW].npmds) {
		prog = &slot->cset->progs[PFM_CLASS_HW];
		prog_id = slot->cset->prog_id;
	}
	if (cpu->user && cpu->clean == prog_id)
		return;
	if (cpu->clean != prog_id)
		forget_further(cpu);
	pmu->ops->user_allow(prog, cpu->clean != prog_id);
	cpu->user = pmu;
	cpu->clean = prog_id;
	if (!prog) {
		slot->prog_id = 0;
		slot->last = NULL;
	}
}

/*
 * Let threads of an address space read counters.  Those that the active program does not
 * use are zeroed.  When there is no program, all counters are zeroed, so pfm_slot.last and
 * pfm_slot.prog_id have no meaning any more.
 *
 * Returns true when the caller has to check again whether the process has a page mapped.
 */
static bool allow(struct pfm_cpu *cpu, const struct pfm_pmu *pmu,
		  const struct mm_struct *mm)
{
	allow_counters(cpu, pmu);
	if (cpu->user_mm == mm)
		return false;
	WRITE_ONCE(cpu->user_mm, mm);
	/*
	 * Pairs with the barrier in pfm_user_page_withdraw(): either that finds this CPU,
	 * or this CPU finds that the page has gone. X4
	 */
	smp_mb();
	return true;
}

static void deny(struct pfm_cpu *cpu)
{
	cpu->user->ops->user_deny();
	cpu->user = NULL;
	WRITE_ONCE(cpu->user_mm, NULL);
}

/*
 * True when counters hold counts beside those of the first slot: of contexts of the CPU, which
 * are of others, or of further contexts of the thread.  These might be the thread's own, but
 * whoever reads counters reads all of them, and would have to have the right to each.  All sets
 * of a context matter, because nobody looks at the access when its next set becomes active. J8
 */
static bool has_others(const struct pfm_cpu *cpu)
{
	unsigned int s;

	if (cpu->owned)
		return true;
	for (s = 1; s < PFM_SLOT_OWN && pfm_switch_watched(); s++) {
		if (cpu->slots[s].target &&
		    cpu->slots[s].layout->classes & BIT(PFM_CLASS_HW))
			return true;
	}
	return false;
}

/*
 * True when the counters hold nothing that the task must not see, so that user mode may
 * read them.
 */
static bool concerns(const struct pfm_cpu *cpu, const struct pfm_pmu *pmu,
		     const struct task_struct *task)
{
	const struct pfm_slot *slot = &cpu->slots[0];
	const struct pfm_target *target = slot->target;
	const struct pfm_user_mapping *page;

	if (cpu->barred || (!pmu->user_all && has_others(cpu)))
		return false;
	if (!target)
		return true;
	/* The counters count, or counted, for another task. X2 */
	if (target->task != task || slot->passed)
		return false;
	if (!READ_ONCE(slot->layout->kernel))
		return true;
	/*
	 * Only the process that has mapped the context's page may see kernel counts. X3
	 */
	page = READ_ONCE(target->ctx->user_page);
	return page && READ_ONCE(page->mm) == READ_ONCE(task->mm);
}

/**
 * pfm_user_page_switch - allow or deny user mode to read counters, whichever is right now
 * @cpu: this CPU, on which the task or what it may read has changed; interrupts off
 * @task: task that will be in user mode next
 */
void pfm_user_page_switch(struct pfm_cpu *cpu, const struct task_struct *task)
{
	const struct mm_struct *mm = READ_ONCE(task->mm);
	const struct pfm_pmu *pmu;

	pfm_critical_assert();
	/* A second look finds what was unmapped before this CPU was seen in user_mm. X1 */
	while ((pmu = pfm_user_access_pmu(mm)) && concerns(cpu, pmu, task)) {
		if (!allow(cpu, pmu, mm))
			return;
	}
	if (cpu->user)
		deny(cpu);
}

/* Write the state of the user page.  Its thread is not in user mode at the moment. W1 */
static void publish(struct pfm_user_page *ctl, u32 state, u64 until)
{
	WRITE_ONCE(ctl->state, state);
	/*
	 * A thread that the context monitored before may still be reading the page.  If
	 * it sees the new @until, it must see the new @layout too.
	 */
	smp_store_release(&ctl->until, until);
	WRITE_ONCE(ctl->seq, ctl->seq + 1);
}

/*
 * Say that counters may be read.  The PMU gives 0 for the time until which they may be when
 * somebody else has denied user mode the counters since the page was created.
 */
static void publish_valid(const struct pfm_user_mapping *page,
			  const struct pfm_slot *slot)
{
	const struct pfm_prog *prog = &slot->cset->progs[PFM_CLASS_HW];
	const u64 until = page->pmu->ops->user_until(prog);

	publish(page->ctl,
		likely(until) ? PFM_USER_PAGE_VALID : PFM_USER_PAGE_NO_ACCESS,
		until);
}

/*
 * Say that counters may not be read.  While the page is not valid, the table does not follow
 * changes of the active set, so it has to be filled anew later.
 */
static void publish_invalid(struct pfm_user_mapping *page, u32 state)
{
	page->filled = 0;
	publish(page->ctl, state, 0);
}

static u32 state_of(const struct pfm_slot *slot,
		    const struct pfm_user_mapping *page)
{
	const struct task_struct *task = slot->target->task;
	const struct mm_struct *mm = READ_ONCE(page->mm);

	if (pfm_context_follows(slot->target->ctx))
		return PFM_USER_PAGE_FOLLOWS;
	if (!page->pmu || slot->barred & BIT(page->pmu->reg_class))
		return PFM_USER_PAGE_NO_ACCESS;
	if (!page->pmu->user_all && (slot->run.index || has_others(slot->cpu)))
		return PFM_USER_PAGE_NO_ACCESS;
	/* A context that monitors a CPU has no thread that could read. */
	return mm && task && task->mm == mm ? PFM_USER_PAGE_VALID
					    : PFM_USER_PAGE_OTHER;
}

/* Write the places of a compiled set's registers: counters, or the user page itself. */
static void place(struct pfm_user_mapping *page,
		  const struct pfm_layout *layout, u32 index, const u64 *vals,
		  bool counters)
{
	const struct pfm_cset *cset = &layout->csets[index];
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	const struct pfm_reg_desc *descs = prog->pmu ? prog->pmu->pmds : NULL;
	struct pfm_user_page_reg *reg;
	u16 i;

	if (index >= page->ncsets)
		return;
	reg = &page->ctl->regs[page->start[index]];
	vals += cset->at + cset->off[PFM_CLASS_HW];
	for (i = 0; i < prog->npmds; i++, reg++) {
		reg->base = vals[i];
		reg->index = counters ? descs[prog->pmds[i]].index
				      : PFM_USER_PAGE_IN_MEMORY;
	}
}

static void fill_cset(struct pfm_user_page_reg *reg,
		      const struct pfm_cset *cset)
{
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	u16 i;

	for (i = 0; i < prog->npmds; i++, reg++) {
		*reg = (struct pfm_user_page_reg){
			.num = prog->pmds[i],
			.set = cset->set,
			.width = prog->pmu->pmds[prog->pmds[i]].width,
		};
	}
}

/* Fill the table of registers; those that do not fit are left to READ_PMDS. */
static void fill(struct pfm_user_mapping *page, const struct pfm_slot *slot)
{
	const struct pfm_layout *layout = slot->layout;
	const struct pfm_target *target = slot->target;
	struct pfm_user_page *ctl = page->ctl;
	struct task_struct *task = target->task;
	u32 b, n = 0;

	for (b = 0; b < layout->ncsets && b < ARRAY_SIZE(page->start); b++) {
		const struct pfm_cset *cset = &layout->csets[b];

		if (n + cset->progs[PFM_CLASS_HW].npmds > PFM_USER_PAGE_REGS)
			break;
		page->start[b] = n;
		fill_cset(&ctl->regs[n], cset);
		n += cset->progs[PFM_CLASS_HW].npmds;
	}
	page->ncsets = b;
	for (b = 0; b < page->ncsets; b++)
		place(page, layout, b, target->vals, false);
	page->filled = layout->id;
	ctl->nregs = n;
	ctl->tid = task_pid_nr_ns(task, task_active_pid_ns(task));
	/*
	 * The table keeps its number when only values change.  A thread that sees the
	 * number also sees the thread id that belongs to it. W2
	 */
	smp_store_release(&ctl->layout, page->filled);
}

/**
 * pfm_user_page_allows - tell whether a task may read counters while it is on a CPU
 * @task: the task
 *
 * Context: interrupts off.
 * Return: true when its process has a user page mapped.
 */
bool pfm_user_page_allows(const struct task_struct *task)
{
	return pfm_user_access_pmu(READ_ONCE(task->mm));
}

/**
 * pfm_user_page_look - check the current task's access to counters again
 *
 * For changes of which no inter-processor call tells this CPU: the task has executed
 * another program, while its old address space may live on in other tasks; or the
 * program that counts for it has changed.
 */
void pfm_user_page_look(void)
{
	unsigned long flags;

	local_irq_save(flags);
	pfm_critical_enter();
	if (this_cpu_ptr(&pfm_cpus)->user)
		pfm_user_page_switch(this_cpu_ptr(&pfm_cpus), current);
	pfm_critical_exit();
	local_irq_restore(flags);
}

/**
 * pfm_user_page_run - update the page after the CPU began to count for its context
 * @slot: slot of this CPU, which counts for a target whose context has a user page; the target's
 *	values are those that the counters began with
 *
 * Context: interrupts off.
 */
void pfm_user_page_run(struct pfm_slot *slot)
{
	struct pfm_user_mapping *page = READ_ONCE(slot->target->ctx->user_page);
	const struct pfm_layout *layout = slot->layout;
	const u64 *vals = slot->target->vals;
	u32 index = slot->cset - layout->csets;
	u32 state = state_of(slot, page);
	const struct mm_struct *mm;

	pfm_critical_assert();
	if (state) {
		publish_invalid(page, state);
		return;
	}
	mm = READ_ONCE(slot->target->task->mm);
	if (allow(slot->cpu, page->pmu, mm) && READ_ONCE(page->mm) != mm) {
		/* Unmapped just now; the process may have other pages. */
		pfm_user_page_switch(slot->cpu, slot->target->task);
		publish_invalid(page, PFM_USER_PAGE_OTHER);
		return;
	}
	if (page->filled != layout->id)
		fill(page, slot);
	else if (page->cset != index)
		place(page, layout, page->cset, vals, false);
	place(page, layout, index, vals, true);
	page->cset = index;
	page->ctl->set = slot->cset->set;
	publish_valid(page, slot);
}

/**
 * pfm_user_page_stop - update the page because the CPU stops counting for its context
 * @slot: slot of this CPU, which counted for a target whose context has a user page
 *
 * Context: interrupts off.
 */
void pfm_user_page_stop(struct pfm_slot *slot)
{
	struct pfm_user_page *ctl =
		READ_ONCE(slot->target->ctx->user_page)->ctl;

	/* It is 0 if the page was mapped after counting began: then it is not valid. */
	if (ctl->until)
		publish(ctl, PFM_USER_PAGE_STOPPED, 0);
}

/**
 * pfm_user_page_refresh - update the page with values that were just read
 * @slot: slot of this CPU, which counts for a target whose context has a user page
 * @vals: values of the target; those of the active set are up to date
 *
 * Context: interrupts off.
 */
void pfm_user_page_refresh(struct pfm_slot *slot, const u64 *vals)
{
	struct pfm_user_mapping *page = READ_ONCE(slot->target->ctx->user_page);

	if (!page->ctl->until)
		return;
	place(page, slot->layout, slot->cset - slot->layout->csets, vals, true);
	publish_valid(page, slot);
}

/**
 * pfm_user_page_stale - note that values of sets that are not active have changed
 * @ctx: the context; the caller owns its target's values
 *
 * The next pfm_user_page_run() fills the table again.
 */
void pfm_user_page_stale(struct pfm_context *ctx)
{
	struct pfm_user_mapping *page = READ_ONCE(ctx->user_page);

	if (unlikely(page))
		page->filled = 0;
}

/**
 * pfm_user_page_unloaded - update the page after the context was unloaded
 * @ctx: the context; pfm_context.lock is held
 */
void pfm_user_page_unloaded(struct pfm_context *ctx)
{
	struct pfm_user_mapping *page = READ_ONCE(ctx->user_page);

	if (!page)
		return;
	page->ctl->tid = 0;
	/* A thread that is about to read a counter checks the layout last. */
	page->filled = 0;
	WRITE_ONCE(page->ctl->layout, 0);
	publish(page->ctl, PFM_USER_PAGE_UNLOADED, 0);
}

/**
 * pfm_user_page_keep_probes - let the page keep the probes of a context that is
 * unloaded
 * @ctx: the context, which gives up its claim on the tracepoint probes
 *
 * Access to counters changes at each switch between processes.  Without the switch probe
 * the wrong process could have it.
 *
 * Context: any but NMI.
 * Return: true when the page took over the context's claim.
 */
bool pfm_user_page_keep_probes(struct pfm_context *ctx)
{
	struct pfm_user_mapping *page = READ_ONCE(ctx->user_page);
	unsigned long flags;
	bool keep;

	if (!page)
		return false;
	raw_spin_lock_irqsave(&pfm_user_pages_lock, flags);
	keep = page->mm && !page->probes;
	if (keep)
		page->probes = true;
	raw_spin_unlock_irqrestore(&pfm_user_pages_lock, flags);
	return keep;
}

/**
 * pfm_user_page_beside - check access to counters again: a context came or went beside the task's
 * first
 * @cpu: this CPU; interrupts off
 *
 * The page of the current thread is valid no longer than the thread may read counters.  It may
 * become valid again when the thread is next switched in: only then is it known what the counters
 * began with.
 */
void pfm_user_page_beside(struct pfm_cpu *cpu)
{
	const struct pfm_slot *slot = &cpu->slots[0];
	struct pfm_user_mapping *page = NULL;

	pfm_critical_assert();
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
	if (slot->target)
		page = READ_ONCE(slot->target->ctx->user_page);
	if (page && page->ctl->until && !page->pmu->user_all && has_others(cpu))
		publish_invalid(page, PFM_USER_PAGE_NO_ACCESS);
}

static void deny_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	pfm_critical_enter();
	if (cpu->user)
		deny(cpu);
	pfm_critical_exit();
}

static bool anybody_reads(int cpu, void *unused)
{
	return READ_ONCE(per_cpu(pfm_cpus, cpu).user_mm);
}

/**
 * pfm_user_page_deny_all - deny user mode all counters, because the probes are gone
 *
 * Access to counters changes at each switch between processes.  Without the switch probe
 * the wrong process could have it.  No context is loaded, so no page is valid, nor was
 * one valid lately.  No probe runs any more, so no CPU begins to let user mode read.
 *
 * Context: process, interrupts on.
 */
void pfm_user_page_deny_all(void)
{
	on_each_cpu_cond(anybody_reads, deny_here, NULL, 1);
}

/**
 * struct withdrawal - what a CPU needs to know of a page that was unmapped
 * @page: the page
 * @mm: address space that had it mapped; only compared
 */
struct withdrawal {
	const struct pfm_user_mapping *page;
	const struct mm_struct *mm;
};

static bool mm_reads(int cpu, void *arg)
{
	const struct withdrawal *gone = arg;

	return READ_ONCE(per_cpu(pfm_cpus, cpu).user_mm) == gone->mm;
}

static void withdraw_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	const struct withdrawal *gone = arg;
	unsigned int s;

	pfm_critical_enter();
	for (s = 0; s < PFM_SLOT_OWN; s++) {
		struct pfm_slot *slot = &cpu->slots[s];

		if (slot->target &&
		    READ_ONCE(slot->target->ctx->user_page) == gone->page)
			pfm_user_page_run(slot);
	}
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
	pfm_critical_exit();
}

/**
 * pfm_user_page_withdraw - have the CPUs take note that a page was unmapped
 * @page: the page, whose mm is NULL by now
 * @mm: address space that had it mapped
 *
 * Only CPUs are called that let threads of the address space read counters.  The others
 * find the page gone before they do.
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 */
void pfm_user_page_withdraw(const struct pfm_user_mapping *page,
			    const struct mm_struct *mm)
{
	struct withdrawal gone = { .page = page, .mm = mm };

	/* Pairs with the barrier in allow(). */
	smp_mb();
	on_each_cpu_cond(mm_reads, withdraw_here, &gone, 1);
}

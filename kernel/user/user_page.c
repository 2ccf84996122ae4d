// SPDX-License-Identifier: GPL-2.0-only
/*
 * User pages: what a thread needs to read its own counters in user mode.
 *
 * A page says where the values of a context's registers are: in a counter, from
 * a known value on, or in the page.  It is written on the CPU that counts for
 * the thread, interrupts off, whenever counters are written or stopped.  So the
 * thread, which reads it on that CPU, finds it changed as if by a signal handler.
 *
 * Which threads may read counters is another matter: all threads of a process
 * that has a page mapped, also when no page is valid.  What is on the page may
 * become invalid after the reader looked and before it reads the counter: then it
 * must get a value, which it throws away, and not a signal.  What it gets is its
 * own: counters that are not in use are zeroed.  While somebody else's context
 * counts kernel code for the thread it may read none.
 *
 * The arguments in full: Documentation/locking.rst.
 */
#include "user/user_page.h"

#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "set/layout.h"
#include "target/target.h"
#include "user/user_access.h"

DEFINE_RAW_SPINLOCK(pfm_user_pages_lock);

/*
 * User mode may read counters, of which the active program uses some.  When
 * there is no program, nothing is left that last or gen could mean.
 */
static void allow(struct pfm_cpu *cpu, const struct pfm_pmu *pmu)
{
	const struct pfm_prog *prog = NULL;
	u64 prog_id = PFM_CPU_ZERO;

	if (cpu->target && cpu->cset->progs[PFM_CLASS_HW].npmds) {
		prog = &cpu->cset->progs[PFM_CLASS_HW];
		prog_id = cpu->cset->prog_id;
	}
	if (cpu->user && cpu->clean == prog_id)
		return;
	pmu->ops->user_allow(prog, cpu->clean != prog_id);
	cpu->user = pmu;
	cpu->clean = prog_id;
	if (!prog) {
		cpu->prog_id = 0;
		cpu->last = NULL;
	}
}

/* Whether what the counters tell is for a task, which reads counters. */
static bool concerns(const struct pfm_cpu *cpu, const struct task_struct *task)
{
	const struct pfm_target *target = cpu->target;
	const struct pfm_user_mapping *page;

	if (cpu->system_wide)
		return false;
	if (!target)
		return true;
	/* They count, or counted, for somebody else. */
	if (target->task != task || cpu->passed)
		return false;
	if (!READ_ONCE(cpu->layout->kernel))
		return true;
	/* Kernel counts are for those who have the context, and so its page. */
	page = READ_ONCE(target->ctx->user_page);
	return page && READ_ONCE(page->mm) == READ_ONCE(task->mm);
}

/**
 * pfm_user_page_switch - who is on the CPU, or what it may, changed
 * @cpu: this CPU; interrupts off
 * @task: the task that will be in user mode next
 */
void pfm_user_page_switch(struct pfm_cpu *cpu, const struct task_struct *task)
{
	const struct pfm_pmu *pmu = pfm_user_access_pmu(READ_ONCE(task->mm));

	if (pmu && concerns(cpu, task)) {
		allow(cpu, pmu);
	} else if (cpu->user) {
		cpu->user->ops->user_deny();
		cpu->user = NULL;
	}
}

/* The page is as it is now.  The thread that it is for is not in user mode. */
static void publish(struct pfm_user_page *ctl, u32 state, u64 until)
{
	WRITE_ONCE(ctl->state, state);
	/* One that it was for may be: who sees the limit sees the layout. */
	smp_store_release(&ctl->until, until);
	WRITE_ONCE(ctl->seq, ctl->seq + 1);
}

static u32 state_of(const struct pfm_cpu *cpu,
		    const struct pfm_user_mapping *page)
{
	const struct task_struct *task = cpu->target->task;
	const struct mm_struct *mm = READ_ONCE(page->mm);

	if (pfm_context_follows(cpu->target->ctx))
		return PFM_USER_PAGE_FOLLOWS;
	if (!page->pmu)
		return PFM_USER_PAGE_NO_ACCESS;
	/* Who monitors a CPU monitors no task. */
	return mm && task && task->mm == mm ? PFM_USER_PAGE_VALID
					    : PFM_USER_PAGE_OTHER;
}

/* Where the registers of a compiled set are: in counters, or in memory. */
static void place(struct pfm_user_mapping *page,
		  const struct pfm_layout *layout, u32 index, const u64 *vals,
		  bool counters)
{
	const struct pfm_cset *cset = &layout->csets[index];
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	struct pfm_user_page_reg *reg;
	u16 i;

	if (index >= page->ncsets)
		return;
	reg = &page->ctl->regs[page->start[index]];
	vals += cset->at + cset->off[PFM_CLASS_HW];
	for (i = 0; i < prog->npmds; i++, reg++) {
		reg->base = vals[i];
		reg->index = counters ? prog->pmds[i] : PFM_USER_PAGE_IN_MEMORY;
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

/* Make the table; what does not fit is left to READ_PMDS. */
static void fill(struct pfm_user_mapping *page, const struct pfm_cpu *cpu)
{
	const struct pfm_layout *layout = cpu->layout;
	const struct pfm_target *target = cpu->target;
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
	 * The table is the same again when only values were written.  Who sees
	 * the number sees whose it is.
	 */
	smp_store_release(&ctl->layout, page->filled);
}

/**
 * pfm_user_page_allows - whether a task may read counters while it is on a CPU
 * @task: the task; interrupts off
 */
bool pfm_user_page_allows(const struct task_struct *task)
{
	return pfm_user_access_pmu(READ_ONCE(task->mm));
}

/**
 * pfm_user_page_look - what the current task may read changed, and nobody calls this CPU
 *
 * It got another address space, and the one that it had may live on; or what is
 * counted for it was programmed anew.
 */
void pfm_user_page_look(void)
{
	unsigned long flags;

	local_irq_save(flags);
	if (this_cpu_ptr(&pfm_cpus)->user)
		pfm_user_page_switch(this_cpu_ptr(&pfm_cpus), current);
	local_irq_restore(flags);
}

/**
 * pfm_user_page_run - the CPU began to count for a target whose context has a page
 * @cpu: this CPU; the values of its target are those that the counters began with
 */
void pfm_user_page_run(struct pfm_cpu *cpu)
{
	struct pfm_user_mapping *page = READ_ONCE(cpu->target->ctx->user_page);
	const struct pfm_layout *layout = cpu->layout;
	const u64 *vals = cpu->target->vals;
	u32 index = cpu->cset - layout->csets;
	u32 state = state_of(cpu, page);

	if (state) {
		/* Sets take turns meanwhile: the table does not tell of them. */
		page->filled = 0;
		publish(page->ctl, state, 0);
		return;
	}
	allow(cpu, page->pmu);
	if (page->filled != layout->id)
		fill(page, cpu);
	else if (page->cset != index)
		place(page, layout, page->cset, vals, false);
	place(page, layout, index, vals, true);
	page->cset = index;
	page->ctl->set = cpu->cset->set;
	publish(page->ctl, PFM_USER_PAGE_VALID,
		page->pmu->ops->user_until(&cpu->cset->progs[PFM_CLASS_HW]));
}

/**
 * pfm_user_page_stop - the CPU counts no more for a target whose context has a page
 * @cpu: this CPU
 */
void pfm_user_page_stop(struct pfm_cpu *cpu)
{
	struct pfm_user_page *ctl = READ_ONCE(cpu->target->ctx->user_page)->ctl;

	/* Mapped since it began. */
	if (ctl->until)
		publish(ctl, PFM_USER_PAGE_STOPPED, 0);
}

/**
 * pfm_user_page_refresh - the values of a target that is counted for were read
 * @cpu: this CPU
 * @vals: values of the target, those of the active set as they are now
 */
void pfm_user_page_refresh(struct pfm_cpu *cpu, const u64 *vals)
{
	struct pfm_user_mapping *page = READ_ONCE(cpu->target->ctx->user_page);
	const struct pfm_prog *prog = &cpu->cset->progs[PFM_CLASS_HW];

	if (!page->ctl->until)
		return;
	place(page, cpu->layout, cpu->cset - cpu->layout->csets, vals, true);
	publish(page->ctl, PFM_USER_PAGE_VALID,
		page->pmu->ops->user_until(prog));
}

/**
 * pfm_user_page_stale - values of sets that are not active were changed
 * @ctx: the context; the caller owns its target's values
 */
void pfm_user_page_stale(struct pfm_context *ctx)
{
	struct pfm_user_mapping *page = READ_ONCE(ctx->user_page);

	if (unlikely(page))
		page->filled = 0;
}

/**
 * pfm_user_page_unloaded - the context has no thread any more
 * @ctx: the context; pfm_context.lock is held
 */
void pfm_user_page_unloaded(struct pfm_context *ctx)
{
	struct pfm_user_mapping *page = READ_ONCE(ctx->user_page);

	if (!page)
		return;
	page->ctl->tid = 0;
	/* Who is about to read looks at this last. */
	page->filled = 0;
	WRITE_ONCE(page->ctl->layout, 0);
	publish(page->ctl, PFM_USER_PAGE_UNLOADED, 0);
}

/**
 * pfm_user_page_keep_probes - the context is being unloaded and gives up the probes
 * @ctx: the context
 *
 * Without the switch hook, access to counters would not follow the process.
 *
 * Return: true when the page keeps the context's claim on the probes.
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

static void deny_here(void *arg)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	if (cpu->user) {
		cpu->user->ops->user_deny();
		cpu->user = NULL;
	}
}

/**
 * pfm_user_page_deny_all - the probes are gone: access would not follow its process
 *
 * No context is loaded, so no page is valid, nor was one lately.
 */
void pfm_user_page_deny_all(void)
{
	on_each_cpu(deny_here, NULL, 1);
}

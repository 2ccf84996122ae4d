// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probe on the scheduler's switches: what every thread of the machine pays
 * for while anybody is monitored.
 *
 * The argument in full: Documentation/locking.rst.
 */
#include "probe.h"

#include <linux/percpu.h>
#include <linux/sched.h>

#include "context.h"
#include "cpu.h"
#include "layout.h"
#include "link.h"
#include "page.h"
#include "table.h"

/* A CPU's context goes on, but where it leaves the idle task out. */
static noinline void switch_wide(struct pfm_cpu *cpu,
				 const struct task_struct *next)
{
	struct pfm_link *link = pfm_cpu_wanted(cpu, next);

	if (cpu->link && cpu->link != link) {
		pfm_cpu_unload(cpu);
		/* That may have made another set active. */
		link = pfm_cpu_wanted(cpu, next);
	}
	if (link && !cpu->link)
		pfm_cpu_load(cpu, link);
}

/* Whether a CPU that counts for a link counts for a task's as well. */
static __always_inline bool shares(const struct pfm_cpu *cpu,
				   const struct pfm_link *link)
{
	return cpu->link && link && cpu->link->ctx == link->ctx &&
	       READ_ONCE(link->ctx->shared);
}

/*
 * The counters go on for another link, which was claimed.  Its layout has one
 * bank, whose hardware part comes first.
 */
static __always_inline void pass(struct pfm_cpu *cpu, struct pfm_link *link,
				 const struct pfm_layout *layout)
{
	const struct pfm_prog *prog = &layout->banks->parts[PFM_CLASS_HW];
	struct pfm_link *from = cpu->link;

	cpu->link = link;
	cpu->layout = layout;
	cpu->bank = layout->banks;
	cpu->passed = true;
	prog->pmu->ops->pass(prog, from->vals, link->vals);
	/* What another CPU's counters were left with is not the value any more. */
	from->last_cpu = -1;
	/* As in pfm_cpu_unload(). */
	smp_store_release(&from->cpu, -1);
}

/*
 * Other tasks than before.  Counters whose program stays are not stopped, but
 * for a task that may read them, which has to find its own counts there, and
 * from or to a context whose page tells where its counts are.
 */
static __always_inline void change(struct pfm_cpu *cpu, struct pfm_link *link,
				   const struct task_struct *next, bool mapped)
{
	const struct pfm_layout *layout;
	const struct pfm_context *ctx;

	if (!link) {
		pfm_cpu_unload(cpu);
		return;
	}
	if (!cpu->link) {
		pfm_cpu_load(cpu, link);
		return;
	}
	/* What leaving a set that samples does may be about the other as well. */
	if (!cpu->bank->pass) {
		pfm_cpu_unload(cpu);
		pfm_cpu_load(cpu, link);
		return;
	}
	ctx = link->ctx;
	link = pfm_cpu_counts(link);
	if (!link || !pfm_cpu_claim(cpu, link)) {
		pfm_cpu_unload(cpu);
		return;
	}
	layout = rcu_dereference_sched(ctx->layout);
	if (unlikely(layout->banks->pass != cpu->bank->pass ||
		     (mapped && (READ_ONCE(ctx->page) ||
				 READ_ONCE(cpu->link->ctx->page) ||
				 pfm_page_allows(next)))))
		pfm_cpu_replace(cpu, link);
	else
		pass(cpu, link, layout);
}

/* Who may read counters changes with the task. */
static noinline void switch_mapped(struct pfm_cpu *cpu, struct pfm_link *link,
				   const struct task_struct *next)
{
	if (cpu->wide)
		switch_wide(cpu, next);
	else if (!shares(cpu, link) && (link || cpu->link))
		change(cpu, link, next, true);
	pfm_page_switch(cpu, next);
}

static noinline void switch_unmapped(struct pfm_cpu *cpu, struct pfm_link *link)
{
	change(cpu, link, NULL, false);
}

/*
 * The sched_switch tracepoint
 *
 * Interrupts off, runqueue lock held, current is still @prev.  Threads that
 * nobody monitors pay for one per-CPU load and one look at a hash bucket, and
 * save no registers.
 */
void pfm_probe_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	const struct hlist_node *node;
	struct pfm_link *link = NULL;
	unsigned long entry;

	/* Two steps, as the compiler then keeps the way without a link apart. */
	node = pfm_table_first(next, &entry);
	if (unlikely(node))
		link = pfm_table_search(next, node, entry);

	if (unlikely(pfm_page_mapped()))
		switch_mapped(cpu, link, next);
	else if (shares(cpu, link))
		return;
	else if (unlikely(cpu->wide))
		switch_wide(cpu, next);
	else if (link || cpu->link)
		switch_unmapped(cpu, link);
}

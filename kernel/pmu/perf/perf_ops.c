// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on counters of perf.
 *
 * The counters count all the time and are only read: while a register counts, its value in memory
 * is the count less the counter.  Nothing is programmed when tasks are switched.
 */
#include "perf_ops.h"

#include <linux/compiler.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/perfmon_perf.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "perf_rights.h"
#include "perf_source.h"

/**
 * struct users - the sources of a program
 * @n: number of elements of @sources: one for each PMD
 * @sources: the sources; NULL for a register that is not enabled
 */
struct users {
	u16 n;
	struct perf_source *sources[];
};

static struct users *users_of(const struct pfm_prog *prog)
{
	return (struct users *)(unsigned long)prog->priv[0];
}

static u64 pmc_value(const struct pfm_prog *prog, u16 num, u64 dfl)
{
	u16 i;

	for (i = 0; i < prog->npmcs; i++) {
		if (prog->pmcs[i].num == num)
			return prog->pmcs[i].value;
	}
	return dfl;
}

static struct perf_source *source_of(const struct pfm_prog *prog, u16 pmd)
{
	const u16 n = pmd - PFM_PERF_PMD(0);
	const u64 type = pmc_value(prog, PFM_PERF_PMC_TYPE(n), 0);
	struct perf_key key = {
		.type = type >> PFM_PERF_TYPE_SHIFT,
		.flags = (u32)type & ~PFM_PERF_ENABLE,
		.config = pmc_value(prog, PFM_PERF_PMC_CONFIG(n), 0),
		.config1 = pmc_value(prog, PFM_PERF_PMC_CONFIG1(n), 0),
		.config2 = pmc_value(prog, PFM_PERF_PMC_CONFIG2(n), 0),
	};
	int ret;

	if (!(type & PFM_PERF_ENABLE))
		return NULL;
	ret = perf_rights_check(&key);
	return ret ? ERR_PTR(ret) : perf_source_get(&key);
}

static void perf_unprepare(struct pfm_prog *prog)
{
	struct users *users = users_of(prog);
	u16 i;

	if (!users)
		return;
	prog->priv[0] = 0;
	for (i = 0; i < users->n; i++) {
		if (users->sources[i])
			perf_source_put(users->sources[i]);
	}
	kfree(users);
}

static int perf_prepare(struct pfm_prog *prog)
{
	struct users *users;

	users = kzalloc(struct_size(users, sources, prog->npmds),
			GFP_KERNEL_ACCOUNT);
	if (!users)
		return -ENOMEM;
	prog->priv[0] = (unsigned long)users;
	for (; users->n < prog->npmds; users->n++) {
		struct perf_source *source =
			source_of(prog, prog->pmds[users->n]);

		if (IS_ERR(source)) {
			/* Whoever tries again at once finds the counters free. */
			perf_unprepare(prog);
			perf_source_settle();
			return PTR_ERR(source);
		}
		users->sources[users->n] = source;
	}
	return 0;
}

/*
 * Count of a source on this CPU.  Clears *active when perf has taken the event off its counter:
 * then the count stands still, and the caller says so.
 *
 * perf counts a context switch after the probe of the switch, when the CPU counts for the next
 * task already.  The scheduler has counted it in the task before, so for a task its counts are
 * used.
 */
static __always_inline u64 count_of(const struct perf_source *source,
				    const struct task_struct *task,
				    bool *active)
{
	struct perf_event *event;

	if (!source)
		return 0;
	if (unlikely(source->switches) && task)
		return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
	/* Y2 */
	event = *this_cpu_ptr(source->events);
	if (!event)
		return 0;
	if (likely(event->state == PERF_EVENT_STATE_ACTIVE))
		event->pmu->read(event);
	else
		*active = false;
	return local64_read(&event->count);
}

static void perf_restore(const struct pfm_prog *prog, u64 *vals,
			 struct pfm_run *run, bool loaded)
{
	const struct users *users = users_of(prog);
	bool active = true;
	u16 i;

	for (i = 0; i < users->n; i++)
		vals[i] -= count_of(users->sources[i], run->task, &active);
	if (unlikely(!active))
		pfm_cpu_uncounted(run);
}

static void perf_save(const struct pfm_prog *prog, u64 *vals,
		      struct pfm_run *run)
{
	const struct users *users = users_of(prog);
	bool active = true;
	u16 i;

	for (i = 0; i < users->n; i++)
		vals[i] += count_of(users->sources[i], run->task, &active);
	if (unlikely(!active))
		pfm_cpu_uncounted(run);
}

static void perf_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
		      struct pfm_run *run)
{
	const struct users *users = users_of(prog);
	bool active = true;
	u16 i;

	for (i = 0; i < users->n; i++)
		copy[i] = vals[i] +
			  count_of(users->sources[i], run->task, &active);
	if (unlikely(!active))
		pfm_cpu_uncounted(run);
}

const struct pfm_pmu_ops perf_ops = {
	.prepare = perf_prepare,
	.unprepare = perf_unprepare,
	.restore = perf_restore,
	.save = perf_save,
	.read = perf_read,
	.settle = perf_source_settle,
};

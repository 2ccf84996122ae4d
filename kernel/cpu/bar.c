// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs whose PMU lacks something that the PMU's description has.
 *
 * A description holds for all CPUs that were online when the PMU's module was loaded.  A CPU
 * that comes online later may have fewer counters.  It is barred for the PMU: contexts that use
 * the PMU's registers do not count there, and say so in pfm_config.barred.
 *
 * A module decides in its hotplug callback, which may come after that of the core.  So a CPU is
 * barred from before it comes online until its module admits it.  The argument in full:
 * Documentation/change/locking/cpu.rst.
 */
#include "cpu/bar.h"

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <perfmon/pmu.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "set/layout.h"
#include "target/target.h"

static enum cpuhp_state hotplug;

/*
 * Bitmap of the classes whose module decides about each CPU.  Changed with hotplug locked, or in
 * a callback of it.
 */
static unsigned long deciding;

/**
 * pfm_bar_applies - tell whether a CPU must not count for a context
 * @slot: slot of a CPU; hotplug is locked, or it is this CPU
 * @ctx: the context, loaded or about to be
 *
 * Context: any; pfm_context.layout does not go away meanwhile.
 * Return: true if the context uses registers that the CPU may lack.
 */
bool pfm_bar_applies(const struct pfm_slot *slot, const struct pfm_context *ctx)
{
	const struct pfm_layout *layout = rcu_dereference_raw(ctx->layout);

	return layout && slot->barred & layout->classes;
}

/**
 * pfm_bar_refuses - refuse to count for a context, if its registers are barred
 * @slot: slot of this CPU, which is barred for some registers
 * @ctx: the context, started
 *
 * Context: interrupts off.
 * Return: true if the CPU must not count for the context, which has been noted.
 */
bool pfm_bar_refuses(const struct pfm_slot *slot, struct pfm_context *ctx)
{
	/* H3 */
	if (!pfm_bar_applies(slot, ctx))
		return false;
	atomic64_inc(&ctx->barred);
	return true;
}

/* The slots have copies of the bitmap. */
static void set_barred(struct pfm_cpu *cpu, u8 barred)
{
	int i;

	cpu->barred = barred;
	for (i = 0; i < PFM_SLOTS; i++)
		cpu->slots[i].barred = barred;
}

/**
 * pfm_bar_lift - let contexts use a PMU's registers on this CPU
 * @cpu: this CPU; interrupts off
 * @pmu: the PMU
 */
void pfm_bar_lift(struct pfm_cpu *cpu, const struct pfm_pmu *pmu)
{
	set_bit(pmu->reg_class, &deciding);
	set_barred(cpu, cpu->barred & ~BIT(pmu->reg_class));
}

void pfm_cpu_bar(const struct pfm_pmu *pmu)
{
	struct pfm_cpu *cpu;
	unsigned long flags;

	set_bit(pmu->reg_class, &deciding);
	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	set_barred(cpu, cpu->barred | BIT(pmu->reg_class));
	local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(pfm_cpu_bar);

bool pfm_cpu_barred(const struct pfm_pmu *pmu)
{
	return this_cpu_read(pfm_cpus.barred) & BIT(pmu->reg_class);
}
EXPORT_SYMBOL_GPL(pfm_cpu_barred);

void pfm_cpu_uncounted(const struct pfm_run *run)
{
	const struct pfm_target *target =
		container_of(run, struct pfm_slot, run)->target;

	if (!WARN_ON_ONCE(!target))
		atomic64_inc(&target->ctx->barred);
}
EXPORT_SYMBOL_GPL(pfm_cpu_uncounted);

static void forget_here(void *pmu)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	const struct pfm_pmu *gone = pmu;

	set_barred(cpu, cpu->barred & ~BIT(gone->reg_class));
}

void pfm_cpu_undecided(const struct pfm_pmu *pmu)
{
	cpus_read_lock();
	/* For CPUs that are offline prepare() sets all bits anew. */
	clear_bit(pmu->reg_class, &deciding);
	on_each_cpu(forget_here, (void *)pmu, 1);
	cpus_read_unlock();
}
EXPORT_SYMBOL_GPL(pfm_cpu_undecided);

/* Before a CPU comes online, on another one. */
static int prepare(unsigned int num)
{
	set_barred(per_cpu_ptr(&pfm_cpus, num), READ_ONCE(deciding));
	return 0;
}

/**
 * pfm_bar_init - bar CPUs that come online, until the modules of the PMUs admit them
 *
 * Return: 0 or -errno.
 */
int pfm_bar_init(void)
{
	int ret;

	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "perfmon:prepare",
					prepare, NULL);
	if (ret < 0)
		return ret;
	hotplug = ret;
	return 0;
}

/** pfm_bar_exit - undo pfm_bar_init(); no context exists any more */
void pfm_bar_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug);
}

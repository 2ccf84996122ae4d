// SPDX-License-Identifier: GPL-2.0-only
/*
 * A PMU of software whose overflows are noted and handled later, as where the PMU
 * interrupts by an NMI (pfm_pmi_note()).  Its counters count nanoseconds.  They are kept in
 * the form that Documentation/extend/pmu.rst describes for x86: negative until they wrap, so
 * that the wrap is in the counter.  An interrupt of a timer is in place of the NMI: it comes at
 * fewer instructions, but what it does is the same.
 *
 * With nmi=1 (x86, several CPUs) the interrupts are NMIs, at any instruction: a thread sends one
 * after the other to all CPUs but its own, and an overflow is noted by the next one.
 *
 * With unit=1 it is a unit beside the counters of another PMU, and 192 is added to the numbers
 * below.  Without that, no other PMU module of the class may be loaded.
 *
 * PMC n controls PMD n, for n from 0 to 3.  Bits 31:0 of a PMC: nanoseconds by which the
 * interrupt comes late.
 * PMD 4 and 5 are what an overflow comes with: the number of the record, and the time.  A
 * program that uses one of them has records for all overflows; their address is that
 * number.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>
#ifdef CONFIG_X86
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#endif
#include <perfmon/pmu.h>

#include "compat.h"

#define COUNTERS 4
#define RECORD	 4 /* number of the record */
#define WHEN	 5 /* time of the overflow */
#define PMDS	 6
#define WIDTH	 47
#define HALF	 BIT_ULL(WIDTH)

/* Words of pfm_prog.priv. */
enum {
	PRIV_COUNTERS,
	PRIV_LATE,
};

static u64 clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

/*
 * The hardware: counters, and an interrupt when one of them wraps.
 */

/**
 * struct hardware - the counters of a CPU
 * @value: the counters as of @since
 * @since: when the counters that run began
 * @running: bitmap of the counters that run
 * @late: ns by which the interrupt comes late
 * @busy: the other fields are being changed: a counter cannot be read.  Those of a real PMU
 *	always can
 * @interrupt: comes when a counter that runs has wrapped
 */
struct hardware {
	s64 value[COUNTERS];
	u64 since;
	unsigned long running;
	u64 late;
	bool busy;
	struct hrtimer interrupt;
};

static DEFINE_PER_CPU(struct hardware, hardware);

static bool nmi;
module_param(nmi, bool, 0444);
MODULE_PARM_DESC(nmi, "interrupt by NMIs from another CPU (0)");

static void hw_begin(struct hardware *hw)
{
	WRITE_ONCE(hw->busy, true);
	barrier();
}

static void hw_end(struct hardware *hw)
{
	barrier();
	WRITE_ONCE(hw->busy, false);
}

static s64 hw_read(const struct hardware *hw, unsigned int n)
{
	const u64 ran = hw->running & BIT(n) ? clock_ns() - hw->since : 0;

	return hw->value[n] + ran;
}

static void hw_stop(struct hardware *hw)
{
	const u64 ran = clock_ns() - hw->since;
	unsigned int n;

	hw_begin(hw);
	for_each_set_bit(n, &hw->running, COUNTERS)
		hw->value[n] += ran;
	hw->running = 0;
	hw_end(hw);
	if (!nmi)
		hrtimer_try_to_cancel(&hw->interrupt);
}

/* Nanoseconds until the next counter wraps; S64_MAX when none will. */
static s64 hw_next(const struct hardware *hw)
{
	s64 next = S64_MAX;
	unsigned int n;

	for_each_set_bit(n, &hw->running, COUNTERS) {
		const s64 value = hw_read(hw, n);

		if (value < 0)
			next = min(next, -value);
	}
	return next;
}

static void hw_run(struct hardware *hw, unsigned long counters, u64 late)
{
	hw->late = late;
	hw_begin(hw);
	hw->since = clock_ns();
	hw->running = counters;
	hw_end(hw);
	if (!nmi && hw_next(hw) != S64_MAX)
		hrtimer_start(&hw->interrupt, ns_to_ktime(hw_next(hw) + late),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

/*
 * The module: what that of a real PMU would do.
 */

/**
 * struct state - what the module knows of a CPU's counters
 * @armed: counters that run for the present program
 * @wrapped: counters that the interrupt found wrapped, for overflow()
 * @keep: bits of memory that count
 * @records: records so far
 */
struct state {
	unsigned long armed;
	unsigned long wrapped;
	u64 keep;
	u64 records;
};

static DEFINE_PER_CPU(struct state, states);
static struct pfm_pmis __percpu *pmi;

static bool unit;
module_param(unit, bool, 0444);
MODULE_PARM_DESC(unit, "a unit beside the counters of another PMU (0)");

/* Number of the first register. */
static u16 base;

/* Number of a PMD of a program, without base. */
static u16 num_of(const struct pfm_prog *prog, u16 i)
{
	return prog->pmds[i] - base;
}

/* The handler of the NMI.  It changes nothing but the record and its own word. */
static void look(struct pt_regs *regs)
{
	struct hardware *hw = this_cpu_ptr(&hardware);
	struct state *state = this_cpu_ptr(&states);
	const unsigned long armed = READ_ONCE(state->armed);
	/* The timer is late by itself. */
	const s64 due = nmi ? hw->late : 0;
	unsigned long wrapped = 0;
	unsigned int n;

	if (READ_ONCE(hw->busy))
		return;
	for_each_set_bit(n, &armed, COUNTERS) {
		if (hw_read(hw, n) >= due)
			wrapped |= BIT(n);
	}
	if (!wrapped)
		return;
	state->wrapped |= wrapped;
	pfm_pmi_note(pmi, PFM_HOLDS_ALL, regs);
}

static enum hrtimer_restart interrupt(struct hrtimer *timer)
{
	struct hardware *hw = container_of(timer, struct hardware, interrupt);

	look(get_irq_regs());
	if (hw_next(hw) == S64_MAX)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(hw_next(hw) + hw->late));
	return HRTIMER_RESTART;
}

static void stop(void)
{
	hw_stop(this_cpu_ptr(&hardware));
	barrier();
	WRITE_ONCE(this_cpu_ptr(&states)->armed, 0);
	barrier();
}

static void let_run(const struct pfm_prog *prog)
{
	barrier();
	WRITE_ONCE(this_cpu_ptr(&states)->armed, prog->priv[PRIV_COUNTERS]);
	barrier();
	hw_run(this_cpu_ptr(&hardware), prog->priv[PRIV_COUNTERS],
	       prog->priv[PRIV_LATE]);
}

static void write(u16 num, u64 value)
{
	this_cpu_ptr(&hardware)->value[num] =
		(s64)(value & (HALF - 1)) - (s64)HALF;
}

static u64 value_of(u16 num, u64 val)
{
	return (val & this_cpu_read(states.keep)) + HALF +
	       hw_read(this_cpu_ptr(&hardware), num);
}

static int pmi_prepare(struct pfm_prog *prog)
{
	u16 i;

	prog->priv[PRIV_COUNTERS] = 0;
	prog->priv[PRIV_LATE] = 0;
	for (i = 0; i < prog->npmds; i++) {
		if (num_of(prog, i) < COUNTERS)
			prog->priv[PRIV_COUNTERS] |= BIT(num_of(prog, i));
		else
			prog->sample = true;
	}
	for (i = 0; i < prog->npmcs; i++)
		prog->priv[PRIV_LATE] =
			max(prog->priv[PRIV_LATE], prog->pmcs[i].value);
	return 0;
}

static void pmi_restore(const struct pfm_prog *prog, u64 *vals,
			struct pfm_run *run, bool loaded)
{
	u16 i;

	for (i = 0; i < prog->npmds && num_of(prog, i) < COUNTERS; i++)
		write(num_of(prog, i), vals[i]);
	this_cpu_write(states.keep, ~(HALF - 1));
	let_run(prog);
}

static void pmi_save(const struct pfm_prog *prog, u64 *vals,
		     struct pfm_run *run)
{
	u16 i;

	stop();
	for (i = 0; i < prog->npmds && num_of(prog, i) < COUNTERS; i++) {
		vals[i] = value_of(num_of(prog, i), vals[i]);
		/* resume() lets it run on: the wrap must not be added again. */
		if (this_cpu_read(hardware.value[num_of(prog, i)]) >= 0)
			write(num_of(prog, i), vals[i]);
	}
}

static void pmi_resume(const struct pfm_prog *prog, struct pfm_run *run)
{
	let_run(prog);
}

static void pmi_pass(const struct pfm_prog *prog, u64 *from, u64 *to,
		     struct pfm_run *run)
{
	const u64 keep = this_cpu_read(states.keep);
	u16 i;

	for (i = 0; i < prog->npmds && num_of(prog, i) < COUNTERS; i++) {
		const u64 low = HALF + hw_read(this_cpu_ptr(&hardware),
					       num_of(prog, i));

		from[i] = (from[i] & keep) + low;
		to[i] -= low;
	}
	this_cpu_write(states.keep, U64_MAX);
}

static void pmi_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
		     struct pfm_run *run)
{
	u16 i;

	for (i = 0; i < prog->npmds; i++)
		copy[i] = num_of(prog, i) < COUNTERS
				  ? value_of(num_of(prog, i), vals[i])
				  : vals[i];
}

static void pmi_fold(const struct pfm_prog *prog, u64 *vals)
{
	struct hardware *hw = this_cpu_ptr(&hardware);
	u16 i;

	hw_stop(hw);
	for (i = 0; i < prog->npmds && num_of(prog, i) < COUNTERS; i++) {
		if (hw->value[num_of(prog, i)] < 0)
			continue;
		vals[i] += HALF;
		hw->value[num_of(prog, i)] -= HALF;
	}
	hw_run(hw, prog->priv[PRIV_COUNTERS], prog->priv[PRIV_LATE]);
}

static u64 pmi_take(const struct pfm_prog *prog, u64 *vals, struct pfm_run *run)
{
	u64 taken = 0;
	u16 i;

	stop();
	for (i = 0; i < prog->npmds; i++) {
		if (this_cpu_read(hardware.value[num_of(prog, i)]) < 0)
			continue;
		vals[i] = value_of(num_of(prog, i), vals[i]);
		taken |= BIT_ULL(i);
	}
	return taken;
}

static void pmi_put(const struct pfm_prog *prog, const u64 *vals, u64 taken,
		    struct pfm_run *run)
{
	for (; taken; taken &= taken - 1)
		write(num_of(prog, __ffs64(taken)), vals[__ffs64(taken)]);
	let_run(prog);
}

static enum pfm_sample pmi_sample(const struct pfm_prog *prog, u64 *vals,
				  u16 num, struct pfm_hw_sample *sample)
{
	struct state *state = this_cpu_ptr(&states);
	u16 i;

	state->records++;
	for (i = 0; i < prog->npmds; i++) {
		if (num_of(prog, i) == RECORD)
			vals[i] = state->records;
		else if (num_of(prog, i) == WHEN)
			vals[i] = clock_ns();
	}
	sample->ip = state->records;
	sample->user = true;
	sample->flags = PFM_HW_SAMPLE_IP;
	return PFM_SAMPLE_RECORD;
}

static bool hold;
module_param(hold, bool, 0644);
MODULE_PARM_DESC(hold, "a context that is to be loaded waits for the PMU (0)");

static bool held;
module_param(held, bool, 0444);
MODULE_PARM_DESC(held, "a context waits (0)");

static int pmi_acquire(void)
{
	while (READ_ONCE(hold)) {
		WRITE_ONCE(held, true);
		msleep(1);
	}
	WRITE_ONCE(held, false);
	return 0;
}

static void pmi_nothing(void)
{
}

static const struct pfm_pmu_ops ops = {
	.acquire = pmi_acquire,
	.release = pmi_nothing,
	.settle = pmi_nothing,
	.prepare = pmi_prepare,
	.restore = pmi_restore,
	.save = pmi_save,
	.resume = pmi_resume,
	.pass = pmi_pass,
	.read = pmi_read,
	.fold = pmi_fold,
	.take = pmi_take,
	.put = pmi_put,
	.sample = pmi_sample,
};

/* The short way for the only counter that samples, see struct pfm_solo. */
static bool handle_solo(unsigned long wrapped, struct pt_regs *regs)
{
	const struct pfm_solo *solo = this_cpu_ptr(&pfm_solo);
	const struct pfm_prog *prog = solo->prog;
	u32 what;

	/* It is about a counter of the class PFM_CLASS_HW. */
	if (unit || !prog || wrapped != BIT(solo->num))
		return false;
	stop();
	*solo->val = value_of(solo->num, *solo->val);
	what = pfm_overflow_solo(solo, regs);
	write(solo->num, *solo->val);
	if (what)
		pfm_cpu_overflow_more(solo, what, regs);
	else
		let_run(prog);
	return true;
}

static struct pfm_pmu pmu;

static void overflow(struct pt_regs *regs)
{
	const unsigned long wrapped = this_cpu_xchg(states.wrapped, 0);

	if (!handle_solo(wrapped, regs))
		pfm_cpu_overflow(&pmu, U64_MAX, regs);
}

#define PMC(text)                                   \
	{                                           \
		.name = text, .rsvd = ~(u64)U32_MAX \
	}
#define PMD(text, n)                                          \
	{                                                     \
		.name = text, .index = n, .width = WIDTH,     \
		.flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW \
	}
#define SNAPSHOT(text)                                          \
	{                                                       \
		.name = text, .ctl = PFM_REG_NONE, .width = 64, \
		.flags = PFM_REGI_SNAPSHOT | PFM_REGI_READONLY  \
	}

static struct pfm_reg_desc pmcs[] = {
	PMC("LATE0"),
	PMC("LATE1"),
	PMC("LATE2"),
	PMC("LATE3"),
};

/* In the order of the numbers. */
static struct pfm_reg_desc pmds[] = {
	PMD("NS0", 0), PMD("NS1", 1),	   PMD("NS2", 2),
	PMD("NS3", 3), SNAPSHOT("RECORD"), SNAPSHOT("WHEN"),
};

static_assert(ARRAY_SIZE(pmcs) == COUNTERS);
static_assert(ARRAY_SIZE(pmds) == PMDS);

static struct pfm_pmu pmu = {
	.name = "pmi_test",
	.owner = THIS_MODULE,
	.npmcs = ARRAY_SIZE(pmcs),
	.npmds = ARRAY_SIZE(pmds),
	.pmcs = pmcs,
	.pmds = pmds,
	.ops = &ops,
};

#ifdef CONFIG_X86

static struct task_struct *sender;

static int got_nmi(unsigned int cmd, struct pt_regs *regs)
{
	look(regs);
	/* It cannot be told from one of somebody else. */
	return NMI_HANDLED;
}

/* Send NMIs, at times that have nothing to do with what the other CPUs execute. */
static int send(void *unused)
{
	int cpu;

	while (!kthread_should_stop()) {
		for_each_online_cpu(cpu) {
			if (cpu != raw_smp_processor_id())
				apic->send_IPI_mask(cpumask_of(cpu),
						    NMI_VECTOR);
		}
		udelay(5 + get_random_u32() % 32);
		cond_resched();
	}
	return 0;
}

static int nmi_begin(void)
{
	int ret;

	if (!nmi)
		return 0;
	if (num_online_cpus() < 2)
		return -ENODEV;
	ret = register_nmi_handler(NMI_LOCAL, got_nmi, 0, "pmi_test");
	if (ret)
		return ret;
	sender = kthread_create(send, NULL, "pmi_test");
	if (IS_ERR(sender)) {
		unregister_nmi_handler(NMI_LOCAL, "pmi_test");
		return PTR_ERR(sender);
	}
	kthread_bind(sender, cpumask_last(cpu_online_mask));
	wake_up_process(sender);
	return 0;
}

static void nmi_end(void)
{
	if (!nmi)
		return;
	kthread_stop(sender);
	/* NMIs that were sent have come by then. */
	msleep(20);
	unregister_nmi_handler(NMI_LOCAL, "pmi_test");
}

#else

static int nmi_begin(void)
{
	return nmi ? -ENODEV : 0;
}

static void nmi_end(void)
{
}

#endif

static void end(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(&hardware, cpu)->interrupt);
	pfm_pmi_destroy(pmi);
}

static int __init pmi_test_init(void)
{
	int cpu, ret;
	u16 i;

	base = unit ? PFM_REG_UNIT_BASE : 0;
	pmu.base = base;
	pmu.reg_class = unit ? PFM_CLASS_UNIT : PFM_CLASS_HW;
	for (i = 0; i < COUNTERS; i++)
		pmds[i].ctl = base + i;
	for_each_possible_cpu(cpu)
		pfm_hrtimer_setup(&per_cpu_ptr(&hardware, cpu)->interrupt,
				  interrupt, CLOCK_MONOTONIC,
				  HRTIMER_MODE_REL_PINNED_HARD);
	pmi = pfm_pmi_create(overflow);
	if (!pmi)
		return -ENOMEM;
	pmu.pmi = pmi;
	ret = nmi_begin();
	if (ret)
		goto out_end;
	ret = pfm_pmu_register(&pmu);
	if (ret)
		goto out_nmi;
	return 0;

out_nmi:
	nmi_end();
out_end:
	end();
	return ret;
}
module_init(pmi_test_init);

static void __exit pmi_test_exit(void)
{
	pfm_pmu_unregister(&pmu);
	nmi_end();
	end();
}
module_exit(pmi_test_exit);

MODULE_DESCRIPTION("perfmon: a PMU of software that notes overflows, for tests");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: slots of Intel's PERF_METRICS.
 *
 * Each field of the register is a share, in 255ths, of the slots that fixed counter 3 has
 * counted since both were zero (SDM, volume 3, "Performance Metrics").  A share is no count:
 * it can neither be added up over the times that a thread runs, nor go on from a value in
 * memory.  So both registers begin at 0 whenever counting begins, and whenever they are read
 * they are zeroed again: the slots that they stand for are added to counts in memory.
 *
 * A field is right to 1/255, so a count is right to 1/255 of the slots of the times that were
 * added up.  These are all slots, however often the registers were read: the bound does not
 * grow with the number of switches.  In addition each count is rounded to a whole slot each
 * time.  Between two reads the bound is that of the slots in between, because the registers
 * hold nothing older.
 *
 * All functions run on the CPU concerned, in a critical section.  "Slots of PERF_METRICS" in
 * Documentation/change/locking/pmu-x86.rst says why NMIs do no harm.
 */
#include "x86_metrics.h"

#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/math.h>
#include <linux/string.h>
#include <perfmon/pmu.h>

#include "x86_beside.h"
#include "x86_msr.h"
#include "x86_state.h"

#define FIELD_BITS 8
#define FIELD_ONE  255

/* No processor has more slots a second than two to the power of this. */
#define SLOTS_SHIFT 37

static const struct x86_counter *slots_counter(void)
{
	return &x86.counter[X86_SLOTS_COUNTER];
}

/* Begin anew.  Both stand still.  In this order: the fields are shares of the counter. */
static void zero(struct x86_cpu *cpu)
{
	x86_wrmsr(slots_counter()->msr, 0);
	x86_wrmsr(x86.metrics, 0);
	cpu->metrics_until =
		jiffies + HZ * (slots_counter()->mask >> SLOTS_SHIFT);
}

/*
 * True if the slots' counter has wrapped since zero().  It is in slots_wrapped if the NMI has
 * come.  Otherwise the bit is in the status, which takes longer to read than to know that
 * there was no time for a wrap.  The NMI may come at any moment here.
 */
static bool slots_wrapped(struct x86_cpu *cpu)
{
	bool wrapped = false;

	if (unlikely(!time_before(jiffies, cpu->metrics_until)) &&
	    x86_rdmsr(x86.global_status) & X86_SLOTS_BIT) {
		WRITE_ONCE(cpu->slots_taken, true);
		wrapped = true;
	}
	barrier();
	if (READ_ONCE(cpu->slots_wrapped)) {
		/* Also if it came after the status was read: then none is to come. */
		WRITE_ONCE(cpu->slots_wrapped, false);
		WRITE_ONCE(cpu->slots_taken, false);
		wrapped = true;
	}
	return wrapped;
}

static u64 slots_since(struct x86_cpu *cpu)
{
	const struct x86_counter *c = slots_counter();
	const u64 slots = x86_rdpmc(c->rdpmc) & c->mask;

	return unlikely(slots_wrapped(cpu)) ? slots + c->mask + 1 : slots;
}

/* Move the slots from the registers, which stand still, to x86_cpu.metric. */
static void take(struct x86_cpu *cpu)
{
	const u64 slots = slots_since(cpu);
	u64 fields = x86_rdpmc(X86_METRICS_RDPMC);
	unsigned int i;

	for (i = 0; i < X86_METRIC_FIELDS; i++) {
		const u64 share = slots * (fields & FIELD_ONE);

		cpu->metric[i] += DIV_ROUND_CLOSEST_ULL(share, FIELD_ONE);
		fields >>= FIELD_BITS;
	}
	cpu->metric[X86_METRIC_FIELDS] += slots;
	zero(cpu);
}

static void take_running(struct x86_cpu *cpu)
{
	const u64 runs = cpu->ctrl;

	if (unlikely(cpu->shared))
		x86_beside_note_strays(cpu);
	x86_write_ctrl(cpu, runs & ~(X86_SLOTS_BIT | X86_METRICS_BIT));
	take(cpu);
	x86_write_ctrl(cpu, runs);
}

/* Add x86_cpu.metric to the values of the program. */
static void add(const struct pfm_prog *prog, const struct x86_cpu *cpu,
		const u64 *vals, u64 *sums)
{
	const u16 *pmd = prog->pmds + prog->priv[X86_PRIV_COUNTERS];
	const u16 *end = prog->pmds + prog->npmds;

	for (; pmd < end; pmd++)
		*sums++ = *vals++ + cpu->metric[*pmd - X86_METRIC_FIRST];
}

static void move(const struct pfm_prog *prog, struct x86_cpu *cpu, u64 *vals)
{
	add(prog, cpu, vals, vals);
	memset(cpu->metric, 0, sizeof(cpu->metric));
}

/**
 * x86_metrics_restore - make the registers ready to count from 0
 * @cpu: this CPU; its counters stand still
 */
void x86_metrics_restore(struct x86_cpu *cpu)
{
	memset(cpu->metric, 0, sizeof(cpu->metric));
	WRITE_ONCE(cpu->slots_wrapped, false);
	zero(cpu);
}

/**
 * x86_metrics_save - update the values
 * @prog: the program
 * @cpu: this CPU; its counters stand still, and can run on from where they are afterwards
 * @vals: values of the PMDs of PERF_METRICS
 */
void x86_metrics_save(const struct pfm_prog *prog, struct x86_cpu *cpu,
		      u64 *vals)
{
	take(cpu);
	move(prog, cpu, vals);
}

/**
 * x86_metrics_fold - update the values while the other counters run
 * @prog: the program
 * @cpu: this CPU
 * @vals: values of the PMDs of PERF_METRICS
 */
void x86_metrics_fold(const struct pfm_prog *prog, struct x86_cpu *cpu,
		      u64 *vals)
{
	take_running(cpu);
	move(prog, cpu, vals);
}

/**
 * x86_metrics_read - read the values while the other counters run
 * @prog: the program
 * @cpu: this CPU
 * @vals: values of the PMDs of PERF_METRICS as of the last restore, save or fold
 * @copy: out: values as of now
 *
 * The registers are zeroed here, too: how precise the next read is depends on the slots since
 * then, and no value can be less than it was before.
 */
void x86_metrics_read(const struct pfm_prog *prog, struct x86_cpu *cpu,
		      const u64 *vals, u64 *copy)
{
	take_running(cpu);
	add(prog, cpu, vals, copy);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: programs of several slots in the registers.
 *
 * The programs share x86_cpu.armed, noted, ctrl, strayed and fixed_ctrl.  Each of these is the
 * union of what the programs need.  A function for one program changes its bits only.  The programs
 * have no register in common.  An NMI may come at any instruction: "Several programs" in
 * Documentation/change/locking/pmu-x86.rst.
 *
 * Where there is one program, x86_ops.c writes whole words.
 */
#include "x86_beside.h"

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <perfmon/pmu.h>

#include "x86_msr.h"
#include "x86_sels.h"
#include "x86_state.h"

/**
 * x86_beside_note_strays - note counters that others have let run
 * @cpu: this CPU
 *
 * Called before each write of the global control beside others, which stops them.  A program that
 * stands still finds out by that, as it would by the register.
 */
void x86_beside_note_strays(struct x86_cpu *cpu)
{
	const u64 strays = x86_rdmsr(x86.global_ctrl) & ~cpu->ctrl;

	/* One instruction, because an NMI writes to it too. */
	if (unlikely(strays))
		this_cpu_or(x86_cpus.strayed, strays);
}

/**
 * x86_beside_run - let the counters of a program run, which have been written
 * @prog: the program
 * @cpu: this CPU
 */
void x86_beside_run(const struct pfm_prog *prog, struct x86_cpu *cpu)
{
	cpu->shared = true;
	WRITE_ONCE(cpu->armed, cpu->armed | prog->priv[X86_PRIV_PMDS]);
	if (unlikely(!x86.global_ctrl)) {
		x86_sels_run(cpu, prog->priv[X86_PRIV_RUN]);
		return;
	}
	x86_beside_note_strays(cpu);
	x86_write_ctrl(cpu, cpu->ctrl | prog->priv[X86_PRIV_RUN]);
}

/**
 * x86_beside_stop - stop the counters of a program; they stay armed
 * @prog: the program
 * @cpu: this CPU
 */
void x86_beside_stop(const struct pfm_prog *prog, struct x86_cpu *cpu)
{
	if (unlikely(!x86.global_ctrl)) {
		x86_sels_stop(cpu, prog->priv[X86_PRIV_RUN]);
		return;
	}
	x86_beside_note_strays(cpu);
	x86_write_ctrl(cpu, cpu->ctrl & ~prog->priv[X86_PRIV_RUN]);
}

/**
 * x86_beside_disarm - have NMIs note nothing of a program, whose counters have been read
 * @prog: the program
 * @cpu: this CPU
 */
void x86_beside_disarm(const struct pfm_prog *prog, struct x86_cpu *cpu)
{
	const u64 mine = prog->priv[X86_PRIV_PMDS];

	barrier();
	WRITE_ONCE(cpu->armed, cpu->armed & ~mine);
	barrier();
	/* An NMI may note a counter of another program at the same time, but none of this one. */
	this_cpu_and(x86_cpus.noted, ~mine);
}

/**
 * x86_beside_strayed - find out whether others have let counters of a program run
 * @prog: the program, which stands still
 * @cpu: this CPU
 *
 * Return: true: then they stand still, and have to be written before they run.
 */
bool x86_beside_strayed(const struct pfm_prog *prog, struct x86_cpu *cpu)
{
	const u64 mine = prog->priv[X86_PRIV_RUN];

	if (!x86.global_ctrl)
		return false;
	x86_beside_note_strays(cpu);
	if (likely(!(READ_ONCE(cpu->strayed) & mine)))
		return false;
	x86_write_ctrl(cpu, cpu->ctrl);
	this_cpu_and(x86_cpus.strayed, ~mine);
	return true;
}

/**
 * x86_beside_fixed - what the control of the fixed counters has to hold for a program
 * @prog: the program
 * @cpu: this CPU
 *
 * Return: the fields of the program's counters as it needs them, all others as they are.
 */
u64 x86_beside_fixed(const struct pfm_prog *prog, const struct x86_cpu *cpu)
{
	u64 fields = 0;
	u16 i;

	for (i = 0; i < prog->npmcs; i++) {
		const unsigned int n = prog->pmcs[i].num;

		if (n >= X86_FIXED_FIRST && n < X86_EXTRA_FIRST)
			fields |= GENMASK_ULL(X86_FIXED_WIDTH - 1, 0)
				  << X86_FIXED_WIDTH * (n - X86_FIXED_FIRST);
	}
	return (cpu->fixed_ctrl & ~fields) | prog->priv[X86_PRIV_FIXED];
}

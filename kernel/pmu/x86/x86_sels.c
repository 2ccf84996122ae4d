// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86 counters: letting counters run, and stopping them, by their own control registers.
 *
 * For processors without a global control.  Not inline, so that the others' paths stay short.
 */
#include "x86_sels.h"

#include <linux/bitops.h>
#include <linux/bits.h>

#include "x86_msr.h"
#include "x86_state.h"

/**
 * x86_sels_run - let counters run
 * @cpu: this CPU
 * @counters: bitmap of counters that have control registers of their own
 *
 * The highest one is the first: of a pair, the counter that holds the upper bits has to run
 * when the other one counts.  x86_sels_stop() has the opposite order.
 */
void x86_sels_run(const struct x86_cpu *cpu, u64 counters)
{
	while (counters) {
		unsigned int n = fls64(counters) - 1;

		x86_wrmsr(x86_sel_msr(n), cpu->sel[n]);
		counters &= ~BIT_ULL(n);
	}
}

/**
 * x86_sels_stop - stop counters
 * @cpu: this CPU
 * @counters: bitmap of counters that have control registers of their own
 */
void x86_sels_stop(const struct x86_cpu *cpu, u64 counters)
{
	for (; counters; counters &= counters - 1) {
		unsigned int n = __ffs64(counters);

		x86_wrmsr(x86_sel_msr(n), cpu->sel[n] & ~X86_SEL_EN);
	}
}

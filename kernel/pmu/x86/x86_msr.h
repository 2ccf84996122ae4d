/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 counters: access to model-specific registers.
 *
 * The kernel's own functions go through pv_ops on kernels for Xen PV, and look whether
 * somebody traces MSRs.  These here are the instructions alone.  A register that does
 * not exist is read as 0, and a write to it does nothing; the kernel logs the first such
 * access.
 *
 * RDMSR and RDPMC clear the upper halves of both result registers, and so does the function that
 * handles their exceptions.
 */
#ifndef _PFM_X86_MSR_H
#define _PFM_X86_MSR_H

#include <linux/types.h>
#include <asm/asm.h>
#include <asm/extable_fixup_types.h>

/*
 * The compiler must not move memory accesses across the write, which starts or stops
 * counters.
 */
static __always_inline void x86_wrmsr(u32 msr, u64 value)
{
	asm volatile("1: wrmsr\n"
		     "2:\n" _ASM_EXTABLE_TYPE(1b, 2b, EX_TYPE_WRMSR)
		     :
		     : "c"(msr), "a"((u32)value), "d"((u32)(value >> 32))
		     : "memory");
}

static __always_inline u64 x86_rdmsr(u32 msr)
{
	u64 low, high;

	asm volatile("1: rdmsr\n"
		     "2:\n" _ASM_EXTABLE_TYPE(1b, 2b, EX_TYPE_RDMSR)
		     : "=a"(low), "=d"(high)
		     : "c"(msr));
	return low | high << 32;
}

/*
 * Read a counter, without the sign extension that it may need.  The exception of RDPMC is
 * that of RDMSR, and is handled alike: a counter that does not exist is read as 0.
 */
static __always_inline u64 x86_rdpmc(u32 index)
{
	u64 low, high;

	asm volatile("1: rdpmc\n"
		     "2:\n" _ASM_EXTABLE_TYPE(1b, 2b, EX_TYPE_RDMSR)
		     : "=a"(low), "=d"(high)
		     : "c"(index));
	return low | high << 32;
}

/*
 * True if RDPMC reads a counter.  A hypervisor may have the counter's registers and not
 * this.
 */
static inline bool x86_rdpmc_works(u32 index)
{
	u32 low, high;
	int err;

	asm volatile("movl $1, %0\n"
		     "1: rdpmc\n"
		     "xorl %0, %0\n"
		     "2:" _ASM_EXTABLE(1b, 2b)
		     : "=&r"(err), "=a"(low), "=d"(high)
		     : "c"(index)
		     : "cc");
	return !err;
}

#endif /* _PFM_X86_MSR_H */

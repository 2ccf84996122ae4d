// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's counters: which branch records the processor has.
 *
 * Architectural LBR describes itself in CPUID leaf 0x1c.  Older processors tell the format of the
 * records in IA32_PERF_CAPABILITIES; the number of records follows from it.  Hypervisors may lack
 * the registers in either case.
 */
#include "intel_lbr.h"

#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/init.h>
#include <linux/perfmon.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <perfmon/pmu.h>

#include "compat.h"
#include "intel_probe.h"
#include "x86_state.h"

#define MSR_CAPABILITIES   0x345
#define CAPABILITIES_LBR   GENMASK(5, 0)
#define MSR_SELECT	   0x1c8
#define MSR_FROM	   0x680
#define MSR_TO		   0x6c0
#define MSR_INFO	   0xdc0
#define MSR_ARCH_CONTROL   0x14ce
#define MSR_ARCH_INFO	   0x1200

/* CPUID leaf 0x1c */
#define LEAF		0x1c
#define EAX_DEPTHS	GENMASK(7, 0) /* bit n: 8 * (n + 1) records */
#define EBX_LEVELS	BIT(0)
#define EBX_KINDS	BIT(1)
#define EBX_STACK	BIT(2)
#define ECX_PREDICTED	BIT(0)
#define ECX_TYPED	BIT(2)

#define DEPTH_STEP 8

#define LEVELS (PFM_BRANCH_USER | PFM_BRANCH_KERNEL)

/* The formats of IA32_PERF_CAPABILITIES that are known, their number of records, and the filter. */
struct lbr_model {
	u8 number;
	enum x86_lbr_format format;
	u16 depth;
	u64 filter;
};

static const struct lbr_model formats[] __initconst = {
	/* Nehalem to Ivy Bridge; those of small cores have other registers */
	{ 3, X86_LBR_FLAGS, 16, LEVELS | PFM_BRANCH_KINDS },
	/* Haswell, Broadwell */
	{ 4, X86_LBR_FLAGS_TSX, 16,
	  LEVELS | PFM_BRANCH_KINDS | PFM_BRANCH_STACK },
	/* Skylake to Ice Lake, Goldmont, Tremont */
	{ 5, X86_LBR_INFO, 32, LEVELS | PFM_BRANCH_KINDS | PFM_BRANCH_STACK },
};

static bool __init is_there(u32 msr)
{
	u32 low, high;

	return !rdmsr_safe(msr, &low, &high);
}

static u64 __init find_arch(struct x86_lbr *lbr)
{
	u32 eax, ebx, ecx, edx;

	cpuid_count(LEAF, 0, &eax, &ebx, &ecx, &edx);
	if (!(eax & EAX_DEPTHS) || !(ebx & EBX_LEVELS) ||
	    !is_there(MSR_ARCH_CONTROL))
		return 0;
	*lbr = (struct x86_lbr){
		.format = X86_LBR_ARCH,
		.depth = DEPTH_STEP * fls(eax & EAX_DEPTHS),
		.typed = ecx & ECX_TYPED,
		.predicted = ecx & ECX_PREDICTED,
	};
	if (!is_there(MSR_ARCH_INFO + lbr->depth - 1)) {
		lbr->depth = 0;
		return 0;
	}
	return LEVELS | (ebx & EBX_KINDS ? PFM_BRANCH_KINDS : 0) |
	       (ebx & EBX_STACK && ebx & EBX_KINDS ? PFM_BRANCH_STACK : 0);
}

static u64 __init find_old(struct x86_lbr *lbr)
{
	u32 low, high;
	unsigned int i;

	if (!boot_cpu_has(X86_FEATURE_PDCM) ||
	    rdmsr_safe(MSR_CAPABILITIES, &low, &high))
		return 0;
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		const u16 last = formats[i].depth - 1;

		if (formats[i].number != FIELD_GET(CAPABILITIES_LBR, low))
			continue;
		if (!is_there(MSR_FROM + last) || !is_there(MSR_TO + last) ||
		    (formats[i].format == X86_LBR_INFO &&
		     !is_there(MSR_INFO + last)) ||
		    !intel_probe_keeps(MSR_SELECT, 1))
			return 0;
		lbr->format = formats[i].format;
		lbr->depth = formats[i].depth;
		return formats[i].filter;
	}
	return 0;
}

/**
 * intel_lbr_find - find out which branch records this CPU has
 * @lbr: out: the records; unchanged if there are none
 * @pmc: register of the filter, which gets no name then
 */
void __init intel_lbr_find(struct x86_lbr *lbr, struct pfm_reg_desc *pmc)
{
	u64 filter;

	if (boot_cpu_has(X86_FEATURE_ARCH_LBR))
		filter = find_arch(lbr);
	else
		filter = find_old(lbr);
	if (!filter) {
		pmc->name = NULL;
		return;
	}
	pmc->addr = lbr->format == X86_LBR_ARCH ? MSR_ARCH_CONTROL : MSR_SELECT;
	pmc->rsvd = ~filter;
	pmc->priv = PFM_BRANCH_KERNEL;
	pmc->width = lbr->depth;
	pmc->flags = PFM_REGI_BRANCHES;
}

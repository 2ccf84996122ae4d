/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Rules of Intel's processor models: which counters can count which event, and which events need a
 * second register.
 *
 * This file is made from the event files of https://github.com/intel/perfmon,
 * commit 6dadedf3aa483393943e044ba5ec88a4507cd040:
 *
 *	tools/metrics/intel-rules FOLDER >lib/pmu/arch_intel_rules.h
 *
 * FOLDER is a clone of that repository.  tools/metrics/intel-rules.json has what is not in its files,
 * with the source of each rule.  The macros are those of arch_intel_models.c, which includes this file.
 */
#ifndef PERFMON_PMU_ARCH_INTEL_RULES_H
#define PERFMON_PMU_ARCH_INTEL_RULES_H

/* Core 2.  Source: Linux, arch/x86/events/intel/core.c. */
static const struct pfmi_intel_rule core_rules[] = {
	EVENT(0x10, 0x1),	/* FP_COMP_OPS_EXE */
	EVENT(0x11, 0x2),	/* FP_ASSIST */
	EVENT(0x12, 0x2),	/* MUL */
	EVENT(0x13, 0x2),	/* DIV */
	EVENT(0x14, 0x1),	/* CYCLES_DIV_BUSY */
	EVENT(0x18, 0x1),	/* IDLE_DURING_DIV */
	EVENT(0x19, 0x2),	/* DELAYED_BYPASS */
	EVENT(0xa1, 0x1),	/* RS_UOPS_DISPATCHED */
	EVENT(0xc9, 0x1),	/* ITLB_MISS_RETIRED */
	EVENT(0xcb, 0x1),	/* MEM_LOAD_RETIRED */
	END
};

/* Nehalem: NHM-EP V4, NHM-EX V4. */
static const struct pfmi_intel_rule nhm_rules[] = {
	UMASK(0x100b, 0x8),	/* MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD */
	EVENT(0x40, 0x3),	/* L1D_CACHE_LD */
	EVENT(0x41, 0x3),	/* L1D_CACHE_ST */
	EVENT(0x42, 0x3),	/* L1D_CACHE_LOCK */
	EVENT(0x43, 0x3),	/* L1D_ALL_REF */
	EVENT(0x48, 0x3),	/* L1D_PEND_MISS; source: Linux and libpfm4 */
	EVENT(0x4c, 0x3),	/* LOAD_HIT_PRE */
	EVENT(0x4e, 0x3),	/* L1D_PREFETCH */
	EVENT(0x51, 0x3),	/* L1D */
	EVENT(0x52, 0x3),	/* L1D_CACHE_PREFETCH_LOCK_FB_HIT */
	EVENT(0x53, 0x3),	/* L1D_CACHE_LOCK_FB_HIT */
	EVENT(0x63, 0x3),	/* CACHE_LOCK_CYCLES */
	EVENT(0xb7, 0x4),	/* OFFCORE_RESPONSE_0 */
	END
};

/* Westmere: WSM-EP-SP V4, WSM-EP-DP V5.  On WSM-EX counter 2 alone counts OFFCORE_RESPONSE_0, too. */
static const struct pfmi_intel_rule wsm_rules[] = {
	UMASK(0x100b, 0x8),	/* MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD */
	EVENT(0x4c, 0x3),	/* LOAD_HIT_PRE */
	EVENT(0x4e, 0x3),	/* L1D_PREFETCH */
	EVENT(0x51, 0x3),	/* L1D */
	EVENT(0x52, 0x3),	/* L1D_CACHE_PREFETCH_LOCK_FB_HIT */
	EVENT(0x60, 0x1),	/* OFFCORE_REQUESTS_OUTSTANDING */
	EVENT(0x63, 0x3),	/* CACHE_LOCK_CYCLES */
	EVENT(0xb3, 0x1),	/* SNOOPQ_REQUESTS_OUTSTANDING */
	END
};

/*
 * Sandy Bridge to Broadwell, what they share: SNB V19, JKT V24, IVB V24, IVT V24, HSW V36, HSX
 * V29, BDW V30, BDX V23.
 */
static const struct pfmi_intel_rule snb_to_bdw_rules[] = {
	UMASK(0x010e, 0xf),	/* UOPS_ISSUED.ANY */
	UMASK(0x023c, 0xf),	/* CPU_CLK_THREAD_UNHALTED.ONE_THREAD_ACTIVE */
	UMASK(0x0148, 0x4),	/* L1D_PEND_MISS.PENDING */
	UMASK(0x0279, 0xf),	/* IDQ.EMPTY */
	EVENT(0x9c, 0xf),	/* IDQ_UOPS_NOT_DELIVERED */
	UMASK(0x04a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_NO_DISPATCH */
	UMASK(0x05a3, 0xf),	/* CYCLE_ACTIVITY.STALLS_L2_PENDING */
	EVENT(0xb7, 0xf),	/* OFFCORE_RESPONSE */
	EVENT(0xbb, 0xf),	/* OFFCORE_RESPONSE */
	UMASK(0x01c0, 0x2),	/* INST_RETIRED.PREC_DIST */
	UMASK(0x01c2, 0xf),	/* UOPS_RETIRED.ALL */
	UMASK(0x04c4, 0xf),	/* BR_INST_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x04c5, 0xf),	/* BR_MISP_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x1eca, 0xf),	/* FP_ASSIST.ANY */
	EVENT(0xcd, 0x8),	/* MEM_TRANS_RETIRED */
	EVENT(0xd0, 0xf),	/* MEM_UOPS_RETIRED */
	EVENT(0xd1, 0xf),	/* MEM_LOAD_UOPS_RETIRED */
	EVENT(0xd2, 0xf),	/* MEM_LOAD_UOPS_L3_HIT_RETIRED, MEM_LOAD_UOPS_LLC_HIT_RETIRED */
	EVENT(0xd3, 0xf),	/* MEM_LOAD_UOPS_LLC_MISS_RETIRED, which SNB lacks */
	EVENT(0xd4, 0xf),	/* MEM_LOAD_UOPS_MISC_RETIRED, which SNB alone has */
	END
};

/* Sandy Bridge: SNB V19, JKT V24. */
static const struct pfmi_intel_rule snb_rules[] = {
	UMASK(0x02a3, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UMASK(0x06a3, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	END
};

/* Ivy Bridge: IVB V24, IVT V24. */
static const struct pfmi_intel_rule ivb_rules[] = {
	UMASK(0x02a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_LDM_PENDING */
	UMASK(0x06a3, 0xf),	/* CYCLE_ACTIVITY.STALLS_LDM_PENDING */
	UMASK(0x08a3, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UMASK(0x0ca3, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	UMASK(0x01b1, 0xf),	/* UOPS_EXECUTED.THREAD */
	END
};

/* Haswell: HSW V36, HSX V29. */
static const struct pfmi_intel_rule hsw_rules[] = {
	UMASK(0x02a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_LDM_PENDING */
	UMASK(0x06a3, 0xf),	/* CYCLE_ACTIVITY.STALLS_LDM_PENDING */
	UMASK(0x08a3, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UMASK(0x0ca3, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	UMASK(0x01b1, 0xf),	/* UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC */
	EVENT(0xbc, 0xf),	/* PAGE_WALKER_LOADS */
	EVENT(0xc9, 0xf),	/* RTM_RETIRED */
	END
};

/* Broadwell: BDW V30, BDX V23. */
static const struct pfmi_intel_rule bdw_rules[] = {
	EVENT(0xa0, 0xf),	/* UOP_DISPATCHES_CANCELLED */
	UMASK(0x02a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_LDM_PENDING */
	UMASK(0x06a3, 0xf),	/* CYCLE_ACTIVITY.STALLS_LDM_PENDING */
	UMASK(0x08a3, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	UMASK(0x0ca3, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	UMASK(0x01b1, 0xf),	/* UOPS_EXECUTED.THREAD */
	EVENT(0xbc, 0xf),	/* PAGE_WALKER_LOADS */
	EVENT(0xc7, 0xf),	/* FP_ARITH_INST_RETIRED */
	EVENT(0xc9, 0xf),	/* RTM_RETIRED */
	END
};

/* Skylake: SKL V59, SKX V1.37, CLX V1.25. */
static const struct pfmi_intel_rule skl_rules[] = {
	UMASK(0x14a3, 0xf),	/* CYCLE_ACTIVITY.STALLS_MEM_ANY */
	EVENT(0xb7, 0xf),	/* OCR, OFFCORE_RESPONSE */
	EVENT(0xbb, 0xf),	/* OCR, OFFCORE_RESPONSE */
	/* INST_RETIRED.TOTAL_CYCLES_PS: cmask 10, inv */
	{ 0x0a8001c0, 0x0a8001c0,
	  EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_INV | EVTSEL_CMASK, 0xd },
	UMASK(0x01c0, 0x2),	/* INST_RETIRED.PREC_DIST */
	UMASK(0x04c4, 0xf),	/* BR_INST_RETIRED.ALL_BRANCHES_PEBS */
	UMASK(0x04c5, 0xf),	/* BR_MISP_RETIRED.ALL_BRANCHES_PEBS */
	EVENT(0xc6, 0xf),	/* FRONTEND_RETIRED */
	EVENT(0xcd, 0xf),	/* MEM_TRANS_RETIRED */
	EVENT(0xd0, 0xf),	/* MEM_INST_RETIRED */
	EVENT(0xd1, 0xf),	/* MEM_LOAD_RETIRED */
	EVENT(0xd2, 0xf),	/* MEM_LOAD_L3_HIT_RETIRED */
	EVENT(0xd3, 0xf),	/* MEM_LOAD_L3_MISS_RETIRED */
	EVENT(0xd4, 0xf),	/* MEM_LOAD_MISC_RETIRED */
	END
};

/*
 * Ice Lake, Tiger Lake, Rocket Lake: ICL V1.24, TGL V1.19, RKL V1.04, ICX V1.30.  The files lack
 * codes that only raw events can have.  Linux (arch/x86/events/intel/core.c) limits whole ranges of
 * codes, which are here behind the events of the files.
 */
static const struct pfmi_intel_rule icl_rules[] = {
	EVENT(0x03, 0xf),	/* LD_BLOCKS */
	EVENT(0x07, 0xf),	/* LD_BLOCKS_PARTIAL */
	EVENT(0x08, 0xf),	/* DTLB_LOAD_MISSES */
	EVENT(0x24, 0xf),	/* L2_RQSTS */
	EVENT(0x28, 0xf),	/* CORE_POWER */
	EVENT(0x32, 0xf),	/* SW_PREFETCH_ACCESS */
	EVENT(0x48, 0xf),	/* L1D_PEND_MISS */
	EVENT(0x49, 0xf),	/* DTLB_STORE_MISSES */
	EVENT(0x4c, 0xf),	/* LOAD_HIT_PREFETCH */
	EVENT(0x51, 0xf),	/* L1D */
	EVENT(0x54, 0xf),	/* TX_MEM */
	EVENT(0x55, 0xf),	/* INST_DECODED */
	EVENT(0x56, 0xf),	/* UOPS_DECODED */
	EVENT(0x60, 0xf),	/* OFFCORE_REQUESTS_OUTSTANDING */
	EVENT(0x63, 0xf),	/* LOCK_CYCLES */
	EVENT(0x79, 0xf),	/* IDQ */
	EVENT(0x80, 0xf),	/* ICACHE_16B, ICACHE_DATA */
	EVENT(0x83, 0xf),	/* ICACHE_64B, ICACHE_TAG */
	EVENT(0x85, 0xf),	/* ITLB_MISSES */
	EVENT(0x87, 0xf),	/* DECODE, ILD_STALL */
	UMASK(0x04a3, ALL),	/* CYCLE_ACTIVITY.STALLS_TOTAL */
	UMASK(0x10a3, ALL),	/* CYCLE_ACTIVITY.CYCLES_MEM_ANY */
	UMASK(0x14a3, ALL),	/* CYCLE_ACTIVITY.STALLS_MEM_ANY */
	EVENT(0xa3, 0xf),	/* CYCLE_ACTIVITY; source of the other unit masks: Linux */
	EVENT(0xa8, 0xf),	/* LSD */
	EVENT(0xab, 0xf),	/* DSB2MITE_SWITCHES */
	EVENT(0xb0, 0xf),	/* OFFCORE_REQUESTS */
	EVENT(0xb7, 0xf),	/* OCR */
	EVENT(0xbb, 0xf),	/* OCR */
	EVENT(0xbd, 0xf),	/* TLB_FLUSH */
	EVENT(0xd0, 0xf),	/* MEM_INST_RETIRED */
	EVENT(0xd1, 0xf),	/* MEM_LOAD_RETIRED */
	EVENT(0xd2, 0xf),	/* MEM_LOAD_L3_HIT_RETIRED */
	EVENT(0xd3, 0xf),	/* MEM_LOAD_L3_MISS_RETIRED */
	EVENT(0xd4, 0xf),	/* MEM_LOAD_MISC_RETIRED */
	EVENT(0xe6, 0xf),	/* BACLEARS */
	EVENT(0xef, 0xf),	/* CORE_SNOOP_RESPONSE */
	EVENT(0xf0, 0xf),	/* L2_TRANS */
	EVENT(0xf1, 0xf),	/* L2_LINES_IN */
	EVENT(0xf2, 0xf),	/* L2_LINES_OUT */
	EVENT(0xf4, 0xf),	/* SQ_MISC */
	RANGE(0x03, 0x0a, 0xf),	/* these and the following: source Linux */
	RANGE(0x1f, 0x28, 0xf),
	RANGE(0x48, 0x56, 0xf),
	RANGE(0x60, 0x8b, 0xf),
	RANGE(0xa8, 0xb0, 0xf),
	RANGE(0xb7, 0xbd, 0xf),
	RANGE(0xd0, 0xe6, 0xf),
	RANGE(0xf0, 0xf4, 0xf),
	END
};

/*
 * Sapphire Rapids to Granite Rapids, and the P-cores of Alder Lake: SPR V1.39, EMR V1.24, GNR
 * V1.20, ADL V1.40.  There are ranges as for Ice Lake.
 */
static const struct pfmi_intel_rule glc_rules[] = {
	EVENT(0x03, 0xf),	/* LD_BLOCKS */
	EVENT(0x11, 0xf),	/* ITLB_MISSES */
	EVENT(0x12, 0xf),	/* DTLB_LOAD_MISSES */
	EVENT(0x13, 0xf),	/* DTLB_STORE_MISSES */
	EVENT(0x20, 0xf),	/* OFFCORE_REQUESTS_OUTSTANDING */
	EVENT(0x21, 0xf),	/* OFFCORE_REQUESTS */
	EVENT(0x23, 0xf),	/* L2_TRANS */
	EVENT(0x24, 0xf),	/* L2_REQUEST, L2_RQSTS */
	EVENT(0x25, 0xf),	/* L2_LINES_IN */
	EVENT(0x26, 0xf),	/* L2_LINES_OUT */
	EVENT(0x27, 0xf),	/* CORE_SNOOP_RESPONSE */
	EVENT(0x28, 0xf),	/* CORE_POWER */
	EVENT(0x2a, 0xf),	/* OCR */
	EVENT(0x2b, 0xf),	/* OCR */
	EVENT(0x2c, 0xf),	/* SQ_MISC */
	EVENT(0x2d, 0xf),	/* XQ */
	EVENT(0x40, 0xf),	/* SW_PREFETCH_ACCESS */
	EVENT(0x42, 0xf),	/* LOCK_CYCLES */
	EVENT(0x43, 0xf),	/* MEM_LOAD_COMPLETED */
	EVENT(0x44, 0xf),	/* MEM_STORE_RETIRED */
	EVENT(0x47, 0xf),	/* MEMORY_ACTIVITY */
	EVENT(0x48, 0xf),	/* L1D_PEND_MISS */
	EVENT(0x4c, 0xf),	/* LOAD_HIT_PREFETCH */
	EVENT(0x51, 0xf),	/* L1D */
	EVENT(0x54, 0xf),	/* TX_MEM */
	EVENT(0x60, 0xf),	/* BACLEARS */
	EVENT(0x61, 0xf),	/* DSB2MITE_SWITCHES */
	EVENT(0x75, 0xf),	/* INST_DECODED */
	EVENT(0x76, 0xf),	/* UOPS_DECODED */
	EVENT(0x79, 0xf),	/* IDQ */
	EVENT(0x80, 0xf),	/* ICACHE_DATA */
	EVENT(0x83, 0xf),	/* ICACHE_TAG */
	EVENT(0x87, 0xf),	/* DECODE */
	UMASK(0x01a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_L2_MISS */
	UMASK(0x02a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_L3_MISS */
	UMASK(0x05a3, 0xf),	/* CYCLE_ACTIVITY.STALLS_L2_MISS */
	UMASK(0x06a3, 0xf),	/* CYCLE_ACTIVITY.STALLS_L3_MISS */
	UMASK(0x08a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_L1D_MISS */
	UMASK(0x0ca3, 0xf),	/* CYCLE_ACTIVITY.STALLS_L1D_MISS */
	UMASK(0x04a4, 0x1),	/* TOPDOWN.BAD_SPEC_SLOTS */
	UMASK(0x08a4, 0x1),	/* TOPDOWN.BR_MISPREDICT_SLOTS */
	UMASK(0x01cd, 0xfe),	/* MEM_TRANS_RETIRED.LOAD_LATENCY */
	UMASK(0x02cd, 0x1),	/* MEM_TRANS_RETIRED.STORE_SAMPLE */
	EVENT(0xce, 0x1),	/* AMX_OPS_RETIRED, which SPR lacks; source: Linux */
	EVENT(0xd0, 0xf),	/* MEM_INST_RETIRED */
	EVENT(0xd1, 0xf),	/* MEM_LOAD_RETIRED */
	EVENT(0xd2, 0xf),	/* MEM_LOAD_L3_HIT_RETIRED */
	EVENT(0xd3, 0xf),	/* MEM_LOAD_L3_MISS_RETIRED */
	EVENT(0xd4, 0xf),	/* MEM_LOAD_MISC_RETIRED */
	EVENT(0x2e, ALL),	/* LONGEST_LAT_CACHE; this and the following: source Linux */
	EVENT(0x3c, ALL),	/* CPU_CLK_UNHALTED */
	RANGE(0x01, 0x8f, 0xf),
	RANGE(0xd0, 0xdf, 0xf),
	END
};

/* The P-cores of Lunar Lake and Arrow Lake.  Source: Linux, arch/x86/events/intel/core.c. */
static const struct pfmi_intel_rule lnc_rules[] = {
	EVENT(0x20, 0xf),	/* OFFCORE_REQUESTS_OUTSTANDING */
	UMASK(0x012a, 0xf),	/* OFFCORE_RSP_0 */
	UMASK(0x012b, 0xf),	/* OFFCORE_RSP_1 */
	UMASK(0x0148, 0x4),
	UMASK(0x0175, 0x4),
	UMASK(0x08a3, 0x4),
	UMASK(0x0ca3, 0x4),
	UMASK(0x04a4, 0x1),
	UMASK(0x08a4, 0x1),
	UMASK(0x10a4, 0x1),
	UMASK(0x01b1, 0x8),
	UMASK(0x01cd, 0x3fc),	/* MEM_TRANS_RETIRED.LOAD_LATENCY */
	UMASK(0x02cd, 0x3),	/* MEM_TRANS_RETIRED.STORE_SAMPLE */
	RANGE(0xd0, 0xdf, 0xf),
	UMASK(0x00e0, 0xf),
	END
};

/* The E-cores of Alder Lake: ADL V1.40. */
static const struct pfmi_intel_rule grt_rules[] = {
	UMASK(0x05d0, 0x3),	/* MEM_UOPS_RETIRED.LOAD_LATENCY */
	END
};

/* The P-cores of Panther Lake: PTL V1.07. */
static const struct pfmi_intel_rule cgc_rules[] = {
	EVENT(0x20, 0xf),	/* OFFCORE_REQUESTS_OUTSTANDING */
	EVENT(0x48, 0x4),	/* L1D_PENDING */
	EVENT(0x75, 0x4),	/* INST_DECODED */
	UMASK(0x04a4, 0x1),	/* TOPDOWN.BAD_SPEC_SLOTS */
	UMASK(0x08a4, 0x1),	/* TOPDOWN.BR_MISPREDICT_SLOTS */
	UMASK(0x10a4, 0x8),	/* TOPDOWN.MEMORY_BOUND_SLOTS */
	UMASK(0x01b1, 0x8),	/* UOPS_EXECUTED.THREAD */
	UMASK(0x01cd, 0x3fc),	/* MEM_TRANS_RETIRED.LOAD_LATENCY */
	UMASK(0x02cd, 0x3),	/* MEM_TRANS_RETIRED.STORE_SAMPLE */
	UMASK(0x09d0, 0xf),	/* MEM_INST_RETIRED.STLB_HIT_LOADS */
	UMASK(0x0ad0, 0xf),	/* MEM_INST_RETIRED.STLB_HIT_STORES */
	UMASK(0x0cd0, 0xf),	/* MEM_INST_RETIRED.STLB_HIT_SWPF */
	UMASK(0x0fd0, 0xf),	/* MEM_INST_RETIRED.STLB_HIT_ANY */
	UMASK(0x11d0, 0xf),	/* MEM_INST_RETIRED.STLB_MISS_LOADS */
	UMASK(0x12d0, 0xf),	/* MEM_INST_RETIRED.STLB_MISS_STORES */
	UMASK(0x14d0, 0xf),	/* MEM_INST_RETIRED.STLB_MISS_SWPF */
	UMASK(0x17d0, 0xf),	/* MEM_INST_RETIRED.STLB_MISS_ANY */
	UMASK(0x21d0, 0xf),	/* MEM_INST_RETIRED.LOCK_LOADS */
	UMASK(0x41d0, 0xf),	/* MEM_INST_RETIRED.SPLIT_LOADS */
	UMASK(0x42d0, 0xf),	/* MEM_INST_RETIRED.SPLIT_STORES */
	UMASK(0x81d0, 0xf),	/* MEM_INST_RETIRED.ALL_LOADS */
	UMASK(0x82d0, 0xf),	/* MEM_INST_RETIRED.ALL_STORES */
	UMASK(0x84d0, 0xf),	/* MEM_INST_RETIRED.ALL_SWPF */
	EVENT(0xd1, 0xf),	/* MEM_LOAD_RETIRED */
	EVENT(0xd2, 0xf),	/* MEM_LOAD_L3_HIT_RETIRED */
	EVENT(0xd4, 0xf),	/* MEM_LOAD_MISC_RETIRED */
	END
};

/*
 * Every counter counts every event: BNL V5, SLM V15, GLM V13, GLP V1.01, SNR V1.23, PTL V1.07, CWF
 * V1.04.  KNL is left out for INST_RETIRED.ANY_PS, which has the code of INST_RETIRED.ANY_P.
 */
static const struct pfmi_intel_rule no_rules[] = {
	END
};

/* Core 2 and the first Atoms have no second register. */
static const struct pfm_arch_shared nothing_shared[] = {
	{ 0 }
};

/* Nehalem: NHM-EP V4, NHM-EX V4. */
static const struct pfm_arch_shared nhm_shared[] = {
	RSP_0(0x01b7, 0),
	LD_LAT(0x100b),
	{ 0 }
};

/* Westmere: WSM-EP-SP V4, WSM-EP-DP V5. */
static const struct pfm_arch_shared wsm_shared[] = {
	RSP_0(0x01b7, 0x01bb),
	RSP_1(0x01bb, 0x01b7),
	LD_LAT(0x100b),
	{ 0 }
};

/*
 * Sandy Bridge to Broadwell: SNB V19, JKT V24, IVB V24, IVT V24, HSW V36, HSX V29, BDW V30, BDX
 * V23.
 */
static const struct pfm_arch_shared snb_shared[] = {
	RSP_0(0x01b7, 0x01bb),
	RSP_1(0x01bb, 0x01b7),
	LD_LAT(0x01cd),
	{ 0 }
};

/* Skylake and Ice Lake: SKL V59, SKX V1.37, CLX V1.25, ICL V1.24, TGL V1.19, RKL V1.04, ICX V1.30. */
static const struct pfm_arch_shared skl_shared[] = {
	RSP_0(0x01b7, 0x01bb),
	RSP_1(0x01bb, 0x01b7),
	LD_LAT(0x01cd),
	FRONTEND(0x01c6),
	{ 0 }
};

/*
 * Sapphire Rapids to Granite Rapids, and the P-cores of Alder Lake: SPR V1.39, EMR V1.24, GNR
 * V1.20, ADL V1.40.
 */
static const struct pfm_arch_shared glc_shared[] = {
	RSP_0(0x012a, 0x012b),
	RSP_1(0x012b, 0x012a),
	LD_LAT(0x01cd),
	FRONTEND(0x01c6),
	FRONTEND(0x02c6),
	FRONTEND(0x03c6),
	FRONTEND(0x04c2),
	FRONTEND(0x40ad),
	{ 0 }
};

/* The P-cores of Lunar Lake and Arrow Lake: LNL V1.26, ARL V1.20. */
static const struct pfm_arch_shared lnc_shared[] = {
	RSP_0(0x012a, 0x012b),
	RSP_1(0x012b, 0x012a),
	LD_LAT(0x01cd),
	FRONTEND(0x02c6),
	FRONTEND(0x03c6),
	FRONTEND(0x04c2),
	FRONTEND(0x40ad),
	{ 0 }
};

/*
 * The E-cores of Alder Lake and Panther Lake, and Clearwater Forest: ADL V1.40, PTL V1.07, CWF
 * V1.04.
 */
static const struct pfm_arch_shared grt_shared[] = {
	RSP_0(0x01b7, 0),
	RSP_1(0x02b7, 0),
	LD_LAT(0x05d0),
	{ 0 }
};

/* The P-cores of Panther Lake: PTL V1.07. */
static const struct pfm_arch_shared cgc_shared[] = {
	RSP_0(0x012a, 0x012b),
	RSP_1(0x012b, 0x012a),
	LD_LAT(0x01cd),
	FRONTEND(0x02c6),
	FRONTEND(0x03c6),
	FRONTEND(0x04c2),
	FRONTEND(0x40ad),
	{ 0 }
};

/*
 * Silvermont to Tremont, and Knights Landing: SLM V15, GLM V13, GLP V1.01, SNR V1.23, EHL V1.05,
 * KNL V16.
 */
static const struct pfm_arch_shared small_shared[] = {
	RSP_0(0x01b7, 0),
	RSP_1(0x02b7, 0),
	{ 0 }
};

#endif

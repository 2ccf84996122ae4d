// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's counters: architectural performance monitoring, versions 1 to 5.
 *
 * "SDM" is the Intel 64 and IA-32 Architectures Software Developer's Manual.  Volume 3,
 * chapter "Performance Monitoring", describes the counters, CPUID leaf 0xA their number
 * and width, volume 4 the registers.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched/smt.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>
#include <perfmon/pmu.h>
#include <perfmon/release.h>

#include "compat.h"
#include "intel_lbr.h"
#include "intel_models.h"
#include "intel_probe.h"
#include "x86.h"
#include "x86_holder.h"
#include "x86_msr.h"

#define MSR_COUNTER0	     0x0c1
#define MSR_SEL0	     0x186
#define MSR_OFFCORE_RSP	     0x1a6
#define MSR_CAPABILITIES     0x345
#define MSR_STATUS	     0x38e
#define MSR_ACK		     0x390
#define MSR_PEBS_ON	     0x3f1
#define MSR_FRONTEND_RETIRED 0x3f7
#define MSR_COUNTER0_WIDE    0x4c1

/* IA32_PERF_CAPABILITIES: counters can be written through MSR_COUNTER0_WIDE. */
#define CAPABILITY_WIDE BIT(13)
/* IA32_PERF_CAPABILITIES: there is INTEL_METRICS. */
#define CAPABILITY_METRICS BIT(15)
/* Fields of INTEL_METRICS that every processor with the register has: level 1. */
#define METRICS_LEVEL_1 4

/* Bits of a control register that AMD does not have. */
#define SEL_ANY	  BIT_ULL(21)
/*
 * Bit 33, beside it, is not offered.  It makes an abort undo the counts of a transaction,
 * and the bit in the status with them: then the overflow's NMI belongs to nobody.
 */
#define SEL_IN_TX BIT_ULL(32)

/* Used by microcode, see set_general(). */
#define TSX_COUNTER 3

#define RDPMC_FIXED BIT(30)

/* A counter's bits that a 32-bit write reaches. */
#define NARROW 32
/* Bits of a counter's value that RDPMC can return. */
#define WIDEST 64

/*
 * From version 6 on perf may use other registers for the counters, which the kernel's
 * reservation does not know: then perf and perfmon would not exclude each other.  Older kernels
 * use the registers of version 5, which go on to exist.
 */
#define LAST_VERSION 5

/* CPUID leaf 0xA */
#define LEAF		   0xa
#define EAX_VERSION	   GENMASK(7, 0)
#define EAX_GENERAL	   GENMASK(15, 8)
#define EAX_WIDTH	   GENMASK(23, 16)
#define EAX_EVENTS	   GENMASK(31, 24)
#define EDX_FIXED	   GENMASK(4, 0)
#define EDX_FIXED_WIDTH	   GENMASK(12, 5)
#define EDX_ANY_DEPRECATED BIT(15)

/**
 * struct intel_id - properties of a CPU's counters
 * @version: version of architectural performance monitoring
 * @general: number of general counters
 * @width: bits of a general counter
 * @fixed: bitmap of the fixed counters
 * @fixed_width: bits of a fixed counter
 * @unavailable: bitmap of the architectural events that the processor does not have
 * @nevents: number of valid bits in @unavailable
 * @any: both threads of a core can be counted together
 * @wide: all bits of a general counter can be written
 * @metrics: the processor says that it has PERF_METRICS
 */
struct intel_id {
	u8 version;
	u8 general;
	u8 width;
	u8 fixed;
	u8 fixed_width;
	u8 unavailable;
	u8 nevents;
	bool any;
	bool wide;
	bool metrics;
};

static struct intel_id id __ro_after_init;
static struct intel_model model __ro_after_init;

#define GENERAL_PMC(n)							\
	[n] = { .name = "IA32_PERFEVTSEL" #n }
#define GENERAL_PMD(n)							\
	[n] = { .name = "IA32_PMC" #n }
#define FIXED_PMC(k)							\
	[X86_FIXED_FIRST + (k)] = { .name = "IA32_FIXED_CTR_CTRL." #k }
#define FIXED_PMD(k)							\
	[X86_FIXED_FIRST + (k)] = { .name = "IA32_FIXED_CTR" #k }

/* set_tables() fills in the other fields, and removes what does not exist. */
static struct pfm_reg_desc pmcs[X86_REGS] __ro_after_init = {
	GENERAL_PMC(0), GENERAL_PMC(1), GENERAL_PMC(2), GENERAL_PMC(3),
	GENERAL_PMC(4), GENERAL_PMC(5), GENERAL_PMC(6), GENERAL_PMC(7),
	GENERAL_PMC(8), GENERAL_PMC(9), GENERAL_PMC(10), GENERAL_PMC(11),
	GENERAL_PMC(12), GENERAL_PMC(13), GENERAL_PMC(14), GENERAL_PMC(15),
	FIXED_PMC(0), FIXED_PMC(1), FIXED_PMC(2), FIXED_PMC(3),
	FIXED_PMC(4), FIXED_PMC(5), FIXED_PMC(6), FIXED_PMC(7),
	[X86_EXTRA_FIRST] = {
		.name = "MSR_OFFCORE_RSP_0", .addr = MSR_OFFCORE_RSP
	},
	{ .name = "MSR_OFFCORE_RSP_1", .addr = MSR_OFFCORE_RSP + 1 },
	{ .name = "MSR_PEBS_FRONTEND", .addr = MSR_FRONTEND_RETIRED },
	[X86_BRANCHES] = { .name = "BRANCH_FILTER" },
};

static struct pfm_reg_desc pmds[X86_PMDS] __ro_after_init = {
	GENERAL_PMD(0),	 GENERAL_PMD(1),  GENERAL_PMD(2),  GENERAL_PMD(3),
	GENERAL_PMD(4),	 GENERAL_PMD(5),  GENERAL_PMD(6),  GENERAL_PMD(7),
	GENERAL_PMD(8),	 GENERAL_PMD(9),  GENERAL_PMD(10), GENERAL_PMD(11),
	GENERAL_PMD(12), GENERAL_PMD(13), GENERAL_PMD(14), GENERAL_PMD(15),
	FIXED_PMD(0),	 FIXED_PMD(1),	  FIXED_PMD(2),	   FIXED_PMD(3),
	FIXED_PMD(4),	 FIXED_PMD(5),	  FIXED_PMD(6),	   FIXED_PMD(7),
	/* In the order of the fields. */
	[X86_METRIC_FIRST] = {
		.name = "PERF_METRICS.RETIRING"
	},
	{ .name = "PERF_METRICS.BAD_SPECULATION" },
	{ .name = "PERF_METRICS.FRONTEND_BOUND" },
	{ .name = "PERF_METRICS.BACKEND_BOUND" },
	{ .name = "PERF_METRICS.HEAVY_OPERATIONS" },
	{ .name = "PERF_METRICS.BRANCH_MISPREDICTS" },
	{ .name = "PERF_METRICS.FETCH_LATENCY" },
	{ .name = "PERF_METRICS.MEMORY_BOUND" },
	[X86_METRIC_SLOTS] = { .name = "PERF_METRICS.SLOTS" },
};

/*
 * Codes of the architectural events, unit mask and event, in the order of the bits in
 * CPUID leaf 0xA (SDM, "Pre-defined Architectural Performance Events").
 */
static const u16 codes[] __initconst = {
	0x003c, /* core cycles */
	0x00c0, /* instructions retired */
	0x013c, /* reference cycles */
	0x4f2e, /* references to the last level cache */
	0x412e, /* misses of the last level cache */
	0x00c4, /* branches retired */
	0x00c5, /* branch misses retired */
	0x01a4, /* top-down slots */
};

/* A word for each group of 64 codes that has one of them. */
static struct pfm_pmu_events events[] __ro_after_init = {
	{ .first = 0x0000 }, { .first = 0x00c0 }, { .first = 0x0100 },
	{ .first = 0x0180 }, { .first = 0x4100 }, { .first = 0x4f00 },
};

/* perfmon2's numbers of the fixed counters, and of their PMC */
#define OLD_FIXED	16
#define OLD_FIXED_COUNT 4

/* perfmon2 had one register for the control of all fixed counters, four bits each. */
static struct pfm_reg_desc old_fixed_ctrl __ro_after_init = {
	.name = "IA32_FIXED_CTR_CTRL",
	.addr = INTEL_FIXED_CONTROL,
	.rsvd = ~0ULL,
};

static const struct pfm_old_regs old_pmcs[] = {
	{ OLD_FIXED, X86_FIXED_FIRST, OLD_FIXED_COUNT, &old_fixed_ctrl },
};

static const struct pfm_old_regs old_pmds[] = {
	{ OLD_FIXED, X86_FIXED_FIRST, OLD_FIXED_COUNT },
};

static struct pfm_pmu pmu __ro_after_init = {
	.name = "intel",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_HW,
	.base = 0,
	.npmcs = ARRAY_SIZE(pmcs),
	.npmds = ARRAY_SIZE(pmds),
	.pmcs = pmcs,
	.pmds = pmds,
	.ops = &pfm_x86_ops,
	.user_all = true,
	.events = events,
	.nevents = ARRAY_SIZE(events),
	.old_model = "intel_arch",
	.old_pmcs = old_pmcs,
	.old_pmds = old_pmds,
	.nold_pmcs = ARRAY_SIZE(old_pmcs),
	.nold_pmds = ARRAY_SIZE(old_pmds),
};

/* Read the properties of this CPU's counters. */
static void read_id(struct intel_id *here)
{
	u32 eax, ebx, ecx, edx, low, high;

	cpuid(LEAF, &eax, &ebx, &ecx, &edx);
	*here = (struct intel_id){
		.version = FIELD_GET(EAX_VERSION, eax),
		.general = min_t(u32, FIELD_GET(EAX_GENERAL, eax),
				 X86_GENERAL_MAX),
		.width = FIELD_GET(EAX_WIDTH, eax),
		.nevents = min_t(u32, FIELD_GET(EAX_EVENTS, eax),
				 ARRAY_SIZE(codes)),
		.unavailable = ebx,
	};
	if (here->version >= 2) {
		here->fixed = GENMASK(FIELD_GET(EDX_FIXED, edx), 0) >> 1;
		/* A hypervisor may leave it out and have fixed counters in ECX. */
		here->fixed_width =
			FIELD_GET(EDX_FIXED_WIDTH, edx) ?: here->width;
	}
	/* Version 2 exists with the number of fixed counters missing in CPUID. */
	if (here->version >= 2 && here->version < 5 && !here->fixed &&
	    !boot_cpu_has(X86_FEATURE_HYPERVISOR)) {
		here->fixed = 0x7;
		here->fixed_width = here->width;
	}
	/* ECX has those that are not among the first. */
	if (here->version >= 5)
		here->fixed |= ecx;
	here->any = here->version >= 3 && !(edx & EDX_ANY_DEPRECATED);
	if (boot_cpu_has(X86_FEATURE_PDCM) &&
	    !rdmsr_safe(MSR_CAPABILITIES, &low, &high)) {
		here->wide = low & CAPABILITY_WIDE;
		here->metrics = low & CAPABILITY_METRICS;
	}
}

static bool same(void)
{
	struct intel_id here;

	read_id(&here);
	return !memcmp(&here, &id, sizeof(id));
}

static bool mem_events;
module_param(mem_events, bool, 0444);
MODULE_PARM_DESC(mem_events, "Sandy Bridge to Haswell: count events 0xd0 to 0xd3 also while two threads share a core, although each may change the other's counts (errata BJ122, BV98, HSD29)");

/* Events 0xd0 to 0xd3, whose counts two threads of a core may disturb. */
static bool disturbs(u64 value)
{
	return (value & 0xfc) == 0xd0;
}

/* Refuse what would count wrong because two threads share a core: see intel_models.h. */
static int check(const struct pfm_prog *prog)
{
	const struct pfm_prog_reg *pmc = prog->pmcs;
	const char *advice = "";
	unsigned int i;

	if (!(model.flags & (INTEL_SHARED_RSP | INTEL_THREADS_BUG)) ||
	    !sched_smt_active())
		return 0;
	for (i = 0; i < prog->npmcs; i++, pmc++) {
		if (model.flags & INTEL_SHARED_RSP &&
		    (pmc->num == X86_EXTRA_FIRST ||
		     pmc->num == X86_EXTRA_FIRST + 1))
			goto refuse;
		if (model.flags & INTEL_THREADS_BUG && !mem_events &&
		    pmc->num < X86_FIXED_FIRST && disturbs(pmc->value)) {
			advice = ", or load perfmon_intel with mem_events=1";
			goto refuse;
		}
	}
	return 0;

refuse:
	/* A format may change PMCs in an overflow, where logging is not safe. */
	if (irqs_disabled())
		return -EOPNOTSUPP;
	pfm_refusal_notice("%s cannot be used while two threads share a core of this processor; boot with nosmt, or write off to /sys/devices/system/cpu/smt/control%s\n",
			   pmcs[pmc->num].name, advice);
	return -EOPNOTSUPP;
}

/* INST_RETIRED.PREC_DIST, see INTEL_PREC_DIST_128 */
#define PREC_DIST	 0x01c0
#define PREC_DIST_PERIOD 128

static u32 shortest_of(const struct pfm_prog *prog)
{
	unsigned int i;

	for (i = 0; i < prog->npmcs; i++) {
		const struct pfm_prog_reg *pmc = &prog->pmcs[i];

		if (pmc->num < X86_FIXED_FIRST &&
		    (pmc->value & (X86_SEL_EVENT | X86_SEL_UMASK)) == PREC_DIST)
			return PREC_DIST_PERIOD;
	}
	return 0;
}

/* Describe a counter of which the low "writable" of "width" bits can be written. */
static void __init set_counter(struct x86_desc *desc, unsigned int n, u32 msr,
			       u32 rdpmc, unsigned int width,
			       unsigned int writable)
{
	const u64 half = BIT_ULL(writable - 1);
	struct pfm_reg_desc *pmd = &pmds[n];

	desc->counters |= BIT_ULL(n);
	desc->counter[n] = (struct x86_counter){
		.msr = msr,
		.rdpmc = rdpmc,
		.upper = -half,
		.sign = BIT_ULL(width - 1),
		.bias = BIT_ULL(width - 1) - half,
		.mask = GENMASK_ULL(width - 1, 0),
	};
	pmd->addr = msr;
	pmd->ctl = n;
	pmd->index = rdpmc;
	pmd->width = writable - 1;
	pmd->min_period = desc->shortest;
	pmd->flags = PFM_REGI_COUNTER | PFM_REGI_OVERFLOW;
}

/*
 * Microcode may use counter 3 to abort transactions.  perf can switch that off by a
 * register; here the counter is left alone.
 */
static bool __init is_taken(unsigned int n)
{
	return n == TSX_COUNTER && boot_cpu_has(X86_FEATURE_TSX_FORCE_ABORT) &&
	       !boot_cpu_has(X86_FEATURE_RTM_ALWAYS_ABORT);
}

static void __init set_general(struct x86_desc *desc, unsigned int n)
{
	const u64 any = id.any ? SEL_ANY : 0;
	u64 used = X86_SEL_EVENT | X86_SEL_UMASK | X86_SEL_USR | X86_SEL_OS |
		   X86_SEL_EDGE | X86_SEL_INV | X86_SEL_CMASK | any;
	struct pfm_reg_desc *pmc = &pmcs[n];

	if (n >= id.general || is_taken(n) || !x86_rdpmc_works(n)) {
		pmc->name = NULL;
		pmds[n].name = NULL;
		return;
	}
	if (boot_cpu_has(X86_FEATURE_RTM))
		used |= SEL_IN_TX;
	pmc->addr = MSR_SEL0 + n;
	pmc->rsvd = ~used;
	pmc->priv = X86_SEL_OS | any;
	if (id.wide)
		set_counter(desc, n, MSR_COUNTER0_WIDE + n, n, id.width,
			    id.width);
	else
		set_counter(desc, n, MSR_COUNTER0 + n, n, id.width,
			    min_t(u32, id.width, NARROW));
}

static void __init set_fixed(struct x86_desc *desc, unsigned int k)
{
	const u64 any = id.any ? X86_FIXED_ANY : 0;
	const unsigned int n = X86_FIXED_FIRST + k;
	struct pfm_reg_desc *pmc = &pmcs[n];

	if (!(id.fixed & BIT(k)) || !x86_rdpmc_works(RDPMC_FIXED | k)) {
		pmc->name = NULL;
		pmds[n].name = NULL;
		return;
	}
	pmc->addr = INTEL_FIXED_CONTROL;
	pmc->rsvd = ~(X86_FIXED_OS | X86_FIXED_USR | any);
	pmc->priv = X86_FIXED_OS | any;
	if (k < OLD_FIXED_COUNT)
		old_fixed_ctrl.rsvd &= ~(~pmc->rsvd << 4 * k);
	set_counter(desc, n, INTEL_FIXED0 + k, RDPMC_FIXED | k, id.fixed_width,
		    id.fixed_width);
	if (k == 1)
		pmds[n].flags |= PFM_REGI_CYCLES;
}

/*
 * The additional registers of some events.  The offcore registers select the kind of
 * request, not whose requests: they need no privilege.
 */
static void __init set_extra(struct x86_desc *desc, unsigned int i)
{
	struct pfm_reg_desc *pmc = &pmcs[X86_EXTRA_FIRST + i];

	/* Hypervisors mostly lack them. */
	if (!model.valid[i] || !intel_probe_keeps(pmc->addr, model.valid[i])) {
		pmc->name = NULL;
		return;
	}
	desc->extra[i] = pmc->addr;
	pmc->rsvd = ~model.valid[i];
}

/*
 * Fixed counter 3 counts for these PMDs, so its PMC controls them.  They cannot interrupt,
 * and user mode cannot read them: they are values in memory.
 */
static void __init set_metrics(struct x86_desc *desc)
{
	unsigned int fields = 0, i;

	if (id.metrics && desc->global_ctrl && desc->counters & X86_SLOTS_BIT)
		fields = intel_probe_fields();

	if (fields)
		desc->metrics = INTEL_METRICS;
	for (i = 0; i <= X86_METRIC_FIELDS; i++) {
		struct pfm_reg_desc *pmd = &pmds[X86_METRIC_FIRST + i];

		if (!fields || (i >= fields && i < X86_METRIC_FIELDS)) {
			pmd->name = NULL;
			continue;
		}
		pmd->addr = i < fields ? INTEL_METRICS : INTEL_FIXED0 + 3;
		pmd->ctl = X86_SLOTS_COUNTER;
		pmd->width = WIDEST;
		pmd->flags = PFM_REGI_COUNTER;
	}
}

/* The records are stopped by an overflow, which is acknowledged in the status. */
static void __init set_branches(struct x86_desc *desc)
{
	if (desc->global_status && desc->debugctl)
		intel_lbr_find(&desc->lbr, &pmcs[X86_BRANCHES]);
	else
		pmcs[X86_BRANCHES].name = NULL;
}

static void __init set_tables(struct x86_desc *desc)
{
	unsigned int i;

	for (i = 0; i < X86_GENERAL_MAX; i++)
		set_general(desc, i);
	for (i = 0; i < X86_FIXED_MAX; i++)
		set_fixed(desc, i);
	for (i = 0; i < X86_EXTRA_MAX; i++)
		set_extra(desc, i);
	set_metrics(desc);
	set_branches(desc);
}

static void __init set_events(void)
{
	unsigned int bit, i;

	for (bit = 0; bit < id.nevents; bit++) {
		const u64 code = BIT_ULL(codes[bit] % 64);

		for (i = 0; i < ARRAY_SIZE(events); i++) {
			if (events[i].first != (codes[bit] & ~63U))
				continue;
			events[i].known |= code;
			if (!(id.unavailable & BIT(bit)))
				events[i].implemented |= code;
		}
	}
}

/* The counters are described. */
static void __init set_magic(struct x86_desc *desc)
{
	/* The codes of errata AAK100, AAP53 and BD53. */
	static const u32 magic[X86_MAGIC_CODES] __initconst = {
		0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1
	};
	const u64 first = GENMASK_ULL(X86_MAGIC_CODES - 1, 0);

	/* A hypervisor may show fewer counters than the processor has. */
	if (model.flags & INTEL_MAGIC_CODES && desc->global_ctrl &&
	    (desc->counters & first) == first)
		memcpy(desc->magic, magic, sizeof(magic));
}

static void __init set_desc(struct x86_desc *desc)
{
	desc->pmu = &pmu;
	desc->sel = MSR_SEL0;
	desc->sel_step = 1;
	desc->reserve_counter = MSR_COUNTER0;
	desc->shortest = model.flags & INTEL_PERIOD_32 ? 32 : X86_SHORTEST;
	if (model.flags & INTEL_PREC_DIST_128)
		desc->shortest_of = shortest_of;
	desc->unmask = model.unmask;
	desc->check = check;
	desc->same = same;
	if (id.version >= 2) {
		desc->global_ctrl = INTEL_CONTROL;
		desc->global_status = MSR_STATUS;
		desc->global_ack = MSR_ACK;
		desc->debugctl = X86_DEBUGCTL;
		desc->debugctl_off = X86_DEBUGCTL_FREEZE;
	}
	desc->late_nmis = !desc->global_status;
	if (id.fixed)
		desc->fixed_ctrl = INTEL_FIXED_CONTROL;
	if (boot_cpu_has(X86_FEATURE_DS))
		desc->off[0] = MSR_PEBS_ON;
}

/*
 * An erratum that programs four counters whenever one is programmed leaves nothing to a second
 * program.
 */
static void __init set_holds(const struct x86_desc *desc)
{
	const u64 all = desc->magic[0] ? PFM_HOLDS_ALL : 0;
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(pmcs); n++)
		pmcs[n].holds = x86_holds_pmc(n) | all;
	for (n = 0; n < ARRAY_SIZE(pmds); n++)
		pmds[n].holds = x86_holds_pmd(n) | all;
}

static bool __init is_width(unsigned int width)
{
	return width > NARROW && width <= WIDEST;
}

static bool __init is_usable(void)
{
	/* P6, Pentium 4 and Xeon Phi before Knights Landing have counters of their own. */
	if (boot_cpu_data.cpuid_level >= LEAF)
		read_id(&id);
	if (!id.version || !id.general) {
		pr_info("this processor has no architectural performance monitoring\n");
		return false;
	}
	if (id.version > LAST_VERSION && !pfm_x86_perf_reserves(MSR_SEL0)) {
		pr_err("architectural performance monitoring of version %u is not supported on this kernel: perf uses registers that it does not reserve\n",
		       id.version);
		return false;
	}
	if (!is_width(id.width) || (id.fixed && !is_width(id.fixed_width))) {
		pr_err("counters of %u bits and fixed counters of %u bits are not supported\n",
		       id.width, id.fixed_width);
		return false;
	}
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU)) {
		pr_err("processors with cores of several types are not supported\n");
		return false;
	}
	return true;
}

static int __init intel_init(void)
{
	static struct x86_desc desc __initdata;

	/* modprobe perfmon tries the modules of all vendors, so this is no error. */
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return -ENODEV;
	if (!is_usable())
		return -ENODEV;
	model = *intel_model_find(boot_cpu_data.x86, boot_cpu_data.x86_model,
				  id.version);
	if (mem_events && model.flags & INTEL_THREADS_BUG)
		pr_warn("events 0xd0 to 0xd3 are counted although the threads of a core may change each other's counts (mem_events=1)\n");
	set_desc(&desc);
	set_tables(&desc);
	set_magic(&desc);
	set_holds(&desc);
	set_events();
	return pfm_x86_register(&desc);
}
module_init(intel_init);

static void __exit intel_exit(void)
{
	pfm_x86_unregister();
}
module_exit(intel_exit);

MODULE_DESCRIPTION("perfmon: counters of Intel's processors");
MODULE_LICENSE("GPL");
MODULE_VERSION(PFM_RELEASE);

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86 PMU for QEMU's TCG: the state of one CPU's PMU, and what its files share.
 *
 * A PMU is made of units: the counters of the processor's vendor, the source of interrupts
 * that nobody asked for, and the totals that tests read. Each unit has registers of its own
 * and the instruction at which it next wants the CPU to stop.
 */
#ifndef X86_PMU_H
#define X86_PMU_H

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "cpu.h"
#include "hooks.h"

#define X86_PMU_NEVER	 UINT64_MAX
#define X86_PMU_THOUSAND 1000

/* Something happens n times in d instructions. */
struct x86_pmu_rate {
	uint64_t n, d;
};

/* Counters are numbered as in IA32_PERF_GLOBAL_CTRL: the fixed ones follow at 32. */
#define X86_PMU_GENERAL_MAX 8
#define X86_PMU_FIXED_MAX   4
#define X86_PMU_FIXED0	    32
#define X86_PMU_COUNTERS    (X86_PMU_FIXED0 + X86_PMU_FIXED_MAX)

/* Who executes; the values are indices. */
#define X86_PMU_USER  1u
#define X86_PMU_GUEST 2u
#define X86_PMU_MODES 4

/* These fields of event selectors are the same for both vendors. */
#define EVTSEL_USR	 BIT_ULL(16)
#define EVTSEL_OS	 BIT_ULL(17)
#define EVTSEL_EDGE	 BIT_ULL(18)
#define EVTSEL_PC	 BIT_ULL(19)
#define EVTSEL_INT	 BIT_ULL(20)
#define EVTSEL_ANY	 BIT_ULL(21)
#define EVTSEL_EN	 BIT_ULL(22)
#define EVTSEL_INV	 BIT_ULL(23)
#define EVTSEL_CMASK	 MAKE_64BIT_MASK(24, 8)
#define EVTSEL_CODE	 MAKE_64BIT_MASK(0, 16) /* event and umask */
#define EVTSEL_CODE_HIGH MAKE_64BIT_MASK(32, 4) /* AMD: event, bits 8 to 11 */

struct x86_pmu;

/* Each option is a word of its own, see x86_pmu_option_bit(). */
struct x86_pmu_config {
	/* Intel: that of CPUID leaf 0xA. AMD: 1 core extension, 2 PerfMonV2. */
	uint64_t version;
	uint64_t general; /* number of counters */
	uint64_t fixed; /* bitmap of counters */
	uint64_t width; /* bits */
	uint64_t min_period; /* 0: any */
	uint64_t unavailable; /* architectural events; a bitmap */
	uint64_t full_width;
	uint64_t anythread_deprecated;
	uint64_t metrics; /* one byte a field, in user mode */
	uint64_t metrics_os; /* in the kernel */
	uint64_t lacking; /* X86_PMU_LACKING_* */
	uint64_t lesser; /* bitmap of CPUs that have one general counter less */
	uint64_t threads; /* 1: each two CPUs share a core */
	uint64_t cycles; /* a thousand instructions */
	uint64_t ref_cycles;
	uint64_t slots; /* a cycle */
	char *events;
	uint64_t unmask_late; /* LVTPC: earlier sends an interrupt too many */
	uint64_t pmi_delay; /* instructions */
	uint64_t pmi_delay_random; /* any number up to pmi_delay */
	uint64_t pmi_every; /* instructions, on average */
	uint64_t nmi_every;
	uint64_t hammer_from; /* instructions outside of NMIs, 0: no hammer */
	uint64_t hammer_to;
	uint64_t hammer_kind;
	uint64_t seed;
	uint64_t slice; /* instructions after which it is the next CPU's turn */
	uint64_t ibs_caps; /* EAX of CPUID leaf 0x8000001b; 0: no IBS */
	uint64_t ibs_hidden; /* the firmware has hidden IBS, as on Zen 1 */
	uint64_t ibs_lvt; /* entry of the local APIC, as firmware chooses it */
	uint64_t ibs_lvt_valid; /* bitmap of CPUs on which it has chosen one */
	uint64_t ibs_random; /* counts begin with random low bits */
	uint64_t ibs_retired; /* cycles from tag to retirement */
	uint64_t ibs_completed; /* cycles from completion to retirement */
	uint64_t ibs_fetch_latency; /* cycles */
	/* Addresses that have all bits of a mask miss; 0: none does. */
	uint64_t ibs_ic_miss;
	uint64_t ibs_itlb_miss;
	uint64_t ibs_dc_miss;
	uint64_t ibs_dtlb_miss;
	uint64_t ibs_itlb_latency; /* cycles */
	uint64_t ibs_dc_latency;
	uint64_t ibs_dtlb_latency;
	uint64_t ibs_data_source; /* of loads that miss */
	/* Intel: that of IA32_PERF_CAPABILITIES, 63: architectural. AMD: 1. 0: no branch records */
	uint64_t lbr;
	uint64_t lbr_depth; /* records, at most */
	uint64_t lbr_mispredict; /* each so many executions of a branch; 0: never */
};

/*
 * The additional registers of events and PERF_METRICS are there; are read as 0 and forget what is
 * written; or are read as 0 and cannot be written
 */
#define X86_PMU_LACKING_NONE   0
#define X86_PMU_LACKING_FORGET 1
#define X86_PMU_LACKING_FAULT  2

/* Gives an option that the user did not set the value that the processor model has. */
#define x86_pmu_default(pmu, option, preset)                    \
	do {                                                    \
		if (!((pmu)->set & x86_pmu_option_bit(option))) \
			(pmu)->config.option = (preset);        \
	} while (0)

#define x86_pmu_option_bit(option) \
	BIT_ULL(offsetof(struct x86_pmu_config, option) / sizeof(uint64_t))

struct x86_pmu_unit {
	void (*reset)(struct x86_pmu *pmu);
	/* The CPU has executed, all in pmu->mode, up to pmu->now. */
	void (*advance)(struct x86_pmu *pmu, uint64_t from);
	/* The instruction after which the CPU has to stop, or X86_PMU_NEVER. */
	uint64_t (*next)(struct x86_pmu *pmu);
	void (*cpuid)(struct x86_pmu *pmu, uint32_t leaf, uint32_t subleaf,
		      uint32_t *regs);
	enum x86_pmu_access (*rdmsr)(struct x86_pmu *pmu, uint32_t msr,
				     uint64_t *value);
	enum x86_pmu_access (*wrmsr)(struct x86_pmu *pmu, uint32_t msr,
				     uint64_t value);
	enum x86_pmu_access (*rdpmc)(struct x86_pmu *pmu, uint32_t index,
				     uint64_t *value);
	/*
	 * The CPU is between two instructions: its registers and its instruction pointer
	 * are those of the next one.
	 */
	void (*boundary)(struct x86_pmu *pmu);
	/* EFER.SVME changes, which decides what AMD's host and guest bits mean. */
	void (*svme)(struct x86_pmu *pmu, bool svme);
};

extern const struct x86_pmu_unit x86_pmu_intel, x86_pmu_amd, x86_pmu_interrupts,
	x86_pmu_totals, x86_pmu_ibs, x86_pmu_lbr;

struct x86_pmu_event {
	uint64_t value, mask; /* of the event selector */
	uint64_t response; /* Intel: any of these bits of the event's second register */
	struct x86_pmu_rate rate;
	bool of_cycles; /* rate is that of cycles, not of instructions */
};

struct x86_pmu_counter {
	uint64_t value;
	struct x86_pmu_rate rate;
	bool mute; /* its next overflow is not told */
};

struct x86_pmu_intel_state {
	uint64_t evtsel[X86_PMU_GENERAL_MAX];
	uint64_t fixed_ctrl;
	uint64_t global_ctrl;
	uint64_t global_status;
	uint64_t debugctl;
	uint64_t offcore[2];
	uint64_t load_latency;
	uint64_t frontend;
	uint64_t pebs; /* IA32_PEBS_ENABLE */
	/* PERF_METRICS: slots of each field in 255ths, and slots, since both were reset. */
	uint64_t share[8];
	uint64_t slots;
};

struct x86_pmu_amd_state {
	uint64_t evtsel[X86_PMU_GENERAL_MAX];
	uint64_t global_ctrl;
	uint64_t global_status;
	uint64_t debugctl;
	bool svme;
};

/* Properties of an instruction; none if it is not known. */
struct x86_pmu_insn {
	bool known;
	bool branch, returns;
	bool load, store, hint, locked;
	bool streaming; /* a store past the caches */
	bool has_address;
	unsigned int length; /* bytes of the instruction */
	unsigned int bytes; /* that it loads or stores */
	uint64_t address; /* linear */
};

/* Op sampling or fetch sampling */
struct x86_pmu_ibs_flavour {
	uint64_t ctl; /* the control register, without its count */
	uint64_t ctl2; /* the second one: filters */
	uint64_t count; /* ops, cycles or fetches of this period */
	bool tagged; /* the next instruction is the sample; rip and insn are its own */
	uint64_t rip;
	struct x86_pmu_insn insn;
	/* Totals: no write and no reset changes them. */
	uint64_t counted, samples, dropped;
};

#define X86_PMU_EXTENDED_LVTS 4

#define X86_PMU_UNHIDING 4

struct x86_pmu_ibs_state {
	struct x86_pmu_ibs_flavour op, fetch;
	uint64_t rip, data, data2, data3, data4, dc_linad, dc_physad, br_target;
	uint64_t fetch_linad, fetch_physad, fetch_extd;
	uint32_t lvt[X86_PMU_EXTENDED_LVTS];
	uint64_t unhiding[X86_PMU_UNHIDING]; /* registers that make it visible */
	uint64_t due; /* the interrupt comes by this instruction, or X86_PMU_NEVER */
	uint64_t stuck; /* so does the next of those that no write ends, or X86_PMU_NEVER */
	/* Totals */
	uint64_t delivered, masked, untagged;
	uint64_t stuck_stops, spoiled; /* by errata */
};

#define X86_PMU_LBR_MAX 32
/* Of both vendors' global status */
#define X86_PMU_STATUS_LBR_FROZEN BIT_ULL(58)

struct x86_pmu_lbr_entry {
	uint64_t from, to, info; /* as the registers have them */
};

/* A branch that is executed but whose end is not known yet */
struct x86_pmu_lbr_pending {
	enum x86_pmu_branch kind; /* X86_PMU_BRANCH_NONE: there is none */
	unsigned int length; /* bytes */
	bool user;
	uint64_t rip;
	uint64_t at; /* instruction */
};

struct x86_pmu_lbr_state {
	bool on;
	struct x86_pmu_lbr_pending pending;
	bool timed; /* there is a last record */
	uint64_t last; /* its instruction */
	uint64_t ctl, depth; /* architectural */
	uint64_t select, tos;
	uint64_t extn_cfg; /* AMD */
	struct x86_pmu_lbr_entry entries[X86_PMU_LBR_MAX];
	GHashTable *times; /* taken, by address */
	/* Totals */
	uint64_t records, mispredicted;
};

struct x86_pmu_interrupt_state {
	uint64_t delayed; /* until this instruction, or X86_PMU_NEVER */
	uint64_t next_pmi, next_nmi;
	uint64_t next_hammer; /* X86_PMU_NEVER while NMIs are blocked */
	bool blocked; /* NMIs, as far as the hooks have told */
	bool handled; /* the PMI was delivered, and the counters do not run again yet */
	unsigned int sources; /* of the NMI that is pending */
	uint64_t random;
};

struct x86_pmu_total_state {
	uint64_t instructions[X86_PMU_MODES];
	uint64_t overflows;
	uint64_t pmis; /* asked for by overflows */
	uint64_t pmis_delivered;
	uint64_t pmis_masked; /* lost as LVTPC was masked */
	uint64_t nmis; /* taken by the CPU */
	uint64_t nmis_of_overflows; /* asked for by overflows, alone or with injections */
	uint64_t nmis_injected; /* asked for by injections alone */
	uint64_t injected_pmis, injected_nmis;
	/* The total of each counter, which no write and no reset changes. */
	uint64_t counted[X86_PMU_COUNTERS];
	uint64_t wraps[X86_PMU_COUNTERS];
};

struct x86_pmu {
	X86CPU *cpu;
	struct x86_pmu_config config;
	uint64_t set; /* the options that the user set: x86_pmu_option_bit() */
	const struct x86_pmu_unit *units[6];
	bool present; /* false while there are options only */

	/* Everything is as of this instruction of the CPU, which ran in this mode. */
	uint64_t now;
	unsigned int mode;

	GArray *events;
	struct x86_pmu_counter counters[X86_PMU_COUNTERS];
	uint64_t value_mask;
	uint64_t running[X86_PMU_MODES]; /* bitmaps of counters */
	uint64_t interrupting;
	uint64_t merged; /* AMD: counters whose bits from 48 up are in the next one */

	struct x86_pmu_intel_state intel;
	struct x86_pmu_amd_state amd;
	struct x86_pmu_interrupt_state interrupt;
	struct x86_pmu_ibs_state ibs;
	struct x86_pmu_lbr_state lbr;
	struct x86_pmu_total_state totals;
	bool between; /* two instructions: unit->boundary() follows */
};

/* pmu.c: made with the first option that is set */
struct x86_pmu *x86_pmu_of(X86CPU *cpu);
/* Of the next instruction, where the CPU is between two; linear */
uint64_t x86_pmu_instruction_pointer(struct x86_pmu *pmu);
/* Instructions, with the one that is executed now if it is the last of its translation block */
uint64_t x86_pmu_executed(struct x86_pmu *pmu);

/* counters.c */
void x86_pmu_counters_reset(struct x86_pmu *pmu);
/* A write of the whole value, or of its low bits */
void x86_pmu_counter_write(struct x86_pmu *pmu, int i, uint64_t value);
/* Returns the counters that overflowed. */
uint64_t x86_pmu_counters_advance(struct x86_pmu *pmu, uint64_t from);
uint64_t x86_pmu_counters_next(struct x86_pmu *pmu);
/* How often something happens between two instructions of the CPU */
uint64_t x86_pmu_increments(struct x86_pmu_rate rate, uint64_t from,
			    uint64_t to);
/* The instruction by which there have been left more increments than by instruction from */
uint64_t x86_pmu_instruction_of(struct x86_pmu_rate rate, uint64_t from,
				uint64_t left);

/* events.c */
extern const struct x86_pmu_event x86_pmu_intel_events[], x86_pmu_amd_events[];
bool x86_pmu_events_init(struct x86_pmu *pmu,
			 const struct x86_pmu_event *defaults, Error **errp);
/* The rate of what an event selector counts, its threshold and edge included */
struct x86_pmu_rate x86_pmu_event_rate(struct x86_pmu *pmu, uint64_t evtsel,
				       uint64_t response);

/* intel.c, amd.c: fill in what the options leave open */
bool x86_pmu_intel_configure(struct x86_pmu *pmu, Error **errp);
bool x86_pmu_amd_configure(struct x86_pmu *pmu, Error **errp);

/* interrupts.c */
#define X86_PMU_HAMMER_PMI  1 /* bits of the kind */
#define X86_PMU_HAMMER_NMI  2
#define X86_PMU_HAMMER_BOTH 3 /* either, by chance */
void x86_pmu_interrupt_raise(struct x86_pmu *pmu);
/* The counters are let run again, by their global control. */
void x86_pmu_interrupt_running(struct x86_pmu *pmu);
/* An NMI of an extended entry of the local APIC */
void x86_pmu_interrupt_nmi(struct x86_pmu *pmu);
uint64_t x86_pmu_random_below(struct x86_pmu *pmu, uint64_t limit);
void x86_pmu_interrupt_taken(struct x86_pmu *pmu);
void x86_pmu_interrupt_unblocked(struct x86_pmu *pmu);
bool x86_pmu_hammer_valid(uint64_t from, uint64_t to, uint64_t kind);

/* ibs.c */
bool x86_pmu_ibs_configure(struct x86_pmu *pmu, Error **errp);
/* The extended registers of the local APIC, by address / 16; false: there is none. */
/* Bitmap of what was changed so that hidden IBS can be used: in the order of ibs.c */
uint64_t x86_pmu_ibs_unhidden(struct x86_pmu *pmu);
bool x86_pmu_ibs_apic_read(struct x86_pmu *pmu, int index, uint32_t *value);
bool x86_pmu_ibs_apic_write(struct x86_pmu *pmu, int index, uint32_t value);

/* lbr.c */
bool x86_pmu_lbr_configure(struct x86_pmu *pmu, Error **errp);
/* A register was written, or the records were frozen. */
void x86_pmu_lbr_update(struct x86_pmu *pmu);
/* The CPU is between two instructions: a branch that was executed ends at the next one. */
void x86_pmu_lbr_settle(struct x86_pmu *pmu);
void x86_pmu_lbr_vectoring(struct x86_pmu *pmu, bool interrupt);

/* ibs_errata.c */
uint32_t x86_pmu_family(struct x86_pmu *pmu);
uint32_t x86_pmu_model(struct x86_pmu *pmu);
enum x86_pmu_ibs_erratum {
	X86_PMU_IBS_420,
	X86_PMU_IBS_718,
	X86_PMU_IBS_1197,
	X86_PMU_IBS_1606,
};
bool x86_pmu_ibs_has(struct x86_pmu *pmu, enum x86_pmu_ibs_erratum erratum);
/* A stop of op sampling: from here on interrupts come that no write ends. */
void x86_pmu_ibs_stick(struct x86_pmu *pmu);
/* Bits of IBS_OP_DATA3 as the processor has them, which should be data3 */
uint64_t x86_pmu_ibs_data3(struct x86_pmu *pmu, uint64_t data3);
/* The address that a sample of fetches has, which should be address */
uint64_t x86_pmu_ibs_fetch_address(struct x86_pmu *pmu, uint64_t address);

/* decode.c: the instruction at rip, of which there are n bytes, with the CPU's registers */
void x86_pmu_decode(CPUX86State *env, uint64_t rip, const uint8_t *bytes,
		    size_t n, struct x86_pmu_insn *insn);

#endif /* X86_PMU_H */

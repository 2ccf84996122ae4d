/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The functions of libpfm 3 that find events and choose registers, and the names that
 * libpfm 2 had for some of them: on the event tables of libpfm4 and the assignment of
 * libperfmon.
 *
 * libpfm4 exports functions of the same names with other arguments (pfm_initialize,
 * pfm_find_event, pfm_get_version, pfm_strerror).  Hence the functions here have the prefix
 * pfm3_ in the library, and macros give them their names in a program: no symbol of either
 * library hides one of the other, whatever is linked in which order.  A source file includes
 * this header or libpfm4's, not both.
 *
 * A function returns PFMLIB_SUCCESS or an error PFMLIB_ERR_*.  Register numbers are those of
 * perfmon2's PMU modules: on Intel PMC16 controls the fixed counters, which are PMD16 and up.
 */
#ifndef PERFMON2_COMPAT_PFMLIB_H
#define PERFMON2_COMPAT_PFMLIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFM3_API	__attribute__((visibility("default")))

/* The last version of the interface that is served. */
#define PFMLIB_VERSION		(3U << 16 | 10U)
#define PFMLIB_MAJ_VERSION(v)	((v) >> 16)
#define PFMLIB_MIN_VERSION(v)	((v) & 0xffff)
#define PFM_VERSION_MAJOR(v)	PFMLIB_MAJ_VERSION(v)
#define PFM_VERSION_MINOR(v)	PFMLIB_MIN_VERSION(v)

#define PFMLIB_MAX_PMCS			512
#define PFMLIB_MAX_PMDS			512
#define PFMLIB_MAX_MASKS_PER_EVENT	48

/* Privilege levels: 0 is the kernel, 3 is user mode; 1 and 2 count as user mode. */
#define PFM_PLM0	0x1
#define PFM_PLM1	0x2
#define PFM_PLM2	0x4
#define PFM_PLM3	0x8

/* pfp_flags: accepted, and without effect. */
#define PFMLIB_PFP_SYSTEMWIDE	0x1

#define PFMLIB_SUCCESS		0
#define PFMLIB_ERR_NOTSUPP	(-1)	/* function or feature is not supported */
#define PFMLIB_ERR_INVAL	(-2)	/* invalid parameters */
#define PFMLIB_ERR_NOINIT	(-3)	/* library is not initialised */
#define PFMLIB_ERR_NOTFOUND	(-4)	/* event not found */
#define PFMLIB_ERR_NOASSIGN	(-5)	/* cannot assign events to counters */
#define PFMLIB_ERR_FULL		(-6)	/* buffer is too small */
#define PFMLIB_ERR_EVTMANY	(-7)	/* event used more than once */
#define PFMLIB_ERR_MAGIC	(-8)	/* invalid library magic number */
#define PFMLIB_ERR_FEATCOMB	(-9)	/* invalid combination of features */
#define PFMLIB_ERR_EVTSET	(-10)	/* incompatible event sets */
#define PFMLIB_ERR_EVTINCOMP	(-11)	/* incompatible events */
#define PFMLIB_ERR_TOOMANY	(-12)	/* too many events */
#define PFMLIB_ERR_IRRTOOBIG	(-13)
#define PFMLIB_ERR_IRREMPTY	(-14)
#define PFMLIB_ERR_IRRINVAL	(-15)
#define PFMLIB_ERR_IRRTOOMANY	(-16)
#define PFMLIB_ERR_DRRINVAL	(-17)
#define PFMLIB_ERR_DRRTOOMANY	(-18)
#define PFMLIB_ERR_BADHOST	(-19)	/* not supported by the host's processor */
#define PFMLIB_ERR_IRRALIGN	(-20)
#define PFMLIB_ERR_IRRFLAGS	(-21)
#define PFMLIB_ERR_UMASK	(-22)	/* missing or invalid unit mask */
#define PFMLIB_ERR_NOMEM	(-23)	/* out of memory */

/* PMU models, for pfm_get_pmu_type(). */
#define PFMLIB_NO_PMU			(-1)
#define PFMLIB_UNKNOWN_PMU		0
#define PFMLIB_GEN_IA64_PMU		1
#define PFMLIB_ITANIUM_PMU		2
#define PFMLIB_ITANIUM2_PMU		3
#define PFMLIB_MONTECITO_PMU		4
#define PFMLIB_AMD64_PMU		16
#define PFMLIB_I386_P6_PMU		32
#define PFMLIB_PENTIUM4_PMU		33
#define PFMLIB_COREDUO_PMU		34
#define PFMLIB_I386_PM_PMU		35
#define PFMLIB_CORE_PMU			36
#define PFMLIB_INTEL_CORE_PMU		PFMLIB_CORE_PMU
#define PFMLIB_I386_PPRO_PMU		37
#define PFMLIB_I386_PII_PMU		38
#define PFMLIB_INTEL_ATOM_PMU		39
#define PFMLIB_INTEL_NHM_PMU		40
#define PFMLIB_INTEL_WSM_PMU		41
#define PFMLIB_GEN_IA32_PMU		63
/* Processors that libpfm 3 did not know, and that are no Intel. */
#define PFMLIB_ARMV8_PMU		128

/**
 * struct pfmlib_event_t - an event with its unit masks
 * @event: descriptor of the event, from pfm_find_event() and others
 * @plm: PFM_PLM*; 0: pfp_dfl_plm of the input
 * @flags: 0
 * @unit_masks: indices of unit masks
 * @num_masks: number of elements of @unit_masks
 * @reserved: 0
 */
typedef struct {
	unsigned int event;
	unsigned int plm;
	unsigned long flags;
	unsigned int unit_masks[PFMLIB_MAX_MASKS_PER_EVENT];
	unsigned int num_masks;
	unsigned long reserved[2];
} pfmlib_event_t;

typedef unsigned long pfmlib_regmask_bits_t;

#define PFMLIB_REG_MAX	(PFMLIB_MAX_PMCS > PFMLIB_MAX_PMDS ? PFMLIB_MAX_PMCS : PFMLIB_MAX_PMDS)
#define PFMLIB_BPL	(8 * sizeof(pfmlib_regmask_bits_t))
#define PFMLIB_REG_BV	((PFMLIB_REG_MAX + PFMLIB_BPL - 1) / PFMLIB_BPL)

typedef struct {
	pfmlib_regmask_bits_t bits[PFMLIB_REG_BV];
} pfmlib_regmask_t;

/**
 * struct pfmlib_reg_t - a register for a measurement
 * @reg_value: PMC: value to write
 * @reg_addr: address of the register: the number of the MSR on x86
 * @reg_num: number of the register in perfmon2
 * @reg_alt_addr: PMD on x86: operand of RDPMC
 * @reserved: 0
 */
typedef struct {
	unsigned long long reg_value;
	unsigned long long reg_addr;
	unsigned int reg_num;
	unsigned int reg_alt_addr;
	unsigned int reg_set;
	unsigned int reserved1;
	unsigned long reserved[2];
} pfmlib_reg_t;

/* Input of pfm_dispatch_events(); the second names are those of libpfm 2. */
typedef struct {
	union {
		unsigned int pfp_event_count;
		unsigned int pfp_count;
	};
	union {
		unsigned int pfp_dfl_plm;
		unsigned int pfp_plm;
	};
	unsigned int pfp_flags;
	unsigned int reserved1;
	pfmlib_event_t pfp_events[PFMLIB_MAX_PMCS];
	pfmlib_regmask_t pfp_unavail_pmcs;
	unsigned long reserved[6];
} pfmlib_input_param_t;

/*
 * Output of pfm_dispatch_events().  Element i of pfp_pmds is for event i; the second names are
 * those of libpfm 2.
 */
typedef struct {
	union {
		unsigned int pfp_pmc_count;
		unsigned int pfp_pc_count;
	};
	union {
		unsigned int pfp_pmd_count;
		unsigned int pfp_pd_count;
	};
	union {
		pfmlib_reg_t pfp_pmcs[PFMLIB_MAX_PMCS];
		pfmlib_reg_t pfp_pc[PFMLIB_MAX_PMCS];
	};
	union {
		pfmlib_reg_t pfp_pmds[PFMLIB_MAX_PMDS];
		pfmlib_reg_t pfp_pd[PFMLIB_MAX_PMDS];
	};
	unsigned long reserved[7];
} pfmlib_output_param_t;

/* Accepted; the library prints nothing. */
typedef struct {
	unsigned int pfm_debug:1;
	unsigned int pfm_verbose:1;
	unsigned int pfm_reserved:30;
} pfmlib_options_t;

/* libpfm 2 found an event for an element of pfp_events, libpfm 3 for its first member. */
#ifdef __cplusplus
typedef void *pfm3_event_arg_t;
#else
typedef union {
	unsigned int *desc;
	int *number;
	pfmlib_event_t *event;
} pfm3_event_arg_t __attribute__((transparent_union));
#endif

#define pfm_initialize			pfm3_initialize
#define pfm_set_options			pfm3_set_options
#define pfm_get_version			pfm3_get_version
#define pfm_strerror			pfm3_strerror
#define pfm_force_pmu			pfm3_force_pmu
#define pfm_get_pmu_name		pfm3_get_pmu_name
#define pfm_get_pmu_name_bytype		pfm3_get_pmu_name_bytype
#define pfm_get_pmu_type		pfm3_get_pmu_type
#define pfm_is_pmu_supported		pfm3_is_pmu_supported
#define pfm_pmu_is_supported		pfm3_is_pmu_supported
#define pfm_list_supported_pmus		pfm3_list_supported_pmus
#define pfm_get_num_counters		pfm3_get_num_counters
#define pfm_get_num_pmcs		pfm3_get_num_pmcs
#define pfm_get_num_pmds		pfm3_get_num_pmds
#define pfm_get_impl_pmcs		pfm3_get_impl_pmcs
#define pfm_get_impl_pmds		pfm3_get_impl_pmds
#define pfm_get_impl_counters		pfm3_get_impl_counters
#define pfm_get_hw_counter_width	pfm3_get_hw_counter_width
#define pfm_get_num_events		pfm3_get_num_events
#define pfm_get_max_event_name_len	pfm3_get_max_event_name_len
#define pfm_find_event			pfm3_find_event
#define pfm_find_event_byname		pfm3_find_event
#define pfm_find_full_event		pfm3_find_full_event
#define pfm_find_event_bycode		pfm3_find_event_bycode
#define pfm_find_event_bycode_next	pfm3_find_event_bycode_next
#define pfm_find_event_mask		pfm3_find_event_mask
#define pfm_get_event_name		pfm3_get_event_name
#define pfm_get_full_event_name		pfm3_get_full_event_name
#define pfm_get_event_code		pfm3_get_event_code
#define pfm_get_event_code_counter	pfm3_get_event_code_counter
#define pfm_get_event_counters		pfm3_get_event_counters
#define pfm_get_event_description	pfm3_get_event_description
#define pfm_get_num_event_masks		pfm3_get_num_event_masks
#define pfm_get_event_mask_name		pfm3_get_event_mask_name
#define pfm_get_event_mask_code		pfm3_get_event_mask_code
#define pfm_get_event_mask_description	pfm3_get_event_mask_description
#define pfm_get_cycle_event		pfm3_get_cycle_event
#define pfm_get_inst_retired_event	pfm3_get_inst_retired_event
#define pfm_regmask_isset		pfm3_regmask_isset
#define pfm_regmask_set			pfm3_regmask_set
#define pfm_regmask_clr			pfm3_regmask_clr
#define pfm_regmask_weight		pfm3_regmask_weight
#define pfm_regmask_eq			pfm3_regmask_eq
#define pfm_regmask_and			pfm3_regmask_and
#define pfm_regmask_or			pfm3_regmask_or
#define pfm_regmask_copy		pfm3_regmask_copy
#define pfm_get_first_event		pfm3_get_first_event
#define pfm_get_next_event		pfm3_get_next_event

/* libpfm 3 had four arguments; the slides of perfmon2 have three, without the last one. */
#define pfm_dispatch_events(...)	PFM3_FOUR(__VA_ARGS__, NULL, NULL)
#define PFM3_FOUR(in, mod_in, out, mod_out, ...) \
	pfm3_dispatch_events(in, mod_in, out, mod_out)

/*
 * The first call.  Reads the registers of the kernel modules; without them it assumes those that
 * the processor has.
 */
PFM3_API int pfm_initialize(void);
PFM3_API int pfm_set_options(pfmlib_options_t *options);
PFM3_API int pfm_get_version(unsigned int *version);
PFM3_API char *pfm_strerror(int err);

/* Only the type of this machine can be forced: PFMLIB_ERR_NOTSUPP for another one. */
PFM3_API int pfm_force_pmu(int type);
PFM3_API int pfm_get_pmu_name(char *name, int maxlen);
PFM3_API int pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen);
PFM3_API int pfm_get_pmu_type(int *type);
PFM3_API int pfm_is_pmu_supported(int type);
PFM3_API int pfm_list_supported_pmus(int (*pf)(const char *fmt, ...));

PFM3_API int pfm_get_num_counters(unsigned int *num);
PFM3_API int pfm_get_num_pmcs(unsigned int *num);
PFM3_API int pfm_get_num_pmds(unsigned int *num);
PFM3_API int pfm_get_impl_pmcs(pfmlib_regmask_t *impl_pmcs);
PFM3_API int pfm_get_impl_pmds(pfmlib_regmask_t *impl_pmds);
PFM3_API int pfm_get_impl_counters(pfmlib_regmask_t *impl_counters);
PFM3_API int pfm_get_hw_counter_width(unsigned int *width);

PFM3_API int pfm_get_num_events(unsigned int *count);
PFM3_API int pfm_get_max_event_name_len(size_t *len);

/* Unit masks in the string are ignored; pfm_find_full_event() takes them. */
PFM3_API int pfm_find_event(const char *name, pfm3_event_arg_t desc);
PFM3_API int pfm_find_full_event(const char *name, pfmlib_event_t *event);
PFM3_API int pfm_find_event_bycode(int code, unsigned int *desc);
PFM3_API int pfm_find_event_bycode_next(unsigned int from, int code,
					unsigned int *desc);
PFM3_API int pfm_find_event_mask(unsigned int event, const char *name,
				 unsigned int *mask);

PFM3_API int pfm_get_event_name(unsigned int event, char *name, size_t maxlen);
PFM3_API int pfm_get_full_event_name(pfmlib_event_t *event, char *name,
				     size_t maxlen);
PFM3_API int pfm_get_event_code(unsigned int event, int *code);
PFM3_API int pfm_get_event_code_counter(unsigned int event, unsigned int counter,
					int *code);
PFM3_API int pfm_get_event_counters(unsigned int event,
				    pfmlib_regmask_t *counters);

/* The caller frees the description. */
PFM3_API int pfm_get_event_description(unsigned int event, char **desc);
PFM3_API int pfm_get_num_event_masks(unsigned int event, unsigned int *count);
PFM3_API int pfm_get_event_mask_name(unsigned int event, unsigned int mask,
				     char *name, size_t maxlen);
PFM3_API int pfm_get_event_mask_code(unsigned int event, unsigned int mask,
				     unsigned int *code);
PFM3_API int pfm_get_event_mask_description(unsigned int event,
					    unsigned int mask, char **desc);

PFM3_API int pfm_get_cycle_event(pfmlib_event_t *event);
PFM3_API int pfm_get_inst_retired_event(pfmlib_event_t *event);

/* libpfm 2: the descriptors in turn; -1 at the end. */
PFM3_API int pfm_get_first_event(void);
PFM3_API int pfm_get_next_event(int event);

/**
 * pfm3_dispatch_events - choose registers for events
 * @in: the events
 * @mod_in: the structure of this processor (pfmlib_*.h), or NULL
 * @out: out: the registers
 * @mod_out: that of this processor, or NULL
 *
 * Called as pfm_dispatch_events().
 */
PFM3_API int pfm3_dispatch_events(pfmlib_input_param_t *in, void *mod_in,
				  pfmlib_output_param_t *out, void *mod_out);

PFM3_API int pfm_regmask_isset(pfmlib_regmask_t *mask, unsigned int bit);
PFM3_API int pfm_regmask_set(pfmlib_regmask_t *mask, unsigned int bit);
PFM3_API int pfm_regmask_clr(pfmlib_regmask_t *mask, unsigned int bit);
PFM3_API int pfm_regmask_weight(pfmlib_regmask_t *mask, unsigned int *weight);
PFM3_API int pfm_regmask_eq(pfmlib_regmask_t *a, pfmlib_regmask_t *b);
PFM3_API int pfm_regmask_and(pfmlib_regmask_t *to, pfmlib_regmask_t *a,
			     pfmlib_regmask_t *b);
PFM3_API int pfm_regmask_or(pfmlib_regmask_t *to, pfmlib_regmask_t *a,
			    pfmlib_regmask_t *b);
PFM3_API int pfm_regmask_copy(pfmlib_regmask_t *to, pfmlib_regmask_t *from);

#ifdef __cplusplus
}
#endif

/**
 * struct pfm3_counter_t - settings of the counter of an event, in the structures of processors
 * @cnt_mask: threshold
 * @flags: PFM3_SEL_*, under the names that the processor's header gives them
 */
typedef struct {
	unsigned int cnt_mask;
	unsigned int flags;
} pfm3_counter_t;

#define PFM3_SEL_INV	0x1
#define PFM3_SEL_EDGE	0x2
#define PFM3_SEL_ANYTHR	0x4	/* Intel */
#define PFM3_SEL_OCCRST	0x8	/* Intel: refused */
#define PFM3_SEL_GUEST	0x4	/* AMD */
#define PFM3_SEL_HOST	0x8	/* AMD */

/* The structure of every processor begins with so many of them, one for each event. */
#define PFM3_MODEL_COUNTERS	32

/**
 * struct pfm3_model - what the structures of Intel's processors have in common
 * @counters: settings of each event
 * @pebs_used: not 0: refused with PFMLIB_ERR_NOTSUPP
 * @lbr_used: likewise
 */
struct pfm3_model {
	pfm3_counter_t counters[PFM3_MODEL_COUNTERS];
	unsigned int pebs_used;
	unsigned int lbr_used;
};

#endif /* PERFMON2_COMPAT_PFMLIB_H */

/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The functions of perfmon2, on today's kernel modules, for existing programs.  New
 * programs use <perfmon/perfmon.h>.
 *
 * There were three generations of the interface:
 *
 *  1. v2.0: perfmonctl() with pfarg_context_t and pfarg_reg_t.
 *  2. v2.2: perfmonctl() with pfarg_ctx_t, pfarg_pmc_t and pfarg_pmd_t; the new
 *     context's descriptor is returned in pfarg_ctx_t.ctx_fd.
 *  3. v2.3 to v2.82: one function for each command, with the structures of 2;
 *     pfm_create_context() returns the descriptor.
 *
 * 2 and 3 share one set of structures, those of v2.82 on x86, on every architecture;
 * ctx_fd uses a word that v2.82 reserved.  pfarg_load_t begins alike in all three.
 * perfmonctl() tells 1 from 2 by the type of its argument at compile time; a void
 * pointer means 2, and perfmonctl_v20() is always 1.  Programs of any generation must
 * be compiled again.
 *
 * A function that fails returns -1 and sets errno to an error of the old interface:
 * EINVAL for a wrong register, set, flag or state, EBADF for a descriptor that is not
 * a context, ENOSYS when the perfmon module is not loaded, EPERM, ESRCH, EEXIST,
 * EBUSY, ENOMEM, E2BIG.
 *
 * Differences from the original:
 *
 *  - A vector takes effect completely or not at all.
 *  - A monitored thread need not be stopped, nor traced by the caller.
 *  - Unknown context flags give EINVAL, and PFM_FL_MAP_SETS ENOSYS.
 *  - A sampling format other than the default one gives EINVAL.
 *  - How a PMD samples can be changed only while the context is unloaded (EBUSY); a loaded
 *    context takes values, and attributes that are the same.
 *  - Event sets: set 0 cannot be deleted (EINVAL).  A timeout is at least 10
 *    microseconds (EINVAL).  reg_ovfl_switch_cnt can be written only while the context
 *    is unloaded (EBUSY); pfm_read_pmds() returns the overflows that are left of it,
 *    for registers whose reg_ovfl_switch_cnt is not 0 when it is called.
 *  - Commands for debug registers give ENOSYS: no processor here has them.
 *
 * Numbers of registers are those of perfmon2's modules as well as today's: on Intel PMC16
 * controls the fixed counters, which are PMD16 and up; on AMD's processors with four
 * counters PMC4 and PMC5 control instruction-based sampling.
 *
 * As in the original, reserved bits of a PMC are set to their default, and writing a
 * read-only PMD is no error.
 */
#ifndef PERFMON_PERFMON2_H
#define PERFMON_PERFMON2_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFM_COMPAT_API	__attribute__((visibility("default")))

/* Version, as GET_FEATURES returns it: major << 16 | minor. */
#define PFM_VERSION_MAJ		2U
#define PFM_VERSION_MIN		0U
#define PFM_VERSION		((PFM_VERSION_MAJ << 16) | PFM_VERSION_MIN)

/* Commands of perfmonctl(). */
#define PFM_WRITE_PMCS		0x01
#define PFM_WRITE_PMDS		0x02
#define PFM_READ_PMDS		0x03
#define PFM_STOP		0x04
#define PFM_START		0x05
#define PFM_CREATE_CONTEXT	0x08
#define PFM_RESTART		0x0a
#define PFM_GET_FEATURES	0x0c
#define PFM_DEBUG		0x0d
#define PFM_GET_PMC_RESET_VAL	0x0f
#define PFM_LOAD_CONTEXT	0x10
#define PFM_UNLOAD_CONTEXT	0x11
#define PFM_WRITE_IBRS		0x20
#define PFM_WRITE_DBRS		0x21

/* Context flags. */
#define PFM_FL_NOTIFY_BLOCK	0x01
#define PFM_FL_SYSTEM_WIDE	0x02
#define PFM_FL_MAP_SETS		0x10	/* v2.2; refused */
#define PFM_FL_OVFL_NO_MSG	0x80

/* Register flags. */
#define PFM_REGFL_OVFL_NOTIFY	0x1
#define PFM_REGFL_RANDOM	0x2
#define PFM_REGFL_NO_EMUL64	0x4

/* v2.0 sets these in reg_flags of the element that it refuses. */
#define PFM_REG_RETFL_NOTAVAIL	(1U << 31)	/* somebody else uses it */
#define PFM_REG_RETFL_EINVAL	(1U << 30)	/* no such register, or wrong value */
#define PFM_REG_RETFL_NOSET	(1U << 29)	/* v2.2 had it; it is not set */
#define PFM_REG_RETFL_MASK	(PFM_REG_RETFL_NOTAVAIL | PFM_REG_RETFL_EINVAL)
#define PFM_REG_HAS_ERROR(flag)	(((flag) & PFM_REG_RETFL_MASK) != 0)

/* Set flags; the last two of v2.2. */
#define PFM_SETFL_OVFL_SWITCH	0x1
#define PFM_SETFL_TIME_SWITCH	0x2
#define PFM_SETFL_EXPL_NEXT	0x4
#define PFM_SETFL_EXCL_IDLE	0x8
/* Itanium had these; here they are of every processor, in system-wide contexts. */
#define PFM_ITA_SETFL_EXCL_INTR	0x10000	/* count outside of interrupts only */
#define PFM_ITA_SETFL_INTR_ONLY	0x20000	/* count inside of interrupts only */

/* First word of a message that read(2) returns. */
#ifndef PFM_MSG_OVFL
#define PFM_MSG_OVFL		1
#define PFM_MSG_END		2
#endif

/* Words of the register bitmaps: 256 hardware and 64 virtual registers. */
#define PFM_PMD_BV		5
#define PFM_PMC_BV		5

/* v2.0: the sizes are those of a 64-bit machine. */

typedef unsigned char pfm_uuid_t[16];

typedef struct {
	pfm_uuid_t ctx_smpl_buf_id;	/* all zero: no sampling format */
	unsigned long ctx_flags;
	unsigned short ctx_nextra_sets;
	unsigned short ctx_reserved1;
	int ctx_fd;			/* out */
	void *ctx_smpl_vaddr;		/* out: the buffer, mapped; or NULL */
	unsigned long ctx_reserved2[11];
} pfarg_context_t;

/* The context followed by the argument of the default format: perfmon_default_smpl.h. */
typedef struct pfm_default_smpl_ctx_arg pfm_default_smpl_ctx_arg_t;

typedef struct {
	unsigned int reg_num;
	unsigned short reg_set;
	unsigned short reg_reserved1;
	unsigned long reg_value;	/* in, out of READ_PMDS */
	unsigned long reg_flags;	/* in, out PFM_REG_RETFL_* */
	unsigned long reg_long_reset;
	unsigned long reg_short_reset;
	unsigned long reg_reset_pmds[4];
	unsigned long reg_random_seed;
	unsigned long reg_random_mask;
	unsigned long reg_last_reset_val;
	unsigned long reg_smpl_pmds[4];
	unsigned long reg_smpl_eventid;
	unsigned long reg_ovfl_switch_cnt;
	unsigned long reg_reserved2[2];
} pfarg_reg_t;

/* Debug registers of Itanium: PFM_WRITE_IBRS and PFM_WRITE_DBRS are refused. */
typedef struct {
	unsigned int dbreg_num;
	unsigned short dbreg_set;
	unsigned short dbreg_reserved1;
	unsigned long dbreg_value;
	unsigned long dbreg_flags;
	unsigned long dbreg_reserved2;
} pfarg_dbreg_t;

typedef struct {
	unsigned int ft_version;	/* out: PFM_VERSION */
	unsigned int ft_reserved;
	unsigned long reserved[4];
} pfarg_features_t;

/* v2.2 and later. */

typedef struct {
	uint32_t ctx_flags;
	int32_t ctx_fd;			/* v2.2, out */
	pfm_uuid_t ctx_smpl_buf_id;	/* v2.2; all zero: no sampling format */
	uint64_t ctx_smpl_buf_size;	/* v2.2, out: bytes to map */
	uint64_t ctx_reserved[4];
} pfarg_ctx_t;

typedef struct {
	uint16_t reg_num;
	uint16_t reg_set;
	uint32_t reg_flags;
	uint64_t reg_value;
	uint64_t reg_reserved[4];
} pfarg_pmc_t;

typedef struct {
	uint16_t reg_num;
	uint16_t reg_set;
	uint32_t reg_flags;
	uint64_t reg_value;		/* in, out of READ_PMDS */
	uint64_t reg_long_reset;
	uint64_t reg_short_reset;
	uint64_t reg_last_reset_val;	/* out of READ_PMDS */
	uint64_t reg_ovfl_switch_cnt;	/* in; out: overflows that are left */
	uint64_t reg_reset_pmds[PFM_PMD_BV];
	uint64_t reg_smpl_pmds[PFM_PMD_BV];
	uint64_t reg_smpl_eventid;
	uint64_t reg_random_mask;
	uint32_t reg_random_seed;
	uint32_t reg_reserved[7];
} pfarg_pmd_t;

/* load_pid is a thread id; v2.0 begins with the same two fields. */
typedef struct {
	uint32_t load_pid;
	uint16_t load_set;
	uint16_t load_reserved1;
	uint64_t load_reserved2[3];
} pfarg_load_t;

typedef struct {
	uint16_t start_set;
	uint16_t start_reserved1;
	uint32_t start_reserved2;
	uint64_t start_reserved3[3];
} pfarg_start_t;

typedef struct {
	uint16_t set_id;
	uint16_t set_id_next;		/* v2.2, with EXPL_NEXT */
	uint32_t set_flags;
	uint64_t set_timeout;		/* nanoseconds; v2.2: microseconds */
	uint64_t set_reserved2[6];
} pfarg_setdesc_t;

typedef struct {
	uint16_t set_id;
	uint16_t set_reserved1;
	uint32_t set_flags;
	uint64_t set_ovfl_pmds[PFM_PMD_BV];
	uint64_t set_runs;
	uint64_t set_timeout;
	uint64_t set_act_duration;
	uint64_t set_avail_pmcs[PFM_PMC_BV];
	uint64_t set_avail_pmds[PFM_PMD_BV];
	uint64_t set_reserved2[6];
} pfarg_setinfo_t;

/* msg_ovfl_pid is the thread id and msg_ovfl_tid the process id, as in the original. */
typedef struct {
	uint32_t msg_type;
	uint32_t msg_ovfl_pid;
	uint16_t msg_active_set;
	uint16_t msg_ovfl_cpu;
	uint32_t msg_ovfl_tid;
	uint64_t msg_ovfl_ip;
	uint64_t msg_ovfl_pmds[PFM_PMD_BV];
} pfarg_ovfl_msg_t;

typedef union {
	uint32_t type;
	pfarg_ovfl_msg_t pfm_ovfl_msg;
} pfarg_msg_t;

/**
 * perfmonctl - all commands in one function
 * @fd: context; ignored by CREATE_CONTEXT, GET_FEATURES and GET_PMC_RESET_VAL
 * @cmd: command
 * @arg: argument, or vector of registers
 * @narg: elements of @arg: 0 for START, STOP, UNLOAD_CONTEXT, RESTART; 1 for
 *	CREATE_CONTEXT, LOAD_CONTEXT, GET_FEATURES; more than 0 for registers
 *
 * EINVAL also for an unknown command and for a wrong count.
 */
PFM_COMPAT_API int perfmonctl(int fd, int cmd, void *arg, int narg);
PFM_COMPAT_API int perfmonctl_v20(int fd, int cmd, void *arg, int narg);

/* v2.3 and later: @fmt_name is NULL or "default", with a pfm_dfl_smpl_arg_t. */
PFM_COMPAT_API int pfm_create_context(pfarg_ctx_t *ctx, char *fmt_name,
				      void *fmt_arg, size_t fmt_arg_size);

/*
 * v2.2: the format is ctx_smpl_buf_id.  Returns the descriptor, which is in ctx_fd as well.
 * <perfmon/perfmon.h> of the folder perfmon2-compat has pfm_create_context() with three
 * arguments call this.
 */
PFM_COMPAT_API int pfm_create_context_v22(pfarg_ctx_t *ctx, void *fmt_arg,
					  size_t fmt_arg_size);
PFM_COMPAT_API int pfm_write_pmcs(int fd, pfarg_pmc_t *pmcs, int count);
PFM_COMPAT_API int pfm_write_pmds(int fd, pfarg_pmd_t *pmds, int count);
PFM_COMPAT_API int pfm_read_pmds(int fd, pfarg_pmd_t *pmds, int count);
PFM_COMPAT_API int pfm_load_context(int fd, pfarg_load_t *load);
PFM_COMPAT_API int pfm_unload_context(int fd);

/* With NULL for @start the active set stays active. */
PFM_COMPAT_API int pfm_start(int fd, pfarg_start_t *start);
PFM_COMPAT_API int pfm_stop(int fd);

/* Go on after a notification: EBUSY when none is outstanding. */
PFM_COMPAT_API int pfm_restart(int fd);

/*
 * pfm_getinfo_evtsets() returns the time that is left as the timeout of the active set;
 * set_avail_* are the registers that exist.
 */
PFM_COMPAT_API int pfm_create_evtsets(int fd, pfarg_setdesc_t *sets, int count);
PFM_COMPAT_API int pfm_getinfo_evtsets(int fd, pfarg_setinfo_t *sets,
				       int count);
PFM_COMPAT_API int pfm_delete_evtsets(int fd, pfarg_setdesc_t *sets, int count);

#ifdef __cplusplus
}

template<typename T> struct pfm_arg_v20 { enum { yes = 0 }; };
template<> struct pfm_arg_v20<pfarg_context_t> { enum { yes = 1 }; };
template<> struct pfm_arg_v20<pfarg_reg_t> { enum { yes = 1 }; };
template<> struct pfm_arg_v20<pfm_default_smpl_ctx_arg_t> { enum { yes = 1 }; };

template<typename T>
static inline int perfmonctl(int fd, int cmd, T *arg, int narg)
{
	void *untyped = arg;

	return pfm_arg_v20<T>::yes ? perfmonctl_v20(fd, cmd, untyped, narg) :
				     perfmonctl(fd, cmd, untyped, narg);
}
#elif defined(__GNUC__) || __STDC_VERSION__ >= 201112L
#define perfmonctl(fd, cmd, arg, narg)					\
	(_Generic((arg),						\
		  pfarg_context_t *: perfmonctl_v20,			\
		  pfarg_reg_t *: perfmonctl_v20,			\
		  pfm_default_smpl_ctx_arg_t *: perfmonctl_v20,		\
		  default: perfmonctl)((fd), (cmd), (arg), (narg)))
#endif

#endif /* PERFMON_PERFMON2_H */

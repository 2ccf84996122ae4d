/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The calls of perfmon2 under the old name of the header: for programs of perfmon v2.0 to v3
 * that are compiled as they are.
 *
 * The folder of this header comes first in the search path (pkg-config perfmon2-compat).  The
 * header defines no name of libperfmon and none of libpfm4.
 */
#ifndef PERFMON2_COMPAT_PERFMON_H
#define PERFMON2_COMPAT_PERFMON_H

/* Before the macros below: these headers declare functions whose names they take. */
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "../../perfmon/perfmon2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* v2.0: messages of read(2). */

typedef struct {
	int msg_type;
	int msg_ctx_fd;
	unsigned long msg_tstamp;
} pfm_gen_msg_t;

typedef struct {
	int msg_type;
	int msg_ctx_fd;
	unsigned long msg_ovfl_pmds[4];
	unsigned short msg_active_set;
	unsigned short msg_reserved1;
	unsigned int msg_reserved2;
	unsigned long msg_tstamp;	/* when it was read, ns of CLOCK_MONOTONIC */
} pfm_ovfl_msg_t;

typedef pfm_gen_msg_t pfm_end_msg_t;

typedef union {
	pfm_gen_msg_t pfm_gen_msg;
	pfm_ovfl_msg_t pfm_ovfl_msg;
	pfm_end_msg_t pfm_end_msg;
} pfm_msg_t;

/* v3: fewer calls, with a type or a state as an argument. */

#define PFM_FL_SMPL_FMT		0x04	/* a format follows the arguments */

#define PFM_RW_PMD		1	/* pfarg_pmr_t */
#define PFM_RW_PMC		2	/* pfarg_pmr_t */
#define PFM_RW_PMD_ATTR		3	/* pfarg_pmd_attr_t */

#define PFM_ST_START		1
#define PFM_ST_STOP		2
#define PFM_ST_RESTART		3

#define PFM_NO_TARGET		(-1)	/* pfm_attach(): detach */

typedef struct {
	uint64_t sif_avail_pmcs[PFM_PMC_BV];
	uint64_t sif_avail_pmds[PFM_PMD_BV];
	uint64_t sif_reserved[4];
} pfarg_sinfo_t;

typedef struct {
	uint16_t reg_num;
	uint16_t reg_set;
	uint32_t reg_flags;
	uint64_t reg_value;
} pfarg_pmr_t;

typedef struct {
	uint16_t reg_num;
	uint16_t reg_set;
	uint32_t reg_flags;
	uint64_t reg_value;
	uint64_t reg_long_reset;
	uint64_t reg_short_reset;
	uint64_t reg_random_mask;
	uint64_t reg_smpl_pmds[PFM_PMD_BV];
	uint64_t reg_reset_pmds[PFM_PMD_BV];
	uint64_t reg_smpl_eventid;
	uint64_t reg_ovfl_swcnt;	/* out: overflows that are left */
	uint64_t reg_last_value;	/* out: value that the last reset wrote */
	uint64_t reg_reserved[8];
} pfarg_pmd_attr_t;

typedef pfarg_setdesc_t pfarg_set_desc_t;
typedef pfarg_setinfo_t pfarg_set_info_t;

/* With PFM_FL_SMPL_FMT: char *name, void *arg, size_t arg_size.  @info may be NULL. */
PFM_COMPAT_API int pfm_create(int flags, pfarg_sinfo_t *info, ...);
PFM_COMPAT_API int pfm_write(int fd, int flags, int type, void *regs,
			     size_t size);
PFM_COMPAT_API int pfm_read(int fd, int flags, int type, void *regs,
			    size_t size);
PFM_COMPAT_API int pfm_attach(int fd, int flags, int target);
PFM_COMPAT_API int pfm_set_state(int fd, int flags, int state);
PFM_COMPAT_API int pfm_create_sets(int fd, int flags, pfarg_set_desc_t *sets,
				   size_t size);
PFM_COMPAT_API int pfm_getinfo_sets(int fd, int flags, pfarg_set_info_t *info,
				    size_t size);

/*
 * read(2) of a context gives messages in the layout of its generation, with the old numbers of
 * registers; mmap(2) gives its buffer, with old numbers in samples.  With any other descriptor
 * they are read(2) and mmap(2).
 */
PFM_COMPAT_API ssize_t pfm3_read(int fd, void *buf, size_t count);
PFM_COMPAT_API void *pfm3_mmap(void *addr, size_t length, int prot, int flags,
			       int fd, off_t offset);

#ifdef __cplusplus
}
#endif

/*
 * C programs need not be changed for that.  In C++, and where a macro of these names is in the way, define
 * PFM_COMPAT_PLAIN_CALLS first and call pfm3_read() and pfm3_mmap().
 */
#if !defined(PFM_COMPAT_PLAIN_CALLS) && !defined(__cplusplus)
#define read(fd, buf, count)	pfm3_read(fd, buf, count)
#define mmap(addr, length, prot, flags, fd, offset) \
	pfm3_mmap(addr, length, prot, flags, fd, offset)
#endif

/* Four arguments in v2.3 and later, three in v2.2. */
#ifndef __cplusplus
#define pfm_create_context(...) \
	PFM3_CREATE(__VA_ARGS__, pfm_create_context, pfm_create_context_v22, )\
	(__VA_ARGS__)
#define PFM3_CREATE(a, b, c, d, call, ...)	call
#endif

#endif /* PERFMON2_COMPAT_PERFMON_H */

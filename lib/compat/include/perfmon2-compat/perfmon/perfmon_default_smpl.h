/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The default sampling format of perfmon v2.0: argument, and layout of the buffer.
 *
 * Fields have the names of v2.0 at the offsets that today's kernel gives them: programs are
 * compiled again, so the order of the fields is none of their concern.
 */
#ifndef PERFMON2_COMPAT_DEFAULT_SMPL_H
#define PERFMON2_COMPAT_DEFAULT_SMPL_H

#include "perfmon.h"

#define PFM_DEFAULT_SMPL_UUID \
	{ 0x4d, 0x72, 0xbe, 0xc0, 0x06, 0x64, 0x41, 0x43, \
	  0x82, 0xb4, 0xd3, 0xfd, 0x27, 0x24, 0x3c, 0x97 }

/* Version in the header of the buffer: the major number of today's format. */
#define PFM_DEFAULT_SMPL_VERSION_MAJ	1U
#define PFM_DEFAULT_SMPL_VERSION_MIN	0U
#define PFM_DEFAULT_SMPL_VERSION \
	((PFM_DEFAULT_SMPL_VERSION_MAJ << 16) | PFM_DEFAULT_SMPL_VERSION_MIN)

typedef struct {
	unsigned long buf_size;	/* bytes, header included */
	unsigned int flags;	/* zero */
	unsigned int res1;
	unsigned long reserved[2];
} pfm_default_smpl_arg_t;

/* Argument of PFM_CREATE_CONTEXT with this format. */
struct pfm_default_smpl_ctx_arg {
	pfarg_context_t ctx_arg;
	pfm_default_smpl_arg_t buf_arg;
};

typedef struct {
	uint64_t hdr_count;	/* entries in the buffer */
	uint64_t hdr_cur_offs;	/* bytes from the beginning to the next entry */
	uint64_t hdr_overflows;	/* times that the buffer became full */
	uint64_t hdr_buf_size;
	uint64_t hdr_reserved2;
	uint32_t hdr_version;
	uint32_t hdr_reserved1;
	uint64_t hdr_reserved[10];
} pfm_default_smpl_hdr_t;

/* pid is the thread id and tgid the process id, as in the original. */
typedef struct {
	int pid;
	unsigned short ovfl_pmd;
	unsigned short reserved1;
	unsigned long last_reset_val;
	unsigned long ip;
	unsigned long tstamp;	/* ns of CLOCK_MONOTONIC */
	unsigned short cpu;
	unsigned short set;
	int tgid;
} pfm_default_smpl_entry_t;

#define PFM_DEFAULT_MAX_PMDS		64
#define PFM_DEFAULT_MAX_ENTRY_SIZE \
	(sizeof(pfm_default_smpl_entry_t) + \
	 sizeof(unsigned long) * PFM_DEFAULT_MAX_PMDS)
#define PFM_DEFAULT_SMPL_MIN_BUF_SIZE \
	(sizeof(pfm_default_smpl_hdr_t) + PFM_DEFAULT_MAX_ENTRY_SIZE)

#endif /* PERFMON2_COMPAT_DEFAULT_SMPL_H */

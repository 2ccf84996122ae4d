/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The sampling format "default" of perfmon v2.3 to v3: argument, and layout of the buffer.
 *
 * The layout is that of today's kernel (<linux/perfmon_default.h>), which has the fields of the
 * old one at the same offsets.
 */
#ifndef PERFMON2_COMPAT_DFL_SMPL_H
#define PERFMON2_COMPAT_DFL_SMPL_H

#include <stdint.h>

#define PFM_DFL_SMPL_NAME		"default"
#define PFM_DFL_SMPL_VERSION_MAJ	1U
#define PFM_DFL_SMPL_VERSION_MIN	0U
#define PFM_DFL_SMPL_VERSION \
	((PFM_DFL_SMPL_VERSION_MAJ << 16) | PFM_DFL_SMPL_VERSION_MIN)

/* UUID of the format in perfmon v2.2: accepted for the format "default". */
#define PFM_DFL_SMPL_UUID \
	{ 0xd1, 0x39, 0xb2, 0x9e, 0x62, 0xe8, 0x40, 0xe4, \
	  0xb4, 0x02, 0x73, 0x07, 0x87, 0x92, 0xe9, 0x37 }

typedef struct {
	uint64_t buf_size;	/* bytes, header included */
	uint32_t buf_flags;	/* zero */
	uint32_t reserved1;
	uint64_t reserved[6];
} pfm_dfl_smpl_arg_t;

typedef struct {
	uint64_t hdr_count;	/* entries in the buffer */
	uint64_t hdr_cur_offs;	/* bytes from the beginning to the next entry */
	uint64_t hdr_overflows;	/* times that the buffer became full */
	uint64_t hdr_buf_size;
	uint64_t hdr_min_buf_space;
	uint32_t hdr_version;
	uint32_t hdr_buf_flags;
	uint64_t hdr_reserved[10];
} pfm_dfl_smpl_hdr_t;

/*
 * pid is the thread id and tgid the process id, as in the original.  The values of the PMDs in
 * smpl_pmds follow, 8 bytes each, in ascending order of the register numbers.
 */
typedef struct {
	uint32_t pid;
	uint16_t ovfl_pmd;
	uint16_t reserved;
	uint64_t last_reset_val;
	uint64_t ip;
	uint64_t tstamp;	/* ns of CLOCK_MONOTONIC, comparable between CPUs */
	uint16_t cpu;
	uint16_t set;
	uint32_t tgid;
} pfm_dfl_smpl_entry_t;

#endif /* PERFMON2_COMPAT_DFL_SMPL_H */

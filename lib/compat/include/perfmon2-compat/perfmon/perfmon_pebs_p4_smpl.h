/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The sampling format "pebs_p4" of perfmon v2.x (PEBS of the Pentium 4): its names, so that programs compile.
 *
 * Creating a context with this format fails with EINVAL, as on a kernel of that time without
 * the format's module.  The format "default" samples the same events, without the registers that
 * PEBS records.
 */
#ifndef PERFMON2_COMPAT_PEBS_P4_SMPL_H
#define PERFMON2_COMPAT_PEBS_P4_SMPL_H

#include <stdint.h>

#define PFM_PEBS_P4_SMPL_NAME	"pebs_p4"
#define PFM_PEBS_P4_SMPL_VERSION_MAJ	1U
#define PFM_PEBS_P4_SMPL_VERSION_MIN	0U
#define PFM_PEBS_P4_SMPL_VERSION \
	((PFM_PEBS_P4_SMPL_VERSION_MAJ << 16) | PFM_PEBS_P4_SMPL_VERSION_MIN)

typedef struct {
	uint64_t cnt_reset;
	uint64_t buf_size;	/* bytes */
	uint64_t intr_thres;	/* records after which it interrupts */
	uint64_t reserved[6];
} pfm_pebs_p4_smpl_arg_t;

typedef struct {
	uint64_t hdr_overflows;
	uint64_t hdr_count;
	uint64_t hdr_buf_size;
	uint64_t hdr_pebs_size;
	uint32_t hdr_version;
	uint32_t hdr_entry_size;
	uint64_t hdr_reserved[11];
} pfm_pebs_p4_smpl_hdr_t;

typedef struct {
	uint64_t eflags;
	uint64_t ip;
	uint64_t eax, ebx, ecx, edx;
	uint64_t esi, edi, ebp, esp;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
} pfm_pebs_p4_smpl_entry_t;

#endif /* PERFMON2_COMPAT_PEBS_P4_SMPL_H */

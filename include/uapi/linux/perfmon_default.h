/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Sampling format "default": a linear buffer, which the kernel fills and then hands
 * over.
 *
 * Layout of the default format of perfmon v2.x.  A lane begins with the header, and
 * entries follow at offset 128.  When another entry might not fit, the kernel
 * notifies the consumer and masks the context until PFM_IOC_RESTART empties the
 * lane.  In a context that follows, the kernel does not mask: a full lane takes no
 * more samples, and @hdr_lost counts those that it did not take.
 */
#ifndef _UAPI_LINUX_PERFMON_DEFAULT_H
#define _UAPI_LINUX_PERFMON_DEFAULT_H

#include <linux/types.h>

/* 4d72bec0-0664-4143-82b4-d3fd27243c97 */
#define PFM_DEFAULT_UUID \
	{ 0x4d, 0x72, 0xbe, 0xc0, 0x06, 0x64, 0x41, 0x43, \
	  0x82, 0xb4, 0xd3, 0xfd, 0x27, 0x24, 0x3c, 0x97 }

#define PFM_DEFAULT_VERSION	0x10001

/**
 * struct pfm_default_arg - the format's argument at creation of a context
 * @buf_size: bytes of a lane, header included
 * @buf_flags: zero
 * @reserved: zero
 * @reserved2: zero
 */
struct pfm_default_arg {
	__u64 buf_size;
	__u32 buf_flags;
	__u32 reserved;
	__u64 reserved2[6];
};

/**
 * struct pfm_default_hdr - header at the beginning of each lane
 * @hdr_count: number of entries in the lane
 * @hdr_cur_offs: bytes from the beginning of the lane to the next entry
 * @hdr_overflows: times that the lane became full
 * @hdr_buf_size: bytes of the lane
 * @hdr_min_buf_space: bytes of the largest entry
 * @hdr_version: PFM_DEFAULT_VERSION
 * @hdr_buf_flags: from the argument
 * @hdr_lost: overflows that found the lane full
 * @hdr_reserved: zero
 */
struct pfm_default_hdr {
	__u64 hdr_count;
	__u64 hdr_cur_offs;
	__u64 hdr_overflows;
	__u64 hdr_buf_size;
	__u64 hdr_min_buf_space;
	__u32 hdr_version;
	__u32 hdr_buf_flags;
	__u64 hdr_lost;
	__u64 hdr_reserved[9];
};

/**
 * struct pfm_default_entry - one sample
 * @tid: thread id (perfmon v2.x: pid)
 * @ovfl_pmd: PMD that overflowed
 * @nr_branches: number of branches
 * @last_reset_val: value that the last reset of the PMD wrote; its negation is the
 *	period
 * @ip: address of the interrupted instruction; 0 when it is kernel code and the
 *	creator may not see kernel addresses, or user code that the creator may
 *	not look into
 * @tstamp: time of the overflow, ns of CLOCK_MONOTONIC
 * @cpu: CPU
 * @set: event set
 * @pid: process id (perfmon v2.x: tgid)
 *
 * The values of the PMDs in smpl_pmds follow, 8 bytes each, in ascending order
 * of register number.  Then follow @nr_branches elements of struct pfm_branch, the
 * last branch before the overflow first.
 */
struct pfm_default_entry {
	__u32 tid;
	__u16 ovfl_pmd;
	__u16 nr_branches;
	__u64 last_reset_val;
	__u64 ip;
	__u64 tstamp;
	__u16 cpu;
	__u16 set;
	__u32 pid;
};

#endif /* _UAPI_LINUX_PERFMON_DEFAULT_H */

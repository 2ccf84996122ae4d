/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
#ifndef _RESERVOIR_H
#define _RESERVOIR_H

#include <linux/types.h>

/* 8e9234f4-7e6f-4eaf-9260-b14d1829ed3c */
#define RESERVOIR_UUID                                                      \
	{                                                                   \
		0x8e, 0x92, 0x34, 0xf4, 0x7e, 0x6f, 0x4e, 0xaf, 0x92, 0x60, \
			0xb1, 0x4d, 0x18, 0x29, 0xed, 0x3c                  \
	}

#define RESERVOIR_MAX 1048576

/**
 * struct reservoir_arg - argument at creation of the context
 * @slots: samples that a lane keeps, 1 to RESERVOIR_MAX
 * @reserved: zero
 * @seed: of the random numbers; 0: one that nobody knows
 */
struct reservoir_arg {
	__u32 slots;
	__u32 reserved;
	__u64 seed;
};

/**
 * struct reservoir_hdr - header of a lane; the entries follow
 * @seen: samples that there were
 * @entries: samples that are kept
 * @slots: from the argument
 *
 * Each sample is kept with the same probability, @entries / @seen.
 */
struct reservoir_hdr {
	__u64 seen;
	__u32 entries;
	__u32 slots;
};

/**
 * struct reservoir_entry - a sample
 * @number: its number among those of the lane, from 1
 * @ip: address of the interrupted instruction
 * @tstamp: time, ns of CLOCK_MONOTONIC
 * @last_reset: minus the period
 * @pid: process id
 * @tid: thread id
 * @pmd: register that overflowed
 * @set: event set
 * @cpu: CPU
 * @reserved: zero
 */
struct reservoir_entry {
	__u64 number;
	__u64 ip;
	__u64 tstamp;
	__u64 last_reset;
	__u32 pid;
	__u32 tid;
	__u16 pmd;
	__u16 set;
	__u16 cpu;
	__u16 reserved;
};

#endif /* _RESERVOIR_H */

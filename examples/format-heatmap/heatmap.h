/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
#ifndef _HEATMAP_H
#define _HEATMAP_H

#include <linux/types.h>

/* de15170b-0466-4044-9c02-0b7887b8f907 */
#define HEATMAP_UUID                                                        \
	{                                                                   \
		0xde, 0x15, 0x17, 0x0b, 0x04, 0x66, 0x40, 0x44, 0x9c, 0x02, \
			0x0b, 0x78, 0x87, 0xb8, 0xf9, 0x07                  \
	}

#define HEATMAP_SLOTS_MAX	1048576
#define HEATMAP_GRANULARITY_MIN 64
#define HEATMAP_GRANULARITY_MAX 1073741824

/**
 * struct heatmap_arg - argument at creation of the context
 * @slots: entries of a lane, 1 to HEATMAP_SLOTS_MAX
 * @granularity: bytes that an entry stands for, a power of two: 64 for cache lines, 4096 for
 *	pages
 * @value: which register of a sample has the address: its number among those in smpl_pmds, from 1;
 *	0: the first one, or the address of the instruction if a sample has no registers
 * @reserved: zero
 */
struct heatmap_arg {
	__u32 slots;
	__u32 granularity;
	__u32 value;
	__u32 reserved;
};

/**
 * struct heatmap_hdr - header of a lane; the entries follow
 * @seen: samples that there were
 * @lost: samples that are in no entry
 * @entries: entries that are in use
 * @slots: from the argument
 * @granularity: likewise
 * @value: likewise
 *
 * @seen is the sum of all counts and @lost.
 */
struct heatmap_hdr {
	__u64 seen;
	__u64 lost;
	__u32 entries;
	__u32 slots;
	__u32 granularity;
	__u32 value;
};

/**
 * struct heatmap_entry - a page or a cache line
 * @address: its first byte; 0: the samples had no address
 * @count: samples
 * @pid: process id
 * @pmd: register that overflowed
 * @set: event set
 *
 * An entry has all samples of its address from the beginning, or there is none.
 */
struct heatmap_entry {
	__u64 address;
	__u64 count;
	__u32 pid;
	__u16 pmd;
	__u16 set;
};

#endif /* _HEATMAP_H */

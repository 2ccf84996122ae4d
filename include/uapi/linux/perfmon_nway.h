/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Sampling format "nway": lanes in 2 to 8 parts.  The consumer reads the parts that
 * are full while the kernel fills the next one.
 *
 * A part is a region of a lane that is filled, handed over and released as a whole.
 * A lane begins with struct pfm_nway_hdr, and the parts follow.  A part has the
 * layout of a lane of the default format (<linux/perfmon_default.h>): a header of
 * 128 bytes, then entries, struct pfm_default_entry with its values and branches.
 *
 * Parts are numbered from 1 in the order in which they are filled; part s is at
 * offset part_offs + (s - 1) % parts * part_size of the lane.  The loop of a
 * consumer:
 *
 *	filled = load-acquire of hdr->filled
 *	for s = hdr->released + 1 to filled
 *		read the entries of part s
 *		PFM_IOC_RESTART with arg = s
 *
 * The kernel is filling part filled + 1 if the @seq of that part says so.  It may be
 * read at any time, up to the value of a load-acquire of its @count; at the end of
 * monitoring it must be read to get the last samples.
 *
 * The kernel notifies the consumer each time that a part has become full.  When all
 * parts are full, the context is masked until PFM_IOC_RESTART releases one.  With
 * PFM_NWAY_DROP, or in a context that follows, it goes on counting instead and
 * counts the samples that it does not record in @lost.  As long as the consumer
 * keeps up, no sample is lost and nothing is masked.  With PFM_CTX_NO_MSG poll(2)
 * reports POLLIN until all full parts are released.
 *
 * PFM_IOC_RESTART: arg is the number of a part; this part and all parts before it
 * are released.  0 is the oldest full part.  EBUSY: the part was released before, or
 * none is full.  EINVAL: the part is not full yet.  After either error a context
 * that was masked because all parts were full stays masked.  Whatever arg is, a
 * context goes on that was masked because its message queue was full; and with arg
 * 0 a context goes on whose parts have no room for a single entry.
 */
#ifndef _UAPI_LINUX_PERFMON_NWAY_H
#define _UAPI_LINUX_PERFMON_NWAY_H

#include <linux/types.h>

/* 2da143c6-95fb-415f-9daa-0f94d9b54d24 */
#define PFM_NWAY_UUID \
	{ 0x2d, 0xa1, 0x43, 0xc6, 0x95, 0xfb, 0x41, 0x5f, \
	  0x9d, 0xaa, 0x0f, 0x94, 0xd9, 0xb5, 0x4d, 0x24 }

#define PFM_NWAY_VERSION	0x10001

#define PFM_NWAY_PARTS_MIN	2
#define PFM_NWAY_PARTS_MAX	8

/* When all parts are full, lose samples instead of masking the context. */
#define PFM_NWAY_DROP		(1U << 0)

/**
 * struct pfm_nway_arg - the format's argument at creation of a context
 * @part_size: bytes of a part, its header included; a multiple of 8 that holds
 *	an entry without values
 * @parts: number of parts, PFM_NWAY_PARTS_MIN to PFM_NWAY_PARTS_MAX
 * @flags: PFM_NWAY_*
 * @reserved: zero
 */
struct pfm_nway_arg {
	__u64 part_size;
	__u32 parts;
	__u32 flags;
	__u64 reserved[6];
};

/**
 * struct pfm_nway_hdr - header at the beginning of each lane
 * @version: version of the format
 * @flags: from the argument
 * @parts: number of parts
 * @reserved: zero
 * @part_offs: bytes from the beginning of the lane to the first part
 * @part_size: bytes of a part
 * @part_room: bytes of a part that its header and entries may use
 * @filled: number of the last part that is full; this part and those before it do
 *	not change until they are released
 * @released: number of the last part that the consumer has released
 * @samples: samples recorded
 * @lost: overflows that found no room; the format was called for @samples + @lost
 *	overflows
 * @lost_told: how many of @lost are included in the @lost of a part
 * @overflows: times that all parts had become full
 * @reserved2: zero
 */
struct pfm_nway_hdr {
	__u32 version;
	__u32 flags;
	__u32 parts;
	__u32 reserved;
	__u64 part_offs;
	__u64 part_size;
	__u64 part_room;
	__u64 filled;
	__u64 released;
	__u64 samples;
	__u64 lost;
	__u64 lost_told;
	__u64 overflows;
	__u64 reserved2[5];
};

/**
 * struct pfm_nway_part - header at the beginning of each part
 * @count: number of entries in the part
 * @cur_offs: bytes from the beginning of the part to the next entry
 * @overflows: 1 when the part is full
 * @size: bytes of the part that its header and entries may use
 * @min_space: bytes of the largest entry; the part is full when less is left
 * @version: version of the format
 * @flags: from the argument
 * @lost: overflows that were lost between the beginning of the previous part and
 *	the beginning of this part
 * @seq: number of the part; 0: the part was never used
 * @reserved: zero
 *
 * Has the layout of struct pfm_default_hdr.
 */
struct pfm_nway_part {
	__u64 count;
	__u64 cur_offs;
	__u64 overflows;
	__u64 size;
	__u64 min_space;
	__u32 version;
	__u32 flags;
	__u64 lost;
	__u64 seq;
	__u64 reserved[8];
};

#endif /* _UAPI_LINUX_PERFMON_NWAY_H */

/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Sampling format "nway": a buffer in 2 to 8 parts.  The reader works on the
 * parts that are full while the kernel fills the next one.
 *
 * A lane begins with struct pfm_nway_hdr.  The parts follow, each laid out like
 * the buffer of the default format (<linux/perfmon_default.h>): a header of 128
 * bytes, then entries, struct pfm_default_entry with its values.
 *
 * Parts are numbered from 1 in the order in which they are filled; number s is
 * at part_offs + (s - 1) % parts * part_size.  A reader that keeps up:
 *
 *	filled = load-acquire of hdr->filled
 *	for s = hdr->released + 1 to filled
 *		read the entries of part s
 *		PFM_IOC_RESTART with arg = s
 *
 * Part filled + 1 is the one that is being filled, if its @seq says so.  It may be
 * read at any time, up to a load-acquire of its @count, and in the end must be.
 *
 * The reader is notified each time that a part has become full.  When all are,
 * the context is masked until PFM_IOC_RESTART releases one or, with
 * PFM_NWAY_DROP and in a context that follows, goes on without its samples, which
 * are counted in @lost.  While the reader keeps up nothing is lost or masked.
 * With PFM_CTX_NO_MSG poll(2) says POLLIN until all parts that are full are
 * released.
 *
 * PFM_IOC_RESTART: arg is the number of the last part that the reader is done
 * with, those before it included; 0 is the oldest full one.  EBUSY: that part
 * was released before, or none is full.  EINVAL: that part is not full yet.
 * Either leaves a context masked that was masked because all parts were full.  One
 * that was masked because its message queue was full goes on whatever arg is, and
 * with arg 0 one whose parts have no room for a single entry.
 */
#ifndef _UAPI_LINUX_PERFMON_NWAY_H
#define _UAPI_LINUX_PERFMON_NWAY_H

#include <linux/types.h>

/* 2da143c6-95fb-415f-9daa-0f94d9b54d24 */
#define PFM_NWAY_UUID \
	{ 0x2d, 0xa1, 0x43, 0xc6, 0x95, 0xfb, 0x41, 0x5f, \
	  0x9d, 0xaa, 0x0f, 0x94, 0xd9, 0xb5, 0x4d, 0x24 }

#define PFM_NWAY_VERSION	0x10000

#define PFM_NWAY_PARTS_MIN	2
#define PFM_NWAY_PARTS_MAX	8

/* When all parts are full, lose samples rather than stop counting. */
#define PFM_NWAY_DROP		(1U << 0)

/**
 * struct pfm_nway_arg - argument at creation of the context
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
 * struct pfm_nway_hdr - at the beginning of each lane
 * @version: version of the format
 * @flags: from the argument
 * @parts: number of parts
 * @reserved: zero
 * @part_offs: bytes from the beginning of the lane to the first part
 * @part_size: bytes of a part
 * @part_room: bytes of a part that its header and entries may use
 * @filled: number of the last part that is full; it and those before it do not
 *	change until they are released
 * @released: number of the last part that the reader is done with
 * @samples: samples recorded
 * @lost: overflows that found no room; @samples + @lost are those that the
 *	format was handed
 * @lost_told: of @lost, those that the @lost of parts tells of
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
 * struct pfm_nway_part - at the beginning of each part
 * @count: entries in the part
 * @cur_offs: bytes from the beginning of the part to where the next entry goes
 * @overflows: 1 when the part is full
 * @size: bytes of the part that its header and entries may use
 * @min_space: bytes of the largest entry; the part is full when less is left
 * @version: version of the format
 * @flags: from the argument
 * @lost: overflows that were lost since the part before this one began
 * @seq: number of the part; 0 was never used
 * @reserved: zero
 *
 * The layout of struct pfm_default_hdr.
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

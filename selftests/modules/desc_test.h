/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The argument and the entries that the format of desc_test.c describes.
 */
#ifndef _SELFTESTS_DESC_TEST_H
#define _SELFTESTS_DESC_TEST_H

#include <linux/types.h>

struct desc_test_arg {
	__u64 size;
	__s32 shift;
	__u32 flags;
	__u64 start;
	__s64 below;
	__s64 above;
};

struct desc_test_hdr {
	__u64 lost;
	__u64 fills;
	__u64 rest[14];
};

struct desc_test_entry {
	__u16 kind;
	__u16 nr;
	__s32 delta;
	__u16 pmd;
	__u16 set;
	__u32 reserved;
	__u64 ip;
};

#endif /* _SELFTESTS_DESC_TEST_H */

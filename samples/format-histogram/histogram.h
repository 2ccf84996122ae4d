/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
#ifndef _HISTOGRAM_H
#define _HISTOGRAM_H

#include <linux/types.h>

/* f62eae1e-569d-405a-9585-e872c8234538 */
#define HISTOGRAM_UUID                                                      \
	{                                                                   \
		0xf6, 0x2e, 0xae, 0x1e, 0x56, 0x9d, 0x40, 0x5a, 0x95, 0x85, \
			0xe8, 0x72, 0xc8, 0x23, 0x45, 0x38                  \
	}

#define HISTOGRAM_MAX 65536

/**
 * struct histogram_arg - argument at creation of the context
 * @start: first address
 * @buckets: how many stretches of code to tell apart, 1 to HISTOGRAM_MAX
 * @shift: each is 2^shift bytes, 0 to 63
 */
struct histogram_arg {
	__u64 start;
	__u32 buckets;
	__u32 shift;
};

#endif /* _HISTOGRAM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Periods of samples on a kernel with checkers.
 */
#ifndef _SELFTESTS_CHECKERS_H
#define _SELFTESTS_CHECKERS_H

#include <stdint.h>

#include "exact_count.h"

/*
 * By how much a period, and the work that is sampled with it, has to be larger than on kernels
 * without checkers.  With them an overflow takes more than 10,000 instructions, and overflows that
 * take more than a quarter of the time are throttled.
 */
static inline uint64_t checkers_factor(void)
{
	return kernel_has_checkers() ? 10 : 1;
}

#endif /* _SELFTESTS_CHECKERS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A register that samples this thread and notifies at each overflow.
 */
#ifndef _SELFTESTS_NOTIFIER_H
#define _SELFTESTS_NOTIFIER_H

#include "context.h"
#include "exact_count.h"
#include "sampling.h"

#define TRUTH	    0 /* counts cycles and does not sample */
#define PERIOD	    2000000ULL
#define LONG_PERIOD 3000000ULL
/* Long enough for what a test does after a restart, on a slow machine. */
#define FAR_PERIOD (exact_missing() ? 300000000ULL : LONG_PERIOD)

/* Let a register sample this thread at user and kernel level.  Returns 0 or -errno. */
static inline int sampler_setup(int fd, uint16_t num, uint32_t flags,
				uint64_t long_period)
{
	const struct pfm_pmd_attr attr = {
		.num = num,
		.flags = flags,
		.long_reset = -long_period,
		.short_reset = -PERIOD,
		.eventid = 5,
	};
	int ret = 0;

	if (num == CYCLES)
		ret = pmc_write(fd, CYCLES, CYCLES_AT(ALL_LEVELS));
	if (!ret)
		ret = pmd_write(fd, num, -PERIOD);
	return ret ? ret : attr_write(fd, &attr);
}

#define NEED_VARIANT()                                        \
	do {                                                  \
		if (variant->hardware && !HAVE_CYCLES)        \
			SKIP(return, "no hardware PMU here"); \
	} while (0)

static inline int begin_here(int fd, uint16_t num, uint32_t flags,
			     uint64_t long_period)
{
	int ret;

	ret = sampler_setup(fd, num, flags, long_period);
	if (!ret)
		ret = context_load(fd, 0);
	return ret ? ret : context_start(fd, 0);
}

#endif /* _SELFTESTS_NOTIFIER_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of AMD's instruction-based sampling, and how much of what the emulator counted they may
 * lack.
 */
#ifndef _SELFTESTS_IBS_COUNT_H
#define _SELFTESTS_IBS_COUNT_H

#include <sys/resource.h>

#include "context.h"
#include "emulator.h"
#include "ibs_engine.h"

/* The emulator's count since before: ops, cycles or fetches */
static inline uint64_t counted_since(const struct emulated *before,
				     uint16_t num, uint64_t *samples)
{
	struct emulated now;

	emulated_here(&now);
	*samples = num == OP ? now.op_samples - before->op_samples
			     : now.fetch_samples - before->fetch_samples;
	return num == OP ? now.ops - before->ops
			 : now.fetches - before->fetches;
}

/* The register's count: its periods, and its part of the next one */
static inline uint64_t counted(int fd, uint16_t num, uint64_t period)
{
	struct pfm_config cfg;

	if (config_get(fd, &cfg))
		return 0;
	return cfg.overflows * period + pmd_value(fd, num) + period;
}

/*
 * A stop may lose 54 instructions between the read of a count and the write that stops it, in a
 * kernel with checkers.  Of fetches it also loses the low bits of the count, which cannot be read.
 */
#define LOST_BY_STOP (54 + 15)

/* A stop may also lose the ops beyond the wrap, which only a sample may pass. */
#define LOST_BEYOND 142

/*
 * The error that random bits of fetches can cause.  The processor does not tell them: a period counts
 * as if it began at their mean, and is wrong by 8 at most.  The sum has a standard deviation of 4.6
 * times the root of the number of periods; six of these are not exceeded.  A stop is wrong by 15 at most.
 */
static inline uint64_t unsure(uint64_t ctl, uint64_t periods,
			      unsigned int stops)
{
	uint64_t n = 0;

	if (!(ctl & RANDOM))
		return 0;
	while (n < 8 * periods && n * n < 28 * 28 * periods)
		n++;
	return n + 15ULL * stops;
}

/*
 * The most that a stop may lose.  Where the count cannot be read, that is a whole period, rounded up.
 */
static inline uint64_t lost_by_stop(uint64_t ctl, uint16_t num, uint64_t period)
{
	if (!is_readable(num))
		return period + 15;
	return LOST_BY_STOP + (ctl & COUNT_OPS ? LOST_BEYOND : 0);
}

/*
 * True if value is the emulator's count in a number of periods.  It may lack what the stops lose, and
 * differ by what random bits make unsure.
 */
static inline bool is_all(uint64_t ctl, uint64_t value, uint64_t all,
			  uint64_t periods, unsigned int stops, uint64_t lost)
{
	const uint64_t more = unsure(ctl, periods, stops);

	if (value <= all + more && all <= value + more + stops * lost)
		return true;
	printf("# counted %llu, emulator %llu in %llu periods, %u stops\n",
	       (unsigned long long)value, (unsigned long long)all,
	       (unsigned long long)periods, stops);
	return false;
}

/* Times that this thread was switched out, ever */
static inline unsigned int switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nivcsw + usage.ru_nvcsw;
}

#endif /* _SELFTESTS_IBS_COUNT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event sets: their descriptions, their registers, and which one a START begins with.
 */
#ifndef _SELFTESTS_SETS_H
#define _SELFTESTS_SETS_H

#include "context.h"

static inline int set_create(int fd, const struct pfm_set_desc *desc)
{
	return vector(fd, PFM_IOC_CREATE_EVTSET, desc, 1, NULL);
}

/* A set whose time slice a timeout ends. */
static inline int set_timed(int fd, uint16_t set, uint64_t timeout)
{
	const struct pfm_set_desc desc = {
		.set = set,
		.flags = PFM_SETFL_TIME_SWITCH,
		.timeout = timeout,
	};

	return set_create(fd, &desc);
}

static inline int set_delete(int fd, uint16_t set)
{
	const struct pfm_set_desc desc = { .set = set };

	return vector(fd, PFM_IOC_DELETE_EVTSET, &desc, 1, NULL);
}

static inline int set_info(int fd, uint16_t set, struct pfm_set_info *info)
{
	*info = (struct pfm_set_info){ .set = set };
	return vector(fd, PFM_IOC_GETINFO_EVTSET, info, 1, NULL);
}

static inline int set_pmc_write(int fd, uint16_t set, uint16_t num,
				uint64_t value)
{
	const struct pfm_reg reg = { .num = num, .set = set, .value = value };

	return vector(fd, PFM_IOC_WRITE_PMCS, &reg, 1, NULL);
}

static inline int set_pmd_write(int fd, uint16_t set, uint16_t num,
				uint64_t value)
{
	const struct pfm_reg reg = { .num = num, .set = set, .value = value };

	return vector(fd, PFM_IOC_WRITE_PMDS, &reg, 1, NULL);
}

/* The value, or all ones, which no test expects. */
static inline uint64_t set_value(int fd, uint16_t set, uint16_t num)
{
	struct pfm_reg reg = { .num = num, .set = set };

	return vector(fd, PFM_IOC_READ_PMDS, &reg, 1, NULL) ? ~0ULL : reg.value;
}

/* Event counter num of a set counts the user's cycles. */
static inline int set_cycles(int fd, uint16_t set, uint16_t num)
{
	const int ret = set_pmc_write(fd, set, num, USER | EVENT_CPU_CYCLES);

	return ret ? ret : set_pmd_write(fd, set, num, 0);
}

static inline int start_with(int fd, uint16_t set)
{
	const struct pfm_start arg = { .set = set };

	return call(fd, PFM_IOC_START, &arg);
}

#endif /* _SELFTESTS_SETS_H */

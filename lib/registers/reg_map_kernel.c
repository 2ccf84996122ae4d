// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Register map of a context: asks the kernel for the registers and for the events that
 * the processor implements.
 */
#include "registers/reg_map.h"

#include <errno.h>
#include <stdlib.h>

/* Limit of the words, of 64 event codes each, to ask for; any architecture needs fewer. */
#define WORDS_MAX 64

static unsigned int add_word(struct pfm_event_info *words, unsigned int count,
			     uint64_t first)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (words[i].first == first)
			return count;
	if (count < WORDS_MAX)
		words[count++] = (struct pfm_event_info){ .first = first };
	return count;
}

/* Ask which events are implemented.  A kernel that does not know is no error. */
static int read_events(int fd, struct pfm_reg_map *map)
{
	const struct pfm_arch_ops *ops = pfmi_reg_map_arch(map);
	struct pfm_event_info words[WORDS_MAX];
	const struct pfm_arch_event *known;
	unsigned int count = 0;
	int ret;

	if (!ops)
		return 0;
	for (known = ops->events; known->name; known++)
		count = add_word(words, count,
				 known->code -
					 known->code % PFM_EVENTS_PER_WORD);
	if (!count)
		return 0;
	ret = pfm_ctx_getinfo_events(fd, words, count, NULL);
	/* The modules are older than this ioctl: nothing is known. */
	if (ret == -ENOTTY)
		return 0;
	return ret ? ret : pfm_reg_map_set_events(map, words, count);
}

/* True for registers of the PMU that is not chosen. */
static bool is_left_out(unsigned int num, bool perf)
{
	return perf ? num < PFMI_REG_SHARED_BASE : pfmi_is_shared(num);
}

/* Set num of the elements of @info to the numbers of the bits that are set. */
static unsigned int list_bits(const __u64 *bits, bool perf,
			      struct pfm_reg_info *info)
{
	unsigned int num, count = 0;

	for (num = 0; num < PFM_REGS_MAX; num++)
		if (bits[num / 64] >> num % 64 & 1 && !is_left_out(num, perf))
			info[count++].num = num;
	return count;
}

static int read_info(int fd, const struct pfm_config *config, bool perf,
		     struct pfm_reg_info *pmcs, struct pfm_reg_info *pmds,
		     struct pfm_reg_map **map)
{
	unsigned int num_pmcs, num_pmds;
	int ret;

	num_pmcs = list_bits(config->impl_pmcs, perf, pmcs);
	num_pmds = list_bits(config->impl_pmds, perf, pmds);
	ret = pfm_ctx_getinfo_pmcs(fd, pmcs, num_pmcs, NULL);
	if (ret < 0)
		return ret;
	ret = pfm_ctx_getinfo_pmds(fd, pmds, num_pmds, NULL);
	if (ret < 0)
		return ret;
	ret = pfm_reg_map_from_info(perf ? pfmi_arch_perf.name : config->pmu,
				   pmcs, num_pmcs, pmds, num_pmds, map);
	if (ret)
		return ret;
	ret = read_events(fd, *map);
	if (ret)
		pfm_reg_map_free(*map);
	return ret;
}

static bool has_perf(const struct pfm_config *config)
{
	const unsigned int num = PFMI_REG_SHARED_BASE;

	return config->impl_pmds[num / 64] >> num % 64 & 1;
}

int pfm_reg_map_from_driver(int fd, enum pfm_driver driver,
			   struct pfm_reg_map **map)
{
	struct pfm_reg_info *info;
	struct pfm_config config;
	bool perf;
	int ret;

	ret = pfm_ctx_get_config(fd, &config);
	if (ret < 0)
		return ret;
	perf = driver == PFM_DRIVER_PERF ||
	       (driver == PFM_DRIVER_ANY && !config.pmu[0] && has_perf(&config));
	if (perf ? !has_perf(&config) :
		   driver == PFM_DRIVER_NATIVE && !config.pmu[0])
		return -ENODEV;
	info = calloc(2 * PFM_REGS_MAX, sizeof(*info));
	if (!info)
		return -ENOMEM;
	ret = read_info(fd, &config, perf, info, info + PFM_REGS_MAX, map);
	free(info);
	return ret;
}

int pfm_reg_map_from_ctx(int fd, struct pfm_reg_map **map)
{
	return pfm_reg_map_from_driver(fd, PFM_DRIVER_ANY, map);
}

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

/* Set num of the elements of @info to the numbers of the bits that are set. */
static unsigned int list_bits(const __u64 *bits, struct pfm_reg_info *info)
{
	unsigned int num, count = 0;

	for (num = 0; num < PFM_REGS_MAX; num++)
		if (bits[num / 64] >> num % 64 & 1)
			info[count++].num = num;
	return count;
}

static int read_info(int fd, const struct pfm_config *config,
		     struct pfm_reg_info *pmcs, struct pfm_reg_info *pmds,
		     struct pfm_reg_map **map)
{
	unsigned int num_pmcs, num_pmds;
	int ret;

	num_pmcs = list_bits(config->impl_pmcs, pmcs);
	num_pmds = list_bits(config->impl_pmds, pmds);
	ret = pfm_ctx_getinfo_pmcs(fd, pmcs, num_pmcs, NULL);
	if (ret < 0)
		return ret;
	ret = pfm_ctx_getinfo_pmds(fd, pmds, num_pmds, NULL);
	if (ret < 0)
		return ret;
	ret = pfm_reg_map_from_info(config->pmu, pmcs, num_pmcs, pmds, num_pmds,
				    map);
	if (ret)
		return ret;
	ret = read_events(fd, *map);
	if (ret)
		pfm_reg_map_free(*map);
	return ret;
}

int pfm_reg_map_from_ctx(int fd, struct pfm_reg_map **map)
{
	struct pfm_reg_info *info;
	struct pfm_config config;
	int ret;

	ret = pfm_ctx_get_config(fd, &config);
	if (ret < 0)
		return ret;
	info = calloc(2 * PFM_REGS_MAX, sizeof(*info));
	if (!info)
		return -ENOMEM;
	ret = read_info(fd, &config, info, info + PFM_REGS_MAX, map);
	free(info);
	return ret;
}

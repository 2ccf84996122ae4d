// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Register map: the registers that exist, and the event codes that are implemented.
 */
#include "registers/reg_map.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct regs - registers of one kind
 * @info: the registers, ascending by number
 * @count: number of elements of @info
 */
struct regs {
	struct pfm_reg_info *info;
	unsigned int count;
};

struct pfm_reg_map {
	char pmu[PFM_NAME_LEN];
	struct regs pmcs;
	struct regs pmds;
	struct pfm_event_info *events;
	unsigned int num_events;
};

static int compare(const void *a, const void *b)
{
	const struct pfm_reg_info *left = a, *right = b;

	return (int)left->num - (int)right->num;
}

static const struct pfm_reg_info *find(const struct regs *regs,
				       unsigned int num)
{
	struct pfm_reg_info key;

	if (num >= PFM_REGS_MAX || !regs->count)
		return NULL;
	key.num = num;
	return bsearch(&key, regs->info, regs->count, sizeof(key), compare);
}

/* Copy, sort and check the registers, so that later code can rely on them. */
static int regs_init(struct regs *regs, const struct pfm_reg_info *info,
		     unsigned int count)
{
	unsigned int i;

	if (!count)
		return 0;
	if (count > PFM_REGS_MAX)
		return -EINVAL;
	regs->info = malloc(count * sizeof(*info));
	if (!regs->info)
		return -ENOMEM;
	memcpy(regs->info, info, count * sizeof(*info));
	regs->count = count;
	qsort(regs->info, count, sizeof(*info), compare);
	for (i = 0; i < count; i++) {
		if (regs->info[i].num >= PFM_REGS_MAX ||
		    !memchr(regs->info[i].name, 0, PFM_NAME_LEN))
			return -EINVAL;
		if (i && regs->info[i].num == regs->info[i - 1].num)
			return -EINVAL;
	}
	return 0;
}

static int check_controls(const struct pfm_reg_map *map)
{
	unsigned int i;

	for (i = 0; i < map->pmds.count; i++) {
		unsigned int ctl = map->pmds.info[i].ctl;

		if (ctl != PFM_REG_NONE && !find(&map->pmcs, ctl))
			return -EINVAL;
	}
	return 0;
}

int pfm_reg_map_from_info(const char *pmu, const struct pfm_reg_info *pmcs,
			  unsigned int num_pmcs,
			  const struct pfm_reg_info *pmds,
			  unsigned int num_pmds, struct pfm_reg_map **result)
{
	struct pfm_reg_map *map;
	size_t length = strnlen(pmu, PFM_NAME_LEN);
	int ret;

	if (length == PFM_NAME_LEN)
		return -EINVAL;
	map = calloc(1, sizeof(*map));
	if (!map)
		return -ENOMEM;
	memcpy(map->pmu, pmu, length);
	ret = regs_init(&map->pmcs, pmcs, num_pmcs);
	if (!ret)
		ret = regs_init(&map->pmds, pmds, num_pmds);
	if (!ret)
		ret = check_controls(map);
	if (ret) {
		pfm_reg_map_free(map);
		return ret;
	}
	*result = map;
	return 0;
}

int pfm_reg_map_set_events(struct pfm_reg_map *map,
			   const struct pfm_event_info *info,
			   unsigned int count)
{
	struct pfm_event_info *copy = NULL;
	unsigned int i;

	if (count > PFM_REGS_MAX)
		return -EINVAL;
	for (i = 0; i < count; i++)
		if (info[i].first % PFM_EVENTS_PER_WORD ||
		    info[i].implemented & ~info[i].known)
			return -EINVAL;
	if (count) {
		copy = malloc(count * sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		memcpy(copy, info, count * sizeof(*copy));
	}
	free(map->events);
	map->events = copy;
	map->num_events = count;
	return 0;
}

static bool has_bit(const __u64 *bits, unsigned int num)
{
	return bits[num / 64] >> num % 64 & 1;
}

/* The order of those that stay is kept. */
static void leave_out(struct regs *regs, const __u64 *bits)
{
	unsigned int i, n = 0;

	for (i = 0; i < regs->count; i++)
		if (!has_bit(bits, regs->info[i].num))
			regs->info[n++] = regs->info[i];
	regs->count = n;
}

unsigned int pfm_reg_map_leave_out(struct pfm_reg_map *map,
				   const struct pfm_held *held)
{
	const unsigned int before = pfm_reg_map_counters(map, NULL);
	__u64 pmds[PFM_BV_WORDS];
	unsigned int i;

	memcpy(pmds, held->pmds, sizeof(pmds));
	for (i = 0; i < map->pmds.count; i++) {
		const struct pfm_reg_info *pmd = &map->pmds.info[i];

		if (pmd->ctl != PFM_REG_NONE && has_bit(held->pmcs, pmd->ctl))
			pmds[pmd->num / 64] |= 1ULL << pmd->num % 64;
	}
	leave_out(&map->pmcs, held->pmcs);
	leave_out(&map->pmds, pmds);
	return before - pfm_reg_map_counters(map, NULL);
}

const struct pfm_event_info *pfmi_reg_map_events(const struct pfm_reg_map *map,
						 unsigned int *count)
{
	*count = map->num_events;
	return map->events;
}

void pfm_reg_map_free(struct pfm_reg_map *map)
{
	if (!map)
		return;
	free(map->events);
	free(map->pmcs.info);
	free(map->pmds.info);
	free(map);
}

const struct pfm_arch_ops *pfmi_reg_map_arch(const struct pfm_reg_map *map)
{
	return pfmi_arch_find(map ? map->pmu : NULL);
}

const char *pfm_reg_map_pmu(const struct pfm_reg_map *map)
{
	return map->pmu;
}

const struct pfm_reg_info *pfm_reg_map_pmc(const struct pfm_reg_map *map,
					   unsigned int num)
{
	return find(&map->pmcs, num);
}

const struct pfm_reg_info *pfm_reg_map_pmd(const struct pfm_reg_map *map,
					   unsigned int num)
{
	return find(&map->pmds, num);
}

static const struct pfm_reg_info *next(const struct regs *regs,
				       const struct pfm_reg_info *prev)
{
	const struct pfm_reg_info *info = prev ? prev + 1 : regs->info;

	return regs->count && info < regs->info + regs->count ? info : NULL;
}

const struct pfm_reg_info *pfm_reg_map_next_pmc(const struct pfm_reg_map *map,
						const struct pfm_reg_info *prev)
{
	return next(&map->pmcs, prev);
}

const struct pfm_reg_info *pfm_reg_map_next_pmd(const struct pfm_reg_map *map,
						const struct pfm_reg_info *prev)
{
	return next(&map->pmds, prev);
}

const struct pfm_reg_info *pfm_reg_map_find_pmd(const struct pfm_reg_map *map,
						const char *name)
{
	const struct pfm_reg_info *info = NULL;

	while ((info = pfm_reg_map_next_pmd(map, info)))
		if (pfmi_text_equal(info->name, name))
			return info;
	return NULL;
}

unsigned int pfm_reg_map_counters(const struct pfm_reg_map *map,
				  unsigned int *cycles)
{
	const struct pfm_reg_info *info = NULL;
	unsigned int count = 0;

	if (cycles)
		*cycles = 0;
	while ((info = pfm_reg_map_next_pmd(map, info))) {
		if (!pfmi_is_counter(info))
			continue;
		count++;
		if (cycles && (info->flags & PFM_REGI_CYCLES))
			++*cycles;
	}
	return count;
}

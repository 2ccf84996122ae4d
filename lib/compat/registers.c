// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Writing and reading registers under their old numbers.
 */
#include "compat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "sample_copy.h"

/* MaxCnt, in units of 16, of the control registers of IBS. */
#define IBS_MAX_CNT 0xffffULL
#define IBS_UNIT    16

/* The old interface set reserved bits itself; today's refuses wrong ones. */
static int fix_pmc(int fd, struct pfm_reg *reg)
{
	struct pfm_reg_info info = { .num = reg->num };
	uint64_t value;
	int ret;

	ret = pfm_ctx_getinfo_pmcs(fd, &info, 1, NULL);
	if (ret < 0)
		return ret;
	value = (reg->value & ~info.rsvd) | (info.dfl & info.rsvd);
	/* The kernel refused it for another reason: do not try for ever. */
	if (value == reg->value)
		return -ERANGE;
	reg->value = value;
	return 0;
}

static int write_pmcs(int fd, struct pfm_reg *regs, unsigned int count,
		      unsigned int *failed)
{
	int ret;

	for (;;) {
		ret = pfm_ctx_write_pmcs(fd, regs, count, failed);
		if (ret != -ERANGE || *failed >= count)
			return ret;
		ret = fix_pmc(fd, &regs[*failed]);
		if (ret < 0)
			return ret;
	}
}

/* PMC16 holds the control bits of all fixed counters; returns how many registers it is. */
static unsigned int split_fixed(struct pfmi_known *known,
				const struct pfm_reg *reg, struct pfm_reg *to)
{
	unsigned int i, count = 0;

	for (i = 0; i < known->numbers.fixed; i++) {
		const uint64_t bits = reg->value >> 4 * i & PFMI_FIXED_BITS;

		/* A fixed counter that was never enabled stays for others. */
		if (!bits && !(known->fixed >> i & 1))
			continue;
		known->fixed |= 1U << i;
		to[count] = *reg;
		to[count].num = PFMI_NEW_FIXED + i;
		to[count++].value = bits;
	}
	return count;
}

static void take_ibs(struct pfmi_known *known, struct pfm_reg *reg)
{
	if (reg->num != PFM_IBS_PMC_FETCH_CTL && reg->num != PFM_IBS_PMC_OP_CTL)
		return;
	if (!(reg->value & IBS_MAX_CNT))
		return;
	known->ibs_period[reg->num - PFM_IBS_PMC_FETCH_CTL] =
		(reg->value & IBS_MAX_CNT) * IBS_UNIT;
	reg->value &= ~IBS_MAX_CNT;
}

int pfmi_v2_write_pmcs(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed)
{
	const struct pfmi_numbers *numbers;
	struct pfm_reg *all;
	unsigned int *from, i, n, total = 0;
	struct pfmi_known *known;
	int ret;

	*failed = UINT32_MAX;
	known = pfmi_known_get(fd, &ret);
	numbers = known ? pfmi_known_numbers(fd, known, &ret) : NULL;
	if (!numbers)
		return ret;
	all = calloc(count * PFMI_FIXED_MAX + 1, sizeof(*all));
	from = calloc(count * PFMI_FIXED_MAX + 1, sizeof(*from));
	ret = all && from ? 0 : -ENOMEM;
	for (i = 0; !ret && i < count; i++) {
		if (pfmi_numbers_is_fixed_ctrl(numbers, regs[i].num)) {
			n = split_fixed(known, &regs[i], &all[total]);
		} else {
			all[total] = regs[i];
			all[total].num =
				pfmi_numbers_new_pmc(numbers, regs[i].num);
			take_ibs(known, &all[total]);
			n = 1;
		}
		for (; n; n--)
			from[total++] = i;
	}
	if (!ret && total > PFM_REGS_MAX)
		ret = -E2BIG;
	if (!ret)
		ret = write_pmcs(fd, all, total, failed);
	if (ret < 0 && all && from && *failed < total)
		*failed = from[*failed];
	else
		*failed = UINT32_MAX;
	free(all);
	free(from);
	return ret;
}

/* Today's number of a PMD, and note that the program used the old one. */
static uint16_t take_pmd(struct pfmi_known *known, uint16_t num)
{
	const uint16_t new = pfmi_numbers_new_pmd(&known->numbers, num);

	if (new != num)
		known->old_pmds |= 1ULL << num;
	return new;
}

static void ibs_value(const struct pfmi_known *known, uint16_t num,
		      __u64 *value)
{
	if ((num == PFM_IBS_PMD_FETCH || num == PFM_IBS_PMD_OP) &&
	    known->ibs_period[num - PFM_IBS_PMD_FETCH])
		*value = -known->ibs_period[num - PFM_IBS_PMD_FETCH];
}

int pfmi_v2_write_pmds(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed)
{
	unsigned int i, left_out = 0;
	struct pfmi_known *known;
	int ret;

	*failed = UINT32_MAX;
	known = pfmi_known_get(fd, &ret);
	if (!known || !pfmi_known_numbers(fd, known, &ret))
		return ret;
	for (i = 0; i < count; i++) {
		regs[i].num = take_pmd(known, regs[i].num);
		ibs_value(known, regs[i].num, &regs[i].value);
	}
	for (;;) {
		ret = pfm_ctx_write_pmds(fd, regs, count, failed);
		if (ret != -EACCES || *failed >= count)
			break;
		/* A read-only register: leave it out and write the others. */
		count--;
		left_out++;
		memmove(&regs[*failed], &regs[*failed + 1],
			(count - *failed) * sizeof(*regs));
	}
	/* Elements were left out, so the index is not that of the caller's vector. */
	if (ret < 0 && left_out)
		*failed = UINT32_MAX;
	return ret;
}

int pfmi_v2_read_pmds(int fd, struct pfm_reg *regs, unsigned int count,
		      unsigned int *failed)
{
	struct pfmi_known *known;
	unsigned int i;
	int ret;

	*failed = UINT32_MAX;
	known = pfmi_known_get(fd, &ret);
	if (!known || !pfmi_known_numbers(fd, known, &ret))
		return ret;
	for (i = 0; i < count; i++)
		regs[i].num =
			pfmi_numbers_new_pmd(&known->numbers, regs[i].num);
	return pfm_ctx_read_pmds(fd, regs, count, failed);
}

static void add_sampler(int fd, struct pfmi_known *known,
			const struct pfm_pmd_attr *attr)
{
	struct pfmi_sampler *sampler = known->samplers;
	unsigned int i;

	while (sampler < known->samplers + known->num_samplers &&
	       (sampler->num != attr->num || sampler->set != attr->set))
		sampler++;
	if (sampler == known->samplers + PFMI_SAMPLERS_MAX)
		return;
	if (sampler == known->samplers + known->num_samplers)
		known->num_samplers++;
	sampler->num = attr->num;
	sampler->set = attr->set;
	for (i = 0, sampler->vals = 0; i < PFM_BV_WORDS; i++)
		sampler->vals += __builtin_popcountll(attr->smpl_pmds[i]);
	if (pfmi_numbers_old_pmd(&known->numbers, attr->num) != attr->num &&
	    known->old_pmds)
		pfmi_sample_copy_begin(fd, known);
}

static bool same(const struct pfm_pmd_attr *now,
		 const struct pfm_pmd_attr *attr)
{
	return now->flags == attr->flags &&
	       now->long_reset == attr->long_reset &&
	       now->short_reset == attr->short_reset &&
	       now->random_mask == attr->random_mask &&
	       now->eventid == attr->eventid &&
	       now->ovfl_switch_cnt == attr->ovfl_switch_cnt &&
	       !memcmp(now->smpl_pmds, attr->smpl_pmds,
		       sizeof(now->smpl_pmds)) &&
	       !memcmp(now->reset_pmds, attr->reset_pmds,
		       sizeof(now->reset_pmds));
}

int pfmi_v2_get_attr(int fd, uint16_t num, uint16_t set,
		     struct pfm_pmd_attr *attr)
{
	struct pfmi_known *known;
	int ret;

	memset(attr, 0, sizeof(*attr));
	known = pfmi_known_get(fd, &ret);
	if (!known || !pfmi_known_numbers(fd, known, &ret))
		return ret;
	attr->num = pfmi_numbers_new_pmd(&known->numbers, num);
	attr->set = set;
	if (!known->samples)
		return 0;
	ret = pfm_ctx_read_pmdattrs(fd, attr, 1, NULL);
	return ret == -ENODATA || ret == -ENOENT ? 0 : ret;
}

int pfmi_v2_write_attrs(int fd, struct pfm_pmd_attr *attrs, unsigned int count)
{
	struct pfm_pmd_attr now, *changed;
	struct pfmi_known *known;
	unsigned int i, total = 0;
	int ret;

	known = pfmi_known_get(fd, &ret);
	if (!known || !pfmi_known_numbers(fd, known, &ret))
		return ret;
	changed = calloc(count + 1, sizeof(*changed));
	if (!changed)
		return -ENOMEM;
	for (i = 0; !ret && i < count; i++) {
		attrs[i].num = take_pmd(known, attrs[i].num);
		ibs_value(known, attrs[i].num, &attrs[i].long_reset);
		ibs_value(known, attrs[i].num, &attrs[i].short_reset);
		ret = pfmi_v2_get_attr(fd, attrs[i].num, attrs[i].set, &now);
		if (!ret && !same(&now, &attrs[i]))
			changed[total++] = attrs[i];
	}
	if (!ret && total) {
		known->samples = true;
		ret = pfm_ctx_write_pmdattrs(fd, changed, total, NULL);
		for (i = 0; !ret && i < total; i++)
			add_sampler(fd, known, &changed[i]);
	}
	free(changed);
	return ret;
}

/* Bitmaps of @words words of a program. */
int pfmi_v2_put_bitmaps(int fd, const uint64_t *smpl, const uint64_t *reset,
			unsigned int words, struct pfm_pmd_attr *attr)
{
	const struct pfmi_numbers *numbers;
	struct pfmi_known *known;
	int ret;

	known = pfmi_known_get(fd, &ret);
	numbers = known ? pfmi_known_numbers(fd, known, &ret) : NULL;
	if (!numbers)
		return ret;
	pfmi_numbers_new_bitmap(numbers, smpl, words, attr->smpl_pmds);
	pfmi_numbers_new_bitmap(numbers, reset, words, attr->reset_pmds);
	return 0;
}

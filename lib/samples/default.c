// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reading lanes of the default format.
 */
#include <errno.h>
#include <string.h>

#include <perfmon/perfmon.h>

/* Number of values in an entry of the register; -1 when it does not sample. */
static int count_values(const struct pfm_pmd_attr *attrs, unsigned int count,
			uint16_t set, uint16_t pmd)
{
	unsigned int i, w;
	int n = 0;

	for (i = 0; i < count; i++) {
		if (attrs[i].num != pmd || attrs[i].set != set)
			continue;
		for (w = 0; w < PFM_BV_WORDS; w++)
			n += __builtin_popcountll(attrs[i].smpl_pmds[w]);
		return n;
	}
	return -1;
}

int pfm_sample_entry_next(const void *area, size_t size, size_t *offset,
			  const struct pfm_pmd_attr *attrs, unsigned int count,
			  struct pfm_sample *sample)
{
	const struct pfm_default_entry *entry;
	size_t rest, branches;
	int nvals;

	if (*offset > size || ((uintptr_t)area + *offset) % 8)
		return -EBADMSG;
	rest = size - *offset;
	if (rest < sizeof(*entry))
		return -EBADMSG;
	entry = (const void *)((const char *)area + *offset);
	nvals = count_values(attrs, count, entry->set, entry->ovfl_pmd);
	if (nvals < 0 || (rest - sizeof(*entry)) / sizeof(uint64_t) <
			 (size_t)nvals)
		return -EBADMSG;
	rest -= sizeof(*entry) + nvals * sizeof(uint64_t);
	branches = entry->nr_branches * sizeof(struct pfm_branch);
	if (branches > rest)
		return -EBADMSG;
	sample->entry = entry;
	sample->vals = (const uint64_t *)(entry + 1);
	sample->nvals = nvals;
	*offset += sizeof(*entry) + nvals * sizeof(uint64_t) + branches;
	return 1;
}

const struct pfm_branch *pfm_sample_branches(const struct pfm_sample *sample)
{
	return (const struct pfm_branch *)(sample->vals + sample->nvals);
}

/* Check version and sizes of the header, before they are used. */
static int check_header(const struct pfm_sample_consumer *consumer)
{
	const struct pfm_default_hdr *hdr = consumer->lane;

	if (consumer->size < sizeof(*hdr) || (uintptr_t)hdr % 8)
		return -EBADMSG;
	if (hdr->hdr_version >> 16 != PFM_DEFAULT_VERSION >> 16)
		return -EPROTO;
	if (hdr->hdr_buf_size > consumer->size ||
	    hdr->hdr_buf_size < sizeof(*hdr))
		return -EBADMSG;
	return 0;
}

int pfm_sample_default_begin(struct pfm_sample_consumer *consumer,
			     const void *lane, size_t size)
{
	memset(consumer, 0, sizeof(*consumer));
	consumer->lane = lane;
	consumer->size = size;
	consumer->offset = sizeof(struct pfm_default_hdr);
	return check_header(consumer);
}

int pfm_sample_default_next(struct pfm_sample_consumer *consumer,
			    const struct pfm_pmd_attr *attrs,
			    unsigned int count, struct pfm_sample *sample)
{
	const struct pfm_default_hdr *hdr = consumer->lane;
	uint64_t entries, end;
	size_t offset;
	int ret;

	ret = check_header(consumer);
	if (ret)
		return ret;
	/* The kernel raises the count after it has written an entry. */
	entries = __atomic_load_n(&hdr->hdr_count, __ATOMIC_ACQUIRE);
	end = hdr->hdr_cur_offs;
	if (end > hdr->hdr_buf_size)
		return -EBADMSG;
	if (consumer->done >= entries)
		return consumer->done == entries ? 0 : -EBADMSG;
	offset = consumer->offset;
	ret = pfm_sample_entry_next(hdr, end, &offset, attrs, count, sample);
	if (ret < 0)
		return ret;
	consumer->offset = offset;
	consumer->done++;
	return 1;
}

int pfm_sample_default_full(const struct pfm_sample_consumer *consumer)
{
	const struct pfm_default_hdr *hdr = consumer->lane;
	uint64_t entries, end;
	int ret;

	ret = check_header(consumer);
	if (ret)
		return ret;
	entries = __atomic_load_n(&hdr->hdr_count, __ATOMIC_ACQUIRE);
	end = hdr->hdr_cur_offs;
	if (end > hdr->hdr_buf_size)
		return -EBADMSG;
	return entries && hdr->hdr_buf_size - end < hdr->hdr_min_buf_space;
}

void pfm_sample_default_restarted(struct pfm_sample_consumer *consumer)
{
	consumer->offset = sizeof(struct pfm_default_hdr);
	consumer->done = 0;
}

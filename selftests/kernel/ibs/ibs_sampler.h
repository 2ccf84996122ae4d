/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A context in which an engine of AMD's instruction-based sampling samples, and its samples.
 */
#ifndef _SELFTESTS_IBS_SAMPLER_H
#define _SELFTESTS_IBS_SAMPLER_H

#include "context.h"
#include "ibs_engine.h"
#include "sampling.h"

/* Samples that a buffer of the default format has room for */
#define ENTRIES 4096

/* Positions of a sample's values */
enum { CTL, RIP, DATA, DATA2, DATA3, LINAD, PHYSAD, TARGET, DATA4, PERIOD };
enum { FETCH_CTL, FETCH_LINAD, FETCH_PHYSAD, FETCH_EXTD, FETCH_PERIOD };

/**
 * struct ibs_sampler - a context, and the mapped buffer of the default format
 * @fd: the context, or -1
 * @num: register that counts: OP or FETCH
 * @nvals: values that each sample carries
 * @hdr: the buffer, or NULL
 */
struct ibs_sampler {
	int fd;
	uint16_t num;
	unsigned int nvals;
	const struct pfm_default_hdr *hdr;
};

static inline void ibs_sampler_init(struct ibs_sampler *ibs, uint16_t num)
{
	*ibs = (struct ibs_sampler){
		.fd = -1,
		.num = num,
		.nvals = num == OP ? PFM_IBS_OP_VALS : PFM_IBS_FETCH_VALS,
	};
}

/* The mapping holds the context as well. */
static inline void ibs_sampler_close(struct ibs_sampler *ibs)
{
	struct pfm_config cfg;

	if (ibs->hdr && !config_get(ibs->fd, &cfg))
		munmap((void *)ibs->hdr, cfg.buffer_size);
	if (ibs->fd >= 0)
		close(ibs->fd);
	ibs->hdr = NULL;
	ibs->fd = -1;
}

/* Have the context sample: all registers of the engine.  Returns 0 or -errno. */
static inline int ibs_sampler_write(const struct ibs_sampler *ibs, uint64_t ctl,
				    uint64_t period, uint32_t flags)
{
	struct pfm_pmd_attr attr = {
		.num = ibs->num,
		.flags = flags,
		.long_reset = -period,
		.short_reset = -period,
	};
	int ret;

	attr.smpl_pmds[PFM_IBS_SMPL_WORD] = ibs->num == OP ? PFM_IBS_OP_SMPL
							   : PFM_IBS_FETCH_SMPL;
	ret = pmc_write(ibs->fd, ibs->num, ctl);
	if (!ret)
		ret = pmd_write(ibs->fd, ibs->num, -period);
	return ret ? ret : attr_write(ibs->fd, &attr);
}

/* Create a context with the default format, and let it sample.  Returns 0 or -errno. */
static inline int ibs_sampler_open(struct ibs_sampler *ibs, uint64_t ctl,
				   uint64_t period)
{
	ibs->fd = default_open(0, buffer_bytes(ENTRIES, ibs->nvals));
	if (ibs->fd < 0)
		return ibs->fd;
	ibs->hdr = buffer_map(ibs->fd);
	if (!ibs->hdr)
		return -ENOMEM;
	return ibs_sampler_write(ibs, ctl, period, 0);
}

/*
 * Create a context with the format "ibs", whose buffer has two parts of so many entries, and let
 * it sample.  The buffer is not mapped.  Returns 0 or -errno.
 */
static inline int ibs_sampler_open_parts(struct ibs_sampler *ibs, uint64_t ctl,
					 uint64_t period, uint32_t flags,
					 unsigned int entries)
{
	const struct pfm_ibs_arg arg = {
		.part_size = sizeof(struct pfm_nway_part) +
			     entries * (ibs->num == OP
						? sizeof(struct pfm_ibs_op)
						: sizeof(struct pfm_ibs_fetch)),
		.parts = 2,
		.flags = flags,
	};
	const uint8_t uuid[PFM_UUID_LEN] = PFM_IBS_UUID;

	ibs->fd = format_open(PFM_CTX_NO_MSG, uuid, &arg, sizeof(arg));
	if (ibs->fd < 0)
		return ibs->fd;
	return ibs_sampler_write(ibs, ctl, period, PFM_PMDF_NOTIFY);
}

static inline const struct pfm_default_entry *
ibs_sampler_entry(const struct ibs_sampler *ibs, uint64_t i)
{
	return entry_at(ibs->hdr, i, ibs->nvals);
}

/* The values of a sample, as many as an op has; a fetch has fewer. */
static inline void ibs_sampler_values(const struct ibs_sampler *ibs, uint64_t i,
				      uint64_t vals[PFM_IBS_OP_VALS])
{
	memcpy(vals, ibs_sampler_entry(ibs, i) + 1, ibs->nvals * sizeof(*vals));
}

#endif /* _SELFTESTS_IBS_SAMPLER_H */

// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "ibs_context.h"

#include <errno.h>
#include <unistd.h>

#include <linux/perfmon_ibs.h>

#include "ibs_error.h"

/**
 * struct kind - what the two kinds of samples differ in
 * @name: what is counted
 * @pmc: control register
 * @pmd: register that counts
 * @smpl_pmds: registers that a sample carries
 * @dfl: bits of the control register that the toolkit's driver sets, where the processor
 *	has them: count ops, not cycles; add random bits to the periods of fetches
 */
struct kind {
	const char *name;
	uint16_t pmc;
	uint16_t pmd;
	uint64_t smpl_pmds;
	uint64_t dfl;
};

static const struct kind op = {
	.name = "ops",
	.pmc = PFM_IBS_PMC_OP_CTL,
	.pmd = PFM_IBS_PMD_OP,
	.smpl_pmds = PFM_IBS_OP_SMPL,
	.dfl = 1ULL << 19,
};

static const struct kind fetch = {
	.name = "fetches",
	.pmc = PFM_IBS_PMC_FETCH_CTL,
	.pmd = PFM_IBS_PMD_FETCH,
	.smpl_pmds = PFM_IBS_FETCH_SMPL,
	.dfl = 1ULL << 57,
};

/*
 * A part is full when it has no room for an op, also if there are only fetches, which are
 * shorter.  With both kinds it holds that many fetches, and two thirds as many ops.
 */
static uint64_t part_size(const struct pfmi_ibs_options *options,
			  uint64_t entries)
{
	const uint64_t size = options->fetch ? sizeof(struct pfm_ibs_fetch)
					     : sizeof(struct pfm_ibs_op);

	return sizeof(struct pfm_nway_part) + (entries - 1) * size +
	       sizeof(struct pfm_ibs_op);
}

static int refuse_create(int err)
{
	const int fd = err == -ENOENT ? pfm_ctx_create(NULL) : -1;

	if (fd < 0)
		return pfmi_ibs_refuse(-err, "cannot create a context: %s",
				       pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT,
							err));
	close(fd);
	return pfmi_ibs_refuse(
		ENOENT,
		"the kernel has no sampling format 'ibs'; load the module: modprobe perfmon_format_ibs");
}

static int create(const struct pfmi_ibs_options *options, unsigned int entries)
{
	static const uint8_t uuid[PFM_UUID_LEN] = PFM_IBS_UUID;
	const struct pfm_ibs_arg arg = {
		.part_size = part_size(options, entries),
		/* While one is read, the kernel fills the others. */
		.parts = options->op && options->fetch ? 6 : 4,
		.flags = PFM_IBS_DROP,
	};
	PFM_OPTS(pfm_create_opts, opts, .fmt_uuid = uuid, .fmt_arg = &arg,
		 .fmt_arg_size = sizeof(arg),
		 .flags = PFM_CTX_SYSTEM_WIDE | PFM_CTX_NO_MSG);
	const int fd = pfm_ctx_create(&opts);

	return fd < 0 ? refuse_create(fd) : fd;
}

static int refuse_register(const struct kind *kind, unsigned long request,
			   int err)
{
	return pfmi_ibs_refuse(-err, "cannot sample %s: %s", kind->name,
			       pfm_ctx_strerror(request, err));
}

/* Make a context take samples of a kind, all of them. */
static int add_kind(int fd, const struct kind *kind, unsigned int max_cnt)
{
	const uint64_t period = (uint64_t)max_cnt << PFMI_IBS_PERIOD_SHIFT;
	const struct pfm_reg pmd = { .num = kind->pmd, .value = -period };
	struct pfm_reg_info info = { .num = kind->pmc };
	struct pfm_reg pmc = { .num = kind->pmc };
	struct pfm_pmd_attr attr = {
		.num = kind->pmd,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -period,
		.short_reset = -period,
	};
	int ret;

	ret = pfm_ctx_getinfo_pmcs(fd, &info, 1, NULL);
	if (ret == -ENXIO)
		return pfmi_ibs_refuse(
			ENODEV,
			"cannot sample %s: that needs an AMD processor with IBS and the module perfmon_ibs",
			kind->name);
	if (ret < 0)
		return refuse_register(kind, PFM_IOC_GETINFO_PMCS, ret);
	pmc.value = (info.dfl & info.rsvd) | (kind->dfl & ~info.rsvd);
	ret = pfm_ctx_write_pmcs(fd, &pmc, 1, NULL);
	if (ret < 0)
		return refuse_register(kind, PFM_IOC_WRITE_PMCS, ret);
	ret = pfm_ctx_write_pmds(fd, &pmd, 1, NULL);
	if (ret < 0)
		return refuse_register(kind, PFM_IOC_WRITE_PMDS, ret);
	attr.smpl_pmds[PFM_IBS_SMPL_WORD] = kind->smpl_pmds;
	ret = pfm_ctx_write_pmdattrs(fd, &attr, 1, NULL);
	if (ret < 0)
		return refuse_register(kind, PFM_IOC_WRITE_PMDATTRS, ret);
	return 0;
}

int pfmi_ibs_context(const struct pfmi_ibs_options *options,
		     unsigned int entries)
{
	int fd, ret = 0;

	fd = create(options, entries);
	if (fd < 0)
		return fd;
	if (options->op)
		ret = add_kind(fd, &op, options->max_cnt);
	if (!ret && options->fetch)
		ret = add_kind(fd, &fetch, options->max_cnt);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int pfmi_ibs_context_start(int fd, int cpu)
{
	int ret;

	ret = pfm_ctx_load(fd, cpu, NULL);
	if (ret < 0)
		return pfmi_ibs_refuse(-ret, "CPU %d: %s", cpu,
				       pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT,
							ret));
	ret = pfm_ctx_start(fd, NULL);
	if (ret < 0)
		return pfmi_ibs_refuse(-ret, "CPU %d: %s", cpu,
				       pfm_ctx_strerror(PFM_IOC_START, ret));
	return 0;
}

// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The functions of perfmon v2.3 to v2.82, and perfmonctl() with the structures
 * of v2.2.
 */
#include "compat.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int pfmi_v2_create(uint64_t flags)
{
	int fd;

	if (flags & ~(uint64_t)(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE |
				PFM_FL_OVFL_NO_MSG))
		return -EINVAL;
	/* Without sampling there are no overflow messages, so NO_MSG is no change. */
	if (flags & ~(uint64_t)PFM_FL_OVFL_NO_MSG)
		return -ENOSYS;
	fd = pfm_ctx_create(NULL);
	if (fd == -ENOENT || fd == -ENXIO || fd == -ENODEV)
		return -ENOSYS;
	return fd;
}

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

int pfmi_v2_write_pmcs(int fd, struct pfm_reg *regs, unsigned int count,
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

int pfmi_v2_write_pmds(int fd, struct pfm_reg *regs, unsigned int count,
		       unsigned int *failed)
{
	unsigned int left_out = 0;
	int ret;

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

int pfm_create_context(pfarg_ctx_t *ctx, char *fmt_name, void *fmt_arg,
		       size_t fmt_arg_size)
{
	(void)fmt_arg;
	if (!ctx)
		return pfmi_v2_result(-EINVAL);
	if (fmt_name)
		return pfmi_v2_result(-ENOSYS);
	if (fmt_arg_size)
		return pfmi_v2_result(-EINVAL);
	return pfmi_v2_result(pfmi_v2_create(ctx->ctx_flags));
}

int pfm_write_pmcs(int fd, pfarg_pmc_t *pmcs, int count)
{
	struct pfm_reg *regs;
	unsigned int failed;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	for (i = 0; !ret && i < count; i++) {
		/* Every counter is extended to 64 bits, hence no NO_EMUL64. */
		if (pmcs[i].reg_flags)
			ret = -EINVAL;
		regs[i].num = pmcs[i].reg_num;
		regs[i].set = pmcs[i].reg_set;
		regs[i].value = pmcs[i].reg_value;
	}
	if (!ret)
		ret = pfmi_v2_write_pmcs(fd, regs, count, &failed);
	free(regs);
	return pfmi_v2_result(ret);
}

static bool any(const uint64_t *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (words[i])
			return true;
	return false;
}

/* 0 when the register only counts, or only ends time slices of its set. */
static int check_pmd(const pfarg_pmd_t *pmd)
{
	if (pmd->reg_flags & ~(uint32_t)(PFM_REGFL_OVFL_NOTIFY |
					 PFM_REGFL_RANDOM))
		return -EINVAL;
	/* A register that ends time slices may have reset values. */
	if (!pmd->reg_ovfl_switch_cnt &&
	    (pmd->reg_long_reset || pmd->reg_short_reset))
		return -ENOSYS;
	if (pmd->reg_flags ||
	    any(pmd->reg_reset_pmds, PFM_PMD_BV) ||
	    any(pmd->reg_smpl_pmds, PFM_PMD_BV))
		return -ENOSYS;
	return 0;
}

int pfm_write_pmds(int fd, pfarg_pmd_t *pmds, int count)
{
	struct pfm_reg *regs;
	unsigned int failed;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	for (i = 0; !ret && i < count; i++) {
		ret = check_pmd(&pmds[i]);
		regs[i].num = pmds[i].reg_num;
		regs[i].set = pmds[i].reg_set;
		regs[i].value = pmds[i].reg_value;
	}
	if (!ret)
		ret = pfmi_v2_write_triggers(fd, pmds, count);
	if (!ret)
		ret = pfmi_v2_write_pmds(fd, regs, count, &failed);
	free(regs);
	return pfmi_v2_result(ret);
}

int pfm_read_pmds(int fd, pfarg_pmd_t *pmds, int count)
{
	struct pfm_reg *regs;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	for (i = 0; !ret && i < count; i++) {
		regs[i].num = pmds[i].reg_num;
		regs[i].set = pmds[i].reg_set;
	}
	if (!ret)
		ret = pfm_ctx_read_pmds(fd, regs, count, NULL);
	for (i = 0; !ret && i < count; i++) {
		pmds[i].reg_value = regs[i].value;
		pmds[i].reg_last_reset_val = 0;
	}
	if (!ret)
		ret = pfmi_v2_read_triggers(fd, pmds, count);
	free(regs);
	return pfmi_v2_result(ret);
}

int pfm_load_context(int fd, pfarg_load_t *load)
{
	PFM_OPTS(pfm_load_opts, opts);

	if (!load)
		return pfmi_v2_result(-EINVAL);
	opts.set = load->load_set;
	return pfmi_v2_result(pfm_ctx_load(fd, load->load_pid, &opts));
}

int pfm_unload_context(int fd)
{
	return pfmi_v2_result(pfm_ctx_unload(fd));
}

int pfm_start(int fd, pfarg_start_t *start)
{
	PFM_OPTS(pfm_start_opts, opts, .set = start ? start->start_set : 0);

	return pfmi_v2_result(pfm_ctx_start(fd, &opts));
}

int pfm_stop(int fd)
{
	return pfmi_v2_result(pfm_ctx_stop(fd));
}

int pfm_restart(int fd)
{
	(void)fd;
	return pfmi_v2_result(-ENOSYS);
}

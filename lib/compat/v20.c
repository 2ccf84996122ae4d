// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * perfmonctl() with the structures of v2.0.
 */
#include "compat.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int v20_create(void *arg)
{
	static const pfm_uuid_t none;
	pfarg_context_t *ctx = arg;
	int fd;

	if (memcmp(ctx->ctx_smpl_buf_id, none, sizeof(none)) ||
	    ctx->ctx_nextra_sets)
		return pfmi_v2_result(-ENOSYS);
	fd = pfmi_v2_create(ctx->ctx_flags);
	if (fd < 0)
		return pfmi_v2_result(fd);
	ctx->ctx_fd = fd;
	ctx->ctx_smpl_vaddr = NULL;
	return 0;
}

static bool any(const unsigned long *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (words[i])
			return true;
	return false;
}

/* In this generation PMCs have the attributes of sampling, too. */
static int check_reg(const pfarg_reg_t *reg)
{
	unsigned long flags = reg->reg_flags & ~(unsigned long)PFM_REG_RETFL_MASK;

	if (reg->reg_num >= PFM_REGS_MAX)
		return -ENXIO;
	if (flags & ~(unsigned long)(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM))
		return -EINVAL;
	if (flags || reg->reg_long_reset || reg->reg_short_reset ||
	    reg->reg_ovfl_switch_cnt ||
	    any(reg->reg_reset_pmds, 4) || any(reg->reg_smpl_pmds, 4))
		return -ENOSYS;
	return 0;
}

/* Mark the element that was refused, in its flags. */
static void mark(pfarg_reg_t *regs, unsigned int count, unsigned int failed,
		 int err)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		regs[i].reg_flags &= ~(unsigned long)PFM_REG_RETFL_MASK;
	if (err >= 0 || failed >= count)
		return;
	regs[failed].reg_flags |= err == -EBUSY ? PFM_REG_RETFL_NOTAVAIL :
						  PFM_REG_RETFL_EINVAL;
}

typedef int vector_call(int fd, struct pfm_reg *regs, unsigned int count,
			unsigned int *failed);

static int v20_vector(int fd, pfarg_reg_t *args, int count, bool check,
		      vector_call *call)
{
	unsigned int failed = UINT32_MAX;
	struct pfm_reg *regs;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	if (!regs)
		return pfmi_v2_result(ret);
	for (i = 0; i < count && !ret; i++) {
		if (check)
			ret = check_reg(&args[i]);
		else if (args[i].reg_num >= PFM_REGS_MAX)
			ret = -ENXIO;
		if (ret)
			failed = i;
		regs[i].num = args[i].reg_num;
		regs[i].set = args[i].reg_set;
		regs[i].value = args[i].reg_value;
	}
	if (!ret)
		ret = call(fd, regs, count, &failed);
	if (!ret && call == pfm_ctx_read_pmds) {
		for (i = 0; i < count; i++) {
			args[i].reg_value = regs[i].value;
			args[i].reg_last_reset_val = 0;
		}
	}
	mark(args, count, failed, ret);
	free(regs);
	return pfmi_v2_result(ret);
}

static int v20_write_pmcs(int fd, void *arg, int count)
{
	return v20_vector(fd, arg, count, true, pfmi_v2_write_pmcs);
}

static int v20_write_pmds(int fd, void *arg, int count)
{
	return v20_vector(fd, arg, count, true, pfmi_v2_write_pmds);
}

static int v20_read_pmds(int fd, void *arg, int count)
{
	return v20_vector(fd, arg, count, false, pfm_ctx_read_pmds);
}

static int v20_reset_values(void *arg, int count)
{
	pfarg_reg_t *regs = arg;
	uint64_t value = 0;
	int i, fd, ret = 0;

	fd = pfmi_v2_create(0);
	if (fd < 0)
		return pfmi_v2_result(fd);
	for (i = 0; i < count && ret >= 0; i++) {
		ret = pfmi_v2_reset_value(fd, regs[i].reg_num, &value);
		if (ret >= 0)
			regs[i].reg_value = value;
	}
	close(fd);
	return pfmi_v2_result(ret);
}

int perfmonctl_v20(int fd, int cmd, void *arg, int narg)
{
	static const struct pfmi_v2_ops ops = {
		.create = v20_create,
		.write_pmcs = v20_write_pmcs,
		.write_pmds = v20_write_pmds,
		.read_pmds = v20_read_pmds,
		.reset_values = v20_reset_values,
	};

	return pfmi_v2_control(&ops, fd, cmd, arg, narg);
}

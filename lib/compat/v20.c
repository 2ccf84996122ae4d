// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * perfmonctl() with the structures of v2.0.
 */
#include "compat.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/perfmon2-compat/perfmon/perfmon_default_smpl.h"

#undef mmap
#undef perfmonctl

/* Words of this generation's bitmaps. */
#define WORDS 4

/* Map the buffer for the program: it did not do so itself. */
static int map_buffer(int fd, void **to)
{
	struct pfm_config config;
	void *mapped;
	int ret;

	ret = pfm_ctx_get_config(fd, &config);
	if (ret)
		return ret;
	mapped = pfm3_mmap(NULL, config.buffer_size, PROT_READ, MAP_SHARED, fd,
			   0);
	if (mapped == MAP_FAILED)
		return -errno;
	*to = mapped;
	return 0;
}

static int v20_create(void *arg)
{
	static const pfm_uuid_t none, uuid = PFM_DEFAULT_SMPL_UUID;
	pfm_default_smpl_ctx_arg_t *whole = arg;
	pfarg_context_t *ctx = arg;
	struct pfmi_v2_format format;
	bool samples = false;
	void *mapped = NULL;
	int fd, ret = 0;

	if (memcmp(ctx->ctx_smpl_buf_id, none, sizeof(none))) {
		if (memcmp(ctx->ctx_smpl_buf_id, uuid, sizeof(uuid)))
			return pfmi_v2_result(-EINVAL);
		samples = true;
		format.buf_size = whole->buf_arg.buf_size;
		format.buf_flags = whole->buf_arg.flags;
	}
	/* Sets came with v2.2; in v2.0 the field was always 0. */
	if (ctx->ctx_nextra_sets)
		return pfmi_v2_result(-EINVAL);
	fd = pfmi_v2_create(PFMI_V20, ctx->ctx_flags, samples ? &format : NULL);
	if (fd >= 0 && samples)
		ret = map_buffer(fd, &mapped);
	if (ret) {
		close(fd);
		fd = ret;
	}
	if (fd < 0)
		return pfmi_v2_result(fd);
	ctx->ctx_fd = fd;
	ctx->ctx_smpl_vaddr = mapped;
	return 0;
}

static bool any(const unsigned long *words)
{
	return words[0] | words[1] | words[2] | words[3];
}

static unsigned long flags_of(const pfarg_reg_t *reg)
{
	return reg->reg_flags & ~(unsigned long)PFM_REG_RETFL_MASK;
}

static int check_reg(const pfarg_reg_t *reg)
{
	if (reg->reg_num >= PFM_REGS_MAX)
		return -ENXIO;
	if (flags_of(reg) &
	    ~(unsigned long)(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM))
		return -EINVAL;
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
	regs[failed].reg_flags |= err == -EBUSY ? PFM_REG_RETFL_NOTAVAIL
						: PFM_REG_RETFL_EINVAL;
}

/*
 * In this generation flags, bitmaps and event id are given with the PMC of a counter, which has the
 * number of its PMD; reset values and random numbers with the PMD.  The attributes that are
 * there already keep the other half.
 */
static int take_attr(int fd, const pfarg_reg_t *reg, bool pmc,
		     struct pfm_pmd_attr *attr)
{
	const bool given = flags_of(reg) || any(reg->reg_smpl_pmds) ||
			   any(reg->reg_reset_pmds) || reg->reg_smpl_eventid;
	uint64_t smpl[WORDS], reset[WORDS];
	int ret;

	ret = pfmi_v2_get_attr(fd, reg->reg_num, reg->reg_set, attr);
	if (ret)
		return ret;
	attr->num = reg->reg_num;
	attr->last_reset = 0;
	if (!pmc) {
		attr->long_reset = reg->reg_long_reset;
		attr->short_reset = reg->reg_short_reset;
		attr->random_mask = reg->reg_random_mask;
		attr->random_seed = reg->reg_random_seed;
		attr->ovfl_switch_cnt = reg->reg_ovfl_switch_cnt;
	}
	if (!pmc && !given)
		return 0;
	attr->flags = 0;
	if (flags_of(reg) & PFM_REGFL_OVFL_NOTIFY)
		attr->flags |= PFM_PMDF_NOTIFY;
	if (flags_of(reg) & PFM_REGFL_RANDOM)
		attr->flags |= PFM_PMDF_RANDOM;
	attr->eventid = reg->reg_smpl_eventid;
	memcpy(smpl, reg->reg_smpl_pmds, sizeof(smpl));
	memcpy(reset, reg->reg_reset_pmds, sizeof(reset));
	return pfmi_v2_put_bitmaps(fd, smpl, reset, WORDS, attr);
}

/* A control register without attributes needs no counter of its number. */
static bool is_plain(const struct pfm_pmd_attr *attr)
{
	struct pfm_pmd_attr zero = { .num = attr->num, .set = attr->set };

	return !memcmp(attr, &zero, sizeof(zero));
}

typedef int vector_call(int fd, struct pfm_reg *regs, unsigned int count,
			unsigned int *failed);

static int v20_write(int fd, pfarg_reg_t *args, int count, bool pmc,
		     vector_call *call)
{
	unsigned int failed = UINT32_MAX, plain = 0;
	struct pfm_pmd_attr *attrs = NULL;
	struct pfm_reg *regs;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	if (!ret)
		attrs = pfmi_v2_vector(count, sizeof(*attrs), &ret);
	for (i = 0; !ret && i < count; i++) {
		ret = check_reg(&args[i]);
		if (ret)
			failed = i;
	}
	for (i = 0; !ret && i < count; i++) {
		struct pfm_pmd_attr *attr = &attrs[i - plain];

		ret = take_attr(fd, &args[i], pmc, attr);
		if (ret)
			failed = i;
		if (!ret && is_plain(attr) && pmc)
			plain++;
		regs[i].num = args[i].reg_num;
		regs[i].set = args[i].reg_set;
		regs[i].value = args[i].reg_value;
	}
	if (ret == -EBADF || ret == -ENOTTY)
		failed = UINT32_MAX;
	if (!ret)
		ret = call(fd, regs, count, &failed);
	if (!ret)
		ret = pfmi_v2_write_attrs(fd, attrs, count - plain);
	if (count > 0)
		mark(args, count, failed, ret);
	free(attrs);
	free(regs);
	return pfmi_v2_result(ret);
}

static int v20_write_pmcs(int fd, void *arg, int count)
{
	return v20_write(fd, arg, count, true, pfmi_v2_write_pmcs);
}

static int v20_write_pmds(int fd, void *arg, int count)
{
	return v20_write(fd, arg, count, false, pfmi_v2_write_pmds);
}

static int v20_read_pmds(int fd, void *arg, int count)
{
	unsigned int failed = UINT32_MAX;
	struct pfm_pmd_attr attr;
	pfarg_reg_t *args = arg;
	struct pfm_reg *regs;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	for (i = 0; !ret && i < count; i++) {
		if (args[i].reg_num >= PFM_REGS_MAX) {
			ret = -ENXIO;
			failed = i;
		}
		regs[i].num = args[i].reg_num;
		regs[i].set = args[i].reg_set;
	}
	if (!ret)
		ret = pfmi_v2_read_pmds(fd, regs, count, &failed);
	for (i = 0; !ret && i < count; i++) {
		ret = pfmi_v2_get_attr(fd, args[i].reg_num, args[i].reg_set,
				       &attr);
		args[i].reg_value = regs[i].value;
		args[i].reg_last_reset_val = attr.last_reset;
	}
	if (count > 0)
		mark(args, count, failed, ret);
	free(regs);
	return pfmi_v2_result(ret);
}

static int v20_reset_values(void *arg, int count)
{
	pfarg_reg_t *regs = arg;
	uint64_t value = 0;
	int i, fd, ret = 0;

	fd = pfmi_v2_create(PFMI_V20, 0, NULL);
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

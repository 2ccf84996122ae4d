// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The functions of perfmon v2.3 to v2.82, and creation of contexts for all generations.
 */
#include "compat.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "include/perfmon2-compat/perfmon/perfmon_dfl_smpl.h"
#include "sample_copy.h"

#define FLAGS                                                         \
	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | PFM_FL_MAP_SETS | \
	 PFM_FL_OVFL_NO_MSG)

int pfmi_v2_create(enum pfmi_generation generation, uint64_t flags,
		   const struct pfmi_v2_format *format)
{
	static const uint8_t uuid[PFM_UUID_LEN] = PFM_DEFAULT_UUID;
	struct pfm_default_arg arg = { 0 };
	PFM_OPTS(pfm_create_opts, opts);
	int fd, ret;

	if (flags & ~(uint64_t)FLAGS)
		return -EINVAL;
	if (flags & PFM_FL_SYSTEM_WIDE && flags & PFM_FL_NOTIFY_BLOCK)
		return -EINVAL;
	/* Sets have no memory that a program could map. */
	if (flags & PFM_FL_MAP_SETS)
		return -ENOSYS;
	if (flags & PFM_FL_NOTIFY_BLOCK)
		opts.flags |= PFM_CTX_NOTIFY_BLOCK;
	if (flags & PFM_FL_SYSTEM_WIDE)
		opts.flags |= PFM_CTX_SYSTEM_WIDE;
	if (flags & PFM_FL_OVFL_NO_MSG)
		opts.flags |= PFM_CTX_NO_MSG;
	if (format) {
		arg.buf_size = format->buf_size;
		arg.buf_flags = format->buf_flags;
		opts.fmt_uuid = uuid;
		opts.fmt_arg = &arg;
		opts.fmt_arg_size = sizeof(arg);
	}
	fd = pfm_ctx_create(&opts);
	/* The kernel answers ENOENT for a missing format as well. */
	if (fd == -ENOENT && format && !access("/dev/perfmon", F_OK))
		return -EINVAL;
	if (fd == -ENOENT || fd == -ENXIO || fd == -ENODEV)
		return -ENOSYS;
	/* The kernel cannot block threads. */
	if (fd == -EOPNOTSUPP)
		return -ENOSYS;
	if (fd == -ENOBUFS)
		return -ENOMEM;
	if (fd < 0)
		return fd;
	ret = pfmi_known_add(fd, generation, opts.flags);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int pfm_create_context(pfarg_ctx_t *ctx, char *fmt_name, void *fmt_arg,
		       size_t fmt_arg_size)
{
	const pfm_dfl_smpl_arg_t *arg = fmt_arg;
	struct pfmi_v2_format format;

	if (!ctx || (!fmt_name && fmt_arg_size))
		return pfmi_v2_result(-EINVAL);
	if (!fmt_name)
		return pfmi_v2_result(
			pfmi_v2_create(PFMI_V28, ctx->ctx_flags, NULL));
	/* A format that the kernel does not have, which every other name is. */
	if (strcmp(fmt_name, PFM_DFL_SMPL_NAME) || !arg ||
	    fmt_arg_size != sizeof(*arg))
		return pfmi_v2_result(-EINVAL);
	format.buf_size = arg->buf_size;
	format.buf_flags = arg->buf_flags;
	return pfmi_v2_result(
		pfmi_v2_create(PFMI_V28, ctx->ctx_flags, &format));
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

static int check_flags(const pfarg_pmd_t *pmds, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (pmds[i].reg_flags &
		    ~(uint32_t)(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM))
			return -EINVAL;
	return 0;
}

static int take_attr(int fd, const pfarg_pmd_t *pmd, struct pfm_pmd_attr *attr)
{
	attr->num = pmd->reg_num;
	attr->set = pmd->reg_set;
	if (pmd->reg_flags & PFM_REGFL_OVFL_NOTIFY)
		attr->flags |= PFM_PMDF_NOTIFY;
	if (pmd->reg_flags & PFM_REGFL_RANDOM) {
		attr->flags |= PFM_PMDF_RANDOM;
		attr->random_mask = pmd->reg_random_mask;
	}
	attr->long_reset = pmd->reg_long_reset;
	attr->short_reset = pmd->reg_short_reset;
	attr->eventid = pmd->reg_smpl_eventid;
	attr->ovfl_switch_cnt = pmd->reg_ovfl_switch_cnt;
	return pfmi_v2_put_bitmaps(fd, pmd->reg_smpl_pmds, pmd->reg_reset_pmds,
				   PFM_PMD_BV, attr);
}

int pfm_write_pmds(int fd, pfarg_pmd_t *pmds, int count)
{
	struct pfm_pmd_attr *attrs = NULL;
	struct pfm_reg *regs;
	unsigned int failed;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	if (!ret)
		attrs = pfmi_v2_vector(count, sizeof(*attrs), &ret);
	if (!ret)
		ret = check_flags(pmds, count);
	for (i = 0; !ret && i < count; i++) {
		ret = take_attr(fd, &pmds[i], &attrs[i]);
		regs[i].num = pmds[i].reg_num;
		regs[i].set = pmds[i].reg_set;
		regs[i].value = pmds[i].reg_value;
	}
	if (!ret)
		ret = pfmi_v2_write_attrs(fd, attrs, count);
	if (!ret)
		ret = pfmi_v2_write_pmds(fd, regs, count, &failed);
	free(attrs);
	free(regs);
	return pfmi_v2_result(ret);
}

static int read_attrs(int fd, pfarg_pmd_t *pmds, int count)
{
	struct pfm_pmd_attr attr;
	int i, ret = 0;

	for (i = 0; !ret && i < count; i++) {
		ret = pfmi_v2_get_attr(fd, pmds[i].reg_num, pmds[i].reg_set,
				       &attr);
		pmds[i].reg_last_reset_val = ret ? 0 : attr.last_reset;
		if (!ret && pmds[i].reg_ovfl_switch_cnt)
			pmds[i].reg_ovfl_switch_cnt = attr.ovfl_switch_cnt;
	}
	return ret;
}

int pfm_read_pmds(int fd, pfarg_pmd_t *pmds, int count)
{
	struct pfmi_known *known;
	struct pfm_reg *regs;
	unsigned int failed;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	for (i = 0; !ret && i < count; i++) {
		regs[i].num = pmds[i].reg_num;
		regs[i].set = pmds[i].reg_set;
	}
	if (!ret)
		ret = pfmi_v2_read_pmds(fd, regs, count, &failed);
	for (i = 0; !ret && i < count; i++)
		pmds[i].reg_value = regs[i].value;
	free(regs);
	if (!ret)
		ret = read_attrs(fd, pmds, count);
	known = ret ? NULL : pfmi_known_find(fd);
	if (known)
		pfmi_sample_copy_update(known);
	return pfmi_v2_result(ret);
}

int pfmi_v2_load(int fd, uint32_t pid, uint16_t set)
{
	PFM_OPTS(pfm_load_opts, opts, .set = set);
	struct pfmi_known *known;
	int ret;

	known = pfmi_known_get(fd, &ret);
	if (!known)
		return ret;
	/*
	 * Up to v2.2 the CPU was the caller's, and the id that of the caller.  Later it is the
	 * CPU; programs of that time pass the id still.
	 */
	if (known->flags & PFM_CTX_SYSTEM_WIDE) {
		const bool self = pid == (uint32_t)getpid();

		if (known->generation <= PFMI_V22 && !self)
			return -EINVAL;
		if (known->generation <= PFMI_V22 ||
		    (self && pid >= (uint32_t)sysconf(_SC_NPROCESSORS_CONF)))
			pid = sched_getcpu();
	}
	return pfm_ctx_load(fd, pid, &opts);
}

int pfm_load_context(int fd, pfarg_load_t *load)
{
	if (!load)
		return pfmi_v2_result(-EINVAL);
	return pfmi_v2_result(pfmi_v2_load(fd, load->load_pid, load->load_set));
}

/* The result, after the copy of the buffer was brought up to date. */
static int updated(int fd, int ret)
{
	struct pfmi_known *known = pfmi_known_find(fd);

	if (!ret && known)
		pfmi_sample_copy_update(known);
	return pfmi_v2_result(ret);
}

int pfm_unload_context(int fd)
{
	return updated(fd, pfm_ctx_unload(fd));
}

int pfm_start(int fd, pfarg_start_t *start)
{
	PFM_OPTS(pfm_start_opts, opts, .set = start ? start->start_set : 0);

	if (start)
		return pfmi_v2_result(pfm_ctx_start(fd, &opts));
	/* Without a set the active one stays active. */
	return ioctl(fd, PFM_IOC_START, NULL) < 0 ? pfmi_v2_result(-errno) : 0;
}

int pfm_stop(int fd)
{
	return updated(fd, pfm_ctx_stop(fd));
}

int pfm_restart(int fd)
{
	int ret = pfm_ctx_restart(fd, PFM_LANE_ALL, 0);

	return updated(fd, ret == -ENOTCONN ? -EBUSY : ret);
}

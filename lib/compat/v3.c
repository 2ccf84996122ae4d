// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The functions of perfmon v3, on those of v2.82: a type or a state is an argument there.
 */
#include "compat.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/perfmon2-compat/perfmon/perfmon.h"
#include "include/perfmon2-compat/perfmon/perfmon_dfl_smpl.h"

#undef pfm_create_context

/* Registers that exist, as the set 0 of a context has them. */
static int fill_info(int fd, pfarg_sinfo_t *info)
{
	pfarg_setinfo_t set = { 0 };

	if (pfm_getinfo_evtsets(fd, &set, 1))
		return -1;
	memset(info, 0, sizeof(*info));
	memcpy(info->sif_avail_pmcs, set.set_avail_pmcs,
	       sizeof(info->sif_avail_pmcs));
	memcpy(info->sif_avail_pmds, set.set_avail_pmds,
	       sizeof(info->sif_avail_pmds));
	return 0;
}

int pfm_create(int flags, pfarg_sinfo_t *info, ...)
{
	struct pfmi_v2_format format = { 0 };
	const pfm_dfl_smpl_arg_t *arg;
	const char *name;
	size_t size;
	va_list args;
	int fd;

	if (flags & PFM_FL_SMPL_FMT) {
		va_start(args, info);
		name = va_arg(args, const char *);
		arg = va_arg(args, const void *);
		size = va_arg(args, size_t);
		va_end(args);
		if (!name || strcmp(name, PFM_DFL_SMPL_NAME) || !arg ||
		    size != sizeof(*arg))
			return pfmi_v2_result(-EINVAL);
		format.buf_size = arg->buf_size;
		format.buf_flags = arg->buf_flags;
	}
	fd = pfmi_v2_create(PFMI_V30, flags & ~PFM_FL_SMPL_FMT,
			    flags & PFM_FL_SMPL_FMT ? &format : NULL);
	if (fd < 0)
		return pfmi_v2_result(fd);
	if (info && fill_info(fd, info)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The number of elements, or -1 with errno: no flags are defined. */
static int elements(int flags, size_t size, size_t element)
{
	if (flags || !size || size % element || size / element > PFM_REGS_MAX)
		return pfmi_v2_result(-EINVAL);
	return size / element;
}

/* Values only: how a PMD samples stays as it is. */
static int write_pmrs(int fd, int type, const pfarg_pmr_t *pmrs, int count)
{
	struct pfm_reg *regs;
	unsigned int failed;
	int i, ret;

	regs = pfmi_v2_vector(count, sizeof(*regs), &ret);
	for (i = 0; !ret && i < count; i++) {
		if (pmrs[i].reg_flags)
			ret = -EINVAL;
		regs[i].num = pmrs[i].reg_num;
		regs[i].set = pmrs[i].reg_set;
		regs[i].value = pmrs[i].reg_value;
	}
	if (!ret)
		ret = type == PFM_RW_PMC
			      ? pfmi_v2_write_pmcs(fd, regs, count, &failed)
			      : pfmi_v2_write_pmds(fd, regs, count, &failed);
	free(regs);
	return pfmi_v2_result(ret);
}

static void from_attr(pfarg_pmd_t *pmd, const pfarg_pmd_attr_t *attr)
{
	pmd->reg_num = attr->reg_num;
	pmd->reg_set = attr->reg_set;
	pmd->reg_flags = attr->reg_flags;
	pmd->reg_value = attr->reg_value;
	pmd->reg_long_reset = attr->reg_long_reset;
	pmd->reg_short_reset = attr->reg_short_reset;
	pmd->reg_random_mask = attr->reg_random_mask;
	pmd->reg_smpl_eventid = attr->reg_smpl_eventid;
	pmd->reg_ovfl_switch_cnt = attr->reg_ovfl_swcnt;
	memcpy(pmd->reg_smpl_pmds, attr->reg_smpl_pmds,
	       sizeof(pmd->reg_smpl_pmds));
	memcpy(pmd->reg_reset_pmds, attr->reg_reset_pmds,
	       sizeof(pmd->reg_reset_pmds));
}

static int write_attrs(int fd, const pfarg_pmd_attr_t *attrs, int count)
{
	pfarg_pmd_t *pmds;
	int i, ret;

	pmds = calloc(count, sizeof(*pmds));
	if (!pmds)
		return pfmi_v2_result(-ENOMEM);
	for (i = 0; i < count; i++)
		from_attr(&pmds[i], &attrs[i]);
	ret = pfm_write_pmds(fd, pmds, count);
	free(pmds);
	return ret;
}

int pfm_write(int fd, int flags, int type, void *regs, size_t size)
{
	const size_t element = type == PFM_RW_PMD_ATTR
				       ? sizeof(pfarg_pmd_attr_t)
				       : sizeof(pfarg_pmr_t);
	int count;

	if (!regs || type < PFM_RW_PMD || type > PFM_RW_PMD_ATTR)
		return pfmi_v2_result(-EINVAL);
	count = elements(flags, size, element);
	if (count < 0)
		return count;
	return type == PFM_RW_PMD_ATTR ? write_attrs(fd, regs, count)
				       : write_pmrs(fd, type, regs, count);
}

int pfm_read(int fd, int flags, int type, void *regs, size_t size)
{
	pfarg_pmd_attr_t *attrs = regs;
	pfarg_pmr_t *pmrs = regs;
	const bool attr = type == PFM_RW_PMD_ATTR;
	pfarg_pmd_t *pmds;
	int i, count, ret;

	/* PMCs could not be read. */
	if (!regs || (type != PFM_RW_PMD && !attr))
		return pfmi_v2_result(-EINVAL);
	count = elements(flags, size, attr ? sizeof(*attrs) : sizeof(*pmrs));
	if (count < 0)
		return count;
	pmds = calloc(count, sizeof(*pmds));
	if (!pmds)
		return pfmi_v2_result(-ENOMEM);
	for (i = 0; i < count; i++) {
		pmds[i].reg_num = attr ? attrs[i].reg_num : pmrs[i].reg_num;
		pmds[i].reg_set = attr ? attrs[i].reg_set : pmrs[i].reg_set;
		pmds[i].reg_ovfl_switch_cnt = attr;
	}
	ret = pfm_read_pmds(fd, pmds, count);
	for (i = 0; !ret && i < count; i++) {
		if (!attr) {
			pmrs[i].reg_value = pmds[i].reg_value;
			continue;
		}
		attrs[i].reg_value = pmds[i].reg_value;
		attrs[i].reg_last_value = pmds[i].reg_last_reset_val;
		attrs[i].reg_ovfl_swcnt = pmds[i].reg_ovfl_switch_cnt;
	}
	free(pmds);
	return ret;
}

int pfm_attach(int fd, int flags, int target)
{
	if (flags)
		return pfmi_v2_result(-EINVAL);
	if (target == PFM_NO_TARGET)
		return pfm_unload_context(fd);
	return pfmi_v2_result(pfmi_v2_load(fd, target, 0));
}

int pfm_set_state(int fd, int flags, int state)
{
	if (flags)
		return pfmi_v2_result(-EINVAL);
	switch (state) {
	case PFM_ST_START:
		return pfm_start(fd, NULL);
	case PFM_ST_STOP:
		return pfm_stop(fd);
	case PFM_ST_RESTART:
		return pfm_restart(fd);
	default:
		return pfmi_v2_result(-EINVAL);
	}
}

int pfm_create_sets(int fd, int flags, pfarg_set_desc_t *sets, size_t size)
{
	int count = elements(flags, size, sizeof(*sets));

	return count < 0 ? count : pfm_create_evtsets(fd, sets, count);
}

int pfm_getinfo_sets(int fd, int flags, pfarg_set_info_t *info, size_t size)
{
	int count = elements(flags, size, sizeof(*info));

	return count < 0 ? count : pfm_getinfo_evtsets(fd, info, count);
}

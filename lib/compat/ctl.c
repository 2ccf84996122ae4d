// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * perfmonctl(): the commands, and the functions for the structures of v2.2.
 */
#include "compat.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "known.h"

static int get_features(pfarg_features_t *features)
{
	*features = (pfarg_features_t){ .ft_version = PFM_VERSION };
	return 0;
}

/* Returns true if the command takes @count elements: 0, 1, or a vector of that length. */
static bool count_suits(int cmd, const void *arg, int count)
{
	switch (cmd) {
	case PFM_START:
	case PFM_STOP:
	case PFM_UNLOAD_CONTEXT:
	case PFM_RESTART:
		return count == 0;
	case PFM_CREATE_CONTEXT:
	case PFM_LOAD_CONTEXT:
	case PFM_GET_FEATURES:
	case PFM_DEBUG:
		return count == 1 && arg;
	default:
		return count > 0 && arg;
	}
}

int pfmi_v2_control(const struct pfmi_v2_ops *ops, int fd, int cmd, void *arg,
		    int count)
{
	/* The processors that perfmon knows have no such debug registers. */
	if (cmd == PFM_WRITE_IBRS || cmd == PFM_WRITE_DBRS)
		return pfmi_v2_result(-ENOSYS);
	if (!count_suits(cmd, arg, count))
		return pfmi_v2_result(-EINVAL);
	switch (cmd) {
	case PFM_CREATE_CONTEXT:
		return ops->create(arg);
	case PFM_WRITE_PMCS:
		return ops->write_pmcs(fd, arg, count);
	case PFM_WRITE_PMDS:
		return ops->write_pmds(fd, arg, count);
	case PFM_READ_PMDS:
		return ops->read_pmds(fd, arg, count);
	case PFM_GET_PMC_RESET_VAL:
		return ops->reset_values(arg, count);
	case PFM_LOAD_CONTEXT:
		return pfm_load_context(fd, arg);
	case PFM_UNLOAD_CONTEXT:
		return pfm_unload_context(fd);
	case PFM_START:
		return pfm_start(fd, NULL);
	case PFM_STOP:
		return pfm_stop(fd);
	case PFM_RESTART:
		return pfm_restart(fd);
	case PFM_GET_FEATURES:
		return get_features(arg);
	case PFM_DEBUG:
		/* It made the kernel log what it did; nothing else depends on it. */
		return 0;
	default:
		return pfmi_v2_result(-EINVAL);
	}
}

int pfmi_v2_reset_value(int fd, unsigned int num, uint64_t *value)
{
	const struct pfmi_numbers *numbers;
	struct pfm_reg_info info = { 0 };
	struct pfmi_known *known;
	int ret;

	if (num >= PFM_REGS_MAX)
		return -EINVAL;
	known = pfmi_known_get(fd, &ret);
	numbers = known ? pfmi_known_numbers(fd, known, &ret) : NULL;
	if (!numbers)
		return ret;
	info.num = pfmi_numbers_new_pmc(numbers, num);
	/* The fixed counters have one each today, with the same default. */
	if (pfmi_numbers_is_fixed_ctrl(numbers, num))
		info.num = PFMI_NEW_FIXED;
	ret = pfm_ctx_getinfo_pmcs(fd, &info, 1, NULL);
	if (ret >= 0)
		*value = info.dfl;
	return ret;
}

static int v22_create(void *arg)
{
	pfarg_ctx_t *ctx = arg;
	int fd = pfm_create_context_v22(ctx, NULL, 0);

	return fd < 0 ? fd : 0;
}

static int v22_write_pmcs(int fd, void *arg, int count)
{
	return pfm_write_pmcs(fd, arg, count);
}

static int v22_write_pmds(int fd, void *arg, int count)
{
	return pfm_write_pmds(fd, arg, count);
}

static int v22_read_pmds(int fd, void *arg, int count)
{
	return pfm_read_pmds(fd, arg, count);
}

static int v22_reset_values(void *arg, int count)
{
	pfarg_pmc_t *pmcs = arg;
	int i, fd, ret = 0;

	fd = pfmi_v2_create(PFMI_V22, 0, NULL);
	if (fd < 0)
		return pfmi_v2_result(fd);
	for (i = 0; i < count && ret >= 0; i++)
		ret = pfmi_v2_reset_value(fd, pmcs[i].reg_num,
					  &pmcs[i].reg_value);
	close(fd);
	return pfmi_v2_result(ret);
}

int perfmonctl(int fd, int cmd, void *arg, int narg)
{
	static const struct pfmi_v2_ops ops = {
		.create = v22_create,
		.write_pmcs = v22_write_pmcs,
		.write_pmds = v22_write_pmds,
		.read_pmds = v22_read_pmds,
		.reset_values = v22_reset_values,
	};

	return pfmi_v2_control(&ops, fd, cmd, arg, narg);
}

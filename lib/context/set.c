// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Event sets: the ioctls.
 */
#include "context/ctx.h"

#include <perfmon/perfmon.h>

int pfm_ctx_create_sets(int fd, const struct pfm_set_desc *sets,
			unsigned int count, unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_CREATE_EVTSET, sets, count,
				 failed);
}

int pfm_ctx_delete_sets(int fd, const struct pfm_set_desc *sets,
			unsigned int count, unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_DELETE_EVTSET, sets, count,
				 failed);
}

int pfm_ctx_getinfo_sets(int fd, struct pfm_set_info *info, unsigned int count,
			 unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_GETINFO_EVTSET, info, count,
				 failed);
}

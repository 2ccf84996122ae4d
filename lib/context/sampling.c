// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Sampling: the ioctls.
 */
#include "context/ctx.h"

#include <sys/ioctl.h>

#include <perfmon/perfmon.h>

int pfm_ctx_write_pmdattrs(int fd, const struct pfm_pmd_attr *attrs,
			   unsigned int count, unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_WRITE_PMDATTRS, attrs, count,
				 failed);
}

int pfm_ctx_read_pmdattrs(int fd, struct pfm_pmd_attr *attrs,
			  unsigned int count, unsigned int *failed)
{
	return pfmi_vector_ioctl(fd, PFM_IOC_READ_PMDATTRS, attrs, count,
				 failed);
}

int pfm_ctx_restart(int fd, uint32_t lane, uint64_t arg)
{
	const struct pfm_restart restart = { .lane = lane, .arg = arg };

	return pfmi_ioctl(fd, PFM_IOC_RESTART, &restart);
}

int pfm_ctx_available(int fd)
{
	int entries = 0;
	const int ret = pfmi_ioctl(fd, FIONREAD, &entries);

	return ret ? ret : entries;
}

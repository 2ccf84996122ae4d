// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Errors and vectors of the old interface.
 */
#include "compat.h"

#include <errno.h>
#include <stdlib.h>

int pfmi_v2_result(int ret)
{
	if (ret >= 0)
		return ret;
	switch (-ret) {
	case ENXIO: /* no such register */
	case ENOENT: /* no such set */
	case ERANGE: /* reserved bits */
	case ENODATA: /* register not used */
	case ENOTCONN: /* not loaded */
		errno = EINVAL;
		break;
	case ENOTTY:
		errno = EBADF;
		break;
	case EACCES:
	case EOPNOTSUPP: /* kernel thread */
		errno = EPERM;
		break;
	default:
		errno = -ret;
	}
	return -1;
}

void *pfmi_v2_vector(int count, size_t size, int *err)
{
	void *elements;

	*err = -EINVAL;
	if (count < 0)
		return NULL;
	*err = -E2BIG;
	if (count > PFM_REGS_MAX)
		return NULL;
	*err = -ENOMEM;
	elements = calloc(count ? count : 1, size);
	if (elements)
		*err = 0;
	return elements;
}

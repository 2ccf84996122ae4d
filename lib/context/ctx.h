/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The ioctls of contexts.
 */
#ifndef PERFMON_CONTEXT_CTX_H
#define PERFMON_CONTEXT_CTX_H

/* As ioctl(2), but returns -errno and does not change errno. */
int pfmi_ioctl(int fd, unsigned long request, const void *arg);

/* An ioctl that takes a vector; @failed as in perfmon.h. */
int pfmi_vector_ioctl(int fd, unsigned long request, const void *elements,
		      unsigned int count, unsigned int *failed);

#endif

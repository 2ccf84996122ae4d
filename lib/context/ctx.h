/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The ioctls of contexts.
 */
#ifndef PERFMON_CONTEXT_CTX_H
#define PERFMON_CONTEXT_CTX_H

#include <stddef.h>

/* As ioctl(2), but returns -errno and does not change errno. */
int pfmi_ioctl(int fd, unsigned long request, const void *arg);

/* An ioctl that takes a vector; @failed as in perfmon.h. */
int pfmi_vector_ioctl(int fd, unsigned long request, const void *elements,
		      unsigned int count, unsigned int *failed);

/*
 * Copy a caller's options to @own, of @size bytes.  Options that only the library has
 * become zero, options that only the caller has must be zero.
 */
int pfmi_opts_copy(void *own, size_t size, const void *opts);

#endif

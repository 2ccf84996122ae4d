/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds out if the running kernel is the one that a file of perf is of, at the same addresses.
 */
#ifndef PFMON_DATA_PERF_KERNEL_H
#define PFMON_DATA_PERF_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * @id: build id of the kernel, of @size bytes, 0 if it is not known; @release: its release, NULL if
 * it is not known; @symbol: a symbol that it has at @address.  False if addresses are not shown to this user.
 */
bool perf_kernel_is_here(const uint8_t *id, size_t size, const char *release,
			 const char *symbol, uint64_t address);

#endif

// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Memory that runs out while the register map is read.  The kernel's answer is made up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/perfmon.h>

#include "tap.h"

/* The linker has the library call these. */
void *__wrap_calloc(size_t count, size_t size);
int __wrap_pfm_ctx_get_config(int fd, struct pfm_config *config);
void *__real_calloc(size_t count, size_t size);

static size_t too_large = SIZE_MAX;

void *__wrap_calloc(size_t count, size_t size)
{
	return count * size >= too_large ? NULL : __real_calloc(count, size);
}

int __wrap_pfm_ctx_get_config(int fd, struct pfm_config *config)
{
	(void)fd;
	memset(config, 0, sizeof(*config));
	strcpy(config->pmu, "none");
	return 0;
}

int main(void)
{
	struct pfm_reg_map *map = NULL;

	is_num(pfm_reg_map_from_driver(-1, PFM_DRIVER_NATIVE, &map), -EBADF,
	       "there is memory, and no context");
	too_large = 1;
	is_num(pfm_reg_map_from_driver(-1, PFM_DRIVER_NATIVE, &map), -ENOMEM,
	       "there is no memory");
	ok(!map, "and no map");
	return tap_end();
}

// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Mappings of the tasks that were sampled.
 */
#include <perfmon/perfmon.h>

const struct pfm_map *pfm_sample_map_next(const void *buf, size_t used,
					  size_t *offset)
{
	const struct pfm_map *map;
	size_t rest;

	if (*offset > used || ((uintptr_t)buf + *offset) % 8)
		return NULL;
	rest = used - *offset;
	if (rest < sizeof(*map))
		return NULL;
	map = (const void *)((const char *)buf + *offset);
	if (map->size < sizeof(*map) || map->size > rest || map->size % 8 ||
	    map->path_len > map->size - sizeof(*map))
		return NULL;
	*offset += map->size;
	return map;
}

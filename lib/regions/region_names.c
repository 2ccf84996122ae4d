// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Regions: the names of a process's regions, and their numbers.
 */
#include "regions/region_names.h"

#include <string.h>

#include "regions/region_thread.h"

/* Under the lock.  Copies: the program may unload the library that has the original. */
static char *names[PFMI_REGION_MAX];

uint32_t pfmi_region_number(const char *name)
{
	uint32_t number;

	pthread_mutex_lock(&pfmi_region_lock);
	for (number = 1; number < PFMI_REGION_MAX && names[number]; number++)
		if (!strcmp(names[number], name))
			break;
	if (number < PFMI_REGION_MAX && !names[number])
		names[number] = strdup(name);
	if (number == PFMI_REGION_MAX || !names[number])
		number = 0;
	pthread_mutex_unlock(&pfmi_region_lock);
	return number;
}

const char *pfmi_region_name(uint32_t number)
{
	return number < PFMI_REGION_MAX ? names[number] : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFM_TEST_MEMORY_H
#define PFM_TEST_MEMORY_H

#include <stdio.h>

/* Memory that the kernel can give to programs, in KiB, or -1. */
static inline long memory_available(void)
{
	char line[128];
	long kib = -1;
	FILE *file = fopen("/proc/meminfo", "r");

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		sscanf(line, "MemAvailable: %ld", &kib);
	fclose(file);
	return kib;
}

#endif

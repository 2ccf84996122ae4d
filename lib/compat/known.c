// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Notes of the library about contexts that the old interface has created.
 */
#include "known.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Contexts with larger descriptors are found anew at each call. */
#define FDS_MAX 65536

static struct pfmi_known *table[FDS_MAX];

int pfmi_known_add(int fd, enum pfmi_generation generation, uint32_t flags)
{
	struct pfmi_known *known = pfmi_known_find(fd);

	if (known && known->buffer)
		munmap(known->buffer, known->size);
	if (!known && fd < FDS_MAX)
		known = malloc(sizeof(*known));
	if (!known)
		return -ENOMEM;
	memset(known, 0, sizeof(*known));
	known->generation = generation;
	known->flags = flags;
	__atomic_store_n(&table[fd], known, __ATOMIC_RELEASE);
	return 0;
}

struct pfmi_known *pfmi_known_find(int fd)
{
	return fd >= 0 && fd < FDS_MAX
		       ? __atomic_load_n(&table[fd], __ATOMIC_ACQUIRE)
		       : NULL;
}

struct pfmi_known *pfmi_known_get(int fd, int *err)
{
	struct pfmi_known *known = pfmi_known_find(fd);
	struct pfm_config config;

	*err = 0;
	if (known)
		return known;
	*err = pfm_ctx_get_config(fd, &config);
	if (!*err)
		*err = pfmi_known_add(fd, PFMI_V28, config.flags);
	known = *err ? NULL : pfmi_known_find(fd);
	if (known)
		known->samples = true;
	return known;
}

const struct pfmi_numbers *pfmi_known_numbers(int fd, struct pfmi_known *known,
					      int *err)
{
	uint64_t pmcs[PFM_BV_WORDS], pmds[PFM_BV_WORDS];
	struct pfm_config config;

	*err = 0;
	if (known->numbers_known)
		return &known->numbers;
	*err = pfm_ctx_get_config(fd, &config);
	if (*err)
		return NULL;
	memcpy(pmcs, config.impl_pmcs, sizeof(pmcs));
	memcpy(pmds, config.impl_pmds, sizeof(pmds));
	pfmi_numbers_init(&known->numbers, config.pmu, pmcs, pmds);
	known->numbers_known = true;
	return &known->numbers;
}

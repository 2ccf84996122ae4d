/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of a CPU, for tests of who may see the kernel's addresses.
 */
#ifndef _SELFTESTS_KERNEL_SAMPLES_H
#define _SELFTESTS_KERNEL_SAMPLES_H

#include <unistd.h>

#include "context.h"
#include "cpu.h"
#include "registers.h"
#include "sampling.h"

/*
 * Sample a CPU that is in the kernel mostly.  Returns 1 if the kernel's addresses are told, 0 if they
 * are hidden, another number if something else fails.
 */
static inline int kernel_samples(void *arg)
{
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -200000ULL,
		.short_reset = -200000ULL,
	};
	const struct pfm_default_hdr *hdr;
	uint64_t i, kernel = 0, hidden = 0;
	int fd;

	pin_to(0);
	fd = default_open(PFM_CTX_SYSTEM_WIDE, buffer_bytes(1000, 0));
	hdr = fd < 0 ? NULL : buffer_map(fd);
	if (!hdr || pmd_write(fd, CPU_TIME_NS, -200000ULL) ||
	    attr_write(fd, &attr) || context_load(fd, 0) ||
	    context_start(fd, 0))
		return 100;
	for (i = 0; i < 3000000 && hdr->hdr_count < 200; i++)
		close(-1);
	context_stop(fd);
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 0);

		kernel += entry->ip >> 63;
		hidden += !entry->ip;
	}
	if (i < 20)
		return 101;
	if (!kernel && !hidden)
		return 102;
	return kernel > 0;
}

#endif /* _SELFTESTS_KERNEL_SAMPLES_H */

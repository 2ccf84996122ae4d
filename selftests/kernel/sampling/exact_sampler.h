/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A register that samples, with the default format, on the guest that executes an
 * instruction a nanosecond.  A second counter of the same event does not sample: its
 * count is the one to compare with.
 */
#ifndef _SELFTESTS_EXACT_SAMPLER_H
#define _SELFTESTS_EXACT_SAMPLER_H

#include "context.h"
#include "sampling.h"

#define TRUTH 0 /* event counter that counts cycles and does not sample */

/* Let counter num count the user's cycles, beginning at a value. */
static inline int cycle_counter(int fd, uint16_t num, uint64_t value)
{
	int ret;

	ret = pmc_write(fd, num,
			num == CYCLES ? CYCLES_AT(USER)
				      : USER | EVENT_CPU_CYCLES);
	return ret ? ret : pmd_write(fd, num, value);
}

FIXTURE(exact)
{
	int fd;
	const struct pfm_default_hdr *hdr;
	size_t size;
};

FIXTURE_SETUP(exact)
{
	self->fd = -1;
	self->hdr = NULL;
}

static inline void sampler_close(FIXTURE_DATA(exact) * self)
{
	if (self->hdr)
		munmap((void *)self->hdr, self->size);
	if (self->fd >= 0)
		close(self->fd);
	self->fd = -1;
	self->hdr = NULL;
}

FIXTURE_TEARDOWN(exact)
{
	sampler_close(self);
}

/* Replace the context by a new one with the default format.  Returns 0 or -errno. */
static inline int sampler_open(FIXTURE_DATA(exact) * self, uint32_t flags,
			       uint64_t size)
{
	struct pfm_config cfg;

	sampler_close(self);
	self->fd = default_open(flags, size);
	if (self->fd < 0)
		return self->fd;
	if (config_get(self->fd, &cfg))
		return -EIO;
	self->size = cfg.buffer_size;
	self->hdr = buffer_map(self->fd);
	return self->hdr ? 0 : -ENOMEM;
}

/* The same, with a counter of cycles that samples and one that does not. */
static inline int sampler_setup(FIXTURE_DATA(exact) * self, uint32_t flags,
				uint64_t entries, uint64_t period)
{
	int ret;

	ret = sampler_open(self, flags, buffer_bytes(entries, 2));
	if (!ret)
		ret = cycle_counter(self->fd, TRUTH, 0);
	if (!ret)
		ret = cycle_counter(self->fd, CYCLES, -period);
	if (!ret)
		ret = sample_every(self->fd, CYCLES, period,
				   PMD_LIST(TRUTH, CYCLES));
	return ret;
}

#endif /* _SELFTESTS_EXACT_SAMPLER_H */

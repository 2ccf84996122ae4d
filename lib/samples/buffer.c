// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The mapped buffer, and its lanes.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include <perfmon/perfmon.h>

int pfm_sample_buffer_map(int fd, struct pfm_sample_buffer *buffer)
{
	struct pfm_config config;
	int saved = errno;
	void *base;
	int ret;

	memset(buffer, 0, sizeof(*buffer));
	ret = pfm_ctx_get_config(fd, &config);
	if (ret < 0)
		return ret;
	if (!config.lanes || !config.lane_size || config.buffer_size > SIZE_MAX ||
	    config.buffer_size / config.lanes < config.lane_size)
		return -ENXIO;
	base = mmap(NULL, config.buffer_size, PROT_READ, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED) {
		ret = -errno;
		errno = saved;
		return ret;
	}
	buffer->base = base;
	buffer->size = config.buffer_size;
	buffer->lane_size = config.lane_size;
	buffer->lanes = config.lanes;
	return 0;
}

void pfm_sample_buffer_unmap(struct pfm_sample_buffer *buffer)
{
	int saved = errno;

	if (buffer->base)
		munmap((void *)buffer->base, buffer->size);
	errno = saved;
	memset(buffer, 0, sizeof(*buffer));
}

const void *pfm_sample_buffer_lane(const struct pfm_sample_buffer *buffer,
				   unsigned int lane)
{
	if (lane >= buffer->lanes)
		return NULL;
	return (const char *)buffer->base + (size_t)lane * buffer->lane_size;
}

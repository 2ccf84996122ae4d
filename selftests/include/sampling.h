/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling: attributes of registers, formats, and the buffer of the default format.
 */
#ifndef _SELFTESTS_SAMPLING_H
#define _SELFTESTS_SAMPLING_H

#include <stddef.h>
#include <sys/mman.h>

#include <linux/perfmon_default.h>

#include "context.h"

static inline void bit_set(__u64 *bits, unsigned int num)
{
	bits[num / 64] |= 1ULL << (num % 64);
}

static inline bool bit_is_set(const __u64 *bits, unsigned int num)
{
	return bits[num / 64] >> (num % 64) & 1;
}

static inline int attr_write(int fd, const struct pfm_pmd_attr *attr)
{
	return vector(fd, PFM_IOC_WRITE_PMDATTRS, attr, 1, NULL);
}

static inline int attr_read(int fd, uint16_t num, struct pfm_pmd_attr *attr)
{
	*attr = (struct pfm_pmd_attr){ .num = num };
	return vector(fd, PFM_IOC_READ_PMDATTRS, attr, 1, NULL);
}

static inline int context_restart(int fd, uint32_t lane)
{
	const struct pfm_restart arg = { .lane = lane };

	return call(fd, PFM_IOC_RESTART, &arg);
}

/* Create a context with a sampling format.  Returns its descriptor or -errno. */
static inline int format_open(uint32_t flags, const uint8_t *uuid,
			      const void *fmt_arg, uint32_t size)
{
	struct pfm_create arg = {
		.flags = flags,
		.fmt_arg = (uintptr_t)fmt_arg,
		.fmt_arg_size = size,
	};
	const int device = device_open();
	int fd;

	if (device < 0)
		return device;
	memcpy(arg.fmt_uuid, uuid, sizeof(arg.fmt_uuid));
	fd = call(device, PFM_IOC_CREATE_CONTEXT, &arg);
	close(device);
	return fd;
}

static inline int default_open(uint32_t flags, uint64_t buf_size)
{
	const struct pfm_default_arg arg = { .buf_size = buf_size };
	const uint8_t uuid[PFM_UUID_LEN] = PFM_DEFAULT_UUID;

	return format_open(flags, uuid, &arg, sizeof(arg));
}

/* Map the sampling buffer.  Returns NULL on failure. */
static inline void *buffer_map(int fd)
{
	struct pfm_config cfg;
	void *buf;

	if (config_get(fd, &cfg))
		return NULL;
	buf = mmap(NULL, cfg.buffer_size, PROT_READ, MAP_SHARED, fd, 0);
	return buf == MAP_FAILED ? NULL : buf;
}

/* A sample of a buffer whose samples carry nvals values each. */
static inline const struct pfm_default_entry *
entry_at(const struct pfm_default_hdr *hdr, uint64_t i, unsigned int nvals)
{
	const size_t size = sizeof(struct pfm_default_entry) + 8 * nvals;

	return (const void *)((const char *)(hdr + 1) + i * size);
}

static inline uint64_t entry_val(const struct pfm_default_entry *entry,
				 unsigned int i)
{
	uint64_t val;

	memcpy(&val, (const char *)(entry + 1) + 8 * i, sizeof(val));
	return val;
}

/* Bytes of a buffer that holds that many samples. */
static inline uint64_t buffer_bytes(uint64_t entries, unsigned int nvals)
{
	return sizeof(struct pfm_default_hdr) +
	       entries * (sizeof(struct pfm_default_entry) + 8 * nvals);
}

/* Register num samples with a period, and its samples carry the values of pmds. */
static inline int sample_every(int fd, uint16_t num, uint64_t period,
			       const uint16_t *pmds, unsigned int npmds)
{
	struct pfm_pmd_attr attr = {
		.num = num,
		.long_reset = -period,
		.short_reset = -period,
	};
	unsigned int i;

	for (i = 0; i < npmds; i++)
		bit_set(attr.smpl_pmds, pmds[i]);
	return attr_write(fd, &attr);
}

#define PMD_LIST(...)                        \
	((const uint16_t[]){ __VA_ARGS__ }), \
		ARRAY_LEN(((const uint16_t[]){ __VA_ARGS__ }))

#endif /* _SELFTESTS_SAMPLING_H */

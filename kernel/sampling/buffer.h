/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling buffers: memory that the kernel writes and the consumer maps.
 */
#ifndef _PFM_BUFFER_H
#define _PFM_BUFFER_H

#include <linux/bits.h>
#include <linux/types.h>

struct attribute_group;
struct pfm_buffer;
struct vm_area_struct;

/* Largest size of a context's buffer; RLIMIT_MEMLOCK usually allows less. */
#define PFM_BUFFER_MAX BIT(30)

extern const struct attribute_group pfm_buffer_group;

struct pfm_buffer *pfm_buffer_create(size_t size);
void pfm_buffer_put(struct pfm_buffer *buffer);
void *pfm_buffer_at(const struct pfm_buffer *buffer, size_t offset);
int pfm_buffer_map(struct pfm_buffer *buffer, struct vm_area_struct *vma);

#endif /* _PFM_BUFFER_H */

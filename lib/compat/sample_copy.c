// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * A copy of the sampling buffer, in which samples have the old numbers of registers: for programs
 * that sample on a register that is numbered in another way today.
 *
 * The kernel's buffer cannot be written, not even in a private mapping.  So the program gets memory
 * with a copy at the address where it has mapped the buffer.  The copy is brought up to date by
 * each call after which a program looks at the buffer: a message that was read, and the calls that stop,
 * unload, restart and read registers.  A program that samples on other registers sees the kernel's
 * buffer itself.
 */
#include "sample_copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "include/perfmon2-compat/perfmon/perfmon.h"

#undef read
#undef mmap

#define ENTRIES sizeof(struct pfm_default_hdr)

void pfmi_sample_copy_begin(int fd, struct pfmi_known *known)
{
	void *buffer;

	known->translate = true;
	if (!known->mapped || known->buffer)
		return;
	buffer = mmap(NULL, known->size, PROT_READ, MAP_SHARED, fd, 0);
	if (buffer == MAP_FAILED)
		return;
	if (mmap(known->mapped, known->size, PROT_READ | PROT_WRITE,
		 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1,
		 0) == MAP_FAILED) {
		munmap(buffer, known->size);
		return;
	}
	known->buffer = buffer;
	pfmi_sample_copy_update(known);
}

static const struct pfmi_sampler *
sampler_of(const struct pfmi_known *known,
	   const struct pfm_default_entry *entry)
{
	unsigned int i;

	for (i = 0; i < known->num_samplers; i++)
		if (known->samplers[i].num == entry->ovfl_pmd &&
		    known->samplers[i].set == entry->set)
			return &known->samplers[i];
	return NULL;
}

void pfmi_sample_copy_update(struct pfmi_known *known)
{
	const struct pfm_default_hdr *from = known->buffer;
	struct pfm_default_hdr *to = known->mapped;
	const struct pfmi_sampler *sampler;
	struct pfm_default_entry *entry;
	uint64_t count, i;
	size_t at, size;

	if (!from)
		return;
	/* Entries are complete when the kernel counts them. */
	count = __atomic_load_n(&from->hdr_count, __ATOMIC_ACQUIRE);
	memcpy(to, from, sizeof(*to));
	for (i = 0, at = ENTRIES; i < count; i++, at += size) {
		if (at + sizeof(*entry) > known->size)
			break;
		entry = (struct pfm_default_entry *)((char *)to + at);
		memcpy(entry, (const char *)from + at, sizeof(*entry));
		sampler = sampler_of(known, entry);
		size = sizeof(*entry) + 8 * (sampler ? sampler->vals : 0);
		if (!sampler || at + size > known->size)
			break;
		memcpy(entry + 1, (const char *)from + at + sizeof(*entry),
		       size - sizeof(*entry));
		entry->ovfl_pmd =
			pfmi_numbers_old_pmd(&known->numbers, entry->ovfl_pmd);
	}
	to->hdr_count = i;
	to->hdr_cur_offs = at;
}

/* Program's mapping: mmap() where the header is included. */
void *pfm3_mmap(void *addr, size_t length, int prot, int flags, int fd,
		off_t offset)
{
	struct pfmi_known *known = flags & MAP_ANONYMOUS ? NULL
							 : pfmi_known_find(fd);
	struct pfm_config config;
	void *mapped;

	mapped = mmap(addr, length, prot, flags, fd, offset);
	if (mapped == MAP_FAILED || !known || offset ||
	    pfm_ctx_get_config(fd, &config))
		return mapped;
	if (known->buffer) {
		munmap(known->buffer, known->size);
		known->buffer = NULL;
	}
	known->mapped = mapped;
	known->size = length;
	if (known->translate)
		pfmi_sample_copy_begin(fd, known);
	return mapped;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples that are written one by one in the end: until then they wait in a
 * temporary file, so that looking up symbols does not disturb the command.
 */
#ifndef PFMON_SAMPLING_SPOOL_H
#define PFMON_SAMPLING_SPOOL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sampling/sample.h"

/**
 * struct spooled - a sample in the file
 * @sample: as it was; its pointers are set when it is read back
 * @phase: number of the program that its task ran (tasks.h)
 * @num_places: places of its stack, innermost first; at least one
 */
struct spooled {
	struct sample sample;
	uint32_t phase;
	uint32_t num_places;
};

/**
 * struct spool - the file
 * @file: NULL none
 * @index: where each sample is
 * @count: elements of @index
 * @buffer: memory of the sample that was read last
 */
struct spool {
	FILE *file;
	struct spool_index *index;
	size_t count;
	size_t room;
	unsigned char *buffer;
	size_t buffer_size;
};

/* Each returns 0, or -1 after saying what failed. */
int spool_open(struct spool *spool);
int spool_add(struct spool *spool, const struct spooled *spooled,
	      const uint32_t *places);

/* Puts the samples in the order of their times. */
void spool_sort(struct spool *spool);

/* Valid until the next call. */
int spool_read(struct spool *spool, size_t i, struct spooled *spooled,
	       const uint32_t **places);

void spool_close(struct spool *spool);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps samples that are listed one by one in a temporary file until the end,
 * because looking up symbols earlier would disturb the command.
 */
#ifndef PFMON_SAMPLING_SPOOL_H
#define PFMON_SAMPLING_SPOOL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sampling/sample.h"

/**
 * struct spooled - a sample in the file
 * @sample: the sample; its pointers are set when it is read back
 * @phase: number of the task's struct phase (task_history.h), which tells the program
 * @num_places: number of places in its stack, innermost first; at least one
 */
struct spooled {
	struct sample sample;
	uint32_t phase;
	uint32_t num_places;
};

/**
 * struct spool - the temporary file
 * @file: its stream; NULL if there is none
 * @index: position of each sample
 * @count: elements of @index
 * @buffer: memory of the sample that was last read
 */
struct spool {
	FILE *file;
	struct spool_index *index;
	size_t count;
	size_t room;
	unsigned char *buffer;
	size_t buffer_size;
};

/* Each returns 0, or -1 after a message. */
int spool_open(struct spool *spool);
int spool_add(struct spool *spool, const struct spooled *spooled,
	      const uint32_t *places);

/* Sorts the samples by time. */
void spool_sort(struct spool *spool);

/* Reads sample @i; it is valid until the next call. */
int spool_read(struct spool *spool, size_t i, struct spooled *spooled,
	       const uint32_t **places);

void spool_close(struct spool *spool);

#endif

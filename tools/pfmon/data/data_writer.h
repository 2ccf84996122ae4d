/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes pfmon.data while a session runs: collects records, and writes them in blocks.
 */
#ifndef PFMON_DATA_DATA_WRITER_H
#define PFMON_DATA_DATA_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/data_format.h"

/**
 * struct data_writer - a file that is being written
 * @fd: its descriptor
 * @raw: the records that are not written yet, in DATA_BLOCK_MAX bytes
 * @used: bytes of @raw
 * @samples: how many of these records are samples
 * @packed: memory for a block as it is stored, behind its head
 * @room: bytes of @packed
 * @number: number of the next block
 * @size: bytes of the head and of all blocks that are written as a whole
 * @written: samples that are in the file
 * @dropped: samples that are not, as the file could not be written
 * @error: errno of the first write that failed; 0 if none did
 */
struct data_writer {
	int fd;
	uint8_t *raw;
	size_t used;
	uint32_t samples;
	uint8_t *packed;
	size_t room;
	uint32_t number;
	uint64_t size;
	uint64_t written;
	uint64_t dropped;
	int error;
};

/* Returns 0, or -1 without memory. */
int data_writer_init(struct data_writer *writer);

/* Writes the head.  @fd is at the beginning of an empty file. */
void data_writer_begin(struct data_writer *writer, int fd);

/* True if a record of any size fits behind those that wait. */
bool data_writer_has_room(const struct data_writer *writer);

/* Where the next record goes, and that it is there: @size bytes, at most DATA_RECORD_MAX. */
uint8_t *data_writer_next(struct data_writer *writer);
void data_writer_add(struct data_writer *writer, size_t size, bool sample);

/* Writes the records that wait as a block. */
void data_writer_flush(struct data_writer *writer);

/* Writes a block that is a text of at most DATA_BLOCK_MAX bytes. */
void data_writer_text(struct data_writer *writer, enum data_type type,
		      const char *text, size_t size);

void data_writer_free(struct data_writer *writer);

#endif
